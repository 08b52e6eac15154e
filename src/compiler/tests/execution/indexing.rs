//! gather, scatter, sort and top_k.

use super::{cpu_executable, expect, f32s, options, run};
use halo_core::Literal;

fn i32s(dims: &[usize], values: &[i32]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

/// The specification's example of `gather`, whose slices are moved inside.
#[test]
fn gathers_slices_of_batches() {
    let operand: Vec<i32> = (1..=48).collect();
    expect(
        r#"func.func @main(%operand: tensor<2x3x4x2xi32>, %starts: tensor<2x2x3x2xi64>)
               -> tensor<2x2x3x2x2xi32> {
             %0 = "stablehlo.gather"(%operand, %starts) <{
               dimension_numbers = #stablehlo.gather<offset_dims = [3, 4],
                 collapsed_slice_dims = [1], operand_batching_dims = [0],
                 start_indices_batching_dims = [1], start_index_map = [2, 1],
                 index_vector_dim = 3>,
               slice_sizes = array<i64: 1, 1, 2, 2>, indices_are_sorted = false
             }> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
             return %0 : tensor<2x2x3x2x2xi32>
           }"#,
        &[
            i32s(&[2, 3, 4, 2], &operand),
            Literal::from_slice(
                &[2, 2, 3, 2],
                &[
                    0_i64, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 9, 0, 0, 2, 1, 2, 2, 1, 2, 0, 1, 1, 0,
                ],
            )
            .unwrap(),
        ],
        &[
            "dense<[[[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]], \
           [[[33, 34], [35, 36]], [[35, 36], [37, 38]], [[41, 42], [43, 44]]]], \
           [[[[1, 2], [3, 4]], [[13, 14], [15, 16]], [[21, 22], [23, 24]]], \
           [[[43, 44], [45, 46]], [[33, 34], [35, 36]], [[27, 28], [29, 30]]]]]> \
           : tensor<2x2x3x2x2xi32>",
        ],
    );
}

/// Unsigned numbers above all signed ones are moved to the last row.
#[test]
fn gathers_at_unsigned_numbers() {
    expect(
        r#"func.func @main(%rows: tensor<3x2xf32>, %numbers: tensor<4xui8>) -> tensor<4x2xf32> {
             %0 = "stablehlo.gather"(%rows, %numbers) <{
               dimension_numbers = #stablehlo.gather<offset_dims = [1],
                 collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
               slice_sizes = array<i64: 1, 2>
             }> : (tensor<3x2xf32>, tensor<4xui8>) -> tensor<4x2xf32>
             return %0 : tensor<4x2xf32>
           }"#,
        &[
            f32s(&[3, 2], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
            Literal::from_slice(&[4], &[1_u8, 200, 0, 3]).unwrap(),
        ],
        &[
            "dense<[[2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00], \
           [0.000000e+00, 1.000000e+00], [4.000000e+00, 5.000000e+00]]> : tensor<4x2xf32>",
        ],
    );
}

/// The elements of a window that are outside are left out, each on its own, and
/// numbers that are far outside do not wrap around.
#[test]
fn scatters_what_is_inside() {
    expect(
        r#"func.func @main(%operand: tensor<5xi32>, %starts: tensor<4x1xi64>,
               %updates: tensor<4x3xi32>) -> tensor<5xi32> {
             %0 = "stablehlo.scatter"(%operand, %starts, %updates) <{
               scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
                 scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
             }> ({
             ^bb0(%old: tensor<i32>, %update: tensor<i32>):
               %1 = stablehlo.subtract %old, %update : tensor<i32>
               stablehlo.return %1 : tensor<i32>
             }) : (tensor<5xi32>, tensor<4x1xi64>, tensor<4x3xi32>) -> tensor<5xi32>
             return %0 : tensor<5xi32>
           }"#,
        &[
            i32s(&[5], &[0, 0, 0, 0, 0]),
            Literal::from_slice(&[4, 1], &[-1_i64, 3, i64::MAX, i64::MIN]).unwrap(),
            i32s(&[4, 3], &[1, 2, 3, 10, 20, 30, 100, 200, 300, 7, 8, 9]),
        ],
        &["dense<[-2, -3, 0, -10, -20]> : tensor<5xi32>"],
    );
}

