//! Ops of other dialects, and ops that are expanded, as plain StableHLO.

pub mod batch_norm_expander;
pub mod chlo_legalize_to_stablehlo;
pub(in crate::transforms) mod entry_attributes;
pub mod entry_layouts;
pub mod flatten_tuples;
pub(in crate::transforms) mod formula;
pub mod hlo_legalize_to_stablehlo;
pub mod rng_bit_generator_expander;
pub mod stablehlo_complex_math_expander;
pub mod stablehlo_legalize_composite_to_call;
pub mod stablehlo_legalize_deprecated_ops;
pub mod stablehlo_legalize_einsum_to_dot_general;
pub mod stablehlo_legalize_torch_index_select_to_gather;
pub mod stablehlo_wrap_in_composite;
