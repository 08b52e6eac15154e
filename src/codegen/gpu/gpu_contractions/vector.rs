//! Contractions with one row, which are bound by the bandwidth of reading rhs.
//!
//! If rhs is contiguous along k, a warp computes each element of the result:
//! its lanes read adjacent runs of 16 bytes and reduce their sums by shuffles.
//! A few long rows get a block each instead, whose warps reduce their sums in
//! workgroup memory.
//!
//! If rhs is contiguous along n, each lane computes a few elements of a row of the result, the
//! warps of the block interleave along k, and their sums are reduced in workgroup memory. Few
//! columns are distributed over more blocks: then the lanes of a warp also divide k.

use super::{
    super::{
        buffers::{self, both},
        launch::{Dimensions, MOST_BLOCKS_YZ, ThreadIds, WARP, launch},
        shuffle::{reduce_lanes, reduce_threads},
    },
    addresses::Spot,
    epilogue::{Epilogue, add, multiply_add},
    strategy::grid,
};
use crate::loops::prelude::*;
use halo_core::machine::Gpu;
use halo_ir::prelude::*;

/// Warps of a block.
const WARPS: i64 = 8;
/// Runs that a lane loads ahead of the multiplications.
const AHEAD: i64 = 4;
/// Bytes of the smallest memory transaction.
const SECTOR: i64 = 32;

/// A contraction and the kernel chosen for it.
pub struct Vector<'a, 'c> {
    pub contraction: &'a Contraction<'c>,
    pub epilogue: &'a Epilogue<'c>,
    pub gpu: &'a Gpu,
}

fn ceiling(size: i64, by: i64) -> i64 {
    size / by + i64::from(size % by != 0)
}

