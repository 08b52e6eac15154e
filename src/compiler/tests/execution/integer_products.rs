//! Products of small integers, which processors make of groups of neighbours.

use super::compile;
use halo_core::Literal;

/// All pairs of extremes meet, at which sums of 32 bits wrap around. Two divides the first size
/// but four does not, four the second, and tiles of AMX the third.
#[test]
fn products_of_small_integers_are_exact() {
    for size in [66, 68, 128] {
        check_products(size);
    }
}

fn check_products(size: usize) {
    let extremes = [i16::MIN, i16::MAX, 0, -1, 1, -12_345];
    let number = |index: usize| extremes[index * index / 7 % extremes.len()];
    // Rows and columns of the least number meet once.
    let numbers: Vec<i16> = (0..size * size)
        .map(|index| {
            if index < size {
                i16::MIN
            } else {
                number(index)
            }
        })
        .collect();
    let bytes: Vec<i8> = numbers.iter().map(|number| (number >> 8) as i8).collect();
    let unsigned: Vec<u8> = bytes.iter().map(|number| number.cast_unsigned()).collect();
    let product = |lhs: &dyn Fn(usize, usize) -> i32, rhs: &dyn Fn(usize, usize) -> i32| {
        let element = |index: usize| {
            let (row, column) = (index / size, index % size);
            (0..size).fold(0_i32, |sum, k| {
                sum.wrapping_add(lhs(row, k).wrapping_mul(rhs(k, column)))
            })
        };
        (0..size * size).map(element).collect::<Vec<i32>>()
    };
    let shape = [size, size];
    let words = |row: usize, column: usize| i32::from(numbers[row * size + column]);
    let signed = |row: usize, column: usize| i32::from(bytes[row * size + column]);
    let counts = |row: usize, column: usize| i32::from(unsigned[row * size + column]);
    let expected = [
        // Rows of both: the second operand is read across.
        product(&words, &|k, column| words(column, k)),
        product(&counts, &signed),
        product(&|row, k| counts(k, row), &counts),
        product(&signed, &signed),
        product(&signed, &|k, column| counts(column, k)),
        product(&|row, k| signed(k, row), &signed),
    ];
    let code = "
func.func @main(%w: tensor<SxSxi16>, %s: tensor<SxSxi8>, %u: tensor<SxSxui8>)
    -> (tensor<SxSxi32>, tensor<SxSxi32>, tensor<SxSxi32>, tensor<SxSxi32>, tensor<SxSxi32>,
        tensor<SxSxi32>) {
  %0 = stablehlo.dot_general %w, %w, contracting_dims = [1] x [1]
    : (tensor<SxSxi16>, tensor<SxSxi16>) -> tensor<SxSxi32>
  %1 = stablehlo.dot_general %u, %s, contracting_dims = [1] x [0]
    : (tensor<SxSxui8>, tensor<SxSxi8>) -> tensor<SxSxi32>
  %2 = stablehlo.dot_general %u, %u, contracting_dims = [0] x [0]
    : (tensor<SxSxui8>, tensor<SxSxui8>) -> tensor<SxSxi32>
  %3 = stablehlo.dot_general %s, %s, contracting_dims = [1] x [0]
    : (tensor<SxSxi8>, tensor<SxSxi8>) -> tensor<SxSxi32>
  %4 = stablehlo.dot_general %s, %u, contracting_dims = [1] x [1]
    : (tensor<SxSxi8>, tensor<SxSxui8>) -> tensor<SxSxi32>
  %5 = stablehlo.dot_general %s, %s, contracting_dims = [0] x [0]
    : (tensor<SxSxi8>, tensor<SxSxi8>) -> tensor<SxSxi32>
  return %0, %1, %2, %3, %4, %5 : tensor<SxSxi32>, tensor<SxSxi32>, tensor<SxSxi32>,
    tensor<SxSxi32>, tensor<SxSxi32>, tensor<SxSxi32>
}"
    .replace("SxS", &format!("{size}x{size}"));
    let inputs = [
        Literal::from_slice(&shape, &numbers).unwrap(),
        Literal::from_slice(&shape, &bytes).unwrap(),
        Literal::from_slice(&shape, &unsigned).unwrap(),
    ];
    let expected = expected.map(|values| Literal::from_slice(&shape, &values).unwrap());
    for outputs in super::run(&code, &inputs) {
        assert_eq!(outputs, expected, "{size}");
    }
    if size > 66 {
        for (processor, executable) in compile::executables_with_products(&code) {
            let outputs = executable.run(&inputs).unwrap();
            assert_eq!(outputs, expected, "{size} on {processor}");
        }
    }
}

/// Tasks pack the only panel of columns themselves, in blocks of k.
#[test]
fn blocks_of_a_deep_product_of_few_columns_are_added() {
    let (rows, depth, columns) = (81, 2304, 24);
    let number = |index: usize| (index * 37 % 251) as u8;
    let lhs: Vec<i8> = (0..rows * depth)
        .map(|index| number(index).cast_signed())
        .collect();
    let rhs: Vec<i8> = (0..depth * columns)
        .map(|index| number(index + 5).cast_signed())
        .collect();
    let sum = |row: usize, column: usize| -> i32 {
        (0..depth)
            .map(|k| i32::from(lhs[row * depth + k]) * i32::from(rhs[k * columns + column]))
            .sum()
    };
    let expected: Vec<i32> = (0..rows * columns)
        .map(|index| sum(index / columns, index % columns))
        .collect();
    let code = format!(
        "func.func @main(%x: tensor<{rows}x{depth}xi8>, %w: tensor<{depth}x{columns}xi8>)
             -> tensor<{rows}x{columns}xi32> {{
           %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
             : (tensor<{rows}x{depth}xi8>, tensor<{depth}x{columns}xi8>)
             -> tensor<{rows}x{columns}xi32>
           return %0 : tensor<{rows}x{columns}xi32>
         }}"
    );
    let inputs = [
        Literal::from_slice(&[rows, depth], &lhs).unwrap(),
        Literal::from_slice(&[depth, columns], &rhs).unwrap(),
    ];
    check(
        &code,
        &inputs,
        &Literal::from_slice(&[rows, columns], &expected).unwrap(),
    );
}

/// By the code for this machine, and by that for other processors.
fn check(code: &str, inputs: &[Literal], expected: &Literal) {
    for outputs in super::run(code, inputs) {
        assert_eq!(outputs, [expected.clone()], "{code}");
    }
    for (processor, executable) in compile::executables_with_products(code) {
        let outputs = executable.run(inputs).unwrap();
        assert_eq!(outputs, [expected.clone()], "{processor}: {code}");
    }
}
