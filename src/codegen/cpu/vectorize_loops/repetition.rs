//! Whether iterations of a loop may run again.

use crate::loops::{aliases::root_of, captures::overlap_free_arguments};
use halo_ir::{
    Operation, Value, arguments_of, body_of, collect_operations, enclosing,
    ops::{Op, OperationExt, ValueExt, func, memref},
    value_key,
};
use std::collections::HashSet;

/// Whether iterations that run again compute and store what they did: none of them reads what
/// they write, and no other buffer has a part of that.
pub(super) fn may_repeat(loop_: Operation) -> bool {
    let mut written = HashSet::new();
    for op in collect_operations(loop_, |op| op.isa::<memref::StoreOp>()) {
        let Some(store) = op.cast::<memref::StoreOp>() else {
            return false;
        };
        let root = root_of(store.memref());
        if !is_apart(loop_, root) {
            return false;
        }
        written.insert(value_key(root));
    }
    let loads = collect_operations(loop_, |op| op.isa::<memref::LoadOp>());
    let mut loads = loads
        .into_iter()
        .filter_map(|op| op.cast::<memref::LoadOp>());
    loads.all(|load| !written.contains(&value_key(root_of(load.memref()))))
}

/// Whether a buffer is memory that nothing else refers to.
fn is_apart(inside: Operation, buffer: Value) -> bool {
    if buffer.defined_by::<memref::AllocaOp>().is_some() {
        return true;
    }
    let Some(function) = enclosing::<func::FuncOp>(inside).map(Op::operation) else {
        return false;
    };
    let arguments = body_of(function, 0).map(arguments_of).unwrap_or_default();
    let mut apart = arguments.iter().zip(overlap_free_arguments(function));
    apart.any(|(argument, is_apart)| is_apart && *argument == buffer)
}
