//! The inputs and outputs of a program, with their names.

use halo_core::ShapePattern;

/// An input or output.
pub struct Value<'a> {
    pub name: &'a str,
    pub shape: ShapePattern,
}

impl Value<'_> {
    /// The size in bytes, if it is known.
    pub fn byte_size(&self) -> Option<usize> {
        self.shape.to_shape().ok().map(|shape| shape.byte_size())
    }
}
