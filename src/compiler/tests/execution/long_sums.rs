//! Long sums of floats, whose rounding errors grow with the logarithm of the number of terms.
//!
//! Equal terms are the worst case, because all rounding errors have the same sign: the sequential
//! sum of 100,000 of them has an error of 1e-3.

use super::{executables, f32s};
use halo_core::Literal;

const TERMS: usize = 100_000;

/// The bound: 8e-6 for 100,000 terms.
fn bound(terms: usize) -> f64 {
    4.0 * (terms as f64).log2() * f64::from(f32::EPSILON)
}

/// Runs a program on all backends but `except`, and compares with sums in `f64`.
#[track_caller]
fn check(code: &str, inputs: &[Literal], expected: &[f64], except: &[&str]) {
    for (backend, executable) in executables(code) {
        if except.contains(&backend) {
            continue;
        }
        let results = executable.run(inputs).unwrap();
        let results = results[0].as_slice::<f32>().unwrap();
        assert_eq!(results.len(), expected.len(), "{backend}");
        for (result, expected) in results.iter().zip(expected) {
            let error = (f64::from(*result) - expected).abs() / expected.abs();
            assert!(
                error <= bound(TERMS),
                "{backend}: {result} for {expected}, an error of {error:e}"
            );
        }
    }
}

/// The sum of `terms` numbers that are all 1e-5 in `f32`.
fn sum(terms: usize) -> f64 {
    terms as f64 * f64::from(1e-5_f32)
}

#[test]
fn reductions_of_rows_columns_and_all() {
    // A prime number of terms leaves a partial block.
    for terms in [TERMS, 99_991] {
        for (ty, dimensions, dims, result) in [
            (format!("{terms}x3xf32"), "[0]", vec![terms, 3], "3xf32"),
            (format!("3x{terms}xf32"), "[1]", vec![3, terms], "3xf32"),
            (
                format!("2x{terms}x2xf32"),
                "[1]",
                vec![2, terms, 2],
                "2x2xf32",
            ),
            (format!("{terms}xf32"), "[0]", vec![terms], "f32"),
        ] {
            let code = format!(
                "func.func @main(%x: tensor<{ty}>) -> tensor<{result}> {{
                   %zero = stablehlo.constant dense<0.0> : tensor<f32>
                   %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across
                     dimensions = {dimensions} : (tensor<{ty}>, tensor<f32>) -> tensor<{result}>
                   return %0 : tensor<{result}>
                 }}"
            );
            let elements: usize = dims.iter().product();
            let input = f32s(&dims, &vec![1e-5; elements]);
            check(&code, &[input], &vec![sum(terms); elements / terms], &[]);
        }
    }
}

/// Statistics of a batch: several reduced dimensions, with columns in the last one.
#[test]
fn reductions_of_several_dimensions() {
    let dims = [20, 50, 100, 2];
    let input = f32s(&dims, &vec![1e-5; 200_000]);
    check(
        "func.func @main(%x: tensor<20x50x100x2xf32>) -> tensor<2xf32> {
           %zero = stablehlo.constant dense<0.0> : tensor<f32>
           %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across
             dimensions = [0, 1, 2] : (tensor<20x50x100x2xf32>, tensor<f32>) -> tensor<2xf32>
           return %0 : tensor<2xf32>
         }",
        &[input],
        &[sum(TERMS); 2],
        &[],
    );
}

#[test]
fn products_of_matrices_and_vectors() {
    for (rows, columns) in [(1, 1), (1, 5), (5, 1), (3, 7), (16, 16)] {
        for terms in [TERMS, 99_991] {
            let (left, right, result) = (
                format!("tensor<{rows}x{terms}xf32>"),
                format!("tensor<{terms}x{columns}xf32>"),
                format!("tensor<{rows}x{columns}xf32>"),
            );
            let code = format!(
                "func.func @main(%a: {left}, %b: {right}) -> {result} {{
                   %0 = stablehlo.dot %a, %b : ({left}, {right}) -> {result}
                   return %0 : {result}
                 }}"
            );
            let inputs = [
                f32s(&[rows, terms], &vec![1e-5; rows * terms]),
                f32s(&[terms, columns], &vec![1.0; terms * columns]),
            ];
            check(&code, &inputs, &vec![sum(terms); rows * columns], &[]);
        }
    }
}

