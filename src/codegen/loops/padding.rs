//! Padding: a buffer that is filled with a scalar, and whose inside is then written.
//!
//! ```mlir
//! linalg.fill ins(%zero : f32) outs(%padded : memref<58x58x128xf32>)
//! %inside = memref.subview %padded[1, 1, 0] [56, 56, 128] [1, 1, 1]
//! memref.copy %x, %inside
//! ```
//!
//! An element of the buffer is the element of `%x` at indices that are less by the width of the
//! padding, or the scalar out of bounds. [`PaddedCopy`] describes this for ops that read `%x`
//! instead of the buffer.

use super::{
    captures::may_overlap,
    fill::{filled_with, last_write},
};
use halo_ir::prelude::*;

/// A copy into the inside of a buffer that was filled with a scalar.
pub struct PaddedCopy<'c> {
    pub copy: Operation<'c>,
    /// The source of the copy.
    pub source: Value<'c>,
    pub fill: Operation<'c>,
    /// The fill value.
    pub value: Value<'c>,
    /// The buffer.
    pub padded: Value<'c>,
    /// The view inside the padding.
    pub inside: memref::SubViewOp<'c>,
    /// The width of the low padding of each dimension.
    pub low: Vec<i64>,
}

impl<'c> PaddedCopy<'c> {
    /// Matches a copy into a filled buffer, if no op accesses the buffer between the fill and the
    /// copy.
    pub fn of(copy: Operation<'c>) -> Option<Self> {
        copy.cast::<memref::CopyOp>()?;
        let [source, target] = copy.operands()[..] else {
            return None;
        };
        let inside = target.defined_by::<memref::SubViewOp>()?;
        let padded = inside.source();
        let is_static =
            is_plain_slice(&inside) && has_elements(source) && padded.ty().static_shape().is_some();
        if !is_static || may_overlap(source, padded) {
            return None;
        }
        let fill = last_write(copy, padded)?;
        Some(Self {
            copy,
            source,
            value: filled_with(fill)?,
            fill,
            padded,
            low: inside.static_offsets(),
            inside,
        })
    }
}

/// Whether a buffer has a static size that is not zero: out-of-bounds reads load the first element.
pub fn has_elements(buffer: Value) -> bool {
    buffer
        .ty()
        .static_shape()
        .is_some_and(|shape| shape.iter().all(|size| *size > 0))
}

/// Whether a slice has unit strides, static offsets, and the rank of its source.
pub fn is_plain_slice(slice: &memref::SubViewOp) -> bool {
    let rank = |value: Value| value.ty().static_shape().map(|shape| shape.len());
    slice.offsets().is_empty()
        && slice.sizes().is_empty()
        && slice.static_strides().iter().all(|stride| *stride == 1)
        && rank(slice.result()).is_some_and(|own| Some(own) == rank(slice.source()))
}
