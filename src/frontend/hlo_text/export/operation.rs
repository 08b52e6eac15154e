//! The dispatch from ops to the functions that export them.

use super::computation::{ComputationBuilder, Instruction};
use super::{
    attributes, calls, collectives, control_flow, custom_call, data_movement, elementwise,
    failure::failure, host, products, reductions, types,
};
use halo_core::ElementType;
use halo_hlo_text::{Opcode, Shape};
use halo_ir::prelude::*;
use halo_runtime::Error;

/// Adds the instructions that an op becomes.
///
/// # Errors
/// Returns an error if HLO cannot represent it.
pub fn export<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let name = op.name();
    if let Some(opcode) = marked_opcode(op) {
        return match opcode {
            Opcode::AsyncDone => calls::async_done(builder, op),
            Opcode::AsyncUpdate => calls::async_update(builder, op),
            _ => marked(builder, op, opcode),
        };
    }
    if let Some(opcode) = elementwise::opcode(name) {
        return elementwise::elementwise(builder, op, opcode);
    }
    match name {
        stablehlo::ConstantOp::NAME => elementwise::constant(builder, op),
        stablehlo::IotaOp::NAME => elementwise::iota(builder, op),
        stablehlo::CompareOp::NAME => elementwise::compare(builder, op),
        stablehlo::ReducePrecisionOp::NAME => elementwise::reduce_precision(builder, op),
        stablehlo::RngOp::NAME => elementwise::rng(builder, op),
        stablehlo::RngBitGeneratorOp::NAME => elementwise::rng_bit_generator(builder, op),
        stablehlo::SelectOp::NAME | stablehlo::ClampOp::NAME => {
            elementwise::with_scalars(builder, op)
        }

        stablehlo::BroadcastInDimOp::NAME => data_movement::broadcast_in_dim(builder, op),
        stablehlo::BroadcastOp::NAME => data_movement::broadcast(builder, op),
        stablehlo::ConcatenateOp::NAME => data_movement::concatenate(builder, op),
        stablehlo::TransposeOp::NAME => data_movement::with_dimensions(builder, op, "permutation"),
        stablehlo::ReverseOp::NAME => data_movement::with_dimensions(builder, op, "dimensions"),
        stablehlo::SliceOp::NAME => data_movement::slice(builder, op),
        stablehlo::PadOp::NAME => data_movement::pad(builder, op),
        stablehlo::DynamicSliceOp::NAME => data_movement::dynamic_slice(builder, op),
        stablehlo::GatherOp::NAME => data_movement::gather(builder, op),
        stablehlo::ScatterOp::NAME => data_movement::scatter(builder, op),
        stablehlo::GetDimensionSizeOp::NAME | stablehlo::SetDimensionSizeOp::NAME => {
            data_movement::dimension_size(builder, op)
        }

        stablehlo::DotOp::NAME => products::dot(builder, op),
        stablehlo::DotGeneralOp::NAME => products::dot_general(builder, op),
        chlo::RaggedDotOp::NAME => products::ragged_dot(builder, op),
        stablehlo::ConvolutionOp::NAME => products::convolution(builder, op),
        stablehlo::CholeskyOp::NAME => products::cholesky(builder, op),
        stablehlo::TriangularSolveOp::NAME => products::triangular_solve(builder, op),
        stablehlo::FftOp::NAME => products::fft(builder, op),

        stablehlo::ReduceOp::NAME => reductions::reduce(builder, op),
        stablehlo::ReduceWindowOp::NAME => reductions::reduce_window(builder, op),
        stablehlo::SelectAndScatterOp::NAME => reductions::select_and_scatter(builder, op),
        stablehlo::SortOp::NAME => reductions::sort(builder, op),
        stablehlo::MapOp::NAME => reductions::map(builder, op),
        chlo::TopKOp::NAME => reductions::top_k(builder, op),
        chlo::ScanOp::NAME => reductions::scan(builder, op),
        stablehlo::BatchNormGradOp::NAME
        | stablehlo::BatchNormInferenceOp::NAME
        | stablehlo::BatchNormTrainingOp::NAME => reductions::batch_norm(builder, op),

        stablehlo::WhileOp::NAME => control_flow::r#while(builder, op),
        stablehlo::IfOp::NAME | stablehlo::CaseOp::NAME => control_flow::conditional(builder, op),
        stablehlo::OptimizationBarrierOp::NAME => control_flow::optimization_barrier(builder, op),
        stablehlo::TupleOp::NAME => control_flow::tuple(builder, op),
        stablehlo::GetTupleElementOp::NAME => control_flow::get_tuple_element(builder, op),
        stablehlo::AfterAllOp::NAME | stablehlo::CreateTokenOp::NAME => {
            control_flow::after_all(builder, op)
        }

        func::CallOp::NAME => calls::call(builder, op),
        stablehlo::CompositeOp::NAME => calls::composite(builder, op),
        stablehlo::CustomCallOp::NAME => custom_call::custom_call(builder, op),
        stablehlo::DynamicBroadcastInDimOp::NAME
        | stablehlo::DynamicConvOp::NAME
        | stablehlo::DynamicGatherOp::NAME
        | stablehlo::DynamicIotaOp::NAME
        | stablehlo::DynamicPadOp::NAME
        | stablehlo::DynamicReshapeOp::NAME
        | stablehlo::RealDynamicSliceOp::NAME => custom_call::dynamic(builder, op),

        stablehlo::AllGatherOp::NAME => collectives::all_gather(builder, op),
        stablehlo::AllReduceOp::NAME => collectives::all_reduce(builder, op),
        stablehlo::AllToAllOp::NAME => collectives::all_to_all(builder, op),
        stablehlo::CollectiveBroadcastOp::NAME => collectives::collective_broadcast(builder, op),
        stablehlo::CollectivePermuteOp::NAME => collectives::collective_permute(builder, op),
        stablehlo::CollectiveReduceOp::NAME => collectives::collective_reduce(builder, op),
        stablehlo::ReduceScatterOp::NAME => collectives::reduce_scatter(builder, op),
        stablehlo::AsyncStartOp::NAME => collectives::async_start(builder, op),
        stablehlo::AsyncDoneOp::NAME => collectives::async_done(builder, op),

        stablehlo::InfeedOp::NAME => host::infeed(builder, op),
        stablehlo::OutfeedOp::NAME => host::outfeed(builder, op),
        stablehlo::SendOp::NAME => host::send(builder, op),
        stablehlo::RecvOp::NAME => host::recv(builder, op),

        _ => Err(failure(op, "has no equivalent in HLO text")),
    }
}

