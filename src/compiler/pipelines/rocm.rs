//! The pipeline from StableHLO to kernels in the ROCDL dialect, for AMD GPUs.

use super::{
    cuda::{Parameters, kernel_phases},
    phase::Phase,
};
use halo_codegen::{cleanup, gpu, math, widen_bool_memory};
use halo_core::machine::{GPUS, Gpu};
use halo_ir::{
    ops::gpu::GPUModuleOp,
    pipeline,
    pipeline::{nest, upstream},
};

/// The architecture of the pipelines of `halo-opt`.
const REFERENCE: &str = "gfx90a";

/// The model of the reference architecture.
pub fn reference() -> Gpu {
    Gpu::parse(REFERENCE).unwrap_or(GPUS[0])
}

/// The phases of the ROCm backend for an architecture, in order.
pub fn phases(gpu: Gpu) -> Vec<Phase> {
    let mut phases = kernel_phases(&Parameters::of(gpu));
    phases.push(rocdl(gpu.name));
    phases
}

/// Lowers kernels to the dialects that LLVM's code generator translates.
fn rocdl(architecture: &'static str) -> Phase {
    let target = upstream("rocdl-attach-target").option("chip", architecture).option("O", 3);
    let to_rocdl = upstream("convert-gpu-to-rocdl")
        .option("chipset", architecture)
        .option("index-bitwidth", 64)
        .option("use-bare-ptr-memref-call-conv", true);
    Phase::new(
        "rocdl",
        "Kernels in the ROCDL and LLVM dialects, for one architecture",
        pipeline![
            target,
            nest::<GPUModuleOp>(pipeline![
                &math::expand_bf16::PASS,
                upstream("expand-strided-metadata"),
                upstream("lower-affine"),
                upstream("convert-linalg-to-loops"),
                upstream("convert-complex-to-standard"),
                upstream("convert-vector-to-scf"),
                upstream("convert-scf-to-cf"),
                &gpu::lower_kernel_math::PASS,
                to_rocdl,
                upstream("convert-math-to-llvm"),
                upstream("reconcile-unrealized-casts"),
                &widen_bool_memory::PASS,
                &gpu::lower_private_memory::PASS,
                upstream("canonicalize"),
                &cleanup::cse::PASS,
            ]),
        ],
    )
}
