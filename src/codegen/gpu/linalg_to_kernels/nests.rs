//! Ops that become kernels.

use crate::loops::{folded_writes::FoldedWrites, prelude::*};
use halo_ir::{ops::halo, prelude::*};

/// The loop nest of an op that becomes a kernel, with folded operands.
pub(super) fn nest_of<'c>(
    operation: Operation<'c>,
    folded: &FoldedWrites<'c>,
) -> Option<LoopNest<'c>> {
    let mut nest = operation.is_structured().then(|| LoopNest::of(operation))??;
    folded.padded.apply(operation, &mut nest);
    let starts = folded.starts_of(operation, &nest);
    let outputs = nest.accesses.iter_mut().skip(nest.input_count);
    for (output, start) in outputs.zip(starts) {
        output.start = start;
    }
    let fixed = |extent| matches!(extent, Extent::Fixed(_));
    (nest.dims.iter().all(|dim| fixed(dim.extent)) && nest.is_countable()).then_some(nest)
}

/// Returns true if an op is a loop without results whose iterations are independent.
pub(in crate::gpu) fn is_parallel_loop(operation: Operation) -> bool {
    operation.result_count() == 0
        && (operation.isa::<scf::ParallelOp>()
            || operation.isa::<scf::ForOp>() && operation.has_attribute(halo::PARALLEL))
}

/// Returns true if an op is in a kernel or in an op that becomes one: a parallel loop, or a loop or
/// conditional that computes values, which the host does not support.
pub(super) fn runs_in_kernel(operation: Operation) -> bool {
    let mut parent = operation.parent();
    while let Some(ancestor) = parent {
        if matches!(ancestor.name(), scf::ParallelOp::NAME | gpu::LaunchOp::NAME)
            || is_parallel_loop(ancestor)
            || ancestor.is_structured()
            || (ancestor.name().starts_with("scf.") && ancestor.result_count() != 0)
        {
            return true;
        }
        parent = ancestor.parent();
    }
    false
}

/// Loop indices that are all zero.
pub(super) fn zeros<'c>(builder: &Builder<'c>, nest: &LoopNest<'c>) -> Vec<Value<'c>> {
    let zero = index::constant(builder, 0);
    vec![zero; nest.dims.len()]
}
