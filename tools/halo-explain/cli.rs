//! The command line.

use clap::{Parser, ValueEnum};
use halo_drivers::{BackendArguments, PipelineArguments, ProcessorArguments, count};
use std::{
    num::{NonZeroU32, NonZeroUsize},
    path::PathBuf,
};

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A page for browsers
    Html,
    /// The record of the compilation
    Json,
}

/// Compiles a program and writes a report of the compilation, one page of HTML.
///
/// The report has the kernels with their bytes, operations and place in the roofline, the changes
/// of each pass, the fusion decisions with their reasons, and the memory plan over time. With
/// --run it also has the time of each kernel. A program that does not compile has a report up to
/// the error.
#[derive(Debug, Parser)]
#[command(name = "halo-explain", version, max_term_width = 100)]
pub struct Cli {
    /// The program: a file, or - for standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,

    /// Where to write the report; - is standard output [default: the program's name with
    /// .html]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// The format of the output
    #[arg(long, value_enum, default_value_t = Format::Html)]
    pub format: Format,

    /// Compare with an earlier report, of either format
    #[arg(long, value_name = "REPORT")]
    pub diff: Option<PathBuf>,

    /// Run the program N times after a first run, and measure its kernels and the peak rates
    /// of the machine. Without N it runs 10 to 100 times: until two seconds have passed
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        value_parser = count::<NonZeroU32>
    )]
    pub run: Option<Option<NonZeroU32>>,

    /// The next input of --run: @FILE.npy, or a literal. Other inputs are random
    #[arg(
        long = "input",
        value_name = "VALUE",
        allow_hyphen_values = true,
        requires = "run"
    )]
    pub inputs: Vec<String>,

    /// The seed of random inputs
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub random_inputs: u64,

    /// The backend to compile for
    #[arg(long, value_name = "NAME")]
    pub backend: Option<String>,

    /// The function to compile [default: main, or else the only public one]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// How many threads the program uses [default: all]
    #[arg(long, value_name = "N", value_parser = count::<NonZeroUsize>)]
    pub threads: Option<NonZeroUsize>,

    /// Do not fold constants, so that the compiled code computes them
    #[arg(long)]
    pub no_constant_folding: bool,

    #[command(flatten)]
    pub processor: ProcessorArguments,

    /// The oldest kind of GPU to compile for: sm_80, sm_89, sm_90, ...
    /// [default: chosen by the backend]
    #[arg(long, value_name = "ARCH")]
    pub gpu_arch: Option<String>,

    #[command(flatten)]
    pub backend_arguments: BackendArguments,

    #[command(flatten)]
    pub pipeline: PipelineArguments,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declaration_is_sound() {
        Cli::command().debug_assert();
    }
}
