//! A program on its way through the phases of a backend: what all backends do
//! that compile for static shapes.

use super::call_sites::of_attribute;
use super::specialization::{self, Inputs, SpecializingExecutable, computed_sizes, is_dynamic};
use crate::pipelines::{Phase, common::HLO};
use halo_core::file::write_whole;
use halo_hlo::transforms::{
    align_bounded_operands, expand_communication, flatten_tuples,
    stablehlo_legalize_composite_to_call,
};
use halo_ir::{
    Operation, attribute_list, attribute_of, body_of, collect_operations,
    diagnostics::file_line_column,
    edit_module, operations_of,
    ops::{
        Op as _, OperationExt, func,
        halo::{ARENA_BYTES, ARENA_LARGEST, CALL_SITES, ENTRY},
    },
    pipeline,
    pipeline::{Pipeline, upstream},
    string_value,
};
use halo_runtime::{
    CompileOptions, CustomCallRegistry, CustomCallSite, Device, Error, Executable,
    PhaseDescription, Program, Result, Signature,
    communication::run_parallel::{self, Executables, Programs, RUN_PARALLEL},
};
use melior::{
    Context,
    ir::{Module, operation::OperationLike},
};
use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

/// The phase before all others.
const INPUT: &str = "input";

/// Makes one function of a program of dynamic shapes.
pub fn inline() -> Pipeline {
    pipeline![
        &stablehlo_legalize_composite_to_call::PASS,
        upstream("inline"),
        upstream("symbol-dce"),
        &align_bounded_operands::PASS,
    ]
}

/// Makes the entry's arguments and results tensors, as its signature has them.
fn flatten() -> Pipeline {
    pipeline![&expand_communication::PASS, &flatten_tuples::PASS,]
}

/// The descriptions of phases, with that of the program as it was read before
/// them.
pub fn descriptions(phases: &[Phase]) -> Vec<PhaseDescription> {
    let mut all = vec![PhaseDescription {
        name: INPUT.into(),
        summary: "The program as it was read".into(),
    }];
    all.extend(phases.iter().map(|phase| PhaseDescription {
        name: phase.name.clone(),
        summary: phase.summary.clone(),
    }));
    all
}

/// Whether all arguments and results of the entry are tensors, as in its signature.
fn takes_tensors_only(module: &Module) -> Result<bool> {
    let entry = halo_frontend::entry_of(module)?;
    let (arguments, results) = halo_codegen::function::signature(entry).unwrap_or_default();
    let mut types = arguments.into_iter().chain(results);
    Ok(types.all(halo_ir::is_tensor))
}

