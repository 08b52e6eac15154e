//! The way from StableHLO to the LLVM dialect for CPUs.

use super::{Phase, TO_LLVM_DIALECT};

/// The phases of the CPU backend, in order.
pub static PHASES: &[Phase] = &[
    Phase {
        name: "hlo",
        summary: "StableHLO after inlining, CHLO decomposition and simplification",
        passes: &[
            "stablehlo-legalize-composite-to-call",
            "inline",
            "halo-expand-communication",
            "halo-flatten-tuples",
            "symbol-dce",
            "stablehlo-legalize-deprecated-ops{fail-on-unused=false}",
            "stablehlo-legalize-einsum-to-dot-general",
            "stablehlo-legalize-torch-index-select-to-gather",
            "stablehlo-legalize-quant-to-math",
            "batch-norm-expander",
            "chlo-legalize-to-stablehlo{keep=acos,acosh,asin,asinh,atan,atanh,erf,erfc,top_k}",
            "stablehlo-canonicalize-dynamism",
            "stablehlo-complex-math-expander",
            "rng-bit-generator-expander",
            "stablehlo-aggressive-simplification",
            "canonicalize",
            "cse",
        ],
    },
    Phase {
        name: "linalg",
        summary: "linalg on tensors, one structured op for each op of HLO",
        passes: &["stablehlo-legalize-to-linalg", "canonicalize", "cse"],
    },
    Phase {
        name: "fusion",
        summary: "linalg on tensors after elementwise fusion",
        passes: &["func.func(halo-fuse-elementwise)", "canonicalize", "cse"],
    },
    Phase {
        name: "bufferized",
        summary: "linalg on buffers, every result with a place",
        passes: &[
            "halo-destination-passing",
            "func.func(empty-tensor-to-alloc-tensor)",
            "one-shot-bufferize{bufferize-function-boundaries=1 \
             function-boundary-type-conversion=identity-layout-map \
             allow-unknown-ops=0 buffer-alignment=64}",
            "cse",
            "canonicalize",
            "drop-equivalent-buffer-results",
            "cse",
        ],
    },
    Phase {
        name: "kernels",
        summary: "Kernels of loops and vectors over planned buffers",
        passes: &[
            "func.func(scf-forall-to-parallel)",
            "func.func(halo-lower-contractions{vector-bits={VECTOR_BITS}})",
            "func.func(halo-linalg-to-loops)",
            "canonicalize",
            "cse",
            "func.func(halo-buffer-assignment)",
            "halo-outline-kernels",
            "halo-expand-math",
            "canonicalize",
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
        ],
    },
];