/// The opcode of an imported instruction, if the op does not determine it.
fn marked_opcode(op: Operation) -> Option<Opcode> {
    let opcode: Opcode =
        op.attribute("mhlo.opcode").and_then(Attribute::string_value)?.parse().ok()?;
    let fits = match op.name() {
        stablehlo::ConvertOp::NAME => {
            opcode.operand_count() == Some(1) || opcode == Opcode::AsyncUpdate
        }
        stablehlo::OptimizationBarrierOp::NAME => opcode == Opcode::AddDependency,
        _ => false,
    };
    fits.then_some(opcode)
}

/// An instruction that annotates its first operand rather than computes.
fn marked<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    opcode: Opcode,
) -> Result<(), Error> {
    let (results, operands) = (op.results(), op.operands());
    let (Some(result), Some(operand)) = (results.first(), operands.first()) else {
        return Err(failure(op, "has no operand"));
    };
    let shape = builder.shape_of(op, *operand)?;
    let instruction = builder.single(op, opcode, shape)?;
    let name = match opcode {
        Opcode::CopyStart => copied(builder, op, instruction)?,
        _ => builder.add_of(op, instruction)?,
    };
    builder.bind(*result, name);
    for (result, operand) in results.iter().zip(&operands).skip(1) {
        let name = builder.name_of(op, *operand)?;
        builder.bind(*result, name);
    }
    Ok(())
}

/// The two halves of a copy, from the first half as a single instruction.
fn copied<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    mut start: Instruction,
) -> Result<String, Error> {
    let source = start.0.shape.clone();
    attributes::add_discardable(op, &mut start.0)?;
    let target = start.0.shape.clone();
    let handle = types::array_shape(ElementType::Ui32, &[]);
    let start = start.shaped(Shape::Tuple(vec![target.clone(), source, handle]));
    let start = builder.add_of(op, start)?;
    Ok(builder.add(Instruction::new(Opcode::CopyDone, target).on(vec![start])))
}