/// Fails at the first call of a function without a body, which nothing can link, and at a
/// function whose name cannot be read.
fn expect_bodies(module: &Module) -> Result<()> {
    let root = halo_ir::root_of(module);
    let mut names: Vec<&str> = Vec::new();
    for function in collect_operations(root, |op| op.isa::<func::FuncOp>()) {
        match attribute_of(function, "sym_name").and_then(string_value) {
            Some(name) if body_of(function, 0).is_none() => names.push(name),
            Some(_) => {}
            None => {
                let message = "'func.func' op has attribute 'sym_name', which is not valid UTF-8";
                return Err(error_at(function, message.to_owned()));
            }
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    let calls = collect_operations(root, |op| {
        let call = op.cast::<func::CallOp>();
        call.is_some_and(|call| names.contains(&call.callee()))
    });
    let Some(call) = calls.first().and_then(|op| op.cast::<func::CallOp>()) else {
        return Ok(());
    };
    let message = format!("'func.call' op calls @{}, which has no body", call.callee());
    Err(error_at(call.operation(), message))
}

fn error_at(op: Operation, message: String) -> Error {
    let place = file_line_column(op.location());
    let diagnostic = place.map(|place| format!("{place}: error: {message}"));
    Error::diagnosed(message, diagnostic.into_iter().collect())
}

/// The properties of a compiled program that the runtime needs beside its code.
#[derive(Default)]
pub struct Metadata {
    /// Bytes of the arena.
    pub arena_size: usize,
    /// Where in the program its largest buffer comes from.
    pub arena_largest: String,
    /// The call sites in the order of the numbers that generated code passes.
    pub custom_calls: Vec<CustomCallSite>,
}

/// The steps of a backend after its phases, and the platform that runs the
/// result.
pub trait Target: Clone + Send + Sync + 'static {
    /// Where executables run.
    ///
    /// # Errors
    /// Execution if there is no such device.
    fn device(&self) -> Result<Device>;

    /// Runs all phases on a program of static shapes, and loads the result.
    ///
    /// # Errors
    /// Those of the phases; execution if loading fails.
    fn executable(&self, lowering: Lowering<'_, '_, Self>) -> Result<Box<dyn Executable>>;
}

/// A module that goes through phases, one after the other.
pub struct Lowering<'c, 'a, T> {
    pub context: &'c Context,
    pub module: Module<'c>,
    pub signature: Signature,
    pub metadata: Metadata,
    pub options: &'a CompileOptions,
    target: T,
    program: &'a Program,
    /// The programs that run this one by `interpreter.run_parallel`.
    enclosing: &'a [String],
    number: usize,
}

impl<'c, 'a, T: Target> Lowering<'c, 'a, T> {
    /// Reads a program and chooses its entry.
    ///
    /// # Errors
    /// Invalid input with diagnostics.
    pub fn new(
        target: T,
        context: &'c Context,
        program: &'a Program,
        options: &'a CompileOptions,
        enclosing: &'a [String],
    ) -> Result<Self> {
        let start = Instant::now();
        let (module, signature) = halo_frontend::load(context, program, options)?;
        let mut lowering = Self {
            context,
            module,
            signature,
            metadata: Metadata::default(),
            options,
            target,
            program,
            enclosing,
            number: 0,
        };
        lowering.finish_phase(INPUT, start.elapsed())?;
        if is_dynamic(&lowering.module) {
            // Sizes may follow from constants alone; and those that do not are
            // looked for in one function.
            halo_hlo::run_pipeline(context, &mut lowering.module, &inline())?;
            if !takes_tensors_only(&lowering.module)? {
                halo_hlo::run_pipeline(context, &mut lowering.module, &flatten())?;
            }
            lowering.resolve(None)?;
        }
        Ok(lowering)
    }

    /// Runs a phase.
    ///
    /// # Errors
    /// Invalid input with the diagnostics of the pass that failed.
    pub fn run(&mut self, phase: &Phase) -> Result<()> {
        let start = Instant::now();
        halo_hlo::run_pipeline(self.context, &mut self.module, &phase.pipeline)?;
        if phase.name == HLO {
            expect_bodies(&self.module)?;
        }
        self.read_metadata()?;
        self.finish_phase(&phase.name, start.elapsed())
    }

    /// Runs the phases up to and including the named one and returns the
    /// program; `None` if no phase has this name.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_to(&mut self, phases: &[Phase], last: &str) -> Result<Option<String>> {
        let mut reached = last == INPUT;
        for phase in phases {
            if reached {
                break;
            }
            self.run(phase)?;
            reached = phase.name == last;
        }
        Ok(reached.then(|| self.module.as_operation().to_string()))
    }

    fn finish_phase(&mut self, name: &str, time: Duration) -> Result<()> {
        self.report(name, time);
        self.dump(name, "mlir", || self.module.as_operation().to_string())?;
        self.number += 1;
        Ok(())
    }

    /// Says how long a phase took, if that is wanted.
    pub fn report(&self, phase: &str, time: Duration) {
        if self.options.timing {
            eprintln!("{:>9.3} ms  {phase}", time.as_secs_f64() * 1e3);
        }
    }

    /// Writes the output of a step after the phases, if requested, and counts
    /// the step.
    ///
    /// # Errors
    /// Invalid input if the file cannot be written.
    pub fn finish_step(
        &mut self,
        (name, extension): (&str, &str),
        text: impl FnOnce() -> String,
    ) -> Result<()> {
        self.dump(name, extension, text)?;
        self.number += 1;
        Ok(())
    }

    fn dump(&self, name: &str, extension: &str, text: impl FnOnce() -> String) -> Result<()> {
        match &self.options.dump_dir {
            Some(folder) => dump(folder, self.number, (name, extension), &text()),
            None => Ok(()),
        }
    }

    /// Attributes are read as soon as they are there.
    fn read_metadata(&mut self) -> Result<()> {
        let module = halo_ir::root_of(&self.module);
        let functions = body_of(module, 0).map(operations_of).unwrap_or_default();
        for function in functions {
            if function.has_attribute(ENTRY)
                && let Some(bytes) = function
                    .attribute(ARENA_BYTES)
                    .ok()
                    .and_then(halo_ir::integer_attribute_value)
            {
                self.metadata.arena_size = usize::try_from(bytes).unwrap_or(0);
                let largest = function
                    .attribute(ARENA_LARGEST)
                    .ok()
                    .and_then(string_value);
                self.metadata.arena_largest = largest.unwrap_or_default().to_owned();
            }
        }
        if let Some(sites) = attribute_of(module, CALL_SITES) {
            let sites = attribute_list(sites).into_iter();
            self.metadata.custom_calls = sites.map(of_attribute).collect::<Result<_>>()?;
        }
        Ok(())
    }

    /// The names that custom calls of the program may use, including those of
    /// programs that it runs in parallel, each compiled as a program of its
    /// own.
    ///
    /// # Errors
    /// Those of their compilation.
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
            ..self.options.clone()
        };
        compile_in(&self.target, self.program, &options, &enclosing, 0)
    }

    /// Leaves of the program what computes its sizes, then of that the same, as
    /// often as is said.
    fn keep_sizes(&mut self, times: usize) -> Result<()> {
        for _ in 0..times {
            edit_module(&mut self.module, |module| {
                specialization::keep_sizes(halo_frontend::entry_in(module)?)
                    .map_err(Error::internal)
            })
            .map_err(Error::internal)??;
            self.signature = halo_frontend::entry_signature(&self.module)?;
        }
        Ok(())
    }

    /// Puts all shapes that are known into the program.
    fn resolve(&mut self, inputs: Option<Inputs<'_>>) -> Result<()> {
        let start = Instant::now();
        specialization::resolve(self.context, &mut self.module, inputs)?;
        self.signature = halo_frontend::entry_signature(&self.module)?;
        self.finish_phase("shapes", start.elapsed())
    }
}

