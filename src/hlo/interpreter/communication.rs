//! Communication between processes.
//!
//! `interpreter.run_parallel` starts a grid of replicas and partitions, each a thread with a
//! separate evaluator; a program that is run without it is the only process of a grid. The
//! processes share the runtime's [`Cluster`](halo_runtime::communication::Cluster).

mod collectives;
mod identity;
mod run_parallel;
mod transfers;

use super::{prelude::*, value::Value};
use halo_runtime::communication::Values;

pub use collectives::{
    Pending, all_gather, all_reduce, all_to_all, async_done, async_start, collective_broadcast,
    collective_permute, collective_reduce, cross_replica_sum, reduce_scatter,
};
pub use identity::{partition_id, replica_id};
pub use run_parallel::run_parallel;
pub use transfers::{infeed, outfeed, recv, send};

/// The tensors among values; tokens are not sent to other processes.
fn tensors(values: &[Value]) -> Result<Values, Failure> {
    let kept = values.iter().filter(|value| !matches!(value, Value::Token));
    kept.map(|value| match value {
        Value::Tensor(literal) => Ok(std::sync::Arc::clone(literal)),
        other => Err(format!("expects a tensor, but {} was given", other.kind()).into()),
    })
    .collect()
}

/// Received values, followed by a token.
fn with_token(values: Values) -> Vec<Value> {
    let tensors = values.into_iter().map(Value::Tensor);
    tensors.chain([Value::Token]).collect()
}
