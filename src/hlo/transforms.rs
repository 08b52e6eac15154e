//! Passes from HLO to HLO. Passes that only `halo-opt` has are in `tools/halo-opt-passes`.

pub mod collectives;
pub mod legalize;
pub mod observe_ops;
pub mod quantization;
pub mod shapes;
pub mod simplify;
pub mod spmd;

use halo_ir::prelude::*;

/// The passes, in alphabetical order of their arguments.
pub static PASSES: &[&PassDeclaration] = &[
    &legalize::batch_norm_expander::PASS,
    &legalize::chlo_legalize_to_stablehlo::PASS,
    &shapes::align_bounded_operands::PASS,
    &collectives::asynchronous_collectives::PASS,
    &collectives::combine_collectives::PASS,
    &collectives::decompose_all_reduces::PASS,
    &legalize::entry_layouts::PASS,
    &collectives::expand_communication::PASS,
    &legalize::flatten_tuples::PASS,
    &collectives::hoist_collectives::PASS,
    &observe_ops::PASS,
    &shapes::pad_bounded_regions::PASS,
    &spmd::partition::PASS,
    &spmd::propagate_shardings::PASS,
    &simplify::split_long_sums::PASS,
    &legalize::hlo_legalize_to_stablehlo::PASS,
    &legalize::rng_bit_generator_expander::PASS,
    &shapes::set_dimension_size_expander::PASS,
    &shapes::shape_legalize_to_stablehlo::PASS,
    &spmd::shardy_legalize_to_stablehlo::PASS,
    &simplify::stablehlo_aggressive_folder::PASS,
    &simplify::stablehlo_aggressive_simplification::PASS,
    &shapes::stablehlo_canonicalize_dynamism::PASS,
    &legalize::stablehlo_complex_math_expander::PASS,
    &legalize::stablehlo_legalize_composite_to_call::PASS,
    &legalize::stablehlo_legalize_deprecated_ops::PASS,
    &legalize::stablehlo_legalize_einsum_to_dot_general::PASS,
    &quantization::stablehlo_legalize_quant_to_math::PASS,
    &legalize::stablehlo_legalize_torch_index_select_to_gather::PASS,
    &shapes::stablehlo_refine_arguments::PASS,
    &shapes::stablehlo_refine_shapes::PASS,
    &legalize::stablehlo_wrap_in_composite::PASS,
    &simplify::while_loop_unroller::PASS,
];
