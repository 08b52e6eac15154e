//! Communication among devices.

use super::computation::{ComputationBuilder, Instruction};
use super::data_movement::flag;
use super::elementwise::integer;
use super::failure::failure;
use super::types::array_shape;
use crate::hlo_text::{attribute_names::UPDATES, export::attributes::rows};
use halo_hlo::semantics::op::Op;
use halo_hlo_text::{Opcode, ReplicaGroups, Shape, Value};
use halo_ir::{ops::Op as _, prelude::*, stablehlo::attributes::ChannelHandle};
use halo_runtime::Error;

/// The common part of all collectives.
fn collective<'c>(
    builder: &ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    opcode: Opcode,
) -> Result<Instruction, Error> {
    Ok(builder
        .instruction(op, opcode)?
        .with_some("channel_id", channel(op))
        .with_some("replica_groups", replica_groups(op)?)
        .with_some("use_global_device_ids", flag(op, "use_global_device_ids")))
}

/// `channel_id=` if the op has a channel.
pub fn channel(op: Operation) -> Option<Value> {
    let channel = op.attribute("channel_handle").and_then(ChannelHandle::from_attribute)?;
    (channel.handle > 0).then_some(Value::Integer(channel.handle))
}

fn replica_groups(op: Operation) -> Result<Option<Value>, Error> {
    let Some(attribute) = op.attribute("replica_groups") else {
        return Ok(None);
    };
    let Some((shape, ids)) = Op::Built(op).integer_elements("replica_groups") else {
        let text = attribute.to_string();
        return Ok(Some(Value::ReplicaGroups(ReplicaGroups::Mesh(text))));
    };
    Ok(Some(Value::ReplicaGroups(ReplicaGroups::List(rows(
        &shape, &ids,
    )))))
}

/// `source_target_pairs=`
pub fn pairs(op: Operation) -> Option<Value> {
    let (shape, values) = Op::Built(op).integer_elements("source_target_pairs")?;
    Some(Value::IntegerLists(rows(&shape, &values)))
}

fn dimension(op: Operation, name: &str) -> Result<i64, Error> {
    match integer(op, name)? {
        Value::Integer(dimension) => Ok(dimension),
        _ => Err(failure(op, format!("has no '{name}'"))),
    }
}

pub fn all_gather<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let instruction = all_gather_as(builder, op, Opcode::AllGather)?;
    builder.define(op, instruction)
}

fn all_gather_as<'c>(
    builder: &ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    opcode: Opcode,
) -> Result<Instruction, Error> {
    let dimensions = Value::Integers(vec![dimension(op, "all_gather_dim")?]);
    Ok(collective(builder, op, opcode)?.with("dimensions", dimensions))
}

pub fn all_reduce<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let body = builder.region(op, 0)?;
    let instruction = collective(builder, op, Opcode::AllReduce)?;
    builder.define(op, instruction.with("to_apply", Value::Computation(body)))
}

pub fn collective_reduce<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let body = builder.region(op, 0)?;
    let instruction = collective(builder, op, Opcode::CollectiveReduce)?
        .with_some("has_dynamic_root", flag(op, "has_dynamic_root"))
        .with("to_apply", Value::Computation(body));
    builder.define(op, instruction)
}

pub fn reduce_scatter<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let dimensions = Value::Integers(vec![dimension(op, "scatter_dimension")?]);
    let body = builder.region(op, 0)?;
    let instruction = collective(builder, op, Opcode::ReduceScatter)?
        .with("dimensions", dimensions)
        .with("to_apply", Value::Computation(body));
    builder.define(op, instruction)
}

pub fn collective_broadcast<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let instruction = collective(builder, op, Opcode::CollectiveBroadcast)?;
    let root = flag(op, "has_dynamic_root");
    builder.define(op, instruction.with_some("has_dynamic_root", root))
}

pub fn collective_permute<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let instruction = collective(builder, op, Opcode::CollectivePermute)?;
    builder.define(op, instruction.with_some("source_target_pairs", pairs(op)))
}

/// HLO's `all-to-all` of one operand splits and concatenates along one dimension; a transposition
/// moves the slices to another one afterwards.
pub fn all_to_all<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let split = dimension(op, "split_dimension")?;
    let concat = dimension(op, "concat_dimension")?;
    let operands = op.operands();
    let count = dimension(op, "split_count")?;
    let [operand] = operands.as_slice() else {
        let dimensions = Value::Integers(vec![split]);
        let instruction = collective(builder, op, Opcode::AllToAll)?;
        if split != concat {
            return Err(failure(
                op,
                "splits several operands along one dimension and joins them along another, which \
                 HLO has no form for",
            ));
        }
        return builder.define(op, instruction.with("dimensions", dimensions));
    };
    let shape = builder.shape_of(op, *operand)?;
    let instruction = collective(builder, op, Opcode::AllToAll)?
        .shaped(shape.clone())
        .with("dimensions", Value::Integers(vec![split]));
    if split == concat {
        return builder.define(op, instruction);
    }
    let (Some(sizes), Shape::Array(array)) = (operand.ty().static_shape(), shape) else {
        return Err(failure(op, "has an operand of unknown size"));
    };
    let exchanged = builder.add_of(op, instruction)?;
    let rank = sizes.len() as i64;
    // [..., split, ...] -> [..., count, split / count, ...]
    let mut parts = sizes.clone();
    parts[split as usize] = sizes[split as usize] / count.max(1);
    parts.insert(split as usize, count);
    let element = array.element_type;
    let parts_shape = array_shape(element, &parts);
    let reshaped = builder.add(Instruction::new(Opcode::Reshape, parts_shape).on(vec![exchanged]));
    // The slices go before the dimension that they are concatenated along.
    let mut order: Vec<i64> = (0..=rank).filter(|position| *position != split).collect();
    let target = order
        .iter()
        .position(|position| *position == concat + i64::from(concat > split));
    order.insert(target.unwrap_or_default(), split);
    let moved: Vec<i64> = order.iter().map(|from| parts[*from as usize]).collect();
    let transposed = builder.add(
        Instruction::new(Opcode::Transpose, array_shape(element, &moved))
            .on(vec![reshaped])
            .with("dimensions", Value::Integers(order)),
    );
    let instruction = builder.instruction(op, Opcode::Reshape)?;
    builder.define(op, instruction.on(vec![transposed]))
}

