//! What a compilation did, as data: the program after every pass, the kernels and the ops that
//! they were made of, the memory plan, the decisions, the times and the machine code.
//!
//! A compiler fills a record while it works if [`CompileOptions::record`] has one
//! ([`Recorder`]), so that a compilation that fails leaves a record up to there. `halo-explain`
//! makes a report of it. Texts of the IR are kept line by line, each line once, and functions
//! that a pass did not change are those of the pass before.
//!
//! [`CompileOptions::record`]: crate::CompileOptions::record

use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    ops::AddAssign,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The version of the format, which readers of stored records compare.
pub const VERSION: u32 = 6;

/// How the symbol of a function ends that is a part of a kernel's code, which is compiled by
/// itself.
pub const PART_SUFFIX: &str = "__part";

/// The kernel that a function of machine code is, or is a part of.
pub fn kernel_of_symbol(symbol: &str) -> &str {
    symbol.strip_suffix(PART_SUFFIX).unwrap_or(symbol)
}

/// The number of an op in [`CompilationRecord::ops`].
pub type OpNumber = u32;

/// The number of an op in [`CompilationRecord::nodes`].
pub type NodeNumber = u32;

/// The number of a kernel call in [`CompilationRecord::calls`].
pub type CallNumber = u32;

/// A compilation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CompilationRecord {
    /// [`VERSION`].
    pub version: u32,
    /// The version of Halo.
    pub halo: String,
    /// The name of the program's file.
    pub program: String,
    /// The program as text, where its file is text; else as it was printed.
    pub source: String,
    /// The backend.
    pub backend: String,
    /// The processor or device that code is made for, in one line.
    pub target: String,
    /// How many threads the executable uses.
    pub threads: u32,
    /// The entry with the types of its arguments and results.
    pub signature: String,
    /// The arguments and the results of the entry.
    pub arguments: Vec<EntryValue>,
    pub results: Vec<EntryValue>,
    /// The ops of the program as it was read, in the order of its text.
    pub ops: Vec<SourceOp>,
    /// The ops of the entry after the phase `hlo`: what the rest of the compiler works on.
    pub nodes: Vec<Node>,
    /// The passes that ran, in their order.
    pub steps: Vec<Step>,
    /// The versions of functions that [`Step::functions`] refers to.
    pub functions: Vec<FunctionText>,
    /// The lines that [`FunctionText::lines`] refers to, each once, without locations.
    pub lines: Vec<String>,
    /// The sets of ops that [`FunctionText::origins`] refers to; the first one is empty.
    pub origins: Vec<Vec<OpNumber>>,
    /// The sets of nodes that [`FunctionText::nodes`] refers to; the first one is empty.
    pub node_sets: Vec<Vec<NodeNumber>>,
    /// The calls of kernels, copies and functions of the runtime, as the entry makes them.
    pub calls: Vec<KernelCall>,
    /// The kernels that are called, each once.
    pub kernels: Vec<Kernel>,
    /// The one buffer of all temporaries.
    pub arena: Option<Arena>,
    /// Decisions of passes.
    pub remarks: Vec<Remark>,
    /// What the machine-code generator took, in the order in which the parts were finished.
    pub code_generation: Vec<CodeGeneration>,
    /// The time of what is no pass.
    pub times: Times,
    /// Bytes of machine code.
    pub code_bytes: Option<u64>,
    /// The error that ended the compilation.
    pub error: Option<String>,
    /// What was measured of runs.
    pub run: Option<Run>,
    /// What the machine reaches.
    pub machine: Option<Machine>,
}

/// An argument or a result of the entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EntryValue {
    /// The name of an argument: that of its location, as frameworks give it, or as it is
    /// printed, such as `%arg0`. Results have none.
    pub name: String,
    /// Such as `tensor<8x16xf32>`.
    pub r#type: String,
    /// Its size in memory, if that is known.
    pub bytes: Option<u64>,
}

/// An op of the program as it was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SourceOp {
    /// Such as `stablehlo.add`.
    pub name: String,
    /// The place in the user's program, `file:line:column`; empty if that is unknown.
    pub location: String,
    /// Its line in [`CompilationRecord::source`], from 1 on; 0 if the location is of another
    /// file.
    pub line: u32,
}

