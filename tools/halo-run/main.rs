//! `halo-run`: compiles a program, runs it, and prints or checks its results.
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

use halo_runtime::Registry;

fn main() -> ExitCode {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let mut out = BufWriter::new(std::io::stdout().lock());
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
