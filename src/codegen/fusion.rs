//! Fusion on tensors: producers into consumers, and rank-0 tensors to scalars.

pub mod detensorize;
pub mod form_fusion_groups;
pub mod fuse_elementwise;
pub mod fuse_multi_output;
pub mod uplift_while_to_for;