/// Compiles a program; one of dynamic shapes to an executable that compiles when
/// they are known.
///
/// # Errors
/// Invalid input with diagnostics; execution if there is no device.
pub fn compile<T: Target>(
    target: &T,
    program: &Program,
    options: &CompileOptions,
) -> Result<Box<dyn Executable>> {
    compile_in(target, program, options, &[], 0)
}

/// Compiles a program, which others may run, or the part of it that computes
/// sizes, or of that the part that computes its sizes, and so on.
fn compile_in<T: Target>(
    target: &T,
    program: &Program,
    options: &CompileOptions,
    enclosing: &[String],
    depth: usize,
) -> Result<Box<dyn Executable>> {
    let context = crate::context();
    let mut lowering = Lowering::new(target.clone(), &context, program, options, enclosing)?;
    lowering.keep_sizes(depth)?;
    if !is_dynamic(&lowering.module) {
        return target.executable(lowering);
    }
    // Each time, fewer ops are left that have sizes.
    let has_sizes = !computed_sizes(halo_frontend::entry_of(&lowering.module)?).is_empty();
    let sizes = match has_sizes {
        true => {
            let options = CompileOptions {
                dump_dir: options.dump_dir.as_ref().map(|dir| dir.join("sizes")),
                ..options.clone()
            };
            let part = compile_in(target, program, &options, enclosing, depth + 1)?;
            Some(part)
        }
        false => None,
    };
    let (owned, program, options) = (target.clone(), program.clone(), options.clone());
    let enclosing = enclosing.to_vec();
    let specialize = move |inputs: Inputs<'_>| {
        let context = crate::context();
        let mut lowering = Lowering::new(owned.clone(), &context, &program, &options, &enclosing)?;
        lowering.keep_sizes(depth)?;
        lowering.resolve(Some(inputs))?;
        owned.executable(lowering)
    };
    Ok(Box::new(SpecializingExecutable::new(
        &lowering.module,
        lowering.signature,
        target.device()?,
        sizes,
        Box::new(specialize),
    )))
}

/// Writes a dump, whole or not at all.
fn dump(folder: &Path, number: usize, (phase, extension): (&str, &str), text: &str) -> Result<()> {
    let path = folder.join(format!("{number:02}-{phase}.{extension}"));
    std::fs::create_dir_all(folder).map_err(|error| {
        let message = format!("{}: error: {error}", folder.display());
        Error::diagnosed(message.clone(), vec![message])
    })?;
    Ok(write_whole(&path, |file| file.write_all(text.as_bytes()))?)
}
