//! Small programs from StableHLO text to their results, on every backend.
//!
//! Expected values come from the specification or from NumPy.

use halo_core::{Literal, PrintOptions};
use halo_runtime::{CompileOptions, Program, Registry};

/// Compiles a program and runs it on every backend.
fn run(code: &str, inputs: &[Literal]) -> Vec<Vec<Literal>> {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let program = Program {
        name: "test.mlir".into(),
        code: code.as_bytes().to_vec(),
    };
    registry
        .backends()
        .iter()
        .map(|backend| {
            let executable = backend
                .compiler
                .compile(&program, &CompileOptions::default())
                .unwrap_or_else(|error| panic!("{}: {error}", backend.name));
            executable
                .run(inputs)
                .unwrap_or_else(|error| panic!("{}: {error}", backend.name))
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

#[test]
fn adds() {
    expect(
        "func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
           %0 = stablehlo.add %a, %b : tensor<3xf32>
           return %0 : tensor<3xf32>
         }",
        &[
            Literal::from_slice(&[3], &[1.0_f32, 2.0, 3.0]).unwrap(),
            Literal::from_slice(&[3], &[0.5_f32, 0.25, -3.0]).unwrap(),
        ],
        &["dense<[1.500000e+00, 2.250000e+00, 0.000000e+00]> : tensor<3xf32>"],
    );
}
