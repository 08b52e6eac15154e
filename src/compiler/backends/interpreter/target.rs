//! From a program to a module that the interpreter can evaluate.

use super::executable::executable;
use crate::{
    Lowering, Target,
    pipelines::{Phase, interpreter::phases},
};
use halo_hlo::transforms::shapes::stablehlo_canonicalize_dynamism::custom_calls::stands_for_op;
use halo_ir::prelude::*;
use halo_runtime::{Executable, Result};
use melior::ir::Module;
use std::sync::Arc;

/// The interpreter, which has no options.
#[derive(Clone)]
pub(super) struct InterpreterTarget;

impl Target for InterpreterTarget {
    fn phases(&self) -> Vec<Phase> {
        phases()
    }

    fn executable(&self, mut lowering: Lowering<'_>) -> Result<Box<dyn Executable>> {
        lowering.run_phases()?;
        let signature = lowering.signature.clone();
        let custom_calls = Arc::clone(&lowering.session.options.custom_calls);
        Ok(Box::new(executable(
            lowering.into_module(),
            signature,
            custom_calls,
        )))
    }

    /// Ops of dynamic shapes are evaluated directly. Custom calls that represent ops can be
    /// resolved only when the shapes of the inputs are known.
    fn specializes(&self, module: &Module) -> bool {
        !halo_ir::root_of(module).collect_nested(stands_for_op).is_empty()
    }
}
