//! Expands quantized ops to ops on the represented numbers.

use crate::{matchers::ensure, semantics::quantization::Quantized};
use halo_ir::{ops::Op as _, prelude::*};

/// Ops that the specification defines on the represented numbers.
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

/// The type of the numbers that a quantized tensor represents; `None` for any other type.
pub fn expressed_type<'c>(ty: Type<'c>) -> Option<Type<'c>> {
    let quantized = Quantized::of(ty.element_type())?;
    Some(ty.with_element_type(quantized.expressed()))
}

/// Dequantizes quantized operands, computes, and quantizes the results with quantized types.
pub fn expand<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let operands = op.operands();
    let results = op.result_types();
    ensure(op.region_count() == 0, "it has regions")?;
    ensure(
        operands
            .iter()
            .map(|operand| operand.ty())
            .chain(results.iter().copied())
            .any(|ty| expressed_type(ty).is_some()),
        "nothing is quantized",
    )?;
    let mut numbers = Vec::with_capacity(operands.len());
    for operand in operands {
        numbers.push(match expressed_type(operand.ty()) {
            Some(expressed) => stablehlo::UniformDequantizeOp::build(b, operand)
                .result_types(&[expressed])
                .value(),
            None => operand,
        });
    }
    let types: Vec<Type> = results.iter().map(|ty| expressed_type(*ty).unwrap_or(*ty)).collect();
    let computed = b.rebuild(op, op.name(), &numbers, &types).results();
    let mut values: Vec<Value> = Vec::with_capacity(computed.len());
    for (value, ty) in computed.into_iter().zip(results) {
        values.push(if value.ty() == ty {
            value
        } else {
            stablehlo::uniform_quantize(b, value, ty)
        });
    }
    b.replace(op, &values);
    Ok(())
}
