//! Products of products, which are fused and tiled along rows. Expected values are computed here,
//! by loops over the formula.

use super::run;
use halo_core::Literal;

/// Small numbers without a pattern along rows or columns.
fn numbers(dims: &[usize]) -> (Literal, Vec<i32>) {
    let count: usize = dims.iter().product();
    let values: Vec<i32> =
        (0..count).map(|number| ((number * 7919 + 13) % 1009) as i32 % 7 - 3).collect();
    (Literal::from_slice(dims, &values).unwrap(), values)
}

fn dot(one: &[i32], other: impl Iterator<Item = i32>) -> i32 {
    one.iter().zip(other).map(|(x, y)| x * y).sum()
}

/// The differences between the elements of a row and its maximum, multiplied by 4 columns.
fn attend(row: &[i32], values: &[i32]) -> Vec<i32> {
    let maximum = row.iter().max().unwrap();
    let below: Vec<i32> = row.iter().map(|value| value - maximum).collect();
    let column = |column: usize| values.iter().skip(column).step_by(4).copied();
    (0..4).map(|number| dot(&below, column(number))).collect()
}

#[track_caller]
fn expect(code: &str, inputs: &[Literal], expected: &[i32]) {
    for outputs in run(code, inputs) {
        assert_eq!(outputs[0].as_slice::<i32>().unwrap(), expected);
    }
}

/// 203 rows are a tile of 104 rows and a remainder loop.
#[test]
fn tiles_count_rows_from_their_first_one() {
    let ((q, queries), (k, keys), (v, values)) = (
        numbers(&[8, 203, 4]),
        numbers(&[8, 163, 4]),
        numbers(&[8, 163, 4]),
    );
    let mut expected = Vec::new();
    for number in 0..8 * 203 {
        let (head, query) = (number / 203, &queries[number * 4..][..4]);
        let (keys, values) = (&keys[head * 652..][..652], &values[head * 652..][..652]);
        let scores = keys.chunks(4).enumerate().map(|(position, key)| {
            if position <= number % 203 {
                dot(query, key.iter().copied())
            } else {
                -100
            }
        });
        expected.extend(attend(&scores.collect::<Vec<_>>(), values));
    }
    expect(
        "func.func @main(%q: tensor<8x203x4xi32>, %k: tensor<8x163x4xi32>, %v: tensor<8x163x4xi32>) -> tensor<8x203x4xi32> {
           %low = stablehlo.constant dense<-2147483648> : tensor<i32>
           %masked = stablehlo.constant dense<-100> : tensor<8x203x163xi32>
           %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x203x4xi32>, tensor<8x163x4xi32>) -> tensor<8x203x163xi32>
           %s = stablehlo.iota dim = 1 : tensor<8x203x163xi32>
           %t = stablehlo.iota dim = 2 : tensor<8x203x163xi32>
           %1 = stablehlo.compare LE, %t, %s : (tensor<8x203x163xi32>, tensor<8x203x163xi32>) -> tensor<8x203x163xi1>
           %2 = stablehlo.select %1, %0, %masked : tensor<8x203x163xi1>, tensor<8x203x163xi32>
           %3 = stablehlo.reduce(%2 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<8x203x163xi32>, tensor<i32>) -> tensor<8x203xi32>
           %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x203xi32>) -> tensor<8x203x163xi32>
           %5 = stablehlo.subtract %2, %4 : tensor<8x203x163xi32>
           %6 = stablehlo.dot_general %5, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x203x163xi32>, tensor<8x163x4xi32>) -> tensor<8x203x4xi32>
           return %6 : tensor<8x203x4xi32>
         }",
        &[q, k, v],
        &expected,
    );
}

/// The rows of the first product are (queries, heads), of the second one (heads, queries), and the
/// result is transposed.
#[test]
fn heads_share_keys() {
    let ((q, queries), (k, keys), (v, values)) = (
        numbers(&[4, 96, 3, 4]),
        numbers(&[4, 256, 4]),
        numbers(&[4, 256, 4]),
    );
    let mut expected = Vec::new();
    for number in 0..4 * 4 * 3 * 96 {
        let (batch, column) = (number / 1152, number / 288 % 4);
        let (head, position) = (number / 96 % 3, number % 96);
        let query = &queries[((batch * 96 + position) * 3 + head) * 4..][..4];
        let keys = keys[batch * 1024..][..1024].chunks(4);
        let scores = keys.map(|key| dot(query, key.iter().copied()));
        let row = attend(&scores.collect::<Vec<_>>(), &values[batch * 1024..][..1024]);
        expected.push(row[column]);
    }
    expect(
        "func.func @main(%q: tensor<4x96x3x4xi32>, %k: tensor<4x256x4xi32>, %v: tensor<4x256x4xi32>) -> tensor<4x4x3x96xi32> {
           %low = stablehlo.constant dense<-2147483648> : tensor<i32>
           %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<4x96x3x4xi32>, tensor<4x256x4xi32>) -> tensor<4x96x3x256xi32>
           %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3] : (tensor<4x96x3x256xi32>) -> tensor<4x3x96x256xi32>
           %2 = stablehlo.reduce(%1 init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<4x3x96x256xi32>, tensor<i32>) -> tensor<4x3x96xi32>
           %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<4x3x96xi32>) -> tensor<4x3x96x256xi32>
           %4 = stablehlo.subtract %1, %3 : tensor<4x3x96x256xi32>
           %5 = stablehlo.dot_general %4, %v, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<4x3x96x256xi32>, tensor<4x256x4xi32>) -> tensor<4x3x96x4xi32>
           %6 = stablehlo.transpose %5, dims = [0, 3, 1, 2] : (tensor<4x3x96x4xi32>) -> tensor<4x4x3x96xi32>
           return %6 : tensor<4x4x3x96xi32>
         }",
        &[q, k, v],
        &expected,
    );
}
