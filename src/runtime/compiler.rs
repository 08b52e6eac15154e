//! From a program to an executable.

use std::any::Any;
use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use halo_core::{Literal, file};

use crate::{
    BackendOption, BackendOptions, CompilationCache, CustomCallRegistry, Error, Executable,
    ObjectCode, Observers, PipelineEdit, Plan, Result, Shardings,
    object_code::{CodeForm, runner::Runner},
    prediction::Prediction,
};

/// A program as it was read. The compiler detects its format: text or bytecode
/// of one of several dialects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name in diagnostics: that of its file.
    pub name: String,
    pub code: Vec<u8>,
}

impl Program {
    /// Reads a file, or standard input where the name is `-`.
    ///
    /// # Errors
    /// Invalid input if it cannot be read.
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
    /// The function to compile; `main`, or else the only public function,
    /// where none is named.
    pub entry: Option<String>,
    /// How many threads the executable uses; all of the machine's by default.
    pub threads: Option<NonZeroUsize>,
    /// Where to write the program as it is after every phase, as files that
    /// sort in the order of the phases.
    pub dump_dir: Option<PathBuf>,
    /// Who is told how far the compilation is, and how long its steps take. Nobody is told
    /// of compilations in the background.
    pub observers: Observers,
    /// Compute nothing while compiling: computations on constants are left to
    /// the compiled code, for tests and measurements of that code.
    pub no_constant_folding: bool,
    /// The processor that machine code is made for.
    pub processor: ProcessorOptions,
    /// The oldest kind of device that is to run the program, in the words of
    /// the platform: `sm_90`. The platform's own choice where none is named.
    pub architecture: Option<String>,
    /// Options that the backend declares ([`Compiler::options`]).
    pub backend: BackendOptions,
    /// The names that the program's custom calls may use.
    pub custom_calls: Arc<CustomCallRegistry>,
    /// Changes to the passes of the backend's phases, one after the other.
    pub pipeline_edits: Vec<PipelineEdit>,
    /// The passes after which the program is printed to standard error, by the places
    /// that [`pipeline_edit`](crate::pipeline_edit) describes.
    pub print_ir_after: Vec<String>,
    /// The processes that run the program together, each with its part of the tensors, as the
    /// program's shardings divide them. By default, shardings say nothing, and one process has
    /// all tensors as a whole.
    pub partitioning: Option<Partitioning>,
    /// The machines that the processes run on, as a file of `docs/distributed.md`: what a message
    /// takes decides which collectives are combined and what overlaps with them. By default, a
    /// message takes 20 us and 0.5 ns for each byte.
    pub topology: Option<Program>,
    /// Arguments and results lie in memory as the layouts of the entry say
    /// (`mhlo.layout_mode`), and the signature has their sizes from major to minor. By default,
    /// layouts say nothing, and all tensors are row-major.
    pub entry_layouts: bool,
    /// The large constants of an object file or of C are not in the code, but in
    /// [`ObjectCode::constants`], of which a run is given the address.
    pub external_constants: bool,
    /// Machine code has line tables, which tell debuggers and profilers where in the program
    /// it comes from. Such code is kept in no cache.
    pub debug_info: bool,
    /// Where compiled code is kept for later processes; nowhere by default.
    pub cache: Option<Arc<CompilationCache>>,
    /// Compile each shape that a program of dynamic shapes meets with full optimization at
    /// once. By default, a compiler that can make quick code makes that first, and
    /// optimizes in the background the shapes that it meets again, unless the compilation is
    /// dumped, printed or edited.
    pub no_tiered_compilation: bool,
    /// Receives the record of the compilation, pass by pass (`halo_compiler::record::Recorder`).
    /// Such a compilation uses no cache and is optimized fully.
    pub record: Option<RecordSink>,
    /// Where a pass that crashes, panics or leaves invalid IR leaves the program, with the
    /// passes that show it; by default nowhere.
    pub reproducer: Option<ReproducerOptions>,
}

/// Receives the record of a compilation, in a type of the compiler's crate.
#[derive(Clone)]
pub struct RecordSink(Arc<dyn Any + Send + Sync>);

impl RecordSink {
    pub fn new(record: Arc<dyn Any + Send + Sync>) -> Self {
        Self(record)
    }

    /// The record, if it has this type.
    pub fn downcast<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::clone(&self.0).downcast().ok()
    }
}

impl Debug for RecordSink {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("RecordSink")
    }
}

/// A file for `halo-opt --run-reproducer`, which is written where a pass has a fault. What is
/// there is never overwritten: it gets the first of the names `PATH.reproducer.mlir`,
/// `PATH.2.reproducer.mlir` and so on that is free. One line on standard error says where it is,
/// or that it cannot be written.
///
/// ```
/// use halo_runtime::{CompileOptions, ReproducerOptions};
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
    /// The path, without what all names end with.
    pub path: PathBuf,
    /// Who says it.
    pub tool: String,
}

impl CompileOptions {
    /// The number of threads, with the default filled in.
    pub fn thread_count(&self) -> NonZeroUsize {
        self.threads
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN)
    }
}

/// How many processes run a program, as replicas of partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partitioning {
    pub replicas: NonZeroUsize,
    /// The processes of a replica, among which its tensors are divided.
    pub partitions: NonZeroUsize,
}

/// A processor, by LLVM's names. The default of each part is that of the
/// machine that compiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessorOptions {
    /// Architecture and system, such as `aarch64-unknown-linux-gnu`. Where it is
    /// named without a processor, code runs on every processor of it.
    pub triple: Option<String>,
    /// The processor, such as `neoverse-v2`; `native` is the one at hand.
    pub cpu: Option<String>,
    /// Features on top of the processor's, such as `+avx2,-fma`.
    pub features: Option<String>,
    /// What runs programs in place of this process, where they are for another processor.
    pub runner: Option<Runner>,
}

