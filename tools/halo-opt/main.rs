//! `halo-opt`: everything that `mlir-opt` takes, with Halo's dialects, passes
//! and pipelines, and programs of HLO text and portable artifacts.

mod help;

use halo_frontend::translations::to_mlir;
use halo_ir::{driver::Tool, limits, opt::opt_main};
use halo_tools::{on_deep_stack, run_driver};
use std::{ffi::OsString, process::ExitCode};

fn main() -> ExitCode {
    on_deep_stack("halo-opt", limits::STACK_BYTES, || {
        halo_compiler::register_passes();
        let help = help::help();
        let names = help.option_names();
        let tool = Tool {
            title: "Halo modular optimizer driver\n",
            options: &names,
        };
        let arguments: Vec<OsString> = std::env::args_os().collect();
        let (out, err) = (&mut std::io::stdout(), &mut std::io::stderr());
        run_driver(&help, arguments, out, err, |arguments| {
            opt_main(arguments, tool, to_mlir)
        })
    })
}
