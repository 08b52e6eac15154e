//! Concatenations, updates and gathers with elementwise producers and consumers, which are fused.
//! Expected values are computed here, by loops.

use super::run;
use halo_core::Literal;

/// Numbers without a pattern along rows or columns.
fn numbers(dims: &[usize], seed: usize) -> (Literal, Vec<i32>) {
    let count: usize = dims.iter().product();
    let values: Vec<i32> = (0..count)
        .map(|number| (((number + seed) * 7919 + 13) % 1009) as i32 - 500)
        .collect();
    (Literal::from_slice(dims, &values).unwrap(), values)
}

#[track_caller]
fn expect(code: &str, inputs: &[Literal], expected: &[Vec<i32>]) {
    for outputs in run(code, inputs) {
        for (output, expected) in outputs.iter().zip(expected) {
            assert_eq!(output.as_slice::<i32>().unwrap(), expected);
        }
        assert_eq!(outputs.len(), expected.len());
    }
}

/// The parts have different lengths, another operand is also read, and positions refer to the whole
/// concatenation.
#[test]
fn parts_of_columns() {
    let (a, a_values) = numbers(&[20, 30], 0);
    let (b, b_values) = numbers(&[20, 13], 5);
    let (c, c_values) = numbers(&[43], 9);
    let expected = (0..20 * 43).map(|number| {
        let (row, column) = (number / 43, number % 43);
        let value = if column < 30 {
            -a_values[row * 30 + column]
        } else {
            b_values[row * 13 + column - 30]
        };
        value.max(0) * c_values[column] + column as i32
    });
    expect(
        "func.func @main(%a: tensor<20x30xi32>, %b: tensor<20x13xi32>, %c: tensor<43xi32>) -> tensor<20x43xi32> {
           %zero = stablehlo.constant dense<0> : tensor<20x43xi32>
           %0 = stablehlo.negate %a : tensor<20x30xi32>
           %1 = stablehlo.concatenate %0, %b, dim = 1 : (tensor<20x30xi32>, tensor<20x13xi32>) -> tensor<20x43xi32>
           %2 = stablehlo.maximum %1, %zero : tensor<20x43xi32>
           %3 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<43xi32>) -> tensor<20x43xi32>
           %4 = stablehlo.multiply %2, %3 : tensor<20x43xi32>
           %5 = stablehlo.iota dim = 1 : tensor<20x43xi32>
           %6 = stablehlo.add %4, %5 : tensor<20x43xi32>
           return %6 : tensor<20x43xi32>
         }",
        &[a, b, c],
        &[expected.collect()],
    );
}

/// Vertically concatenated rows, in ranges that are long enough for several threads and end within
/// a part; the concatenations before and after the op are also results.
#[test]
fn parts_of_rows() {
    let (a, a_values) = numbers(&[90, 100], 1);
    let (b, b_values) = numbers(&[57, 100], 2);
    let whole: Vec<i32> = a_values
        .iter()
        .map(|value| value * 2)
        .chain(b_values.iter().map(|value| value * value))
        .collect();
    let doubled = whole.iter().map(|value| value + 7).collect();
    let code = |results: &str, types: &str| {
        format!(
            "func.func @main(%a: tensor<90x100xi32>, %b: tensor<57x100xi32>) -> ({types}) {{
               %seven = stablehlo.constant dense<7> : tensor<147x100xi32>
               %0 = stablehlo.add %a, %a : tensor<90x100xi32>
               %1 = stablehlo.multiply %b, %b : tensor<57x100xi32>
               %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<90x100xi32>, tensor<57x100xi32>) -> tensor<147x100xi32>
               %3 = stablehlo.add %2, %seven : tensor<147x100xi32>
               return {results} : {types}
             }}"
        )
    };
    let ty = "tensor<147x100xi32>";
    let (both, inputs) = (format!("{ty}, {ty}"), [a, b]);
    expect(&code("%3", ty), &inputs, &[doubled]);
    let doubled = whole.iter().map(|value| value + 7).collect();
    expect(&code("%3, %2", &both), &inputs, &[doubled, whole]);
}

