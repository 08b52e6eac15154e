//! Analyses for the fusion of producers ([`fuse_producers`](mod@super::fuse_producers)) and of a
//! consumer ([`fuse_consumer`](mod@super::fuse_consumer)), and removal of buffers without readers.

use super::refine::Part;
use crate::loops::prelude::*;
use halo_ir::prelude::*;

/// Returns true if an op provably does not write to any of these buffers.
pub fn preserves(operation: Operation, buffers: &[Value]) -> bool {
    let name = operation.name();
    let operands = operation.operands();
    let written = match name {
        memref::CopyOp::NAME => operands.get(1..),
        memref::LoadOp::NAME
        | memref::AllocOp::NAME
        | memref::GetGlobalOp::NAME
        | memref::DimOp::NAME => return true,
        memref::StoreOp::NAME => operands.get(1..2),
        _ if operation.is_structured() => {
            let outputs = operation
                .body(0)
                .and_then(Block::terminator)
                .map_or(operands.len(), |end| end.operands().len());
            operands.get(operands.len().saturating_sub(outputs)..)
        }
        _ => {
            return operation.region_count() == 0
                && (name.starts_with("arith.")
                    || name.starts_with("math.")
                    || view_source(operation).is_some());
        }
    };
    written.is_some_and(|written| {
        written
            .iter()
            .all(|target| buffers.iter().all(|buffer| !may_overlap(*target, *buffer)))
    })
}

/// Returns true if iterations are independent, and do not use their indices.
pub fn is_elementwise(nest: &LoopNest) -> bool {
    let mut uses_index = false;
    for operation in nest.body.operations() {
        operation.visit(&mut |inner| {
            uses_index |= index_dimension(inner).is_some();
        });
    }
    !uses_index && nest.dims.iter().all(|dim| !dim.reduction)
}

/// The loops of an op, with the strides of a shared buffer and of other buffers.
pub fn parts_of<'c>(
    nest: &LoopNest<'c>,
    shared: &Access<'c>,
    others: &[&Access<'c>],
) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    for (number, dim) in nest.dims.iter().enumerate() {
        let Extent::Fixed(size) = dim.extent else {
            return None;
        };
        let stride = shared.stride(number);
        let others: Vec<i64> = others.iter().map(|other| other.stride(number)).collect();
        if stride == IRREGULAR || others.contains(&IRREGULAR) {
            return None;
        }
        parts.push(Part {
            size,
            stride,
            others,
        });
    }
    Some(parts)
}

/// Erases a buffer without readers, with its views and the fills and copies
/// that write to it.
pub fn erase_unread_buffer<'c>(builder: &Builder<'c>, buffer: Value<'c>) {
    let mut pending = vec![buffer];
    let mut users = Vec::new();
    while let Some(value) = pending.pop() {
        for (user, number) in value.uses() {
            let writes = matches!(
                (user.name(), number),
                (memref::CopyOp::NAME | linalg::FillOp::NAME, 1)
            );
            if view_source(user).is_some() {
                pending.extend(user.results());
            } else if !writes {
                return;
            }
            users.push(user);
        }
    }
    for user in users.into_iter().rev() {
        builder.erase(user);
    }
    erase_unused_views(builder, buffer)
}

/// Erases an unused view, and its source if that is unused as well.
pub fn erase_unused_views<'c>(builder: &Builder<'c>, value: Value<'c>) {
    let mut value = value;
    while value.is_unused() {
        let Some(operation) = value.defining_op() else {
            return;
        };
        let source = view_source(operation);
        if source.is_none() && !operation.isa::<memref::AllocOp>() {
            return;
        }
        builder.erase(operation);
        match source {
            Some(source) => value = source,
            None => return,
        }
    }
}