/// The interpreter computes the sum of each window separately: 5 * 10^9 terms.
#[test]
fn cumulative_sums_from_both_ends() {
    for (ty, dims, window, padding) in [
        (
            format!("{TERMS}xf32"),
            vec![TERMS],
            format!("{TERMS}"),
            "[[BEFORE, AFTER]]",
        ),
        (
            "99991x2xf32".to_string(),
            vec![99_991, 2],
            "99991, 1".to_string(),
            "[[BEFORE, AFTER], [0, 0]]",
        ),
        (
            format!("2x{TERMS}xf32"),
            vec![2, TERMS],
            format!("1, {TERMS}"),
            "[[0, 0], [BEFORE, AFTER]]",
        ),
    ] {
        let dimension = dims.iter().position(|size| *size > 2).unwrap();
        let size = dims[dimension];
        let inner: usize = dims[dimension + 1..].iter().product();
        for is_reversed in [false, true] {
            let (before, after) = if is_reversed {
                (0, size - 1)
            } else {
                (size - 1, 0)
            };
            let padding = padding
                .replace("BEFORE", &before.to_string())
                .replace("AFTER", &after.to_string());
            let rank = dims.len();
            let code = format!(
                "func.func @main(%x: tensor<{ty}>) -> tensor<{ty}> {{
                   %zero = stablehlo.constant dense<0.0> : tensor<f32>
                   %0 = \"stablehlo.reduce_window\"(%x, %zero) ({{
                   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
                     %1 = stablehlo.add %a, %b : tensor<f32>
                     stablehlo.return %1 : tensor<f32>
                   }}) {{window_dimensions = array<i64: {window}>,
                         padding = dense<{padding}> : tensor<{rank}x2xi64>}}
                     : (tensor<{ty}>, tensor<f32>) -> tensor<{ty}>
                   return %0 : tensor<{ty}>
                 }}"
            );
            let elements: usize = dims.iter().product();
            let expected: Vec<f64> = (0..elements)
                .map(|position| position / inner % size)
                .map(|position| {
                    sum(if is_reversed {
                        size - position
                    } else {
                        position + 1
                    })
                })
                .collect();
            let input = f32s(&dims, &vec![1e-5; elements]);
            check(&code, &[input], &expected, &["interpreter"]);
        }
    }
}

/// Narrow floats are added in `f32`: of equal terms, bf16 holds sums of 256 at most.
#[test]
fn sums_of_narrow_floats() {
    let bound = 0.5_f64.powi(8);
    for element in ["bf16", "f16"] {
        let reduce = "stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions";
        for (ty, operation, result, terms) in [
            ("99991x2", format!("{reduce} = [0]"), "2", 99_991),
            ("2x100000", format!("{reduce} = [1]"), "2", TERMS),
            ("400", format!("{reduce} = [0]"), "", 400),
            (
                "9000x2",
                format!(
                    "\"stablehlo.reduce_window\"(%a, %zero) ({{
                     ^bb0(%l: tensor<{element}>, %r: tensor<{element}>):
                       %s = stablehlo.add %l, %r : tensor<{element}>
                       stablehlo.return %s : tensor<{element}>
                     }}) {{window_dimensions = array<i64: 3000, 1>,
                          window_strides = array<i64: 3000, 1>}}"
                ),
                "3x2",
                3000,
            ),
        ] {
            let result = if result.is_empty() {
                String::new()
            } else {
                format!("{result}x")
            };
            let code = format!(
                "func.func @main(%x: tensor<{ty}xf32>) -> tensor<{result}f32> {{
                   %zero = stablehlo.constant dense<0.0> : tensor<{element}>
                   %a = stablehlo.convert %x : (tensor<{ty}xf32>) -> tensor<{ty}x{element}>
                   %0 = {operation}
                     : (tensor<{ty}x{element}>, tensor<{element}>) -> tensor<{result}{element}>
                   %1 = stablehlo.convert %0 : (tensor<{result}{element}>) -> tensor<{result}f32>
                   return %1 : tensor<{result}f32>
                 }}"
            );
            let dims: Vec<usize> = ty.split('x').map(|it| it.parse().unwrap()).collect();
            // A power of two, which both types hold.
            let term = 0.5_f32.powi(7);
            let input = f32s(&dims, &vec![term; dims.iter().product()]);
            let expected = terms as f64 * f64::from(term);
            for (backend, executable) in executables(&code) {
                let results = executable.run(std::slice::from_ref(&input)).unwrap();
                for sum in results[0].as_slice::<f32>().unwrap() {
                    let error = (f64::from(*sum) - expected).abs() / expected;
                    assert!(error <= bound, "{backend}: {sum} for {expected}\n{code}");
                }
            }
        }
    }
}

#[test]
fn sums_of_complex_numbers() {
    for (dims, dimensions, result) in [
        (vec![TERMS], "[0]", "tensor<f32>"),
        (vec![99_991, 2], "[0]", "tensor<2xf32>"),
        (vec![2, TERMS], "[1]", "tensor<2xf32>"),
    ] {
        let sizes: Vec<String> = dims.iter().map(ToString::to_string).collect();
        let ty = format!("tensor<{}xf32>", sizes.join("x"));
        let [complex, sum] = [&*ty, result].map(|it| it.replace("f32", "complex<f32>"));
        let code = format!(
            "func.func @main(%x: {ty}) -> {result} {{
               %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
               %y = stablehlo.add %x, %x : {ty}
               %a = stablehlo.complex %x, %y : {complex}
               %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across
                 dimensions = {dimensions} : ({complex}, tensor<complex<f32>>) -> {sum}
               %1 = stablehlo.real %0 : ({sum}) -> {result}
               %2 = stablehlo.imag %0 : ({sum}) -> {result}
               %3 = stablehlo.add %1, %2 : {result}
               return %3 : {result}
             }}"
        );
        let terms = dims.iter().copied().max().unwrap();
        let elements: usize = dims.iter().product();
        let input = f32s(&dims, &vec![1e-5; elements]);
        let expected = vec![3.0 * self::sum(terms); elements / terms];
        check(&code, &[input], &expected, &[]);
    }
}
