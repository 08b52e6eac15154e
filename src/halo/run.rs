//! `halo-run` as a library.

use crate::{Plugin, tool};
use halo_runtime::cuda::{CudaPlatform, CudaTransferManager};
use std::{io::BufWriter, process::ExitCode, sync::Arc};

/// The main function of a tool that compiles and runs programs, as `halo-run` does, with the
/// backends and custom calls of a plug-in.
pub fn main(name: &'static str, plugin: Plugin) -> ExitCode {
    tool::report_fatal_errors(name);
    tool::run(name, plugin, |mut start| {
        start
            .environment
            .registry
            .register_platform(Arc::new(CudaPlatform::new()), Arc::new(CudaTransferManager));
        // Not locked: a running program may print from its threads.
        let mut out = BufWriter::new(std::io::stdout());
        let err = &mut halo_drivers::stderr();
        halo_drivers::run::main(
            start.tool,
            start.arguments,
            &start.environment,
            &mut out,
            err,
        )
    })
}
