//! Passes, and the registry that names them all.

pub mod chlo_legalize_to_stablehlo;
pub mod emit;
mod extents;
mod formula;
pub mod halo_test_infer;
pub mod matchers;
pub mod registry;
pub mod rng_bit_generator_expander;
pub mod shape_legalize_to_stablehlo;
pub mod stablehlo_aggressive_folder;
pub mod stablehlo_aggressive_simplification;
pub mod stablehlo_canonicalize_dynamism;
pub mod stablehlo_check_shape_assertions;
pub mod stablehlo_compatibility_expander;
pub mod stablehlo_complex_math_expander;
pub mod stablehlo_convert_to_signless;
pub mod stablehlo_legalize_composite_to_call;
pub mod stablehlo_legalize_deprecated_ops;
pub mod stablehlo_legalize_einsum_to_dot_general;
pub mod stablehlo_legalize_qdq_to_quantized_op;
pub mod stablehlo_legalize_quant_to_math;
pub mod stablehlo_legalize_quantized_op_to_qdq;
pub mod stablehlo_legalize_torch_index_select_to_gather;
pub mod stablehlo_refine_arguments;
pub mod stablehlo_refine_shapes;
pub mod stablehlo_target_independent_optimization;
pub mod stablehlo_wrap_in_composite;
