//! The record of a compilation: the program after each pass, kernels, memory plan, decisions and
//! times, as data that serde reads and writes.
//!
//! A compilation fills the record of [`Recorder::sink`] while it runs, so that one that fails
//! leaves the record up to the error. `halo-explain` renders it.

mod arena;
mod calls;
mod joins;
mod nodes;
mod recording;
mod stamps;
mod texts;

pub(crate) use recording::Recording;

use halo_backend::{CompileOptions, RecordSink};
pub use halo_codegen::explain::{Decision, Outcome, Reason};
use halo_ir::ops::halo::kernel_of_symbol;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The version of the format. Readers accept no other one.
pub const VERSION: u32 = 7;

/// An index into [`CompilationRecord::nodes`].
pub type NodeNumber = u32;

/// A compilation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CompilationRecord {
    /// [`VERSION`].
    pub version: u32,
    /// The version of Halo.
    pub halo: String,
    /// The file of the program.
    pub program: String,
    pub backend: String,
    /// The processor or device that code is generated for, in one line.
    pub target: String,
    /// The number of threads that the executable uses.
    pub threads: u32,
    /// The entry with the types of its arguments and results.
    pub signature: String,
    /// Bytes of the arguments and of the results of the entry whose sizes are static.
    pub argument_bytes: u64,
    pub result_bytes: u64,
    /// The ops of the entry after the phase `hlo`.
    pub nodes: Vec<Node>,
    /// The passes, in their order.
    pub steps: Vec<Step>,
    /// The versions of functions that [`Step::functions`] refers to.
    pub functions: Vec<FunctionText>,
    /// The lines that [`FunctionText::lines`] refers to, each once.
    pub lines: Vec<String>,
    /// Ops that a pass moved into one loop.
    pub joins: Vec<Join>,
    /// Warnings and remarks of passes.
    pub remarks: Vec<Remark>,
    /// The calls of kernels, copies and runtime functions in the entry.
    pub calls: Vec<KernelCall>,
    /// The kernels, each once.
    pub kernels: Vec<Kernel>,
    pub arena: Option<Arena>,
    pub times: Times,
    /// Bytes of machine code.
    pub code_bytes: Option<u64>,
    /// The error that ended the compilation or the run.
    pub error: Option<String>,
    /// The measurement of `halo-explain --run`.
    pub run: Option<Run>,
    /// The peak rates of the machine.
    pub machine: Option<Machine>,
}

/// An op of the entry after the phase `hlo`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Such as `stablehlo.dot_general`.
    pub name: String,
    /// The types of its results, such as `f32[8,16]`.
    pub results: String,
    /// `file:line:column`; empty if unknown.
    pub location: String,
    /// The control-flow op whose region contains it.
    pub parent: Option<NodeNumber>,
    /// Arithmetic operations, and elementary functions, each counted as one.
    pub flops: u64,
    pub transcendentals: u64,
}

/// A pass that ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The phase, such as `fusion`.
    pub phase: String,
    /// The pass with its options, such as `canonicalize{max-iterations=3}`; empty for the input.
    pub pass: String,
    /// Its time in seconds, without the time of recording.
    pub seconds: f64,
    /// The functions of the module after the pass, as indices into
    /// [`CompilationRecord::functions`]. Ops outside of functions are a function without a name.
    pub functions: Vec<u32>,
    /// Whether it changed the program.
    pub changed: bool,
    /// The number of ops in the module after the pass.
    pub ops: u32,
}

/// A version of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FunctionText {
    pub name: String,
    /// Indices into [`CompilationRecord::lines`].
    pub lines: Vec<u32>,
}

/// Ops that a pass moved into one op or loop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Join {
    /// The index of the pass in [`CompilationRecord::steps`].
    pub step: u32,
    /// The ops, by the loops that they were in before.
    pub parts: Vec<Vec<NodeNumber>>,
}

/// A warning or a remark of a pass.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Remark {
    pub severity: RemarkSeverity,
    /// The index of the pass in [`CompilationRecord::steps`].
    pub step: u32,
    /// The decision, if the remark is about an op that a pass leaves as it is.
    pub decision: Option<Decision>,
    pub message: String,
    /// `file:line:column`; empty if unknown.
    pub location: String,
    /// The ops that it is about.
    pub nodes: Vec<NodeNumber>,
    pub notes: Vec<RemarkNote>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RemarkSeverity {
    Warning,
    #[default]
    Remark,
}

/// A note of a remark at another op.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RemarkNote {
    /// `file:line:column`; empty if unknown.
    pub location: String,
    pub message: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallKind {
    /// Runs compiled code.
    #[default]
    Kernel,
    /// Copies or fills memory.
    Copy,
    /// Calls a function of the runtime, a library or the application.
    Function,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallPurpose {
    /// Computes values of the program.
    #[default]
    Compute,
    /// Packs an operand of a product.
    Pack,
    /// Moves elements without arithmetic: pads, transposes, gathers.
    Move,
    /// Writes one value to a buffer.
    Fill,
}

/// A call of a kernel in the entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KernelCall {
    pub kind: CallKind,
    pub purpose: CallPurpose,
    /// The name in profiles, such as `main_kernel_3`.
    pub name: String,
    /// The index in [`CompilationRecord::kernels`].
    pub kernel: Option<u32>,
    /// `file:line:column` as in profiles.
    pub location: String,
    /// The locations of the calls that this op was inlined from, the innermost first.
    pub callers: Vec<String>,
    /// The ops that it computes.
    pub nodes: Vec<NodeNumber>,
    /// The bytes of its buffers and constants that it accesses, each once, if known. In a loop:
    /// the mean over all iterations.
    pub bytes: Option<u64>,
    /// The number of calls in a run, for loops with constant bounds.
    pub count: u64,
    /// The operations of one call, the mean over all iterations.
    pub flops: u64,
    pub transcendentals: u64,
}

