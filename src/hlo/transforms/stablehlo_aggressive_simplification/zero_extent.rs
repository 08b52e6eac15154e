//! Tensors without elements: whatever makes one, it is the empty constant.

use crate::custom_calls::may_have_effects;
use crate::matchers::ensure;
use halo_ir::{dense_empty, prelude::*};

/// Ops without effects of their own; those with regions have the effects of the
/// ops inside, which stay.
static OPS: &[&str] = &[
    stablehlo::AbsOp::NAME,
    stablehlo::AddOp::NAME,
    stablehlo::AndOp::NAME,
    stablehlo::Atan2Op::NAME,
    stablehlo::BatchNormGradOp::NAME,
    stablehlo::BatchNormInferenceOp::NAME,
    stablehlo::BatchNormTrainingOp::NAME,
    stablehlo::BitcastConvertOp::NAME,
    stablehlo::BroadcastOp::NAME,
    stablehlo::BroadcastInDimOp::NAME,
    stablehlo::CaseOp::NAME,
    stablehlo::CbrtOp::NAME,
    stablehlo::CeilOp::NAME,
    stablehlo::CholeskyOp::NAME,
    stablehlo::ClampOp::NAME,
    stablehlo::CompareOp::NAME,
    stablehlo::ComplexOp::NAME,
    stablehlo::CompositeOp::NAME,
    stablehlo::ConcatenateOp::NAME,
    stablehlo::ConvertOp::NAME,
    stablehlo::ConvolutionOp::NAME,
    stablehlo::CosineOp::NAME,
    stablehlo::ClzOp::NAME,
    stablehlo::CustomCallOp::NAME,
    stablehlo::DivOp::NAME,
    stablehlo::DotOp::NAME,
    stablehlo::DotGeneralOp::NAME,
    stablehlo::DynamicBroadcastInDimOp::NAME,
    stablehlo::DynamicConvOp::NAME,
    stablehlo::DynamicGatherOp::NAME,
    stablehlo::DynamicIotaOp::NAME,
    stablehlo::DynamicPadOp::NAME,
    stablehlo::DynamicReshapeOp::NAME,
    stablehlo::DynamicSliceOp::NAME,
    stablehlo::DynamicUpdateSliceOp::NAME,
    stablehlo::EinsumOp::NAME,
    stablehlo::ExpOp::NAME,
    stablehlo::Expm1Op::NAME,
    stablehlo::FftOp::NAME,
    stablehlo::FloorOp::NAME,
    stablehlo::GatherOp::NAME,
    stablehlo::GetDimensionSizeOp::NAME,
    stablehlo::GetTupleElementOp::NAME,
    stablehlo::IfOp::NAME,
    stablehlo::ImagOp::NAME,
    stablehlo::IotaOp::NAME,
    stablehlo::IsFiniteOp::NAME,
    stablehlo::LogOp::NAME,
    stablehlo::Log1pOp::NAME,
    stablehlo::LogisticOp::NAME,
    stablehlo::MapOp::NAME,
    stablehlo::MaxOp::NAME,
    stablehlo::MinOp::NAME,
    stablehlo::MulOp::NAME,
    stablehlo::NegOp::NAME,
    stablehlo::NotOp::NAME,
    stablehlo::OptimizationBarrierOp::NAME,
    stablehlo::OrOp::NAME,
    stablehlo::PadOp::NAME,
    stablehlo::PopulationCountOp::NAME,
    stablehlo::PowOp::NAME,
    stablehlo::RealOp::NAME,
    stablehlo::RealDynamicSliceOp::NAME,
    stablehlo::ReduceOp::NAME,
    stablehlo::ReducePrecisionOp::NAME,
    stablehlo::ReduceWindowOp::NAME,
    stablehlo::RemOp::NAME,
    stablehlo::ReshapeOp::NAME,
    stablehlo::ReverseOp::NAME,
    stablehlo::RngBitGeneratorOp::NAME,
    stablehlo::RoundOp::NAME,
    stablehlo::RoundNearestEvenOp::NAME,
    stablehlo::RsqrtOp::NAME,
    stablehlo::ScatterOp::NAME,
    stablehlo::SelectOp::NAME,
    stablehlo::SelectAndScatterOp::NAME,
    stablehlo::SetDimensionSizeOp::NAME,
    stablehlo::ShiftLeftOp::NAME,
    stablehlo::ShiftRightArithmeticOp::NAME,
    stablehlo::ShiftRightLogicalOp::NAME,
    stablehlo::SignOp::NAME,
    stablehlo::SineOp::NAME,
    stablehlo::SliceOp::NAME,
    stablehlo::SortOp::NAME,
    stablehlo::SqrtOp::NAME,
    stablehlo::SubtractOp::NAME,
    stablehlo::TanOp::NAME,
    stablehlo::TanhOp::NAME,
    stablehlo::TorchIndexSelectOp::NAME,
    stablehlo::TransposeOp::NAME,
    stablehlo::TriangularSolveOp::NAME,
    stablehlo::TupleOp::NAME,
    stablehlo::UnaryEinsumOp::NAME,
    stablehlo::UniformDequantizeOp::NAME,
    stablehlo::UniformQuantizeOp::NAME,
    stablehlo::WhileOp::NAME,
    stablehlo::XorOp::NAME,
];

pub(super) fn patterns() -> Vec<Pattern<'static>> {
    let pattern = |name: &&'static str| {
        // A value that a loop passes on unchanged is captured, unless it is
        // empty.
        let benefit = if *name == stablehlo::WhileOp::NAME {
            2
        } else {
            1
        };
        Pattern::named(*name, empty_constants).benefit(benefit)
    };
    OPS.iter().map(pattern).collect()
}

/// Results and operands without elements -> `constant dense<>`
fn empty_constants<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    ensure(!has_effects(op), "it has effects")?;
    let mut changed = false;
    for (result, r#type) in results_of(op).into_iter().zip(result_types_of(op)) {
        if is_unused(result) {
            continue;
        }
        if let Some(empty) = dense_empty(r#type) {
            let constant = stablehlo::ConstantOp::build(b, empty, r#type).value()?;
            b.replace_uses(result, constant);
            changed = true;
        }
    }
    for (index, operand) in operands_of(op).into_iter().enumerate() {
        if operand.defined_by::<stablehlo::ConstantOp>().is_some() {
            continue;
        }
        if let Some(empty) = dense_empty(operand.r#type()) {
            let constant = stablehlo::ConstantOp::build(b, empty, operand.r#type()).value()?;
            b.modify(op, || set_operand(op, index, constant));
            changed = true;
        }
    }
    ensure(changed, "no operand or result is without elements")
}

/// Whether an op may do more than give its results.
fn has_effects(op: Operation) -> bool {
    match op.cast::<stablehlo::CustomCallOp>() {
        Some(call) => may_have_effects(call),
        None => op.isa::<stablehlo::CompositeOp>(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn ops_are_in_alphabetical_order() {
        assert!(super::OPS.is_sorted());
    }
}
