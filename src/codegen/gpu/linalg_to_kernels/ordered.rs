//! Reductions by any function, such as the position of the maximum, in the order of the elements.
//!
//! A thread reduces a contiguous part of the elements, starting from the first one, so that the
//! function needs no neutral element. A tree in shared memory combines adjacent parts, which need
//! not commute. A long reduction is split: a second kernel combines the results of the pieces.

use super::{
    combine_partials,
    kernel::{Kernel, output_order},
    nests::zeros,
    parts::{SHORTEST, combine_parts, finish, load, power_below, reduce_part},
};
use crate::{
    gpu::{
        buffers::shared_type,
        launch::{BLOCK, Dimensions, WARP, guard, launch},
    },
    loops::{loop_nest::contiguous_dim, prelude::*},
};
use halo_ir::prelude::*;

/// The minimal elements of a thread that is not the only one.
const FEWEST_ELEMENTS: i64 = 4;
/// The elements of a thread for which a second kernel is not worth it.
const ENOUGH_ELEMENTS: i64 = 128;
/// The minimal blocks that occupy a device.
const ENOUGH_BLOCKS: i64 = 256;
/// More results occupy the device with one thread each.
const MOST_RESULTS: i64 = 1 << 17;

/// The distribution of a reduction.
struct Plan<'c> {
    reducer: Reducer<'c>,
    /// The dimensions of the results.
    results: Vec<usize>,
    /// Adjacent results of a block.
    columns: i64,
    /// The threads of a block per result, a power of two.
    parts: i64,
    /// The blocks per result.
    pieces: i64,
}

/// Lowers a reduction; returns false if it is short or its function is not known.
pub(super) fn lower<'c>(builder: &Builder<'c>, kernel: &Kernel<'c>) -> bool {
    let Some(plan) = Plan::of(kernel) else {
        return false;
    };
    if plan.pieces == 1 {
        plan.launch(builder, kernel, None);
        return true;
    }
    let mut sizes = kernel.sizes(&plan.results);
    sizes.push(plan.pieces);
    let types = plan.reducer.types().into_iter();
    let partial: Vec<_> = types.map(|ty| memref::alloc_aligned(builder, &sizes, ty)).collect();
    plan.launch(builder, kernel, Some(&partial));
    let position = |dim: usize| plan.results.iter().position(|own| *own == dim).unwrap_or(0);
    let mut outputs = kernel.nest.outputs().to_vec();
    for index in outputs.iter_mut().flat_map(|output| &mut output.indices) {
        index.rename(&|dim| Expr::Dim(position(dim)));
    }
    let mut reductions = vec![false; plan.results.len()];
    reductions.push(true);
    combine_partials(
        builder,
        kernel.epilogue.clone(),
        (&partial, outputs),
        &reductions,
        |builder, before, value| plan.reducer.combine(builder, before, value),
    );
    true
}

impl<'c> Plan<'c> {
    fn of(kernel: &Kernel<'c>) -> Option<Self> {
        let results = output_order(kernel);
        let length = kernel.product(&kernel.dims(true));
        let count = kernel.product(&results);
        if length < SHORTEST || count > MOST_RESULTS {
            return None;
        }
        let reducer = Reducer::of(&kernel.nest)?;
        let inputs = kernel.nest.inputs().iter();
        let along_rows = inputs.clone().any(|input| {
            let dim = contiguous_dim(&kernel.nest, input);
            dim.is_some_and(|dim| kernel.nest.dims[dim].reduction)
        });
        let mut parts = power_below(length / FEWEST_ELEMENTS).min(BLOCK);
        // Adjacent threads read adjacent elements.
        let columns = if along_rows {
            (BLOCK / parts).min(count)
        } else {
            count.min(WARP)
        };
        parts = parts.min(power_below(BLOCK / columns));
        let blocks = (count + columns - 1) / columns;
        let of_thread = length / parts;
        let pieces = if of_thread > ENOUGH_ELEMENTS {
            (ENOUGH_BLOCKS / blocks).min(of_thread / (2 * FEWEST_ELEMENTS)).max(1)
        } else {
            1
        };
        Some(Self {
            reducer,
            results,
            columns,
            parts,
            pieces,
        })
    }

    fn launch(&self, builder: &Builder<'c>, kernel: &Kernel<'c>, partial: Option<&[Value<'c>]>) {
        let sizes = kernel.sizes(&self.results);
        let count: i64 = sizes.iter().product();
        let dimensions = Dimensions {
            grid: [(count + self.columns - 1) / self.columns, self.pieces, 1],
            block: [self.columns, self.parts, 1],
        };
        let exact = count % self.columns == 0;
        let types = self.reducer.types().into_iter();
        let shared: Vec<_> =
            types.map(|ty| shared_type(builder, &[self.parts, self.columns], ty)).collect();
        launch(
            builder,
            "ordered_reduction",
            dimensions,
            &shared,
            |builder, ids, shared| {
                let base = index::mul(builder, ids.block[0], self.columns);
                let result = index::add(builder, base, ids.thread[0]);
                // Threads after the last result compute it too, without storing.
                let last = index::constant(builder, count - 1);
                let safe = arith::minui(builder, result, last);
                let mut ivs = zeros(builder, &kernel.nest);
                for (dim, iv) in self.results.iter().zip(index::delinearize(builder, safe, &sizes))
                {
                    ivs[*dim] = iv;
                }
                let of_block = index::mul(builder, ids.block[1], self.parts);
                let part = index::add(builder, of_block, ids.thread[1]);
                let parts = self.pieces * self.parts;
                let own = reduce_part(builder, kernel, &self.reducer, (&mut ivs, part, parts));
                let place = [ids.thread[1], ids.thread[0]];
                combine_parts(builder, &self.reducer, &own, (shared, &place, self.parts));
                let first = index::compare(builder, CmpIPredicate::Eq, ids.thread[1], 0);
                scf::when(builder, first, |builder| {
                    guard(builder, (result, count, exact), |builder| {
                        let all = load(builder, shared, &place);
                        match partial {
                            None => finish(builder, kernel, &self.reducer, (&ivs, &all)),
                            Some(partial) => {
                                let mut indices: Vec<_> =
                                    self.results.iter().map(|dim| ivs[*dim]).collect();
                                indices.push(ids.block[1]);
                                for (value, partial) in all.iter().zip(partial) {
                                    memref::store(builder, *value, *partial, &indices);
                                }
                            }
                        }
                    })
                })
            },
        );
    }
}