/// Several operands, one update after the other: the second update of an
/// element reads the result of the first.
#[test]
fn scatters_to_several_operands_in_order() {
    expect(
        r#"func.func @main(%a: tensor<3xi32>, %b: tensor<3xf32>, %places: tensor<3xi32>,
               %c: tensor<3xi32>, %d: tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>) {
             %0:2 = "stablehlo.scatter"(%a, %b, %places, %c, %d) <{
               scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
                 scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
             }> ({
             ^bb0(%old_a: tensor<i32>, %old_b: tensor<f32>, %new_a: tensor<i32>, %new_b: tensor<f32>):
               %two = stablehlo.constant dense<2> : tensor<i32>
               %1 = stablehlo.multiply %old_a, %two : tensor<i32>
               %2 = stablehlo.add %1, %new_a : tensor<i32>
               %3 = stablehlo.divide %new_b, %old_b : tensor<f32>
               stablehlo.return %2, %3 : tensor<i32>, tensor<f32>
             }) : (tensor<3xi32>, tensor<3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xf32>)
               -> (tensor<3xi32>, tensor<3xf32>)
             return %0#0, %0#1 : tensor<3xi32>, tensor<3xf32>
           }"#,
        &[
            i32s(&[3], &[1, 1, 1]),
            f32s(&[3], &[2.0, 2.0, 2.0]),
            i32s(&[3], &[2, 0, 2]),
            i32s(&[3], &[5, 6, 7]),
            f32s(&[3], &[8.0, 6.0, 1.0]),
        ],
        &[
            "dense<[8, 1, 21]> : tensor<3xi32>",
            "dense<[3.000000e+00, 2.000000e+00, 2.500000e-01]> : tensor<3xf32>",
        ],
    );
}

/// Pairs along the first dimension by their first parts; equal ones keep their
/// order.
#[test]
fn sorts_pairs_stably() {
    expect(
        r#"func.func @main(%keys: tensor<4x2xi32>, %values: tensor<4x2xi32>)
               -> (tensor<4x2xi32>, tensor<4x2xi32>) {
             %0:2 = "stablehlo.sort"(%keys, %values) <{dimension = 0 : i64, is_stable = true}> ({
             ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
               %1 = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
               stablehlo.return %1 : tensor<i1>
             }) : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>, tensor<4x2xi32>)
             return %0#0, %0#1 : tensor<4x2xi32>, tensor<4x2xi32>
           }"#,
        &[
            i32s(&[4, 2], &[1, -5, 2, -5, 1, 9, 2, -6]),
            i32s(&[4, 2], &[0, 0, 1, 1, 2, 2, 3, 3]),
        ],
        &[
            "dense<[[2, 9], [2, -5], [1, -5], [1, -6]]> : tensor<4x2xi32>",
            "dense<[[1, 2], [3, 0], [0, 1], [2, 3]]> : tensor<4x2xi32>",
        ],
    );
}

/// A generator of numbers without a pattern that a sort could use.
pub(super) fn scrambled(count: usize) -> Vec<u32> {
    let mut state = 12345_u32;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state
        })
        .collect()
}

/// Long rows, by digits: floats in total order with their numbers. All NaNs are
/// one, since a backend may make their payloads alike.
#[test]
fn sorts_long_rows_in_total_order() {
    let count = 1500;
    let bits = scrambled(2 * count);
    let keys: Vec<f32> = bits
        .iter()
        .map(|bits| f32::from_bits(*bits))
        .map(|key| if key.is_nan() { f32::NAN } else { key })
        .collect();
    let numbers: Vec<i32> = (0..count as i32).chain(0..count as i32).collect();
    for (direction, descending) in [("LT", false), ("GT", true)] {
        let code = format!(
            r#"func.func @main(%keys: tensor<2x1500xf32>, %numbers: tensor<2x1500xi32>)
                   -> tensor<2x1500xi32> {{
                 %0:2 = "stablehlo.sort"(%keys, %numbers) <{{dimension = 1 : i64}}> ({{
                 ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
                   %1 = stablehlo.compare {direction}, %a, %b, TOTALORDER
                     : (tensor<f32>, tensor<f32>) -> tensor<i1>
                   stablehlo.return %1 : tensor<i1>
                 }}) : (tensor<2x1500xf32>, tensor<2x1500xi32>)
                   -> (tensor<2x1500xf32>, tensor<2x1500xi32>)
                 return %0#1 : tensor<2x1500xi32>
               }}"#
        );
        let mut expected = Vec::new();
        for row in keys.chunks(count) {
            let mut order: Vec<i32> = (0..count as i32).collect();
            order.sort_by(|a, b| {
                let order = row[*a as usize].total_cmp(&row[*b as usize]);
                if descending { order.reverse() } else { order }
            });
            expected.extend(order);
        }
        let inputs = [f32s(&[2, count], &keys), i32s(&[2, count], &numbers)];
        for outputs in run(&code, &inputs) {
            assert_eq!(outputs[0].as_slice::<i32>().unwrap(), expected);
        }
    }
}

