//! Conversions between dialects: one pass a file, one file an op family.

pub mod scalar;
pub mod stablehlo_legalize_to_linalg;
