//! The ops of a function in program order.

use super::aliases::ancestor_in;
use halo_ir::prelude::*;
use std::{collections::HashMap, marker::PhantomData};

/// The ops of a function, numbered in program order. Numbers are even, which leaves an odd number
/// before each op for an insertion.
pub struct Order<'c> {
    /// The numbers of an op and of the last op nested in it.
    spans: HashMap<usize, (usize, usize)>,
    marker: PhantomData<Operation<'c>>,
}

impl<'c> Order<'c> {
    /// Numbers the ops of a function.
    pub fn of(function: Operation<'c>) -> Self {
        let mut order = Self {
            spans: HashMap::new(),
            marker: PhantomData,
        };
        order.number(function, 0);
        order
    }

    fn number(&mut self, operation: Operation<'c>, start: usize) -> usize {
        let mut next = start + 2;
        for block in operation.blocks() {
            for nested in block.operations() {
                next = self.number(nested, next);
            }
        }
        self.spans.insert(operation.key(), (start, next - 2));
        next
    }

    /// Numbers a new op just before another one.
    pub fn insert_before(&mut self, new: Operation<'c>, operation: Operation<'c>) {
        let before = self.span(operation).0.saturating_sub(1);
        self.spans.insert(new.key(), (before, before));
    }

    /// Gives an op the numbers of an op that it replaces.
    pub fn replace(&mut self, old: Operation<'c>, new: Operation<'c>) {
        if let Some(span) = self.spans.remove(&old.key()) {
            self.spans.insert(new.key(), span);
        }
    }

    /// Removes an op that will be erased.
    pub fn remove(&mut self, operation: Operation<'c>) {
        self.spans.remove(&operation.key());
    }

    /// Returns true if an op comes before another op of its block. MLIR numbers a block again for a
    /// query after a few insertions.
    pub fn is_before(&self, first: Operation<'c>, second: Operation<'c>) -> bool {
        let number = |op: Operation<'c>| self.spans.get(&op.key()).map(|span| span.0);
        match (number(first), number(second)) {
            (Some(first), Some(second)) => first < second,
            _ => first.is_before(second),
        }
    }

    /// Returns true if an op comes after another one in its block, or is nested in one that does.
    pub fn is_behind(&self, op: Operation<'c>, other: Operation<'c>) -> bool {
        let around = other.block().and_then(|block| ancestor_in(block, op));
        around.is_some_and(|op| self.is_before(other, op))
    }

    /// The numbers of an op and of the last op nested in it; the range of the whole function for an
    /// unknown op.
    pub fn span(&self, operation: Operation<'c>) -> (usize, usize) {
        self.spans.get(&operation.key()).copied().unwrap_or((0, usize::MAX))
    }
}

/// The op whose block a value is defined in.
pub fn scope_of(value: Value) -> Option<Operation> {
    value.parent_block()?.parent()
}

/// The outermost op around `user` for which `wanted` holds and that does not contain `scope`;
/// `None` if no op does. The scope of a value is the op whose block defines it: the value is
/// constant during one execution of that block.
pub fn outermost_within<'c>(
    user: Operation<'c>,
    scope: Option<Operation<'c>>,
    wanted: impl Fn(Operation<'c>) -> bool,
) -> Option<Operation<'c>> {
    let mut found = None;
    let mut parent = user.parent();
    while let Some(operation) = parent {
        if scope.is_some_and(|scope| scope == operation || scope.is_inside(operation)) {
            break;
        }
        if wanted(operation) {
            found = Some(operation);
        }
        parent = operation.parent();
    }
    found
}

/// Whether a value is computed in an op, or is an argument of one of its blocks.
pub fn is_defined_inside(value: Value, op: Operation) -> bool {
    scope_of(value).is_some_and(|scope| scope.is_inside(op))
}

/// Whether a value that is defined before a later op of the block is also defined before `op`.
pub fn is_defined_before(value: Value, op: Operation) -> bool {
    value
        .defining_op()
        .is_none_or(|definition| definition.block() != op.block() || definition.is_before(op))
}
