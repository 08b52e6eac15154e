//! `halo-opt`: `mlir-opt` with Halo's dialects, passes and pipelines, and programs of HLO text and
//! portable artifacts.

use halo::Plugin;
#[cfg(feature = "shared")]
use halo_shared as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    halo_allocator::replace_malloc();
    let plugin = Plugin {
        passes: halo_opt_passes::PASSES.to_vec(),
        ..Plugin::default()
    };
    halo::opt::main("halo-opt", plugin)
}
