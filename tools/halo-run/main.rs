//! `halo-run`: compiles a program, runs it, and prints or checks its results.
//! Built without the feature `compiler`, it runs plans, which were compiled
//! before, and nothing else.
//!
//! The tool knows no compiler: it takes its backends from the registry, and
//! everything it does with them is in the modules beside this one, which are
//! tested with a backend of their own.

mod bench;
mod cli;
mod driver;
mod value;

use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::sync::Arc;

use halo_runtime::Registry;
use halo_runtime::cuda::{CudaPlatform, CudaTransferManager};

/// Deep programs need a deep stack.
#[cfg(feature = "compiler")]
const STACK_BYTES: usize = halo_compiler::dialects::limits::STACK_BYTES;
#[cfg(not(feature = "compiler"))]
const STACK_BYTES: usize = 8 << 20;

fn main() -> ExitCode {
    let thread = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(run);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("halo-run: error: cannot start a thread: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> ExitCode {
    let mut registry = Registry::new();
    #[cfg(feature = "compiler")]
    halo_compiler::backends::register(&mut registry);
    registry.register_platform(Arc::new(CudaPlatform::new()), Arc::new(CudaTransferManager));
    // Not locked: a program that runs may print, from threads of its own.
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
