//! How many tasks the parallel loops of an entry are worth.
//!
//! A task has to take longer than it takes to wake a thread, so that a loop gains
//! even if all threads are asleep. If another loop has just used them, they are
//! still awake (`src/runtime/host/thread_pool.rs`), and shorter tasks pay.

use super::cost_model::{Processor, UNKNOWN_TRIPS, trip_count};
use crate::loops::aliases::is_parallel_loop;
use halo_ir::{
    Operation, blocks_of, collect_operations, operands_of, operations_of,
    ops::{OperationExt, func, halo, memref, scf},
};
use melior::ir::operation::OperationLike;

/// The least time of a task, in nanoseconds, if threads have to be woken: a
/// caller needs 7 microseconds for it, and a thread begins after 15
/// (`src/runtime/benches/thread_pool.rs`).
pub(super) const WOKEN: f64 = 15_000.0;

/// That if threads are awake. A loop costs less than a microsecond then, and the
/// threads fetch data from each other's caches.
const AWAKE: f64 = 5_000.0;

/// The time, in nanoseconds, for which threads are still awake for certain: half of
/// what the runtime gives them.
const STAY_AWAKE: f64 = 30_000.0;

/// The outermost parallel loops of an entry that have one dimension and no results, in
/// order, each with the number of iterations per task. That is at least the trip count
/// where a loop is not worth two tasks.
pub fn grains<'c>(entry: Operation<'c>, processor: &Processor) -> Vec<(Operation<'c>, i64)> {
    let mut plan = Plan {
        processor,
        unused: f64::INFINITY,
        grains: Vec::new(),
    };
    plan.visit(entry);
    plan.grains
}

struct Plan<'p, 'c> {
    processor: &'p Processor,
    /// The time since threads have had work, in nanoseconds.
    unused: f64,
    grains: Vec<(Operation<'c>, i64)>,
}

impl<'c> Plan<'_, 'c> {
    fn visit(&mut self, around: Operation<'c>) {
        for op in around.regions().flat_map(blocks_of).flat_map(operations_of) {
            if op.isa::<scf::ParallelOp>() {
                self.parallel(op);
            } else if op.isa::<memref::CopyOp>() {
                self.unused += self.processor.time_of_op(op);
            } else if op.isa::<halo::CustomCallOp>() || op.isa::<func::CallOp>() {
                self.unused = f64::INFINITY;
            } else if op.regions().next().is_some() {
                match collect_operations(op, is_parallel_loop).is_empty() {
                    true => self.unused += self.processor.time_of_op(op),
                    false => self.visit(op),
                }
            }
        }
    }

    fn parallel(&mut self, parallel: Operation<'c>) {
        let time = self.processor.time_of_op(parallel);
        let least = if self.unused < STAY_AWAKE {
            AWAKE
        } else {
            WOKEN
        };
        let count = trip_count(parallel);
        let grain = grain(time, count, least);
        match count {
            Some(count) if grain >= count => self.unused += time,
            _ => self.unused = 0.0,
        }
        if operands_of(parallel).len() == 3 && parallel.result_count() == 0 {
            self.grains.push((parallel, grain));
        }
    }
}

/// The number of iterations per task of a loop that takes so much time, all in all;
/// for one of unknown length, of as many iterations as the estimate assumes.
fn grain(time: f64, count: Option<i64>, least: f64) -> i64 {
    let iteration = time / count.unwrap_or(UNKNOWN_TRIPS).max(1) as f64;
    // The cast saturates.
    let grain = (least / iteration.max(1e-3)).ceil().max(1.0) as i64;
    match count {
        None => grain,
        Some(_) if grain == 1 => grain,
        Some(count) => match count / grain {
            0 | 1 => count.max(grain),
            tasks => count / even(tasks) + i64::from(count % even(tasks) != 0),
        },
    }
}

/// A number of tasks that is at most the given one, and is divided by 2 and other
/// small numbers, so that each thread gets as many.
fn even(tasks: i64) -> i64 {
    let numbers = [64, 48, 32, 24, 16, 12, 8, 6, 4, 2];
    let fitting = numbers.into_iter().find(|even| *even <= tasks);
    if tasks > 64 {
        tasks
    } else {
        fitting.unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_take_the_least_time_or_longer() {
        assert_eq!(grain(29_000.0, Some(100), WOKEN), 100);
        assert_eq!(grain(31_000.0, Some(100), WOKEN), 50);
        assert_eq!(grain(31_000.0, Some(100), AWAKE), 25);
        assert_eq!(grain(1.0, Some(10), WOKEN), 150_000);
        assert_eq!(grain(0.0, Some(1), WOKEN), 15_000_000);
        assert_eq!(grain(1e30, Some(5), WOKEN), 1);
        assert_eq!(grain(64_000.0, None, WOKEN), 15);
        assert!(grain(0.0, Some(i64::MAX), WOKEN) >= 15_000_000);
    }

    #[test]
    fn threads_get_as_many_tasks_each() {
        // Three tasks would be two for one thread and one for the other.
        assert_eq!(grain(50_000.0, Some(100), WOKEN), 50);
        assert_eq!(grain(80_000.0, Some(100), WOKEN), 25);
        assert_eq!(grain(1_500_000.0, Some(1000), WOKEN), 10);
        // Iterations that are worth a task of their own stay apart.
        assert_eq!(grain(60_000.0, Some(3), WOKEN), 1);
    }
}
