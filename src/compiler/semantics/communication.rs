//! Ops between devices and with the host.
//!
//! How many processes there are is not in the program, so that groups are
//! checked against themselves: they name each of the processes that they are
//! for once.

use super::{
    body::{Body, expect_reducer},
    op::{Op, expect_dimensions, expect_unique},
    tensor::{Dim, Subject, Verdict, expect_same_type, types_agree},
};
use halo_dialects::{
    attributes::ChannelHandle,
    ir::{
        Attribute, Type, attribute_list, integer_attribute_value, integer_width, is_signless,
        is_tensor,
    },
    types::{future_types, is_token},
};
use melior::ir::attribute::ArrayAttribute;

/// Kinds of channels, as `ChannelHandle` numbers them.
const DEVICE_TO_DEVICE: i64 = 1;
const DEVICE_TO_HOST: i64 = 2;
const HOST_TO_DEVICE: i64 = 3;

/// Whether groups may be filled up with -1 to the size of the largest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Groups {
    OfOneSize,
    Padded,
}

/// (C1) to (C5) of the collectives: groups are rows of a matrix, name no
/// process twice and leave none out. Gives the size of a group, where the
/// attribute lists processes.
fn replica_groups(op: Op, kind: Groups) -> Result<Option<i64>, String> {
    let name = "replica_groups";
    let Some((shape, ids)) = op.integer_elements(name) else {
        return Ok(None);
    };
    let [_, size] = shape[..] else {
        return Err(format!(
            "attribute '{name}' has rank {}, but must be a matrix with a row for each group",
            shape.len()
        ));
    };
    if ids.is_empty() && op.flag("use_global_device_ids") {
        return Err(format!(
            "attribute '{name}' is empty, but 'use_global_device_ids' needs groups"
        ));
    }
    let count = ids.iter().filter(|id| **id != -1).count();
    let mut seen = vec![false; count];
    for id in ids {
        if id == -1 && kind == Groups::Padded {
            continue;
        }
        let entry = usize::try_from(id).ok().and_then(|id| seen.get_mut(id));
        match entry {
            Some(entry) if *entry => {
                return Err(format!("attribute '{name}' has {id} twice"));
            }
            Some(entry) => *entry = true,
            None => {
                return Err(format!(
                    "attribute '{name}' has {id}, but {count} processes are numbered from 0"
                ));
            }
        }
    }
    Ok(Some(size))
}

/// Global ids need a channel with a positive number.
fn channel(op: Op, minimum: i64) -> Verdict {
    let id = op
        .attribute("channel_handle")
        .and_then(ChannelHandle::from_attribute)
        .map_or(0, |channel| channel.handle);
    if op.flag("use_global_device_ids") && id < minimum {
        return Err(format!(
            "attribute 'channel_handle' has number {id}, but with 'use_global_device_ids' it must \
             be at least {minimum}"
        ));
    }
    Ok(())
}

/// The operands of a collective that each have a result of their own.
fn expect_results(op: Op, count: usize) -> Verdict {
    op.expect_result_count(count, "the number of operands is")
}

/// Section `all_gather`: (C1) to (C6). How many processes of a group are on
/// other partitions is not known, so that the gathered dimension is a multiple.
pub fn all_gather(op: Op) -> Verdict {
    let dimension = op.integer("all_gather_dim")?;
    replica_groups(op, Groups::OfOneSize)?;
    channel(op, 0)?;
    expect_results(op, op.operand_count())?;
    for number in 0..op.operand_count() {
        let (operand, result) = (op.operand(number)?, op.result(number)?);
        result.expect_element_of(&operand)?;
        let subject = operand.subject.to_string();
        expect_dimensions("all_gather_dim", &[dimension], operand.rank(), &subject)?;
        let mut shape = operand.dims.clone();
        shape[dimension as usize] = Dim::Dynamic;
        result.expect_inferred_shape(&shape)?;
        let from = operand.dims[dimension as usize];
        if from == Dim::Static(0) {
            return Err(format!(
                "dimension {dimension} of {subject} has size 0 and cannot be gathered"
            ));
        }
        if let (Some(from), Some(to)) = (from.size(), result.dims[dimension as usize].size())
            && to % from != 0
        {
            return Err(format!(
                "dimension {dimension} of {} has size {to}, but that of {subject} has size \
                 {from}, which does not divide it",
                result.subject
            ));
        }
    }
    Ok(())
}

/// The reduction that collectives apply to each operand by itself, and the
/// element type that it gives: `computation` of sections `all_reduce`, (C5), and
/// `reduce_scatter`, (C7).
fn expect_reduced(op: Op, number: usize, check_shape: bool) -> Verdict {
    let (operand, result) = (op.operand(number)?, op.result(number)?);
    let inputs = std::slice::from_ref(&operand);
    for element in expect_reducer(Body::new(op, 0)?, inputs, &[], &[])? {
        result.expect_element(element, "region 0 gives")?;
    }
    if check_shape {
        result.expect_shape_of(&operand)?;
    }
    Ok(())
}

