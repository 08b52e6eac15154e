//! Strided reductions: a block has 32 columns by 8 rows of threads, so that a warp reads adjacent
//! elements, and a thread reduces every eighth element of a column.
//!
//! If there are few columns, the reduction is split, and a second kernel
//! reduces the rows of partial results.

use super::{
    combine_partials,
    kernel::{Kernel, output_order},
    nests::zeros,
};
use crate::{
    gpu::{
        buffers::shared_type,
        launch::{Dimensions, WARP, launch},
    },
    loops::{body, prelude::*},
};
use halo_ir::prelude::*;

/// Threads of a block that share a column.
const ROWS: i64 = 8;
/// More results occupy the device with one thread each.
const MOST_RESULTS: i64 = 1 << 17;
/// Shorter reductions are computed by one thread.
const SHORTEST: i64 = 32;
/// The minimal blocks that occupy a device.
const ENOUGH_BLOCKS: i64 = 256;

/// The distribution of the reduction.
struct Plan<'c> {
    combiners: Vec<Combiner<'c>>,
    /// The dimensions of the results, the contiguous one last.
    results: Vec<usize>,
    reductions: Vec<usize>,
    /// The number of pieces of the reduction.
    pieces: i64,
}

/// Lowers a strided reduction; returns false if the op is not one.
pub(super) fn lower<'c>(builder: &Builder<'c>, kernel: &Kernel<'c>) -> bool {
    let Some(plan) = plan(kernel) else {
        return false;
    };
    if plan.pieces == 1 {
        launch_blocks(builder, kernel, &plan, None);
        return true;
    }
    let mut sizes = vec![plan.pieces];
    sizes.extend(kernel.sizes(&plan.results));
    let mut partial = Vec::new();
    for combiner in &plan.combiners {
        partial.push(memref::alloc_aligned(builder, &sizes, combiner.ty()));
    }
    launch_blocks(builder, kernel, &plan, Some(&partial));
    combine_pieces(builder, kernel, &plan, &partial);
    true
}

fn plan<'c>(kernel: &Kernel<'c>) -> Option<Plan<'c>> {
    let combiners: Vec<Combiner> = kernel.combiners.iter().copied().collect::<Option<_>>()?;
    let (results, reductions) = (output_order(kernel), kernel.dims(true));
    let last = *results.last()?;
    let length = kernel.product(&reductions);
    let count = kernel.product(&results);
    let reads_columns = kernel.nest.inputs().iter().any(|access| access.stride(last) == 1);
    if combiners.is_empty() || !reads_columns || length < SHORTEST || count > MOST_RESULTS {
        return None;
    }
    let blocks = column_blocks(kernel, &results);
    let pieces = if length >= 4 * SHORTEST * ROWS && blocks < ENOUGH_BLOCKS {
        (ENOUGH_BLOCKS / blocks).min(length / (SHORTEST * ROWS))
    } else {
        1
    };
    Some(Plan {
        combiners,
        results,
        reductions,
        pieces,
    })
}

fn column_blocks(kernel: &Kernel, results: &[usize]) -> i64 {
    let Some((last, outer)) = results.split_last() else {
        return 1;
    };
    (kernel.size(*last) + WARP - 1) / WARP * kernel.product(outer)
}

