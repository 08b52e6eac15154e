//! Communication between processes.
//!
//! `interpreter.run_parallel` starts a grid of replicas and partitions, each a thread with a
//! separate evaluator; a program that is run without it is the only process of a grid. The
//! processes share the runtime's [`Cluster`](halo_runtime::communication::Cluster).

mod collectives;
mod identity;
mod run_parallel;
mod transfers;
mod values;

pub use collectives::{
    all_gather, all_reduce, all_to_all, async_done, async_start, collective_broadcast,
    collective_permute, collective_reduce, cross_replica_sum, reduce_scatter,
};
pub use identity::{partition_id, replica_id};
pub use run_parallel::run_parallel;
pub use transfers::{infeed, outfeed, recv, send};