/// An op of the entry after the phase `hlo`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Such as `stablehlo.dot_general`.
    pub name: String,
    /// The types of its results, such as `tensor<8x16xf32>`, or a short form of them.
    pub results: String,
    /// What its body computes of elements, such as `add` for a reduction that sums; empty without
    /// a body.
    pub applied: String,
    /// What tells it from others of its name, in a few words: dimensions, the value of a
    /// constant, a comparison's direction.
    pub detail: String,
    /// The nodes whose results it takes, by number, and arguments of the entry as
    /// `-1 - number`.
    pub operands: Vec<i32>,
    /// The node in whose region it is.
    pub parent: Option<u32>,
    /// The ops that it was made of.
    pub origins: Vec<OpNumber>,
    /// The calls that it was inlined by, the innermost first, if it was in a function.
    pub callers: Vec<OpNumber>,
    /// The calls whose kernels it is a part of.
    pub calls: Vec<CallNumber>,
    /// Floating-point operations, a multiplication and an addition being two; and elementary
    /// functions, each counted as one in [`transcendentals`](Self::transcendentals) alone.
    pub flops: u64,
    pub transcendentals: u64,
    /// The size of its results.
    pub bytes: u64,
}

/// A pass that ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The phase, such as `fusion`.
    pub phase: String,
    /// The pass with its options, such as `canonicalize{max-iterations=3}`; empty for the
    /// program as it was read.
    pub pass: String,
    /// What it took, in seconds, without the time of recording.
    pub seconds: f64,
    /// The functions of the module behind it, as numbers of [`CompilationRecord::functions`];
    /// what is outside of functions is one of an empty name. The same as before if the pass
    /// changed nothing.
    pub functions: Vec<u32>,
    /// Whether it changed the program.
    pub changed: bool,
    /// How many ops the module has behind it.
    pub ops: u32,
}

/// A version of a function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FunctionText {
    pub name: String,
    /// Its lines, as numbers of [`CompilationRecord::lines`].
    pub lines: Vec<u32>,
    /// The ops of the program that each line was made of, as numbers of
    /// [`CompilationRecord::origins`].
    pub origins: Vec<u32>,
    /// The nodes that each line was made of, as numbers of [`CompilationRecord::node_sets`]. Two
    /// calls of a function have the same ops, but nodes of their own.
    pub nodes: Vec<u32>,
}

/// What a call does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallKind {
    /// Runs code that was compiled.
    #[default]
    Kernel,
    /// Copies or fills memory.
    Copy,
    /// Calls a function of the runtime, a library or the application.
    Function,
}

/// What the code of a call is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallPurpose {
    /// Computes values of the program.
    #[default]
    Compute,
    /// Brings an operand of a product into the order in which the product reads it.
    Pack,
    /// Moves elements without arithmetic: pads, transposes, gathers.
    Move,
    /// Writes one value to all of a buffer, such as the zeros that sums begin with.
    Fill,
}

/// A call of a kernel in the entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KernelCall {
    pub kind: CallKind,
    pub purpose: CallPurpose,
    /// The name that profiles have, such as `main_kernel_3`.
    pub name: String,
    /// The number of its kernel in [`CompilationRecord::kernels`].
    pub kernel: Option<u32>,
    /// The place of the op that it is named after, as in profiles.
    pub location: String,
    /// The places of the calls that this op was inlined by, the innermost first.
    pub callers: Vec<String>,
    /// The nodes that it computes.
    pub nodes: Vec<u32>,
    /// How it divides its iterations; `None` for a call that runs on the caller's thread.
    pub tasks: Option<Tasks>,
    /// The bytes that it touches of its buffers and constants, each once, as in profiles, if that
    /// is known. Where it is in a loop, they are the mean of all iterations.
    pub bytes: Option<u64>,
    /// How often a run makes the call, where it is in loops of known counts.
    pub count: u64,
    /// Sums over its nodes, for one call, in the mean of all iterations.
    pub flops: u64,
    pub transcendentals: u64,
    /// Its buffers.
    pub buffers: Vec<CallBuffer>,
}

/// How the iterations of a call are divided among threads: each gets one task, of iterations that
/// follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tasks {
    /// `None` if they are only known when it is called.
    pub iterations: Option<u64>,
    /// A task has so many of them at least, or a multiple of that; the last one may have fewer.
    pub least: u64,
}

/// A buffer that a call takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CallBuffer {
    /// Such as `argument 0`, `result 0`, `arena`, `constant`.
    pub name: String,
    /// Such as `memref<8x16xf32>`.
    pub r#type: String,
    /// Its size.
    pub bytes: Option<u64>,
    /// The part of it that the call touches, in the mean of all iterations.
    pub touched: Option<u64>,
    /// Whether the call writes to it.
    pub is_written: bool,
    /// The number in [`Arena::buffers`].
    pub arena: Option<u32>,
}

