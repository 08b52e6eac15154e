//! Scans along contiguous memory: a block scans a row in tiles.
//!
//! In a tile, a thread scans a few adjacent elements, shuffles scan the totals of a warp's threads,
//! and the totals of the warps are scanned in shared memory; the total of the tile is carried to
//! the next one. (M. Harris et al., Parallel prefix sum with CUDA, GPU Gems 3, 2007.)
//!
//! ```mlir
//! linalg.generic {iterator_types = ["parallel", "reduction"]}
//!     ins(%x : memref<1024x4096xf32>) outs(%all, %last : memref<1024x4096xf32>, memref<1024xf32>) {
//! ^bb0(%in: f32, %out: f32, %sum: f32):
//!   %0 = arith.addf %sum, %in : f32
//!   linalg.yield %0, %0 : f32, f32
//! }
//! ```

use super::{iterations::Loaded, kernel::Kernel, nests::zeros, row};
use crate::{
    gpu::{
        buffers::shared_type,
        launch::{Dimensions, WARP, launch},
        shuffle::{can_shuffle, shuffle},
        vectors,
    },
    loops::{body, loop_nest::contiguous_dim, prelude::*, reduction},
};
use halo_ir::{ops::gpu::ShuffleMode, prelude::*};

/// Shorter rows are scanned by one thread.
const SHORTEST: i64 = 64;
/// The maximal threads of a block.
const MOST_THREADS: i64 = 256;

/// The dimensions and operands of a scan.
struct Plan<'c> {
    combiner: Combiner<'c>,
    rows: Vec<usize>,
    column: usize,
    /// The output that holds the running value.
    carried: usize,
    width: i64,
    threads: i64,
}

/// Lowers a scan along contiguous memory; returns false if the op is not one.
pub(super) fn lower<'c>(builder: &Builder<'c>, kernel: &Kernel<'c>) -> bool {
    let Some(plan) = plan(kernel) else {
        return false;
    };
    let dimensions = Dimensions {
        grid: [kernel.product(&plan.rows), 1, 1],
        block: [plan.threads, 1, 1],
    };
    let totals = shared_type(builder, &[WARP], plan.combiner.ty());
    launch(
        builder,
        "scan",
        dimensions,
        &[totals],
        |builder, ids, shared| {
            let mut ivs = zeros(builder, &kernel.nest);
            let sizes = kernel.sizes(&plan.rows);
            for (dim, iv) in plan.rows.iter().zip(index::delinearize(builder, ids.block[0], &sizes))
            {
                ivs[*dim] = iv;
            }
            let last = &kernel.nest.outputs()[plan.carried];
            let start = last.load(builder, &ivs);
            let length = kernel.size(plan.column);
            let bounds = (0, length, plan.threads * plan.width);
            let end = scf::for_(builder, bounds, &[start], |builder, tile, carried| {
                let next = plan.tile(
                    builder,
                    kernel,
                    &ivs,
                    (tile, ids.thread[0], carried[0], shared[0]),
                );
                vec![next]
            })
            .results();
            let first = index::compare(builder, CmpIPredicate::Eq, ids.thread[0], 0);
            scf::when(builder, first, |builder| last.store(builder, &ivs, end[0]))
        },
    );
    true
}

fn plan<'c>(kernel: &Kernel<'c>) -> Option<Plan<'c>> {
    let nest = &kernel.nest;
    let [column] = kernel.dims(true)[..] else {
        return None;
    };
    let yielded = nest.body.terminator()?.operands();
    let value = *yielded.first()?;
    let arguments = nest.body.arguments();
    let outputs = &arguments[nest.input_count..];
    // One output holds the running value, the others store it at each element.
    let mut carried = None;
    for (number, access) in nest.outputs().iter().enumerate() {
        if yielded[number] != value {
            return None;
        }
        match access.stride(column) {
            0 if carried.is_none() => carried = Some(number),
            1 if outputs[number].is_unused() && contiguous_dim(nest, access) == Some(column) => {}
            _ => return None,
        }
    }
    let carried = carried?;
    let combiner = reduction::running_combiner(value, outputs[carried])?;
    let length = kernel.size(column);
    if length < SHORTEST || yielded.len() < 2 || !can_shuffle(combiner.ty()) {
        return None;
    }
    let width = vectors::width(nest, column);
    Some(Plan {
        combiner,
        rows: kernel.dims(false),
        column,
        carried,
        width,
        threads: row::threads_for(length, width).min(MOST_THREADS),
    })
}