/// A function that was compiled for calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    pub name: String,
    /// Its IR after the phase `kernels`, as an index into [`CompilationRecord::functions`].
    pub function: Option<u32>,
    /// The time of LLVM in seconds. Kernels that were compiled together have the time of all.
    pub compile_seconds: Option<f64>,
    /// Bytes of machine code.
    pub code_bytes: Option<u64>,
}

/// The memory plan of temporaries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Arena {
    pub bytes: u64,
    /// The maximum of live bytes, a lower bound of `bytes`.
    pub lower_bound: u64,
    pub buffers: Vec<ArenaBuffer>,
    /// The number of times of [`ArenaBuffer`].
    pub end: u64,
    /// The time of each call, in the order of [`CompilationRecord::calls`].
    pub call_times: Vec<u64>,
}

/// A buffer in the arena. Buffers with disjoint lifetimes may overlap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArenaBuffer {
    pub offset: u64,
    pub bytes: u64,
    /// Such as `memref<64xf32>`.
    #[serde(rename = "type")]
    pub ty: String,
    /// The first and the last op that uses it, as positions in the entry.
    pub first: u64,
    pub last: u64,
    /// `file:line:column` of the op whose result it holds, and that op.
    pub location: String,
    pub nodes: Vec<NodeNumber>,
}

/// The time of a compilation besides its passes, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// In phases, but outside of passes.
    pub between_passes: f64,
    /// From the end of the passes to machine code.
    pub machine_code: f64,
    /// Linking and loading.
    pub loading: f64,
    /// Recording, which no other compilation does.
    pub recording: f64,
    /// From the start of reading to the executable, with recording; 0 if unknown.
    pub whole: f64,
}

/// A measurement of runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The time of each run, in seconds.
    pub runs: Vec<f64>,
    pub sites: Vec<MeasuredSite>,
}

/// The measurement of calls: a row of `halo-run --profile=summary`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredSite {
    /// The calls with this name and location, as indices into [`CompilationRecord::calls`].
    pub calls: Vec<u32>,
    pub name: String,
    pub location: String,
    /// The number of threads that ran a part of it.
    pub threads: u32,
    /// The number of calls in all runs.
    pub count: u64,
    /// The time of its calls in all runs, and in the run where they took the least.
    pub seconds: f64,
    pub least_seconds: f64,
}

/// Peak rates of the machine with the threads of the executable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Floating-point operations per second of a product of f32 matrices.
    pub flops: f64,
    /// Bytes per second between processor and memory.
    pub bandwidth: f64,
}

impl CompilationRecord {
    /// The time of the compilation in seconds, without recording.
    pub fn seconds(&self) -> f64 {
        let passes: f64 = self.steps.iter().map(|step| step.seconds).sum();
        let times = self.times;
        let known = passes + times.between_passes + times.machine_code + times.loading;
        known.max(times.whole - times.recording)
    }

    /// Adds the compile time of functions whose names are separated by commas.
    pub(crate) fn add_code(&mut self, functions: &str, seconds: f64) {
        let names = functions.split(',').map(|name| kernel_of_symbol(name.trim()));
        let names: Vec<&str> = names.collect();
        for kernel in &mut self.kernels {
            if names.contains(&&kernel.name[..]) {
                *kernel.compile_seconds.get_or_insert(0.0) += seconds;
            }
        }
    }

    /// Adds the size of a function's machine code.
    pub(crate) fn add_code_size(&mut self, symbol: &str, bytes: u64) {
        let name = kernel_of_symbol(symbol);
        // Symbols begin with an underscore on some systems.
        let is_named = |kernel: &&mut Kernel| {
            kernel.name == name || name.strip_prefix('_') == Some(&kernel.name[..])
        };
        if let Some(kernel) = self.kernels.iter_mut().find(is_named) {
            *kernel.code_bytes.get_or_insert(0) += bytes;
        }
    }
}

/// Holds the record of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Mutex<CompilationRecord>>);

impl Recorder {
    /// For [`CompileOptions::record`].
    pub fn sink(&self) -> RecordSink {
        RecordSink::new(self.0.clone())
    }

    /// The recorder of a compilation, if its options have one.
    pub fn of(options: &CompileOptions) -> Option<Self> {
        options.record.as_ref()?.downcast().map(Self)
    }

    /// The record, to write or read.
    pub fn record(&self) -> MutexGuard<'_, CompilationRecord> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_count_for_their_kernel() {
        let kernel = |name: &str| Kernel {
            name: name.to_owned(),
            ..Kernel::default()
        };
        let mut record = CompilationRecord {
            kernels: vec![kernel("main_kernel_1"), kernel("main_kernel_2")],
            ..CompilationRecord::default()
        };
        record.add_code("main_kernel_1, callers", 0.25);
        record.add_code("main_kernel_2, main_kernel_1__part", 0.5);
        record.add_code_size("_main_kernel_1", 100);
        record.add_code_size("main_kernel_1__part", 20);
        let kernels = record.kernels.iter();
        let found: Vec<_> =
            kernels.map(|kernel| (kernel.compile_seconds, kernel.code_bytes)).collect();
        assert_eq!(found, [(Some(0.75), Some(120)), (Some(0.5), None)]);
        assert_eq!(kernel_of_symbol("__part_of"), "__part_of");
    }
}
