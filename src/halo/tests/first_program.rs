use halo::{compiler, core::Literal, frontend, hlo, hlo::transforms::simplify::stablehlo_aggressive_simplification, ir, ir::pipeline::upstream, prelude::*, runtime};

/// `x * 1 + y`, of which a pass takes the product away.
const PROGRAM: &[u8] = b"
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<3xf32>
  %product = stablehlo.multiply %x, %one : tensor<3xf32>
  %sum = stablehlo.add %product, %y : tensor<3xf32>
  return %sum : tensor<3xf32>
}";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = runtime::Program {
        name: "first.mlir".to_owned(),
        code: PROGRAM.to_vec(),
    };

    // A context owns the types, attributes and ops of the modules made in it.
    let context = compiler::context();
    let mut module = frontend::parse(&context, &program)?;
    let simplification = ir::pipeline![
        &stablehlo_aggressive_simplification::PASS,
        upstream("canonicalize"),
    ];
    hlo::run_pipeline(&context, &mut module, &simplification)?;
    let ops = ir::root_of(&module).collect_nested(|op| {
        op.name().starts_with("stablehlo.")
    });
    let names: Vec<&str> = ops.into_iter().map(Operation::name).collect();
    assert_eq!(names, ["stablehlo.add"]);

    // Backends take programs of any form, MLIR's bytecode among them.
    let mut registry = runtime::Registry::new();
    compiler::backends::register(&mut registry);
    let simplified = runtime::Program {
        name: program.name,
        code: ir::diagnostics::bytecode_of(&module),
    };
    let options = runtime::CompileOptions::default();
    let executable = registry.backend("cpu")?.compiler.compile(&simplified, &options)?;
    let results = executable.run(&[
        Literal::from_slice(&[3], &[1.0f32, 2.0, 3.0])?,
        Literal::from_slice(&[3], &[0.5f32, 0.25, 0.125])?,
    ])?;
    assert_eq!(results[0].as_slice::<f32>()?, [1.5, 2.25, 3.125]);
    Ok(())
}
