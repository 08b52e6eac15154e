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
pub static PIPELINE: &str = "chlo-legalize-to-stablehlo";