/// One row of keys of every pattern, with numbers that show the order of equal keys.
#[test]
fn sorts_one_row_in_its_result() {
    let count = 70_000;
    let code = r#"func.func @main(%keys: tensor<70000xf32>, %numbers: tensor<70000xi32>)
           -> (tensor<70000xf32>, tensor<70000xi32>) {
         %0:2 = "stablehlo.sort"(%keys, %numbers) <{dimension = 0 : i64}> ({
         ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
           %1 = stablehlo.compare LT, %a, %b, TOTALORDER
             : (tensor<f32>, tensor<f32>) -> tensor<i1>
           stablehlo.return %1 : tensor<i1>
         }) : (tensor<70000xf32>, tensor<70000xi32>) -> (tensor<70000xf32>, tensor<70000xi32>)
         return %0#0, %0#1 : tensor<70000xf32>, tensor<70000xi32>
       }"#;
    let executable = cpu_executable(code, &options());
    let numbers: Vec<i32> = (0..count as i32).collect();
    let any: Vec<f32> = scrambled(count).into_iter().map(f32::from_bits).collect();
    let ascending: Vec<f32> = numbers.iter().map(|number| *number as f32 - 3e4).collect();
    let descending: Vec<f32> = ascending.iter().rev().copied().collect();
    let few = [-0.0, 0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-40];
    let few: Vec<f32> = any
        .iter()
        .map(|key| few[(key.to_bits() >> 8) as usize % 6])
        .collect();
    // Only digits of the first, the second and the last pass differ.
    let skewed: Vec<f32> = (any.iter())
        .map(|key| f32::from_bits(key.to_bits() & 0x8000_0801))
        .collect();
    for keys in [any, ascending, descending, few, skewed, vec![1.5; count]] {
        let mut expected = numbers.clone();
        expected.sort_by(|a, b| keys[*a as usize].total_cmp(&keys[*b as usize]));
        let inputs = [f32s(&[count], &keys), i32s(&[count], &numbers)];
        let outputs = executable.run(&inputs).unwrap();
        assert_eq!(outputs[1].as_slice::<i32>().unwrap(), expected);
        let sorted = outputs[0].as_slice::<f32>().unwrap();
        assert!(
            (sorted.iter().zip(&expected))
                .all(|(key, number)| key.to_bits() == keys[*number as usize].to_bits())
        );
    }
}

/// Two keys, by merging.
#[test]
fn sorts_by_two_keys() {
    let count = 777;
    let bits = scrambled(2 * count);
    let first: Vec<i32> = bits[..count]
        .iter()
        .map(|bits| (bits >> 29) as i32)
        .collect();
    let second: Vec<i32> = bits[count..].iter().map(|bits| *bits as i32).collect();
    let code = r#"func.func @main(%x: tensor<777xi32>, %y: tensor<777xi32>)
                      -> (tensor<777xi32>, tensor<777xi32>) {
      %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
        %1 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %2 = stablehlo.compare EQ, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %3 = stablehlo.compare LT, %c, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %4 = stablehlo.and %2, %3 : tensor<i1>
        %5 = stablehlo.or %1, %4 : tensor<i1>
        stablehlo.return %5 : tensor<i1>
      }) : (tensor<777xi32>, tensor<777xi32>) -> (tensor<777xi32>, tensor<777xi32>)
      return %0#0, %0#1 : tensor<777xi32>, tensor<777xi32>
    }"#;
    let mut expected: Vec<(i32, i32)> = first.iter().copied().zip(second.clone()).collect();
    expected.sort();
    for outputs in run(code, &[i32s(&[count], &first), i32s(&[count], &second)]) {
        let (first, second) = (outputs[0].as_slice(), outputs[1].as_slice());
        let pairs: Vec<(i32, i32)> = first
            .unwrap()
            .iter()
            .copied()
            .zip(second.unwrap().to_vec())
            .collect();
        assert_eq!(pairs, expected);
    }
}

/// A comparator that is not an order loses no element.
#[test]
fn a_comparator_that_is_no_order_permutes() {
    for verdict in ["true", "false"] {
        let code = format!(
            r#"func.func @main(%x: tensor<1100xi32>) -> tensor<1100xi32> {{
                 %0 = "stablehlo.sort"(%x) <{{dimension = 0 : i64}}> ({{
                 ^bb0(%a: tensor<i32>, %b: tensor<i32>):
                   %1 = stablehlo.constant dense<{verdict}> : tensor<i1>
                   stablehlo.return %1 : tensor<i1>
                 }}) : (tensor<1100xi32>) -> tensor<1100xi32>
                 return %0 : tensor<1100xi32>
               }}"#
        );
        let input: Vec<i32> = (0..1100).collect();
        for outputs in run(&code, &[i32s(&[1100], &input)]) {
            let mut found = outputs[0].as_slice::<i32>().unwrap().to_vec();
            found.sort_unstable();
            assert_eq!(found, input);
        }
    }
}