/// Two formulas of the same operands, whose elements alternate.
#[test]
fn interleaved() {
    let (a, a_values) = numbers(&[6, 50], 3);
    let (b, b_values) = numbers(&[6, 50], 4);
    let pairs = a_values.iter().zip(&b_values);
    let expected = pairs.flat_map(|(a, b)| [a + b, a - b]).collect();
    expect(
        "func.func @main(%a: tensor<6x50xi32>, %b: tensor<6x50xi32>) -> tensor<6x100xi32> {
           %0 = stablehlo.add %a, %b : tensor<6x50xi32>
           %1 = stablehlo.subtract %a, %b : tensor<6x50xi32>
           %2 = stablehlo.reshape %0 : (tensor<6x50xi32>) -> tensor<6x50x1xi32>
           %3 = stablehlo.reshape %1 : (tensor<6x50xi32>) -> tensor<6x50x1xi32>
           %4 = stablehlo.concatenate %2, %3, dim = 2 : (tensor<6x50x1xi32>, tensor<6x50x1xi32>) -> tensor<6x50x2xi32>
           %5 = stablehlo.reshape %4 : (tensor<6x50x2xi32>) -> tensor<6x100xi32>
           return %5 : tensor<6x100xi32>
         }",
        &[a, b],
        &[expected],
    );
}

/// An update reads other elements of the updated tensor, and the old value is read later.
#[test]
fn updates_of_what_is_read() {
    let (x, values) = numbers(&[64], 6);
    let mut updated = values.clone();
    for number in 0..16 {
        updated[20 + number] = values[16 + number] * 3;
    }
    let old = (0..16).map(|number| values[20 + number] + updated[number]).collect();
    expect(
        "func.func @main(%x: tensor<64xi32>, %at: tensor<i32>) -> (tensor<64xi32>, tensor<16xi32>) {
           %three = stablehlo.constant dense<3> : tensor<16xi32>
           %0 = stablehlo.slice %x [16:32] : (tensor<64xi32>) -> tensor<16xi32>
           %1 = stablehlo.multiply %0, %three : tensor<16xi32>
           %2 = stablehlo.dynamic_update_slice %x, %1, %at : (tensor<64xi32>, tensor<16xi32>, tensor<i32>) -> tensor<64xi32>
           %3 = stablehlo.slice %x [20:36] : (tensor<64xi32>) -> tensor<16xi32>
           %4 = stablehlo.slice %2 [0:16] : (tensor<64xi32>) -> tensor<16xi32>
           %5 = stablehlo.add %3, %4 : tensor<16xi32>
           return %2, %5 : tensor<64xi32>, tensor<16xi32>
         }",
        &[x, Literal::from_slice(&[], &[20]).unwrap()],
        &[updated, old],
    );
}

/// A loop updates a row of a carried tensor with a value computed from its rows.
#[test]
fn updates_in_a_loop() {
    let (x, mut values) = numbers(&[8, 32], 7);
    for row in 0..7 {
        for column in 0..32 {
            values[(row + 1) * 32 + column] += values[row * 32 + column] * 2;
        }
    }
    expect(
        "func.func @main(%x: tensor<8x32xi32>) -> tensor<8x32xi32> {
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %one = stablehlo.constant dense<1> : tensor<i32>
           %seven = stablehlo.constant dense<7> : tensor<i32>
           %0:2 = stablehlo.while(%i = %zero, %t = %x) : tensor<i32>, tensor<8x32xi32>
             cond {
               %1 = stablehlo.compare LT, %i, %seven : (tensor<i32>, tensor<i32>) -> tensor<i1>
               stablehlo.return %1 : tensor<i1>
             } do {
               %next = stablehlo.add %i, %one : tensor<i32>
               %1 = stablehlo.dynamic_slice %t, %i, %zero, sizes = [1, 32] : (tensor<8x32xi32>, tensor<i32>, tensor<i32>) -> tensor<1x32xi32>
               %2 = stablehlo.dynamic_slice %t, %next, %zero, sizes = [1, 32] : (tensor<8x32xi32>, tensor<i32>, tensor<i32>) -> tensor<1x32xi32>
               %3 = stablehlo.add %1, %1 : tensor<1x32xi32>
               %4 = stablehlo.add %3, %2 : tensor<1x32xi32>
               %5 = stablehlo.dynamic_update_slice %t, %4, %next, %zero : (tensor<8x32xi32>, tensor<1x32xi32>, tensor<i32>, tensor<i32>) -> tensor<8x32xi32>
               stablehlo.return %next, %5 : tensor<i32>, tensor<8x32xi32>
             }
           return %0#1 : tensor<8x32xi32>
         }",
        &[x],
        &[values],
    );
}

