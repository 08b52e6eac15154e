//! Passes, and the registry that names them all.

pub mod chlo_legalize_to_stablehlo;
mod extents;
mod formula;
pub mod registry;
pub mod stablehlo_complex_math_expander;
