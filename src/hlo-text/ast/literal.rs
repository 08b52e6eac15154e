use halo_core::{Literal, Shape};

/// The value of a constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// In row-major order, whatever layout the shape names. NaN are compared by
    /// their bits.
    Array(Literal),
    /// One element that all others are equal to: `f32[8,2048] constant(0)`.
    Splat {
        shape: Shape,
        /// Of rank 0.
        element: Literal,
    },
    Tuple(Vec<Constant>),
    /// `{...}`: the printer elided the elements.
    Elided,
}
