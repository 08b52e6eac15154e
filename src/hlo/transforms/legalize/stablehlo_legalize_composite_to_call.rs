//! `--stablehlo-legalize-composite-to-call`: replaces composites by calls of their decompositions.
//!
//! ```mlir
//! %0 = stablehlo.composite "ns.f" %a {decomposition = @f} : (tensor<f32>) -> tensor<f32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = func.call @f(%a) : (tensor<f32>) -> tensor<f32>
//! ```
//!
//! Composites whose names `except` lists are kept, for a backend that supports them.

use halo_ir::prelude::*;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Names of composites to keep, separated by commas
        except: Vec<String> = "",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-legalize-composite-to-call",
    "Replace composites with calls of their decompositions",
    run,
)
.dependent_dialects(&["func"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let except = pass.options::<Options>().except;
    let is_kept =
        |composite: stablehlo::CompositeOp| except.iter().any(|name| name == composite.name());
    let composites = pass.operation().collect_nested(|op| op.isa::<stablehlo::CompositeOp>());
    for composite in composites.into_iter().filter_map(Operation::cast) {
        if !is_kept(composite) {
            call(composite)?;
        }
    }
    Ok(())
}

fn call(composite: stablehlo::CompositeOp) -> Result<(), PassFailure> {
    let op = composite.operation();
    let types = op.result_types();
    with_builder(op, |b| {
        let call = func::call(b, composite.decomposition(), &composite.inputs(), &types);
        b.replace(op, &call.operation().results())
    });
    Ok(())
}