/// A NaN is above infinity, zeros differ, and the first one of equals wins.
#[test]
fn finds_the_largest() {
    let mut row = vec![-1.0_f32; 300];
    row[40] = f32::INFINITY;
    row[200] = f32::NAN;
    row[250] = -0.0;
    row[290] = 0.0;
    row[299] = f32::INFINITY;
    expect(
        "func.func @main(%x: tensor<1x300xf32>) -> (tensor<1x6xf32>, tensor<1x6xi32>) {
           %0:2 = chlo.top_k(%x, k = 6) : tensor<1x300xf32> -> (tensor<1x6xf32>, tensor<1x6xi32>)
           return %0#0, %0#1 : tensor<1x6xf32>, tensor<1x6xi32>
         }",
        &[f32s(&[1, 300], &row)],
        &[
            "dense<[[0x7FC00000, 0x7F800000, 0x7F800000, 0.000000e+00, -0.000000e+00, \
             -1.000000e+00]]> : tensor<1x6xf32>",
            "dense<[[200, 40, 299, 290, 250, 0]]> : tensor<1x6xi32>",
        ],
    );
}

/// More than are kept in a list, so that rows are sorted.
#[test]
fn finds_many_of_the_largest() {
    let values: Vec<u8> = scrambled(2 * 1200)
        .iter()
        .map(|bits| (bits >> 24) as u8)
        .collect();
    let code = "func.func @main(%x: tensor<2x1200xui8>) -> (tensor<2x50xui8>, tensor<2x50xi32>) {
         %0:2 = chlo.top_k(%x, k = 50) : tensor<2x1200xui8> -> (tensor<2x50xui8>, tensor<2x50xi32>)
         return %0#0, %0#1 : tensor<2x50xui8>, tensor<2x50xi32>
       }";
    let mut expected = Vec::new();
    for row in values.chunks(1200) {
        let mut order: Vec<i32> = (0..1200).collect();
        order.sort_by_key(|number| std::cmp::Reverse(row[*number as usize]));
        expected.extend(order.into_iter().take(50));
    }
    let input = Literal::from_slice(&[2, 1200], &values).unwrap();
    for outputs in run(code, &[input]) {
        assert_eq!(outputs[1].as_slice::<i32>().unwrap(), expected);
    }
}

/// `numpy.sort`: a row that is sorted by insertion alone, straight into the
/// result.
#[test]
fn sorts_a_short_row_into_the_result() {
    expect(
        "func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {
           %0 = \"stablehlo.sort\"(%a) ({
           ^bb0(%x: tensor<i32>, %y: tensor<i32>):
             %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
             stablehlo.return %1 : tensor<i1>
           }) {dimension = 0 : i64, is_stable = true} : (tensor<4xi32>) -> tensor<4xi32>
           return %0 : tensor<4xi32>
         }",
        &[Literal::from_slice(&[4], &[3_i32, -1, 7, 0]).unwrap()],
        &["dense<[-1, 0, 3, 7]> : tensor<4xi32>"],
    );
}

/// Each window covers the operand, so all loops are over updates, and none is
/// left to share among the threads of a block.
#[test]
fn adds_windows_that_cover_the_operand() {
    expect(
        r#"func.func @main(%operand: tensor<2x9xi32>) -> tensor<2x9xi32> {
             %starts = stablehlo.constant dense<0> : tensor<3x0xi32>
             %updates = stablehlo.constant dense<1> : tensor<2x9x3xi32>
             %0 = "stablehlo.scatter"(%operand, %starts, %updates) <{
               scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1],
                 index_vector_dim = 1>
             }> ({
             ^bb0(%old: tensor<i32>, %update: tensor<i32>):
               %1 = stablehlo.add %old, %update : tensor<i32>
               stablehlo.return %1 : tensor<i32>
             }) : (tensor<2x9xi32>, tensor<3x0xi32>, tensor<2x9x3xi32>) -> tensor<2x9xi32>
             return %0 : tensor<2x9xi32>
           }"#,
        &[i32s(&[2, 9], &(0..18).collect::<Vec<_>>())],
        &["dense<[[3, 4, 5, 6, 7, 8, 9, 10, 11], \
             [12, 13, 14, 15, 16, 17, 18, 19, 20]]> : tensor<2x9xi32>"],
    );
}
