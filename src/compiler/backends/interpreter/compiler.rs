//! From a program to a module that the interpreter can evaluate.

use super::executable::{InterpreterExecutable, OwnedModule};
use crate::{
    backends::{
        lowering::descriptions,
        specialization::{self, Inputs, SpecializingExecutable},
    },
    pipelines::interpreter::{inline, phases},
};
use halo_hlo::transforms::stablehlo_canonicalize_dynamism::custom_calls::stands_for_op;

use halo_core::Literal;
use halo_runtime::{
    CompileOptions, Compiler, Executable, PhaseDescription, Program, Result, Signature,
    host::HostPlatform,
};
use melior::{Context, ir::Module};
use std::sync::{Arc, LazyLock};

static DESCRIPTIONS: LazyLock<Vec<PhaseDescription>> = LazyLock::new(|| descriptions(&phases()));

/// Compiles to the module itself.
pub(super) struct InterpreterCompiler;

fn run_phases(context: &Context, module: &mut Module) -> Result<()> {
    phases()
        .iter()
        .try_for_each(|phase| halo_hlo::run_pipeline(context, module, &phase.pipeline))
}

fn prepare(
    program: &Program,
    phase: &str,
    options: &CompileOptions,
) -> Result<(OwnedModule, Signature)> {
    OwnedModule::prepare(|context| {
        let (mut module, signature) = halo_frontend::load(context, program, options)?;
        if phase != DESCRIPTIONS[0].name {
            run_phases(context, &mut module)?;
        }
        Ok((module, signature))
    })
}

/// A program with custom calls that represent ops: the ops are known once the
/// shapes of the inputs are.
fn specializing(program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>> {
    let context = crate::context();
    let (mut module, signature) = halo_frontend::load(&context, program, options)?;
    halo_hlo::run_pipeline(&context, &mut module, &inline())?;
    let (program, options) = (program.clone(), options.clone());
    let specialize = move |inputs: Inputs<'_>| {
        let (module, signature) = OwnedModule::prepare(|context| {
            let (mut module, _) = halo_frontend::load(context, &program, &options)?;
            halo_hlo::run_pipeline(context, &mut module, &inline())?;
            specialization::resolve(context, &mut module, Some(inputs))?;
            run_phases(context, &mut module)?;
            let signature = halo_frontend::entry_signature(&module)?;
            Ok((module, signature))
        })?;
        let custom_calls = Arc::clone(&options.custom_calls);
        let executable = InterpreterExecutable::new(module, signature, custom_calls);
        Ok(Box::new(executable) as Box<dyn Executable>)
    };
    Ok(Box::new(SpecializingExecutable::new(
        &module,
        signature,
        HostPlatform::device(),
        None,
        Box::new(specialize),
    )))
}

impl Compiler for InterpreterCompiler {
    fn phases(&self) -> &[PhaseDescription] {
        &DESCRIPTIONS
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>> {
        let (module, signature) = prepare(program, &DESCRIPTIONS[1].name, options)?;
        if !halo_ir::collect_operations(module.operation(), stands_for_op).is_empty() {
            return specializing(program, options);
        }
        Ok(Box::new(InterpreterExecutable::new(
            module,
            signature,
            Arc::clone(&options.custom_calls),
        )))
    }

    fn recorded_inputs(&self, program: &Program) -> Result<Option<Vec<Literal>>> {
        halo_frontend::recorded_inputs(program)
    }

    fn compile_to(
        &self,
        program: &Program,
        phase: &str,
        options: &CompileOptions,
    ) -> Result<String> {
        let phase = &self.phase(phase)?.name;
        let (module, _) = prepare(program, phase, options)?;
        Ok(module.operation().to_string())
    }
}
