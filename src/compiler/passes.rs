//! Passes, and the registry that names them all.

pub mod chlo_legalize_to_stablehlo;
pub mod halo_test_infer;
pub mod registry;
pub mod shape_legalize_to_stablehlo;
pub mod stablehlo_canonicalize_dynamism;
pub mod stablehlo_check_shape_assertions;
pub mod stablehlo_refine_arguments;
pub mod stablehlo_refine_shapes;
