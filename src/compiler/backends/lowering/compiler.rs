//! The compiler for a target.

use super::{
    INPUT, Lowering, Target,
    cached::{Entry, Part, plan_of_lowering, plan_of_source},
    compile_in,
    prediction::predicted,
    schedule,
    value_names::ValueNames,
};
use crate::pipelines::edits;
use halo_codegen::fusion::form_fusion_groups;
use halo_core::Literal;
use halo_runtime::{
    BackendOption, CompileOptions, Compiler, Error, Executable, ObjectCode, PhaseDescription, Plan,
    Program, Result, Shardings,
    object_code::{CodeForm, entry_symbol, entry_symbol_with_constants, identifiers::identifiers},
    prediction::Prediction,
};
use std::num::NonZeroUsize;
use std::sync::OnceLock;

/// The program that [`Compiler::warm_up`] compiles: a product, which Halo vectorizes, and a
/// reduction, which LLVM vectorizes.
const WARM_UP: &str = "
func.func @main(%x: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> tensor<32xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = stablehlo.exponential %x : tensor<32x32xf32>
  %2 = stablehlo.add %0, %1 : tensor<32x32xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
  return %3 : tensor<32xf32>
}";

/// Compiles programs for a [`Target`].
pub struct TargetCompiler<T> {
    target: T,
    descriptions: OnceLock<Vec<PhaseDescription>>,
}

impl<T: Target> TargetCompiler<T> {
    /// The compiler for `target` and its [configured](Target::configured) variants.
    pub fn new(target: T) -> Self {
        Self {
            target,
            descriptions: OnceLock::new(),
        }
    }

    fn lowering<'a>(
        &self,
        program: &'a Program,
        options: &'a CompileOptions,
    ) -> Result<(T, Lowering<'a, T>)> {
        let target = self.target.configured(options)?;
        let lowering = Lowering::new(&target, program, options, &[])?;
        Ok((target, lowering))
    }
}

impl<T: Target> Compiler for TargetCompiler<T> {
    fn phases(&self) -> &[PhaseDescription] {
        self.descriptions.get_or_init(|| {
            let input = PhaseDescription {
                name: INPUT.into(),
                summary: "The program as it was read".into(),
            };
            let phases = self.target.phases();
            let has_groups = edits::has_pass(&phases, form_fusion_groups::PASS.argument);
            let schedule = has_groups.then(|| PhaseDescription {
                name: schedule::NAME.into(),
                summary: "The decisions about fusion groups, for --schedule".into(),
            });
            let phases = phases.into_iter().map(|phase| PhaseDescription {
                name: phase.name,
                summary: phase.summary,
            });
            let artifacts = self.target.artifacts().iter();
            let artifacts = artifacts.map(|(name, summary)| PhaseDescription {
                name: (*name).into(),
                summary: (*summary).into(),
            });
            let descriptions = [input].into_iter().chain(phases).chain(artifacts);
            descriptions.chain(schedule).collect()
        })
    }

    fn options(&self) -> &[BackendOption] {
        self.target.options()
    }

