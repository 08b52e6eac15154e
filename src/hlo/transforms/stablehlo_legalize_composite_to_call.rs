//! `--stablehlo-legalize-composite-to-call`: composites, as calls of their
//! decompositions.
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
//! Composites whose names `except` lists stay, for a backend that knows them.

use halo_ir::ops::{Op as _, OperationExt, func, stablehlo};
use halo_ir::pass::{
    OptionKind, PassDeclaration, PassFailure, PassInvocation, PassOption, emit_error,
};
use halo_ir::{Operation, collect_operations, result_types_of, results_of, with_builder};
use melior::ir::operation::OperationLike;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "stablehlo-legalize-composite-to-call",
    summary: "Replace composites with calls of their decompositions",
    anchor: "",
    dependent_dialects: &["func"],
    options: &[PassOption {
        name: "except",
        description: "Names of composites that stay, separated by commas",
        default: "",
        kind: OptionKind::String,
    }],
    run,
};

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let except: Vec<&str> = pass.option("except").split(',').map(str::trim).collect();
    let is_kept = |composite: stablehlo::CompositeOp| except.contains(&composite.name());
    let composites = collect_operations(pass.operation(), |op| op.isa::<stablehlo::CompositeOp>());
    for composite in composites.into_iter().filter_map(Operation::cast) {
        if !is_kept(composite) {
            call(composite)?;
        }
    }
    Ok(())
}

fn call(composite: stablehlo::CompositeOp) -> Result<(), PassFailure> {
    let op = composite.operation();
    let types = result_types_of(op);
    with_builder(op, |b| {
        let call = func::call(b, composite.decomposition(), &composite.inputs(), &types).map_err(
            |error| {
                emit_error(op.location(), &error.to_string());
                PassFailure
            },
        )?;
        b.replace(op, &results_of(call.operation()))
            .map_err(|error| PassFailure::internal(op, error))
    })
}