impl<'c> Plan<'c> {
    /// Scans a tile from the carried value; returns the next carried value.
    fn tile(
        &self,
        builder: &Builder<'c>,
        kernel: &Kernel<'c>,
        ivs: &[Value<'c>],
        (tile, thread, before, totals): (Value<'c>, Value<'c>, Value<'c>, Value<'c>),
    ) -> Value<'c> {
        let nest = &kernel.nest;
        let length = kernel.size(self.column);
        let offset = index::mul(builder, thread, self.width);
        let own = index::add(builder, tile, offset);
        let exact = length % (self.threads * self.width) == 0;
        let end = index::constant(builder, length);
        let inside = arith::cmpi(builder, CmpIPredicate::Ult, own, end);
        let mut ivs = ivs.to_vec();
        let last = index::constant(builder, length - self.width);
        // Threads after the end of the row load its last elements without using them.
        ivs[self.column] = if exact {
            own
        } else {
            arith::minui(builder, own, last)
        };
        let neutral = self.combiner.neutral(builder);
        let mut values = self.elements(builder, kernel, &ivs, neutral);
        for lane in 1..values.len() {
            values[lane] = self.combiner.combine(builder, values[lane - 1], values[lane]);
        }
        let sum = values.last().copied().unwrap_or(neutral);
        let sum = if exact {
            sum
        } else {
            arith::select(builder, inside, sum, neutral)
        };
        let (of_warp, before_thread) = self.scan_warp(builder, sum, thread);
        let warp = index::div(builder, thread, WARP);
        let lane = index::rem(builder, thread, WARP);
        let is_last = index::compare(builder, CmpIPredicate::Eq, lane, WARP - 1);
        scf::when(builder, is_last, |builder| {
            memref::store(builder, of_warp, totals, &[warp]);
        });
        gpu::barrier(builder);
        let mut prefix = before;
        let mut all = before;
        for number in 0..self.threads / WARP {
            let number = index::constant(builder, number);
            let total = memref::load(builder, totals, &[number]);
            all = self.combiner.combine(builder, all, total);
            let earlier = arith::cmpi(builder, CmpIPredicate::Ult, number, warp);
            prefix = arith::select(builder, earlier, all, prefix);
        }
        let prefix = self.combiner.combine(builder, prefix, before_thread);
        for value in &mut values {
            *value = self.combiner.combine(builder, prefix, *value);
        }
        let store = |builder: &Builder<'c>| {
            for (number, access) in nest.outputs().iter().enumerate() {
                if number != self.carried {
                    vectors::store(builder, nest, access, (&ivs, self.column), &values);
                }
            }
        };
        if exact {
            store(builder)
        } else {
            scf::when(builder, inside, store)
        }
        // The next tile overwrites the totals of the warps that this one reads.
        gpu::barrier(builder);
        all
    }

    /// Emits the body on each of a thread's adjacent elements.
    fn elements(
        &self,
        builder: &Builder<'c>,
        kernel: &Kernel<'c>,
        ivs: &[Value<'c>],
        neutral: Value<'c>,
    ) -> Vec<Value<'c>> {
        let nest = &kernel.nest;
        let arguments = nest.body.arguments();
        let outputs = &arguments[nest.input_count..];
        let position = (ivs, self.column, self.width);
        let loaded = Loaded::of(builder, nest, nest.input_count, position);
        let mut values = Vec::new();
        for lane in 0..self.width {
            let mut map = loaded.at(lane);
            map.insert(outputs[self.carried].key(), neutral);
            let ivs = vectors::shifted(builder, ivs, self.column, lane);
            let yielded = body::clone(builder, nest, &ivs, &mut map);
            values.push(yielded[self.carried]);
        }
        values
    }

    /// The inclusive and the exclusive scan of the values of a warp's threads.
    fn scan_warp(
        &self,
        builder: &Builder<'c>,
        value: Value<'c>,
        thread: Value<'c>,
    ) -> (Value<'c>, Value<'c>) {
        let lane = index::rem(builder, thread, WARP);
        let mut sum = value;
        let mut distance = 1;
        while distance < WARP {
            let other = shuffle(builder, ShuffleMode::Up, sum, distance);
            let combined = self.combiner.combine(builder, other, sum);
            let there = index::compare(builder, CmpIPredicate::Sge, lane, distance);
            sum = arith::select(builder, there, combined, sum);
            distance *= 2;
        }
        let other = shuffle(builder, ShuffleMode::Up, sum, 1);
        let neutral = self.combiner.neutral(builder);
        let there = index::compare(builder, CmpIPredicate::Sge, lane, 1);
        let before = arith::select(builder, there, other, neutral);
        (sum, before)
    }
}
