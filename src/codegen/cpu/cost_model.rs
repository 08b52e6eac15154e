//! Estimates of the work of a loop.
//!
//! They decide only the number of iterations per task, so they may be wrong by
//! a factor of two.

use crate::loops::loop_ops::constant_index;
use halo_ir::{
    Operation, Value, blocks_of, defining_operation, name_of, operands_of, operations_of,
    ops::{Op, arith, halo, math, memref, scf},
    results_of, shape_of,
};
use melior::ir::{ValueLike, operation::OperationLike};

/// Assumed trip count of a loop with unknown bounds.
const UNKNOWN_TRIPS: i64 = 64;

/// The number of iterations of a parallel loop per task; at least its trip
/// count if the loop is not worth two tasks.
pub fn grain(parallel: Operation, task_work: i64) -> i64 {
    let body: i64 = work_of_regions(parallel).max(1);
    let grain = (task_work + body - 1) / body;
    let operands = operands_of(parallel);
    let count = operands.get(1).and_then(|upper| constant_index(*upper));
    match count {
        Some(count) if count < grain.saturating_mul(2) => count.max(grain).max(1),
        _ => grain.max(1),
    }
}

fn work_of_regions(operation: Operation) -> i64 {
    operation
        .regions()
        .flat_map(blocks_of)
        .flat_map(operations_of)
        .fold(0, |total, nested| total.saturating_add(work_of(nested)))
}

/// The work of an op in scalar ops.
fn work_of(operation: Operation) -> i64 {
    match name_of(operation) {
        scf::ForOp::NAME | scf::ParallelOp::NAME => {
            trip_count(operation).saturating_mul(work_of_regions(operation))
        }
        scf::WhileOp::NAME => UNKNOWN_TRIPS.saturating_mul(work_of_regions(operation)),
        scf::YieldOp::NAME
        | scf::ReduceOp::NAME
        | scf::ConditionOp::NAME
        | arith::ConstantOp::NAME => 0,
        halo::CustomCallOp::NAME => 64,
        memref::CopyOp::NAME => elements(operands_of(operation).first().copied()) / 8,
        name => {
            let scalar = if name.starts_with("math.")
                && name != math::FmaOp::NAME
                && name != math::AbsFOp::NAME
            {
                20
            } else {
                1
            };
            let result = results_of(operation).first().copied();
            let stored = operands_of(operation).first().copied();
            // A vector op costs one op per eight lanes.
            let lanes = if name.starts_with("vector.") {
                (elements(result.or(stored)) / 8).max(1)
            } else {
                1
            };
            i64::saturating_mul(scalar, lanes).saturating_add(work_of_regions(operation))
        }
    }
}

fn elements(value: Option<Value>) -> i64 {
    let shape = value.and_then(|value| shape_of(value.r#type()));
    shape.map_or(1, |shape| {
        shape
            .into_iter()
            .map(|size| size.unwrap_or(UNKNOWN_TRIPS))
            .fold(1, i64::saturating_mul)
    })
}

fn trip_count(operation: Operation) -> i64 {
    let operands = operands_of(operation);
    let [lower, upper, step, ..] = operands[..] else {
        return UNKNOWN_TRIPS;
    };
    let step = constant_index(step).unwrap_or(1).max(1);
    let length = match (constant_index(lower), constant_index(upper)) {
        (Some(lower), Some(upper)) => upper - lower,
        _ => distance(lower, upper).unwrap_or(UNKNOWN_TRIPS),
    };
    ((length + step - 1) / step).max(0)
}

/// `upper - lower` if `upper` is `lower + n`, or the minimum of that and a
/// limit.
fn distance(lower: Value, upper: Value) -> Option<i64> {
    let (operation, _) = defining_operation(upper)?;
    let operands = operands_of(operation);
    match name_of(operation) {
        arith::AddIOp::NAME if operands[0] == lower => constant_index(operands[1]),
        arith::MinSIOp::NAME | arith::MinUIOp::NAME => operands
            .iter()
            .find_map(|operand| distance(lower, *operand)),
        _ => None,
    }
}
