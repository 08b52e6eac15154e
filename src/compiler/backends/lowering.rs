//! Compilation of a program through the phases of a backend.
//!
//! A device is a [`Target`]: its phases, and a function that makes an executable of the lowered
//! module. [`TargetCompiler`] is the compiler of every target: it reads programs of any format,
//! compiles programs of dynamic shapes once per input shape, and writes dumps and times of phases.
//! All backends of this crate are targets; `docs/backends.md` builds one.

mod cached;
mod compiler;
mod prediction;
mod reproducer;
mod schedule;
mod specializer;
mod target;
mod value_names;

use super::call_sites::of_attribute;
use super::specialization::{self, Inputs, SpecializingExecutable, computed_sizes};
use crate::pipelines::{Part, Phase, common::HLO, edits};
use crate::record::{CompilationRecord, Recorder, Recording};
use crate::registry::CONTEXTS;
pub use cached::Stored;
use cached::{Entry, Part as ProgramPart, executable_of_lowering, executable_of_source};
pub use compiler::TargetCompiler;
use halo_codegen::{
    bufferize::externalize_constants,
    fusion::{apply_schedule, form_fusion_groups},
};
use halo_core::file::write_whole;
use halo_hlo::transforms::{
    collectives::expand_communication,
    legalize::{flatten_tuples, stablehlo_legalize_composite_to_call},
    shapes::align_bounded_operands,
};
use halo_ir::{
    OwnedModule,
    diagnostics::file_line_column,
    edit_module,
    ops::{
        Op as _,
        halo::{ARENA_BYTES, ARENA_LARGEST, CALL_SITES, CONSTANTS, ENTRY},
    },
    pass::Verification,
    pipeline,
    pipeline::{Pipeline, upstream},
    prelude::*,
};
use halo_runtime::{
    CompileOptions, CustomCallRegistry, CustomCallSite, Error, Executable, ObjectCode, Program,
    Result, Signature,
    background::Cancellation,
    communication::run_parallel::{self, Executables, Programs, RUN_PARALLEL},
    object_code::{CodeForm, external_constants::ExternalConstants},
    observer::ObservedCompilation,
};
use melior::{Context, ir::Module};
use reproducer::Reproducer;
use specializer::Specializer;
use std::{
    borrow::Cow,
    io::Write,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};
pub use target::Target;

/// The phase before all others.
const INPUT: &str = "input";

/// Inlines a program of dynamic shapes into one function.
pub fn inline() -> Pipeline {
    pipeline![
        &stablehlo_legalize_composite_to_call::PASS,
        upstream("inline"),
        upstream("symbol-dce"),
        &align_bounded_operands::PASS,
    ]
}

/// Flattens the entry's arguments and results to tensors, as in its signature.
fn flatten() -> Pipeline {
    pipeline![&expand_communication::PASS, &flatten_tuples::PASS,]
}

/// Returns true if all arguments and results of the entry are tensors, as in its signature.
fn takes_tensors_only(module: &Module) -> Result<bool> {
    let entry = halo_frontend::entry_of(module)?;
    let (arguments, results) = halo_codegen::function::signature(entry).unwrap_or_default();
    let mut types = arguments.into_iter().chain(results);
    Ok(types.all(Type::is_tensor))
}

