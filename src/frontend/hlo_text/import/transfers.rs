//! Transfers between host and device, and between devices outside of
//! collectives.

use super::{Result, collectives::channel, instruction::Instruction, types, values::Tree};
use halo_hlo_text::{HloInstruction, Opcode, Shape, Value as AttributeValue};
use halo_ir::stablehlo::types::token;
use halo_ir::{Attribute, OpSpec, results_of};

/// Kinds of channel, as the specification of `send` and `recv` numbers them.
const DEVICE_TO_DEVICE: i64 = 1;
const DEVICE_TO_HOST: i64 = 2;
const HOST_TO_DEVICE: i64 = 3;

/// `infeed`: what is read, and a token.
pub fn infeed<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let importer = i.importer;
    let data = match &i.source.shape {
        Shape::Tuple(elements) => elements.first(),
        _ => None,
    };
    let data = data.ok_or_else(|| super::failure("infeed has data and a token as result"))?;
    let layouts = types::leaves(data).into_iter().map(|part| match part {
        Shape::Array(array) => {
            let dimensions = types::minor_to_major(array).into_iter();
            importer.array(dimensions.map(|it| importer.integer_attribute(64, it)))
        }
        _ => importer.array([]),
    });
    let config = i.word("infeed_config")?.unwrap_or_default();
    let op = i
        .op("stablehlo.infeed")
        .operands(&i.values()?)
        .attribute("infeed_config", importer.string(config))
        .attribute("layout", importer.array(layouts));
    i.many(op.results(&i.result_types()?))
}

/// `outfeed`: the parts of what is written, and a token.
pub fn outfeed<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    // Of the shape, only a layout of its own is more than the operands say.
    if let Some(AttributeValue::Shape(shape)) = i.source.attributes.get("outfeed_shape")
        && !types::has_custom_layout(shape)
    {
        i.attribute("outfeed_shape");
    }
    let mut values = i.parts(0)?;
    values.push(i.value(1)?);
    let config = i.word("outfeed_config")?.unwrap_or_default();
    let op = i
        .op("stablehlo.outfeed")
        .operands(&values)
        .attribute("outfeed_config", i.importer.string(config));
    i.one(op.result(token(i.importer.context)))
}

fn with_channel<'m>(i: &Instruction<'_, 'm>, op: OpSpec<'m>, to_host: i64) -> Result<OpSpec<'m>> {
    let handle = i.integer("channel_id")?.unwrap_or_default();
    let host = i.boolean("is_host_transfer")?;
    let kind = if host { to_host } else { DEVICE_TO_DEVICE };
    let mut op = op
        .attribute("channel_handle", channel(i, handle, kind))
        .attribute(
            "is_host_transfer",
            halo_ir::bool_attribute(i.importer.context, host),
        );
    if let Some(pairs) = pairs(i)? {
        op = op.attribute("source_target_pairs", pairs);
    }
    Ok(op)
}

fn pairs<'m>(i: &Instruction<'_, 'm>) -> Result<Option<Attribute<'m>>> {
    match i.source.attributes.get("source_target_pairs") {
        Some(AttributeValue::IntegerLists(pairs)) => {
            i.attribute("source_target_pairs");
            Ok(Some(i.importer.matrix(pairs, 2)?))
        }
        _ => Ok(None),
    }
}

/// `send`: the data, a handle, and the token of its end.
pub fn send<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let mut values = i.parts(0)?;
    values.push(i.value(1)?);
    let op = i.op("stablehlo.send").operands(&values);
    let op = with_channel(i, op, DEVICE_TO_HOST)?;
    let sent = i.one(op.result(token(i.importer.context)))?;
    let data = i.operand(0)?.clone();
    Ok(Tree::Tuple(vec![data, Tree::Handle, sent]))
}

/// `send-done`: the token.
pub fn send_done<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    i.importer.element(&i.builder, i.operand(0)?, 2)
}

/// `recv`: what comes, a handle, and the token of its end.
pub fn recv<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let importer = i.importer;
    let data = match &i.source.shape {
        Shape::Tuple(elements) => elements.first(),
        _ => None,
    };
    let data = data.ok_or_else(|| super::failure("recv has data, a handle and a token"))?;
    let mut types = importer.flat_types(data)?;
    types.push(token(importer.context));
    let op = i.op("stablehlo.recv").operands(&i.values()?);
    let op = with_channel(i, op, HOST_TO_DEVICE)?;
    let mut results = results_of(i.finish(op.results(&types))?);
    let last = results.pop();
    let last = last.ok_or_else(|| super::failure("recv has a token as result"))?;
    if let Some(sharding) = without_handle(i) {
        i.attribute("sharding");
        i.keep("mhlo.sharding", importer.attribute_of_sharding(sharding));
    }
    let data = importer.assemble(data, &results)?;
    Ok(Tree::Tuple(vec![data, Tree::Handle, Tree::Value(last)]))
}

/// The sharding of what comes and of the token; the text has one of the handle
/// between them.
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

/// `recv-done`: what came, and the token.
pub fn recv_done<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let element = |index| i.importer.element(&i.builder, i.operand(0)?, index);
    Ok(Tree::Tuple(vec![element(0)?, element(2)?]))
}

/// The shape of what the op of an instruction gives: the handle of a transfer is
/// no result, and neither is what it sends.
pub fn noted_shape(source: &HloInstruction) -> Option<&Shape> {
    match (source.opcode, &source.shape) {
        (Opcode::Send, Shape::Tuple(elements)) => elements.get(2),
        // What is copied, by parts where it is a tuple.
        (Opcode::CopyStart, Shape::Tuple(elements)) => {
            let copied = elements.first();
            copied.filter(|copied| !matches!(copied, Shape::Tuple(_)))
        }
        (Opcode::Copy | Opcode::Domain, Shape::Tuple(_)) => None,
        // The data, where it is more than one array.
        (Opcode::Recv, Shape::Tuple(elements)) => {
            let data = elements.first();
            data.filter(|data| matches!(data, Shape::Tuple(parts) if !parts.is_empty()))
        }
        (_, shape) => Some(shape),
    }
}
