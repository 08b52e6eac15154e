//! Conversions between dialects: one file per pass, with a file per op family.

pub mod scalar;
pub mod stablehlo_legalize_to_linalg;
