//! `halo-compile`: compiles a program ahead of time, to a plan that `halo-run`
//! and applications run without a compiler, or to the text of any phase.
//!
//! The tool knows no compiler: it takes its backends from the registry. What it
//! compiles for need not be there.

mod cli;
mod driver;

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use halo_runtime::Registry;

fn main() -> ExitCode {
    // Deep programs need a deep stack.
    let thread = std::thread::Builder::new()
        .stack_size(halo_compiler::dialects::limits::STACK_BYTES)
        .spawn(run);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("halo-compile: error: cannot start a thread: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> ExitCode {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let mut out = BufWriter::new(std::io::stdout());
    let code = driver::main(
        std::env::args_os(),
        &registry,
        &mut out,
        &mut std::io::stderr(),
    );
    // Whoever reads our output may have read enough.
    let _ = out.flush();
    ExitCode::from(code)
}
