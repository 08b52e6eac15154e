//! Which function evaluates which op. Elementwise ops are not in the table: [`scalar`]
//! has a function on elements for each, which [`elementwise`] applies to tensors.

use super::{
    call::Call,
    checks, communication as comm, control_flow, convolution, custom_call, dot, dynamic,
    elementwise,
    evaluator::Evaluated,
    fft, gather_scatter, linear_algebra, normalization, probes, quantization, random, reduction,
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
    (check::ExpectAlmostEqOp::NAME, checks::expect_almost_eq),
    (check::ExpectAlmostEqConstOp::NAME, checks::expect_almost_eq),
    (check::ExpectCloseOp::NAME, checks::expect_close),
    (check::ExpectEqOp::NAME, checks::expect_eq),
    (check::ExpectEqConstOp::NAME, checks::expect_eq),
    (
        check::ExpectSerializedEqOp::NAME,
        probes::expect_serialized_eq,
    ),
    (func::CallOp::NAME, control_flow::call),
    (interpreter::PrintOp::NAME, probes::print),
    (interpreter::ProbeOp::NAME, probes::probe),
    (interpreter::RunParallelOp::NAME, comm::run_parallel),
    (stablehlo::AfterAllOp::NAME, control_flow::token),
    (stablehlo::AllGatherOp::NAME, comm::all_gather),
    (stablehlo::AllReduceOp::NAME, comm::all_reduce),
    (stablehlo::AllToAllOp::NAME, comm::all_to_all),
    (stablehlo::AsyncDoneOp::NAME, comm::async_done),
    (stablehlo::AsyncStartOp::NAME, comm::async_start),
    (
        stablehlo::BatchNormGradOp::NAME,
        normalization::batch_norm_grad,
    ),
    (
        stablehlo::BatchNormInferenceOp::NAME,
        normalization::batch_norm_inference,
    ),
    (
        stablehlo::BatchNormTrainingOp::NAME,
        normalization::batch_norm_training,
    ),
    (stablehlo::BitcastConvertOp::NAME, shape::bitcast_convert),
    (stablehlo::BroadcastOp::NAME, shape::broadcast),
    (stablehlo::BroadcastInDimOp::NAME, shape::broadcast_in_dim),
    (stablehlo::CaseOp::NAME, control_flow::case),
    (stablehlo::CholeskyOp::NAME, linear_algebra::cholesky),
    (
        stablehlo::CollectiveBroadcastOp::NAME,
        comm::collective_broadcast,
    ),
    (
        stablehlo::CollectivePermuteOp::NAME,
        comm::collective_permute,
    ),
    (stablehlo::CollectiveReduceOp::NAME, comm::collective_reduce),
    (stablehlo::CompositeOp::NAME, control_flow::composite),
    (stablehlo::ConcatenateOp::NAME, slicing::concatenate),
    (stablehlo::ConstantOp::NAME, shape::constant),
    (stablehlo::ConvolutionOp::NAME, convolution::convolution),
    (stablehlo::CreateTokenOp::NAME, control_flow::token),
    (stablehlo::CrossReplicaSumOp::NAME, comm::cross_replica_sum),
    (stablehlo::CustomCallOp::NAME, custom_call::custom_call),
    (stablehlo::DotOp::NAME, dot::dot),
    (stablehlo::DotGeneralOp::NAME, dot::dot_general),
    (
        stablehlo::DynamicBroadcastInDimOp::NAME,
        dynamic::dynamic_broadcast_in_dim,
    ),
    (stablehlo::DynamicConvOp::NAME, convolution::dynamic_conv),
    (
        stablehlo::DynamicGatherOp::NAME,
        gather_scatter::dynamic_gather,
    ),
    (stablehlo::DynamicIotaOp::NAME, dynamic::dynamic_iota),
    (stablehlo::DynamicPadOp::NAME, dynamic::dynamic_pad),
    (stablehlo::DynamicReshapeOp::NAME, dynamic::dynamic_reshape),
    (stablehlo::DynamicSliceOp::NAME, slicing::dynamic_slice),
    (
        stablehlo::DynamicUpdateSliceOp::NAME,
        slicing::dynamic_update_slice,
    ),
    (stablehlo::EinsumOp::NAME, dot::einsum),
    (stablehlo::FftOp::NAME, fft::fft),
    (stablehlo::GatherOp::NAME, gather_scatter::gather),
    (
        stablehlo::GetDimensionSizeOp::NAME,
        dynamic::get_dimension_size,
    ),
    (
        stablehlo::GetTupleElementOp::NAME,
        control_flow::get_tuple_element,
    ),
    (stablehlo::IfOp::NAME, control_flow::if_then_else),
    (stablehlo::InfeedOp::NAME, comm::infeed),
    (stablehlo::IotaOp::NAME, shape::iota),
    (stablehlo::MapOp::NAME, reduction::map),
    (
        stablehlo::OptimizationBarrierOp::NAME,
        control_flow::identity,
    ),
    (stablehlo::OutfeedOp::NAME, comm::outfeed),
    (stablehlo::PadOp::NAME, slicing::pad),
    (stablehlo::PartitionIdOp::NAME, comm::partition_id),
    (
        stablehlo::RealDynamicSliceOp::NAME,
        dynamic::real_dynamic_slice,
    ),
    (stablehlo::RecvOp::NAME, comm::recv),
    (stablehlo::ReduceOp::NAME, reduction::reduce),
    (stablehlo::ReduceScatterOp::NAME, comm::reduce_scatter),
    (stablehlo::ReduceWindowOp::NAME, reduction::reduce_window),
    (stablehlo::ReplicaIdOp::NAME, comm::replica_id),
    (stablehlo::ReshapeOp::NAME, shape::reshape),
    (stablehlo::ReverseOp::NAME, shape::reverse),
    (stablehlo::RngOp::NAME, random::rng),
    (
        stablehlo::RngBitGeneratorOp::NAME,
        random::rng_bit_generator,
    ),
    (stablehlo::ScatterOp::NAME, gather_scatter::scatter),
    (
        stablehlo::SelectAndScatterOp::NAME,
        reduction::select_and_scatter,
    ),
    (stablehlo::SendOp::NAME, comm::send),
    (
        stablehlo::SetDimensionSizeOp::NAME,
        dynamic::set_dimension_size,
    ),
    (stablehlo::SliceOp::NAME, slicing::slice),
    (stablehlo::SortOp::NAME, sort::sort),
    (
        stablehlo::TorchIndexSelectOp::NAME,
        gather_scatter::torch_index_select,
    ),
    (stablehlo::TransposeOp::NAME, shape::transpose),
    (
        stablehlo::TriangularSolveOp::NAME,
        linear_algebra::triangular_solve,
    ),
    (stablehlo::TupleOp::NAME, control_flow::tuple),
    (stablehlo::UnaryEinsumOp::NAME, dot::unary_einsum),
    (
        stablehlo::UniformDequantizeOp::NAME,
        quantization::uniform_dequantize,
    ),
    (
        stablehlo::UniformQuantizeOp::NAME,
        quantization::uniform_quantize,
    ),
    (stablehlo::WhileOp::NAME, control_flow::while_loop),
];

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

/// Whether the interpreter knows an op.
pub fn is_interpreted(name: &str) -> bool {
    matches!(name, stablehlo::ReturnOp::NAME | func::ReturnOp::NAME)
        || evaluator(name).is_some()
        || registered::is_terminator(name)
}

/// Whether an op's results follow from its operands alone, without effects and
/// without regard to the process.
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
    // Those of other dialects have effects, or call what has some.
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