    /// Compiles a small program with all passes, and starts the threads.
    fn warm_up(&self, options: &CompileOptions) -> Result<()> {
        let program = Program {
            name: "warm-up".into(),
            code: WARM_UP.as_bytes().to_vec(),
        };
        let options = CompileOptions {
            threads: options.threads,
            no_constant_folding: options.no_constant_folding,
            processor: options.processor.clone(),
            architecture: options.architecture.clone(),
            backend: options.backend.clone(),
            ..CompileOptions::default()
        };
        self.compile(&program, &options)?;
        self.target.configured(&options)?.warm_up(&options)
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>> {
        if options.external_constants {
            return Err(Error::invalid(
                "a program that is run here has its constants in it: files of constants go with \
                 object files and C",
            ));
        }
        compile_in(&self.target.configured(options)?, program, options, &[], 0)
    }

    fn compile_to(
        &self,
        program: &Program,
        phase: &str,
        options: &CompileOptions,
    ) -> Result<String> {
        let Ok(last) = self.phase(phase) else {
            let (_, mut lowering) = self.lowering(program, options)?;
            lowering.run_through_pass(phase)?;
            return Ok(lowering.module().as_operation().to_string());
        };
        let last = &*last.name;
        let (target, mut lowering) = self.lowering(program, options)?;
        if target.artifacts().iter().any(|(name, _)| *name == last) {
            lowering.run_phases()?;
            return target.artifact(&mut lowering, last);
        }
        if last == schedule::NAME {
            return lowering.schedule();
        }
        if last != INPUT {
            lowering.run_through(last)?;
        }
        Ok(lowering.module().as_operation().to_string())
    }

    fn makes_plans(&self) -> bool {
        self.target.makes_plans()
    }

    fn plan(&self, program: &Program, options: &CompileOptions) -> Result<Plan> {
        let target = self.target.configured(options)?;
        let makes_plans = target.makes_plans();
        let entry = makes_plans.then(|| Entry::of(&target, program, options, Part::default()));
        let entry = entry.flatten();
        if let Some(plan) = plan_of_source(entry.as_ref()) {
            return Ok(plan);
        }
        let mut lowering = Lowering::new(&target, program, options, &[])?;
        expect_known_shapes(&target, &lowering, "a plan")?;
        plan_of_lowering(&target, &mut lowering, entry)
    }

    fn targets(&self, triple: Option<&str>) -> Result<String> {
        self.target.targets(triple)
    }

    fn code_form(&self) -> Option<CodeForm> {
        self.target.code_form()
    }

    fn object_code(
        &self,
        program: &Program,
        name: &str,
        options: &CompileOptions,
    ) -> Result<ObjectCode> {
        let target = self.target.configured(options)?.for_objects();
        let form = target
            .code_form()
            .ok_or_else(|| Error::invalid("the backend makes no object files"))?;
        let mut lowering = Lowering::new(&target, program, options, &[])?;
        let product = match form {
            CodeForm::C => "C",
            CodeForm::Object => "an object file",
        };
        expect_known_shapes(&target, &lowering, product)?;
        let entry = halo_frontend::entry_of(lowering.module())?;
        let names = ValueNames::of(entry, &lowering.signature, program);
        let (input_names, output_names) = identifiers(&names.inputs, &names.outputs);
        let symbol = if options.external_constants {
            entry_symbol_with_constants(name)
        } else {
            entry_symbol(name)
        };
        let code = target.object(&mut lowering, &symbol)?;
        let code = lowering.take_object_code(name, (form, code));
        if options.external_constants != code.constants.is_some() {
            return Err(Error::internal(
                "the phases have not taken the constants out",
            ));
        }
        Ok(ObjectCode {
            input_names,
            output_names,
            target: target.object_target(options),
            ..code
        })
    }

    fn check_phase(&self, name: &str, options: &CompileOptions) -> Result<()> {
        let Err(unknown) = self.phase(name) else {
            return Ok(());
        };
        let mut phases = self.target.configured(options)?.phases();
        edits::apply(&mut phases, options)?;
        if edits::has_pass(&phases, name) {
            edits::end_at(&mut phases, name)
        } else {
            Err(unknown)
        }
    }

    fn check_pipeline(&self, options: &CompileOptions) -> Result<()> {
        let mut phases = self.target.configured(options)?.phases();
        edits::apply(&mut phases, options)
    }

    fn recorded_inputs(&self, program: &Program) -> Result<Option<Vec<Literal>>> {
        halo_frontend::recorded_inputs(program)
    }

    fn shardings(&self, program: &Program, partitions: NonZeroUsize) -> Result<Shardings> {
        halo_frontend::shardings(program, partitions)
    }

    fn predict(
        &self,
        program: &Program,
        topology: &Program,
        options: &CompileOptions,
    ) -> Result<Prediction> {
        predicted(
            &self.target.configured(options)?,
            program,
            topology,
            options,
        )
    }
}

/// Fails if a program is to be compiled at run time.
pub(super) fn expect_known_shapes<T: Target>(
    target: &T,
    lowering: &Lowering<'_, T>,
    product: &str,
) -> Result<()> {
    if !target.specializes(lowering.module()) {
        return Ok(());
    }
    let message = format!(
        "{product} is made for shapes that are known; {} has dimensions that are not",
        lowering.signature
    );
    let diagnostic = format!("{}: error: {message}", lowering.program.name);
    Err(Error::diagnosed(message, vec![diagnostic]))
}
