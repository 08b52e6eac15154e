//! The ops of a function in program order.

use halo_ir::prelude::*;
use std::{collections::HashMap, marker::PhantomData};

/// The ops of a function, numbered in program order. Numbers are even, so that
/// one is free before each op.
pub struct Order<'c> {
    /// The number of an op, and that of the last op inside it.
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

    /// Gives a new op a number just before another one.
    pub fn insert_before(&mut self, new: Operation<'c>, operation: Operation<'c>) {
        let before = self.span(operation).0.saturating_sub(1);
        self.spans.insert(new.key(), (before, before));
    }

    /// The number of an op, and that of the last op inside it; the range of the
    /// whole function for an unknown op.
    pub fn span(&self, operation: Operation<'c>) -> (usize, usize) {
        self.spans.get(&operation.key()).copied().unwrap_or((0, usize::MAX))
    }
}

/// The op whose block a value is defined in.
pub fn scope_of(value: Value) -> Option<Operation> {
    value.parent_block()?.parent()
}

/// The outermost op around `user` for which `wanted` holds and that does not
/// contain `scope`; `None` if there is none. The scope of a value is the op
/// whose block defines it: an execution of that block sees one value.
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

/// Whether a value is there where an op is, if it is there for a later op of the block.
pub fn is_defined_before(value: Value, op: Operation) -> bool {
    value
        .defining_op()
        .is_none_or(|definition| definition.block() != op.block() || definition.is_before(op))
}
