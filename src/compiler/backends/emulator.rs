//! A device that emulates a GPU on the host's processor, so that kernels can be
//! checked, and whole programs run, without a GPU.
//!
//! It takes the kernels that the backend of the GPU makes, before they become
//! code of the GPU, as an object file of the host: [`kernel_object`]. Memory and
//! streams are the host's.

use halo_ir::prelude::*;
mod target;
#[cfg(test)]
mod tests;

use super::lowering::TargetCompiler;
use crate::pipelines::emulator::phases;
use halo_gpu_emulator::{EmulatorPlatform, NAME};
use halo_llvm::target::TargetDescription;
use halo_runtime::{Backend, Error, Result, host::HostTransferManager};
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
            vendor: crate::pipelines::cuda::Vendor::Nvidia,
        })),
        platform,
        transfer_manager: Arc::new(HostTransferManager),
    }
}

/// The checks in kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// The findings of checks at compile time.
    Rules,
    /// Races of threads on shared memory and of blocks on global memory, and accesses
    /// outside of buffers, which is slow.
    Accesses,
}

/// An object file of the host for the kernels of a `gpu.module`, which stays
/// unchanged: the code of a plan for this platform. The findings of checks in
/// running kernels are errors of the launch.
///
/// # Errors
/// Invalid input, at the op, if the kernels break a rule that emulation checks.
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

/// The processor at hand without its conversions to bf16. They take subnormal numbers for
/// zero, and LLVM uses them on a number that an atomic update expects in memory, which then
/// is never found there.
fn host() -> TargetDescription {
    let mut target = TargetDescription::host();
    if target.triple.starts_with("x86_64") {
        target.features.push_str(",-avx512bf16,-avxneconvert");
    }
    target
}

/// As [`kernel_object`], from a program whose text has one `gpu.module`.
///
/// # Errors
/// As there, and invalid input if the text has none.
pub fn kernel_object_of_text(text: &str, name: &str, checks: Checks) -> Result<Vec<u8>> {
    let context = crate::context();
    let program = halo_runtime::Program {
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
