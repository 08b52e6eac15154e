//! Programs of quantized and deprecated ops, from text to results, on every
//! backend. Expected values come from NumPy.

use halo_core::{Literal, PrintOptions};
use halo_runtime::{CompileOptions, Program, Registry};

#[track_caller]
fn expect(code: &str, inputs: &[Literal], expected: &str) {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let program = Program {
        name: "test.mlir".into(),
        code: code.as_bytes().to_vec(),
    };
    for backend in registry.usable() {
        let executable = backend
            .compiler
            .compile(&program, &CompileOptions::default())
            .unwrap_or_else(|error| panic!("{}: {error}", backend.name));
        let outputs = executable
            .run(inputs)
            .unwrap_or_else(|error| panic!("{}: {error}", backend.name));
        let texts: Vec<String> = outputs
            .iter()
            .map(|output| output.display(PrintOptions::default()).to_string())
            .collect();
        assert_eq!(texts, [expected], "{}", backend.name);
    }
}

fn f32s(dims: &[usize], values: &[f32]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

/// Operands of different scales; the last element exceeds the storage type.
#[test]
fn quantized_sums_are_sums_of_numbers() {
    expect(
        "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
           %0 = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.25:-10>>
           %1 = stablehlo.uniform_quantize %b : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.125:5>>
           %2 = stablehlo.add %0, %1 : (tensor<4x!quant.uniform<i8:f32, 0.25:-10>>, tensor<4x!quant.uniform<i8:f32, 0.125:5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
           %3 = stablehlo.uniform_dequantize %2 : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4xf32>
           return %3 : tensor<4xf32>
         }",
        &[
            f32s(&[4], &[-1.0, 0.3, 0.7, 40.0]),
            f32s(&[4], &[0.5, -0.25, 1.625, 3.0]),
        ],
        "dense<[-5.000000e-01, 0.000000e+00, 2.500000e+00, 3.750000e+01]> : tensor<4xf32>",
    );
}

/// Only the weights are quantized, each column with a scale of its own.
#[test]
fn weights_alone_may_be_quantized() {
    expect(
        "func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>) -> tensor<2x2xf32> {
           %0 = stablehlo.uniform_quantize %w : (tensor<3x2xf32>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.125, 0.5}>>
           %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0]
             : (tensor<2x3xf32>, tensor<3x2x!quant.uniform<i8:f32:1, {0.125, 0.5}>>) -> tensor<2x2xf32>
           return %1 : tensor<2x2xf32>
         }",
        &[
            f32s(&[2, 3], &[1.0, 2.0, 3.0, -1.0, 0.5, 4.0]),
            f32s(&[3, 2], &[0.3, 10.0, -0.7, 25.0, 1.26, -31.0]),
        ],
        "dense<[[2.500000e+00, -3.300000e+01], [4.375000e+00, -1.215000e+02]]> : tensor<2x2xf32>",
    );
}

#[test]
fn index_notation_contracts_and_transposes() {
    expect(
        "func.func @main(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<4x2xf32> {
           %0 = stablehlo.einsum %a, %b, config = \"ij,kj->ki\" : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<4x2xf32>
           return %0 : tensor<4x2xf32>
         }",
        &[
            f32s(&[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
            f32s(&[4, 3], &[1.0, 0.0, 2.0, 0.0, 1.0, 1.0, 3.0, 1.0, 0.0, 1.0, 1.0, 1.0]),
        ],
        "dense<[[4.000000e+00, 1.300000e+01], [3.000000e+00, 9.000000e+00], \
         [1.000000e+00, 1.300000e+01], [3.000000e+00, 1.200000e+01]]> : tensor<4x2xf32>",
    );
}

#[test]
fn index_notation_of_one_operand_sums() {
    expect(
        "func.func @main(%a: tensor<2x3xf32>) -> tensor<2xf32> {
           %0 = stablehlo.unary_einsum %a, config = \"ij->i\" : (tensor<2x3xf32>) -> tensor<2xf32>
           return %0 : tensor<2xf32>
         }",
        &[f32s(&[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])],
        "dense<[3.000000e+00, 1.200000e+01]> : tensor<2xf32>",
    );
}
