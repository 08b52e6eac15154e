//! Custom calls that one partition executes for all.

use super::tiles::Tiler;
use crate::sharding::{Meshes, SHARDING, Sharding};
use halo_ir::prelude::*;

/// Executes a call with a maximal sharding on one partition:
///
/// ```mlir
/// %r = stablehlo.custom_call @f(%x) {sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[1]>, []>]>}
/// ```
///
/// becomes
///
/// ```mlir
/// %is_own = stablehlo.compare EQ, %partition_id, %one
/// %own = "stablehlo.if"(%is_own) ({ %f = stablehlo.custom_call @f(%x) ... }, { %zeros ... })
/// %r = "stablehlo.collective_broadcast"(%own) {replica_groups = dense<[[1, 0]]>, ...}
/// ```
///
/// # Errors
/// Returns a message if the sharding is invalid.
pub fn restrict<'c>(meshes: &Meshes, tiler: &Tiler, call: Operation<'c>) -> Result<(), String> {
    let Some(sharding) = call.attribute(SHARDING) else {
        return Ok(());
    };
    let shardings = Sharding::per_value(sharding)?;
    let Some(first) = shardings.first() else {
        return Ok(());
    };
    let Some(partition) = meshes.only_partition(first)? else {
        return Ok(());
    };
    call.remove_attribute(SHARDING);
    let results = with_builder(call, |b| make(b, tiler, call, partition));
    results.map_err(|error| error.to_string())
}

fn make<'c>(
    b: &Builder<'c>,
    tiler: &Tiler,
    call: Operation<'c>,
    partition: usize,
) -> RewriteResult {
    let own = stablehlo::partition_id(b);
    let number = stablehlo::integers(b, own.ty(), &[partition as i64])?;
    let is_own = stablehlo::CompareOp::build(b, own, number, ComparisonDirection::Eq).value();
    let types = call.result_types();
    let made = stablehlo::region(b, &[], |b, _| {
        let copy = b.copy(call);
        copy.results()
    });
    let others = stablehlo::region(b, &[], |b, _| {
        let zeros = types.iter().map(|ty| stablehlo::number(b, *ty, 0.0));
        zeros.collect::<RewriteResult<Vec<Value>>>()
    })?;
    let chosen = stablehlo::IfOp::build(b, is_own, made, others).result_types(&types).insert();
    let results = chosen.results().into_iter();
    let results = results.map(|result| tiler.broadcast(b, result, partition));
    let results = results.collect::<RewriteResult<Vec<Value>>>()?;
    b.replace(call, &results);
    Ok(())
}
