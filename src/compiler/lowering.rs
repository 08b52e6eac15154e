//! A program on its way through the phases of a backend.

mod bisected;
mod calls;
mod contracts;
mod metadata;
mod program;

use crate::{
    diagnostics::of_pass,
    pipelines::{Part, Phase, common::HLO, edits},
    registry::CONTEXTS,
    session::{Reproducer, Session},
};
#[doc(hidden)]
pub use bisected::Bisected;
use halo_backend::{CompileOptions, Program};
use halo_codegen::fusion::{apply_schedule, form_fusion_groups};
use halo_ir::{
    OwnedModule,
    diagnostics::with_remarks,
    pass::Verification,
    pipeline::{OptionValue, Pipeline},
    prelude::*,
};
use halo_runtime::{Error, Executable, Result, Signature};
use melior::{Context, ir::Module};
pub use metadata::Metadata;
pub(crate) use program::{flatten, inline, takes_tensors_only};
use std::{any::Any, io::Write, rc::Rc, time::Instant};

/// The phase before all others.
pub(crate) const INPUT: &str = "input";

/// Compiles a program for the same target, as a part of another one.
pub(crate) type CompilePart =
    dyn Fn(&Program, &CompileOptions, &[String]) -> Result<Box<dyn Executable>>;

/// A module that is lowered phase by phase.
pub struct Lowering<'a> {
    /// The entry with its inputs and outputs.
    pub signature: Signature,
    /// Results of the phases for the runtime.
    pub metadata: Metadata,
    /// The compilation.
    pub session: Session<'a>,
    module: OwnedModule,
    /// The remaining phases, in reverse order.
    phases: Vec<Phase>,
    /// The names of the finished phases, for [`contracts`].
    finished: Vec<String>,
    /// The reproducer of a crashing pass, once a phase has begun.
    reproducer: Option<Reproducer<'a>>,
    /// The disabled passes of a bisection.
    bisected: Option<Bisected>,
    compile_part: Box<CompilePart>,
}

impl<'a> Lowering<'a> {
    /// Parses a program and selects its entry.
    ///
    /// # Errors
    /// Returns invalid input with diagnostics.
    pub(crate) fn new(
        session: Session<'a>,
        mut phases: Vec<Phase>,
        compile_part: Box<CompilePart>,
    ) -> Result<Self> {
        let (program, options) = (session.program, session.options);
        let bisection = options.bisection.as_ref();
        let bisected = bisection.map(|bisection| Bisected::new(bisection, &phases));
        phases.reverse();
        let start = session.begin(INPUT);
        let mut signature = None;
        let module = OwnedModule::in_context_of(&CONTEXTS, program.code.len(), |context| {
            let (module, of_entry) = halo_frontend::load(context, program, options)?;
            signature = Some(of_entry);
            Ok::<_, Error>(module)
        })?;
        let mut lowering = Self {
            signature: signature.ok_or_else(|| Error::internal("a program without a signature"))?,
            metadata: Metadata::default(),
            session,
            module,
            phases,
            finished: Vec::new(),
            reproducer: None,
            bisected,
            compile_part,
        };
        let time = start.elapsed();
        if let Some(recording) = &mut lowering.session.recording {
            let signature = lowering.signature.to_string();
            recording.input(program, signature, (lowering.module.operation(), time))?;
        }
        lowering.finish_phase(INPUT, start)?;
        Ok(lowering)
    }

