//! The ops of `memref`.

super::generated! { "memref" }

use crate::{Builder, Type, Value, memref_type};

/// `memref.alloc` of a contiguous buffer, aligned to a cache line.
#[track_caller]
pub fn alloc_aligned<'c>(builder: &Builder<'c>, dims: &[i64], element: Type<'c>) -> Value<'c> {
    AllocOp::build(builder, &[], &[], memref_type(dims, element))
        .alignment(64)
        .value()
}
