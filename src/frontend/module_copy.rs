//! Copies of modules.

use halo_hlo::run_pipeline;
use halo_ir::{pipeline::Pipeline, prelude::*, root_of};
use halo_runtime::Error;
use melior::ir::Module;

/// A copy of a module that went through a pipeline.
pub fn copy_after<'c>(module: &Module<'c>, pipeline: &Pipeline) -> Result<Module<'c>, Error> {
    let copy = Module::from_operation((*module.as_operation()).clone());
    let mut copy = copy.ok_or_else(|| Error::internal("the copy of a module is not a module"))?;
    if !pipeline.steps.is_empty() {
        run_pipeline(root_of(module).context(), &mut copy, pipeline)?;
    }
    Ok(copy)
}