/// A function that was compiled for calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    pub name: String,
    /// Its loops, as IR, with origins.
    pub text: FunctionText,
    /// The loops in short, the outermost first.
    pub loops: Vec<Loop>,
    /// Its machine code as assembly, if the backend makes any.
    pub assembly: String,
    /// What compiling it to machine code took, in seconds; of several that were compiled
    /// together, the time of all. Of one whose parts were compiled by themselves, it is a sum.
    pub compile_seconds: Option<f64>,
    /// Bytes of its machine code, if they are known.
    pub code_bytes: Option<u64>,
    /// Where threads were found in its machine code, in the order of the code; none if it did not
    /// run, or that is not known.
    pub samples: Vec<BlockSamples>,
}

/// How often a thread was found in a block of machine code, of all times that it was looked for
/// ([`Run::sample_period`]).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockSamples {
    pub function: String,
    /// The number of its label in assembly, such as 3 of `.LBB0_3`; 0 for the first block.
    pub block: u32,
    pub count: u64,
}

impl BlockSamples {
    /// The number of the block that a label of assembly or of an object of ELF is of: the last one
    /// of `.LBB0_3`, behind that of the function.
    pub fn block_of(label: &str) -> Option<u32> {
        let (function, block) = label.strip_prefix(".LBB")?.split_once('_')?;
        function.parse::<u32>().ok()?;
        block.parse().ok()
    }
}

/// A loop of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loop {
    /// How many loops are around it.
    pub depth: u32,
    /// Such as `scf.for 0 to 64 step 8`.
    pub text: String,
    /// How many iterations it has, if that is known.
    pub iterations: Option<u64>,
    /// The ops in it that are in no inner loop, by name, with how many there are, the most
    /// first.
    pub ops: Vec<(String, u32)>,
}

/// The memory plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Arena {
    /// Its size.
    pub bytes: u64,
    /// The most that is live at once: no arena can be smaller.
    pub lower_bound: u64,
    /// When that is, as a time of [`ArenaBuffer`].
    pub peak: u64,
    pub buffers: Vec<ArenaBuffer>,
    /// How many times there are.
    pub end: u64,
    /// The time of each call, the number of its op in the entry, in the order of
    /// [`CompilationRecord::calls`].
    pub call_times: Vec<u64>,
}

/// A buffer in the arena. Buffers that are live at different times share memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArenaBuffer {
    pub offset: u64,
    pub bytes: u64,
    /// Such as `memref<64xf32>`.
    pub r#type: String,
    /// The first and the last op that uses it, as positions in the entry.
    pub first: u64,
    pub last: u64,
    /// The place of the op whose result it holds, and that op's nodes.
    pub location: String,
    pub nodes: Vec<u32>,
}

/// A decision of a pass: why an op is not fused, why a tensor is copied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Remark {
    /// `remark`, `warning`.
    pub severity: String,
    /// The number of the step in [`CompilationRecord::steps`].
    pub step: u32,
    pub message: String,
    /// `file:line:column`, empty if that is unknown.
    pub location: String,
    /// The ops that it is about, and the nodes, which are known behind the phase `hlo`.
    pub origins: Vec<OpNumber>,
    pub nodes: Vec<NodeNumber>,
    pub notes: Vec<RemarkNote>,
}

/// A part of a remark that is about another op.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RemarkNote {
    /// `file:line:column`, empty if that is unknown.
    pub location: String,
    pub message: String,
    /// The nodes of the op.
    pub nodes: Vec<NodeNumber>,
}

/// A part of a program that was compiled to machine code, by one thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CodeGeneration {
    /// The functions, separated by commas.
    pub name: String,
    /// The time of LLVM, in seconds: of its passes, and of its code generator.
    pub seconds: f64,
    /// The part of it that LLVM's passes took.
    pub passes_seconds: f64,
    /// What the translation to LLVM IR took before, on the thread that runs the passes of MLIR.
    pub translation_seconds: f64,
}

