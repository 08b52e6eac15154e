//! Several processes, and what they say to each other.
//!
//! `interpreter.run_parallel` starts a grid of replicas and partitions, each a
//! thread with an evaluator of its own; a program that is run without it is the
//! only process of a grid. What the processes share is a [`Cluster`].

mod cluster;
mod collectives;
mod groups;
mod run_parallel;
mod transfers;

pub use cluster::{Cluster, Process};
pub use collectives::{
    Pending, all_gather, all_reduce, all_to_all, async_done, async_start, collective_broadcast,
    collective_permute, collective_reduce, cross_replica_sum, reduce_scatter,
};
pub use groups::{partition_id, replica_id};
pub use run_parallel::run_parallel;
pub use transfers::{infeed, outfeed, recv, send};
