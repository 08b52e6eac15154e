//! The CPU backend: StableHLO through linalg, vector and the LLVM dialect to
//! machine code for the host.

mod products;
mod stored;
mod target;

use crate::TargetCompiler;
use halo_backend::Backend;

/// The backend.
pub fn backend() -> Backend {
    Backend::host(
        "cpu",
        "native code for this machine's processor, by way of linalg and LLVM",
        TargetCompiler::new(target::CpuTarget::default()),
    )
}
