//! A device that emulates a GPU on the host's processor, so that kernels can be
//! checked, and whole programs run, without a GPU.
//!
//! It compiles the GPU backend's kernels, before they become GPU code, to an object file of the
//! host: [`kernel_object`]. Memory and streams are the host's.

use halo_ir::prelude::*;
mod target;
#[cfg(test)]
mod tests;

use crate::TargetCompiler;
use crate::pipelines::{cuda::Parameters, emulator::phases};
use halo_backend::Backend;
use halo_codegen::gpu::gpu_contractions::provider::F32Products;
use halo_gpu_emulator::{EmulatorPlatform, NAME};
use halo_llvm::target::TargetDescription;
use halo_runtime::{Error, Result, host::HostTransferManager};
use inkwell::targets::FileType;
use melior::{
    Context,
    ir::{Location, Module},
};
use std::sync::Arc;

/// The backend: the CUDA backend's kernels, run by the processor.
pub fn backend() -> Backend {
    let platform = Arc::new(EmulatorPlatform);
    Backend {
        name: NAME,
        summary: "the kernels of the cuda backend, run thread by thread on this processor",
        compiler: Arc::new(TargetCompiler::new(target::EmulatorTarget {
            platform: platform.clone(),
            checks: Checks::Rules,
            gpu: Parameters::reference().gpu,
            f32: F32Products::Auto,
        })),
        platform,
        transfer_manager: Arc::new(HostTransferManager),
    }
}

/// The checks in kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Checks at compile time only.
    Rules,
    /// Detects races between threads on shared memory and between blocks on global memory, and
    /// out-of-bounds accesses, which is slow.
    Accesses,
}

/// An object file of the host for the kernels of a `gpu.module`, which is not changed: the code of
/// a plan for this platform. Checks in running kernels report errors of the launch.
///
/// # Errors
/// Returns invalid input, at the op, if the kernels violate a rule that emulation checks.
pub fn kernel_object(context: &Context, kernels: Operation, checks: Checks) -> Result<Vec<u8>> {
    let location = Location::unknown(context);
    let mut module = Module::new(location);
    halo_ir::fill_module(&mut module, &kernels, |builder, _, kernels| {
        builder.clone_op(*kernels, &mut halo_ir::ValueMap::new());
    })
    .map_err(Error::internal)?;
    let target = host();
    for phase in phases(checks == Checks::Accesses) {
        halo_hlo::run_pipeline(context, &mut module, &phase.pipeline)?;
    }
    let llvm_context = inkwell::context::Context::create();
    let module = halo_llvm::translate(halo_ir::root_of(&module), &llvm_context)?;
    let machine = target.machine()?;
    halo_llvm::optimize(&module, &machine, &target, halo_llvm::Effort::Full)?;
    halo_llvm::emit(&module, &machine, FileType::Object)
}

/// This machine's processor without its conversions to bf16. They flush subnormal numbers to zero,
/// and LLVM uses them for the expected value of an atomic update, which then never equals the value
/// in memory.
fn host() -> TargetDescription {
    let mut target = TargetDescription::host();
    if target.triple.starts_with("x86_64") {
        target.features.push_str(",-avx512bf16,-avxneconvert");
    }
    target
}

/// Like [`kernel_object`], for a program text with one `gpu.module`.
///
/// # Errors
/// Like [`kernel_object`], and invalid input if the text has no `gpu.module`.
pub fn kernel_object_of_text(text: &str, name: &str, checks: Checks) -> Result<Vec<u8>> {
    let context = crate::context();
    let program = halo_backend::Program {
        name: name.to_owned(),
        code: text.as_bytes().to_vec(),
    };
    let module = halo_frontend::parse(&context, &program)?;
    let kernels =
        halo_ir::root_of(&module).collect_nested(|operation| operation.isa::<gpu::GPUModuleOp>());
    let kernels = kernels
        .first()
        .ok_or_else(|| Error::invalid(format!("{name}: error: there is no 'gpu.module' op")))?;
    kernel_object(&context, *kernels, checks)
}
