//! Collectives.

use super::{
    failure::{Failure, failure},
    instruction::Instruction,
    replica_groups,
    shape::{leading_slice, reshaped},
    values::Tree,
};
use halo_hlo_text::{Opcode, ReplicaGroups, Shape, Value as AttributeValue};
use halo_ir::{OpSpec, prelude::*, stablehlo::attributes::ChannelHandle};

/// The groups as a matrix.
fn groups<'m>(i: &Instruction<'_, 'm>) -> Result<Attribute<'m>, Failure> {
    match i.attribute("replica_groups") {
        None => replica_groups::dense(i.importer, &ReplicaGroups::List(Vec::new())),
        Some(AttributeValue::ReplicaGroups(groups)) => replica_groups::dense(i.importer, groups),
        Some(_) => Err(failure("attribute 'replica_groups' must be groups")),
    }
}

/// Groups that are spelled by the axes of a mesh are also kept as a discardable attribute, as they
/// are written.
fn with_mesh<'m>(i: &Instruction<'_, 'm>, op: OpSpec<'m>) -> OpSpec<'m> {
    match i.attribute("replica_groups") {
        Some(AttributeValue::ReplicaGroups(ReplicaGroups::Mesh(text))) => {
            op.attribute("mhlo.replica_groups", i.importer.string(text))
        }
        _ => op,
    }
}

/// The channel, if written; there is one type for channels between devices.
fn channel(i: &Instruction) -> Result<Option<ChannelHandle>, Failure> {
    let handle = i.integer("channel_id")?;
    Ok(handle.map(|handle| ChannelHandle {
        handle,
        channel_type: 0,
    }))
}

/// The op of a collective on operands. An asynchronous one has the opcode of the started
/// instruction.
pub fn spec<'m>(
    i: &Instruction<'_, 'm>,
    opcode: Opcode,
    operands: &[Value<'m>],
    types: &[Type<'m>],
) -> Result<OpSpec<'m>, Failure> {
    let b = &i.builder;
    let channel = channel(i)?;
    let channel = channel.as_ref();
    let body = || i.region("to_apply");
    let global_ids = || i.boolean("use_global_device_ids");
    let dynamic_root = || i.boolean("has_dynamic_root");
    let one = || match operands {
        [one] => Ok(*one),
        _ => Err(failure(format!("{opcode} has one operand"))),
    };
    let op = match opcode {
        Opcode::AllGather => {
            let op = stablehlo::AllGatherOp::build(b, operands, i.dimension()?, groups(i)?, types);
            op.use_global_device_ids(global_ids()?)
                .maybe(channel, |op, channel| op.channel_handle(channel))
                .into_spec()
        }
        Opcode::AllReduce => {
            let op = stablehlo::AllReduceOp::build(b, operands, groups(i)?, body()?);
            op.use_global_device_ids(global_ids()?)
                .maybe(channel, |op, channel| op.channel_handle(channel))
                .result_types(types)
                .into_spec()
        }
        Opcode::CollectiveReduce => {
            let op = stablehlo::CollectiveReduceOp::build(b, operands, groups(i)?, body()?);
            op.use_global_device_ids(global_ids()?)
                .has_dynamic_root(dynamic_root()?)
                .maybe(channel, |op, channel| op.channel_handle(channel))
                .result_types(types)
                .into_spec()
        }
        Opcode::ReduceScatter => {
            let [ty] = types else {
                return Err(failure("reduce-scatter has one result"));
            };
            let (dimension, groups) = (i.dimension()?, groups(i)?);
            let op = stablehlo::ReduceScatterOp::build(b, one()?, dimension, groups, *ty, body()?);
            op.use_global_device_ids(global_ids()?)
                .maybe(channel, |op, channel| op.channel_handle(channel))
                .into_spec()
        }
        Opcode::CollectiveBroadcast => {
            let op = stablehlo::CollectiveBroadcastOp::build(b, operands, groups(i)?);
            op.has_dynamic_root(dynamic_root()?)
                .maybe(channel, |op, channel| op.channel_handle(channel))
                .result_types(types)
                .into_spec()
        }
        Opcode::CollectivePermute => {
            let Some(AttributeValue::IntegerLists(pairs)) = i.attribute("source_target_pairs")
            else {
                return Err(i.missing("source_target_pairs"));
            };
            let pairs = i.importer.matrix(pairs, 2)?;
            let op = stablehlo::CollectivePermuteOp::build(b, one()?, pairs);
            let op = op.maybe(channel, |op, channel| op.channel_handle(channel));
            return Ok(op.result_types(types).into_spec());
        }
        _ => return Err(failure(format!("{opcode} is not a collective"))),
    };
    Ok(with_mesh(i, op))
}

