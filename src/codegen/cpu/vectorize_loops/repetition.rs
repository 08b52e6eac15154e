//! Whether iterations of a loop may be repeated.

use crate::loops::{aliases::root_of, captures::overlap_free_arguments};
use halo_ir::prelude::*;

/// Whether repeated iterations compute and store the same values: no iteration reads the written
/// buffers, and these do not overlap other buffers.
pub(super) fn may_repeat(loop_: Operation) -> bool {
    let stores = loop_.collect_nested(|op| op.isa::<memref::StoreOp>());
    let stores = stores.into_iter().filter_map(|op| op.cast());
    let written = stores.map(|store: memref::StoreOp| root_of(store.memref()));
    let written: Vec<Value> = written.collect();
    let loads = loop_.collect_nested(|op| op.isa::<memref::LoadOp>());
    let loads = loads.into_iter().filter_map(|op| op.cast());
    let mut read = loads.map(|load: memref::LoadOp| root_of(load.memref()));
    let apart = arguments_apart(loop_);
    let is_apart = |buffer: &Value| {
        buffer.defined_by::<memref::AllocaOp>().is_some() || apart.contains(buffer)
    };
    written.iter().all(is_apart) && !read.any(|buffer| written.contains(&buffer))
}

/// The `noalias` arguments of the function around an op.
fn arguments_apart(inside: Operation) -> Vec<Value> {
    let Some(function) = inside.enclosing::<func::FuncOp>().map(Op::operation) else {
        return Vec::new();
    };
    let arguments = function.body(0).map(Block::arguments).unwrap_or_default();
    let marked = arguments.into_iter().zip(overlap_free_arguments(function));
    let marked = marked.filter(|(_, is_apart)| *is_apart);
    marked.map(|(argument, _)| argument).collect()
}
