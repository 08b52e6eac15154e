//! The ops of `memref`.

super::generated! { "memref" }

use super::Op;
use crate::{
    builder::Builder,
    handles::{Operation, Type, Value},
    operation::OperationExt,
    types::memref_type,
};

/// `memref.alloc` of a contiguous buffer, aligned to a cache line.
#[track_caller]
pub fn alloc_aligned<'c>(builder: &Builder<'c>, dims: &[i64], element: Type<'c>) -> Value<'c> {
    AllocOp::build(builder, &[], &[], memref_type(dims, element))
        .alignment(64)
        .value()
}

/// The source of a view.
pub fn view_source<'c>(operation: Operation<'c>) -> Option<Value<'c>> {
    matches!(
        operation.name(),
        CastOp::NAME
            | CollapseShapeOp::NAME
            | ExpandShapeOp::NAME
            | MemorySpaceCastOp::NAME
            | ReinterpretCastOp::NAME
            | SubViewOp::NAME
            | TransposeOp::NAME
            | ViewOp::NAME
            | AssumeAlignmentOp::NAME
    )
    .then(|| operation.operands().first().copied())
    .flatten()
}
