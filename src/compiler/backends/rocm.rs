//! The ROCm backend: StableHLO through linalg, gpu and ROCDL to assembly for AMD GPUs.
//!
//! It is an example of a GPU with an LLVM target: the kernels are the same as for CUDA, without
//! NVIDIA-only instructions. It ends at assembly: there is no platform that runs the code.

mod target;

use crate::TargetCompiler;
use halo_backend::Backend;
use halo_runtime::{Error, Platform, Result, StreamExecutor, host::HostTransferManager};
use std::sync::Arc;

/// The backend.
pub fn backend() -> Backend {
    Backend {
        name: "rocm",
        summary: "assembly of kernels for GPUs of AMD, by way of linalg, gpu and ROCDL",
        compiler: Arc::new(TargetCompiler::new(target::RocmTarget::default())),
        platform: Arc::new(NoDevices),
        transfer_manager: Arc::new(HostTransferManager),
    }
}

/// A platform without devices.
struct NoDevices;

impl Platform for NoDevices {
    fn name(&self) -> &'static str {
        "rocm"
    }

    fn device_count(&self) -> usize {
        0
    }

    fn executor(&self, _ordinal: usize) -> Result<Arc<dyn StreamExecutor>> {
        Err(no_devices())
    }
}

/// The error for executing a program.
fn no_devices() -> Error {
    Error::invalid("backend 'rocm' compiles to assembly, and runs no programs: --compile-to=asm")
}
