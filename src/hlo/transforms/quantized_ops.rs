//! Quantized ops, as ops on the numbers that their elements represent.

use crate::{matchers::ensure, semantics::quantization::Quantized, transforms::stablehlo_ops};
use halo_ir::ops::{Op as _, stablehlo};
use halo_ir::{
    Builder, Operation, RewriteResult, Type, Value, element_type, name_of, operands_of,
    result_types_of, results_of, with_element_type,
};
use melior::ir::{ValueLike, operation::OperationLike};

/// Ops that the specification defines on the numbers that quantized elements
/// represent.
pub static OPS: &[&str] = &[
    stablehlo::AbsOp::NAME,
    stablehlo::AddOp::NAME,
    stablehlo::Atan2Op::NAME,
    stablehlo::BatchNormGradOp::NAME,
    stablehlo::BatchNormInferenceOp::NAME,
    stablehlo::BatchNormTrainingOp::NAME,
    stablehlo::CbrtOp::NAME,
    stablehlo::CeilOp::NAME,
    stablehlo::CholeskyOp::NAME,
    stablehlo::ClampOp::NAME,
    stablehlo::CompareOp::NAME,
    stablehlo::CosineOp::NAME,
    stablehlo::DivOp::NAME,
    stablehlo::ExpOp::NAME,
    stablehlo::Expm1Op::NAME,
    stablehlo::FloorOp::NAME,
    stablehlo::LogOp::NAME,
    stablehlo::Log1pOp::NAME,
    stablehlo::LogisticOp::NAME,
    stablehlo::MaxOp::NAME,
    stablehlo::MinOp::NAME,
    stablehlo::MulOp::NAME,
    stablehlo::NegOp::NAME,
    stablehlo::PowOp::NAME,
    stablehlo::ReducePrecisionOp::NAME,
    stablehlo::RemOp::NAME,
    stablehlo::RoundOp::NAME,
    stablehlo::RoundNearestEvenOp::NAME,
    stablehlo::RsqrtOp::NAME,
    stablehlo::SelectOp::NAME,
    stablehlo::SignOp::NAME,
    stablehlo::SineOp::NAME,
    stablehlo::SqrtOp::NAME,
    stablehlo::SubtractOp::NAME,
    stablehlo::TanOp::NAME,
    stablehlo::TanhOp::NAME,
    stablehlo::TriangularSolveOp::NAME,
];

/// The type of the numbers that a quantized tensor represents; `None` for any
/// other type.
pub fn expressed_type<'c>(r#type: Type<'c>) -> Option<Type<'c>> {
    let quantized = Quantized::of(element_type(r#type))?;
    Some(with_element_type(r#type, quantized.expressed()))
}

/// Dequantizes the operands that are quantized, computes, and quantizes the
/// results that are to be.
pub fn expand<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let operands = operands_of(op);
    let results = result_types_of(op);
    ensure(op.region_count() == 0, "it has regions")?;
    ensure(
        operands
            .iter()
            .map(|operand| operand.r#type())
            .chain(results.iter().copied())
            .any(|r#type| expressed_type(r#type).is_some()),
        "nothing is quantized",
    )?;
    let mut numbers = Vec::with_capacity(operands.len());
    for operand in operands {
        numbers.push(match expressed_type(operand.r#type()) {
            Some(expressed) => stablehlo::UniformDequantizeOp::build(b, operand)
                .result_types(&[expressed])
                .value()?,
            None => operand,
        });
    }
    let types: Vec<Type> = results
        .iter()
        .map(|r#type| expressed_type(*r#type).unwrap_or(*r#type))
        .collect();
    let computed = results_of(stablehlo_ops::rebuild(
        b,
        op,
        name_of(op),
        &numbers,
        &types,
    )?);
    let mut values: Vec<Value> = Vec::with_capacity(computed.len());
    for (value, r#type) in computed.into_iter().zip(results) {
        values.push(if value.r#type() == r#type {
            value
        } else {
            stablehlo::uniform_quantize(b, value, r#type)?
        });
    }
    b.replace(op, &values)?;
    Ok(())
}
