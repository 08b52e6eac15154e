//! The common steps of users of HLO programs: creating a context, running
//! passes, and verifying.

use crate::{semantics, transforms};
use halo_ir::{
    diagnostics::{print_warnings, with_diagnostics},
    pass::{PipelineError, Verification, register_pass},
    pipeline::Pipeline,
    prelude::*,
    root_of, upstream,
};
use halo_runtime::Error;
use melior::{dialect::DialectRegistry, ir::Module};
use std::sync::Once;

/// Installs the semantics of the ops, and registers the upstream passes that the compiler uses and
/// the passes of [`transforms`], once per process.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        semantics::install();
        upstream::register_passes();
        for declaration in transforms::PASSES {
            // It replaces a pass that was registered under this name before.
            let _ = register_pass(declaration);
        }
    });
}

/// A context with the dialects of programs, and at least the passes of this crate. It prints
/// warnings and remarks.
pub fn context() -> Context {
    register_passes();
    let registry = DialectRegistry::new();
    upstream::register_dialects(&registry);
    let context = Context::new_with_registry(&registry, false);
    print_warnings(&context);
    context
}

/// Runs a pipeline on a module.
///
/// # Errors
/// Invalid input with the diagnostics of the pass that failed; internal if the
/// pipeline has unknown passes or options, or a pass leaves invalid IR.
pub fn run_pipeline(
    context: &Context,
    module: &mut Module,
    pipeline: &Pipeline,
) -> Result<(), Error> {
    run_pipeline_with(context, module, pipeline, Verification::AtEnd)
}

/// Like [`run_pipeline`], with a choice of verification.
///
/// # Errors
/// As [`run_pipeline`].
pub fn run_pipeline_with(
    context: &Context,
    module: &mut Module,
    pipeline: &Pipeline,
    verification: Verification,
) -> Result<(), Error> {
    let run = || pipeline.run_with(module, verification);
    let (result, mut errors) = with_diagnostics(context, run);
    result.map_err(|error| {
        // A failing pass reports an error in the program; a pass that leaves
        // invalid IR has a bug.
        let is_ours = match error {
            PipelineError::PassFailed(_) => false,
            PipelineError::Invalid(_) => !has_impossible_values(context, module),
            PipelineError::NotParsed(_) => true,
        };
        if errors.is_empty() {
            return Error::internal(error.to_string());
        }
        if is_ours && let Some(first) = errors.first_mut() {
            first.message = format!("internal error: {error}: {}", first.message);
        }
        Error::diagnosed(error.to_string(), errors)
    })
}

/// Returns true if a program is invalid only because of operand values that folding found.
fn has_impossible_values(context: &Context, module: &Module) -> bool {
    let all_are_valid = || {
        let functions = root_of(module).collect_nested(|op| op.isa::<func::FuncOp>());
        let blocks = functions.iter().flat_map(|op| op.blocks().into_iter());
        blocks.flat_map(Block::operations).all(semantics::op::is_valid_for_other_values)
    };
    with_diagnostics(context, all_are_valid).0
}

/// Verifies a program.
///
/// # Errors
/// Returns the verifier's diagnostics.
pub fn verify(context: &Context, module: &Module) -> Result<(), Error> {
    match with_diagnostics(context, || module.as_operation().verify()) {
        (true, _) => Ok(()),
        (false, errors) => Err(Error::diagnosed("the program is not valid", errors)),
    }
}
