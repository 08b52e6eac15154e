//! The dispatch from opcodes to the functions that import them.

use super::{
    asynchronous, attributes, bitcast, collectives, control_flow, custom_call, elementwise,
    failure::{Failure, failure},
    indexing,
    instruction::Instruction,
    linear_algebra, other, reduce_window, reduction, scatter, shape, transfers,
    values::Tree,
};
use halo_hlo_text::Opcode;
use halo_ir::ops::stablehlo;

/// Builds the ops of an instruction, and returns its value.
pub fn instruction<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    attributes::common(i);
    let tree = value(i)?;
    i.decorate()?;
    Ok(tree)
}

fn value<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    use Opcode as O;
    if let Some((name, exact)) = elementwise::op_of(i.source.opcode) {
        return elementwise::function(i, name, exact);
    }
    match i.source.opcode {
        O::AddDependency => other::add_dependency(i),
        O::AfterAll => other::after_all(i),
        O::AllGatherStart => asynchronous::start_collective(i, O::AllGather),
        O::AllReduceStart => asynchronous::start_collective(i, O::AllReduce),
        O::CollectivePermuteStart => asynchronous::start_collective(i, O::CollectivePermute),
        O::AllGatherDone | O::AllReduceDone | O::CollectivePermuteDone => {
            asynchronous::finish_collective(i)
        }
        O::AllGather
        | O::AllReduce
        | O::CollectiveBroadcast
        | O::CollectivePermute
        | O::CollectiveReduce
        | O::ReduceScatter => collectives::collective(i),
        O::AllToAll => collectives::all_to_all(i),
        O::AsyncStart => asynchronous::start(i),
        O::AsyncUpdate => asynchronous::update(i),
        O::AsyncDone => asynchronous::done(i),
        O::BatchNormGrad | O::BatchNormInference | O::BatchNormTraining => other::batch_norm(i),
        O::Bitcast => bitcast::bitcast(i),
        O::BitcastConvert => i.plain::<stablehlo::BitcastConvertOp>(),
        O::Broadcast => shape::broadcast(i),
        O::Call => control_flow::call(i),
        O::Cholesky => linear_algebra::cholesky(i),
        O::Compare => elementwise::compare(i),
        O::Concatenate => shape::concatenate(i),
        O::Conditional => control_flow::conditional(i),
        O::Constant => shape::constant(i),
        O::Convert => elementwise::convert(i),
        O::Convolution => linear_algebra::convolution(i),
        O::Copy | O::Domain => shape::copy(i),
        O::CopyStart => shape::copy_start(i),
        O::CopyDone => shape::copy_done(i),
        O::CustomCall => custom_call::custom_call(i),
        O::Dot => linear_algebra::dot(i),
        O::DynamicReshape => indexing::dynamic_reshape(i),
        O::DynamicSlice => indexing::dynamic_slice(i),
        O::DynamicUpdateSlice => indexing::dynamic_update_slice(i),
        O::Fft => linear_algebra::fft(i),
        O::Fusion => control_flow::fusion(i),
        O::Gather => indexing::gather(i),
        O::GetDimensionSize => indexing::get_dimension_size(i),
        O::GetTupleElement => indexing::get_tuple_element(i),
        O::Infeed => transfers::infeed(i),
        O::Iota => shape::iota(i),
        O::Map => reduction::map(i),
        O::OptBarrier => other::opt_barrier(i),
        O::Outfeed => transfers::outfeed(i),
        O::Pad => shape::pad(i),
        O::Parameter => Err(failure("a parameter must have a number")),
        O::PartitionId => i.plain::<stablehlo::PartitionIdOp>(),
        O::RaggedDot => linear_algebra::ragged_dot(i),
        O::RaggedAllToAll => attributes::as_named_call(i, "ragged_all_to_all"),
        O::Recv => transfers::recv(i),
        O::RecvDone => transfers::recv_done(i),
        O::Reduce => reduction::reduce(i),
        O::ReducePrecision => elementwise::reduce_precision(i),
        O::ReduceWindow => reduce_window::reduce_window(i),
        O::ReplicaId => i.plain::<stablehlo::ReplicaIdOp>(),
        O::Reshape => i.plain::<stablehlo::ReshapeOp>(),
        O::Reverse => shape::reverse(i),
        O::Rng => other::rng(i),
        O::RngBitGenerator => other::rng_bit_generator(i),
        O::Scan => reduction::scan(i),
        O::Scatter => scatter::scatter(i),
        O::SelectAndScatter => reduction::select_and_scatter(i),
        O::Send => transfers::send(i),
        O::SendDone => transfers::send_done(i),
        O::SetDimensionSize => indexing::set_dimension_size(i),
        O::Slice => shape::slice(i),
        O::Sort => reduction::sort(i),
        O::Topk => other::top_k(i),
        O::Transpose => shape::transpose(i),
        O::TriangularSolve => linear_algebra::triangular_solve(i),
        O::Tuple => indexing::tuple(i),
        O::While => control_flow::while_loop(i),
        _ => attributes::as_custom_call(i),
    }
}