fn launch_blocks<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    plan: &Plan<'c>,
    partial: Option<&[Value<'c>]>,
) {
    let Some((last, outer)) = plan.results.split_last() else {
        return;
    };
    let columns = kernel.size(*last);
    let dimensions = Dimensions {
        grid: [column_blocks(kernel, &plan.results), plan.pieces, 1],
        block: [WARP, ROWS, 1],
    };
    let shared: Vec<_> = plan
        .combiners
        .iter()
        .map(|combiner| shared_type(builder, &[ROWS, WARP], combiner.ty()))
        .collect();
    launch(
        builder,
        "column_reduction",
        dimensions,
        &shared,
        |builder, ids, shared| {
            let mut ivs = zeros(builder, &kernel.nest);
            let mut sizes = kernel.sizes(outer);
            sizes.push((columns + WARP - 1) / WARP);
            let mut blocks = index::delinearize(builder, ids.block[0], &sizes);
            let base = index::mul(builder, blocks.pop().unwrap_or(ids.block[0]), WARP);
            let column = index::add(builder, base, ids.thread[0]);
            let end = index::constant(builder, columns - 1);
            // Threads after the last column compute it too, without storing.
            ivs[*last] = arith::minui(builder, column, end);
            for (dim, iv) in outer.iter().zip(blocks) {
                ivs[*dim] = iv;
            }
            let values = accumulate(
                builder,
                kernel,
                plan,
                &mut ivs,
                (ids.block[1], ids.thread[1]),
            );
            for (value, shared) in values.iter().zip(shared) {
                memref::store(builder, *value, *shared, &[ids.thread[1], ids.thread[0]]);
            }
            gpu::barrier(builder);
            let zero = index::constant(builder, 0);
            let top = arith::cmpi(builder, CmpIPredicate::Eq, ids.thread[1], zero);
            let inside = index::compare(builder, CmpIPredicate::Ult, column, columns);
            let stores = arith::andi(builder, top, inside);
            scf::when(builder, stores, |builder| {
                for (number, combiner) in plan.combiners.iter().enumerate() {
                    let mut value = memref::load(builder, shared[number], &[zero, ids.thread[0]]);
                    for row in 1..ROWS {
                        let row = index::constant(builder, row);
                        let other = memref::load(builder, shared[number], &[row, ids.thread[0]]);
                        value = combiner.combine(builder, value, other);
                    }
                    match partial {
                        Some(partial) => {
                            let mut indices = vec![ids.block[1]];
                            indices.extend(plan.results.iter().map(|dim| ivs[*dim]));
                            memref::store(builder, value, partial[number], &indices);
                        }
                        None => {
                            let access = &kernel.nest.outputs()[number];
                            let before = access.load(builder, &ivs);
                            let value = combiner.combine(builder, before, value);
                            kernel.store(builder, number, &ivs, value);
                        }
                    }
                }
            })
        },
    );
}

/// The partial results of a thread's elements of a column.
fn accumulate<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    plan: &Plan<'c>,
    ivs: &mut [Value<'c>],
    (piece, row): (Value<'c>, Value<'c>),
) -> Vec<Value<'c>> {
    let mut start = Vec::new();
    for combiner in &plan.combiners {
        start.push(combiner.neutral(builder));
    }
    let length = kernel.product(&plan.reductions);
    let each = (length + plan.pieces - 1) / plan.pieces;
    let begin = index::mul(builder, piece, each);
    let all = index::constant(builder, length);
    let end = index::add(builder, begin, each);
    let end = arith::minui(builder, end, all);
    let bounds = (
        index::add(builder, begin, row),
        end,
        index::constant(builder, ROWS),
    );
    let sizes = kernel.sizes(&plan.reductions);
    scf::for_(builder, bounds, &start, |builder, number, values| {
        for (dim, iv) in plan.reductions.iter().zip(index::delinearize(builder, number, &sizes)) {
            ivs[*dim] = iv;
        }
        let values: Vec<_> = values.iter().copied().map(Some).collect();
        body::emit(builder, &kernel.nest, ivs, &values)
    })
    .results()
}

/// Reduces the partial results of all pieces into the outputs.
fn combine_pieces<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    plan: &Plan<'c>,
    partial: &[Value<'c>],
) {
    let position = |dim: usize| plan.results.iter().position(|own| *own == dim).unwrap_or(0);
    let mut outputs = kernel.nest.outputs().to_vec();
    for index in outputs.iter_mut().flat_map(|output| &mut output.indices) {
        index.rename(&|dim| Expr::Dim(position(dim) + 1));
    }
    let mut reductions = vec![false; plan.results.len() + 1];
    reductions[0] = true;
    let partials = (partial, outputs);
    let epilogue = kernel.epilogue.clone();
    combine_partials(
        builder,
        epilogue,
        partials,
        &reductions,
        |builder, before, values| {
            let pairs = plan.combiners.iter().zip(before.iter().zip(values));
            let combined =
                pairs.map(|(combiner, (before, value))| combiner.combine(builder, *before, *value));
            combined.collect()
        },
    )
}
