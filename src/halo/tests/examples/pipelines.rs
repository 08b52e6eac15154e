use halo::{
    compiler,
    ir::{
        diagnostics::parse_module,
        ops::func,
        pass::Verification,
        pipeline,
        pipeline::{OptionValue, PassReference, Pipeline, ScheduledPass, Step, nest, upstream},
    },
};

const PROGRAM: &[u8] = b"
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %unused = stablehlo.add %x, %x : tensor<3xf32>
  return %x : tensor<3xf32>
}";

/// The names of all passes, nested ones too.
fn names(pipeline: &Pipeline) -> Vec<String> {
    let of_step = |step: &Step| match step {
        Step::Pass(ScheduledPass { pass, .. }) => vec![match pass {
            PassReference::Declared(declaration) => declaration.argument.to_owned(),
            PassReference::Upstream(name) => name.to_string(),
        }],
        Step::Nested { pipeline, .. } => names(pipeline),
    };
    pipeline.steps.iter().flat_map(of_step).collect()
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A pipeline is data: passes with the values of their options.
    let canonicalize = upstream("canonicalize").option("max-iterations", 3);
    assert_eq!(canonicalize.options[0].1, OptionValue::Integer(3));
    let mut passes = pipeline![nest::<func::FuncOp>(pipeline![canonicalize])];
    passes.push(upstream("cse"));
    passes.append(Pipeline::parse("symbol-dce")?);
    assert_eq!(names(&passes), ["canonicalize", "cse", "symbol-dce"]);
    assert_eq!(
        passes.to_string(),
        "func.func(canonicalize{max-iterations=3}),cse,symbol-dce"
    );

    let context = compiler::context();
    // MLIR checks the options of its passes.
    passes.check_in(&context)?;
    let wrong = pipeline![upstream("cse").option("factor", 2)].check_in(&context);
    assert_eq!(
        wrong.unwrap_err().to_string(),
        "pass 'cse' has no option 'factor'"
    );

    let mut module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;
    // The verifier runs after the last pipeline.
    passes.run_with(&mut module, Verification::Later)?;
    passes.run(&mut module)?;
    assert!(!module.as_operation().to_string().contains("stablehlo.add"));
    Ok(())
}
