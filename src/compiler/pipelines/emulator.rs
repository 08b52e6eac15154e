//! The way from the kernels of a GPU to code for the processor.

use super::{CANONICALIZE, Phase, TO_LLVM_DIALECT};

/// The phases of the emulator, from a module with a `gpu.module` on.
pub static PHASES: &[Phase] = &[
    Phase {
        name: "emulated",
        summary: "Kernels as loops over blocks and threads",
        passes: &[
            "halo-emulate-kernels",
            "halo-expand-bf16",
            CANONICALIZE,
            "cse",
        ],
    },
    Phase {
        name: "llvm",
        summary: "The LLVM dialect, with the emulator's interface",
        passes: &[
            TO_LLVM_DIALECT,
            "halo-kernel-entries",
            "canonicalize",
            "cse",
        ],
    },
];