/// Selects one element in each row of a formula of the row, its maximum and its position.
#[test]
fn gathers_of_formulas() {
    let (x, values) = numbers(&[12, 40], 8);
    let labels: Vec<i32> = (0..12).map(|row| (row * 17) % 40).collect();
    let expected = (0..12).map(|row| {
        let row_values = &values[row * 40..][..40];
        let label = labels[row] as usize;
        (row_values[label] - row_values.iter().max().unwrap()) * 3 + label as i32
    });
    let code = r#"func.func @main(%x: tensor<12x40xi32>, %labels: tensor<12x1xi32>) -> tensor<12xi32> {
           %low = stablehlo.constant dense<-2147483648> : tensor<i32>
           %three = stablehlo.constant dense<3> : tensor<12x40xi32>
           %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<12x40xi32>, tensor<i32>) -> tensor<12xi32>
           %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<12xi32>) -> tensor<12x40xi32>
           %2 = stablehlo.subtract %x, %1 : tensor<12x40xi32>
           %3 = stablehlo.multiply %2, %three : tensor<12x40xi32>
           %4 = stablehlo.iota dim = 1 : tensor<12x40xi32>
           %5 = stablehlo.add %3, %4 : tensor<12x40xi32>
           %6 = "stablehlo.gather"(%5, %labels) <{
             dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
               operand_batching_dims = [0], start_indices_batching_dims = [0],
               start_index_map = [1], index_vector_dim = 1>,
             slice_sizes = array<i64: 1, 1>
           }> : (tensor<12x40xi32>, tensor<12x1xi32>) -> tensor<12xi32>
           return %6 : tensor<12xi32>
         }"#;
    let labels = Literal::from_slice(&[12, 1], &labels).unwrap();
    expect(code, &[x, labels], &[expected.collect()]);
}

/// Padding, and slices of the padded tensor next to an op on all of it. The padded tensor is a
/// result or not.
#[test]
fn padding() {
    let (x, values) = numbers(&[9, 30], 10);
    let at = |row: i64, column: i64| {
        if (0..9).contains(&row) && (0..30).contains(&column) {
            values[(row * 30 + column) as usize]
        } else {
            7
        }
    };
    let padded: Vec<i32> =
        (0..11 * 34).map(|number| at(number / 34 - 1, number % 34 - 2)).collect();
    let doubled: Vec<i32> = padded.iter().map(|value| value * 2).collect();
    let differences: Vec<i32> = (0..9 * 30)
        .map(|number| {
            let (row, column) = (number / 30, number % 30);
            at(row, column + 2) - at(row - 1, column - 2)
        })
        .collect();
    let code = |results: &str, types: &str| {
        format!(
            "func.func @main(%x: tensor<9x30xi32>) -> ({types}) {{
               %seven = stablehlo.constant dense<7> : tensor<i32>
               %0 = stablehlo.pad %x, %seven, low = [1, 2], high = [1, 2], interior = [0, 0] : (tensor<9x30xi32>, tensor<i32>) -> tensor<11x34xi32>
               %1 = stablehlo.add %0, %0 : tensor<11x34xi32>
               %2 = stablehlo.slice %0 [1:10, 4:34] : (tensor<11x34xi32>) -> tensor<9x30xi32>
               %3 = stablehlo.slice %0 [0:9, 0:30] : (tensor<11x34xi32>) -> tensor<9x30xi32>
               %4 = stablehlo.subtract %2, %3 : tensor<9x30xi32>
               return {results} : {types}
             }}"
        )
    };
    let (whole, part, inputs) = ("tensor<11x34xi32>", "tensor<9x30xi32>", [x]);
    let each = |code: String, expected: &[&Vec<i32>]| {
        let expected: Vec<Vec<i32>> = expected.iter().map(|values| (*values).clone()).collect();
        expect(&code, &inputs, &expected);
    };
    each(code("%1", whole), &[&doubled]);
    each(code("%4", part), &[&differences]);
    each(
        code("%1, %4", &format!("{whole}, {part}")),
        &[&doubled, &differences],
    );
    each(
        code(
            "%0, %1, %4, %0",
            &format!("{whole}, {whole}, {part}, {whole}"),
        ),
        &[&padded, &doubled, &differences, &padded],
    );
}