/// Fails at the first call of a function without a body, which cannot be linked, and at a
/// function with an invalid name.
fn expect_bodies(module: &Module) -> Result<()> {
    let root = halo_ir::root_of(module);
    let mut names: Vec<&str> = Vec::new();
    for function in root.collect_nested(|op| op.isa::<func::FuncOp>()) {
        match function.attribute("sym_name").and_then(Attribute::string_value) {
            Some(name) if function.body(0).is_none() => names.push(name),
            Some(_) => {}
            None => {
                let message = "'func.func' op has attribute 'sym_name', which is not valid UTF-8";
                return Err(error_at(function, message));
            }
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    let calls = root.collect_nested(|op| {
        let call = op.cast::<func::CallOp>();
        call.is_some_and(|call| names.contains(&call.callee()))
    });
    let Some(call) = calls.first().and_then(|op| op.cast::<func::CallOp>()) else {
        return Ok(());
    };
    let message = format!(
        "'func.call' op calls @{}, which has no body; functions of the application are called \
         by 'stablehlo.custom_call'",
        call.callee()
    );
    Err(error_at(call.operation(), message))
}

/// An error of the program, at an op.
pub fn error_at(op: Operation, message: impl Into<String>) -> Error {
    let message = message.into();
    let place = file_line_column(op.location());
    let diagnostic = place.map(|place| format!("{place}: error: {message}"));
    Error::diagnosed(message, diagnostic.into_iter().collect())
}

/// The properties of a compiled program that the runtime needs in addition to its code.
#[derive(Default)]
pub struct Metadata {
    /// Bytes of the arena.
    pub arena_size: usize,
    /// The location of its largest buffer.
    pub arena_largest: String,
    /// The call sites, indexed by the numbers in generated code.
    pub custom_calls: Vec<CustomCallSite>,
    /// The externalized constants.
    pub constants: Option<ExternalConstants>,
}

/// A module that is lowered phase by phase.
pub struct Lowering<'a, T> {
    /// The entry with its inputs and outputs.
    pub signature: Signature,
    /// Results of the phases for the runtime.
    pub metadata: Metadata,
    /// The options of the compilation.
    pub options: &'a CompileOptions,
    module: OwnedModule,
    target: T,
    /// The remaining phases, in reverse order.
    phases: Vec<Phase>,
    program: &'a Program,
    /// The programs that run this one through `interpreter.run_parallel`.
    enclosing: &'a [String],
    number: usize,
    /// The cache entry of the executable.
    entry: Option<Entry<'a>>,
    /// Cancels a background compilation.
    cancellation: Option<&'a Cancellation>,
    /// The record of the compilation, if it has one.
    recording: Option<Recording>,
    /// The reproducer of a crashing pass, once a phase has begun.
    reproducer: Option<Reproducer<'a>>,
    /// Dropped with the lowering.
    _observed: ObservedCompilation,
}

impl<'a, T: Target> Lowering<'a, T> {
    /// Parses a program and selects its entry.
    ///
    /// # Errors
    /// Returns invalid input with diagnostics.
    fn new(
        target: &T,
        program: &'a Program,
        options: &'a CompileOptions,
        enclosing: &'a [String],
    ) -> Result<Self> {
        let observed = options.observers.compilation();
        let mut phases = target.phases();
        edits::apply(&mut phases, options)?;
        if options.external_constants {
            edits::externalize_constants(&mut phases)?;
        }
        if options.debug_info {
            edits::add_debug_info(&mut phases)?;
        }
        phases.reverse();
        options.observers.phase_started(INPUT);
        let start = Instant::now();
        let mut signature = None;
        let module = OwnedModule::in_context_of(&CONTEXTS, program.code.len(), |context| {
            let (module, of_entry) = halo_frontend::load(context, program, options)?;
            signature = Some(of_entry);
            Ok::<_, Error>(module)
        })?;
        let mut lowering = Self {
            signature: signature.ok_or_else(|| Error::internal("a program without a signature"))?,
            metadata: Metadata::default(),
            options,
            module,
            target: target.clone(),
            phases,
            program,
            enclosing,
            number: 0,
            entry: None,
            cancellation: None,
            recording: Recording::of(options, start),
            reproducer: None,
            _observed: observed,
        };
        let time = start.elapsed();
        if let Some(recording) = &mut lowering.recording {
            let signature = lowering.signature.to_string();
            recording.input(program, signature, (lowering.module.operation(), time))?;
        }
        lowering.finish_phase(INPUT, time)?;
        if target.specializes(lowering.module()) {
            // Constants may determine sizes; the remaining sizes are searched for in one function.
            lowering.run_pipeline(&inline())?;
            if !takes_tensors_only(lowering.module())? {
                lowering.run_pipeline(&flatten())?;
            }
            lowering.resolve(None)?;
        }
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

    /// Adds results that a target computes after the phases to the record, if there is one.
    pub fn record(&self, put: impl FnOnce(&mut CompilationRecord)) {
        if let Some(recorder) = self.recorder() {
            put(&mut recorder.record());
        }
    }

    /// The recorder of the compilation, if it has one.
    pub fn recorder(&self) -> Option<&Recorder> {
        self.recording.as_ref().map(Recording::recorder)
    }

    /// Runs passes outside of phases.
    ///
    /// # Errors
    /// Returns the diagnostics of the failing pass.
    pub fn run_pipeline(&mut self, pipeline: &Pipeline) -> Result<()> {
        self.module
            .edit(|context, module| halo_hlo::run_pipeline(context, module, pipeline))
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

    /// Runs phases. A crash in their passes writes a reproducer, if enabled.
    fn watched(&mut self, run: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if self.reproducer.is_none() {
            let options = self.options.reproducer.as_ref();
            self.reproducer = Reproducer::of(options, self.program, self.module.module());
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

    /// Runs the passes up to and including the one at a place.
    ///
    /// # Errors
    /// Like [`run_phases`](Self::run_phases); returns an error if the place does not name one pass.
    fn run_through_pass(&mut self, place: &str) -> Result<()> {
        self.phases.reverse();
        let ended = edits::end_at(&mut self.phases, place);
        self.phases.reverse();
        ended?;
        self.run_phases()
    }

    /// The fusion decisions, as a schedule that a user can edit.
    ///
    /// # Errors
    /// Like [`run_phases`](Self::run_phases); returns an error if no phase forms groups.
    fn schedule(&mut self) -> Result<String> {
        let pass = form_fusion_groups::PASS.argument;
        self.phases.reverse();
        let changed = edits::set_option(&mut self.phases, pass, "plan-only", true);
        self.phases.reverse();
        changed?;
        self.run_through_pass(pass)?;
        Ok(schedule::text(self.operation()))
    }

    /// The cancellation of a background compilation, which runs in one thread.
    pub fn cancellation(&self) -> Option<&'a Cancellation> {
        self.cancellation
    }

    /// Returns the verification of a phase. The last phase, and all phases of edited pipelines, are
    /// verified at their end: passes that others inserted may leave invalid IR that the next pass
    /// does not report.
    fn verification(&self, is_last: bool) -> Verification {
        if is_last || !self.options.pipeline_edits.is_empty() {
            Verification::AtEnd
        } else {
            Verification::Later
        }
    }

    fn run(&mut self, phase: &Phase, verification: Verification) -> Result<()> {
        self.cancellation.map_or(Ok(()), Cancellation::check)?;
        let start = self.begin(&phase.name);
        let _span = tracing::debug_span!("phase", name = &*phase.name).entered();
        let parts = if self.recording.is_some() || self.options.observers.want_passes() {
            phase.passes()
        } else {
            phase.parts()
        };
        let before = self.recording.as_ref().map(Recording::noted_time);
        parts.iter().try_for_each(|part| self.run_part(phase, part, verification))?;
        if phase.name == HLO {
            expect_bodies(self.module())?;
        }
        self.read_metadata()?;
        if let (Some(recording), Some(before)) = (&mut self.recording, before) {
            recording.finish_phase(&phase.name, self.module.operation(), start, before);
        }
        self.finish_phase(&phase.name, start.elapsed())
    }

    /// Runs passes and records their effects.
    fn run_recorded(
        &mut self,
        phase: &Phase,
        part: &Part,
        verification: Verification,
    ) -> Result<()> {
        let pipeline = &part.pipeline;
        let Some(recording) = &self.recording else {
            return self.module.edit(|context, module| {
                halo_hlo::run_pipeline_with(context, module, pipeline, verification)
            });
        };
        let pass = pipeline.to_string();
        recording.before(&pass, self.module.operation());
        let start = Instant::now();
        let result = self.module.edit(|context, module| {
            recording.remarks(context, || {
                halo_hlo::run_pipeline_with(context, module, pipeline, verification)
            })
        });
        let (place, time) = ((&*phase.name, &*pass), start.elapsed());
        match (result, &mut self.recording) {
            (Ok(()), Some(recording)) => recording.after(place, (self.module.operation(), time)),
            (Err(error), Some(recording)) => {
                recording.failed(place, time);
                Err(error)
            }
            (result, None) => result,
        }
    }

    fn run_part(&mut self, phase: &Phase, part: &Part, verification: Verification) -> Result<()> {
        let start = Instant::now();
        let result = self.run_recorded(phase, part, verification);
        tracing::trace!(pipeline = %part.pipeline, time = ?start.elapsed(), "passes ran");
        if self.options.observers.want_passes() {
            let time = start.elapsed();
            self.options.observers.pass_finished(&part.pipeline.to_string(), time);
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
            let place = format!("{}/{pass}", phase.name);
            self.report(&place, start.elapsed());
            let file = format!("{}-{pass}", phase.name);
            self.finish_step((&file, "mlir"), |lowering| lowering.text())?;
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

    fn text(&self) -> String {
        self.module().as_operation().to_string()
    }

    fn finish_phase(&mut self, name: &str, time: Duration) -> Result<()> {
        self.report(name, time);
        self.finish_step((name, "mlir"), |lowering| lowering.text())
    }

    /// Notifies the observers that a phase begins, and returns the time.
    pub fn begin(&self, phase: &str) -> Instant {
        self.options.observers.phase_started(phase);
        Instant::now()
    }

    /// Notifies the observers of the time of a phase.
    pub fn report(&self, phase: &str, time: Duration) {
        self.options.observers.phase_finished(phase, time);
    }

    /// Writes the output of a step after the phases, if requested, and counts
    /// the step.
    ///
    /// # Errors
    /// Returns invalid input if the file cannot be written.
    pub fn finish_step(
        &mut self,
        (name, extension): (&str, &str),
        text: impl FnOnce(&Self) -> String,
    ) -> Result<()> {
        if let Some(folder) = &self.options.dump_dir {
            dump(folder, self.number, (name, extension), &text(self))?;
        }
        self.number += 1;
        Ok(())
    }

    /// Reads attributes as soon as they exist.
    fn read_metadata(&mut self) -> Result<()> {
        let module = self.module.operation();
        let functions = module.body(0).map(Block::operations).unwrap_or_default();
        for function in functions {
            if function.has_attribute(ENTRY)
                && let Some(bytes) =
                    function.attribute(ARENA_BYTES).and_then(Attribute::integer_value)
            {
                self.metadata.arena_size = usize::try_from(bytes).unwrap_or(0);
                let largest = function.attribute(ARENA_LARGEST).and_then(Attribute::string_value);
                self.metadata.arena_largest = largest.unwrap_or_default().to_owned();
            }
        }
        if let Some(sites) = module.attribute(CALL_SITES) {
            let sites = sites.array_elements().into_iter();
            self.metadata.custom_calls = sites.map(of_attribute).collect::<Result<_>>()?;
        }
        if let Some(data) = module.attribute(CONSTANTS).and_then(Attribute::dense_data) {
            if !self.options.external_constants {
                return Err(Error::invalid(format!(
                    "pass '{}' is for object files: halo-compile --constants=external",
                    externalize_constants::PASS.argument
                )));
            }
            // A splat is stored as one element.
            let count = data.ty.element_count().unwrap_or(0);
            let bytes = if data.splat {
                Cow::Owned(data.bytes.repeat(usize::try_from(count).unwrap_or(0)))
            } else {
                Cow::Borrowed(data.bytes)
            };
            self.metadata.constants = Some(ExternalConstants::new(&bytes, &self.signature));
            // Dumps of later phases need not contain them.
            module.remove_attribute(CONSTANTS);
        }
        Ok(())
    }

    /// The code of the program, without names of inputs and outputs.
    pub fn take_object_code(
        &mut self,
        name: &str,
        (form, code): (CodeForm, Vec<u8>),
    ) -> ObjectCode {
        ObjectCode {
            name: name.to_owned(),
            signature: self.signature.clone(),
            input_names: Vec::new(),
            output_names: Vec::new(),
            target: String::new(),
            arena_size: self.metadata.arena_size,
            custom_calls: std::mem::take(&mut self.metadata.custom_calls),
            constants: self.metadata.constants.take(),
            form,
            code,
        }
    }

    /// The custom calls that the program may use, including handlers for programs that it runs in
    /// parallel, each compiled separately.
    ///
    /// # Errors
    /// Returns the errors of compiling these programs.
    pub fn registry(&self, sites: &[CustomCallSite]) -> Result<Arc<CustomCallRegistry>> {
        let sites = sites.iter().filter(|site| site.target == RUN_PARALLEL);
        let mut executables = Executables::new();
        for site in sites {
            let programs = Programs::from_attributes(&site.attributes).map_err(Error::internal)?;
            for name in programs.names() {
                if !executables.contains_key(name) {
                    let executable = Arc::from(self.compile_part(name, &site.location)?);
                    executables.insert(name.to_owned(), executable);
                }
            }
        }
        if executables.is_empty() {
            return Ok(Arc::clone(&self.options.custom_calls));
        }
        let mut registry = (*self.options.custom_calls).clone();
        registry.register(RUN_PARALLEL, run_parallel::handler(executables));
        Ok(Arc::new(registry))
    }

    fn compile_part(&self, name: &str, location: &str) -> Result<Box<dyn Executable>> {
        let mut enclosing = self.enclosing.to_vec();
        enclosing.push(self.signature.name.clone());
        if enclosing.iter().any(|outer| outer == name) {
            let message = format!("'interpreter.run_parallel' op runs '{name}' inside of itself");
            let diagnostic = format!("{location}: error: {message}");
            return Err(Error::diagnosed(message, vec![diagnostic]));
        }
        let options = CompileOptions {
            entry: Some(name.to_owned()),
            dump_dir: self.options.dump_dir.as_ref().map(|dir| dir.join(name)),
            // Its processes are a separate grid.
            partitioning: None,
            external_constants: false,
            record: None,
            ..self.options.clone()
        };
        compile_in(&self.target, self.program, &options, &enclosing, 0)
    }

    /// Slices the program down to its size computation, and repeats on the result `times` times.
    fn keep_sizes(&mut self, times: usize) -> Result<()> {
        for _ in 0..times {
            self.module
                .edit(|_, module| {
                    edit_module(module, |module| {
                        specialization::keep_sizes(halo_frontend::entry_in(module)?);
                        Ok::<_, Error>(())
                    })
                })
                .map_err(Error::internal)??;
            self.signature = halo_frontend::entry_signature(self.module())?;
        }
        Ok(())
    }

    /// Substitutes the known shapes and refines the program.
    fn resolve(&mut self, inputs: Option<Inputs<'_>>) -> Result<()> {
        let start = self.begin("shapes");
        self.module
            .edit(|context, module| specialization::resolve(context, module, inputs))?;
        self.signature = halo_frontend::entry_signature(self.module())?;
        self.finish_phase("shapes", start.elapsed())
    }
}

/// Compiles a program, or its size computation, recursively.
fn compile_in<T: Target>(
    target: &T,
    program: &Program,
    options: &CompileOptions,
    enclosing: &[String],
    depth: usize,
) -> Result<Box<dyn Executable>> {
    let (name, asked) = (&program.name, options.entry.as_deref());
    let _span = tracing::debug_span!("compile", program = name, entry = asked, depth).entered();
    let part = ProgramPart {
        depth,
        inputs: None,
    };
    let entry = Entry::of(target, program, options, part);
    if entry.is_some()
        && target.device().is_ok()
        && let Some(executable) = executable_of_source(target, entry.as_ref())
    {
        return Ok(executable);
    }
    let mut lowering = Lowering::new(target, program, options, enclosing)?;
    lowering.keep_sizes(depth)?;
    let device = target.device()?;
    if !target.specializes(lowering.module()) {
        return executable_of_lowering(target, lowering, entry);
    }
    // Each step leaves fewer ops with computed sizes.
    let has_sizes = !computed_sizes(halo_frontend::entry_of(lowering.module())?).is_empty();
    let sizes = if has_sizes {
        let options = CompileOptions {
            dump_dir: options.dump_dir.as_ref().map(|dir| dir.join("sizes")),
            record: None,
            ..options.clone()
        };
        let part = compile_in(target, program, &options, enclosing, depth + 1)?;
        Some(part)
    } else {
        None
    };
    let specializer = Specializer::new(target, program, options, (enclosing, depth));
    Ok(Box::new(SpecializingExecutable::new(
        lowering.module.module(),
        lowering.signature,
        device,
        sizes,
        Box::new(move |inputs, compilation| specializer.specialize(inputs, compilation)),
    )))
}

/// Adds the name of the pass to an error, unless the error contains it.
fn of_pass(error: Error, pass: &str) -> Error {
    match error {
        Error::InvalidInput {
            message,
            mut diagnostics,
        } => {
            if !diagnostics.iter().any(|text| text.contains(pass))
                && let Some(first) = diagnostics.first_mut()
            {
                *first = first.replacen("error: ", &format!("error: pass '{pass}' failed: "), 1);
            }
            Error::diagnosed(message, diagnostics)
        }
        error => error,
    }
}

/// Writes a dump atomically.
fn dump(folder: &Path, number: usize, (phase, extension): (&str, &str), text: &str) -> Result<()> {
    let path = folder.join(format!("{number:02}-{phase}.{extension}"));
    std::fs::create_dir_all(folder).map_err(|error| {
        let message = format!("{}: error: {error}", folder.display());
        Error::diagnosed(message.clone(), vec![message])
    })?;
    Ok(write_whole(&path, |file| file.write_all(text.as_bytes()))?)
}