/// Section `all_reduce`: (C1) to (C7).
pub fn all_reduce(op: Op) -> Verdict {
    replica_groups(op, Groups::Padded)?;
    channel(op, 1)?;
    expect_results(op, op.operand_count())?;
    (0..op.operand_count()).try_for_each(|number| expect_reduced(op, number, true))
}

/// Section `reduce_scatter`: (C1) to (C9).
pub fn reduce_scatter(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    replica_groups(op, Groups::OfOneSize)?;
    channel(op, 1)?;
    let name = "scatter_dimension";
    let dimension = op.integer(name)?;
    expect_dimensions(name, &[dimension], operand.rank(), "operand 0")?;
    expect_reduced(op, 0, false)?;
    let mut shape = operand.dims.clone();
    shape[dimension as usize] = Dim::Dynamic;
    result.expect_inferred_shape(&shape)?;
    let sizes = [&operand, &result].map(|tensor| tensor.dims[dimension as usize]);
    for (tensor, size) in [&operand, &result].into_iter().zip(sizes) {
        if size == Dim::Static(0) {
            return Err(format!(
                "dimension {dimension} of {} has size 0 and cannot be scattered",
                tensor.subject
            ));
        }
    }
    if let [Some(from), Some(to)] = sizes.map(Dim::size)
        && from % to != 0
    {
        return Err(format!(
            "dimension {dimension} of result 0 has size {to}, which does not divide size {from} \
             of operand 0"
        ));
    }
    Ok(())
}

/// Section `all_to_all`: (C1) to (C9).
pub fn all_to_all(op: Op) -> Verdict {
    let split = op.integer("split_dimension")?;
    let concat = op.integer("concat_dimension")?;
    let count = op.integer("split_count")?.max(1);
    if let Some(size) = replica_groups(op, Groups::OfOneSize)?
        && size != count
    {
        return Err(format!(
            "attribute 'replica_groups' has groups of size {size}, but attribute 'split_count' is \
             {count}"
        ));
    }
    expect_results(op, op.operand_count())?;
    for number in 0..op.operand_count() {
        let (operand, result) = (op.operand(number)?, op.result(number)?);
        let subject = operand.subject.to_string();
        expect_dimensions("split_dimension", &[split], operand.rank(), &subject)?;
        expect_dimensions("concat_dimension", &[concat], operand.rank(), &subject)?;
        result.expect_element_of(&operand)?;
        let mut shape = operand.dims.clone();
        if let Some(size) = shape[split as usize].size()
            && size % count != 0
        {
            return Err(format!(
                "dimension {split} of {subject} has size {size}, but attribute 'split_count' is \
                 {count}, which does not divide it"
            ));
        }
        shape[split as usize] = shape[split as usize].map(|size| size / count);
        shape[concat as usize] = shape[concat as usize].map(|size| size * count);
        result.expect_inferred_shape(&shape)?;
    }
    Ok(())
}

/// How many operands of a broadcast or a reduction are data: all, or all but
/// the last, which names the root of each where `has_dynamic_root` says so.
fn data_count(op: Op) -> Result<usize, String> {
    let count = op.operand_count();
    if !op.flag("has_dynamic_root") {
        return if count == 0 {
            Err("has no operands".to_string())
        } else {
            Ok(count)
        };
    }
    if count < 2 {
        return Err(format!(
            "has {count} operands, but with 'has_dynamic_root' needs data and roots"
        ));
    }
    let roots = op.operand(count - 1)?;
    let is_index = integer_width(roots.element) == Some(32) && is_signless(roots.element);
    if roots.rank() != 1 || !is_index {
        return Err(format!(
            "{} has type {}, but the roots must be a vector of i32",
            roots.subject, roots.r#type
        ));
    }
    if !roots.dims[0].agrees_with(Dim::Static(count as i64 - 1)) {
        return Err(format!(
            "{} has {} entries, but there are {} operands of data",
            roots.subject,
            roots.dims[0],
            count - 1
        ));
    }
    Ok(count - 1)
}

/// Section `collective_broadcast`: (C1) to (C3).
pub fn collective_broadcast(op: Op) -> Verdict {
    let count = data_count(op)?;
    if let Some((_, ids)) = op.integer_elements("replica_groups") {
        expect_unique("replica_groups", &ids)?;
    }
    expect_results(op, count)?;
    op.results()
        .zip(op.operands())
        .try_for_each(|(result, operand)| expect_same_type(result, operand))
}

/// The op `collective_reduce`, which reduces to one process of each group.
pub fn collective_reduce(op: Op) -> Verdict {
    let count = data_count(op)?;
    channel(op, 1)?;
    expect_results(op, count)?;
    (0..count).try_for_each(|number| expect_reduced(op, number, true))
}

