//! Transfers between host and device, and between devices outside of
//! collectives.

use super::{failure::Failure, instruction::Instruction, types, values::Tree};
use halo_hlo_text::{HloInstruction, Opcode, Shape, Value as AttributeValue};
use halo_ir::{prelude::*, stablehlo::attributes::ChannelHandle, stablehlo::types::token};

/// The types of channels, as numbered in the specification of `send` and `recv`.
const DEVICE_TO_DEVICE: i64 = 1;
const DEVICE_TO_HOST: i64 = 2;
const HOST_TO_DEVICE: i64 = 3;

/// `infeed`: a tuple of the data, and a token.
pub fn infeed<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let importer = i.importer;
    let data = match &i.source.shape {
        Shape::Tuple(elements) => elements.first(),
        _ => None,
    };
    let data =
        data.ok_or_else(|| super::failure::failure("infeed has data and a token as result"))?;
    let layouts = types::leaves(data).into_iter().map(|part| match part {
        Shape::Array(array) => {
            let dimensions = types::minor_to_major(array).into_iter();
            importer.array(dimensions.map(|it| importer.integer_attribute(64, it)))
        }
        _ => importer.array([]),
    });
    let layouts: Vec<Attribute> = layouts.collect();
    let config = i.word("infeed_config")?.unwrap_or_default();
    let ([token], types) = (i.fixed()?, i.result_types()?);
    let op = stablehlo::InfeedOp::build(&i.builder, token, &types)
        .infeed_config(config)
        .layout(&layouts);
    i.many(op)
}

/// `outfeed`: the elements of the data, and a token.
pub fn outfeed<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    // The shape adds only its layout to the operands' shapes.
    if let Some(AttributeValue::Shape(shape)) = i.source.attributes.get("outfeed_shape")
        && !types::has_custom_layout(shape)
    {
        i.attribute("outfeed_shape");
    }
    let config = i.word("outfeed_config")?.unwrap_or_default();
    let op = stablehlo::OutfeedOp::build(&i.builder, &i.parts(0)?, i.value(1)?);
    i.one(op.outfeed_config(config))
}

/// The channel of a transfer, and whether the transfer is with the host.
fn transfer_channel(i: &Instruction, to_host: i64) -> Result<(ChannelHandle, bool), Failure> {
    let handle = i.integer("channel_id")?.unwrap_or_default();
    let host = i.boolean("is_host_transfer")?;
    let channel_type = if host { to_host } else { DEVICE_TO_DEVICE };
    let channel = ChannelHandle {
        handle,
        channel_type,
    };
    Ok((channel, host))
}

fn pairs<'m>(i: &Instruction<'_, 'm>) -> Result<Option<Attribute<'m>>, Failure> {
    match i.source.attributes.get("source_target_pairs") {
        Some(AttributeValue::IntegerLists(pairs)) => {
            i.attribute("source_target_pairs");
            Ok(Some(i.importer.matrix(pairs, 2)?))
        }
        _ => Ok(None),
    }
}

/// `send`: the data, a handle, and the token of its end.
pub fn send<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let (channel, is_host_transfer) = transfer_channel(i, DEVICE_TO_HOST)?;
    let op = stablehlo::SendOp::build(&i.builder, &i.parts(0)?, i.value(1)?, &channel)
        .is_host_transfer(is_host_transfer)
        .maybe(pairs(i)?, |op, pairs| op.source_target_pairs(pairs));
    let sent = i.one(op)?;
    let data = i.operand(0)?.clone();
    Ok(Tree::Tuple(vec![data, Tree::Handle, sent]))
}

/// `send-done`: the token.
pub fn send_done<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    i.importer.element(&i.builder, i.operand(0)?, 2)
}

/// `recv`: the received values, a handle, and the token of its end.
pub fn recv<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let importer = i.importer;
    let data = match &i.source.shape {
        Shape::Tuple(elements) => elements.first(),
        _ => None,
    };
    let data =
        data.ok_or_else(|| super::failure::failure("recv has data, a handle and a token"))?;
    let mut types = importer.flat_types(data)?;
    types.push(token(importer.context));
    let [start] = i.fixed()?;
    let (channel, is_host_transfer) = transfer_channel(i, HOST_TO_DEVICE)?;
    let op = stablehlo::RecvOp::build(&i.builder, start, &channel, &types)
        .is_host_transfer(is_host_transfer)
        .maybe(pairs(i)?, |op, pairs| op.source_target_pairs(pairs));
    let mut results = i.finish(op)?.results();
    let last = results.pop();
    let last = last.ok_or_else(|| super::failure::failure("recv has a token as result"))?;
    if let Some(sharding) = without_handle(i) {
        i.attribute("sharding");
        i.keep("mhlo.sharding", importer.attribute_of_sharding(sharding));
    }
    let data = importer.assemble(data, &results)?;
    Ok(Tree::Tuple(vec![data, Tree::Handle, Tree::Value(last)]))
}

/// The sharding of the data and of the token; in the text, the handle's is between them.
fn without_handle(i: &Instruction) -> Option<halo_hlo_text::Sharding> {
    use halo_hlo_text::Sharding;
    match i.source.attributes.get("sharding") {
        Some(AttributeValue::Sharding(Sharding::Tuple(parts))) if parts.len() == 3 => {
            let ends = [parts.first()?.clone(), parts.last()?.clone()];
            Some(Sharding::Tuple(ends.to_vec()))
        }
        _ => None,
    }
}

/// `recv-done`: the received values, and the token.
pub fn recv_done<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let element = |index| i.importer.element(&i.builder, i.operand(0)?, index);
    Ok(Tree::Tuple(vec![element(0)?, element(2)?]))
}

/// The shape of the results of an instruction's op: the handle of a transfer is not a result, and
/// neither is the data that it sends.
pub fn noted_shape(source: &HloInstruction) -> Option<&Shape> {
    match (source.opcode, &source.shape) {
        (Opcode::Send, Shape::Tuple(elements)) => elements.get(2),
        // The copied data, by elements if it is a tuple.
        (Opcode::CopyStart, Shape::Tuple(elements)) => {
            let copied = elements.first();
            copied.filter(|copied| !matches!(copied, Shape::Tuple(_)))
        }
        (Opcode::Copy | Opcode::Domain, Shape::Tuple(_)) => None,
        // The data, if it is more than one array.
        (Opcode::Recv, Shape::Tuple(elements)) => {
            let data = elements.first();
            data.filter(|data| matches!(data, Shape::Tuple(parts) if !parts.is_empty()))
        }
        (_, shape) => Some(shape),
    }
}
