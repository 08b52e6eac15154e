//! The table of evaluation functions. Elementwise ops are not in the table: [`scalar`] has a
//! function on elements for each, which [`elementwise`] applies to tensors.

use super::{
    checks, communication as comm, control_flow, convolution, custom_call, dot, dynamic,
    elementwise, fft, gather_scatter, linear_algebra, normalization,
    prelude::*,
    probes, quantization, random, reduction,
    registered::{self, Evaluate},
    scalar, shape, slicing, sort,
};
use crate::communication::is_collective;
use halo_ir::{
    ops::{check, interpreter},
    prelude::*,
};

/// The ops that are not elementwise, in alphabetical order.
static EVALUATORS: &[(&str, Evaluate)] = &[
    evaluates::<check::ExpectAlmostEqOp>(checks::expect_almost_eq),
    evaluates::<check::ExpectAlmostEqConstOp>(checks::expect_almost_eq),
    evaluates::<check::ExpectCloseOp>(checks::expect_close),
    evaluates::<check::ExpectEqOp>(checks::expect_eq),
    evaluates::<check::ExpectEqConstOp>(checks::expect_eq),
    evaluates::<check::ExpectSerializedEqOp>(probes::expect_serialized_eq),
    evaluates::<func::CallOp>(control_flow::call),
    evaluates::<interpreter::PrintOp>(probes::print),
    evaluates::<interpreter::ProbeOp>(probes::probe),
    evaluates::<interpreter::RunParallelOp>(comm::run_parallel),
    evaluates::<stablehlo::AfterAllOp>(control_flow::token),
    evaluates::<stablehlo::AllGatherOp>(comm::all_gather),
    evaluates::<stablehlo::AllReduceOp>(comm::all_reduce),
    evaluates::<stablehlo::AllToAllOp>(comm::all_to_all),
    evaluates::<stablehlo::AsyncDoneOp>(comm::async_done),
    evaluates::<stablehlo::AsyncStartOp>(comm::async_start),
    evaluates::<stablehlo::BatchNormGradOp>(normalization::batch_norm_grad),
    evaluates::<stablehlo::BatchNormInferenceOp>(normalization::batch_norm_inference),
    evaluates::<stablehlo::BatchNormTrainingOp>(normalization::batch_norm_training),
    evaluates::<stablehlo::BitcastConvertOp>(shape::bitcast_convert),
    evaluates::<stablehlo::BroadcastOp>(shape::broadcast),
    evaluates::<stablehlo::BroadcastInDimOp>(shape::broadcast_in_dim),
    evaluates::<stablehlo::CaseOp>(control_flow::case),
    evaluates::<stablehlo::CholeskyOp>(linear_algebra::cholesky),
    evaluates::<stablehlo::CollectiveBroadcastOp>(comm::collective_broadcast),
    evaluates::<stablehlo::CollectivePermuteOp>(comm::collective_permute),
    evaluates::<stablehlo::CollectiveReduceOp>(comm::collective_reduce),
    evaluates::<stablehlo::CompositeOp>(control_flow::composite),
    evaluates::<stablehlo::ConcatenateOp>(slicing::concatenate),
    evaluates::<stablehlo::ConstantOp>(shape::constant),
    evaluates::<stablehlo::ConvolutionOp>(convolution::convolution),
    evaluates::<stablehlo::CreateTokenOp>(control_flow::token),
    evaluates::<stablehlo::CrossReplicaSumOp>(comm::cross_replica_sum),
    evaluates::<stablehlo::CustomCallOp>(custom_call::custom_call),
    evaluates::<stablehlo::DotOp>(dot::dot),
    evaluates::<stablehlo::DotGeneralOp>(dot::dot_general),
    evaluates::<stablehlo::DynamicBroadcastInDimOp>(dynamic::dynamic_broadcast_in_dim),
    evaluates::<stablehlo::DynamicConvOp>(convolution::dynamic_conv),
    evaluates::<stablehlo::DynamicGatherOp>(gather_scatter::dynamic_gather),
    evaluates::<stablehlo::DynamicIotaOp>(dynamic::dynamic_iota),
    evaluates::<stablehlo::DynamicPadOp>(dynamic::dynamic_pad),
    evaluates::<stablehlo::DynamicReshapeOp>(dynamic::dynamic_reshape),
    evaluates::<stablehlo::DynamicSliceOp>(slicing::dynamic_slice),
    evaluates::<stablehlo::DynamicUpdateSliceOp>(slicing::dynamic_update_slice),
    evaluates::<stablehlo::EinsumOp>(dot::einsum),
    evaluates::<stablehlo::FftOp>(fft::fft),
    evaluates::<stablehlo::GatherOp>(gather_scatter::gather),
    evaluates::<stablehlo::GetDimensionSizeOp>(dynamic::get_dimension_size),
    evaluates::<stablehlo::GetTupleElementOp>(control_flow::get_tuple_element),
    evaluates::<stablehlo::IfOp>(control_flow::if_then_else),
    evaluates::<stablehlo::InfeedOp>(comm::infeed),
    evaluates::<stablehlo::IotaOp>(shape::iota),
    evaluates::<stablehlo::MapOp>(reduction::map),
    evaluates::<stablehlo::OptimizationBarrierOp>(control_flow::identity),
    evaluates::<stablehlo::OutfeedOp>(comm::outfeed),
    evaluates::<stablehlo::PadOp>(slicing::pad),
    evaluates::<stablehlo::PartitionIdOp>(comm::partition_id),
    evaluates::<stablehlo::RealDynamicSliceOp>(dynamic::real_dynamic_slice),
    evaluates::<stablehlo::RecvOp>(comm::recv),
    evaluates::<stablehlo::ReduceOp>(reduction::reduce),
    evaluates::<stablehlo::ReduceScatterOp>(comm::reduce_scatter),
    evaluates::<stablehlo::ReduceWindowOp>(reduction::reduce_window),
    evaluates::<stablehlo::ReplicaIdOp>(comm::replica_id),
    evaluates::<stablehlo::ReshapeOp>(shape::reshape),
    evaluates::<stablehlo::ReverseOp>(shape::reverse),
    evaluates::<stablehlo::RngOp>(random::rng),
    evaluates::<stablehlo::RngBitGeneratorOp>(random::rng_bit_generator),
    evaluates::<stablehlo::ScatterOp>(gather_scatter::scatter),
    evaluates::<stablehlo::SelectAndScatterOp>(reduction::select_and_scatter),
    evaluates::<stablehlo::SendOp>(comm::send),
    evaluates::<stablehlo::SetDimensionSizeOp>(dynamic::set_dimension_size),
    evaluates::<stablehlo::SliceOp>(slicing::slice),
    evaluates::<stablehlo::SortOp>(sort::sort),
    evaluates::<stablehlo::TorchIndexSelectOp>(gather_scatter::torch_index_select),
    evaluates::<stablehlo::TransposeOp>(shape::transpose),
    evaluates::<stablehlo::TriangularSolveOp>(linear_algebra::triangular_solve),
    evaluates::<stablehlo::TupleOp>(control_flow::tuple),
    evaluates::<stablehlo::UnaryEinsumOp>(dot::unary_einsum),
    evaluates::<stablehlo::UniformDequantizeOp>(quantization::uniform_dequantize),
    evaluates::<stablehlo::UniformQuantizeOp>(quantization::uniform_quantize),
    evaluates::<stablehlo::WhileOp>(control_flow::while_loop),
];

