//! `halo-opt`: everything that `mlir-opt` takes, with Halo's dialects, passes
//! and pipelines, and programs of HLO text and portable artifacts.

use halo_compiler::{
    dialects::{limits, opt::opt_main},
    translations::to_mlir,
};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Deep programs need a deep stack.
    let thread = std::thread::Builder::new()
        .stack_size(limits::STACK_BYTES)
        .spawn(|| {
            halo_compiler::register_passes();
            opt_main(std::env::args(), "Halo modular optimizer driver\n", to_mlir)
        });
    let code = thread.map(std::thread::JoinHandle::join);
    match code {
        Ok(Ok(code)) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        Ok(Err(_)) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("halo-opt: error: cannot start a thread: {error}");
            ExitCode::FAILURE
        }
    }
}