/// A step of a compiler that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseDescription {
    /// As in `--compile-to=` and in the names of dumps.
    pub name: Cow<'static, str>,
    /// One line: the program after the phase.
    pub summary: Cow<'static, str>,
}

/// Compiles programs for one platform.
pub trait Compiler: Send + Sync {
    /// The named phases in their order.
    fn phases(&self) -> &[PhaseDescription];

    /// The options that this compiler has beside the general ones.
    fn options(&self) -> &[BackendOption] {
        &[]
    }

    /// Makes what all compilations with these options share, such as contexts, pipelines and
    /// tables of the processor, so that the first one does not have to. A service calls it
    /// when it starts.
    ///
    /// # Errors
    /// As [`compile`](Self::compile).
    fn warm_up(&self, _options: &CompileOptions) -> Result<()> {
        Ok(())
    }

    /// Compiles and loads a program.
    ///
    /// # Errors
    /// Invalid input, with diagnostics that name the program, if it
    /// does not parse or verify or uses a feature that the backend cannot
    /// compile.
    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Box<dyn Executable>>;

    /// Compiles up to and including a phase, and returns the program as text:
    /// IR, or the listing of an artifact. A compiler whose pipelines can be edited
    /// compiles up to the place of a pass as well.
    ///
    /// # Errors
    /// As [`compile`](Self::compile), and for an unknown phase.
    fn compile_to(
        &self,
        program: &Program,
        phase: &str,
        options: &CompileOptions,
    ) -> Result<String>;

    /// Whether it compiles programs to plans.
    fn makes_plans(&self) -> bool {
        false
    }

    /// Compiles a program to a plan, which needs no compiler to run.
    ///
    /// # Errors
    /// As [`compile`](Self::compile), and where the backend makes no plans.
    fn plan(&self, _program: &Program, _options: &CompileOptions) -> Result<Plan> {
        Err(Error::invalid("the backend makes no plans"))
    }

    /// The systems that it makes machine code for, or the processors and features of the one that
    /// is named, as lines of text.
    ///
    /// # Errors
    /// Invalid input for an unknown system, and where the backend makes no machine code.
    fn targets(&self, _triple: Option<&str>) -> Result<String> {
        Err(Error::invalid("the backend makes no machine code"))
    }

    /// What [`object_code`](Self::object_code) makes of programs; nothing, if the backend has
    /// no code that applications can link.
    fn code_form(&self) -> Option<CodeForm> {
        None
    }

    /// Compiles a program to an object file or to C, which applications link. All its names begin
    /// with `name`, an [identifier](crate::object_code::identifiers::is_identifier).
    ///
    /// # Errors
    /// As [`compile`](Self::compile), and where the backend makes no objects.
    fn object_code(
        &self,
        _program: &Program,
        _name: &str,
        _options: &CompileOptions,
    ) -> Result<ObjectCode> {
        Err(Error::invalid("the backend makes no object files"))
    }

    /// Whether the passes that [`CompileOptions::pipeline_edits`] and
    /// [`CompileOptions::print_ir_after`] name are there, and the options of the new ones
    /// are right.
    ///
    /// # Errors
    /// Invalid input that names the edit, and where the compiler has no passes.
    fn check_pipeline(&self, options: &CompileOptions) -> Result<()> {
        let edit = options.pipeline_edits.first().map(ToString::to_string);
        let printed = options.print_ir_after.first();
        let printed = printed.map(|place| format!("--print-ir-after={place}"));
        match edit.or(printed) {
            None => Ok(()),
            Some(option) => Err(Error::invalid(format!(
                "{option}: the backend has no passes that can be named"
            ))),
        }
    }

    /// The inputs that a program was recorded with, if its file has them: the
    /// default inputs of a run.
    ///
    /// # Errors
    /// Invalid input, with diagnostics, if the file cannot be read.
    fn recorded_inputs(&self, _program: &Program) -> Result<Option<Vec<Literal>>> {
        Ok(None)
    }

    /// How a program that is divided among partitions divides its arguments and results.
    ///
    /// # Errors
    /// Invalid input, with diagnostics, if its shardings cannot be read, or a result is a term
    /// of a sum on each partition.
    fn shardings(&self, _program: &Program, _partitions: NonZeroUsize) -> Result<Shardings> {
        Ok(Shardings::default())
    }

    /// Predicts one run of a program without running it, by the processes of
    /// [`CompileOptions::partitioning`] or by one on each device, on machines that a file
    /// describes in TOML.
    ///
    /// # Errors
    /// Invalid input, with diagnostics that name the program or the topology, and where the
    /// backend predicts nothing.
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
    /// Invalid input that lists the phases there are.
    fn phase(&self, name: &str) -> Result<&PhaseDescription> {
        let phases = self.phases();
        phases.iter().find(|phase| phase.name == name).ok_or_else(|| {
            let names: Vec<&str> = phases.iter().map(|phase| phase.name.as_ref()).collect();
            Error::invalid(format!(
                "unknown phase '{name}'; there are: {}",
                names.join(", ")
            ))
        })
    }

    /// Whether [`compile_to`](Self::compile_to) takes a name, with these options.
    ///
    /// # Errors
    /// Invalid input that lists the phases there are, or says which passes are meant.
    fn check_phase(&self, name: &str, options: &CompileOptions) -> Result<()> {
        let _ = options;
        self.phase(name).map(drop)
    }
}
