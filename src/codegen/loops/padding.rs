//! Padding: a buffer that is filled with a scalar, and then written in the middle.
//!
//! ```mlir
//! linalg.fill ins(%zero : f32) outs(%padded : memref<58x58x128xf32>)
//! %inside = memref.subview %padded[1, 1, 0] [56, 56, 128] [1, 1, 1]
//! memref.copy %x, %inside
//! ```
//!
//! An element of the buffer is one of `%x` at indices that are less by the width of the
//! padding, or the scalar where they are outside. [`PaddedCopy`] describes this for all that
//! reads `%x` in place of the buffer.

use super::{
    captures::may_overlap,
    fill::{filled_with, last_write},
};
use halo_ir::prelude::*;

/// A copy into the middle of a buffer that a scalar fills before.
pub struct PaddedCopy<'c> {
    pub copy: Operation<'c>,
    /// What is copied.
    pub source: Value<'c>,
    pub fill: Operation<'c>,
    /// The scalar.
    pub value: Value<'c>,
    /// The buffer.
    pub padded: Value<'c>,
    /// The view of what is inside of the padding.
    pub inside: memref::SubViewOp<'c>,
    /// The width of the padding before it, in each dimension.
    pub low: Vec<i64>,
}

impl<'c> PaddedCopy<'c> {
    /// The padding around what an op copies, if nothing reads or writes the buffer between
    /// the fill and the copy.
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

/// Whether a buffer has a known size that is not zero: where an index is outside, the first
/// element is read in place of one that there is not.
pub fn has_elements(buffer: Value) -> bool {
    buffer
        .ty()
        .static_shape()
        .is_some_and(|shape| shape.iter().all(|size| *size > 0))
}

/// Whether a slice has adjacent elements at offsets that are known, and as many dimensions
/// as what it is a slice of.
pub fn is_plain_slice(slice: &memref::SubViewOp) -> bool {
    let rank = |value: Value| value.ty().static_shape().map(|shape| shape.len());
    slice.offsets().is_empty()
        && slice.sizes().is_empty()
        && slice.static_strides().iter().all(|stride| *stride == 1)
        && rank(slice.result()).is_some_and(|own| Some(own) == rank(slice.source()))
}
