//! What a program goes through before it is interpreted.

use halo_runtime::PhaseDescription;

/// The phases of the interpreter backend, in order.
pub static PHASES: &[PhaseDescription] = &[
    PhaseDescription {
        name: "input",
        summary: "The program as it was read",
    },
    PhaseDescription {
        name: "hlo",
        summary: "StableHLO, after CHLO decomposition",
    },
];

/// The passes between them. Nothing is simplified, so that what runs is what
/// was written.
pub static PIPELINE: &str = "halo-align-bounded-operands,chlo-legalize-to-stablehlo";

/// What makes one function of a program whose shapes must be known first.
pub static INLINE: &str = "inline,symbol-dce";
