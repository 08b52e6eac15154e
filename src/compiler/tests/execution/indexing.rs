//! Sorts and top_k of long rows.

use super::{cpu_executable, expect, f32s, options, run};
use halo_core::Literal;

fn i32s(dims: &[usize], values: &[i32]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

/// A generator of numbers without a pattern that a sort could exploit.
pub(super) fn scrambled(count: usize) -> Vec<u32> {
    let mut state = 12345_u32;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state
        })
        .collect()
}

/// Long rows, sorted by radix: floats in total order with their positions. All NaNs compare equal,
/// because backends may canonicalize their payloads.
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

/// One row with keys of every pattern, and positions that show whether the sort is stable.
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
    let few: Vec<f32> = any.iter().map(|key| few[(key.to_bits() >> 8) as usize % 6]).collect();
    // Only digits of the first, the second and the last pass differ.
    let skewed: Vec<f32> =
        any.iter().map(|key| f32::from_bits(key.to_bits() & 0x8000_0801)).collect();
    for keys in [any, ascending, descending, few, skewed, vec![1.5; count]] {
        let mut expected = numbers.clone();
        expected.sort_by(|a, b| keys[*a as usize].total_cmp(&keys[*b as usize]));
        let inputs = [f32s(&[count], &keys), i32s(&[count], &numbers)];
        let outputs = executable.run(&inputs).unwrap();
        assert_eq!(outputs[1].as_slice::<i32>().unwrap(), expected);
        let sorted = outputs[0].as_slice::<f32>().unwrap();
        assert!(
            sorted
                .iter()
                .zip(&expected)
                .all(|(key, number)| key.to_bits() == keys[*number as usize].to_bits())
        );
    }
}

/// Two keys, by merge sort.
#[test]
fn sorts_by_two_keys() {
    let count = 777;
    let bits = scrambled(2 * count);
    let first: Vec<i32> = bits[..count].iter().map(|bits| (bits >> 29) as i32).collect();
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
        let pairs: Vec<(i32, i32)> =
            first.unwrap().iter().copied().zip(second.unwrap().to_vec()).collect();
        assert_eq!(pairs, expected);
    }
}

/// No element is lost if the comparator is not an order.
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

/// A NaN is greater than infinity, signed zeros differ, and the first of equal elements is
/// selected.
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

/// More elements than a list keeps for short rows, which are sorted, and for long ones, which are
/// not.
#[test]
fn finds_many_of_the_largest() {
    for count in [1200, 3000] {
        let values = scrambled(2 * count);
        let values: Vec<u8> = values.iter().map(|bits| (bits >> 24) as u8).collect();
        let code = format!(
            "func.func @main(%x: tensor<2x{count}xui8>) -> (tensor<2x50xui8>, tensor<2x50xi32>) {{
               %0:2 = chlo.top_k(%x, k = 50)
                 : tensor<2x{count}xui8> -> (tensor<2x50xui8>, tensor<2x50xi32>)
               return %0#0, %0#1 : tensor<2x50xui8>, tensor<2x50xi32>
             }}"
        );
        let mut expected = Vec::new();
        for row in values.chunks(count) {
            let mut order: Vec<i32> = (0..count as i32).collect();
            order.sort_by_key(|number| std::cmp::Reverse(row[*number as usize]));
            expected.extend(order.into_iter().take(50));
        }
        let input = Literal::from_slice(&[2, count], &values).unwrap();
        for outputs in run(&code, &[input]) {
            assert_eq!(outputs[1].as_slice::<i32>().unwrap(), expected);
        }
    }
}
