//! Refinement of shapes, and programs of bounded and dynamic sizes.

pub mod align_bounded_operands;
pub(in crate::transforms) mod mixed_sizes;
pub mod numpy_broadcast;
pub mod pad_bounded_regions;
pub mod set_dimension_size_expander;
pub mod shape_legalize_to_stablehlo;
pub mod stablehlo_canonicalize_dynamism;
pub mod stablehlo_refine_arguments;
pub mod stablehlo_refine_shapes;
