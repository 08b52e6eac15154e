//! `halo-compile`: compiles a program ahead of time, to a plan that `halo-run`
//! and applications run without a compiler, or to the text of any phase.
//!
//! The driver is in `halo_tools`; this registers the backends.

use std::io::BufWriter;
use std::process::ExitCode;

use halo_runtime::Registry;

fn main() -> ExitCode {
    let stack_bytes = halo_ir::limits::STACK_BYTES;
    halo_tools::on_deep_stack("halo-compile", stack_bytes, || {
        let mut registry = Registry::new();
        halo_compiler::backends::register(&mut registry);
        let mut out = BufWriter::new(std::io::stdout());
        let err = &mut std::io::stderr();
        halo_tools::compile::main(std::env::args_os(), &registry, &mut out, err)
    })
}
