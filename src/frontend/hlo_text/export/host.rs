//! Communication with the host and between pairs of devices.

use super::collectives::{channel, pairs};
use super::computation::{ComputationBuilder, Instruction};
use super::data_movement::flag;
use super::failure::failure;
use halo_core::ElementType;
use halo_hlo_text::{Opcode, Shape, Value};
use halo_ir::prelude::*;
use halo_runtime::Error;

/// The data is a tuple, paired with the token.
pub fn infeed<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let results = op.results();
    let Some((token, data)) = results.split_last() else {
        return Err(failure(op, "has no token"));
    };
    let shapes = data.iter().map(|value| builder.shape_of(op, *value));
    let mut shapes: Vec<Shape> = shapes.collect::<Result<_, _>>()?;
    let layouts = op.attribute("layout").map(Attribute::array_elements);
    for (shape, layout) in shapes.iter_mut().zip(layouts.unwrap_or_default()) {
        let integers = layout.array_elements().into_iter();
        let minor_to_major: Option<Vec<i64>> = integers
            .map(Attribute::integer_value)
            .collect::<Option<_>>()
            .or_else(|| layout.dense_i64s());
        if let (Shape::Array(array), Some(minor_to_major)) = (shape, minor_to_major)
            && orders_dimensions(&minor_to_major, array.dimensions.len())
        {
            array.layout = Some(super::types::layout(minor_to_major));
        }
    }
    let tuple = Shape::Tuple(shapes.clone());
    let instruction = builder
        .instruction(op, Opcode::Infeed)?
        .shaped(Shape::Tuple(vec![tuple.clone(), Shape::Token]))
        .with_some("infeed_config", config(op, "infeed_config"));
    let pair = builder.add_of(op, instruction)?;
    let values = builder.element(&pair, 0, tuple);
    for (position, (value, shape)) in data.iter().zip(shapes).enumerate() {
        let element = builder.element(&values, position, shape);
        builder.bind(*value, element);
    }
    let element = builder.element(&pair, 1, Shape::Token);
    builder.bind(*token, element);
    Ok(())
}

fn orders_dimensions(order: &[i64], rank: usize) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..rank as i64)
}

fn config(op: Operation, name: &str) -> Option<Value> {
    let text = op.attribute(name).and_then(Attribute::string_value)?;
    (!text.is_empty()).then(|| Value::String(text.to_owned()))
}

/// The data of `outfeed` and `send` as one value, and the token.
fn data_and_token<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    always_tuple: bool,
) -> Result<(String, Shape, String), Error> {
    let operands = op.operands();
    let Some((token, data)) = operands.split_last() else {
        return Err(failure(op, "has no token"));
    };
    let token = builder.name_of(op, *token)?;
    let values = data.iter().map(|value| {
        let shape = builder.shape_of(op, *value)?;
        Ok((builder.name_of(op, *value)?, shape))
    });
    let mut values: Vec<(String, Shape)> = values.collect::<Result<_, Error>>()?;
    if values.len() == 1 && !always_tuple {
        let (name, shape) = values.remove(0);
        return Ok((name, shape, token));
    }
    let shape = Shape::Tuple(values.iter().map(|(_, shape)| shape.clone()).collect());
    let name = builder.tuple(values);
    Ok((name, shape, token))
}

pub fn outfeed<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let (data, shape, token) = data_and_token(builder, op, true)?;
    let instruction = builder
        .instruction(op, Opcode::Outfeed)?
        .on(vec![data, token])
        .with("outfeed_shape", Value::Shape(shape))
        .with_some("outfeed_config", config(op, "outfeed_config"));
    builder.define(op, instruction)
}

fn context_shape() -> Shape {
    super::types::array_shape(ElementType::Ui32, &[])
}

/// A start and its end.
pub fn send<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let (data, shape, token) = data_and_token(builder, op, false)?;
    let shape = Shape::Tuple(vec![shape, context_shape(), Shape::Token]);
    let transfer = |instruction: Instruction| {
        instruction
            .with_some("channel_id", channel(op))
            .with_some("is_host_transfer", flag(op, "is_host_transfer"))
    };
    let start = transfer(Instruction::new(Opcode::Send, shape).on(vec![data, token]));
    let pairs = pairs(op);
    let start = builder.add_of(op, start.with_some("source_target_pairs", pairs))?;
    let done = Instruction::new(Opcode::SendDone, Shape::Token).on(vec![start]);
    builder.define(op, transfer(done))
}

/// A start and its end, which returns the data, a tuple unless it is one value, and the token.
pub fn recv<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let results = op.results();
    let Some((token, data)) = results.split_last() else {
        return Err(failure(op, "has no token"));
    };
    let shapes = data.iter().map(|value| builder.shape_of(op, *value));
    let shapes: Vec<Shape> = shapes.collect::<Result<_, _>>()?;
    let shape = match shapes.as_slice() {
        [only] => only.clone(),
        _ => Shape::Tuple(shapes.clone()),
    };
    let transfer = |instruction: Instruction| {
        instruction
            .with_some("channel_id", channel(op))
            .with_some("is_host_transfer", flag(op, "is_host_transfer"))
    };
    let started = Shape::Tuple(vec![shape.clone(), context_shape(), Shape::Token]);
    let start = transfer(Instruction::new(Opcode::Recv, started).on(builder.operands(op)?));
    let start = builder.add_of(op, start.with_some("source_target_pairs", pairs(op)))?;
    let done = Shape::Tuple(vec![shape.clone(), Shape::Token]);
    let done = transfer(Instruction::new(Opcode::RecvDone, done).on(vec![start]));
    let done = builder.add_of(op, done)?;
    let value = builder.element(&done, 0, shape);
    match data {
        [only] => builder.bind(*only, value),
        several => {
            for (position, (one, shape)) in several.iter().zip(shapes).enumerate() {
                let element = builder.element(&value, position, shape);
                builder.bind(*one, element);
            }
        }
    }
    let element = builder.element(&done, 1, Shape::Token);
    builder.bind(*token, element);
    Ok(())
}