    /// The current module.
    pub fn module(&self) -> &Module<'_> {
        self.module.module()
    }

    /// The op of the module.
    pub fn operation(&self) -> Operation<'_> {
        self.module.operation()
    }

    /// The text of the module.
    pub fn text(&self) -> String {
        self.module().as_operation().to_string()
    }

    /// A function of the module. Edits of the pipeline may have removed it.
    ///
    /// # Errors
    /// Returns invalid input if there is none with the name.
    pub fn function(&self, name: &str) -> Result<Operation<'_>> {
        let functions = self.operation().body(0).map(Block::operations);
        let mut functions = functions.unwrap_or_default().into_iter();
        let is_named = |function: &Operation| {
            function.attribute("sym_name").and_then(Attribute::string_value) == Some(name)
        };
        functions.find(is_named).ok_or_else(|| {
            Error::invalid(format!(
                "the phases have left no function '{name}' that can be run"
            ))
        })
    }

    /// The context of the module.
    pub fn context(&self) -> &Context {
        self.module.context()
    }

    /// The module with its context, for an executable that walks it.
    pub fn into_module(self) -> OwnedModule {
        self.module
    }

    /// Edits the module outside of phases.
    ///
    /// # Errors
    /// Returns the error of the edit.
    pub(crate) fn edit<T>(&mut self, edit: impl FnOnce(&Context, &mut Module) -> T) -> T {
        self.module.edit(edit)
    }

    /// Runs passes outside of phases.
    ///
    /// # Errors
    /// Returns the diagnostics of the failing pass.
    pub fn run_pipeline(&mut self, pipeline: &Pipeline) -> Result<()> {
        self.edit(|context, module| halo_hlo::run_pipeline(context, module, pipeline))
    }

    /// Runs the remaining phases.
    ///
    /// # Errors
    /// Returns the diagnostics of the failing pass.
    pub fn run_phases(&mut self) -> Result<()> {
        self.run_phases_with(Verification::AtEnd)
    }

    /// Runs the remaining phases. `verification` applies to the last one: it can be skipped if LLVM
    /// verifies its output.
    ///
    /// # Errors
    /// As [`run_phases`](Self::run_phases).
    pub fn run_phases_with(&mut self, verification: Verification) -> Result<()> {
        let is_at_end = verification == Verification::AtEnd;
        self.watched(|lowering| {
            while let Some(phase) = lowering.phases.pop() {
                let is_last = lowering.phases.is_empty();
                lowering.run(&phase, lowering.verification(is_at_end && is_last))?;
            }
            Ok(())
        })
    }

    /// Runs the phases up to and including the named one.
    ///
    /// # Errors
    /// Like [`run_phases`](Self::run_phases); returns an internal error if no remaining phase has
    /// this name.
    pub fn run_through(&mut self, last: &str) -> Result<()> {
        self.watched(|lowering| {
            while let Some(phase) = lowering.phases.pop() {
                lowering.run(&phase, lowering.verification(phase.name == last))?;
                if phase.name == last {
                    return Ok(());
                }
            }
            Err(Error::internal(format!("no phase is named '{last}'")))
        })
    }

    /// Runs the passes up to and including the one at a place.
    ///
    /// # Errors
    /// Like [`run_phases`](Self::run_phases); returns an error if the place does not name one pass.
    pub(crate) fn run_through_pass(&mut self, place: &str) -> Result<()> {
        self.edit_phases(|phases| edits::end_at(phases, place))?;
        self.run_phases()
    }

    /// Runs the passes that choose fusion groups, which then only write down their decisions.
    ///
    /// # Errors
    /// Like [`run_phases`](Self::run_phases); returns an error if no phase forms groups.
    pub(crate) fn plan_groups(&mut self) -> Result<()> {
        let pass = form_fusion_groups::PASS.argument;
        self.set_option(pass, "plan-only", true)?;
        self.run_through_pass(pass)
    }

    /// Runs the phases up to and including the named one, without its output for tools, and returns
    /// the values of their remarks.
    ///
    /// # Errors
    /// Like [`run_through`](Self::run_through).
    pub(crate) fn details_through(&mut self, last: &str) -> Result<Vec<Rc<dyn Any>>> {
        let mut details = Vec::new();
        while let Some(phase) = self.phases.pop() {
            let found = self.edit(|context, module| {
                let (result, remarks) = with_remarks(context, || {
                    halo_hlo::run_pipeline(context, module, &phase.pipeline)
                });
                result.map(|()| remarks.into_iter().filter_map(|remark| remark.detail).collect())
            });
            details.append(&mut found?);
            if phase.name == last {
                return Ok(details);
            }
        }
        Err(Error::internal(format!("no phase is named '{last}'")))
    }

    /// Returns true if a remaining phase has a pass.
    pub(crate) fn has_pass(&self, pass: &str) -> bool {
        edits::has_pass(&self.phases, pass)
    }

    /// Sets an option of the only pass of a name in the remaining phases.
    ///
    /// # Errors
    /// Returns an error if there is not one such pass.
    pub(crate) fn set_option(
        &mut self,
        pass: &str,
        name: &'static str,
        value: impl Into<OptionValue>,
    ) -> Result<()> {
        self.edit_phases(|phases| edits::set_option(phases, pass, name, value))
    }

    /// Returns true if a phase of this name remains.
    pub(crate) fn has_phase(&self, name: &str) -> bool {
        self.phases.iter().any(|phase| phase.name == name)
    }

    fn edit_phases(&mut self, edit: impl FnOnce(&mut Vec<Phase>) -> Result<()>) -> Result<()> {
        self.phases.reverse();
        let edited = edit(&mut self.phases);
        self.phases.reverse();
        edited
    }

    /// Runs phases. A crash in their passes writes a reproducer, if enabled.
    fn watched(&mut self, run: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if self.reproducer.is_none() {
            let options = self.session.options.reproducer.as_ref();
            self.reproducer = Reproducer::of(options, self.session.program, self.module.module());
        }
        let reproducer = self.reproducer.as_mut();
        let phases = self.phases.iter().rev();
        let watch = reproducer.and_then(|reproducer| reproducer.watch(phases));
        let result = run(self);
        if let (Err(error), Some(reproducer)) = (&result, &self.reproducer) {
            reproducer.note(watch, error);
        }
        result
    }

    /// Returns the verification of a phase. The last phase, and all phases of edited pipelines, are
    /// verified at their end: passes that others inserted may leave invalid IR that the next pass
    /// does not report.
    fn verification(&self, is_last: bool) -> Verification {
        let options = self.session.options;
        if is_last || !options.pipeline_edits.is_empty() || options.bisection.is_some() {
            Verification::AtEnd
        } else {
            Verification::Later
        }
    }

    fn run(&mut self, phase: &Phase, verification: Verification) -> Result<()> {
        if let Some(cancellation) = self.session.cancellation {
            cancellation.check()?;
        }
        let start = self.session.begin(&phase.name);
        let _span = tracing::debug_span!("phase", name = &*phase.name).entered();
        let recording = self.session.recording.as_ref();
        let before = recording.map(|recording| recording.noted_time());
        let is_by_pass = before.is_some() || self.bisected.is_some();
        let parts = if is_by_pass || self.session.options.observers.want_passes() {
            phase.passes()
        } else {
            phase.parts()
        };
        parts.iter().try_for_each(|part| self.run_part(phase, part, verification))?;
        if phase.name == HLO {
            program::expect_bodies(self.module())?;
        }
        self.read_metadata()?;
        let is_edited = !self.session.options.pipeline_edits.is_empty() || self.bisected.is_some();
        if cfg!(debug_assertions) && !is_edited {
            self.finished.push(phase.name.to_string());
            contracts::check(self.operation(), &self.finished)?;
        }
        if let (Some(recording), Some(before)) = (&mut self.session.recording, before) {
            recording.finish_phase(&phase.name, self.module.operation(), start, before);
        }
        self.finish_phase(&phase.name, start)
    }

    fn run_part(&mut self, phase: &Phase, part: &Part, verification: Verification) -> Result<()> {
        let start = Instant::now();
        let result = match self.bisected.take() {
            None => self.run_recorded(phase, part, verification),
            Some(mut bisected) => {
                let result = bisected.run(|| self.run_recorded(phase, part, verification));
                self.bisected = Some(bisected);
                result
            }
        };
        tracing::trace!(pipeline = %part.pipeline, time = ?start.elapsed(), "passes ran");
        if self.session.options.observers.want_passes() {
            let time = start.elapsed();
            let observers = &self.session.options.observers;
            observers.pass_finished(&part.pipeline.to_string(), time);
        }
        let Some(pass) = &part.alone else {
            return result;
        };
        let is_added = phase.added.contains(pass);
        if is_added {
            // An error in a schedule is not an error of the pass that applies it.
            if pass == apply_schedule::PASS.argument {
                result?
            } else {
                result.map_err(|error| of_pass(error, pass))?
            }
            self.session.report(&format!("{}/{pass}", phase.name), start.elapsed());
            self.dump(&format!("{}-{pass}", phase.name))?;
        } else {
            result?;
        }
        if phase.printed.contains(pass) {
            // Ignore a closed pipe.
            let _ = writeln!(
                std::io::stderr(),
                "// -----// IR Dump After {pass} (phase {}) //----- //\n{}",
                phase.name,
                self.text()
            );
        }
        Ok(())
    }

    /// Runs passes and records their effects.
    fn run_recorded(
        &mut self,
        phase: &Phase,
        part: &Part,
        verification: Verification,
    ) -> Result<()> {
        let pipeline = &part.pipeline;
        let module = &mut self.module;
        let Some(recording) = &mut self.session.recording else {
            return module.edit(|context, module| {
                halo_hlo::run_pipeline_with(context, module, pipeline, verification)
            });
        };
        let pass = pipeline.to_string();
        recording.before(&pass, module.operation());
        let start = Instant::now();
        let result = module.edit(|context, module| {
            recording.remarks(context, || {
                halo_hlo::run_pipeline_with(context, module, pipeline, verification)
            })
        });
        let (place, time) = ((&*phase.name, &*pass), start.elapsed());
        match result {
            Ok(()) => recording.after(place, (module.operation(), time)),
            Err(error) => {
                recording.failed(place, time);
                Err(error)
            }
        }
    }

    /// Notifies the observers of a phase that ends, and dumps the module.
    pub(crate) fn finish_phase(&mut self, name: &str, start: Instant) -> Result<()> {
        self.session.report(name, start.elapsed());
        self.dump(name)
    }

    fn dump(&mut self, name: &str) -> Result<()> {
        let module = &self.module;
        self.session.dump((name, "mlir"), || {
            module.module().as_operation().to_string()
        })
    }
}
