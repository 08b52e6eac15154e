//! Collectives.

use super::{
    Result, failure,
    instruction::Instruction,
    replica_groups,
    shape::{leading_slice, reshaped},
    values::Tree,
};
use halo_hlo_text::{Opcode, ReplicaGroups, Shape, Value as AttributeValue};
use halo_ir::stablehlo::attributes::ChannelHandle;
use halo_ir::{Attribute, OpSpec, Value, results_of};
use melior::ir::ValueLike;

/// The groups as a matrix. Those that are spelled by the axes of a mesh stay
/// beside the op too, as they are written.
fn with_groups<'m>(i: &Instruction<'_, 'm>, op: OpSpec<'m>) -> Result<OpSpec<'m>> {
    let all = ReplicaGroups::List(Vec::new());
    let groups = match i.attribute("replica_groups") {
        None => &all,
        Some(AttributeValue::ReplicaGroups(groups)) => groups,
        Some(_) => return Err(failure("attribute 'replica_groups' must be groups")),
    };
    let op = op.attribute("replica_groups", replica_groups::dense(i.importer, groups)?);
    Ok(match groups {
        ReplicaGroups::Mesh(text) => op.attribute("mhlo.replica_groups", i.importer.string(text)),
        _ => op,
    })
}

/// A channel where one is written; among devices there is one kind.
fn with_channel<'m>(i: &Instruction<'_, 'm>, op: OpSpec<'m>) -> Result<OpSpec<'m>> {
    Ok(match i.integer("channel_id")? {
        Some(handle) => op.attribute("channel_handle", channel(i, handle, 0)),
        None => op,
    })
}

/// `#stablehlo.channel_handle`
pub fn channel<'m>(i: &Instruction<'_, 'm>, handle: i64, channel_type: i64) -> Attribute<'m> {
    ChannelHandle {
        handle,
        channel_type,
    }
    .to_attribute(i.importer.context)
}

fn with_device_ids<'m>(i: &Instruction<'_, 'm>, op: OpSpec<'m>) -> Result<OpSpec<'m>> {
    Ok(if i.boolean("use_global_device_ids")? {
        op.attribute(
            "use_global_device_ids",
            halo_ir::unit_attribute(i.importer.context),
        )
    } else {
        op
    })
}

/// What the op of a collective says, its operands and results left out. The
/// opcode of an asynchronous one is that of what it starts.
pub fn spec<'m>(i: &Instruction<'_, 'm>, opcode: Opcode) -> Result<OpSpec<'m>> {
    let number = |value| i.importer.integer_attribute(64, value);
    let op = match opcode {
        Opcode::AllGather => i
            .op("stablehlo.all_gather")
            .attribute("all_gather_dim", number(i.dimension()?)),
        Opcode::AllReduce => i.op("stablehlo.all_reduce").region(i.region("to_apply")?),
        Opcode::CollectiveReduce => i
            .op("stablehlo.collective_reduce")
            .region(i.region("to_apply")?),
        Opcode::ReduceScatter => i
            .op("stablehlo.reduce_scatter")
            .attribute("scatter_dimension", number(i.dimension()?))
            .region(i.region("to_apply")?),
        Opcode::CollectiveBroadcast => i.op("stablehlo.collective_broadcast"),
        Opcode::CollectivePermute => {
            let Some(AttributeValue::IntegerLists(pairs)) = i.attribute("source_target_pairs")
            else {
                return Err(i.missing("source_target_pairs"));
            };
            let op = i
                .op("stablehlo.collective_permute")
                .attribute("source_target_pairs", i.importer.matrix(pairs, 2)?);
            return with_channel(i, op);
        }
        _ => return Err(failure(format!("{opcode} is no collective"))),
    };
    let op = with_groups(i, op)?;
    let op = match opcode {
        Opcode::CollectiveBroadcast => op,
        _ => with_device_ids(i, op)?,
    };
    let op = match opcode {
        Opcode::CollectiveBroadcast | Opcode::CollectiveReduce
            if i.boolean("has_dynamic_root")? =>
        {
            op.attribute(
                "has_dynamic_root",
                halo_ir::unit_attribute(i.importer.context),
            )
        }
        _ => op,
    };
    with_channel(i, op)
}

