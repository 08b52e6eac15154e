//! Sorts of long rows by one number, which the runtime does on the CPU.

use super::{compile::cpu_executable, indexing::scrambled, options, run};
use halo_core::{ElementType, Literal, Shape};

/// The comparator of `jax.numpy.sort` for floats: zeros are equal, and NaNs are equal and greater
/// than infinity.
const NORMALIZED: &str = "
    %zero = stablehlo.constant dense<0.0> : tensor<TYPE>
    %nan = stablehlo.constant dense<NAN> : tensor<TYPE>
    %1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<TYPE>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    %4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<TYPE>
    %5 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %b : tensor<i1>, tensor<TYPE>
    %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    %8 = stablehlo.select %7, %nan, %6 : tensor<i1>, tensor<TYPE>
    %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>";

const PLAIN: &str = "
    %1 = stablehlo.compare LT, %a, %b : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>";

/// A sort of one operand of a type along a dimension.
fn sort(dims: &[usize], dimension: usize, ty: &str, comparator: &str) -> String {
    let dims: String = dims.iter().map(|size| format!("{size}x")).collect();
    let tensor = format!("tensor<{dims}{ty}>");
    let nan = match ty {
        "f16" => "0x7E00",
        "bf16" => "0x7FC0",
        "f64" => "0x7FF8000000000000",
        _ => "0x7FC00000",
    };
    let comparator = comparator.replace("TYPE", ty).replace("NAN", nan);
    format!(
        "func.func @main(%x: {tensor}) -> {tensor} {{
           %0 = \"stablehlo.sort\"(%x) <{{dimension = {dimension} : i64, is_stable = true}}> ({{
           ^bb0(%a: tensor<{ty}>, %b: tensor<{ty}>): {comparator}
           }}) : ({tensor}) -> {tensor}
           return %0 : {tensor}
         }}"
    )
}

/// The stable order of floats of a width, in which zeros are equal and NaNs are equal.
fn normalized(bits: u64, width: u32, infinity: u64) -> i64 {
    let sign = 1 << (width - 1);
    let magnitude = (bits & (sign - 1)) as i64;
    match magnitude {
        _ if magnitude > infinity as i64 => i64::MAX,
        _ if bits & sign != 0 => -magnitude,
        _ => magnitude,
    }
}

/// Bits of numbers that are random, special, few, equal, ascending and descending.
fn patterns(count: usize, width: u32, infinity: u64) -> Vec<Vec<u64>> {
    let mask = u64::MAX >> (64 - width);
    let sign = 1 << (width - 1);
    let special = [
        0,
        sign,
        infinity,
        infinity | sign,
        infinity + 1,
        (infinity + 3) | sign,
        1,
        sign | 1,
    ];
    let low = scrambled(2 * count);
    let random: Vec<u64> = low
        .chunks(2)
        .map(|pair| (u64::from(pair[0] >> 7) << 40 ^ u64::from(pair[1]) << 13) >> 3 & mask)
        .collect();
    let chosen = |number: &u64| special[(number >> 4) as usize % special.len()];
    let mixed = |(number, random): (usize, &u64)| match number % 3 {
        0 => chosen(random),
        _ => *random,
    };
    let ascending: Vec<u64> = (0..count as u64).map(|number| number & mask >> 1).collect();
    vec![
        random.iter().enumerate().map(mixed).collect(),
        random.iter().map(chosen).collect(),
        random.iter().map(|number| number & 1).collect(),
        vec![infinity; count],
        ascending.iter().rev().copied().collect(),
        ascending,
        random,
    ]
}

fn literal(ty: ElementType, dims: &[usize], bits: &[u64]) -> Literal {
    let width = ty.byte_width();
    let bytes = bits.iter().map(|bits| bits.to_le_bytes());
    let bytes: Vec<u8> = bytes.flat_map(|bytes| bytes[..width].to_vec()).collect();
    Literal::from_bytes(Shape::new(ty, dims).unwrap(), &bytes).unwrap()
}

/// `numpy.sort(x, stable=True)`, which keeps the order of the zeros and of the NaNs.
#[test]
fn floats_of_all_widths() {
    for (name, ty, infinity) in [
        ("f16", ElementType::F16, 0x7C00),
        ("bf16", ElementType::BF16, 0x7F80),
        ("f32", ElementType::F32, 0x7F80_0000),
        ("f64", ElementType::F64, 0x7FF0_0000_0000_0000),
    ] {
        for count in [1024, 1025, 100_000] {
            let code = sort(&[count], 0, name, NORMALIZED);
            let executable = cpu_executable(&code, &options());
            let width = 8 * ty.byte_width() as u32;
            for bits in patterns(count, width, infinity) {
                let mut expected = bits.clone();
                expected.sort_by_key(|bits| normalized(*bits, width, infinity));
                let outputs = executable.run(&[literal(ty, &[count], &bits)]).unwrap();
                assert_eq!(outputs[0].bytes(), literal(ty, &[count], &expected).bytes());
            }
        }
    }
}

