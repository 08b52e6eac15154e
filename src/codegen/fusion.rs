//! Fusion on tensors: producers into consumers, and rank-0 tensors to scalars.

pub mod apply_schedule;
pub mod detensorize;
pub mod fold_add_into_dest;
pub mod fold_unit_reshapes;
pub mod form_fusion_groups;
pub mod fuse_elementwise;
pub mod fuse_gathers;
pub mod fuse_multi_output;
pub mod rematerialize;
pub mod split_concatenations;
pub mod uplift_while_to_for;

use halo_ir::{Block, Operation, body_of, collect_operations, is_structured, parent_operation};
use melior::ir::operation::OperationLike;

/// Why ops are not computed together, for a remark.
type Reason = &'static str;

/// The blocks of a function that structured ops stand in.
fn blocks_around_loops(function: Operation<'_>) -> impl Iterator<Item = Block<'_>> {
    let inner = collect_operations(function, |op| op.region_count() > 0 && !is_structured(op));
    let around = std::iter::once(function).chain(inner);
    around.flat_map(|op| (0..op.region_count()).filter_map(move |region| body_of(op, region)))
}

/// Whether an op comes after another one in its block, or is nested in one that does.
fn is_behind(op: Operation, other: Operation) -> bool {
    let mut around = std::iter::successors(Some(op), |op| parent_operation(*op));
    around
        .find(|op| op.block() == other.block())
        .is_some_and(|op| other.is_before_in_block(op))
}
