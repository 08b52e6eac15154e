//! `halo-run`: compiles a program, runs it, and prints or checks its results.
//! Built without the feature `compiler`, it runs plans, which were compiled
//! before, and nothing else.
//!
//! The driver is in `halo_tools`; this registers what it runs on.

use std::io::BufWriter;
use std::process::ExitCode;
use std::sync::Arc;

use halo_runtime::Registry;
use halo_runtime::cuda::{CudaPlatform, CudaTransferManager};

/// Deep programs need a deep stack.
#[cfg(feature = "compiler")]
const STACK_BYTES: usize = halo_ir::limits::STACK_BYTES;
#[cfg(not(feature = "compiler"))]
const STACK_BYTES: usize = 8 << 20;

fn main() -> ExitCode {
    halo_tools::on_deep_stack("halo-run", STACK_BYTES, || {
        let mut registry = Registry::new();
        #[cfg(feature = "compiler")]
        halo_compiler::backends::register(&mut registry);
        registry.register_platform(Arc::new(CudaPlatform::new()), Arc::new(CudaTransferManager));
        // Not locked: a program that runs may print, from threads of its own.
        let mut out = BufWriter::new(std::io::stdout());
        let err = &mut std::io::stderr();
        halo_tools::run::main(std::env::args_os(), &registry, &mut out, err)
    })
}
