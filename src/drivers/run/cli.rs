//! The command line.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use super::bisect::BisectArguments;
use super::comparison::ComparisonArguments;
use super::distributed::DistributedArguments;
use super::simulation::SimulationArguments;
use crate::{
    BackendArguments, CacheArguments, PipelineArguments, ProcessorArguments, ProfileArguments,
    TimingArguments, TuningArguments, count, numerics::NumericsArguments,
};
use clap::Parser;
use halo_backend::object_code::runner::Runner;

/// A command and its arguments, which contain no spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(pub Vec<String>);

fn words(text: &str) -> Result<Words, String> {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        Err("the command is empty".to_owned())
    } else {
        Ok(Words(words))
    }
}

/// Compiles a program and runs it.
///
/// Reads StableHLO as text or bytecode, HLO text or protocol buffers, or a portable artifact,
/// compiles it for a backend, runs its entry function on the given inputs, or else on the inputs of
/// an HloSnapshot, and prints each result as a typed literal. Inputs are taken in order; each is an
/// .npy file or a literal: --input=@a.npy, --input='dense<[1.0, 2.0]> : tensor<2xf32>',
/// --input='[1, 2]', or --input=1.5, which fills an input of any shape. The file - is standard
/// input or output.
///
/// A plan, which halo-compile makes, is run on its platform.
#[derive(Clone, Debug, Parser)]
#[command(name = "halo-run", version, max_term_width = 100)]
pub struct Cli {
    /// The program or plan: a file, or - for standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,

    /// The backend to compile for and run on
    #[arg(long, value_name = "NAME")]
    pub backend: Option<String>,

    /// Print the backends there are, with their phases, and exit
    #[arg(long)]
    pub list_backends: bool,

    /// The function to run [default: main, or else the only public one]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// The next input: @FILE.npy, or a literal; @- is an .npy file on standard
    /// input
    #[arg(long = "input", value_name = "VALUE", allow_hyphen_values = true)]
    pub inputs: Vec<String>,

    /// Generate the remaining inputs: floats in [-1, 1), integers in [-8, 7] or [0, 15]; the same
    /// seed generates the same inputs
    #[arg(
        long,
        value_name = "SEED",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0",
        value_parser = count::<u64>
    )]
    pub random_inputs: Option<u64>,

    /// The file for the next result: @FILE.npy; for @-, standard output, results are not printed
    #[arg(long = "output", value_name = "@FILE")]
    pub outputs: Vec<String>,

    /// The expected value of the next result: @FILE.npy, or a literal
    #[arg(long = "expect", value_name = "VALUE", allow_hyphen_values = true)]
    pub expected: Vec<String>,

    /// Float results may differ by ATOL + RTOL * |expected|
    #[arg(long, default_value_t = 1e-5)]
    pub rtol: f64,

    /// See --rtol
    #[arg(long, default_value_t = 1e-8)]
    pub atol: f64,

    /// Time N runs of fully optimized code after a warm-up run, and print the times in place of the
    /// results; without a cache, the compilation is timed after a warm-up of the compiler
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10",
        value_parser = count::<NonZeroU32>
    )]
    pub bench: Option<NonZeroU32>,

    /// Floating-point operations of one run; --bench then prints GFLOP/s
    #[arg(long, value_name = "COUNT", requires = "bench")]
    pub flops: Option<f64>,

    /// The number of threads of the program [default: all]
    #[arg(long, value_name = "N", value_parser = count::<NonZeroUsize>)]
    pub threads: Option<NonZeroUsize>,

    /// Print the program after a phase of the compiler, or after a pass, and do not run it
    #[arg(long, value_name = "PHASE")]
    pub compile_to: Option<String>,

    /// Write the program after each phase into this directory
    #[arg(long, value_name = "DIR")]
    pub dump_dir: Option<PathBuf>,

    #[command(flatten)]
    pub timing: TimingArguments,

    #[command(flatten)]
    pub profile: ProfileArguments,

    /// Add line tables to machine code, which map it to lines of the program in gdb, lldb and perf
    #[arg(short = 'g', long)]
    pub debug_info: bool,

    /// Disable constant folding, so that the compiled code does all computations
    #[arg(long)]
    pub no_constant_folding: bool,

    /// Compile each new shape of a dynamic program with full optimization at once; by default, the
    /// CPU backend first compiles baseline code, and optimizes shapes that recur in the background
    #[arg(long)]
    pub no_tiered_compilation: bool,

    /// When a program of dynamic shape is compiled for the shapes of its inputs
    #[arg(long, value_name = "WHEN", default_value = "always")]
    pub specialize: SpecializeArgument,

    #[command(flatten)]
    pub processor: ProcessorArguments,

    /// The command that runs programs for other machines: qemu-riscv64, or 'qemu-aarch64 -L
    /// /usr/aarch64-linux-gnu'
    #[arg(long, value_name = "COMMAND", value_parser = words, requires = "linker")]
    pub runner: Option<Words>,

    /// The command that links the program for --runner, a C compiler for the target:
    /// 'riscv64-linux-gnu-gcc -static'
    #[arg(long, value_name = "COMMAND", value_parser = words)]
    pub linker: Option<Words>,

    /// The oldest kind of GPU to compile for: sm_80, sm_89, sm_90, ... [default: chosen by the
    /// backend]
    #[arg(long, value_name = "ARCH")]
    pub gpu_arch: Option<String>,

    #[command(flatten)]
    pub backend_arguments: BackendArguments,

    #[command(flatten)]
    pub pipeline: PipelineArguments,

    #[command(flatten)]
    pub bisect: BisectArguments,

    #[command(flatten)]
    pub numerics: NumericsArguments,

    #[command(flatten)]
    pub comparison: ComparisonArguments,

    #[command(flatten)]
    pub cache: CacheArguments,

    #[command(flatten)]
    pub tuning: TuningArguments,

    #[command(flatten)]
    pub distributed: DistributedArguments,

    #[command(flatten)]
    pub simulation: SimulationArguments,

    /// Print every element of large results
    #[arg(long)]
    pub print_all: bool,
}

impl Cli {
    /// The options that are equal for all ranks of a job: all but files, which may differ by rank.
    pub fn options_of_all_ranks(&self) -> String {
        let without_files = Self {
            file: PathBuf::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            expected: Vec::new(),
            ..self.clone()
        };
        format!("{without_files:?}")
    }

    /// The runner of programs in place of this process.
    pub fn runner(&self) -> Option<Runner> {
        let linker = self.linker.as_ref()?;
        Some(Runner {
            command: self.runner.as_ref().map_or_else(Vec::new, |words| words.0.clone()),
            linker: linker.0.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declaration_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn optional_values_need_an_equals_sign() {
        let cli = Cli::parse_from(["halo-run", "--bench", "a.mlir", "--random-inputs=7"]);
        assert_eq!(cli.file, PathBuf::from("a.mlir"));
        assert_eq!(cli.bench.unwrap().get(), 10);
        assert_eq!(cli.random_inputs, Some(7));
    }

    #[test]
    fn values_may_begin_with_a_sign() {
        let cli = Cli::parse_from(["halo-run", "a.mlir", "--input=-1.5", "--input", "-2"]);
        assert_eq!(cli.inputs, ["-1.5", "-2"]);
    }
}

/// The values of `--specialize`.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum SpecializeArgument {
    /// Never: one code is for all shapes
    Never,
    /// At the first run with these shapes
    Always,
}
