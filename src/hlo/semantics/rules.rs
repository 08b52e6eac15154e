//! The table of semantics: for each op the function that infers its results, and the function that
//! checks its other constraints.

use super::{
    checks, chlo as chlo_rules, communication, control_flow, convolution, custom_call, dot,
    dynamic, einsum, elementwise, gather_scatter, halo as halo_rules, linear_algebra, op::Op,
    prelude::*, reduction, shape, sharding, slicing,
};
use halo_ir::{
    ops::{self, check, halo, interpreter, sdy},
    prelude::*,
};

/// Verifies the operands, attributes and regions of an op, and infers its results.
pub type Infer = for<'c> fn(Op<'c>) -> Inference<'c>;

/// Verifies the results of an op beyond the inferred types.
pub type Check = fn(Op) -> VerifyResult;

/// The static semantics of one op.
pub struct Rule {
    /// The name of the op.
    pub name: &'static str,
    /// `None` if the result types cannot be inferred.
    pub infer: Option<Infer>,
    pub check: Option<Check>,
}

/// An op whose results only need the inferred types.
const fn infers<'c, O: ops::Op<'c>>(infer: Infer) -> Rule {
    Rule {
        name: O::NAME,
        infer: Some(infer),
        check: None,
    }
}

/// An op without type inference.
const fn checks<'c, O: ops::Op<'c>>(check: Check) -> Rule {
    Rule {
        name: O::NAME,
        infer: None,
        check: Some(check),
    }
}

/// An op whose results have constraints beyond the inferred types.
const fn both<'c, O: ops::Op<'c>>(infer: Infer, check: Check) -> Rule {
    Rule {
        name: O::NAME,
        infer: Some(infer),
        check: Some(check),
    }
}

