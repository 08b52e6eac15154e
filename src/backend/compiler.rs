//! From a program to an executable.

use std::any::Any;
use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use halo_core::{Literal, file};
use halo_runtime::{CustomCallRegistry, Error, Executable, Plan, Result, Shardings};

use crate::{
    BackendOption, BackendOptions, CompilationCache, ObjectCode, Observers, PipelineEdit,
    bisection::Bisection,
    object_code::{CodeForm, runner::Runner},
    prediction::Prediction,
};

/// The source of a program. The compiler detects its format: text or bytecode of one of several
/// dialects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name in diagnostics: the name of the file.
    pub name: String,
    pub code: Vec<u8>,
}

impl Program {
    /// Reads a file, or standard input if the name is `-`.
    ///
    /// # Errors
    /// Returns an invalid-input error if it cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Self {
            name: file::input_name(path),
            code: file::read_input(path)?,
        })
    }
}

/// The options of a compilation.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// The function to compile; by default `main`, or else the only public function.
    pub entry: Option<String>,
    /// The number of threads of the executable; by default, all of the machine's.
    pub threads: Option<NonZeroUsize>,
    /// The folder for dumps of the program after every phase, as files that sort in the order of
    /// the phases.
    pub dump_dir: Option<PathBuf>,
    /// Receives the progress and timing of the compilation, but not of compilations in the
    /// background.
    pub observers: Observers,
    /// Disables constant folding: computations on constants stay in the compiled code, for tests
    /// and measurements of that code.
    pub no_constant_folding: bool,
    /// The target processor of machine code.
    pub processor: ProcessorOptions,
    /// The oldest kind of device that must be able to run the program, in the platform's terms:
    /// `sm_90`. The platform's choice by default.
    pub architecture: Option<String>,
    /// Options that the backend declares ([`CompilerDescription::options`]).
    pub backend: BackendOptions,
    /// The names that the program's custom calls may use.
    pub custom_calls: Arc<CustomCallRegistry>,
    /// Edits of the passes of the backend's phases, in their order.
    pub pipeline_edits: Vec<PipelineEdit>,
    /// The passes after which the program is printed to standard error, as locations of
    /// [`pipeline_edit`](crate::pipeline_edit).
    pub print_ir_after: Vec<String>,
    /// The processes that run the program together, each with its shards of the tensors, according
    /// to the program's shardings. By default, shardings are ignored, and one process has all
    /// tensors whole.
    pub partitioning: Option<Partitioning>,
    /// The machines that the processes run on, as a file of `docs/distributed.md`: the cost of a
    /// message decides which collectives are combined and overlapped. By default, a message costs
    /// 20 us and 0.5 ns per byte.
    pub topology: Option<Program>,
    /// Arguments and results are in memory in the layouts of the entry (`mhlo.layout_mode`), and
    /// the signature lists their sizes from major to minor. By default, layouts are ignored, and
    /// all tensors are row-major.
    pub entry_layouts: bool,
    /// The large constants of an object file or of C are stored in [`ObjectCode::constants`]
    /// instead of the code, and a run gets their address.
    pub external_constants: bool,
    /// Emits line tables into the machine code, so that debuggers and profilers map it to lines of
    /// the program. Such code is not cached.
    pub debug_info: bool,
    /// The cache of compiled code for later processes; none by default.
    pub cache: Option<Arc<CompilationCache>>,
    /// Times plans of products for at most this long, and compiles the program by the fastest ones.
    /// A cache keeps them for later compilations with this option; zero only uses such ones. `None`
    /// compiles by the model of the processor.
    pub tuning: Option<Duration>,
    /// Compile each new shape of a dynamic program with full optimization at once. By default, a
    /// compiler with a baseline tier compiles with that first, and optimizes in the background the
    /// shapes that recur, unless the compilation is dumped, printed or edited.
    pub no_tiered_compilation: bool,
    /// When a program of dynamic shape is compiled for the shapes of its inputs.
    pub specialize: Specialize,
    /// Receives the record of the compilation, pass by pass (`halo_compiler::record::Recorder`).
    /// Such a compilation uses no cache and is optimized fully.
    pub record: Option<RecordSink>,
    /// The file for the program if a pass crashes, panics or leaves invalid IR, with the passes
    /// that reproduce it; none by default.
    pub reproducer: Option<ReproducerOptions>,
    /// Disables a part of the passes, for `--bisect`; none by default. Such a compilation uses no
    /// cache and no baseline tier.
    #[doc(hidden)]
    pub bisection: Option<Arc<Bisection>>,
}

