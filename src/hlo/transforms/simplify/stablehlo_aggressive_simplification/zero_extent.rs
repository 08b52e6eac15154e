//! Tensors without elements are replaced by empty constants.

use crate::custom_calls::may_have_effects;
use crate::matchers::{ELEMENTWISE, ensure};
use halo_ir::{dense_empty, prelude::*};

/// Ops without direct effects, in addition to the elementwise ones; ops with regions have the
/// effects of the nested ops, which are kept.
static OPS: &[&str] = &[
    stablehlo::BatchNormGradOp::NAME,
    stablehlo::BatchNormInferenceOp::NAME,
    stablehlo::BatchNormTrainingOp::NAME,
    stablehlo::BitcastConvertOp::NAME,
    stablehlo::BroadcastOp::NAME,
    stablehlo::BroadcastInDimOp::NAME,
    stablehlo::CaseOp::NAME,
    stablehlo::CholeskyOp::NAME,
    stablehlo::ClampOp::NAME,
    stablehlo::CompositeOp::NAME,
    stablehlo::ConcatenateOp::NAME,
    stablehlo::ConvolutionOp::NAME,
    stablehlo::CustomCallOp::NAME,
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
    stablehlo::FftOp::NAME,
    stablehlo::GatherOp::NAME,
    stablehlo::GetDimensionSizeOp::NAME,
    stablehlo::GetTupleElementOp::NAME,
    stablehlo::IfOp::NAME,
    stablehlo::IotaOp::NAME,
    stablehlo::MapOp::NAME,
    stablehlo::OptimizationBarrierOp::NAME,
    stablehlo::PadOp::NAME,
    stablehlo::RealDynamicSliceOp::NAME,
    stablehlo::ReduceOp::NAME,
    stablehlo::ReduceWindowOp::NAME,
    stablehlo::ReshapeOp::NAME,
    stablehlo::ReverseOp::NAME,
    stablehlo::RngBitGeneratorOp::NAME,
    stablehlo::ScatterOp::NAME,
    stablehlo::SelectOp::NAME,
    stablehlo::SelectAndScatterOp::NAME,
    stablehlo::SetDimensionSizeOp::NAME,
    stablehlo::SliceOp::NAME,
    stablehlo::SortOp::NAME,
    stablehlo::TorchIndexSelectOp::NAME,
    stablehlo::TransposeOp::NAME,
    stablehlo::TriangularSolveOp::NAME,
    stablehlo::TupleOp::NAME,
    stablehlo::UnaryEinsumOp::NAME,
    stablehlo::UniformDequantizeOp::NAME,
    stablehlo::UniformQuantizeOp::NAME,
    stablehlo::WhileOp::NAME,
];

pub(super) fn patterns() -> Vec<Pattern<'static>> {
    let pattern = |name: &&'static str| {
        // A loop-invariant carried value is captured, unless it is empty.
        let benefit = if *name == stablehlo::WhileOp::NAME {
            2
        } else {
            1
        };
        Pattern::named(*name, empty_constants).benefit(benefit)
    };
    ELEMENTWISE.iter().chain(OPS).map(pattern).collect()
}

/// Results and operands without elements -> `constant dense<>`
fn empty_constants<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    ensure(!has_effects(op), "it has effects")?;
    let mut changed = false;
    for (result, ty) in op.results().into_iter().zip(op.result_types()) {
        if result.is_unused() {
            continue;
        }
        if let Some(empty) = dense_empty(ty) {
            let constant = stablehlo::ConstantOp::build(b, empty, ty).value();
            b.replace_uses(result, constant);
            changed = true;
        }
    }
    for (index, operand) in op.operands().into_iter().enumerate() {
        if operand.defined_by::<stablehlo::ConstantOp>().is_some() {
            continue;
        }
        if let Some(empty) = dense_empty(operand.ty()) {
            let constant = stablehlo::ConstantOp::build(b, empty, operand.ty()).value();
            b.modify(op, || op.set_operand(index, constant));
            changed = true;
        }
    }
    ensure(changed, "no operand or result is without elements")
}

/// Returns true if an op may have effects.
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
