//! `halo-run`: compiles a program, runs it, and prints or checks its results. Built without the
//! feature `compiler`, it only runs compiled plans.

#[cfg(feature = "shared")]
use halo_shared as _;
use std::process::ExitCode;

#[cfg(feature = "compiler")]
fn main() -> ExitCode {
    halo_allocator::replace_malloc();
    halo::run::main("halo-run", halo::Plugin::default())
}

#[cfg(not(feature = "compiler"))]
fn main() -> ExitCode {
    use halo_backend::Registry;
    use halo_runtime::cuda::{CudaPlatform, CudaTransferManager};
    use std::{io::BufWriter, sync::Arc};

    halo_core::panics::report_caught_panics_once();
    let mut registry = Registry::new();
    registry.register_platform(Arc::new(CudaPlatform::new()), Arc::new(CudaTransferManager));
    // Not locked: a running program may print from other threads.
    let mut out = BufWriter::new(std::io::stdout());
    let err = &mut halo_drivers::stderr();
    let tool = halo_drivers::Tool::halo("halo-run");
    if let Err(error) = halo_drivers::logging::start() {
        eprintln!("{}: error: {error}", tool.name);
        return ExitCode::FAILURE;
    }
    let arguments = std::env::args_os();
    halo_drivers::run::main(tool, arguments, &registry.into(), &mut out, err).into()
}
