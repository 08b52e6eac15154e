//! Passes, and the registry that names them all.

pub mod chlo_legalize_to_stablehlo;
pub mod registry;
