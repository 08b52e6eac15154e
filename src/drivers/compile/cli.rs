//! The command line.

use std::path::PathBuf;

use super::constants::Constants;
use crate::{
    BackendArguments, CacheArguments, PipelineArguments, ProcessorArguments, TimingArguments,
};
use clap::Parser;

/// Compiles a program ahead of time.
///
/// Reads StableHLO as text or bytecode, HLO text or a portable artifact, and writes an object file
/// with its C header or Rust module, which applications link without Halo; a plan, which halo-run
/// runs without compiling; or the program after a phase of the compiler. The target device need not
/// be present.
#[derive(Debug, Parser)]
#[command(name = "halo-compile", version, max_term_width = 100)]
pub struct Cli {
    /// The program: a file, or - for standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,

    /// The backend to compile for
    #[arg(long, value_name = "NAME")]
    pub backend: Option<String>,

    /// The format to write: obj, static or shared, which applications link, or c, which they
    /// compile; header or rust, which declare them; plan; listing, which is a plan as text; or the
    /// name of a phase, such as asm, llvm-ir or ptx
    #[arg(long, value_name = "WHAT", default_value = "plan")]
    pub emit: String,

    /// Write a C header for the object file
    #[arg(long, value_name = "FILE")]
    pub header: Option<PathBuf>,

    /// Write a Rust module for the object file
    #[arg(long, value_name = "FILE")]
    pub rust: Option<PathBuf>,

    /// The prefix of all names in object file, header and module [default: from the name of the
    /// output file]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// The names of the inputs in header and module [default: as in the program]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub input_names: Option<Vec<String>>,

    /// The names of the outputs in header and module [default: as in the program]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub output_names: Option<Vec<String>>,

    /// The location of constants of 4 KiB and more: in the code, or in a file that the application
    /// maps
    #[arg(long, value_name = "WHERE", default_value = "object")]
    pub constants: Constants,

    /// The file of external constants [default: as -o, with .weights]
    #[arg(long, value_name = "FILE")]
    pub constants_file: Option<PathBuf>,

    /// The linker for shared libraries: a C compiler for the target
    #[arg(long, value_name = "PROGRAM", default_value = "cc")]
    pub linker: String,

    /// The output file, or - for standard output, the default for text
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// The function to compile [default: main, or else the only public one]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    #[command(flatten)]
    pub processor: ProcessorArguments,

    /// Print the systems that machine code can be generated for, or with --target its processors
    /// and features, and exit
    #[arg(long)]
    pub list_targets: bool,

    /// The oldest kind of GPU to compile for: sm_80, sm_89, sm_90, ... [default: chosen by the
    /// backend]
    #[arg(long, value_name = "ARCH")]
    pub gpu_arch: Option<String>,

    #[command(flatten)]
    pub backend_arguments: BackendArguments,

    #[command(flatten)]
    pub pipeline: PipelineArguments,

    #[command(flatten)]
    pub cache: CacheArguments,

    /// Write the program after each phase into this directory
    #[arg(long, value_name = "DIR")]
    pub dump_dir: Option<PathBuf>,

    #[command(flatten)]
    pub timing: TimingArguments,

    /// Add line tables to machine code, which map it to lines of the program in gdb, lldb and perf
    #[arg(short = 'g', long)]
    pub debug_info: bool,

    /// Disable constant folding, so that the compiled code does all computations
    #[arg(long)]
    pub no_constant_folding: bool,
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
