//! The CUDA backend: StableHLO through linalg, gpu and NVVM to PTX for NVIDIA GPUs, and a plan of
//! the host's work.
//!
//! Compiling needs neither a GPU, nor a driver or other NVIDIA software: LLVM generates PTX, which
//! the driver of the executing machine compiles to machine code.

mod target;

use crate::TargetCompiler;
use halo_backend::Backend;
use halo_runtime::cuda::{CudaPlatform, CudaTransferManager};
use std::sync::Arc;

/// The backend.
pub fn backend() -> Backend {
    let platform = Arc::new(CudaPlatform::new());
    let transfer_manager = Arc::new(CudaTransferManager);
    Backend {
        name: "cuda",
        summary: "kernels for NVIDIA GPUs, by way of linalg, gpu and NVVM",
        compiler: Arc::new(TargetCompiler::new(target::CudaTarget::new(
            platform.clone(),
            transfer_manager.clone(),
        ))),
        platform,
        transfer_manager,
    }
}
