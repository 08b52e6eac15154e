//! Passes, and the registry that names them all.

pub mod chlo_legalize_to_stablehlo;
pub mod emit;
pub mod matchers;
pub mod registry;
pub mod stablehlo_aggressive_simplification;
