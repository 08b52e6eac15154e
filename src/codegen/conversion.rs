//! Conversions between dialects: one pass a file, one file an op family.

pub mod arithmetic;
pub mod scalar;
pub mod stablehlo_to_linalg;
