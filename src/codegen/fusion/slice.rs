//! Slices of tensors that an iteration of a parallel loop reads or writes.

use halo_ir::prelude::*;

/// The marker of a dynamic offset.
pub(super) const DYNAMIC: i64 = i64::MIN;

/// A slice of a tensor.
pub(super) struct Slice<'c> {
    /// The values of [`DYNAMIC`] offsets.
    pub offsets: Vec<Value<'c>>,
    pub static_offsets: Vec<i64>,
    pub sizes: Vec<i64>,
    pub strides: Vec<i64>,
    /// The type of the slice, which may lack dimensions of size 1.
    pub ty: Type<'c>,
}

impl<'c> Slice<'c> {
    /// Extracts the slice of a tensor.
    pub fn extract(&self, b: &Builder<'c>, source: Value<'c>) -> Value<'c> {
        if self.ty == source.ty() {
            return source;
        }
        tensor::extract_slice(
            b,
            source,
            &self.offsets,
            &[],
            &[],
            &self.static_offsets,
            &self.sizes,
            &self.strides,
            self.ty,
        )
    }

    /// Writes the slice of a result of the loop.
    pub fn insert(&self, b: &Builder<'c>, value: Value<'c>, target: Value<'c>) {
        tensor::parallel_insert_slice(
            b,
            value,
            target,
            &self.offsets,
            &[],
            &[],
            &self.static_offsets,
            &self.sizes,
            &self.strides,
        );
    }
}
