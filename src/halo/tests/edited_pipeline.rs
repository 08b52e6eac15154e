use halo::{
    compiler::{backends, pipelines::Edits},
    core::Literal,
    ir,
    prelude::*,
    runtime::{CompileOptions, CustomCallRegistry, Program, Registry},
};
use std::sync::Arc;

/// Makes a call of a library of each matrix product.
static DOT_TO_LIBRARY: PassDeclaration = PassDeclaration::new(
    "my-dot-to-library",
    "Call the library for products",
    |pass| {
        let is_product = |op: ir::Operation| op.isa::<stablehlo::DotGeneralOp>();
        pass.for_each(is_product, |b, op| {
            let (operands, types) = (op.operands(), op.result_types());
            let call = stablehlo::custom_call(b, &operands, "my_dot", &types);
            b.replace(op, &call.results())
        })
    },
);

const PROGRAM: &[u8] = b"
func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.add %0, %x : tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}";

/// The product of two matrices of two rows.
fn custom_calls() -> CustomCallRegistry {
    let mut calls = CustomCallRegistry::default();
    calls.register("my_dot", |call| {
        let (x, y) = (
            call.operands[0].as_slice::<f32>()?,
            call.operands[1].as_slice::<f32>()?,
        );
        for (position, result) in call.results[0].as_mut_slice::<f32>()?.iter_mut().enumerate() {
            let (row, column) = (position / 2, position % 2);
            *result = x[2 * row] * y[column] + x[2 * row + 1] * y[2 + column];
        }
        Ok(())
    });
    calls
}

pub fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = Registry::new();
    backends::register(&mut registry);
    let edits = Edits::new().insert_before("linalg", &DOT_TO_LIBRARY);
    registry.replace(edits.apply_to(registry.backend("cpu")?)?)?;

    let program = Program {
        name: "dot.mlir".to_owned(),
        code: PROGRAM.to_vec(),
    };
    let options = CompileOptions {
        custom_calls: Arc::new(custom_calls()),
        ..CompileOptions::default()
    };
    let cpu = &registry.backend("cpu")?.compiler;
    let text = cpu.compile_to(&program, "linalg", &options)?;
    assert!(text.contains("my_dot"), "{text}");
    let executable = cpu.compile(&program, &options)?;
    let matrix = |values: [f32; 4]| Literal::from_slice(&[2, 2], &values);
    let inputs = [matrix([1.0, 2.0, 3.0, 4.0])?, matrix([5.0, 6.0, 7.0, 8.0])?];
    let results = executable.run(&inputs)?;
    assert_eq!(results[0].as_slice::<f32>()?, [20.0, 24.0, 46.0, 54.0]);
    Ok(())
}
