//! Ops between devices and with the host.
//!
//! The number of processes is not part of the program, so groups are only checked for consistency:
//! they name each process exactly once.

use super::{body::expect_reducer, inferred::tensor_of, prelude::*, tensor::types_agree};

/// Kinds of channels, as `ChannelHandle` numbers them.
const DEVICE_TO_DEVICE: i64 = 1;
const DEVICE_TO_HOST: i64 = 2;
const HOST_TO_DEVICE: i64 = 3;

/// Set if groups may be padded with -1 to the size of the largest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Groups {
    OfOneSize,
    Padded,
}

/// (C1) to (C5) of the collectives: groups are rows of a matrix, contain each process at most once
/// and leave no process out. Returns the size of a group if the attribute lists processes.
fn replica_groups<O: Op>(op: O, kind: Groups) -> Result<Option<i64>, String> {
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

/// Global ids need a channel with a positive number: sections `all_gather`,
/// (C5); `all_reduce`, (C4); `reduce_scatter`, (C6).
fn channel<O: Op>(op: O) -> VerifyResult {
    let id = op.channel_handle().map_or(0, |channel| channel.handle);
    if op.flag("use_global_device_ids") && id < 1 {
        return Err(format!(
            "attribute 'channel_handle' has number {id}, but with 'use_global_device_ids' it must \
             be at least 1"
        ));
    }
    Ok(())
}

/// Sections `partition_id` and `replica_id`: an unsigned 32-bit number.
pub fn process_id<O: Op>(op: O) -> Inference<O::Type> {
    one(Inferred::Type(op.integer_type(32, true).tensor_of(&[])))
}

/// Section `all_gather`: (C1) to (C6). The number of a group's processes on other partitions is
/// unknown, so the gathered dimension is dynamic.
pub fn infer_all_gather<O: Op>(op: O) -> Inference<O::Type> {
    let dimension = op.integer("all_gather_dim")?;
    replica_groups(op, Groups::OfOneSize)?;
    channel(op)?;
    op.tensors()?
        .into_iter()
        .map(|operand| {
            let subject = operand.subject.to_string();
            expect_dimensions("all_gather_dim", &[dimension], operand.rank(), &subject)?;
            let dim = dimension as usize;
            if operand.dims[dim] == Dim::Static(0) {
                return Err(format!(
                    "dimension {dimension} of {subject} has size 0 and cannot be gathered"
                ));
            }
            let mut shape = operand.dims.clone();
            shape[dim] = Dim::Dynamic;
            Ok(Inferred::tensor(shape, operand.element))
        })
        .collect()
}

/// The number of processes in a group, if the groups list either replicas or all processes: section
/// "Ops", strategies of grouping.
fn group_size<O: Op>(op: O) -> Option<i64> {
    let (shape, _) = op.integer_elements("replica_groups")?;
    let has_channel = op.channel_handle().is_some_and(|channel| channel.handle > 0);
    match shape[..] {
        [groups, size] if has_channel == op.flag("use_global_device_ids") => {
            (groups > 0 && size > 0).then_some(size)
        }
        _ => None,
    }
}

/// The result types of `all_gather`, if the group size is known.
pub fn refine_all_gather<O: Op>(op: O) -> Option<Vec<O::Type>> {
    let size = group_size(op)?;
    let dimension = usize::try_from(op.integer("all_gather_dim").ok()?).ok()?;
    op.tensors()
        .ok()?
        .into_iter()
        .map(|operand| {
            let mut dims = operand.dims.clone();
            let gathered = dims.get_mut(dimension)?;
            *gathered = gathered.map(|extent| extent.saturating_mul(size));
            Some(tensor_of(&dims, operand.element))
        })
        .collect()
}

/// The result type of `reduce_scatter`, if the group size is known and divides the dimension.
pub fn refine_reduce_scatter<O: Op>(op: O) -> Option<Vec<O::Type>> {
    let size = group_size(op)?;
    let dimension = usize::try_from(op.integer("scatter_dimension").ok()?).ok()?;
    let (operand, result) = (op.operand(0).ok()?, op.result(0).ok()?);
    let mut dims = operand.dims.clone();
    let scattered = dims.get_mut(dimension)?;
    if scattered.size().is_some_and(|extent| extent % size != 0) {
        return None;
    }
    *scattered = scattered.map(|extent| extent / size);
    Some(vec![tensor_of(&dims, result.element)])
}

/// Section `all_gather`: (C6), the gathered dimension is a multiple.
pub fn all_gather<O: Op>(op: O) -> VerifyResult {
    let dimension = op.integer("all_gather_dim")?;
    for number in 0..op.operand_count() {
        let (operand, result) = (op.operand(number)?, op.result(number)?);
        let sizes = [&operand, &result].map(|tensor| tensor.dim(dimension).and_then(Dim::size));
        if let [Some(from), Some(to)] = sizes
            && (to % from != 0 || to < from)
        {
            return Err(format!(
                "dimension {dimension} of {} has size {to}, but that of {} has size {from}, \
                 of which it must be a multiple",
                result.subject, operand.subject
            ));
        }
    }
    Ok(())
}

/// The reduction that collectives apply to each operand separately, and its result: `computation`
/// of sections `all_reduce`, (C5), and `reduce_scatter`, (C7).
fn reduced<O: Op>(op: O, number: usize) -> Result<Inferred<O::Type>, String> {
    let operand = op.operand(number)?;
    let inputs = std::slice::from_ref(&operand);
    let elements = expect_reducer(&op.function(0)?, inputs, &[], &[])?;
    let element = elements.first().copied().unwrap_or(operand.element);
    Ok(Inferred::tensor(operand.dims, element))
}

/// Section `all_reduce`: (C1) to (C7).
pub fn all_reduce<O: Op>(op: O) -> Inference<O::Type> {
    replica_groups(op, Groups::Padded)?;
    channel(op)?;
    (0..op.operand_count()).map(|number| reduced(op, number)).collect()
}

/// Section `reduce_scatter`: (C1) to (C9), except for the scattered size.
pub fn infer_reduce_scatter<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
    replica_groups(op, Groups::OfOneSize)?;
    channel(op)?;
    let name = "scatter_dimension";
    let dimension = op.integer(name)?;
    expect_dimensions(name, &[dimension], operand.rank(), "operand 0")?;
    let mut inferred = reduced(op, 0)?;
    if let Inferred::Tensor {
        dims: Some(dims), ..
    } = &mut inferred
    {
        dims[dimension as usize] = Dim::Dynamic;
    }
    one(inferred)
}

