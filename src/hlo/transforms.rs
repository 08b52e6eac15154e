//! Passes from HLO to HLO. Passes that only `halo-opt` has are in `tools/halo-opt-passes`.

pub mod align_bounded_operands;
pub mod asynchronous_collectives;
pub mod batch_norm_expander;
pub mod chlo_legalize_to_stablehlo;
pub mod combine_collectives;
pub mod decompose_all_reduces;
mod entry_attributes;
pub mod entry_layouts;
pub mod expand_communication;
pub mod flatten_tuples;
mod formula;
pub mod hlo_legalize_to_stablehlo;
pub mod hoist_collectives;
mod mixed_sizes;
pub mod numpy_broadcast;
pub mod pad_bounded_regions;
pub mod partition;
pub mod propagate_shardings;
pub mod quantized_ops;
pub mod rng_bit_generator_expander;
pub mod set_dimension_size_expander;
pub mod shape_legalize_to_stablehlo;
pub mod shardy_legalize_to_stablehlo;
pub mod split_long_sums;
pub mod stablehlo_aggressive_folder;
pub mod stablehlo_aggressive_simplification;
pub mod stablehlo_canonicalize_dynamism;
pub mod stablehlo_complex_math_expander;
pub mod stablehlo_legalize_composite_to_call;
pub mod stablehlo_legalize_deprecated_ops;
pub mod stablehlo_legalize_einsum_to_dot_general;
pub mod stablehlo_legalize_quant_to_math;
pub mod stablehlo_legalize_torch_index_select_to_gather;
pub mod stablehlo_refine_arguments;
pub mod stablehlo_refine_shapes;
pub mod stablehlo_wrap_in_composite;
pub mod while_loop_unroller;

use halo_ir::prelude::*;

/// The passes, in alphabetical order of their arguments.
pub static PASSES: &[&PassDeclaration] = &[
    &batch_norm_expander::PASS,
    &chlo_legalize_to_stablehlo::PASS,
    &align_bounded_operands::PASS,
    &asynchronous_collectives::PASS,
    &combine_collectives::PASS,
    &decompose_all_reduces::PASS,
    &entry_layouts::PASS,
    &expand_communication::PASS,
    &flatten_tuples::PASS,
    &hoist_collectives::PASS,
    &pad_bounded_regions::PASS,
    &partition::PASS,
    &propagate_shardings::PASS,
    &split_long_sums::PASS,
    &hlo_legalize_to_stablehlo::PASS,
    &rng_bit_generator_expander::PASS,
    &set_dimension_size_expander::PASS,
    &shape_legalize_to_stablehlo::PASS,
    &shardy_legalize_to_stablehlo::PASS,
    &stablehlo_aggressive_folder::PASS,
    &stablehlo_aggressive_simplification::PASS,
    &stablehlo_canonicalize_dynamism::PASS,
    &stablehlo_complex_math_expander::PASS,
    &stablehlo_legalize_composite_to_call::PASS,
    &stablehlo_legalize_deprecated_ops::PASS,
    &stablehlo_legalize_einsum_to_dot_general::PASS,
    &stablehlo_legalize_quant_to_math::PASS,
    &stablehlo_legalize_torch_index_select_to_gather::PASS,
    &stablehlo_refine_arguments::PASS,
    &stablehlo_refine_shapes::PASS,
    &stablehlo_wrap_in_composite::PASS,
    &while_loop_unroller::PASS,
];
