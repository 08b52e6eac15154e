//! `--stablehlo-legalize-quantized-op-to-qdq`: ops on quantized tensors, as ops
//! on the numbers that these stand for.
//!
//! The specification defines most ops on quantized operands so: dequantize,
//! compute, quantize. Ops that only move elements stay, and so do products,
//! which [`--stablehlo-legalize-quant-to-math`] takes care of.
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
//! [`--stablehlo-legalize-quant-to-math`]: super::stablehlo_legalize_quant_to_math

use crate::{matchers::ensure, semantics::quantization::Quantized, transforms::emit};
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation};
use halo_ir::{
    Builder, Operation, OptionPattern, RewriteResult, Type, Value, apply_without_folding,
    element_type, name_of, operands_of, result_types_of, results_of, with_element_type,
};
use melior::ir::{ValueLike, operation::OperationLike};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "stablehlo-legalize-quantized-op-to-qdq",
    summary: "Express quantized ops by dequantize, compute, quantize",
    anchor: "",
    dependent_dialects: &["stablehlo"],
    options: &[],
    run,
};

/// Ops that the specification defines on the numbers that quantized elements
/// stand for.
pub static PATTERNS: &[OptionPattern<()>] = &[
    OptionPattern::new("stablehlo.abs", expand),
    OptionPattern::new("stablehlo.add", expand),
    OptionPattern::new("stablehlo.atan2", expand),
    OptionPattern::new("stablehlo.batch_norm_grad", expand),
    OptionPattern::new("stablehlo.batch_norm_inference", expand),
    OptionPattern::new("stablehlo.batch_norm_training", expand),
    OptionPattern::new("stablehlo.cbrt", expand),
    OptionPattern::new("stablehlo.ceil", expand),
    OptionPattern::new("stablehlo.cholesky", expand),
    OptionPattern::new("stablehlo.clamp", expand),
    OptionPattern::new("stablehlo.compare", expand),
    OptionPattern::new("stablehlo.cosine", expand),
    OptionPattern::new("stablehlo.divide", expand),
    OptionPattern::new("stablehlo.exponential", expand),
    OptionPattern::new("stablehlo.exponential_minus_one", expand),
    OptionPattern::new("stablehlo.floor", expand),
    OptionPattern::new("stablehlo.log", expand),
    OptionPattern::new("stablehlo.log_plus_one", expand),
    OptionPattern::new("stablehlo.logistic", expand),
    OptionPattern::new("stablehlo.maximum", expand),
    OptionPattern::new("stablehlo.minimum", expand),
    OptionPattern::new("stablehlo.multiply", expand),
    OptionPattern::new("stablehlo.negate", expand),
    OptionPattern::new("stablehlo.power", expand),
    OptionPattern::new("stablehlo.reduce_precision", expand),
    OptionPattern::new("stablehlo.remainder", expand),
    OptionPattern::new("stablehlo.round_nearest_afz", expand),
    OptionPattern::new("stablehlo.round_nearest_even", expand),
    OptionPattern::new("stablehlo.rsqrt", expand),
    OptionPattern::new("stablehlo.select", expand),
    OptionPattern::new("stablehlo.sign", expand),
    OptionPattern::new("stablehlo.sine", expand),
    OptionPattern::new("stablehlo.sqrt", expand),
    OptionPattern::new("stablehlo.subtract", expand),
    OptionPattern::new("stablehlo.tan", expand),
    OptionPattern::new("stablehlo.tanh", expand),
    OptionPattern::new("stablehlo.triangular_solve", expand),
];

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    apply_without_folding(pass, PATTERNS, &())
}

/// The type of the numbers that a quantized tensor stands for; `None` for any
/// other type.
pub fn expressed_type<'c>(r#type: Type<'c>) -> Option<Type<'c>> {
    let quantized = Quantized::of(element_type(r#type))?;
    Some(with_element_type(r#type, quantized.expressed()))
}

/// Dequantizes the operands that are quantized, computes, and quantizes the
/// results that are to be.
pub fn expand<'c>(b: &Builder<'c>, op: Operation<'c>, (): &()) -> RewriteResult {
    let operands = operands_of(op);
    let results = result_types_of(op);
    ensure(op.region_count() == 0)?;
    ensure(
        operands
            .iter()
            .map(|operand| operand.r#type())
            .chain(results.iter().copied())
            .any(|r#type| expressed_type(r#type).is_some()),
    )?;
    let mut numbers = Vec::with_capacity(operands.len());
    for operand in operands {
        numbers.push(match expressed_type(operand.r#type()) {
            Some(expressed) => b.value("stablehlo.uniform_dequantize", &[operand], expressed)?,
            None => operand,
        });
    }
    let types: Vec<Type> = results
        .iter()
        .map(|r#type| expressed_type(*r#type).unwrap_or(*r#type))
        .collect();
    let computed = results_of(emit::rebuild(b, op, name_of(op), &numbers, &types)?);
    let mut values: Vec<Value> = Vec::with_capacity(computed.len());
    for (value, r#type) in computed.into_iter().zip(results) {
        values.push(if value.r#type() == r#type {
            value
        } else {
            b.value("stablehlo.uniform_quantize", &[value], r#type)?
        });
    }
    b.replace(op, &values)?;
    Ok(())
}
