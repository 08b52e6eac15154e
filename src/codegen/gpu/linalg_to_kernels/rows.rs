//! Reductions along contiguous memory: the threads of a warp or of a block
//! share a row, read adjacent elements, and combine their results.
//!
//! Few long rows are split, so that they occupy the whole device: a first kernel writes the partial
//! result of each piece, a second kernel reduces the partial results.

use super::{
    combine_partial,
    kernel::Kernel,
    row::{Plan, accumulate, finish, plan, row_indices, shared_of, threads_for},
};
use crate::{
    gpu::{
        launch::{Dimensions, WARP, guard, launch},
        shuffle::{reduce_block, reduce_warp},
    },
    loops::prelude::*,
};
use halo_ir::prelude::*;

/// Rows up to this length get a warp each.
const WARP_ROW: i64 = 1024;
/// The minimal rows that occupy a device.
const ENOUGH_ROWS: i64 = 256;
/// Minimum number of elements of a piece of a long row.
const PIECE: i64 = 1 << 13;
/// The maximal pieces of a row.
const MOST_PIECES: i64 = 1024;

/// Lowers a reduction along contiguous memory; returns false if the op is not one.
pub(super) fn lower<'c>(builder: &Builder<'c>, kernel: &Kernel<'c>) -> bool {
    let Some(plan) = plan(kernel) else {
        return false;
    };
    let rows = kernel.product(&plan.rows);
    let length = kernel.product(&plan.columns);
    if rows < ENOUGH_ROWS && length >= 2 * PIECE {
        let wanted = (length / PIECE).min(MOST_PIECES).min(4 * ENOUGH_ROWS / rows);
        if wanted > 1 {
            in_pieces(builder, kernel, &plan, wanted);
            return true;
        }
    }
    if length <= WARP_ROW && rows > 1 {
        by_warps(builder, kernel, &plan);
    } else {
        by_blocks(builder, kernel, &plan);
    }
    true
}

/// Emits a kernel with a warp for each row, and several rows per block.
fn by_warps<'c>(builder: &Builder<'c>, kernel: &Kernel<'c>, plan: &Plan<'c>) {
    let rows = kernel.product(&plan.rows);
    let warps = rows.min(8);
    let dimensions = Dimensions {
        grid: [(rows + warps - 1) / warps, 1, 1],
        block: [WARP, warps, 1],
    };
    let exact = rows % warps == 0;
    launch(
        builder,
        "row_reduction",
        dimensions,
        &[],
        |builder, ids, _| {
            let base = index::mul(builder, ids.block[0], warps);
            let row = index::add(builder, base, ids.thread[1]);
            // Warps stay converged: a warp without a row computes the last row.
            let last = index::constant(builder, rows - 1);
            let safe = if exact {
                row
            } else {
                arith::minui(builder, row, last)
            };
            let mut ivs = row_indices(builder, kernel, plan, safe);
            let length = index::constant(builder, kernel.product(&plan.columns));
            let bounds = (index::constant(builder, 0), length);
            let mut values = accumulate(
                builder,
                kernel,
                plan,
                &mut ivs,
                (ids.thread[0], WARP, bounds),
            );
            for (value, combiner) in values.iter_mut().zip(&plan.combiners) {
                *value = reduce_warp(builder, combiner, *value);
            }
            guard(builder, (row, rows, exact), |builder| {
                finish(builder, kernel, plan, (ids.thread[0], &ivs, &values))
            })
        },
    );
}

/// Emits a kernel with a block for each row.
fn by_blocks<'c>(builder: &Builder<'c>, kernel: &Kernel<'c>, plan: &Plan<'c>) {
    let rows = kernel.product(&plan.rows);
    let length = kernel.product(&plan.columns);
    let threads = threads_for(length, plan.width);
    let dimensions = Dimensions {
        grid: [rows, 1, 1],
        block: [threads, 1, 1],
    };
    let shared = shared_of(builder, plan);
    launch(
        builder,
        "row_reduction",
        dimensions,
        &shared,
        |builder, ids, shared| {
            let mut ivs = row_indices(builder, kernel, plan, ids.block[0]);
            let bounds = (
                index::constant(builder, 0),
                index::constant(builder, length),
            );
            let of_block = (ids.thread[0], threads, bounds);
            let mut values = accumulate(builder, kernel, plan, &mut ivs, of_block);
            for ((value, combiner), shared) in values.iter_mut().zip(&plan.combiners).zip(shared) {
                let among = (*shared, ids.thread[0], threads);
                *value = reduce_block(builder, combiner, *value, among);
            }
            finish(builder, kernel, plan, (ids.thread[0], &ivs, &values))
        },
    );
}