/// The time of a compilation beside its passes, in seconds, by the clock on the wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Within phases, before, between and behind their passes.
    pub between_passes: f64,
    /// The check of the program behind passes: a part of the time of these, which a compilation
    /// without a record takes once for several passes.
    pub verification: f64,
    /// From the program behind all passes to its machine code.
    pub machine_code: f64,
    /// How many threads made the machine code; 0 if nothing is known of them.
    pub machine_code_threads: u32,
    /// Linking and loading of the machine code.
    pub loading: f64,
    /// What keeping the record took: it is no time of the program.
    pub recording: f64,
    /// All of it, from the begin of reading to the executable, with that of recording; 0 if it is
    /// not known.
    pub whole: f64,
    /// What the same compilation took by itself: without a record, remarks, and calls around
    /// kernels that make them visible; 0 if that was not measured.
    pub unrecorded: f64,
}

/// What was measured of runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub runs: u64,
    /// Sums over all runs, in seconds.
    pub seconds: f64,
    /// The time in which callers of kernels waited for other threads.
    pub wait_seconds: f64,
    /// The time of a run.
    pub spread: Spread,
    pub sites: Vec<MeasuredSite>,
    /// The time from one look at a thread to the next, in runs of their own; 0 if there were none.
    pub sample_period: f64,
}

/// What was measured of a call: a row of `halo-run --profile=summary`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredSite {
    /// The calls of this name at this location.
    pub calls: Vec<CallNumber>,
    pub name: String,
    pub location: String,
    /// The places of the calls that the location was inlined by, the innermost first.
    pub callers: Vec<String>,
    /// How many threads ran a part of it.
    pub threads: u32,
    /// The time in which its caller waited for other threads.
    pub wait_seconds: f64,
    /// The bytes that it touches, summed over all calls.
    pub bytes: Option<u64>,
    /// The sums over all runs.
    pub sum: CallTimes,
    /// The sums of each of the first runs.
    pub of_runs: Vec<CallTimes>,
    /// The time that threads would be busy with it in a run if each task took as long as in the
    /// run where it took the least; `None` if that is not known.
    pub least_busy_seconds: Option<f64>,
}

/// What calls of a site took, and what threads did meanwhile: sums over calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CallTimes {
    pub count: u64,
    pub seconds: f64,
    /// The times that all threads were busy with it.
    pub busy_seconds: f64,
    /// The part of it in which they had no processor, as far as that is known: other programs had
    /// it, or they waited.
    pub preempted_seconds: f64,
    /// The times in which threads had done their tasks, and waited for those of others. What is
    /// left of the time of all threads is that in which they had no task.
    pub waiting_seconds: f64,
    /// In how many of the calls several threads had tasks; in the others one ran all of it.
    pub shared_count: u64,
    /// The times of calls, each as often as threads had a task of it.
    pub taking_part_seconds: f64,
    /// The times from the begin of a call to the first task of each thread that had one.
    pub late_seconds: f64,
}

impl AddAssign for CallTimes {
    fn add_assign(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.seconds += other.seconds;
        self.busy_seconds += other.busy_seconds;
        self.preempted_seconds += other.preempted_seconds;
        self.waiting_seconds += other.waiting_seconds;
        self.shared_count = self.shared_count.saturating_add(other.shared_count);
        self.taking_part_seconds += other.taking_part_seconds;
        self.late_seconds += other.late_seconds;
    }
}

/// A quantity that was measured several times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub mean: f64,
    pub least: f64,
    pub median: f64,
    pub most: f64,
}

impl Spread {
    /// The spread of some values; of an even number, the median is the mean of both in the
    /// middle.
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let (Some(least), Some(most)) = (values.first(), values.last()) else {
            return Self::default();
        };
        let middle = values.len() / 2;
        let median = match values.len() % 2 {
            1 => values[middle],
            _ => (values[middle - 1] + values[middle]) / 2.0,
        };
        Self {
            mean: values.iter().sum::<f64>() / values.len() as f64,
            least: *least,
            median,
            most: *most,
        }
    }
}

/// What the machine reaches with the threads of the executable.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Floating-point operations of f32 per second.
    pub flops: f64,
    /// Bytes of memory per second.
    pub bandwidth: f64,
    /// The operations per second of other kinds of arithmetic, as far as they were measured.
    pub peaks: Vec<Peak>,
    /// The caches, the nearest first.
    pub caches: Vec<CacheLevel>,
    /// The time of a call that does next to nothing, as profiles measure it, in seconds; 0 if it
    /// was not measured.
    #[serde(default)]
    pub call_seconds: f64,
    /// How all were found, in one sentence.
    pub source: String,
}