/// An entry of the table.
const fn evaluates<O: Op<'static>>(function: Evaluate) -> (&'static str, Evaluate) {
    (O::NAME, function)
}

fn evaluator(name: &str) -> Option<Evaluate> {
    match EVALUATORS.binary_search_by_key(&name, |(name, _)| name) {
        Ok(index) => Some(EVALUATORS[index].1),
        Err(_) if scalar::is_elementwise(name) => Some(elementwise::elementwise),
        Err(_) if registered::is_registered(name) => Some(registered::evaluate),
        Err(_) => None,
    }
}

/// Evaluates an op on the values of its operands.
pub fn evaluate(call: &Call) -> Evaluated {
    let evaluate = evaluator(call.op.name()).ok_or("is not interpreted")?;
    if quantization::computes(call) {
        return quantization::evaluate(call, evaluate);
    }
    evaluate(call)
}

/// Returns true if the interpreter supports an op.
pub fn is_interpreted(name: &str) -> bool {
    matches!(name, stablehlo::ReturnOp::NAME | func::ReturnOp::NAME)
        || evaluator(name).is_some()
        || registered::is_terminator(name)
}

/// Returns true if an op's results depend only on its operands, without effects and independently
/// of the process.
pub fn is_pure(name: &str) -> bool {
    let has_effects = matches!(
        name,
        stablehlo::AfterAllOp::NAME
            | stablehlo::AsyncDoneOp::NAME
            | stablehlo::AsyncStartOp::NAME
            | stablehlo::CaseOp::NAME
            | stablehlo::CompositeOp::NAME
            | stablehlo::CreateTokenOp::NAME
            | stablehlo::CustomCallOp::NAME
            | stablehlo::GetTupleElementOp::NAME
            | stablehlo::IfOp::NAME
            | stablehlo::InfeedOp::NAME
            | stablehlo::OptimizationBarrierOp::NAME
            | stablehlo::OutfeedOp::NAME
            | stablehlo::PartitionIdOp::NAME
            | stablehlo::RecvOp::NAME
            | stablehlo::ReplicaIdOp::NAME
            | stablehlo::RngOp::NAME
            | stablehlo::SendOp::NAME
            | stablehlo::TupleOp::NAME
            | stablehlo::WhileOp::NAME
    );
    // Ops of other dialects have effects, or call functions with effects.
    name.starts_with("stablehlo.")
        && !has_effects
        && !is_collective(name)
        && evaluator(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluators_are_in_alphabetical_order() {
        assert!(EVALUATORS.is_sorted_by(|left, right| left.0 < right.0));
    }

    #[test]
    fn pure_ops_are_told_from_others() {
        for name in [
            stablehlo::AddOp::NAME,
            stablehlo::ReduceOp::NAME,
            stablehlo::GatherOp::NAME,
        ] {
            assert!(is_pure(name), "{name}");
        }
        for name in [
            stablehlo::WhileOp::NAME,
            stablehlo::AllReduceOp::NAME,
            stablehlo::CrossReplicaSumOp::NAME,
            stablehlo::ReduceScatterOp::NAME,
            stablehlo::SendOp::NAME,
            func::CallOp::NAME,
            stablehlo::RngOp::NAME,
        ] {
            assert!(!is_pure(name), "{name}");
        }
    }
}
