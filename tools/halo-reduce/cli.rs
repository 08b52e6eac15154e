//! The command line, which workers get too.

use clap::{ArgGroup, Parser};
use halo::{
    core::Rule,
    runtime::{CompileOptions, Environment, Error, Result},
};
use halo_drivers::{
    BackendArguments, PipelineArguments, ProcessorArguments, count, run::value::Value,
};
use std::{
    num::{NonZeroU64, NonZeroUsize},
    path::PathBuf,
    sync::Arc,
};

/// Reduces a program that fails to a small one that still fails.
///
/// Reads StableHLO as text or bytecode, HLO as text or protocol buffers, or a portable artifact,
/// and removes parts that the failure does not need: ops, functions, regions, results, arguments,
/// sizes, attributes. The output always contains the best program so far. For a reproducer of
/// halo-opt, --crashes runs its passes.
#[derive(Debug, Parser)]
#[command(name = "halo-reduce", version, max_term_width = 100)]
#[command(group = ArgGroup::new("failure").args(["test", "differs", "crashes", "error"]))]
pub struct Cli {
    /// The program: a file, or - for standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,

    /// Where to write the result, as HLO text if it ends in .hlo; - is standard output [default:
    /// the name of the program with .reduced before its extension]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// The script has the same exit code as for the original program; it is run with the path of a
    /// candidate as its last argument
    #[arg(long, value_name = "SCRIPT")]
    pub test: Option<PathBuf>,

    /// An argument of the script, before the path; may be given several times
    #[arg(
        long,
        value_name = "TEXT",
        allow_hyphen_values = true,
        requires = "test"
    )]
    pub test_arg: Vec<String>,

    /// Two backends give different results, such as cpu,interpreter; compile options apply to the
    /// first, and the second is the reference
    #[arg(long, value_name = "A,B", value_parser = two_names)]
    pub differs: Option<(String, String)>,

    /// The compiler or the program crashes, panics, leaves invalid IR or, if the original does,
    /// takes longer than --timeout
    #[arg(long)]
    pub crashes: bool,

    /// The compiler or the run fails with an error that contains the text
    #[arg(long, value_name = "TEXT")]
    pub error: Option<String>,

    /// Only test the original program, and print the outcome; fails if it is not interesting
    #[arg(long)]
    pub check: bool,

    /// The backend of --crashes and --error [default: cpu]
    #[arg(long, value_name = "NAME")]
    pub backend: Option<String>,

    /// For --crashes and --error: run these passes, 'builtin.module(...)', and no backend
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["backend", "differs", "test"])]
    pub pass_pipeline: Option<String>,

    /// The function to run [default: main, or else the only public one]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// The next input: @FILE.npy, or a literal
    #[arg(long = "input", value_name = "VALUE", allow_hyphen_values = true)]
    pub inputs: Vec<String>,

    /// The seed of random inputs, as in halo-run --random-inputs=SEED
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = count::<u64>)]
    pub random_inputs: u64,

    /// Float results differ if they are further apart than ATOL + RTOL * |expected|
    /// [default: 1e-5, and four units in the last place of narrower floats]
    #[arg(long)]
    pub rtol: Option<f64>,

    /// See --rtol
    #[arg(long, default_value_t = 1e-8)]
    pub atol: f64,

    /// How many threads the program uses [default: all]
    #[arg(long, value_name = "N", value_parser = count::<NonZeroUsize>)]
    pub threads: Option<NonZeroUsize>,

    /// Do not fold constants, so that the compiled code computes them
    #[arg(long)]
    pub no_constant_folding: bool,

    /// Optimize the code for each new shape of a program of dynamic shapes at once
    #[arg(long)]
    pub no_tiered_compilation: bool,

    #[command(flatten)]
    pub processor: ProcessorArguments,

    /// The oldest kind of GPU to compile for: sm_80, sm_89, sm_90, ...
    #[arg(long, value_name = "ARCH")]
    pub gpu_arch: Option<String>,

    #[command(flatten)]
    pub backend_arguments: BackendArguments,

    #[command(flatten)]
    pub pipeline: PipelineArguments,

    /// The time limit of a test [default: 600, and then a multiple of the time of the smallest
    /// program so far]
    #[arg(long, value_name = "SECONDS", value_parser = count::<NonZeroU64>)]
    pub timeout: Option<NonZeroU64>,

    /// The time limit of the search [default: none]
    #[arg(long, value_name = "N", value_parser = count::<NonZeroU64>)]
    pub max_seconds: Option<NonZeroU64>,

    /// The maximum number of candidates to test [default: unlimited]
    #[arg(long, value_name = "N", value_parser = count::<NonZeroU64>)]
    pub max_tests: Option<NonZeroU64>,

    /// How many tests to run at a time; the result does not depend on it [default: one per core,
    /// and one for --test, whose script may not support several]
    #[arg(long, value_name = "N", value_parser = count::<NonZeroUsize>)]
    pub jobs: Option<NonZeroUsize>,

    /// Load a plug-in, a shared library; may be given several times
    #[arg(long, value_name = "FILE")]
    pub load_plugin: Vec<PathBuf>,

    /// Serve the tests of another halo-reduce on standard input and output
    #[arg(long, hide = true)]
    pub worker: bool,
}

fn two_names(text: &str) -> std::result::Result<(String, String), String> {
    match text.split(',').collect::<Vec<_>>()[..] {
        [first, second] if !first.is_empty() && !second.is_empty() => {
            Ok((first.to_owned(), second.to_owned()))
        }
        _ => Err("it takes the names of two backends, such as cpu,interpreter".to_owned()),
    }
}

impl Cli {
    /// The compile options of the backend under test.
    pub fn compile_options(&self, environment: &Environment) -> CompileOptions {
        CompileOptions {
            threads: self.threads,
            no_constant_folding: self.no_constant_folding,
            no_tiered_compilation: self.no_tiered_compilation,
            processor: self.processor.options(None),
            architecture: self.gpu_arch.clone(),
            backend: self.backend_arguments.options(),
            pipeline_edits: self.pipeline.edits.clone(),
            ..self.reference_options(environment)
        }
    }

    /// The compile options of the reference.
    pub fn reference_options(&self, environment: &Environment) -> CompileOptions {
        CompileOptions {
            custom_calls: Arc::clone(&environment.custom_calls),
            ..CompileOptions::default()
        }
    }

    /// The given inputs.
    ///
    /// # Errors
    /// Returns an error if a file does not exist, or is standard input.
    pub fn values(&self) -> Result<Vec<Value>> {
        let values: Result<Vec<Value>> = self.inputs.iter().map(|text| Value::new(text)).collect();
        let values = values?;
        if values.iter().any(Value::is_standard_input) {
            Err(Error::invalid(
                "an input that is tested often must be a file",
            ))
        } else {
            Ok(values)
        }
    }

    /// The tolerance for results of a type with this many mantissa bits.
    pub fn rule(&self, mantissa_bits: Option<u32>) -> Rule {
        let Some(bits) = mantissa_bits else {
            return Rule::EXACT;
        };
        let narrow = 4.0 * 0.5_f64.powi(i32::try_from(bits).unwrap_or(i32::MAX));
        let relative = self.rtol.unwrap_or(match bits {
            0..=15 => narrow,
            _ => 1e-5,
        });
        Rule::close(relative, self.atol)
    }
}
