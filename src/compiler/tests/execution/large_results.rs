//! Results that are larger than the caches and stored by non-temporal stores.
//!
//! Expected values are computed here, element by element.

use super::{cpu_executable, options, processors::mnemonics};
use halo_backend::CompileOptions;
use halo_core::Literal;
use std::num::NonZeroUsize;

/// Rows of whole cache lines, and sizes that are not a multiple of a block.
const SIZE: usize = 2064;

fn numbers(count: usize) -> Vec<i32> {
    (0..count as i32).map(|number| number % 1_009 - 500).collect()
}

/// Checks the result of a function of tensors of SIZE x SIZE, with one thread and with three.
fn check(body: &str, expected: impl Fn(&[i32]) -> Vec<i32>) {
    let code = format!(
        "func.func @main(%x: tensor<{SIZE}x{SIZE}xi32>) -> tensor<{SIZE}x{SIZE}xi32> {{
           {}
           return %0 : tensor<{SIZE}x{SIZE}xi32>
         }}",
        body.replace("TENSOR", &format!("tensor<{SIZE}x{SIZE}xi32>"))
    );
    let x = numbers(SIZE * SIZE);
    let input = Literal::from_slice(&[SIZE, SIZE], &x).unwrap();
    let expected = expected(&x);
    for threads in [1, 3] {
        let options = CompileOptions {
            threads: NonZeroUsize::new(threads),
            ..options()
        };
        let executable = cpu_executable(&code, &options);
        let results = executable.run(std::slice::from_ref(&input)).unwrap();
        assert!(
            results[0].as_slice::<i32>().unwrap() == expected,
            "{threads} threads"
        );
    }
    let stores = |processor| {
        let names = mnemonics(&code, processor);
        let is_nontemporal = |name: &String| name.contains("movnt") || name == "stnp";
        (names.iter().any(is_nontemporal), names)
    };
    for processor in ["x86-64-v2", "x86-64-v3", "x86-64-v4"] {
        let (found, names) = stores(("x86_64-unknown-linux-gnu", processor, ""));
        assert!(found, "{processor} stores to the caches");
        // Other stores are ordered; these need a fence.
        assert!(names.iter().any(|name| name == "mfence" || name == "lock"));
    }
}

#[test]
fn transposes() {
    check(
        "%0 = stablehlo.transpose %x, dims = [1, 0] : (TENSOR) -> TENSOR",
        |x| (0..x.len()).map(|at| x[at % SIZE * SIZE + at / SIZE]).collect(),
    );
}

#[test]
fn elementwise() {
    check("%0 = stablehlo.add %x, %x : TENSOR", |x| {
        x.iter().map(|x| 2 * x).collect()
    });
}

#[test]
fn rows_of_broadcasts() {
    check(
        "%first = stablehlo.slice %x [0:1, 0:2064] : (TENSOR) -> tensor<1x2064xi32>
         %rows = stablehlo.broadcast_in_dim %first, dims = [0, 1] : (tensor<1x2064xi32>) -> TENSOR
         %0 = stablehlo.subtract %x, %rows : TENSOR",
        |x| (0..x.len()).map(|at| x[at] - x[at % SIZE]).collect(),
    );
}

#[test]
fn cumulative_sums() {
    check(
        "%zero = stablehlo.constant dense<0> : tensor<i32>
         %0 = \"stablehlo.reduce_window\"(%x, %zero) ({
         ^bb0(%a: tensor<i32>, %b: tensor<i32>):
           %1 = stablehlo.add %a, %b : tensor<i32>
           stablehlo.return %1 : tensor<i32>
         }) {window_dimensions = array<i64: 1, 2064>, padding = dense<[[0, 0], [2063, 0]]> : tensor<2x2xi64>}
           : (TENSOR, tensor<i32>) -> TENSOR",
        |x| {
            let mut sums = x.to_vec();
            for row in sums.chunks_mut(SIZE) {
                for column in 1..SIZE {
                    row[column] += row[column - 1];
                }
            }
            sums
        },
    );
}
