//! Small programs from StableHLO text to their results, on every backend: programs in files
//! (`programs.rs`), and programs whose text or results are computed here, or that must fail.
//!
//! Constant folding is off, so that the compiled code runs.
//! Expected values come from the specification or from NumPy.

mod all_shapes;
mod built;
mod communication;
mod compile;
mod concatenations;
mod contraction_chains;
mod convolutions;
mod counters;
mod declared_dialects;
mod donated_arguments;
mod dynamic;
mod groups;
mod hlo_text;
mod indexing;
mod integer_convolutions;
mod integer_products;
mod large_results;
mod libraries;
mod long_sums;
mod low_bit_weights;
mod narrow_floats;
mod outer_products;
mod processors;
mod products;
mod programs;
mod safety;
mod selections;
mod sorts;
mod subnormals;
mod threads;
mod tiers;
mod transpositions;
mod tuning;
mod unsigned_indices;
mod views_into_calls;
mod windows;

use compile::{Compilation, compilations, cpu_executable, program, registry};
use halo_backend::{CompileOptions, Program, Registry};
use halo_core::{Literal, PrintOptions};
use halo_runtime::{CustomCallRegistry, Executable};
use std::sync::Arc;

/// Options under which programs with constants run the code compiled for the constants.
fn options() -> CompileOptions {
    CompileOptions {
        no_constant_folding: true,
        ..CompileOptions::default()
    }
}

/// Compiles a program and runs it on every backend.
fn run(code: &str, inputs: &[Literal]) -> Vec<Vec<Literal>> {
    outcomes(code, inputs, &options())
        .into_iter()
        .map(|(backend, outcome)| outcome.unwrap_or_else(|error| panic!("{backend}: {error}")))
        .collect()
}

/// Returns the result of a program on every backend, or the compiler's error.
fn outcomes(
    code: &str,
    inputs: &[Literal],
    options: &CompileOptions,
) -> Vec<(&'static str, Result<Vec<Literal>, String>)> {
    compilations(code, options)
        .into_iter()
        .map(|(backend, executable)| {
            let outcome = executable.and_then(|executable| executable.run(inputs));
            (backend, outcome.map_err(|error| error.to_string()))
        })
        .collect()
}

/// A program that every backend compiles.
fn executables(code: &str) -> Vec<(&'static str, Box<dyn Executable>)> {
    compilations(code, &options())
        .into_iter()
        .map(|(backend, executable)| {
            let executable = executable.unwrap_or_else(|error| panic!("{backend}: {error}"));
            (backend, executable)
        })
        .collect()
}

#[track_caller]
fn expect(code: &str, inputs: &[Literal], expected: &[&str]) {
    for outputs in run(code, inputs) {
        let outputs: Vec<String> = outputs
            .iter()
            .map(|output| output.display(PrintOptions::default()).to_string())
            .collect();
        assert_eq!(outputs, expected);
    }
}

fn f32s(dims: &[usize], values: &[f32]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

/// Products whose rows are shorter than a vector: sums of `numpy.ones` are exact.
#[test]
fn multiplies_narrow_matrices() {
    for (rows, depth, columns) in [(64, 128, 10), (3, 300, 5), (1, 64, 7), (33, 17, 1)] {
        let (left, right, result) = (
            format!("tensor<{rows}x{depth}xf32>"),
            format!("tensor<{depth}x{columns}xf32>"),
            format!("tensor<{rows}x{columns}xf32>"),
        );
        expect(
            &format!(
                "func.func @main(%a: {left}, %b: {right}) -> {result} {{
                   %0 = stablehlo.dot %a, %b : ({left}, {right}) -> {result}
                   return %0 : {result}
                 }}"
            ),
            &[
                f32s(&[rows, depth], &vec![1.0; rows * depth]),
                f32s(&[depth, columns], &vec![1.0; depth * columns]),
            ],
            &[&f32s(&[rows, columns], &vec![depth as f32; rows * columns])
                .display(PrintOptions::default())
                .to_string()],
        );
    }
}

/// A failed check fails the call, and the next call works.
#[test]
fn failed_checks_are_errors() {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let program = Program {
        name: "test.mlir".into(),
        code: b"func.func @main(%a: tensor<i32>) -> tensor<i32> {
          %one = stablehlo.constant dense<1> : tensor<i32>
          stablehlo.custom_call @check.expect_eq(%a, %one) {has_side_effect = true}
            : (tensor<i32>, tensor<i32>) -> ()
          return %a : tensor<i32>
        }"
        .to_vec(),
    };
    for backend in registry.usable() {
        let executable = backend.compiler.compile(&program, &options()).unwrap();
        let error = executable.run(&[Literal::scalar(2_i32)]).unwrap_err();
        assert!(
            error.to_string().starts_with("test.mlir:3:11: error: "),
            "{error}"
        );
        assert!(executable.run(&[Literal::scalar(1_i32)]).is_ok());
    }
}

