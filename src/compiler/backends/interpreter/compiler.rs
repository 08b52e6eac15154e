//! From a program to a module that the interpreter can evaluate.

use super::executable::{InterpreterExecutable, OwnedModule};
use crate::{
    frontend,
    pipelines::interpreter::{PHASES, PIPELINE},
};
use halo_core::Literal;
use halo_runtime::{
    CompileOptions, Compiler, Executable, PhaseDescription, Program, Result, Signature,
};
use std::sync::Arc;

/// Compiles to the module itself.
pub(super) struct InterpreterCompiler;

fn prepare(
    program: &Program,
    phase: &str,
    options: &CompileOptions,
) -> Result<(OwnedModule, Signature)> {
    OwnedModule::prepare(|context| {
        let (mut module, signature) = frontend::load(context, program, options)?;
        if phase != PHASES[0].name {
            frontend::run_pipeline(context, &mut module, PIPELINE)?;
        }
        Ok((module, signature))
    })
}

impl Compiler for InterpreterCompiler {
    fn phases(&self) -> &[PhaseDescription] {
        PHASES
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>> {
        let (module, signature) = prepare(program, PHASES[1].name, options)?;
        Ok(Box::new(InterpreterExecutable::new(
            module,
            signature,
            Arc::clone(&options.custom_calls),
        )))
    }

    fn recorded_inputs(&self, program: &Program) -> Result<Option<Vec<Literal>>> {
        frontend::recorded_inputs(program)
    }

    fn compile_to(
        &self,
        program: &Program,
        phase: &str,
        options: &CompileOptions,
    ) -> Result<String> {
        let phase = self.phase(phase)?.name;
        let (module, _) = prepare(program, phase, options)?;
        Ok(module.operation().to_string())
    }
}
