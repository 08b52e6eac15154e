//! The number of tasks of the parallel loops of an entry.
//!
//! A task must take longer than waking a thread, so that a loop gains even if all threads are
//! asleep. Threads stay awake for a while after a loop (`src/runtime/host/thread_pool.rs`), during
//! which shorter tasks pay.

use crate::{
    contraction::plan::even_division::{many, part_length},
    loops::aliases::is_parallel_loop,
};
use halo_core::machine::Machine;
use halo_cost::cpu::{UNKNOWN_TRIPS, cost_of, trip_count};
use halo_ir::{ops::halo, prelude::*};

/// The time, in nanoseconds, for which threads are certainly awake: half of the runtime's spin time
/// (`src/runtime/host/thread_pool.rs`).
const STAY_AWAKE: f64 = 30_000.0;

/// The outermost one-dimensional parallel loops of an entry without results, in order, each with
/// the number of iterations per task. This is at least the trip count if a loop is not worth two
/// tasks.
pub fn grains<'c>(entry: Operation<'c>, machine: &Machine) -> Vec<(Operation<'c>, i64)> {
    let mut plan = Plan {
        machine,
        unused: f64::INFINITY,
        is_after_call: false,
        grains: Vec::new(),
    };
    plan.visit(entry);
    plan.grains
}

struct Plan<'p, 'c> {
    machine: &'p Machine,
    /// The idle time of the threads, in nanoseconds.
    unused: f64,
    /// Whether the previous op that takes time is a custom call.
    is_after_call: bool,
    grains: Vec<(Operation<'c>, i64)>,
}

impl<'c> Plan<'_, 'c> {
    fn visit(&mut self, around: Operation<'c>) {
        for block in around.blocks() {
            let mut ops = block.operations();
            ops.retain(|op| takes_time(*op));
            for (index, op) in ops.iter().enumerate() {
                let next = ops.get(index + 1);
                let is_before_call = next.is_some_and(|next| next.isa::<halo::CustomCallOp>());
                self.visit_op(*op, is_before_call);
                self.is_after_call = op.isa::<halo::CustomCallOp>();
            }
        }
    }

    fn visit_op(&mut self, op: Operation<'c>, is_before_call: bool) {
        if op.isa::<scf::ParallelOp>() {
            self.parallel(op, is_before_call);
        } else if op.isa::<halo::CustomCallOp>() || op.isa::<func::CallOp>() {
            self.unused = f64::INFINITY;
        } else if op.collect_nested(is_parallel_loop).is_empty() {
            self.unused += cost_of(op, self.machine).time;
        } else {
            self.visit(op);
        }
    }

    fn parallel(&mut self, parallel: Operation<'c>, is_before_call: bool) {
        let machine = self.machine;
        let cost = cost_of(parallel, machine);
        let mut least = if self.unused < STAY_AWAKE {
            machine.awake
        } else {
            machine.woken
        };
        // Buffers of half of the second cache or more are assumed to be evicted.
        let cached = machine.caches[1].share() as f64 / 2.0;
        if (self.is_after_call || is_before_call) && cost.bytes < cached {
            // The call runs on one thread, whose cache holds its results and should hold its
            // operands.
            least += cost.bytes / 2.0 / machine.fetched;
        }
        let count = trip_count(parallel);
        let grain = grain(cost.time, count, least, machine);
        match count {
            Some(count) if grain >= count => self.unused += cost.time,
            _ => self.unused = 0.0,
        }
        if parallel.operands().len() == 3 && parallel.result_count() == 0 {
            self.grains.push((parallel, grain));
        }
    }
}

fn takes_time(op: Operation) -> bool {
    op.isa::<memref::CopyOp>()
        || op.isa::<halo::CustomCallOp>()
        || op.isa::<func::CallOp>()
        || op.regions().into_iter().next().is_some()
}

/// The number of iterations per task of a loop with the given total time; a loop of unknown length
/// has the estimate's trip count.
fn grain(time: f64, count: Option<i64>, least: f64, machine: &Machine) -> i64 {
    let iteration = time / count.unwrap_or(UNKNOWN_TRIPS).max(1) as f64;
    // The cast saturates.
    let grain = (least / iteration.max(1e-3)).ceil().max(1.0) as i64;
    match count {
        None => grain,
        Some(_) if grain == 1 => grain,
        Some(count) => match count / grain {
            0 | 1 => count.max(grain),
            tasks if tasks >= many(machine) => {
                let tasks = 1 << tasks.ilog2();
                aligned(count / tasks + i64::from(count % tasks != 0))
            }
            _ => aligned(part_length(count, grain..=2 * grain, machine)),
        },
    }
}

/// Rounds a large grain up to whole pages or cache lines: an unaligned range takes up to twice as
/// long.
fn aligned(grain: i64) -> i64 {
    let elements = match grain {
        16384.. => 1024,
        1024.. => 64,
        _ => 1,
    };
    (grain + elements - 1) / elements * elements
}

#[cfg(test)]
mod tests {
    use halo_core::machine::X86_64_V4;

    const AWAKE: f64 = X86_64_V4.awake;
    const WOKEN: f64 = X86_64_V4.woken;

    fn grain(time: f64, count: Option<i64>, least: f64) -> i64 {
        super::grain(time, count, least, &X86_64_V4)
    }

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
        // Three tasks would give one thread two and the other one.
        assert_eq!(grain(50_000.0, Some(100), WOKEN), 50);
        assert_eq!(grain(80_000.0, Some(100), WOKEN), 25);
        assert_eq!(grain(1_500_000.0, Some(1024), WOKEN), 16);
        // Iterations that are worth a task each are not merged.
        assert_eq!(grain(60_000.0, Some(3), WOKEN), 1);
    }

    #[test]
    fn tasks_of_many_elements_begin_at_lines_of_the_cache() {
        assert_eq!(grain(6_700_000.0, Some(1 << 24), WOKEN), 1 << 16);
        assert_eq!(grain(90_000.0, Some(1_000_000), WOKEN), 250_880);
        assert_eq!(grain(90_000.0, Some(20_000), WOKEN), 5_056);
        assert_eq!(grain(90_000.0, Some(2_000), WOKEN), 500);
    }
}