/// The rules of the ops, in alphabetical order of their names. An op that is not here has no constraints beyond ODS.
static RULES: &[Rule] = &[
    checks::<check::ExpectCloseOp>(checks::expect_close),
    infers::<chlo::AsinAcosKernelOp>(chlo_rules::same_type),
    infers::<chlo::AcosOp>(chlo_rules::same_type),
    infers::<chlo::AcoshOp>(chlo_rules::same_type),
    infers::<chlo::AsinOp>(chlo_rules::same_type),
    infers::<chlo::AsinhOp>(chlo_rules::same_type),
    infers::<chlo::AtanOp>(chlo_rules::same_type),
    infers::<chlo::AtanhOp>(chlo_rules::same_type),
    infers::<chlo::BesselI1eOp>(chlo_rules::same_type),
    infers::<chlo::BroadcastAddOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastAndOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastAtan2Op>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastCompareOp>(chlo_rules::broadcast::compare),
    infers::<chlo::BroadcastComplexOp>(chlo_rules::broadcast::complex),
    infers::<chlo::BroadcastDivOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastMaxOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastMinOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastMulOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastNextAfterOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastOrOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastPolygammaOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastPowOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastRemOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastSelectOp>(chlo_rules::broadcast::select),
    infers::<chlo::BroadcastShiftLeftOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastShiftRightArithmeticOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastShiftRightLogicalOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastSubOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastXorOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::BroadcastZetaOp>(chlo_rules::broadcast::same_type),
    infers::<chlo::ConjOp>(chlo_rules::same_type),
    infers::<chlo::ConstantOp>(chlo_rules::constant),
    infers::<chlo::ConstantLikeOp>(chlo_rules::constant_like),
    infers::<chlo::CoshOp>(chlo_rules::same_type),
    infers::<chlo::DigammaOp>(chlo_rules::same_type),
    infers::<chlo::ErfOp>(chlo_rules::same_type),
    infers::<chlo::ErfInvOp>(chlo_rules::same_type),
    infers::<chlo::ErfcOp>(chlo_rules::same_type),
    infers::<chlo::IsInfOp>(chlo_rules::predicate),
    infers::<chlo::IsNegInfOp>(chlo_rules::predicate),
    infers::<chlo::IsPosInfOp>(chlo_rules::predicate),
    infers::<chlo::LgammaOp>(chlo_rules::same_type),
    infers::<chlo::MulhiOp>(chlo_rules::same_type),
    infers::<chlo::NextAfterOp>(chlo_rules::same_type),
    infers::<chlo::PolygammaOp>(chlo_rules::same_type),
    infers::<chlo::RaggedDotOp>(chlo_rules::ragged_dot::ragged_dot),
    infers::<chlo::ScanOp>(chlo_rules::scan::scan),
    infers::<chlo::SinhOp>(chlo_rules::same_type),
    infers::<chlo::SquareOp>(chlo_rules::same_type),
    infers::<chlo::TanOp>(chlo_rules::same_type),
    infers::<chlo::TopKOp>(chlo_rules::top_k),
    infers::<chlo::ZetaOp>(chlo_rules::same_type),
    checks::<halo::CollectiveEndOp>(halo_rules::collective_step),
    checks::<halo::CollectiveMemberOp>(halo_rules::collective_step),
    checks::<halo::CollectiveStartOp>(halo_rules::collective_start),
    checks::<halo::CollectiveWaitOp>(halo_rules::collective_step),
    checks::<halo::CustomCallOp>(halo_rules::custom_call),
    checks::<halo::GemmOp>(halo_rules::gemm),
    checks::<halo::RecvOp>(halo_rules::transfer),
    checks::<halo::RunParallelOp>(halo_rules::run_parallel),
    checks::<halo::SendOp>(halo_rules::transfer),
    checks::<interpreter::RunParallelOp>(checks::run_parallel),
    checks::<sdy::MeshOp>(sharding::mesh),
    checks::<sdy::ShardingGroupOp>(sharding::sharding_group),
    infers::<stablehlo::AbsOp>(elementwise::real_part),
    both::<stablehlo::AddOp>(elementwise::add, elementwise::add_axes),
    infers::<stablehlo::AfterAllOp>(control_flow::token),
    both::<stablehlo::AllGatherOp>(communication::infer_all_gather, communication::all_gather),
    infers::<stablehlo::AllReduceOp>(communication::all_reduce),
    infers::<stablehlo::AllToAllOp>(communication::all_to_all),
    infers::<stablehlo::AndOp>(elementwise::same_type),
    both::<stablehlo::AsyncDoneOp>(communication::infer_async_done, communication::async_done),
    both::<stablehlo::AsyncStartOp>(communication::infer_async_start, communication::async_start),
    infers::<stablehlo::Atan2Op>(elementwise::same_type),
    infers::<stablehlo::BatchNormGradOp>(linear_algebra::batch_norm),
    infers::<stablehlo::BatchNormInferenceOp>(linear_algebra::batch_norm),
    infers::<stablehlo::BatchNormTrainingOp>(linear_algebra::batch_norm),
    both::<stablehlo::BitcastConvertOp>(shape::infer_bitcast_convert, shape::bitcast_convert),
    infers::<stablehlo::BroadcastOp>(shape::broadcast),
    checks::<stablehlo::BroadcastInDimOp>(shape::broadcast_in_dim),
    infers::<stablehlo::CaseOp>(control_flow::branches),
    infers::<stablehlo::CbrtOp>(elementwise::same_type),
    infers::<stablehlo::CeilOp>(elementwise::same_type),
    infers::<stablehlo::CholeskyOp>(linear_algebra::cholesky),
    infers::<stablehlo::ClampOp>(elementwise::clamp),
    infers::<stablehlo::CollectiveBroadcastOp>(communication::collective_broadcast),
    infers::<stablehlo::CollectivePermuteOp>(communication::collective_permute),
    infers::<stablehlo::CollectiveReduceOp>(communication::collective_reduce),
    infers::<stablehlo::CompareOp>(elementwise::compare),
    infers::<stablehlo::ComplexOp>(elementwise::complex),
    checks::<stablehlo::CompositeOp>(custom_call::composite),
    infers::<stablehlo::ConcatenateOp>(slicing::concatenate),
    both::<stablehlo::ConstantOp>(shape::infer_constant, shape::constant),
    infers::<stablehlo::ConvertOp>(elementwise::convert),
    both::<stablehlo::ConvolutionOp>(convolution::infer_convolution, convolution::quantization),
    infers::<stablehlo::CosineOp>(elementwise::same_type),
    infers::<stablehlo::ClzOp>(elementwise::same_type),
    infers::<stablehlo::CreateTokenOp>(control_flow::token),
    infers::<stablehlo::CrossReplicaSumOp>(communication::cross_replica_sum),
    checks::<stablehlo::CustomCallOp>(custom_call::custom_call),
    infers::<stablehlo::DivOp>(elementwise::same_type),
    infers::<stablehlo::DotOp>(dot::dot),
    both::<stablehlo::DotGeneralOp>(dot::infer_dot_general, dot::dot_general),
    both::<stablehlo::DynamicBroadcastInDimOp>(
        dynamic::infer_dynamic_broadcast_in_dim,
        dynamic::dynamic_broadcast_in_dim,
    ),
    both::<stablehlo::DynamicConvOp>(convolution::infer_dynamic_conv, convolution::quantization),
    infers::<stablehlo::DynamicGatherOp>(gather_scatter::dynamic_gather),
    both::<stablehlo::DynamicIotaOp>(dynamic::infer_dynamic_iota, dynamic::dynamic_iota),
    infers::<stablehlo::DynamicPadOp>(dynamic::dynamic_pad),
    both::<stablehlo::DynamicReshapeOp>(dynamic::infer_dynamic_reshape, dynamic::dynamic_reshape),
    infers::<stablehlo::DynamicSliceOp>(slicing::dynamic_slice),
    infers::<stablehlo::DynamicUpdateSliceOp>(slicing::dynamic_update_slice),
    infers::<stablehlo::EinsumOp>(einsum::einsum),
    infers::<stablehlo::ExpOp>(elementwise::same_type),
    infers::<stablehlo::Expm1Op>(elementwise::same_type),
    infers::<stablehlo::FftOp>(linear_algebra::fft),
    infers::<stablehlo::FloorOp>(elementwise::same_type),
    infers::<stablehlo::GatherOp>(gather_scatter::gather),
    infers::<stablehlo::GetDimensionSizeOp>(slicing::get_dimension_size),
    both::<stablehlo::GetTupleElementOp>(
        control_flow::get_tuple_element,
        control_flow::tuple_element,
    ),
    infers::<stablehlo::IfOp>(control_flow::branches),
    infers::<stablehlo::ImagOp>(elementwise::real_part),
    checks::<stablehlo::InfeedOp>(communication::infeed),
    checks::<stablehlo::IotaOp>(shape::iota),
    infers::<stablehlo::IsFiniteOp>(elementwise::is_finite),
    infers::<stablehlo::LogOp>(elementwise::same_type),
    infers::<stablehlo::Log1pOp>(elementwise::same_type),
    infers::<stablehlo::LogisticOp>(elementwise::same_type),
    infers::<stablehlo::MapOp>(reduction::map),
    infers::<stablehlo::MaxOp>(elementwise::same_type),
    infers::<stablehlo::MinOp>(elementwise::same_type),
    infers::<stablehlo::MulOp>(elementwise::same_type),
    infers::<stablehlo::NegOp>(elementwise::same_type),
    infers::<stablehlo::NotOp>(elementwise::same_type),
    infers::<stablehlo::OptimizationBarrierOp>(control_flow::operand_types),
    infers::<stablehlo::OrOp>(elementwise::same_type),
    infers::<stablehlo::OutfeedOp>(control_flow::token),
    infers::<stablehlo::PadOp>(slicing::pad),
    infers::<stablehlo::PartitionIdOp>(communication::process_id),
    infers::<stablehlo::PopulationCountOp>(elementwise::same_type),
    infers::<stablehlo::PowOp>(elementwise::same_type),
    infers::<stablehlo::RealOp>(elementwise::real_part),
    infers::<stablehlo::RealDynamicSliceOp>(dynamic::real_dynamic_slice),
    checks::<stablehlo::RecvOp>(communication::recv),
    infers::<stablehlo::ReduceOp>(reduction::reduce),
    infers::<stablehlo::ReducePrecisionOp>(elementwise::same_type),
    both::<stablehlo::ReduceScatterOp>(
        communication::infer_reduce_scatter,
        communication::reduce_scatter,
    ),
    infers::<stablehlo::ReduceWindowOp>(reduction::reduce_window),
    infers::<stablehlo::RemOp>(elementwise::same_type),
    infers::<stablehlo::ReplicaIdOp>(communication::process_id),
    checks::<stablehlo::ReshapeOp>(shape::reshape),
    infers::<stablehlo::ReverseOp>(shape::reverse),
    infers::<stablehlo::RngOp>(dynamic::rng),
    checks::<stablehlo::RngBitGeneratorOp>(dynamic::rng_bit_generator),
    infers::<stablehlo::RoundOp>(elementwise::same_type),
    infers::<stablehlo::RoundNearestEvenOp>(elementwise::same_type),
    infers::<stablehlo::RsqrtOp>(elementwise::same_type),
    infers::<stablehlo::ScatterOp>(gather_scatter::scatter),
    infers::<stablehlo::SelectOp>(elementwise::select),
    infers::<stablehlo::SelectAndScatterOp>(reduction::select_and_scatter),
    infers::<stablehlo::SendOp>(communication::send),
    infers::<stablehlo::SetDimensionSizeOp>(slicing::set_dimension_size),
    infers::<stablehlo::ShiftLeftOp>(elementwise::same_type),
    infers::<stablehlo::ShiftRightArithmeticOp>(elementwise::same_type),
    infers::<stablehlo::ShiftRightLogicalOp>(elementwise::same_type),
    infers::<stablehlo::SignOp>(elementwise::same_type),
    infers::<stablehlo::SineOp>(elementwise::same_type),
    infers::<stablehlo::SliceOp>(slicing::slice),
    infers::<stablehlo::SortOp>(reduction::sort),
    infers::<stablehlo::SqrtOp>(elementwise::same_type),
    infers::<stablehlo::SubtractOp>(elementwise::same_type),
    infers::<stablehlo::TanOp>(elementwise::same_type),
    infers::<stablehlo::TanhOp>(elementwise::same_type),
    infers::<stablehlo::TorchIndexSelectOp>(slicing::torch_index_select),
    both::<stablehlo::TransposeOp>(shape::infer_transpose, shape::transpose),
    infers::<stablehlo::TriangularSolveOp>(linear_algebra::triangular_solve),
    both::<stablehlo::TupleOp>(control_flow::infer_tuple, control_flow::tuple),
    infers::<stablehlo::UnaryEinsumOp>(einsum::einsum),
    infers::<stablehlo::UniformDequantizeOp>(elementwise::uniform_dequantize),
    both::<stablehlo::UniformQuantizeOp>(elementwise::convert, elementwise::uniform_quantize),
    infers::<stablehlo::WhileOp>(control_flow::while_loop),
    infers::<stablehlo::XorOp>(elementwise::same_type),
];

/// The rule of an op, by its name.
pub fn rule_of(name: &str) -> Option<&'static Rule> {
    let index = RULES.binary_search_by_key(&name, |rule| rule.name).ok()?;
    RULES.get(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_in_alphabetical_order() {
        assert!(RULES.is_sorted_by(|left, right| left.name < right.name));
    }
}
