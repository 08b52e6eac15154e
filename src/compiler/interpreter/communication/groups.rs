//! Sections `replica_id`, `partition_id` and "Grouping of processes".

use super::super::{
    call::{Call, single},
    evaluator::{Evaluated, Failure},
};
use super::Process;
use halo_core::{Literal, Scalar};
use halo_dialects::attributes::ChannelHandle;

/// Section `replica_id`.
pub fn replica_id(call: &Call) -> Evaluated {
    number(call, call.evaluator.process.replica)
}

/// Section `partition_id`.
pub fn partition_id(call: &Call) -> Evaluated {
    number(call, call.evaluator.process.partition)
}

fn number(call: &Call, number: usize) -> Evaluated {
    let mut result = Literal::zeros(call.result_shape(0)?);
    result.set(0, Scalar::Int(number as i128));
    single(result)
}

/// How the numbers in an attribute name processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Replicas, within each partition.
    CrossReplica,
    /// Partitions, within each replica.
    CrossPartition,
    /// Replicas, with all their partitions.
    CrossReplicaAndPartition,
    /// Processes, counted replica by replica.
    FlattenedIds,
}

/// The number of an op's channel; 0 where it has none.
pub fn channel(call: &Call) -> i64 {
    call.op
        .attribute("channel_handle")
        .and_then(ChannelHandle::from_attribute)
        .map_or(0, |channel| channel.handle)
}

/// The grouping of collectives that reduce or gather.
pub fn grouping(call: &Call) -> Result<Grouping, Failure> {
    match (channel(call) > 0, call.op.flag("use_global_device_ids")) {
        (false, false) => Ok(Grouping::CrossReplica),
        (true, false) => Ok(Grouping::CrossReplicaAndPartition),
        (true, true) => Ok(Grouping::FlattenedIds),
        (false, true) => Err("has global device ids, but no channel".into()),
    }
}

/// The grouping of collectives that only send.
pub fn simple_grouping(call: &Call) -> Grouping {
    match channel(call) > 0 {
        true => Grouping::CrossPartition,
        false => Grouping::CrossReplica,
    }
}

/// The group that a process is in, as process numbers in order; `None` where it
/// is in no group. Without any groups, all are in one.
pub fn group_of(
    call: &Call,
    name: &str,
    grouping: Grouping,
) -> Result<Option<Vec<usize>>, Failure> {
    let process = &call.evaluator.process;
    let rows = rows(call, name, grouping, process)?;
    let own = process.number();
    for row in rows {
        let group = members(&row, grouping, process)?;
        if group.contains(&own) {
            return Ok(Some(group));
        }
    }
    Ok(None)
}

/// The rows of a matrix of process numbers, without the padding of -1.
pub fn rows(
    call: &Call,
    name: &str,
    grouping: Grouping,
    process: &Process,
) -> Result<Vec<Vec<usize>>, Failure> {
    let (shape, values) = call
        .op
        .integer_elements(name)
        .ok_or_else(|| format!("has no matrix of processes in attribute '{name}'"))?;
    let cluster = &process.cluster;
    if values.is_empty() {
        let count = match grouping {
            Grouping::CrossReplica | Grouping::CrossReplicaAndPartition => cluster.replicas,
            Grouping::CrossPartition => cluster.partitions,
            Grouping::FlattenedIds => cluster.replicas * cluster.partitions,
        };
        return Ok(vec![(0..count).collect()]);
    }
    let width = shape.last().copied().unwrap_or(1).max(1) as usize;
    Ok(values
        .chunks(width)
        .map(|row| {
            let present = row.iter().filter_map(|value| usize::try_from(*value).ok());
            present.collect()
        })
        .collect())
}

/// The processes that a row names for the one that asks.
pub fn members(
    row: &[usize],
    grouping: Grouping,
    process: &Process,
) -> Result<Vec<usize>, Failure> {
    let (replicas, partitions) = (process.cluster.replicas, process.cluster.partitions);
    let limit = match grouping {
        Grouping::CrossReplica | Grouping::CrossReplicaAndPartition => replicas,
        Grouping::CrossPartition => partitions,
        Grouping::FlattenedIds => replicas * partitions,
    };
    if let Some(outside) = row.iter().find(|number| **number >= limit) {
        return Err(format!(
            "names process {outside}, but there are {replicas} replicas of {partitions} partitions"
        )
        .into());
    }
    Ok(match grouping {
        Grouping::CrossReplica => row
            .iter()
            .map(|replica| replica * partitions + process.partition)
            .collect(),
        Grouping::CrossPartition => row
            .iter()
            .map(|partition| process.replica * partitions + partition)
            .collect(),
        Grouping::CrossReplicaAndPartition => (0..partitions)
            .flat_map(|partition| {
                row.iter()
                    .map(move |replica| replica * partitions + partition)
            })
            .collect(),
        Grouping::FlattenedIds => row.to_vec(),
    })
}
