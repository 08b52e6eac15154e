//! `halo-translate`: translates between StableHLO, HLO text, StableHLO portable
//! artifacts and LLVM IR, with all that `mlir-translate` offers around it.

use halo_compiler::{
    dialects::{limits, translate::translate_main},
    translations::{OPTIONS, TRANSLATIONS},
};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Deep programs need a deep stack.
    let thread = std::thread::Builder::new()
        .stack_size(limits::STACK_BYTES)
        .spawn(|| {
            halo_compiler::register_passes();
            let title = "Halo translation driver\n";
            translate_main(std::env::args(), title, TRANSLATIONS, OPTIONS)
        });
    let code = thread.map(std::thread::JoinHandle::join);
    match code {
        Ok(Ok(code)) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        Ok(Err(_)) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("halo-translate: error: cannot start a thread: {error}");
            ExitCode::FAILURE
        }
    }
}
