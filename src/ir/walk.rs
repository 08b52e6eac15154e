//! Walks through nested ops, in two orders, with a way to leave.
//!
//! A walk may change the program that it walks. An op that was erased, by itself or with
//! an op around it, is visited no more. Ops that were added are visited only in ops that
//! the walk comes to later.

use crate::{
    Operation, Value, blocks_of, graveyard, is_inside, operation_key, operations_of, ops::Op,
    parent_operation, results_of, uses_of,
};
use melior::ir::operation::OperationLike;
use std::collections::HashSet;

/// Whether an op is visited before or after the ops in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkOrder {
    /// Outer ops first.
    PreOrder,
    /// Inner ops first.
    PostOrder,
}

/// How a walk goes on after an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkResult {
    /// With the next op.
    Advance,
    /// With the next op that is not in this one. In post-order, those were visited.
    Skip,
    /// Not at all.
    Interrupt,
}

/// The walk goes on.
impl From<()> for WalkResult {
    fn from((): ()) -> Self {
        Self::Advance
    }
}

/// Calls a function for an op and all ops nested in it, in program order. Returns
/// [`WalkResult::Interrupt`] where the function did, else [`WalkResult::Advance`].
///
/// ```
/// use halo_ir::{Operation, WalkOrder, WalkResult, name_of, ops::{OperationExt, gpu}, walk};
///
/// /// Whether an op contains a loop outside of kernels.
/// fn has_loop(root: Operation) -> bool {
///     let found = walk(root, WalkOrder::PreOrder, |op| match name_of(op) {
///         "scf.for" | "scf.while" => WalkResult::Interrupt,
///         _ if op.isa::<gpu::GPUModuleOp>() => WalkResult::Skip,
///         _ => WalkResult::Advance,
///     });
///     found == WalkResult::Interrupt
/// }
/// ```
pub fn walk<'c, R: Into<WalkResult>>(
    root: Operation<'c>,
    order: WalkOrder,
    mut function: impl FnMut(Operation<'c>) -> R,
) -> WalkResult {
    walk_with(root, order, &mut |op| function(op).into())
}

/// [`walk`], which is compiled once, not once for each function.
fn walk_with<'c>(
    root: Operation<'c>,
    order: WalkOrder,
    function: &mut dyn FnMut(Operation<'c>) -> WalkResult,
) -> WalkResult {
    let before = graveyard::erasures();
    let is_there = |op| graveyard::erasures() == before || is_inside(op, root);
    // Each op with whether the ops in it were listed.
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

/// Adds the ops directly in an op, the first one last.
fn list_nested<'c>(op: Operation<'c>, pending: &mut Vec<(Operation<'c>, bool)>) {
    if op.region_count() == 0 {
        return;
    }
    let start = pending.len();
    for block in op.regions().flat_map(blocks_of) {
        pending.extend(operations_of(block).into_iter().map(|nested| (nested, false)));
    }
    pending[start..].reverse();
}

/// Calls a function for an op and all ops nested in it, outer ones first.
pub fn visit<'c>(operation: Operation<'c>, function: &mut impl FnMut(Operation<'c>)) {
    walk(operation, WalkOrder::PreOrder, function);
}

/// The ops inside `operation` for which the predicate holds, outer ones first.
/// The list is taken before anything is changed.
pub fn collect_operations<'c>(
    operation: Operation<'c>,
    mut predicate: impl FnMut(Operation<'c>) -> bool,
) -> Vec<Operation<'c>> {
    let mut found = Vec::new();
    walk(operation, WalkOrder::PreOrder, |op| {
        if op != operation && predicate(op) {
            found.push(op);
        }
    });
    found
}

/// The nearest op of a kind around an op.
pub fn enclosing<'c, O: Op<'c>>(operation: Operation<'c>) -> Option<O> {
    use crate::ops::OperationExt;
    let mut current = parent_operation(operation);
    while let Some(op) = current {
        if let Some(found) = op.cast() {
            return Some(found);
        }
        current = parent_operation(op);
    }
    None
}

/// The ops that use a value, each once.
pub fn users_of(value: Value<'_>) -> Vec<Operation<'_>> {
    once(uses_of(value))
}

/// The ops that use a result of an op, each once.
pub fn users_of_results(operation: Operation<'_>) -> Vec<Operation<'_>> {
    once(results_of(operation).into_iter().flat_map(uses_of))
}

fn once<'c>(uses: impl IntoIterator<Item = (Operation<'c>, usize)>) -> Vec<Operation<'c>> {
    let mut seen = HashSet::new();
    uses.into_iter()
        .map(|(user, _)| user)
        .filter(|user| seen.insert(operation_key(*user)))
        .collect()
}
