//! `halo-opt`: everything that `mlir-opt` takes, with Halo's dialects, passes
//! and pipelines, and programs of HLO text and portable artifacts.

use halo::Plugin;
#[cfg(feature = "shared")]
use halo_shared as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    halo_allocator::replace_malloc();
    halo::opt::main("halo-opt", Plugin::default())
}
