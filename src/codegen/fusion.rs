//! Fusion of ops on tensors, and conversion of rank-0 tensors to scalars.

pub mod apply_schedule;
pub mod check_numerics;
pub mod detensorize;
pub mod duplicate_producers;
pub mod fold_add_into_dest;
pub mod fold_unit_reshapes;
pub mod form_fusion_groups;
pub mod fuse_contraction_chains;
pub mod fuse_contraction_operands;
pub mod fuse_elementwise;
pub mod fuse_gathers;
pub mod fuse_multi_output;
pub mod generalize_insertions;
mod padding;
pub mod rematerialize;
mod slice;
pub mod split_concatenations;
pub mod split_reductions;
pub mod uplift_while_to_for;

use crate::loops::vector_body;
use halo_ir::prelude::*;

/// The blocks of a function that can contain structured ops.
fn blocks_around_loops(function: Operation<'_>) -> impl Iterator<Item = Block<'_>> {
    let inner = function.collect_nested(|op| op.region_count() > 0 && !op.is_structured());
    let around = std::iter::once(function).chain(inner);
    around.flat_map(|op| (0..op.region_count()).filter_map(move |region| op.body(region)))
}

/// Returns true if an op comes after another one in its block, or is nested in one that does.
fn is_behind(op: Operation, other: Operation) -> bool {
    let mut around = std::iter::successors(Some(op), |op| op.parent());
    around
        .find(|op| op.block() == other.block())
        .is_some_and(|op| other.is_before(op))
}

/// Returns true for an op in the body of a structured op that yields, has an index, or computes as
/// fast as an addition.
fn is_cheap(op: Operation) -> bool {
    op.isa::<linalg::YieldOp>()
        || op.isa::<linalg::IndexOp>()
        || vector_body::is_cheap_on_vectors(op)
}

/// Removes the last op in block order: users of an op come after it.
fn take_last<'c>(operations: &mut Vec<Operation<'c>>) -> Option<Operation<'c>> {
    let last = (0..operations.len()).reduce(|first, second| {
        if operations[first].is_before(operations[second]) {
            second
        } else {
            first
        }
    })?;
    Some(operations.swap_remove(last))
}

/// Clones a structured op with other operands.
fn copy_with<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Value<'c>],
    types: &[Type<'c>],
) -> Operation<'c> {
    let copy = b.copy(op);
    let region = copy.take_region(0);
    let spec = b.op(op.name()).operands(operands).results(types);
    let spec = op
        .attributes()
        .into_iter()
        .fold(spec, |spec, (name, value)| spec.attribute(name, value));
    let new = region.into_iter().fold(spec, |spec, region| spec.region(region)).insert();
    b.erase(copy);
    new
}

/// The loop dimension of a result of a map, if the result is a plain dimension.
fn dimension(map: &AffineMap, position: usize) -> Option<usize> {
    let index = map.result(position).ok()?;
    index.is_dim().then(|| index.dim_position())
}

/// The first result of a map that is a given loop dimension.
fn position_of(map: &AffineMap, dim: usize) -> Option<usize> {
    (0..map.result_count()).find(|position| dimension(map, *position) == Some(dim))
}