/// Emits a kernel with a block for each piece of a row, and a second kernel for their partial
/// results.
fn in_pieces<'c>(builder: &Builder<'c>, kernel: &Kernel<'c>, plan: &Plan<'c>, wanted: i64) {
    let rows = kernel.product(&plan.rows);
    let length = kernel.product(&plan.columns);
    let step = plan.width * WARP;
    let piece = ((length + wanted - 1) / wanted + step - 1) / step * step;
    let pieces = (length + piece - 1) / piece;
    let threads = threads_for(piece, plan.width);
    let dimensions = Dimensions {
        grid: [pieces, rows, 1],
        block: [threads, 1, 1],
    };
    let mut partial = Vec::new();
    for combiner in &plan.combiners {
        partial.push(memref::alloc_aligned(
            builder,
            &[rows, pieces],
            combiner.ty(),
        ));
    }
    let shared = shared_of(builder, plan);
    launch(
        builder,
        "row_reduction",
        dimensions,
        &shared,
        |builder, ids, shared| {
            let mut ivs = row_indices(builder, kernel, plan, ids.block[1]);
            let begin = index::mul(builder, ids.block[0], piece);
            let end = index::add(builder, begin, piece);
            let all = index::constant(builder, length);
            let end = arith::minui(builder, end, all);
            let of_block = (ids.thread[0], threads, (begin, end));
            let mut values = accumulate(builder, kernel, plan, &mut ivs, of_block);
            for ((value, combiner), shared) in values.iter_mut().zip(&plan.combiners).zip(shared) {
                let among = (*shared, ids.thread[0], threads);
                *value = reduce_block(builder, combiner, *value, among);
            }
            let first = index::compare(builder, CmpIPredicate::Eq, ids.thread[0], 0);
            scf::when(builder, first, |builder| {
                for (value, partial) in values.iter().zip(&partial) {
                    memref::store(builder, *value, *partial, &[ids.block[1], ids.block[0]]);
                }
            })
        },
    );
    for ((combiner, partial), output) in
        plan.combiners.iter().zip(partial).zip(kernel.nest.outputs())
    {
        combine_pieces(builder, kernel, plan, (combiner, partial, output));
    }
}

/// Reduces the partial results of all pieces into an output.
fn combine_pieces<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    plan: &Plan<'c>,
    (combiner, partial, output): (&Combiner<'c>, Value<'c>, &Access<'c>),
) {
    // The rows are separate dimensions, as in the output.
    let mut sizes = kernel.sizes(&plan.rows);
    let rows = sizes.len();
    let pieces = partial.ty().static_shape().and_then(|shape| shape.last().copied()).unwrap_or(1);
    sizes.push(pieces);
    let partial = match rows {
        1 => partial,
        0 => {
            let ty = memref_type(&[pieces], partial.ty().element_type());
            memref::collapse_shape(builder, partial, &[&[0, 1]], ty)
        }
        _ => {
            let rows = rows as i64;
            let groups = [(0..rows).collect(), vec![rows]];
            expand_shape(builder, partial, &groups, &sizes)
        }
    };
    let mut output = output.clone();
    let position = |dim: usize| plan.rows.iter().position(|row| *row == dim).unwrap_or(0);
    for index in &mut output.indices {
        index.rename(&|dim| Expr::Dim(position(dim)));
    }
    let mut reductions = vec![false; rows];
    reductions.push(true);
    let combination = (combiner, kernel.epilogue.clone());
    combine_partial(builder, combination, (partial, output), &reductions)
}

fn expand_shape<'c>(
    builder: &Builder<'c>,
    memref: Value<'c>,
    groups: &[Vec<i64>],
    dims: &[i64],
) -> Value<'c> {
    let ty = memref_type(dims, memref.ty().element_type());
    let groups: Vec<&[i64]> = groups.iter().map(|group| &group[..]).collect();
    memref::expand_shape(builder, memref, &groups, &[], dims, ty)
}
