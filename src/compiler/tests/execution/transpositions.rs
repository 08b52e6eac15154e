//! Ops whose operands and results are contiguous along different dimensions, which are transposed
//! in registers by squares: for all widths, with and without elements outside of squares. Expected
//! values are computed here, element by element.

use super::run;
use halo_core::Literal;

/// An element type and the literal of small numbers of that type.
type Element = (&'static str, fn(&[usize], &[i32]) -> Literal);

macro_rules! element {
    ($name:literal, $type:ty) => {
        ($name, |dims, numbers| {
            let numbers: Vec<$type> = numbers.iter().map(|number| *number as $type).collect();
            Literal::from_slice(dims, &numbers).unwrap()
        })
    };
}

const ELEMENTS: [Element; 6] = [
    element!("i8", i8),
    element!("i16", i16),
    element!("i32", i32),
    element!("i64", i64),
    element!("f32", f32),
    element!("f64", f64),
];

/// Only squares, remainders of both dimensions, dimensions shorter than a square, several blocks.
const SIZES: [(usize, usize); 5] = [(16, 32), (19, 37), (70, 9), (8, 600), (150, 530)];

fn numbers(count: usize, seed: usize) -> Vec<i32> {
    (0..count)
        .map(|number| (((number + seed) * 7919) % 1009) as i32 % 11 - 5)
        .collect()
}

/// Runs a body on `%a` and `%b` of n x m, `%c` of m x n, `%of_n` and `%of_m`. Its result is m x n.
/// `expected` computes an element from theirs at the indices of n and m.
fn check(body: &str, expected: impl Fn([i32; 5]) -> i32) {
    for (name, literal) in ELEMENTS {
        for (n, m) in SIZES {
            let dims: [&[usize]; 5] = [&[n, m], &[n, m], &[m, n], &[n], &[m]];
            let values = dims.map(|dims| numbers(dims.iter().product(), dims[0]));
            let tensor = |dims: &[usize]| {
                let sizes: String = dims.iter().map(|size| format!("{size}x")).collect();
                format!("tensor<{sizes}{name}>")
            };
            let [across, _, along, of_n, of_m] = dims.map(tensor);
            let code = format!(
                "func.func @main(%a: ACROSS, %b: ACROSS, %c: ALONG, %of_n: OF_N, %of_m: OF_M) -> ALONG {{
                   {body}
                   return %0 : ALONG
                 }}"
            );
            let code = code
                .replace("ACROSS", &across)
                .replace("ALONG", &along)
                .replace("OF_N", &of_n)
                .replace("OF_M", &of_m);
            let inputs: Vec<Literal> =
                dims.iter().zip(&values).map(|(dims, values)| literal(dims, values)).collect();
            let results: Vec<i32> = (0..m * n)
                .map(|at| {
                    let (column, row) = (at / n, at % n);
                    let at_across = row * m + column;
                    let [a, b, c, of_n, of_m] = &values;
                    expected([a[at_across], b[at_across], c[at], of_n[row], of_m[column]])
                })
                .collect();
            for outputs in run(&code, &inputs) {
                assert_eq!(outputs[0], literal(&[m, n], &results), "{name} {n} x {m}");
            }
        }
    }
}

#[test]
fn of_operands() {
    check(
        "%0 = stablehlo.transpose %a, dims = [1, 0] : (ACROSS) -> ALONG",
        |[a, ..]| a,
    );
}

#[test]
fn of_results() {
    check(
        "%rows = stablehlo.broadcast_in_dim %of_n, dims = [0] : (OF_N) -> ACROSS
         %columns = stablehlo.broadcast_in_dim %of_m, dims = [1] : (OF_M) -> ACROSS
         %1 = stablehlo.add %a, %b : ACROSS
         %2 = stablehlo.multiply %1, %rows : ACROSS
         %3 = stablehlo.add %2, %columns : ACROSS
         %0 = stablehlo.transpose %3, dims = [1, 0] : (ACROSS) -> ALONG",
        |[a, b, _, of_n, of_m]| (a + b) * of_n + of_m,
    );
}

#[test]
fn of_some_operands() {
    check(
        "%rows = stablehlo.broadcast_in_dim %of_n, dims = [1] : (OF_N) -> ALONG
         %columns = stablehlo.broadcast_in_dim %of_m, dims = [0] : (OF_M) -> ALONG
         %1 = stablehlo.transpose %a, dims = [1, 0] : (ACROSS) -> ALONG
         %2 = stablehlo.transpose %b, dims = [1, 0] : (ACROSS) -> ALONG
         %3 = stablehlo.maximum %1, %c : ALONG
         %4 = stablehlo.multiply %3, %rows : ALONG
         %5 = stablehlo.subtract %4, %2 : ALONG
         %0 = stablehlo.add %5, %columns : ALONG",
        |[a, b, c, of_n, of_m]| a.max(c) * of_n - b + of_m,
    );
}
