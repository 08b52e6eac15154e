//! `halo-translate`: translates between StableHLO, HLO text, StableHLO portable artifacts and LLVM
//! IR, as an extension of `mlir-translate`.

use halo::Plugin;
#[cfg(feature = "shared")]
use halo_shared as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    halo_allocator::replace_malloc();
    halo::translate::main("halo-translate", Plugin::default())
}
