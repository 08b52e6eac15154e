//! `--stablehlo-legalize-quantized-op-to-qdq`: ops on quantized tensors, as ops
//! on the numbers that these represent.
//!
//! The specification defines most ops on quantized operands as: dequantize, compute, quantize. Ops
//! that only move elements are left unchanged, and so are products, which
//! [`--stablehlo-legalize-quant-to-math`] lowers.
//!
//! ```mlir
//! %0 = stablehlo.tanh %a : tensor<4x!quant.uniform<i8:f32, 0.5>>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.uniform_dequantize %a : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32>
//! %1 = stablehlo.tanh %0 : tensor<4xf32>
//! %2 = stablehlo.uniform_quantize %1 : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
//! ```
//!
//! [`--stablehlo-legalize-quant-to-math`]: halo_hlo::transforms::quantization::stablehlo_legalize_quant_to_math

use halo_hlo::transforms::quantization::quantized_ops::{OPS, expand};
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation};
use halo_ir::{Pattern, apply_without_folding};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-legalize-quantized-op-to-qdq",
    "Express quantized ops by dequantize, compute, quantize",
    run,
)
.dependent_dialects(&["stablehlo"])
.source(include_str!("stablehlo_legalize_quantized_op_to_qdq.rs"));

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let patterns: Vec<Pattern> = OPS.iter().map(|name| Pattern::named(*name, expand)).collect();
    apply_without_folding(pass, &patterns)
}
