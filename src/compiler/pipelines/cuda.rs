//! The way from StableHLO to kernels in the NVVM dialect, for NVIDIA GPUs.

use super::{
    CANONICALIZE, Phase,
    common::{BUFFERIZED, FUSION, HLO_WITHOUT_LIBM},
};

/// The phases of the CUDA backend, in order.
pub static PHASES: &[Phase] = &[HLO_WITHOUT_LIBM, LINALG, FUSION, BUFFERIZED, KERNELS, NVVM];

/// Those up to the kernels, whatever runs them.
pub static KERNEL_PHASES: &[Phase] = &[HLO_WITHOUT_LIBM, LINALG, FUSION, BUFFERIZED, KERNELS];

/// From StableHLO to linalg.
pub const LINALG: Phase = Phase {
    name: "linalg",
    summary: "linalg on tensors, for a device of many threads",
    passes: &[
        "stablehlo-legalize-to-linalg{parallel-sort=1}",
        CANONICALIZE,
        "cse",
    ],
};

/// From linalg on buffers to kernels.
pub const KERNELS: Phase = Phase {
    name: "kernels",
    summary: "A host program of launches over planned buffers, and kernels",
    passes: &[
        "func.func(scf-forall-to-parallel)",
        "halo-gpu-contractions{dot={GPU_DOT}}",
        "func.func(halo-spill-scalars)",
        "func.func(halo-linalg-to-kernels)",
        "func.func(halo-outline-scalar-code)",
        "func.func(halo-buffer-assignment)",
        "gpu-kernel-outlining",
        "halo-expand-math{doubles=1}",
        "halo-expand-remainder",
        CANONICALIZE,
        "cse",
        "halo-annotate-kernel-arguments",
    ],
};

/// From kernels to the dialects that LLVM's code generator is fed from.
pub const NVVM: Phase = Phase {
    name: "nvvm",
    summary: "Kernels in the NVVM and LLVM dialects, for one architecture",
    passes: &[
        "nvvm-attach-target{chip={GPU_ARCH} O=3}",
        "gpu.module(\
         expand-strided-metadata,\
         lower-affine,\
         convert-linalg-to-loops,\
         convert-complex-to-standard,\
         convert-vector-to-scf,\
         halo-lower-bf16-mma,\
         convert-nvgpu-to-nvvm,\
         convert-scf-to-cf,\
         halo-lower-kernel-math,\
         convert-gpu-to-nvvm{index-bitwidth=64 use-bare-ptr-memref-call-conv=1},\
         convert-math-to-llvm,\
         reconcile-unrealized-casts,\
         halo-widen-bool-memory,\
         canonicalize,\
         cse)",
    ],
};
