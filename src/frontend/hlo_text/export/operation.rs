//! Which function exports which op.

use super::computation::{ComputationBuilder, Instruction};
use super::{
    attributes, calls, collectives, control_flow, custom_call, data_movement, elementwise, failure,
    host, products, reductions, types,
};
use halo_core::ElementType;
use halo_hlo_text::{Opcode, Shape};
use halo_ir::{Operation, attribute_of, name_of, operands_of, results_of, string_value};
use halo_runtime::Error;

/// Adds the instructions that an op becomes.
///
/// # Errors
/// Where HLO has no form for it.
pub fn export<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let name = name_of(op);
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
    match name.strip_prefix("stablehlo.").unwrap_or(name) {
        "constant" => elementwise::constant(builder, op),
        "iota" => elementwise::iota(builder, op),
        "compare" => elementwise::compare(builder, op),
        "reduce_precision" => elementwise::reduce_precision(builder, op),
        "rng" => elementwise::rng(builder, op),
        "rng_bit_generator" => elementwise::rng_bit_generator(builder, op),
        "select" | "clamp" => elementwise::with_scalars(builder, op),

        "broadcast_in_dim" => data_movement::broadcast_in_dim(builder, op),
        "broadcast" => data_movement::broadcast(builder, op),
        "concatenate" => data_movement::concatenate(builder, op),
        "transpose" => data_movement::with_dimensions(builder, op, "permutation"),
        "reverse" => data_movement::with_dimensions(builder, op, "dimensions"),
        "slice" => data_movement::slice(builder, op),
        "pad" => data_movement::pad(builder, op),
        "dynamic_slice" => data_movement::dynamic_slice(builder, op),
        "gather" => data_movement::gather(builder, op),
        "scatter" => data_movement::scatter(builder, op),
        "get_dimension_size" | "set_dimension_size" => data_movement::dimension_size(builder, op),

        "dot" => products::dot(builder, op),
        "dot_general" => products::dot_general(builder, op),
        "chlo.ragged_dot" => products::ragged_dot(builder, op),
        "convolution" => products::convolution(builder, op),
        "cholesky" => products::cholesky(builder, op),
        "triangular_solve" => products::triangular_solve(builder, op),
        "fft" => products::fft(builder, op),

        "reduce" => reductions::reduce(builder, op),
        "reduce_window" => reductions::reduce_window(builder, op),
        "select_and_scatter" => reductions::select_and_scatter(builder, op),
        "sort" => reductions::sort(builder, op),
        "map" => reductions::map(builder, op),
        "chlo.top_k" => reductions::top_k(builder, op),
        "chlo.scan" => reductions::scan(builder, op),
        "batch_norm_grad" | "batch_norm_inference" | "batch_norm_training" => {
            reductions::batch_norm(builder, op)
        }

        "while" => control_flow::r#while(builder, op),
        "if" | "case" => control_flow::conditional(builder, op),
        "optimization_barrier" => control_flow::optimization_barrier(builder, op),
        "tuple" => control_flow::tuple(builder, op),
        "get_tuple_element" => control_flow::get_tuple_element(builder, op),
        "after_all" | "create_token" => control_flow::after_all(builder, op),

        "func.call" | "call" => calls::call(builder, op),
        "composite" => calls::composite(builder, op),
        "custom_call" => custom_call::custom_call(builder, op),
        "dynamic_broadcast_in_dim"
        | "dynamic_conv"
        | "dynamic_gather"
        | "dynamic_iota"
        | "dynamic_pad"
        | "dynamic_reshape"
        | "real_dynamic_slice" => custom_call::dynamic(builder, op),

        "all_gather" => collectives::all_gather(builder, op),
        "all_reduce" => collectives::all_reduce(builder, op),
        "all_to_all" => collectives::all_to_all(builder, op),
        "collective_broadcast" => collectives::collective_broadcast(builder, op),
        "collective_permute" => collectives::collective_permute(builder, op),
        "collective_reduce" => collectives::collective_reduce(builder, op),
        "reduce_scatter" => collectives::reduce_scatter(builder, op),
        "async_start" => collectives::async_start(builder, op),
        "async_done" => collectives::async_done(builder, op),

        "infeed" => host::infeed(builder, op),
        "outfeed" => host::outfeed(builder, op),
        "send" => host::send(builder, op),
        "recv" => host::recv(builder, op),

        _ => Err(failure(op, "has no form in HLO text")),
    }
}

/// What an instruction was before it was imported, where the op does not tell.
fn marked_opcode(op: Operation) -> Option<Opcode> {
    let opcode: Opcode = attribute_of(op, "mhlo.opcode")
        .and_then(string_value)?
        .parse()
        .ok()?;
    let fits = match name_of(op) {
        "stablehlo.convert" => opcode.operand_count() == Some(1) || opcode == Opcode::AsyncUpdate,
        "stablehlo.optimization_barrier" => opcode == Opcode::AddDependency,
        _ => false,
    };
    fits.then_some(opcode)
}

/// An instruction that says something of its first operand rather than computes.
fn marked<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    opcode: Opcode,
) -> Result<(), Error> {
    let (results, operands) = (results_of(op), operands_of(op));
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

/// The two halves of a copy, given what the first would be alone.
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
