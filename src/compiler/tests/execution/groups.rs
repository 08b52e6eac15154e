//! Row reductions with their producers and consumers, which are computed row by row. Expected
//! values are computed here, by loops over the formula.

use super::run;
use halo_core::Literal;

/// Numbers without a pattern along rows or columns.
fn numbers(dims: &[usize]) -> (Literal, Vec<i32>) {
    let count: usize = dims.iter().product();
    let values: Vec<i32> =
        (0..count).map(|number| ((number * 7919 + 13) % 1009) as i32 - 500).collect();
    (Literal::from_slice(dims, &values).unwrap(), values)
}

#[track_caller]
fn expect(code: &str, input: Literal, expected: &[Vec<i32>]) {
    for outputs in run(code, &[input]) {
        for (output, expected) in outputs.iter().zip(expected) {
            assert_eq!(output.as_slice::<i32>().unwrap(), expected);
        }
        assert_eq!(outputs.len(), expected.len());
    }
}

#[test]
fn rows_with_two_reductions() {
    let (x, values) = numbers(&[20, 40]);
    let rows = values.chunks(40).flat_map(|row| {
        let maximum = row.iter().max().unwrap();
        let below: Vec<i32> = row.iter().map(|value| maximum - value).collect();
        let sum: i32 = below.iter().sum();
        below.into_iter().map(move |value| value * sum)
    });
    expect(
        "func.func @main(%x: tensor<20x40xi32>) -> tensor<20x40xi32> {
           %low = stablehlo.constant dense<-2147483648> : tensor<i32>
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<20x40xi32>, tensor<i32>) -> tensor<20xi32>
           %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<20xi32>) -> tensor<20x40xi32>
           %2 = stablehlo.subtract %1, %x : tensor<20x40xi32>
           %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<20x40xi32>, tensor<i32>) -> tensor<20xi32>
           %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<20xi32>) -> tensor<20x40xi32>
           %5 = stablehlo.multiply %2, %4 : tensor<20x40xi32>
           return %5 : tensor<20x40xi32>
         }",
        x,
        &[rows.collect()],
    );
}

/// The sums are also a result, and the summands depend on their position.
#[test]
fn positions_and_results_in_the_middle() {
    let (x, values) = numbers(&[3, 33, 50]);
    let row_of = |number: usize| &values[number * 50..][..50];
    let sums: Vec<i32> =
        (0..99).map(|number| row_of(number)[..=number % 33].iter().sum()).collect();
    let differences = (0..99).flat_map(|number| {
        let sum = sums[number];
        row_of(number).iter().map(move |value| value - sum)
    });
    let differences = differences.collect();
    expect(
        "func.func @main(%x: tensor<3x33x50xi32>) -> (tensor<3x33x50xi32>, tensor<3x33xi32>) {
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %zeros = stablehlo.constant dense<0> : tensor<3x33x50xi32>
           %r = stablehlo.iota dim = 1 : tensor<3x33x50xi32>
           %c = stablehlo.iota dim = 2 : tensor<3x33x50xi32>
           %m = stablehlo.compare LE, %c, %r : (tensor<3x33x50xi32>, tensor<3x33x50xi32>) -> tensor<3x33x50xi1>
           %0 = stablehlo.select %m, %x, %zeros : tensor<3x33x50xi1>, tensor<3x33x50xi32>
           %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<3x33x50xi32>, tensor<i32>) -> tensor<3x33xi32>
           %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<3x33xi32>) -> tensor<3x33x50xi32>
           %3 = stablehlo.subtract %x, %2 : tensor<3x33x50xi32>
           return %3, %1 : tensor<3x33x50xi32>, tensor<3x33xi32>
         }",
        x,
        &[differences, sums],
    );
}

/// A reduction with two results, both used in the same row.
#[test]
fn pairs_along_rows() {
    let (x, values) = numbers(&[32, 64]);
    let rows = values.chunks(64).flat_map(|row| {
        let largest = (0..64).max_by_key(|at| (row[*at], 64 - *at)).unwrap();
        (0..64).map(move |at| if at == largest { row[at] } else { -1 })
    });
    expect(
        "func.func @main(%x: tensor<32x64xi32>) -> tensor<32x64xi32> {
           %low = stablehlo.constant dense<-2147483648> : tensor<i32>
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %none = stablehlo.constant dense<-1> : tensor<32x64xi32>
           %i = stablehlo.iota dim = 1 : tensor<32x64xi32>
           %0:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1]
             : (tensor<32x64xi32>, tensor<32x64xi32>, tensor<i32>, tensor<i32>) -> (tensor<32xi32>, tensor<32xi32>)
             reducer(%a: tensor<i32>, %c: tensor<i32>) (%b: tensor<i32>, %d: tensor<i32>) {
               %more = stablehlo.compare GT, %a, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
               %same = stablehlo.compare EQ, %a, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
               %first = stablehlo.compare LT, %b, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
               %tie = stablehlo.and %same, %first : tensor<i1>
               %left = stablehlo.or %more, %tie : tensor<i1>
               %8 = stablehlo.select %left, %a, %c : tensor<i1>, tensor<i32>
               %9 = stablehlo.select %left, %b, %d : tensor<i1>, tensor<i32>
               stablehlo.return %8, %9 : tensor<i32>, tensor<i32>
             }
           %1 = stablehlo.broadcast_in_dim %0#1, dims = [0] : (tensor<32xi32>) -> tensor<32x64xi32>
           %2 = stablehlo.broadcast_in_dim %0#0, dims = [0] : (tensor<32xi32>) -> tensor<32x64xi32>
           %3 = stablehlo.compare EQ, %1, %i : (tensor<32x64xi32>, tensor<32x64xi32>) -> tensor<32x64xi1>
           %4 = stablehlo.select %3, %2, %none : tensor<32x64xi1>, tensor<32x64xi32>
           return %4 : tensor<32x64xi32>
         }",
        x,
        &[rows.collect()],
    );
}
