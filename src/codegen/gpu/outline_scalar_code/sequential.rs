//! Remarks for kernels of few threads with long loops.

use crate::{
    explain::{Outcome, Reason},
    gpu::launch::WARP,
};
use halo_ir::prelude::*;

/// Fewer threads leave most of a multiprocessor idle.
const FEW_THREADS: i64 = 4 * WARP;
/// A thread takes about as long for this number of iterations as the host for a launch.
const MOST_ITERATIONS: i64 = 1024;

/// Emits a remark for each launch of few threads, each of which runs many iterations. Loops whose
/// trip count is unknown count once.
pub(super) fn explain<'c>(pass: &PassInvocation<'c>, function: Operation<'c>) {
    for launch in function.collect_nested(|nested| nested.isa::<gpu::LaunchOp>()) {
        let sizes = launch.operands().into_iter().take(6).map(arith::constant_index);
        let threads = sizes.map(|size| size.unwrap_or(1)).product::<i64>();
        let iterations = iterations_in(launch);
        if threads < FEW_THREADS && iterations > MOST_ITERATIONS {
            let decision = Outcome::RunsOnFewThreads.because(Reason::ThreadRunsLongLoop);
            let message = format!("{decision} ({threads} threads, {iterations} iterations)");
            decision.remark_as(pass, launch, message);
        }
    }
}

/// The iterations of the longest loop nest in the regions of an op.
fn iterations_in(operation: Operation) -> i64 {
    let nested = operation.blocks().into_iter().flat_map(|block| block.operations());
    nested
        .map(|nested| iterations_in(nested).saturating_mul(trip_count(nested)))
        .max()
        .unwrap_or(1)
}

/// The trip count of a loop from 0, or from the number of a thread, to a constant.
fn trip_count(operation: Operation) -> i64 {
    if !operation.isa::<scf::ForOp>() {
        return 1;
    }
    let bounds: Vec<_> = operation.operands().into_iter().map(arith::constant_index).collect();
    match bounds[..] {
        [lower, Some(upper), Some(step), ..] => {
            (upper - lower.unwrap_or(0) + step - 1).max(0) / step.max(1)
        }
        _ => 1,
    }
}
