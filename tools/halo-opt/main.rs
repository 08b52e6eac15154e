//! `halo-opt`: everything that `mlir-opt` takes, with Halo's dialects, passes
//! and pipelines.

use std::process::ExitCode;

fn main() -> ExitCode {
    halo_compiler::register_passes();
    let code =
        halo_compiler::dialects::opt::opt_main(std::env::args(), "Halo modular optimizer driver\n");
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