/// Section `collective_permute`: (C1) to (C5).
pub fn collective_permute(op: Op) -> Verdict {
    source_target_pairs(op)?;
    expect_same_type(
        (op.result(0)?.subject, op.result_type(0)?),
        (op.operand(0)?.subject, op.operand_type(0)?),
    )
}

/// (C1) to (C4) of `collective_permute`; `send` and `recv` take pairs too.
fn source_target_pairs(op: Op) -> Verdict {
    let name = "source_target_pairs";
    let Some((shape, ids)) = op.integer_elements(name) else {
        return Ok(());
    };
    if shape.len() != 2 || shape[1] != 2 {
        return Err(format!(
            "attribute '{name}' has shape {shape:?}, but must have a source and a target in each \
             row"
        ));
    }
    if let Some(id) = ids.iter().find(|id| **id < 0) {
        return Err(format!(
            "attribute '{name}' has {id}, but processes are numbered from 0"
        ));
    }
    for (column, part) in ["source", "target"].into_iter().enumerate() {
        let ids: Vec<i64> = ids.iter().skip(column).step_by(2).copied().collect();
        expect_unique(name, &ids).map_err(|reason| format!("{reason} as {part}"))?;
    }
    Ok(())
}

/// (C1) of `send` and `recv`: the channel is of the kind that the flag says.
fn channel_type(op: Op, host: i64) -> Verdict {
    let Some(channel) = op
        .attribute("channel_handle")
        .and_then(ChannelHandle::from_attribute)
    else {
        return Ok(());
    };
    let to_host = op.flag("is_host_transfer");
    let expected = if to_host { host } else { DEVICE_TO_DEVICE };
    if channel.channel_type == expected {
        return Ok(());
    }
    Err(format!(
        "attribute 'channel_handle' has type {}, but 'is_host_transfer' is {to_host}, which needs \
         type {expected}",
        channel.channel_type
    ))
}

/// Section `send`: (C1).
pub fn send(op: Op) -> Verdict {
    source_target_pairs(op)?;
    channel_type(op, DEVICE_TO_HOST)
}

/// Section `recv`: (C1) to (C3).
pub fn recv(op: Op) -> Verdict {
    source_target_pairs(op)?;
    channel_type(op, HOST_TO_DEVICE)?;
    payload_and_token(op)
}

/// Section `infeed`: (C1), (C2).
pub fn infeed(op: Op) -> Verdict {
    payload_and_token(op)?;
    let Some(layout) = op
        .attribute("layout")
        .and_then(|attribute| ArrayAttribute::try_from(attribute).ok())
    else {
        return Ok(());
    };
    let layouts = attribute_list(layout.into());
    if layouts.len() != op.result_count() - 1 {
        return Err(format!(
            "attribute 'layout' has {} entries, but the payload has {} tensors",
            layouts.len(),
            op.result_count() - 1
        ));
    }
    let is_layout = |layout: &Attribute| {
        ArrayAttribute::try_from(*layout).is_ok()
            && attribute_list(*layout)
                .into_iter()
                .all(|entry| integer_attribute_value(entry).is_some())
    };
    match layouts.iter().find(|layout| !is_layout(layout)) {
        Some(layout) => Err(format!(
            "attribute 'layout' has {layout}, but must have lists of dimensions"
        )),
        None => Ok(()),
    }
}

/// (C1), (C2) of `infeed` and (C2), (C3) of `recv`: tensors, then a token.
fn payload_and_token(op: Op) -> Verdict {
    let results: Vec<_> = op.results().collect();
    let Some(((subject, last), payload)) = results.split_last() else {
        return Err("has no results, but must give a token".to_string());
    };
    if let Some((subject, r#type)) = payload.iter().find(|value| !is_tensor(value.1)) {
        return Err(format!("{subject} has type {type}, but must be a tensor"));
    }
    if is_token(*last) {
        return Ok(());
    }
    Err(format!("{subject} has type {last}, but must be a token"))
}

/// Section `async_start`: the body is a function of the operands, and the future
/// holds what it returns.
pub fn async_start(op: Op) -> Verdict {
    let body = Body::new(op, 0)?;
    body.expect_argument_count(op.operand_count())?;
    body.expect_arguments(op.operands())?;
    expect_future(op.result_type(0)?, body.returned())
}

/// Section `async_done`: the results are what the future holds.
pub fn async_done(op: Op) -> Verdict {
    expect_future(op.operand_type(0)?, op.results().collect())
}

fn expect_future<'c>(r#type: Type<'c>, values: Vec<(Subject, Type<'c>)>) -> Verdict {
    let Some(held) = future_types(r#type) else {
        return Err(format!("has type {type}, which is no future"));
    };
    if held.len() != values.len() {
        return Err(format!(
            "has {} values, but {type} holds {}",
            values.len(),
            held.len()
        ));
    }
    for ((subject, value), held) in values.into_iter().zip(held) {
        if !types_agree(value, held) {
            return Err(format!(
                "{subject} has type {value}, but {type} holds {held}"
            ));
        }
    }
    Ok(())
}