/// When a program of dynamic shape is compiled for the shapes of its inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Specialize {
    /// Never: one code is for all shapes.
    Never,
    /// At the first run with these shapes.
    #[default]
    Always,
}

/// Receives the record of a compilation, in a type of the compiler's crate.
#[derive(Clone)]
pub struct RecordSink(Arc<dyn Any + Send + Sync>);

impl RecordSink {
    pub fn new(record: Arc<dyn Any + Send + Sync>) -> Self {
        Self(record)
    }

    /// The record, if it has type `T`.
    pub fn downcast<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::clone(&self.0).downcast().ok()
    }
}

impl Debug for RecordSink {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("RecordSink")
    }
}

/// A file for `halo-opt --run-reproducer`, written when a pass crashes. Existing files are never
/// overwritten: the file gets the first free name of `PATH.reproducer.mlir`,
/// `PATH.2.reproducer.mlir` and so on. One line on standard error names the file, or the reason for
/// which it cannot be written.
///
/// ```
/// use halo_backend::{CompileOptions, ReproducerOptions};
///
/// let options = CompileOptions {
///     reproducer: Some(ReproducerOptions {
///         path: "/var/crash/model".into(),
///         tool: "server".to_owned(),
///     }),
///     ..CompileOptions::default()
/// };
/// assert!(options.reproducer.is_some());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReproducerOptions {
    /// The path, without the common suffix.
    pub path: PathBuf,
    /// The reporting tool.
    pub tool: String,
}

impl CompileOptions {
    /// The number of threads, with the default filled in.
    pub fn thread_count(&self) -> NonZeroUsize {
        self.threads
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN)
    }

    /// Fails if the options name passes, for a compiler that has none.
    pub(crate) fn expect_no_edits(&self) -> Result<()> {
        let edit = self.pipeline_edits.first().map(ToString::to_string);
        let printed = self.print_ir_after.first();
        let printed = printed.map(|place| format!("--print-ir-after={place}"));
        match edit.or(printed) {
            None => Ok(()),
            Some(option) => Err(Error::invalid(format!(
                "{option}: the backend has no passes that can be named"
            ))),
        }
    }
}

/// The number of processes that run a program, as replicas of partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partitioning {
    pub replicas: NonZeroUsize,
    /// The processes of a replica, among which tensors are divided.
    pub partitions: NonZeroUsize,
}

/// A processor, by LLVM's names. Each field defaults to the compiling machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessorOptions {
    /// Architecture and system, such as `aarch64-unknown-linux-gnu`. Without a processor, the code
    /// runs on every processor of the triple.
    pub triple: Option<String>,
    /// The processor, such as `neoverse-v2`; `native` is the host's.
    pub cpu: Option<String>,
    /// Features on top of the processor's, such as `+avx2,-fma`.
    pub features: Option<String>,
    /// Runs programs for another processor in place of this process.
    pub runner: Option<Runner>,
}

/// A named step of a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseDescription {
    /// The name in `--compile-to=` and in the names of dumps.
    pub name: Cow<'static, str>,
    /// One line: the program after the phase.
    pub summary: Cow<'static, str>,
}

/// The abilities of a compiler, which do not depend on options.
#[derive(Clone, Debug, Default)]
pub struct CompilerDescription {
    /// The named phases in their order.
    pub phases: Cow<'static, [PhaseDescription]>,
    /// The backend-specific options.
    pub options: &'static [BackendOption],
    /// The format of the code from [`Compiler::object_code`]; `None` if the backend has no code
    /// that applications can link.
    pub code_form: Option<CodeForm>,
    /// Set if the compiler supports [`Compiler::plan`].
    pub makes_plans: bool,
    /// Set if [`CompileOptions::pipeline_edits`] and [`CompileOptions::print_ir_after`] can name
    /// passes of the phases.
    pub has_passes: bool,
    /// Set if programs cannot call functions of the host in loops and branches, whose ops are then
    /// not observed by `--compare` and `--check-numerics`.
    pub lacks_host_calls: bool,
}

impl CompilerDescription {
    /// A compiler of phases, without anything else.
    pub const fn of_phases(phases: &'static [PhaseDescription]) -> Self {
        Self {
            phases: Cow::Borrowed(phases),
            options: &[],
            code_form: None,
            makes_plans: false,
            has_passes: false,
            lacks_host_calls: false,
        }
    }
}

/// Compiles programs for one platform.
pub trait Compiler: Send + Sync {
    /// The abilities of this compiler.
    fn description(&self) -> &CompilerDescription;

