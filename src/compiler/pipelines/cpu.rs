//! The way from StableHLO to the LLVM dialect for CPUs.

use super::{
    CANONICALIZE, Phase, TO_LLVM_DIALECT,
    common::{BUFFERIZED, FUSION, HLO, LINALG},
};

/// The phases of the CPU backend, in order.
pub static PHASES: &[Phase] = &[
    HLO,
    LINALG,
    FUSION,
    BUFFERIZED,
    Phase {
        name: "kernels",
        summary: "Kernels of loops and vectors over planned buffers",
        passes: &[
            "func.func(scf-forall-to-parallel)",
            "func.func(halo-lower-contractions{vector-bits={VECTOR_BITS}})",
            "func.func(halo-linalg-to-loops)",
            CANONICALIZE,
            "cse",
            "func.func(halo-buffer-assignment)",
            "halo-outline-kernels",
            "halo-expand-math",
            "halo-expand-bf16",
            CANONICALIZE,
            "cse",
        ],
    },
    Phase {
        name: "llvm",
        summary: "The LLVM dialect, with the runtime's interface",
        passes: &[
            TO_LLVM_DIALECT,
            "halo-lower-to-runtime-abi",
            "canonicalize",
            "cse",
            "halo-split-entries",
        ],
    },
];
