//! The compiler for a target.
//!
//! It reads programs of any format, compiles programs of dynamic shapes once per input shape, and
//! writes dumps and times of phases.

mod cached;
mod prediction;
mod schedule;
mod specializer;
mod tuning;
mod value_names;

use crate::{
    lowering::{INPUT, Lowering},
    pipelines::{Phase, edits},
    session::cache::Part,
    target::{Purpose, Target},
};
use cached::{entry_of, plan_of_lowering, plan_of_source};
use halo_backend::{
    CompileOptions, Compiler, CompilerDescription, ObjectCode, PhaseDescription, Program,
    object_code::{CodeForm, entry_symbol, entry_symbol_with_constants},
    prediction::Prediction,
};
use halo_codegen::fusion::form_fusion_groups;
use halo_core::{Literal, identifiers::identifiers};
use halo_runtime::{Error, Executable, Plan, Result, Shardings};
use prediction::predicted;
use specializer::{begin, compile};
use std::{num::NonZeroUsize, sync::OnceLock};
use value_names::ValueNames;

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
    description: OnceLock<CompilerDescription>,
}

impl<T: Target> TargetCompiler<T> {
    /// The compiler for `target` and its [configured](Target::configured) variants.
    pub fn new(target: T) -> Self {
        Self {
            target,
            description: OnceLock::new(),
        }
    }

    /// The phases, and the texts after them.
    fn phases(&self) -> Vec<PhaseDescription> {
        let phases = self.target.phases();
        let has_groups = edits::has_pass(&phases, form_fusion_groups::PASS.argument);
        let phase = |name: &'static str, summary: &'static str| PhaseDescription {
            name: name.into(),
            summary: summary.into(),
        };
        let mut all = vec![phase(INPUT, "The program as it was read")];
        all.extend(phases.into_iter().map(|phase| PhaseDescription {
            name: phase.name,
            summary: phase.summary,
        }));
        let artifacts = self.target.artifacts().iter();
        all.extend(artifacts.map(|artifact| phase(artifact.name, artifact.summary)));
        if has_groups {
            let summary = "The decisions about fusion groups, for --schedule";
            all.push(phase(schedule::NAME, summary));
        }
        all
    }

    /// The phases of a compilation with its edits.
    fn edited_phases(&self, options: &CompileOptions) -> Result<Vec<Phase>> {
        edits::edited(
            self.target.configured(options, Purpose::Run)?.phases(),
            options,
        )
    }
}

impl<T: Target> Compiler for TargetCompiler<T> {
    fn description(&self) -> &CompilerDescription {
        self.description.get_or_init(|| CompilerDescription {
            phases: self.phases().into(),
            options: self.target.options(),
            code_form: self.target.objects().map(|objects| objects.form()),
            makes_plans: self.target.plans().is_some(),
            has_passes: true,
            lacks_host_calls: !self.target.calls_host(),
        })
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
        self.target.configured(&options, Purpose::Run)?.warm_up(&options)
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>> {
        if options.external_constants {
            return Err(Error::invalid(
                "a program that is run here has its constants in it: files of constants go with \
                 object files and C",
            ));
        }
        compile(&self.target, program, options)
    }

    fn compile_to(
        &self,
        program: &Program,
        phase: &str,
        options: &CompileOptions,
    ) -> Result<String> {
        let target = self.target.configured(options, Purpose::Run)?;
        let mut lowering = begin(&target, program, options, &[])?;
        let Ok(last) = self.phase(phase) else {
            lowering.run_through_pass(phase)?;
            return Ok(lowering.text());
        };
        let last = &*last.name;
        let mut artifacts = target.artifacts().iter();
        if let Some(artifact) = artifacts.find(|artifact| artifact.name == last) {
            lowering.run_phases()?;
            return (artifact.text)(&target, &mut lowering);
        }
        if last == schedule::NAME {
            lowering.plan_groups()?;
            return Ok(schedule::text(lowering.operation()));
        }
        if last != INPUT {
            lowering.run_through(last)?;
        }
        Ok(lowering.text())
    }

    fn plan(&self, program: &Program, options: &CompileOptions) -> Result<Plan> {
        let target = self.target.configured(options, Purpose::Run)?;
        let plans = target.plans().ok_or_else(|| Error::invalid("the backend makes no plans"))?;
        let entry = entry_of(&target, program, options, Part::default());
        if let Some(plan) = plan_of_source(entry.as_ref()) {
            return Ok(plan);
        }
        let mut lowering = begin(&target, program, options, &[])?;
        expect_known_shapes(&target, &lowering, "a plan")?;
        plan_of_lowering(plans, &mut lowering, entry)
    }

    fn targets(&self, triple: Option<&str>) -> Result<String> {
        let objects = self.target.objects();
        let objects = objects.ok_or_else(|| Error::invalid("the backend makes no machine code"))?;
        objects.targets(triple)
    }

    fn object_code(
        &self,
        program: &Program,
        name: &str,
        options: &CompileOptions,
    ) -> Result<ObjectCode> {
        let target = self.target.configured(options, Purpose::Object)?;
        let objects = target.objects();
        let objects = objects.ok_or_else(|| Error::invalid("the backend makes no object files"))?;
        let mut lowering = begin(&target, program, options, &[])?;
        let form = objects.form();
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
        let code = objects.object(&mut lowering, &symbol)?;
        let code = lowering.take_object_code(name, (form, code));
        if options.external_constants != code.constants.is_some() {
            return Err(Error::internal(
                "the phases have not taken the constants out",
            ));
        }
        Ok(ObjectCode {
            input_names,
            output_names,
            target: objects.description(options),
            ..code
        })
    }

    fn check_phase(&self, name: &str, options: &CompileOptions) -> Result<()> {
        let Err(unknown) = self.phase(name) else {
            return Ok(());
        };
        let mut phases = self.edited_phases(options)?;
        if edits::has_pass(&phases, name) {
            edits::end_at(&mut phases, name)
        } else {
            Err(unknown)
        }
    }

    fn check_pipeline(&self, options: &CompileOptions) -> Result<()> {
        self.edited_phases(options).map(drop)
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
        let target = self.target.configured(options, Purpose::Run)?;
        predicted(&target, program, topology, options)
    }
}

/// Fails if a program is to be compiled at run time.
pub(super) fn expect_known_shapes<T: Target>(
    target: &T,
    lowering: &Lowering<'_>,
    product: &str,
) -> Result<()> {
    if !target.specializes(lowering.module()) {
        return Ok(());
    }
    let message = format!(
        "{product} is made for shapes that are known; {} has dimensions that are not",
        lowering.signature
    );
    Err(Error::invalid_file(&lowering.session.program.name, message))
}