/// Whether the op takes one operand at a time.
fn is_single(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::ReduceScatter | Opcode::CollectivePermute)
}

/// A collective. Where the op takes one operand, several operands are several
/// ops.
pub fn collective<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let opcode = i.source.opcode;
    // Slices of buffers that are permuted in place are named by further operands.
    if opcode == Opcode::CollectivePermute && i.source.attributes.get("slice_sizes").is_some() {
        return super::attributes::as_custom_call(i);
    }
    let values = i.values()?;
    let types = i.result_types()?;
    if !is_single(opcode) {
        let op = spec(i, opcode)?.operands(&values).results(&types);
        return i.many(op);
    }
    if values.len() != types.len() {
        return super::attributes::as_custom_call(i);
    }
    let mut results = Vec::new();
    for (value, r#type) in values.into_iter().zip(types) {
        let op = spec(i, opcode)?.operands(&[value]).result(r#type);
        results.extend(results_of(i.finish(op)?));
    }
    i.importer.assemble(&i.source.shape, &results)
}

/// `all-to-all`. Of one array the parts along a dimension are exchanged. Of
/// several, each is a part: they are exchanged as one array with a dimension
/// more.
pub fn all_to_all<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let values = i.values()?;
    if i.source.attributes.get("dimensions").is_some() {
        let dimension = i.dimension()?;
        let count = group_size(i)?;
        let op = exchange(i, dimension, count)?;
        return i.many(op.operands(&values).results(&i.result_types()?));
    }
    let Shape::Tuple(_) = i.source.shape else {
        let op = exchange(i, 0, 1)?;
        return i.many(op.operands(&values).results(&i.result_types()?));
    };
    let count = values.len() as i64;
    let mut parts = Vec::new();
    for value in &values {
        let sizes = halo_ir::static_shape_of(value.r#type());
        let sizes = sizes.ok_or_else(|| failure("all-to-all has operands of known size"))?;
        parts.push(reshaped(i, *value, &[&[1], &sizes[..]].concat())?);
    }
    let Some(first) = parts.first() else {
        return Err(failure("all-to-all has operands"));
    };
    let mut sizes = halo_ir::static_shape_of(first.r#type()).unwrap_or_default();
    if let Some(leading) = sizes.first_mut() {
        *leading = count;
    }
    let r#type = halo_ir::tensor_type(&sizes, halo_ir::element_type(first.r#type()));
    let op = i.op("stablehlo.concatenate").operands(&parts);
    let op = op.attribute("dimension", i.importer.integer_attribute(64, 0));
    let joined = i.step(op.result(r#type))?;
    let exchanged = i.finish(exchange(i, 0, count)?.operands(&[joined]).result(r#type))?;
    let exchanged: Vec<Value> = results_of(exchanged);
    let Some(exchanged) = exchanged.first() else {
        return Err(failure("all-to-all has a result"));
    };
    let results = (0..count).map(|part| leading_slice(i, *exchanged, part));
    let results = results.collect::<Result<Vec<_>>>()?;
    i.importer.assemble(&i.source.shape, &results)
}

fn exchange<'m>(i: &Instruction<'_, 'm>, dimension: i64, count: i64) -> Result<OpSpec<'m>> {
    let number = |value| i.importer.integer_attribute(64, value);
    let op = i
        .op("stablehlo.all_to_all")
        .attribute("split_dimension", number(dimension))
        .attribute("concat_dimension", number(dimension))
        .attribute("split_count", number(count));
    with_channel(i, with_groups(i, op)?)
}

/// How many exchange: the size of a group, or where none is written that of the
/// only one.
fn group_size(i: &Instruction) -> Result<i64> {
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

/// `partition-id` and `replica-id`
pub fn process_id<'m>(i: &Instruction<'_, 'm>, name: &str) -> Result<Tree<'m>> {
    i.one(i.op(name).result(i.result_type()?))
}
