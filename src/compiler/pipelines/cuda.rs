//! The pipeline from StableHLO to kernels in the NVVM dialect, for NVIDIA GPUs.

use super::{
    common::{NO_LIBM, bufferized, clean_up, fusion, hlo, linalg, on_functions},
    phase::Phase,
};
use halo_codegen::{
    bufferize::buffer_assignment,
    cleanup,
    fusion::{
        duplicate_producers, form_fusion_groups, fuse_contraction_chains, fuse_elementwise,
        fuse_gathers, fuse_multi_output, generalize_insertions,
    },
    gpu::{
        self,
        gpu_contractions::provider::{F32Products, Provider},
    },
    math, widen_bool_memory,
};
use halo_core::machine::{GPUS, Gpu, Vendor};
use halo_hlo::transforms::simplify::split_long_sums;
use halo_ir::{
    ops::gpu::GPUModuleOp,
    pipeline,
    pipeline::{Pipeline, nest, pass, upstream},
};

/// The properties of the target GPU that passes use.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// The architecture.
    pub gpu: Gpu,
    /// The provider of matrix products.
    pub dot: Provider,
    /// The computation of f32 products.
    pub f32: F32Products,
}

/// The architecture of the pipelines of `halo-opt`.
pub const REFERENCE: &str = "sm_90";

impl Parameters {
    /// The parameters of kernels for an architecture, without libraries.
    pub const fn of(gpu: Gpu) -> Self {
        Self {
            gpu,
            dot: Provider::Codegen,
            f32: F32Products::Auto,
        }
    }

    /// The parameters of the pipelines of `halo-opt`.
    pub fn reference() -> Self {
        Self::of(Gpu::parse(REFERENCE).unwrap_or(GPUS[0]))
    }
}

/// The phase after which the host program is a plan.
pub const KERNELS: &str = "kernels";

/// The phases of the CUDA backend, in order.
pub fn phases(parameters: &Parameters) -> Vec<Phase> {
    let mut phases = kernel_phases(parameters);
    phases.push(nvvm(parameters));
    phases
}

/// The phases up to the kernels.
pub fn kernel_phases(parameters: &Parameters) -> Vec<Phase> {
    vec![
        hlo(NO_LIBM),
        // Each thread sums a part of k.
        linalg(pass(&split_long_sums::PASS).option("block", 4096), true),
        fusion(
            gathers(),
            groups(parameters),
            pass(&fuse_multi_output::PASS).option("reductions", true),
        ),
        bufferized(),
        kernels(parameters),
    ]
}

/// Concatenations and operands of scatters are computed by the threads that read them.
fn gathers() -> Pipeline {
    pipeline![
        &generalize_insertions::PASS,
        pass(&fuse_gathers::PASS).option("parallel-scatters", true),
    ]
}

/// The bytes of the values of a group in one block.
const TILE_BYTES: i64 = 40960;

/// Groups whose iterations are blocks: their values fit into workgroup memory, and few blocks are
/// better than several kernels, unless these would have more blocks.
fn groups(parameters: &Parameters) -> Pipeline {
    let chains = pass(&fuse_contraction_chains::PASS)
        .option("registers", true)
        .option("fewest-tiles", parameters.gpu.busy_blocks())
        .option("registers-f32", parameters.f32 != F32Products::Ieee);
    let groups = pass(&form_fusion_groups::PASS)
        .option("tile-bytes", TILE_BYTES)
        .option("fewest-iterations", 1)
        .option("fewest-elements", 32)
        .option("most-elements", 32768);
    pipeline![
        (parameters.gpu.vendor == Vendor::Nvidia).then_some(chains),
        pass(&duplicate_producers::PASS).option("tile-bytes", TILE_BYTES),
        &fuse_elementwise::PASS,
        groups,
    ]
}

/// Lowers linalg on buffers to kernels.
pub fn kernels(parameters: &Parameters) -> Phase {
    let contractions = pass(&gpu::gpu_contractions::PASS)
        .option("architecture", parameters.gpu.name)
        .option("dot", parameters.dot)
        .option("f32", parameters.f32);
    let is_amd = parameters.gpu.vendor == Vendor::Amd;
    let chains = pass(&gpu::gpu_contraction_chains::PASS)
        .option("tf32", parameters.f32 == F32Products::Tf32);
    let pipeline = pipeline![
        on_functions(upstream("scf-forall-to-parallel")),
        (!is_amd).then(|| on_functions(chains)),
        contractions,
        on_functions(&gpu::spill_scalars::PASS),
        on_functions(&gpu::linalg_to_kernels::PASS),
        on_functions(&gpu::outline_scalar_code::PASS),
        on_functions(&buffer_assignment::PASS),
        parameters.gpu.has_wgmma.then(|| on_functions(&gpu::hoist_tensor_maps::PASS)),
        upstream("gpu-kernel-outlining"),
        is_amd.then_some(&gpu::lower_async_copies::PASS),
        pass(&math::expand_math::PASS)
            .option("doubles", true)
            .option("bf16-rounding", is_amd),
        &math::expand_remainder::PASS,
        clean_up(),
        &gpu::annotate_kernel_arguments::PASS,
    ];
    Phase::new(
        KERNELS,
        "A host program of launches over planned buffers, and kernels",
        pipeline,
    )
}

/// Lowers kernels to the dialects that LLVM's code generator translates.
pub fn nvvm(parameters: &Parameters) -> Phase {
    let target = upstream("nvvm-attach-target")
        .option("chip", parameters.gpu.name)
        .option("O", 3);
    let to_nvvm = upstream("convert-gpu-to-nvvm")
        .option("index-bitwidth", 64)
        .option("use-bare-ptr-memref-call-conv", true);
    Phase::new(
        "nvvm",
        "Kernels in the NVVM and LLVM dialects, for one architecture",
        pipeline![
            target,
            nest::<GPUModuleOp>(pipeline![
                &gpu::dynamic_workgroup_memory::PASS,
                upstream("expand-strided-metadata"),
                upstream("lower-affine"),
                upstream("convert-linalg-to-loops"),
                upstream("convert-complex-to-standard"),
                upstream("convert-vector-to-scf"),
                &gpu::lower_bf16_mma::PASS,
                upstream("convert-nvgpu-to-nvvm"),
                upstream("convert-scf-to-cf"),
                &gpu::lower_kernel_math::PASS,
                to_nvvm,
                parameters.gpu.has_wgmma.then_some(&gpu::mark_grid_constants::PASS),
                upstream("convert-math-to-llvm"),
                upstream("reconcile-unrealized-casts"),
                &widen_bool_memory::PASS,
                upstream("canonicalize"),
                &cleanup::cse::PASS,
                parameters.gpu.has_wgmma.then(|| upstream("convert-nvvm-to-llvm")),
            ]),
        ],
    )
}
