//! The phases that the way down has in common for all backends that go by
//! linalg.

use super::{CANONICALIZE, Phase};

/// Inlined, decomposed, simplified. What of CHLO is kept are functions that the
/// device has better code for than formulas in StableHLO.
macro_rules! hlo {
    ($kept:literal) => {
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
                "stablehlo-legalize-quant-to-math{products=floats}",
                "batch-norm-expander",
                concat!("chlo-legalize-to-stablehlo{keep=", $kept, "}"),
                "stablehlo-canonicalize-dynamism",
                "set-dimension-size-expander",
                "stablehlo-complex-math-expander",
                "rng-bit-generator-expander",
                "stablehlo-aggressive-simplification",
                CANONICALIZE,
                "cse",
            ],
        }
    };
}

/// For processors, which have libm.
pub const HLO: Phase = hlo!("acos,acosh,asin,asinh,atan,atanh,erf,erfc,top_k");

/// For devices that have no functions but those of StableHLO.
pub const HLO_WITHOUT_LIBM: Phase = hlo!("top_k");

/// From StableHLO to linalg.
pub const LINALG: Phase = Phase {
    name: "linalg",
    summary: "linalg on tensors, one structured op for each op of HLO",
    passes: &["stablehlo-legalize-to-linalg", CANONICALIZE, "cse"],
};

/// Producers joined with consumers.
pub const FUSION: Phase = Phase {
    name: "fusion",
    summary: "linalg on tensors after elementwise fusion, and scalars",
    passes: &[
        "func.func(halo-fuse-elementwise,halo-detensorize)",
        CANONICALIZE,
        "cse",
        "func.func(halo-uplift-while-to-for)",
    ],
};

/// From tensors to buffers.
pub const BUFFERIZED: Phase = Phase {
    name: "bufferized",
    summary: "linalg on buffers, every result with a place",
    passes: &[
        "halo-destination-passing",
        "func.func(halo-insert-tensor-copies,empty-tensor-to-alloc-tensor)",
        "halo-bufferize",
        "cse",
        CANONICALIZE,
        "drop-equivalent-buffer-results",
        "cse",
    ],
};
