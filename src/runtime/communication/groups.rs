//! Section "Grouping of processes" of the specification.

use super::Process;

/// The meaning of the process numbers in an attribute.
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

impl Grouping {
    pub(super) const ALL: [(Self, &str); 4] = [
        (Self::CrossReplica, "cross_replica"),
        (Self::CrossPartition, "cross_partition"),
        (
            Self::CrossReplicaAndPartition,
            "cross_replica_and_partition",
        ),
        (Self::FlattenedIds, "flattened_ids"),
    ];

    /// The number of possible values.
    fn count(self, process: &Process) -> usize {
        let (replicas, partitions) = (process.cluster.replicas, process.cluster.partitions);
        match self {
            Self::CrossReplica | Self::CrossReplicaAndPartition => replicas,
            Self::CrossPartition => partitions,
            Self::FlattenedIds => replicas * partitions,
        }
    }

    /// The group of a process, as process numbers in order; `None` if it is not in any group.
    /// Without rows, all processes are in one group.
    ///
    /// # Errors
    /// Returns an error message if a row names a process that does not exist.
    pub fn group_of(
        self,
        rows: &[Vec<usize>],
        process: &Process,
    ) -> Result<Option<Vec<usize>>, String> {
        let own = process.number();
        if rows.is_empty() {
            let all: Vec<usize> = (0..self.count(process)).collect();
            return self.members(&all, process).map(Some);
        }
        for row in rows {
            let group = self.members(row, process)?;
            if group.contains(&own) {
                return Ok(Some(group));
            }
        }
        Ok(None)
    }

    /// The processes that a row names for the calling process.
    ///
    /// # Errors
    /// Returns an error message if it names a process that does not exist.
    pub fn members(self, row: &[usize], process: &Process) -> Result<Vec<usize>, String> {
        let (replicas, partitions) = (process.cluster.replicas, process.cluster.partitions);
        let limit = self.count(process);
        if let Some(outside) = row.iter().find(|number| **number >= limit) {
            return Err(format!(
                "names process {outside}, but there are {replicas} replicas of {partitions} \
                 partitions"
            ));
        }
        Ok(match self {
            Self::CrossReplica => {
                row.iter().map(|replica| replica * partitions + process.partition).collect()
            }
            Self::CrossPartition => {
                row.iter().map(|partition| process.replica * partitions + partition).collect()
            }
            Self::CrossReplicaAndPartition => (0..partitions)
                .flat_map(|partition| {
                    row.iter().map(move |replica| replica * partitions + partition)
                })
                .collect(),
            Self::FlattenedIds => row.to_vec(),
        })
    }
}
