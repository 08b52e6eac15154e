//! Fusion on tensors: producers join their consumers, and scalars leave tensors.

pub mod detensorize;
pub mod fuse_elementwise;
pub mod uplift_while_to_for;