/// Section `reduce_scatter`: (C8), the size is divided.
pub fn reduce_scatter<O: Op>(op: O) -> VerifyResult {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let dimension = op.integer("scatter_dimension")?;
    let sizes = [&operand, &result].map(|tensor| tensor.dim(dimension));
    for (tensor, size) in [&operand, &result].into_iter().zip(sizes) {
        if size == Some(Dim::Static(0)) {
            return Err(format!(
                "dimension {dimension} of {} has size 0 and cannot be scattered",
                tensor.subject
            ));
        }
    }
    if let [Some(from), Some(to)] = sizes.map(|size| size.and_then(Dim::size))
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
pub fn all_to_all<O: Op>(op: O) -> Inference<O::Type> {
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
    op.tensors()?
        .into_iter()
        .map(|operand| {
            let subject = operand.subject.to_string();
            expect_dimensions("split_dimension", &[split], operand.rank(), &subject)?;
            expect_dimensions("concat_dimension", &[concat], operand.rank(), &subject)?;
            let (split, concat) = (split as usize, concat as usize);
            let mut shape = operand.dims.clone();
            if let Some(size) = shape[split].size()
                && size % count != 0
            {
                return Err(format!(
                    "dimension {split} of {subject} has size {size}, but attribute 'split_count' \
                     is {count}, which does not divide it"
                ));
            }
            shape[split] = shape[split].map(|size| size / count);
            shape[concat] = shape[concat].map(|size| size.saturating_mul(count));
            Ok(Inferred::tensor(shape, operand.element))
        })
        .collect()
}

/// The number of data operands of a broadcast or a reduction: all, or all except the last, which
/// names the roots if `has_dynamic_root` is set.
fn data_count<O: Op>(op: O) -> Result<usize, String> {
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
    let is_index = roots.element.integer_width() == Some(32) && roots.element.is_signless();
    if roots.rank() != 1 || !is_index {
        return Err(format!(
            "{} has type {}, but the roots must be a vector of i32",
            roots.subject, roots.ty
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

/// (C1), (C2) of `collective_broadcast`: groups name no process twice, but may omit some. The
/// number of processes is unknown; -1 pads a group to the size of the largest.
fn partial_groups<O: Op>(op: O) -> VerifyResult {
    let name = "replica_groups";
    let Some((shape, ids)) = op.integer_elements(name) else {
        return Ok(());
    };
    if shape.len() != 2 {
        return Err(format!(
            "attribute '{name}' has rank {}, but must be a matrix with a row for each group",
            shape.len()
        ));
    }
    if let Some(id) = ids.iter().find(|id| **id < -1) {
        return Err(format!(
            "attribute '{name}' has {id}, but processes are numbered from 0"
        ));
    }
    let named: Vec<i64> = ids.into_iter().filter(|id| *id != -1).collect();
    expect_unique(name, &named)
}

/// Section `collective_broadcast`: (C1) to (C3).
pub fn collective_broadcast<O: Op>(op: O) -> Inference<O::Type> {
    let count = data_count(op)?;
    partial_groups(op)?;
    (0..count).map(|number| Ok(Inferred::like(&op.operand(number)?))).collect()
}

/// The op `collective_reduce`, which reduces to one process of each group.
pub fn collective_reduce<O: Op>(op: O) -> Inference<O::Type> {
    let count = data_count(op)?;
    partial_groups(op)?;
    channel(op)?;
    (0..count).map(|number| reduced(op, number)).collect()
}

/// Section `collective_permute`: (C1) to (C5).
pub fn collective_permute<O: Op>(op: O) -> Inference<O::Type> {
    source_target_pairs(op)?;
    one(Inferred::like(&op.operand(0)?))
}

/// The op `cross-replica-sum`, which has no section in the specification.
pub fn cross_replica_sum<O: Op>(op: O) -> Inference<O::Type> {
    partial_groups(op)?;
    one(Inferred::like(&op.operand(0)?))
}

/// (C1) to (C4) of `collective_permute`; `send` and `recv` take pairs too.
fn source_target_pairs<O: Op>(op: O) -> VerifyResult {
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

/// (C1) of `send` and `recv`: the channel has the kind of the flag.
fn channel_type<O: Op>(op: O, host: i64) -> VerifyResult {
    let Some(channel) = op.channel_handle() else {
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
pub fn send<O: Op>(op: O) -> Inference<O::Type> {
    source_target_pairs(op)?;
    channel_type(op, DEVICE_TO_HOST)?;
    super::control_flow::token(op)
}

/// Section `recv`: (C1) to (C3).
pub fn recv<O: Op>(op: O) -> VerifyResult {
    source_target_pairs(op)?;
    channel_type(op, HOST_TO_DEVICE)?;
    payload_and_token(op)
}

/// Section `infeed`: (C1), (C2). A layout that is not a permutation of the tensor's dimensions is
/// ignored.
pub fn infeed<O: Op>(op: O) -> VerifyResult {
    payload_and_token(op)?;
    match op.layouts()? {
        Some(layouts) if layouts.len() != op.result_count() - 1 => Err(format!(
            "attribute 'layout' has {} entries, but the payload has {} tensors",
            layouts.len(),
            op.result_count() - 1
        )),
        _ => Ok(()),
    }
}

/// (C1), (C2) of `infeed` and (C2), (C3) of `recv`: tensors, then a token.
fn payload_and_token<O: Op>(op: O) -> VerifyResult {
    let results = op.results();
    let Some(((subject, last), payload)) = results.split_last() else {
        return Err("has no results, but must give a token".to_string());
    };
    if let Some((subject, ty)) = payload.iter().find(|value| !value.1.is_tensor()) {
        return Err(format!("{subject} has type {ty}, but must be a tensor"));
    }
    if last.is_token() {
        return Ok(());
    }
    Err(format!("{subject} has type {last}, but must be a token"))
}

/// Section `async_start`: the body is a function of the operands, and the future holds its results.
pub fn infer_async_start<O: Op>(op: O) -> Inference<O::Type> {
    let body = op.function(0)?;
    body.expect_argument_count(op.operand_count())?;
    body.expect_arguments(op.operands().into_iter())?;
    let types: Vec<O::Type> = body.returned().into_iter().map(|value| value.1).collect();
    match op.future_type(&types) {
        Some(future) => one(Inferred::Default(future)),
        None => Err("region 0 must return tensors".to_string()),
    }
}

/// The ops that may run asynchronously.
const COLLECTIVES: &[&str] = &[
    "stablehlo.all_gather",
    "stablehlo.all_reduce",
    "stablehlo.all_to_all",
    "stablehlo.collective_broadcast",
    "stablehlo.collective_permute",
    "stablehlo.collective_reduce",
    "stablehlo.reduce_scatter",
];

/// Section `async_start`: the future holds the results of the body, which is
/// one collective.
pub fn async_start<O: Op>(op: O) -> VerifyResult {
    let body = op.function(0)?;
    expect_future(op.result_type(0)?, body.returned())?;
    let names = op.body_op_names(0);
    match &names[..] {
        [name, _] if COLLECTIVES.contains(&&**name) => Ok(()),
        [name, _] => Err(format!(
            "has a body of '{name}', which is not a collective that can run beside other ops"
        )),
        _ => Err(format!(
            "has a body of {} ops, but it must be one collective",
            names.len().saturating_sub(1)
        )),
    }
}

/// Section `async_done`: the results are the values of the future.
pub fn infer_async_done<O: Op>(op: O) -> Inference<O::Type> {
    let ty = op.operand_type(0)?;
    match ty.future_types() {
        Some(types) => Ok(types.into_iter().map(Inferred::Default).collect()),
        None => Err(format!("has type {ty}, which is not a future")),
    }
}

/// Section `async_done`: the results are the values of the future.
pub fn async_done<O: Op>(op: O) -> VerifyResult {
    expect_future(op.operand_type(0)?, op.results())
}

fn expect_future<T: Ty>(ty: T, values: Vec<(Subject, T)>) -> VerifyResult {
    let Some(held) = ty.future_types() else {
        return Err(format!("has type {ty}, which is not a future"));
    };
    if held.len() != values.len() {
        return Err(format!(
            "has {} values, but {ty} holds {}",
            values.len(),
            held.len()
        ));
    }
    for ((subject, value), held) in values.into_iter().zip(held) {
        if !types_agree(value, held) {
            return Err(format!("{subject} has type {value}, but {ty} holds {held}"));
        }
    }
    Ok(())
}
