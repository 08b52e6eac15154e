//! The attributes of ops that describe the participating processes.

use crate::{literals::bytes_of_operands, semantics::op::Op};
use halo_cost::communication_cost::LARGE_REDUCTION_BYTES;
use halo_ir::{ops::halo, prelude::*, stablehlo::attributes::ChannelHandle};
use halo_runtime::communication::{Collective, Grouping};

/// Returns true if an op is a collective.
pub fn is_collective(name: &str) -> bool {
    matches!(
        name,
        stablehlo::AllGatherOp::NAME
            | stablehlo::AllReduceOp::NAME
            | stablehlo::AllToAllOp::NAME
            | stablehlo::CollectiveBroadcastOp::NAME
            | stablehlo::CollectivePermuteOp::NAME
            | stablehlo::CollectiveReduceOp::NAME
            | stablehlo::CrossReplicaSumOp::NAME
            | stablehlo::ReduceScatterOp::NAME
    )
}

/// The participants and the grouping of a collective.
///
/// # Errors
/// Returns a message if its attributes contradict each other.
pub fn collective(op: Op) -> Result<Collective, String> {
    let (channel, name) = (channel(op), op.name());
    let pairs = op.isa::<stablehlo::CollectivePermuteOp>();
    let grouping = match name {
        stablehlo::AllToAllOp::NAME
        | stablehlo::CollectiveBroadcastOp::NAME
        | stablehlo::CollectivePermuteOp::NAME => {
            if channel > 0 {
                Grouping::CrossPartition
            } else {
                Grouping::CrossReplica
            }
        }
        stablehlo::CrossReplicaSumOp::NAME => Grouping::CrossReplica,
        _ => match (channel > 0, op.flag("use_global_device_ids")) {
            (false, false) => Grouping::CrossReplica,
            (true, false) => Grouping::CrossReplicaAndPartition,
            (true, true) => Grouping::FlattenedIds,
            (false, true) => return Err("has global device ids, but no channel".into()),
        },
    };
    let rows = if pairs {
        rows(op, "source_target_pairs")?
    } else {
        rows(op, "replica_groups")?
    };
    Ok(Collective {
        operation: name.to_owned(),
        channel,
        grouping,
        rows,
        size: group_size(op),
        has_dynamic_root: op.flag("has_dynamic_root"),
    })
}

/// A grouping as an attribute of `halo`.
pub fn grouping_attribute(grouping: Grouping) -> halo::Grouping {
    match grouping {
        Grouping::CrossReplica => halo::Grouping::CrossReplica,
        Grouping::CrossPartition => halo::Grouping::CrossPartition,
        Grouping::CrossReplicaAndPartition => halo::Grouping::CrossReplicaAndPartition,
        Grouping::FlattenedIds => halo::Grouping::FlattenedIds,
    }
}

/// The groups, or pairs, as an attribute of `halo`.
pub fn group_attribute(collective: &Collective) -> Vec<Vec<i64>> {
    let rows = collective.rows.iter();
    rows.map(|row| row.iter().map(|process| *process as i64).collect()).collect()
}

/// The senders and receivers of `send` and `recv`: all processes that use the channel, if none are
/// named.
///
/// # Errors
/// Returns a message if they cannot be read.
pub fn transfer(op: Op) -> Result<Collective, String> {
    let named = !op.flag("is_host_transfer") && op.attribute("source_target_pairs").is_some();
    Ok(Collective {
        operation: op.name().to_owned(),
        channel: channel(op),
        grouping: Grouping::FlattenedIds,
        rows: if named {
            rows(op, "source_target_pairs")?
        } else {
            Vec::new()
        },
        size: None,
        has_dynamic_root: false,
    })
}

/// The channel of an op; 0 if it has none.
fn channel(op: Op) -> i64 {
    op.attribute("channel_handle")
        .and_then(ChannelHandle::from_attribute)
        .map_or(0, |channel| channel.handle)
}

/// The rows of a matrix of process numbers, without the padding of -1.
fn rows(op: Op, name: &str) -> Result<Vec<Vec<usize>>, String> {
    let (shape, values) = op
        .integer_elements(name)
        .ok_or_else(|| format!("has no matrix of processes in attribute '{name}'"))?;
    let width = shape.last().copied().unwrap_or(1).max(1) as usize;
    Ok(values
        .chunks(width)
        .map(|row| {
            let present = row.iter().filter_map(|value| usize::try_from(*value).ok());
            present.collect()
        })
        .collect())
}

/// The number of processes implied by static types.
fn group_size(op: Op) -> Option<usize> {
    let sizes = |scattered: bool, name: &str| {
        let dimension = usize::try_from(op.integer(name).ok()?).ok()?;
        let size = |ty: Type| ty.shape()?.get(dimension).copied()?;
        let operand = size(op.operand_type(0).ok()?)?;
        let result = size(op.result_type(0).ok()?)?;
        if scattered {
            operand.checked_div(result)
        } else {
            result.checked_div(operand)
        }
    };
    let size = match op.name() {
        stablehlo::AllGatherOp::NAME => sizes(false, "all_gather_dim"),
        stablehlo::ReduceScatterOp::NAME => sizes(true, "scatter_dimension"),
        stablehlo::AllToAllOp::NAME => op.integer("split_count").ok(),
        _ => None,
    }?;
    usize::try_from(size).ok()
}

/// The number of parts in which a large reduction is computed, one per group member; `None` for
/// other ops. With two members, it would not send less.
pub fn parts_of_reduction(op: Operation, collective: &Collective) -> Option<usize> {
    let divides = op.isa::<stablehlo::AllReduceOp>() || op.isa::<stablehlo::CrossReplicaSumOp>();
    let count = members(collective).filter(|count| divides && *count > 2)?;
    let bytes = bytes_of_operands(op)?;
    (bytes >= LARGE_REDUCTION_BYTES).then_some(count)
}

/// The size of the groups, if the op specifies it and it is the same for all.
fn members(collective: &Collective) -> Option<usize> {
    if collective.grouping == Grouping::CrossReplicaAndPartition {
        return None;
    }
    let count = collective.rows.first()?.len();
    collective.rows.iter().all(|row| row.len() == count).then_some(count)
}