    /// Creates the shared state of all compilations with these options, such as contexts, pipelines
    /// and tables of the processor, so that the first one is not slower. A service calls it at its
    /// start.
    ///
    /// # Errors
    /// Returns the errors of [`compile`](Self::compile).
    fn warm_up(&self, _options: &CompileOptions) -> Result<()> {
        Ok(())
    }

    /// Compiles and loads a program.
    ///
    /// # Errors
    /// Returns an invalid-input error, with diagnostics that name the program, if it does not parse
    /// or verify or uses a feature that the backend cannot compile.
    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>>;

    /// Compiles up to and including a phase, and returns the program as text: IR, or the listing of
    /// an artifact. A compiler with editable pipelines also compiles up to the location of a pass.
    ///
    /// # Errors
    /// Returns the errors of [`compile`](Self::compile); also an error for an unknown phase.
    fn compile_to(
        &self,
        program: &Program,
        phase: &str,
        options: &CompileOptions,
    ) -> Result<String>;

    /// Compiles a program to a plan, which runs without a compiler.
    ///
    /// # Errors
    /// Returns the errors of [`compile`](Self::compile); also an error if the backend makes no
    /// plans.
    fn plan(&self, _program: &Program, _options: &CompileOptions) -> Result<Plan> {
        Err(Error::invalid("the backend makes no plans"))
    }

    /// The supported systems for machine code, or the processors and features of the given one, as
    /// lines of text.
    ///
    /// # Errors
    /// Returns an invalid-input error for an unknown system, and if the backend makes no machine
    /// code.
    fn targets(&self, _triple: Option<&str>) -> Result<String> {
        Err(Error::invalid("the backend makes no machine code"))
    }

    /// Compiles a program to an object file or to C, which applications link. All its names begin
    /// with `name`, an [identifier](halo_core::identifiers::is_identifier).
    ///
    /// # Errors
    /// Returns the errors of [`compile`](Self::compile); also an error if the backend makes no
    /// objects.
    fn object_code(
        &self,
        _program: &Program,
        _name: &str,
        _options: &CompileOptions,
    ) -> Result<ObjectCode> {
        Err(Error::invalid("the backend makes no object files"))
    }

    /// Checks that the passes named by [`CompileOptions::pipeline_edits`] and
    /// [`CompileOptions::print_ir_after`] exist, and that the options of new passes are valid.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the edit, and if the compiler has no passes.
    fn check_pipeline(&self, options: &CompileOptions) -> Result<()> {
        options.expect_no_edits()
    }

    /// The recorded inputs in the file of a program, if any: the default inputs of a run.
    ///
    /// # Errors
    /// Returns an invalid-input error, with diagnostics, if the file cannot be read.
    fn recorded_inputs(&self, _program: &Program) -> Result<Option<Vec<Literal>>> {
        Ok(None)
    }

    /// The shardings of the arguments and results of a program for several partitions.
    ///
    /// # Errors
    /// Returns an invalid-input error, with diagnostics, if its shardings cannot be read, or a
    /// result is a partial sum on each partition.
    fn shardings(&self, _program: &Program, _partitions: NonZeroUsize) -> Result<Shardings> {
        Ok(Shardings::default())
    }

    /// Predicts one run of a program without running it, for the processes of
    /// [`CompileOptions::partitioning`] or one per device, on machines that a TOML file describes.
    ///
    /// # Errors
    /// Returns an invalid-input error, with diagnostics that name the program or the topology, and
    /// if the backend predicts nothing.
    fn predict(
        &self,
        _program: &Program,
        _topology: &Program,
        _options: &CompileOptions,
    ) -> Result<Prediction> {
        Err(Error::invalid("the backend predicts no runs"))
    }

    /// The phase of this name.
    ///
    /// # Errors
    /// Returns an invalid-input error that lists the phases.
    fn phase(&self, name: &str) -> Result<&PhaseDescription> {
        let phases = &self.description().phases;
        phases.iter().find(|phase| phase.name == name).ok_or_else(|| {
            let names: Vec<&str> = phases.iter().map(|phase| phase.name.as_ref()).collect();
            Error::invalid(format!(
                "unknown phase '{name}'; there are: {}",
                names.join(", ")
            ))
        })
    }

    /// Checks that [`compile_to`](Self::compile_to) supports a name with these options.
    ///
    /// # Errors
    /// Returns an invalid-input error that lists the phases or the candidate passes.
    fn check_phase(&self, name: &str, options: &CompileOptions) -> Result<()> {
        let _ = options;
        self.phase(name).map(drop)
    }
}
