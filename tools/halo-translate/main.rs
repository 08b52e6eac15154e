//! `halo-translate`: translates between StableHLO, HLO text, StableHLO portable
//! artifacts and LLVM IR, with all that `mlir-translate` offers around it.

mod help;

use halo_frontend::translations::{OPTIONS, TRANSLATIONS};
use halo_ir::{driver::Tool, limits, translate::translate_main};
use halo_tools::{on_deep_stack, run_driver};
use std::{ffi::OsString, process::ExitCode};

fn main() -> ExitCode {
    on_deep_stack("halo-translate", limits::STACK_BYTES, || {
        halo_compiler::register_passes();
        let help = help::help();
        let names = help.option_names();
        let tool = Tool {
            title: "Halo translation driver\n",
            options: &names,
        };
        let arguments: Vec<OsString> = std::env::args_os().collect();
        let (out, err) = (&mut std::io::stdout(), &mut std::io::stderr());
        run_driver(&help, arguments, out, err, |arguments| {
            translate_main(arguments, tool, TRANSLATIONS, OPTIONS)
        })
    })
}