/// A handler with several results in a loop that passes them to the next call: positive numbers are
/// counted down, and the intermediate sums, 4 + 2 + 1, are added.
#[test]
fn custom_calls_return_values() {
    let mut handlers = CustomCallRegistry::default();
    handlers.register("test.sum_and_mask", |call| {
        let values = call.operands[0].to_literal()?;
        let values: Vec<u32> = (0..values.element_count())
            .map(|position| values.get_i128(position) as u32)
            .collect();
        let sum: u32 = values.iter().sum();
        call.results[0].bytes.copy_from_slice(&sum.to_ne_bytes());
        for (element, value) in call.results[1].bytes.iter_mut().zip(values) {
            *element = u8::from(value > 0);
        }
        assert!(call.results[2].bytes.is_empty());
        Ok(())
    });
    let options = CompileOptions {
        custom_calls: Arc::new(handlers),
        ..options()
    };
    let code = "func.func @main(%a: tensor<4xui32>)
                    -> (tensor<ui32>, tensor<4xi1>, tensor<ui32>, tensor<2x0xf32>) {
        %one = stablehlo.constant dense<1> : tensor<4xui32>
        %zero = stablehlo.constant dense<0> : tensor<ui32>
        %0:3 = stablehlo.custom_call @test.sum_and_mask(%a)
          : (tensor<4xui32>) -> (tensor<ui32>, tensor<4xi1>, tensor<2x0xf32>)
        %1:3 = stablehlo.while(%left = %a, %sum = %zero, %total = %0#0)
            : tensor<4xui32>, tensor<ui32>, tensor<ui32> cond {
          %2 = stablehlo.compare GT, %total, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
          stablehlo.return %2 : tensor<i1>
        } do {
          %2:3 = stablehlo.custom_call @test.sum_and_mask(%left)
            : (tensor<4xui32>) -> (tensor<ui32>, tensor<4xi1>, tensor<2x0xf32>)
          %3 = stablehlo.add %sum, %2#0 : tensor<ui32>
          %4 = stablehlo.subtract %left, %one : tensor<4xui32>
          %5 = stablehlo.select %2#1, %4, %left : tensor<4xi1>, tensor<4xui32>
          %6:3 = stablehlo.custom_call @test.sum_and_mask(%5)
            : (tensor<4xui32>) -> (tensor<ui32>, tensor<4xi1>, tensor<2x0xf32>)
          stablehlo.return %5, %3, %6#0 : tensor<4xui32>, tensor<ui32>, tensor<ui32>
        }
        return %0#0, %0#1, %1#1, %0#2
          : tensor<ui32>, tensor<4xi1>, tensor<ui32>, tensor<2x0xf32>
      }";
    let inputs = [Literal::from_slice(&[4], &[0_u32, 3, 0, 1]).unwrap()];
    for (backend, outcome) in outcomes(code, &inputs, &options) {
        let outputs = outcome.unwrap_or_else(|error| panic!("{backend}: {error}"));
        let outputs: Vec<String> = outputs
            .iter()
            .map(|output| output.display(PrintOptions::default()).to_string())
            .collect();
        let expected = [
            "dense<4> : tensor<ui32>",
            "dense<[false, true, false, true]> : tensor<4xi1>",
            // 0 3 0 1, 0 2 0 0, 0 1 0 0
            "dense<7> : tensor<ui32>",
            "dense<> : tensor<2x0xf32>",
        ];
        assert_eq!(outputs, expected, "{backend}");
    }
}

/// Runs a program that must fail on every backend, at one location and for one reason. Backends
/// name the op and the target differently.
#[track_caller]
fn expect_failure(code: &str, inputs: &[Literal], location: &str, reason: &str) {
    for (backend, outcome) in outcomes(code, inputs, &options()) {
        let error = match outcome {
            Ok(_) => panic!("{backend}: runs"),
            Err(error) => error,
        };
        assert!(
            error.starts_with(location) && error.ends_with(reason),
            "{backend}: {error}"
        );
    }
}

/// A condition that is known only at run time.
#[test]
fn shape_assertions_hold() {
    let code = "func.func @main(%size: tensor<i32>) -> tensor<i32> {
        %two = stablehlo.constant dense<2> : tensor<i32>
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %0 = stablehlo.remainder %size, %two : tensor<i32>
        %1 = stablehlo.compare EQ, %0, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.custom_call @shape_assertion(%1, %size, %two)
          {error_message = \"size {0} is not a multiple of {1}\", has_side_effect = true}
          : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
        return %size : tensor<i32>
      }";
    expect(code, &[Literal::scalar(4_i32)], &["dense<4> : tensor<i32>"]);
    expect_failure(
        code,
        &[Literal::scalar(5_i32)],
        "test.mlir:6:9: error: ",
        "size 5 is not a multiple of 2",
    );
}

/// Each check with values that pass and values that fail: three ULP above 1.0 is 1.00000036, four
/// are 1.00000048.
#[test]
fn checks_mean_the_same_on_every_backend() {
    let ulps = |count| f32::from_bits(1.0_f32.to_bits() + count);
    let cases: &[(&str, f32, Option<&str>)] = &[
        ("check.expect_eq %a, %one : tensor<2xf32>", 1.0, None),
        (
            "check.expect_eq %a, %one : tensor<2xf32>",
            ulps(1),
            Some(
                "1 of 2 elements differ (exact); worst at [1]: 1.00000012, \
                 expected 1.000000e+00 (off by 1.1920928955078125e-7, 1 ULP)",
            ),
        ),
        (
            "check.expect_eq_const %a, dense<1.0> : tensor<2xf32>",
            1.0,
            None,
        ),
        (
            "check.expect_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf32>",
            4.0,
            Some(
                "1 of 2 elements differ (exact); worst at [1]: 4.000000e+00, \
                 expected 2.000000e+00 (off by 2e0, 8388608 ULP)",
            ),
        ),
        (
            "check.expect_almost_eq %a, %one : tensor<2xf32>",
            1.0009,
            None,
        ),
        (
            "check.expect_almost_eq %a, %one : tensor<2xf32>",
            1.5,
            Some(
                "1 of 2 elements differ (at most 1e-3); worst at [1]: 1.500000e+00, \
                 expected 1.000000e+00 (off by 5e-1, 4194304 ULP)",
            ),
        ),
        (
            "check.expect_almost_eq %a, %one {tolerance = 0.5 : f64} : tensor<2xf32>",
            1.5,
            None,
        ),
        (
            "check.expect_almost_eq_const %a, dense<1.0> : tensor<2xf32> {tolerance = 0.25 : f64}",
            1.5,
            Some(
                "1 of 2 elements differ (at most 2.5e-1); worst at [1]: 1.500000e+00, \
                 expected 1.000000e+00 (off by 5e-1, 4194304 ULP)",
            ),
        ),
        (
            "check.expect_close %a, %one : tensor<2xf32>, tensor<2xf32>",
            ulps(3),
            None,
        ),
        (
            "check.expect_close %a, %one : tensor<2xf32>, tensor<2xf32>",
            ulps(4),
            Some(
                "1 of 2 elements differ (at most 3 ULP); worst at [1]: 1.00000048, \
                 expected 1.000000e+00 (off by 4.76837158203125e-7, 4 ULP)",
            ),
        ),
        (
            "check.expect_close %a, %one, max_ulp_difference = 4 : tensor<2xf32>, tensor<2xf32>",
            ulps(4),
            None,
        ),
        (
            "check.expect_close %a, %one, max_ulp_difference = 4, min_ulp_difference = 2
               : tensor<2xf32>, tensor<2xf32>",
            ulps(1),
            Some(
                "all 2 elements match (at most 4 ULP); worst at [1]: 1.00000012, expected \
                 1.000000e+00 (off by 1.1920928955078125e-7, 1 ULP); at least 2 ULP were expected",
            ),
        ),
        // Empty tensors have no differing elements.
        ("check.expect_eq %none, %none : tensor<2x0xf32>", 1.0, None),
        (
            "check.expect_eq_const %none, dense<> : tensor<2x0xf32>",
            1.0,
            None,
        ),
        (
            "check.expect_close %none, %none : tensor<2x0xf32>, tensor<2x0xf32>",
            1.0,
            None,
        ),
    ];
    for (check, value, failure) in cases {
        let code = format!(
            "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {{
               %one = stablehlo.constant dense<1.0> : tensor<2xf32>
               %none = stablehlo.constant dense<> : tensor<2x0xf32>
               {check}
               return %a : tensor<2xf32>
             }}"
        );
        let inputs = [f32s(&[2], &[1.0, *value])];
        match failure {
            None => assert!(run(&code, &inputs).len() >= 2, "{check}"),
            Some(reason) => expect_failure(&code, &inputs, "test.mlir:4:16: error: ", reason),
        }
    }
}