#[test]
fn integers_of_all_widths() {
    for (name, ty) in [
        ("i8", ElementType::I8),
        ("ui8", ElementType::Ui8),
        ("i16", ElementType::I16),
        ("ui32", ElementType::Ui32),
        ("i64", ElementType::I64),
        ("ui64", ElementType::Ui64),
    ] {
        let width = 8 * ty.byte_width() as u32;
        for count in [1024, 1025, 100_000] {
            let code = sort(&[count], 0, name, PLAIN);
            let down = code.replace("compare LT", "compare GT");
            let executables = [code, down].map(|code| cpu_executable(&code, &options()));
            for bits in patterns(count, width, 100) {
                let signed = |bits: &u64| (*bits << (64 - width)) as i64;
                let mut expected = bits.clone();
                if name.starts_with('u') {
                    expected.sort_unstable()
                } else {
                    expected.sort_by_key(signed)
                }
                for executable in &executables {
                    let outputs = executable.run(&[literal(ty, &[count], &bits)]).unwrap();
                    assert_eq!(outputs[0].bytes(), literal(ty, &[count], &expected).bytes());
                    expected.reverse();
                }
            }
        }
    }
}

/// Columns of a matrix, on every backend.
#[test]
fn columns() {
    let (rows, columns) = (1100, 11);
    let code = sort(&[rows, columns], 0, "f32", NORMALIZED);
    let bits = patterns(rows * columns, 32, 0x7F80_0000).swap_remove(6);
    let mut expected = bits.clone();
    for column in 0..columns {
        let own = bits.iter().skip(column).step_by(columns);
        let mut sorted: Vec<u64> = own.copied().collect();
        sorted.sort_by_key(|bits| normalized(*bits, 32, 0x7F80_0000));
        for (row, bits) in sorted.into_iter().enumerate() {
            expected[row * columns + column] = bits;
        }
    }
    let shape = [rows, columns];
    for outputs in run(&code, &[literal(ElementType::F32, &shape, &bits)]) {
        assert_eq!(
            outputs[0].bytes(),
            literal(ElementType::F32, &shape, &expected).bytes()
        );
    }
}

/// Elements of several operands of different widths are sorted together, and the sort is stable, as
/// the 64-bit operands show.
#[test]
fn several_operands() {
    for count in [1024_usize, 50_000] {
        let code = format!(
            "func.func @main(%b: tensor<{count}xi8>, %x: tensor<{count}xi16>, %y: tensor<{count}xi64>,
                             %z: tensor<{count}xi32>)
                 -> (tensor<{count}xi8>, tensor<{count}xi16>, tensor<{count}xi64>, tensor<{count}xi32>) {{
               %0:4 = \"stablehlo.sort\"(%b, %x, %y, %z) <{{dimension = 0 : i64}}> ({{
               ^bb0(%b0: tensor<i8>, %b1: tensor<i8>, %x0: tensor<i16>, %x1: tensor<i16>,
                    %y0: tensor<i64>, %y1: tensor<i64>, %z0: tensor<i32>, %z1: tensor<i32>):
                 %1 = stablehlo.compare GT, %x0, %x1 : (tensor<i16>, tensor<i16>) -> tensor<i1>
                 stablehlo.return %1 : tensor<i1>
               }}) : (tensor<{count}xi8>, tensor<{count}xi16>, tensor<{count}xi64>, tensor<{count}xi32>)
                 -> (tensor<{count}xi8>, tensor<{count}xi16>, tensor<{count}xi64>, tensor<{count}xi32>)
               return %0#0, %0#1, %0#2, %0#3
                 : tensor<{count}xi8>, tensor<{count}xi16>, tensor<{count}xi64>, tensor<{count}xi32>
             }}"
        );
        let executable = cpu_executable(&code, &options());
        let random = scrambled(count);
        for range in [1, 300, 60_000] {
            let keys: Vec<i16> =
                random.iter().map(|random| ((random >> 8) % range) as i16).collect();
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by_key(|number| std::cmp::Reverse(keys[*number]));
            let bytes: Vec<i8> = (0..count).map(|number| number as i8).collect();
            let wide: Vec<i64> = (0..count as i64).map(|number| number << 33).collect();
            let numbers: Vec<i32> = (0..count as i32).collect();
            let inputs = [
                Literal::from_slice(&[count], &bytes).unwrap(),
                Literal::from_slice(&[count], &keys).unwrap(),
                Literal::from_slice(&[count], &wide).unwrap(),
                Literal::from_slice(&[count], &numbers).unwrap(),
            ];
            let outputs = executable.run(&inputs).unwrap();
            assert!(order.iter().enumerate().all(|(at, number)| {
                outputs[0].as_slice::<i8>().unwrap()[at] == bytes[*number]
                    && outputs[1].as_slice::<i16>().unwrap()[at] == keys[*number]
                    && outputs[2].as_slice::<i64>().unwrap()[at] == wide[*number]
                    && outputs[3].as_slice::<i32>().unwrap()[at] == numbers[*number]
            }));
        }
    }
}

/// Sorts by a computed key use generated loops.
#[test]
fn computed_keys() {
    let count = 3000;
    let code = sort(
        &[count],
        0,
        "i32",
        "%1 = stablehlo.abs %a : tensor<i32>
         %2 = stablehlo.abs %b : tensor<i32>
         %3 = stablehlo.compare LT, %1, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
         stablehlo.return %3 : tensor<i1>",
    );
    let random = scrambled(count);
    let numbers: Vec<i32> = random.iter().map(|bits| (bits >> 16) as i32 - 30_000).collect();
    let mut expected = numbers.clone();
    expected.sort_by_key(|number| number.abs());
    let executable = cpu_executable(&code, &options());
    let outputs = executable.run(&[Literal::from_slice(&[count], &numbers).unwrap()]).unwrap();
    assert_eq!(outputs[0].as_slice::<i32>().unwrap(), expected);
}
