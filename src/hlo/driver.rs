//! What everybody does who has a program of HLO: make a context for it, run
//! passes over it, and verify it.

use crate::{semantics, transforms};
use halo_ir::{
    diagnostics::with_diagnostics,
    opt::register_everything,
    pass::{register_pass, register_upstream_passes},
};
use halo_runtime::Error;
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{Module, operation::OperationLike},
    pass::PassManager,
    utility::parse_pass_pipeline,
};
use std::sync::Once;

/// Gives the ops their meaning, and adds upstream's passes and those of
/// [`transforms`] to the program-wide registry, once.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        semantics::install();
        register_upstream_passes();
        for declaration in transforms::PASSES {
            register_pass(declaration);
        }
    });
}

/// A context that knows every dialect, and at least the passes of this crate.
pub fn context() -> Context {
    register_passes();
    let registry = DialectRegistry::new();
    register_everything(&registry);
    Context::new_with_registry(&registry, false)
}

/// Runs a pipeline, given for the body of the module.
pub fn run_pipeline(context: &Context, module: &mut Module, pipeline: &str) -> Result<(), Error> {
    let (result, errors) = with_diagnostics(context, || {
        let manager = PassManager::new(context);
        manager.enable_verifier(cfg!(debug_assertions));
        let text = format!("builtin.module({pipeline})");
        parse_pass_pipeline(manager.as_operation_pass_manager(), &text)?;
        manager.run(module)
    });
    result.map_err(|error| {
        if errors.is_empty() {
            Error::internal(error.to_string())
        } else {
            Error::diagnosed(error.to_string(), errors)
        }
    })
}

/// Whether a program is valid.
///
/// # Errors
/// What is wrong with it.
pub fn verify(context: &Context, module: &Module) -> Result<(), Error> {
    match with_diagnostics(context, || module.as_operation().verify()) {
        (true, _) => Ok(()),
        (false, errors) => Err(Error::diagnosed("the program is not valid", errors)),
    }
}
