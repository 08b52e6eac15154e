//! The passes before interpretation.

use super::phase::Phase;
use halo_hlo::transforms;
use halo_ir::pipeline;

/// The phases of the interpreter backend, in order. Nothing is simplified, so that the original
/// program runs.
pub fn phases() -> Vec<Phase> {
    vec![Phase::new(
        "hlo",
        "StableHLO, after CHLO decomposition",
        pipeline![
            &transforms::shapes::align_bounded_operands::PASS,
            &transforms::legalize::chlo_legalize_to_stablehlo::PASS,
        ],
    )]
}