#[test]
fn what_cannot_be_compiled_is_named_in_its_place() {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let compile = |code: &str| {
        let program = Program {
            name: "test.mlir".into(),
            code: code.into(),
        };
        let backend = registry.backend("cpu").unwrap();
        match backend.compiler.compile(&program, &options()) {
            Ok(_) => panic!("compiled: {code}"),
            Err(error) => error.to_string(),
        }
    };
    assert!(compile("func.func @main(").starts_with("test.mlir:1:16: error: "));
    let error = compile(
        "func.func @main(%a: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
           %0 = chlo.bessel_i1e %a : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
           return %0 : tensor<2xcomplex<f32>>
         }",
    );
    assert!(error.starts_with("test.mlir:2:17: error: "), "{error}");
    let error = compile(
        "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
           %0 = stablehlo.custom_call @nobody(%a) : (tensor<4xf32>) -> tensor<4xf32>
           return %0 : tensor<4xf32>
         }",
    );
    assert_eq!(
        error,
        "test.mlir:2:17: error: no custom call @nobody is registered"
    );
    let error = compile(
        "func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {
           %0 = stablehlo.custom_call @SPMDFullToShardShape(%a) : (tensor<4xf32>) -> tensor<2xf32>
           return %0 : tensor<2xf32>
         }",
    );
    assert_eq!(
        error,
        "test.mlir:2:17: error: @SPMDFullToShardShape changes the type of its operand, which \
         takes more than one device"
    );
    let error = compile("func.func @f() { return } func.func @g() { return }");
    assert!(error.contains("name one with --entry"), "{error}");
}
