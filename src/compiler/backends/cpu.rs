//! The CPU backend: StableHLO through linalg, vector and the LLVM dialect to
//! machine code for the host.

mod compiler;

use halo_runtime::{
    Backend,
    host::{HostPlatform, HostTransferManager},
};
use std::sync::Arc;

/// The backend.
pub fn backend() -> Backend {
    Backend {
        name: "cpu",
        summary: "native code for this machine's processor, by way of linalg and LLVM",
        platform: Arc::new(HostPlatform::new()),
        compiler: Arc::new(compiler::CpuCompiler),
        transfer_manager: Arc::new(HostTransferManager),
    }
}
