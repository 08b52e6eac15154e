//! Quantized types as arithmetic on integers.

pub mod quantized_ops;
pub mod stablehlo_legalize_quant_to_math;
