//! Loops over the threads of a block, and the ids of one thread.

use super::{WARP, error::Emulated, warpgroups::WARPGROUP};
use halo_ir::prelude::*;

/// The sizes of a launch.
#[derive(Clone, Copy)]
pub struct Launch<'c> {
    /// The extents of the grid.
    pub grid: [Value<'c>; 3],
    /// The extents of a block.
    pub threads: [Value<'c>; 3],
    /// The threads of a block.
    pub thread_count: Value<'c>,
    /// The warps of a block, the last one possibly partial.
    pub warp_count: Value<'c>,
    /// The threads of these warps.
    pub lane_count: Value<'c>,
    /// The first thread of the warpgroup, if warpgroups run on their own.
    pub first: Option<Value<'c>>,
}

/// A thread: its ids, and its index in the block.
#[derive(Clone, Copy)]
pub struct Thread<'c> {
    /// The ids in x, y and z.
    pub ids: [Value<'c>; 3],
    /// The index; x varies fastest.
    pub number: Value<'c>,
}

/// `scf.for` without carried values.
pub fn range<'c>(
    b: &Builder<'c>,
    lower: Value<'c>,
    upper: Value<'c>,
    body: impl FnOnce(&Builder<'c>, Value<'c>) -> Emulated<'c, ()>,
) -> Emulated<'c, ()> {
    let one = index::constant(b, 1);
    scf::for_(b, (lower, upper, one), &[], |b, induction, _| {
        body(b, induction)?;
        Ok::<_, super::EmulationError>(Vec::new())
    })?;
    Ok(())
}

/// Like [`range`], without a loop if there is one iteration from 0.
fn extent<'c>(
    b: &Builder<'c>,
    upper: Value<'c>,
    body: impl FnOnce(&Builder<'c>, Value<'c>) -> Emulated<'c, ()>,
) -> Emulated<'c, ()> {
    let zero = index::constant(b, 0);
    if arith::constant_index(upper) == Some(1) {
        return body(b, zero);
    }
    range(b, zero, upper, body)
}

impl<'c> Launch<'c> {
    /// Splits the extents into the values that emulation uses.
    pub fn new(b: &Builder<'c>, grid: [Value<'c>; 3], threads: [Value<'c>; 3]) -> Self {
        let plane = index::mul(b, threads[0], threads[1]);
        let thread_count = index::mul(b, plane, threads[2]);
        let warp_count = match arith::constant_index(thread_count) {
            Some(count) => index::constant(b, (count + WARP - 1) / WARP),
            None => {
                let warp = index::constant(b, WARP);
                arith::ceildivui(b, thread_count, warp)
            }
        };
        Self {
            grid,
            threads,
            thread_count,
            warp_count,
            lane_count: index::mul(b, warp_count, WARP),
            first: None,
        }
    }

    /// The ids of the block of an index.
    pub fn block(&self, b: &Builder<'c>, number: Value<'c>) -> [Value<'c>; 3] {
        split(b, number, &self.grid)
    }

    /// The thread of an index.
    pub fn thread(&self, b: &Builder<'c>, number: Value<'c>) -> Thread<'c> {
        let ids = split(b, number, &self.threads);
        Thread { ids, number }
    }

    /// A loop over the threads of a block, in the order of their indices.
    pub fn each_thread(
        &self,
        b: &Builder<'c>,
        body: impl FnOnce(&Builder<'c>, &Thread<'c>) -> Emulated<'c, ()>,
    ) -> Emulated<'c, ()> {
        let [width, height, depth] = self.threads;
        if let Some(first) = self.first {
            let end = index::add(b, first, WARPGROUP);
            return range(b, first, end, |b, number| body(b, &self.thread(b, number)));
        }
        extent(b, depth, |b, z| {
            let plane = index::mul(b, z, height);
            extent(b, height, |b, y| {
                let row = index::add(b, plane, y);
                let first = index::mul(b, row, width);
                extent(b, width, |b, x| {
                    let number = index::add(b, first, x);
                    let ids = [x, y, z];
                    body(b, &Thread { ids, number })
                })
            })
        })
    }

    /// The uniform value of an id op.
    pub fn block_id(&self, block: &[Value<'c>; 3], operation: Operation<'c>) -> Option<Value<'c>> {
        let dimension = dimension(operation);
        match operation.name() {
            gpu::BlockIdOp::NAME => Some(block[dimension?]),
            gpu::GridDimOp::NAME => Some(self.grid[dimension?]),
            gpu::BlockDimOp::NAME => Some(self.threads[dimension?]),
            gpu::NumSubgroupsOp::NAME => Some(self.warp_count),
            _ => None,
        }
    }

    /// The value of an id op that depends on the thread.
    pub fn thread_id(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        operation: Operation<'c>,
    ) -> Option<Value<'c>> {
        let warp = || index::constant(b, WARP);
        match operation.name() {
            gpu::ThreadIdOp::NAME => dimension(operation).map(|dimension| thread.ids[dimension]),
            gpu::LaneIdOp::NAME => Some(index::rem(b, thread.number, warp())),
            gpu::SubgroupIdOp::NAME => Some(index::div(b, thread.number, warp())),
            _ => None,
        }
    }
}

/// The index in each dimension, from a linear index.
fn split<'c>(b: &Builder<'c>, number: Value<'c>, extents: &[Value<'c>; 3]) -> [Value<'c>; 3] {
    let zero = index::constant(b, 0);
    let is_one = |value| arith::constant_index(value) == Some(1);
    if is_one(extents[1]) && is_one(extents[2]) {
        return [number, zero, zero];
    }
    let x = index::rem(b, number, extents[0]);
    let row = index::div(b, number, extents[0]);
    if is_one(extents[2]) {
        return [x, row, zero];
    }
    let y = index::rem(b, row, extents[1]);
    let z = index::div(b, row, extents[1]);
    [x, y, z]
}

/// The dimension of an id op.
fn dimension(operation: Operation) -> Option<usize> {
    Some(match gpu::dimension(operation)? {
        gpu::Dimension::X => 0,
        gpu::Dimension::Y => 1,
        gpu::Dimension::Z => 2,
    })
}