/// `async_start` with a collective that has a start in HLO; the done follows at the `async_done`.
pub fn async_start<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let inner = wrapped(op)?;
    let operands = builder.operands(op)?;
    for (argument, name) in
        op.body(0).map(Block::arguments).unwrap_or_default().into_iter().zip(&operands)
    {
        builder.bind(argument, name.clone());
    }
    let inputs = op.operands().into_iter();
    let inputs: Vec<Shape> =
        inputs.map(|value| builder.shape_of(op, value)).collect::<Result<_, _>>()?;
    let one = |mut shapes: Vec<Shape>| match shapes.len() {
        1 => shapes.remove(0),
        _ => Shape::Tuple(shapes),
    };
    let outputs = inner.result_types().into_iter();
    let outputs: Vec<Shape> =
        outputs.map(|ty| builder.shape_of_type(op, ty)).collect::<Result<_, _>>()?;
    let (input, output) = (one(inputs.clone()), one(outputs));
    let updates = updates_of(op);
    let instruction = match inner.name() {
        _ if !updates.is_empty() => generic_start(builder, op, inputs, output)?,
        stablehlo::AllReduceOp::NAME => {
            let body = builder.region(inner, 0)?;
            collective(builder, inner, Opcode::AllReduceStart)?
                .shaped(output)
                .with("to_apply", Value::Computation(body))
        }
        stablehlo::AllGatherOp::NAME => all_gather_as(builder, inner, Opcode::AllGatherStart)?
            .shaped(Shape::Tuple(vec![input, output])),
        stablehlo::CollectivePermuteOp::NAME => {
            let instruction = collective(builder, inner, Opcode::CollectivePermuteStart)?;
            instruction
                .shaped(Shape::Tuple(vec![input, output]))
                .with_some("source_target_pairs", pairs(inner))
        }
        _ => generic_start(builder, op, inputs, output)?,
    };
    let instruction = instruction.on(operands);
    let shape = instruction.0.shape.clone();
    let mut name = builder.add_of(op, instruction)?;
    for update in updates {
        let mut instruction = Instruction::new(Opcode::AsyncUpdate, shape.clone());
        instruction.0.name = update.to_owned();
        name = builder.add(instruction.on(vec![name]));
    }
    match op.results().as_slice() {
        [future] => builder.bind(*future, name),
        _ => return Err(failure(op, "has no future")),
    }
    Ok(())
}

/// The start of a computation, with its updates.
fn generic_start<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    inputs: Vec<Shape>,
    output: Shape,
) -> Result<Instruction, Error> {
    let computation = builder.region(op, 0)?;
    let instruction = builder.instruction(op, Opcode::AsyncStart)?;
    Ok(instruction
        .shaped(Shape::Tuple(vec![Shape::Tuple(inputs), output]))
        .with("calls", Value::Computation(computation)))
}

/// The names of the updates of a start.
fn updates_of<'c>(start: Operation<'c>) -> Vec<&'c str> {
    let updates = start.attribute(UPDATES).map(Attribute::array_elements);
    let updates = updates.unwrap_or_default().into_iter();
    updates.filter_map(Attribute::string_value).collect()
}

pub fn async_done<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let start = op.operands().first().and_then(|future| future.defining_op());
    let start = match start {
        Some(start) if start.isa::<stablehlo::AsyncStartOp>() => start,
        _ => return Err(failure(op, "does not wait for an op of this block")),
    };
    let opcode = match wrapped(start)?.name() {
        _ if !updates_of(start).is_empty() => Opcode::AsyncDone,
        stablehlo::AllReduceOp::NAME => Opcode::AllReduceDone,
        stablehlo::AllGatherOp::NAME => Opcode::AllGatherDone,
        stablehlo::CollectivePermuteOp::NAME => Opcode::CollectivePermuteDone,
        _ => Opcode::AsyncDone,
    };
    let instruction = builder.instruction(op, opcode)?;
    builder.define(op, instruction)
}

/// The collective that an `async_start` runs.
fn wrapped<'c>(start: Operation<'c>) -> Result<Operation<'c>, Error> {
    let ops = start.body(0).map(Block::operations).unwrap_or_default();
    match ops.first() {
        Some(op) if shape_known(*op) => Ok(*op),
        _ => Err(failure(start, "runs nothing")),
    }
}

fn shape_known(op: Operation) -> bool {
    let results = op.result_types();
    results.into_iter().all(|ty| ty.shape().is_some())
}
