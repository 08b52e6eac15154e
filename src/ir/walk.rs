//! Walks over nested ops, in two orders, with early exit.
//!
//! A walk may change the program that it visits. An op that was erased, by itself or with an
//! ancestor, is not visited. Added ops are visited only in ops that the walk has not reached yet.

use crate::{block::BlockExt, graveyard, handles::Operation, operation::OperationExt};
use std::collections::HashSet;

/// Whether an op is visited before or after the ops in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkOrder {
    /// Outer ops first.
    PreOrder,
    /// Inner ops first.
    PostOrder,
}

/// How a walk continues after an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkResult {
    /// With the next op.
    Advance,
    /// Continues with the next op outside of this one. In post-order, the ops inside were visited.
    Skip,
    /// Not at all.
    Interrupt,
}

/// The walk continues.
impl From<()> for WalkResult {
    fn from((): ()) -> Self {
        Self::Advance
    }
}

/// [`OperationExt::walk`], which is compiled once, not once per function.
pub(crate) fn walk_with<'c>(
    root: Operation<'c>,
    order: WalkOrder,
    function: &mut dyn FnMut(Operation<'c>) -> WalkResult,
) -> WalkResult {
    let before = graveyard::erasures();
    let is_there = |op: Operation| graveyard::erasures() == before || op.is_inside(root);
    // Each op, and whether the ops in it were listed.
    let mut pending = vec![(root, false)];
    while let Some((op, is_listed)) = pending.pop() {
        if !is_there(op) {
            continue;
        }
        if order == WalkOrder::PostOrder && !is_listed {
            pending.push((op, true));
            list_nested(op, &mut pending);
            continue;
        }
        match function(op) {
            WalkResult::Advance => {}
            WalkResult::Skip => continue,
            WalkResult::Interrupt => return WalkResult::Interrupt,
        }
        if order == WalkOrder::PreOrder && is_there(op) {
            list_nested(op, &mut pending);
        }
    }
    WalkResult::Advance
}

/// Adds the ops directly in an op in reverse order.
fn list_nested<'c>(op: Operation<'c>, pending: &mut Vec<(Operation<'c>, bool)>) {
    if op.region_count() == 0 {
        return;
    }
    let start = pending.len();
    for block in op.blocks() {
        pending.extend(block.operations().into_iter().map(|nested| (nested, false)));
    }
    pending[start..].reverse();
}

pub(crate) fn once<'c>(
    uses: impl IntoIterator<Item = (Operation<'c>, usize)>,
) -> Vec<Operation<'c>> {
    let mut seen = HashSet::new();
    uses.into_iter()
        .map(|(user, _)| user)
        .filter(|user| seen.insert(user.key()))
        .collect()
}
