//! Fusion on tensors: producers into consumers, and rank-0 tensors to scalars.

pub mod apply_schedule;
pub mod detensorize;
pub mod fold_add_into_dest;
pub mod fold_unit_reshapes;
pub mod form_fusion_groups;
pub mod fuse_contraction_chains;
pub mod fuse_elementwise;
pub mod fuse_gathers;
pub mod fuse_multi_output;
pub mod rematerialize;
mod slice;
pub mod split_concatenations;
pub mod split_reductions;
pub mod uplift_while_to_for;

use halo_ir::prelude::*;

/// The blocks of a function that structured ops stand in.
fn blocks_around_loops(function: Operation<'_>) -> impl Iterator<Item = Block<'_>> {
    let inner = function.collect_nested(|op| op.region_count() > 0 && !op.is_structured());
    let around = std::iter::once(function).chain(inner);
    around.flat_map(|op| (0..op.region_count()).filter_map(move |region| op.body(region)))
}

/// Whether an op comes after another one in its block, or is nested in one that does.
fn is_behind(op: Operation, other: Operation) -> bool {
    let mut around = std::iter::successors(Some(op), |op| op.parent());
    around
        .find(|op| op.block() == other.block())
        .is_some_and(|op| other.is_before(op))
}

/// Takes out the op that comes last in their block: all users of an op come behind it.
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

/// A structured op on other operands.
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

/// The loop that an index of a map is.
fn dimension(map: &AffineMap, position: usize) -> Option<usize> {
    let index = map.result(position).ok()?;
    index.is_dim().then(|| index.dim_position())
}

/// The first index of a map that a loop is.
fn position_of(map: &AffineMap, dim: usize) -> Option<usize> {
    (0..map.result_count()).find(|position| dimension(map, *position) == Some(dim))
}