/// What a kind of arithmetic reaches on all threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Peak {
    pub arithmetic: Arithmetic,
    /// The instruction that was measured, such as `vfmadd231ps zmm`.
    pub instruction: String,
    /// Operations per second, a multiplication and an addition being two.
    pub flops: f64,
}

/// Kinds of arithmetic that processors have instructions of different speeds for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Arithmetic {
    /// f32, and all that is computed in it.
    #[default]
    F32,
    F64,
    /// Dot products of pairs of bf16 in vector registers.
    Bf16,
    /// Dot products of fours of bytes in vector registers.
    I8,
    /// Products of matrices in registers, such as those of AMX.
    Matrix,
}

/// A cache, or all caches of the threads of its kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CacheLevel {
    /// Such as `L2`.
    pub name: String,
    /// How much data the caches of all threads hold.
    pub bytes: u64,
    /// Bytes per second that all threads read from them.
    pub bandwidth: f64,
    /// How many of them the threads have; 0 if that is not known.
    #[serde(default)]
    pub count: u64,
    /// How many cores share one of them.
    #[serde(default)]
    pub cores: u64,
}

impl CompilationRecord {
    /// The time of the compilation, in seconds, without that of recording.
    pub fn seconds(&self) -> f64 {
        let passes: f64 = self.steps.iter().map(|step| step.seconds).sum();
        let Times {
            between_passes,
            machine_code,
            loading,
            recording,
            whole,
            ..
        } = self.times;
        (passes + between_passes + machine_code + loading).max(whole - recording)
    }

    /// Notes that functions were compiled to machine code.
    pub fn add_code(&mut self, part: CodeGeneration) {
        let kernels = part.kernels();
        for kernel in &mut self.kernels {
            if kernels.contains(&kernel.name[..]) {
                *kernel.compile_seconds.get_or_insert(0.0) += part.seconds;
            }
        }
        self.code_generation.push(part);
    }

    /// Notes how long the machine code of a function is.
    pub fn add_code_size(&mut self, symbol: &str, bytes: u64) {
        if let Some(kernel) = self.kernel_of(symbol) {
            *kernel.code_bytes.get_or_insert(0) += bytes;
        }
    }

    /// Notes how often threads were found in a block of a function.
    pub fn add_samples(&mut self, samples: BlockSamples) {
        if let Some(kernel) = self.kernel_of(&samples.function) {
            kernel.samples.push(samples);
        }
    }

    /// The kernel that a function is, or is a part of.
    fn kernel_of(&mut self, symbol: &str) -> Option<&mut Kernel> {
        let name = kernel_of_symbol(symbol);
        // Names of symbols begin with an underscore on some systems.
        let is_it = |kernel: &&mut Kernel| {
            kernel.name == name || name.strip_prefix('_') == Some(&kernel.name[..])
        };
        self.kernels.iter_mut().find(is_it)
    }
}

impl CodeGeneration {
    /// The kernels that its functions are, or are parts of.
    pub fn kernels(&self) -> BTreeSet<&str> {
        let symbols = self.name.split(',').map(str::trim);
        symbols.map(kernel_of_symbol).collect()
    }
}

/// Keeps the record of a compilation, which its compiler fills.
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Mutex<CompilationRecord>>);

impl Recorder {
    /// The record, for whoever fills or reads it.
    pub fn record(&self) -> MutexGuard<'_, CompilationRecord> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_kernel_are_its_own() {
        let kernel = |name: &str| Kernel {
            name: name.to_owned(),
            ..Kernel::default()
        };
        let mut record = CompilationRecord {
            kernels: vec![kernel("main_kernel_1"), kernel("main_kernel_2")],
            ..CompilationRecord::default()
        };
        let code = |name: &str, seconds| CodeGeneration {
            name: name.to_owned(),
            seconds,
            ..CodeGeneration::default()
        };
        record.add_code(code("main_kernel_1, callers", 0.25));
        record.add_code(code("main_kernel_2, main_kernel_1__part", 0.5));
        record.add_code_size("_main_kernel_1", 100);
        record.add_code_size("main_kernel_1__part", 20);
        let kernels = record.kernels.iter();
        let found: Vec<_> = kernels
            .map(|kernel| (kernel.compile_seconds, kernel.code_bytes))
            .collect();
        assert_eq!(found, [(Some(0.75), Some(120)), (Some(0.5), None)]);
        assert_eq!(kernel_of_symbol("__part_of"), "__part_of");
    }
}