impl<'c> Vector<'_, 'c> {
    fn most(&self) -> i64 {
        let bits =
            [LHS, RHS].map(|operand| self.contraction.operands[operand].element().bit_width());
        let widest = bits.into_iter().flatten().max().unwrap_or(32);
        (128 / i64::from(widest)).max(1)
    }

    /// The index in the batch, and the index of the block for this product.
    fn origin(
        &self,
        builder: &Builder<'c>,
        ids: &ThreadIds<'c>,
        blocks: i64,
    ) -> (Spot<'c>, Value<'c>) {
        let batch = self.contraction.size(Group::Batch);
        let (number, block) = if batch <= MOST_BLOCKS_YZ {
            (ids.block[2], ids.block[0])
        } else {
            index::divide(builder, ids.block[0], blocks)
        };
        let spot = self.contraction.spot(builder, Group::Batch, number, false);
        (spot, block)
    }

    /// Emits a kernel with a warp, or all warps of a block, for each element of the result.
    pub fn emit_rows(&self, builder: &Builder<'c>, strategy: &str, shared: bool) {
        let contraction = self.contraction;
        let (n, k) = (contraction.size(Group::N), contraction.size(Group::K));
        let run = [LHS, RHS].map(|operand| contraction.run_length(operand, Group::K, self.most()));
        let run = run[0].min(run[1]);
        let in_block = if shared { 1 } else { WARPS };
        let blocks = ceiling(n, in_block);
        let mut workgroup = Vec::new();
        if shared {
            workgroup.push(buffers::shared_type(
                builder,
                &[WARPS],
                contraction.accumulator,
            ));
        }
        let dimensions = Dimensions {
            grid: grid(blocks, contraction),
            block: [WARPS * WARP, 1, 1],
        };
        let body = |builder: &Builder<'c>, ids: &ThreadIds<'c>, targets: &[Value<'c>]| {
            let (batch, block) = self.origin(builder, ids, blocks);
            let (warp, lane) = index::divide(builder, ids.thread[0], WARP);
            let column = if shared {
                block
            } else {
                let first = index::mul(builder, block, WARPS);
                index::add(builder, first, warp)
            };
            let is_ragged = n % in_block != 0;
            let spot = contraction.spot(builder, Group::N, column, is_ragged);
            let mut sources = self.sources(builder, &batch);
            let offset = contraction.offset(builder, RHS, Group::N, &spot);
            // A warp without a column reads the first one, so that all warps of
            // the block execute the same code.
            let zero = index::constant(builder, 0);
            let offset = match spot.is_inside {
                Some(is_inside) => arith::select(builder, is_inside, offset, zero),
                None => offset,
            };
            sources[1].1 = index::add(builder, sources[1].1, offset);
            let readers = if shared {
                (ids.thread[0], WARPS * WARP)
            } else {
                (lane, WARP)
            };
            let sum = self.sum_along_k(builder, &sources, readers, run, k);
            let (sum, writer) = match targets {
                [target] => {
                    let zero =
                        |builder: &Builder<'c>| vector::zeros(builder, contraction.accumulator, 1);
                    let among = (*target, ids.thread[0], WARPS * WARP);
                    let sum = reduce_threads(builder, sum, &add, zero, among);
                    (sum, ids.thread[0])
                }
                _ => (reduce_lanes(builder, sum, 1, &add), lane),
            };
            let is_first = index::below(builder, writer, 1);
            scf::when(builder, is_first, |builder| {
                let writer = self.epilogue.writer(builder, contraction, &batch, [false, is_ragged]);
                let row = index::constant(builder, 0);
                writer.grid(builder, &[row], &[column], 1, &[sum])
            })
        };
        launch(builder, strategy, dimensions, &workgroup, body);
    }

    /// Lhs and rhs, flat, and their offsets in this product of the batch.
    fn sources(&self, builder: &Builder<'c>, batch: &Spot<'c>) -> [(Value<'c>, Value<'c>); 2] {
        let source = |operand: usize| {
            let buffer = buffers::flat(builder, self.contraction.operands[operand].value);
            (buffer, self.contraction.base(builder, operand, batch))
        };
        [source(LHS), source(RHS)]
    }

    /// The sum of a lane over every `lanes`-th run along k.
    fn sum_along_k(
        &self,
        builder: &Builder<'c>,
        sources: &[(Value<'c>, Value<'c>); 2],
        (lane, lanes): (Value<'c>, i64),
        run: i64,
        k: i64,
    ) -> Value<'c> {
        let start = index::mul(builder, lane, run);
        let sum = self.sum_of_loads(builder, sources, (start, lanes * run), [run, run], k);
        if run == 1 {
            return sum;
        }
        let mut total = vector::extract(builder, sum, &[], &[0]);
        for number in 1..run {
            let part = vector::extract(builder, sum, &[], &[number]);
            total = add(builder, total, part);
        }
        total
    }

    /// Emits a kernel with a thread for a few elements of a row of the result.
    pub fn emit_columns(&self, builder: &Builder<'c>, strategy: &str) {
        let contraction = self.contraction;
        let (n, k) = (contraction.size(Group::N), contraction.size(Group::K));
        let accumulator = contraction.accumulator;
        let run = contraction.run_length(RHS, Group::N, self.most());
        // Adjacent lanes are adjacent along n, with enough lanes to read a whole sector.
        let bytes = i64::from(contraction.operands[RHS].element().bit_width().unwrap_or(8)) / 8;
        let mut across = WARP;
        while across * run * bytes > SECTOR
            && ceiling(n, across * run).saturating_mul(contraction.size(Group::Batch))
                < self.gpu.busy_blocks()
        {
            across /= 2;
        }
        let in_block = across * run;
        let blocks = ceiling(n, in_block);
        let workgroup = [buffers::shared_type(
            builder,
            &[WARPS * in_block],
            accumulator,
        )];
        let dimensions = Dimensions {
            grid: grid(blocks, contraction),
            block: [WARPS * WARP, 1, 1],
        };
        let body = |builder: &Builder<'c>, ids: &ThreadIds<'c>, targets: &[Value<'c>]| {
            let (batch, block) = self.origin(builder, ids, blocks);
            let (warp, lane) = index::divide(builder, ids.thread[0], WARP);
            let (along, lane) = index::divide(builder, lane, across);
            let first = index::mul(builder, block, in_block);
            let own = index::mul(builder, lane, run);
            let column = index::add(builder, first, own);
            let is_ragged = n % in_block != 0;
            let spot = contraction.spot(builder, Group::N, column, is_ragged);
            let mut sources = self.sources(builder, &batch);
            let zero = index::constant(builder, 0);
            let mut offset = contraction.offset(builder, RHS, Group::N, &spot);
            if let Some(is_inside) = spot.is_inside {
                offset = arith::select(builder, is_inside, offset, zero);
            }
            sources[1].1 = index::add(builder, sources[1].1, offset);
            let rows_per_warp = WARP / across;
            let start = index::mul(builder, warp, rows_per_warp);
            let start = index::add(builder, start, along);
            let sum = self.sum_of_loads(
                builder,
                &sources,
                (start, WARPS * rows_per_warp),
                [1, run],
                k,
            );
            let sum = self.sum_of_lanes(builder, sum, across, run);
            let slot = index::mul(builder, warp, in_block);
            let at = index::add(builder, slot, own);
            let is_one = match rows_per_warp {
                1 => None,
                _ => Some(index::below(builder, along, 1)),
            };
            scf::when(builder, is_one, |builder| {
                vector::store_elements(builder, sum, targets[0], at, run)
            });
            gpu::barrier(builder);
            // The first threads add the sums of the warps.
            let is_one = index::below(builder, ids.thread[0], in_block);
            let column = index::add(builder, first, ids.thread[0]);
            let is_inside = is_ragged.then(|| index::below(builder, column, n));
            let is_one = both(builder, Some(is_one), is_inside);
            scf::when(builder, is_one, |builder| {
                let mut sum = memref::load(builder, targets[0], &[ids.thread[0]]);
                for number in 1..WARPS {
                    let at = index::add(builder, ids.thread[0], number * in_block);
                    let part = memref::load(builder, targets[0], &[at]);
                    sum = add(builder, sum, part);
                }
                let writer = self.epilogue.writer(builder, contraction, &batch, [false, false]);
                let row = index::constant(builder, 0);
                writer.grid(builder, &[row], &[column], 1, &[sum])
            })
        };
        launch(builder, strategy, dimensions, &workgroup, body);
    }

    /// Reduces the sums of the lanes of a warp that have the same columns; each
    /// lane gets the result.
    fn sum_of_lanes(
        &self,
        builder: &Builder<'c>,
        sum: Value<'c>,
        across: i64,
        run: i64,
    ) -> Value<'c> {
        if across == WARP || run == 1 {
            return reduce_lanes(builder, sum, across, &add);
        }
        let mut total = sum;
        for number in 0..run {
            let part = vector::extract(builder, sum, &[], &[number]);
            let part = reduce_lanes(builder, part, across, &add);
            total = vector::insert(builder, part, total, &[], &[number]);
        }
        total
    }

    /// The sums of products over every `stride`-th index along k, with `counts` elements of lhs and
    /// rhs per load. A single element of lhs is broadcast.
    fn sum_of_loads(
        &self,
        builder: &Builder<'c>,
        sources: &[(Value<'c>, Value<'c>); 2],
        (first, stride): (Value<'c>, i64),
        counts: [i64; 2],
        k: i64,
    ) -> Value<'c> {
        let contraction = self.contraction;
        let run = counts[RHS];
        let zero = vector::zeros(builder, contraction.accumulator, run);
        let index_zero = index::constant(builder, 0);
        let step = stride * AHEAD;
        let bounds = (index_zero, k, step);
        let carried = vec![zero; AHEAD as usize];
        let sums = scf::for_(builder, bounds, &carried, |builder, iv, carried| {
            let mut pairs = Vec::new();
            for number in 0..AHEAD {
                let index = index::add(builder, first, number * stride);
                let index = index::add(builder, iv, index);
                let spot = contraction.spot(builder, Group::K, index, k % step != 0);
                let mut pair = Vec::new();
                for (operand, (buffer, base)) in sources.iter().enumerate() {
                    let offset = contraction.offset(builder, operand, Group::K, &spot);
                    let mut at = index::add(builder, *base, offset);
                    if let Some(is_inside) = spot.is_inside {
                        at = arith::select(builder, is_inside, at, index_zero);
                    }
                    let element = buffer.ty().element_type();
                    let mut value = vector::load_elements(builder, *buffer, at, counts[operand]);
                    if let Some(is_inside) = spot.is_inside {
                        let nothing = vector::zeros(builder, element, counts[operand]);
                        value = arith::select(builder, is_inside, value, nothing);
                    }
                    if counts[operand] < run {
                        let ty = vector_type(&[run], element);
                        value = vector::broadcast(builder, value, ty);
                    }
                    pair.push(value);
                }
                pairs.push([pair[0], pair[1]]);
            }
            let sums = pairs.into_iter().zip(carried);
            sums.map(|(pair, sum)| multiply_add(builder, contraction, pair, *sum))
                .collect::<Vec<_>>()
        })
        .results();
        let pairs = [
            add(builder, sums[0], sums[1]),
            add(builder, sums[2], sums[3]),
        ];
        add(builder, pairs[0], pairs[1])
    }
}