/// Returns true if the op takes one operand at a time.
fn is_single(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::ReduceScatter | Opcode::CollectivePermute)
}

/// A collective. If the op takes one operand, several operands become several ops.
pub fn collective<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let opcode = i.source.opcode;
    // Further operands are slices of buffers that are permuted in place.
    if opcode == Opcode::CollectivePermute && i.source.attributes.get("slice_sizes").is_some() {
        return super::attributes::as_custom_call(i);
    }
    let values = i.values()?;
    let types = i.result_types()?;
    if !is_single(opcode) {
        return i.many(spec(i, opcode, &values, &types)?);
    }
    if values.len() != types.len() {
        return super::attributes::as_custom_call(i);
    }
    let mut results = Vec::new();
    for (value, ty) in values.into_iter().zip(types) {
        let op = spec(i, opcode, &[value], &[ty])?;
        results.extend(i.finish(op)?.results());
    }
    i.importer.assemble(&i.source.shape, &results)
}

/// `all-to-all`. Slices of one array along a dimension are exchanged. Several arrays are slices
/// themselves: they are exchanged as one array with an additional dimension.
pub fn all_to_all<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let values = i.values()?;
    if i.source.attributes.get("dimensions").is_some() {
        let dimension = i.dimension()?;
        let count = group_size(i)?;
        return i.many(exchange(i, &values, dimension, count, &i.result_types()?)?);
    }
    let Shape::Tuple(_) = i.source.shape else {
        return i.many(exchange(i, &values, 0, 1, &i.result_types()?)?);
    };
    let count = values.len() as i64;
    let mut parts = Vec::new();
    for value in &values {
        let sizes = value.ty().static_shape();
        let sizes = sizes.ok_or_else(|| failure("all-to-all has operands of known size"))?;
        parts.push(reshaped(i, *value, &[&[1], &sizes[..]].concat())?);
    }
    let Some(first) = parts.first() else {
        return Err(failure("all-to-all has operands"));
    };
    let mut sizes = first.ty().static_shape().unwrap_or_default();
    if let Some(leading) = sizes.first_mut() {
        *leading = count;
    }
    let ty = halo_ir::tensor_type(&sizes, first.ty().element_type());
    let op = stablehlo::ConcatenateOp::build(&i.builder, &parts, 0);
    let joined = i.step(op.result_types(&[ty]))?;
    let exchanged = i.finish(exchange(i, &[joined], 0, count, &[ty])?)?;
    let exchanged: Vec<Value> = exchanged.results();
    let Some(exchanged) = exchanged.first() else {
        return Err(failure("all-to-all has a result"));
    };
    let results = (0..count).map(|part| leading_slice(i, *exchanged, part));
    let results = results.collect::<Result<Vec<_>, Failure>>()?;
    i.importer.assemble(&i.source.shape, &results)
}

fn exchange<'m>(
    i: &Instruction<'_, 'm>,
    operands: &[Value<'m>],
    dimension: i64,
    count: i64,
    types: &[Type<'m>],
) -> Result<OpSpec<'m>, Failure> {
    let (b, groups, channel) = (&i.builder, groups(i)?, channel(i)?);
    let op = stablehlo::AllToAllOp::build(b, operands, dimension, dimension, count, groups)
        .maybe(channel.as_ref(), |op, channel| op.channel_handle(channel))
        .result_types(types);
    Ok(with_mesh(i, op.into_spec()))
}

/// The number of exchanging processes: the size of a group, or of the only group if none is
/// written.
fn group_size(i: &Instruction) -> Result<i64, Failure> {
    if let Some(AttributeValue::ReplicaGroups(groups)) = i.attribute("replica_groups")
        && let Some(row) = replica_groups::rows(groups)?.first()
    {
        return Ok(row.len() as i64);
    }
    let count = |name: &str| match i.importer.hlo.attributes.get(name) {
        Some(AttributeValue::Integer(count)) => *count,
        _ => 1,
    };
    Ok(count("replica_count"))
}
