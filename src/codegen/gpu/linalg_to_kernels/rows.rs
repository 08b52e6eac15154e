//! Reductions along contiguous memory: the threads of a warp or of a block
//! share a row, read adjacent elements, and combine their results.
//!
//! Few long rows are split, so that they occupy the whole device: a first kernel writes the partial
//! result of each piece, a second kernel reduces the partial results.

use super::{Kernel, combine_partial, iterations::Loaded, zeros};
use crate::{
    gpu::{
        buffers::shared_type,
        launch::{Dimensions, WARP, guard, launch},
        shuffle::{can_shuffle, reduce_block, reduce_warp},
        vectors,
    },
    loops::{body, loop_nest::contiguous_dim, prelude::*},
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

/// The distribution of a row.
#[derive(Clone)]
pub(super) struct Plan<'c> {
    pub(super) combiners: Vec<Combiner<'c>>,
    rows: Vec<usize>,
    /// The reduced dimensions, the contiguous one last.
    columns: Vec<usize>,
    /// The vector width of a thread.
    width: i64,
}

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

/// The plan of a reduction along contiguous memory.
pub(super) fn plan<'c>(kernel: &Kernel<'c>) -> Option<Plan<'c>> {
    let nest = &kernel.nest;
    let combiners: Vec<Combiner> = kernel.combiners.iter().copied().collect::<Option<_>>()?;
    if combiners.is_empty() || !combiners.iter().all(|one| can_shuffle(one.ty())) {
        return None;
    }
    let mut columns = kernel.dims(true);
    let contiguous = |dim: usize| {
        let read = nest.inputs().iter();
        read.filter(|access| contiguous_dim(nest, access) == Some(dim)).count()
    };
    let innermost = columns.iter().copied().max_by_key(|dim| contiguous(*dim))?;
    let strided = |dim: usize| {
        let read = nest.inputs().iter();
        read.filter(|access| !matches!(access.stride(dim), 0 | 1)).count()
    };
    let rows = kernel.dims(false);
    // Adjacent threads should read adjacent elements: more operands might be contiguous along a
    // dimension of the results.
    let better = rows
        .iter()
        .any(|dim| strided(*dim) < strided(innermost) && kernel.size(*dim) >= WARP);
    if contiguous(innermost) == 0 || better || kernel.product(&columns) < WARP {
        return None;
    }
    columns.retain(|dim| *dim != innermost);
    columns.push(innermost);
    Some(Plan {
        combiners,
        rows,
        width: vectors::width(nest, innermost),
        columns,
    })
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

/// The number of threads of a block for a row.
pub(super) fn threads_for(length: i64, width: i64) -> i64 {
    let mut threads = WARP;
    while threads < 512 && threads * width * 4 < length {
        threads *= 2;
    }
    threads
}

/// Emits the reduction of one row by a block, at the loop indices of the row.
pub(super) fn reduce_row<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    plan: &Plan<'c>,
    (ivs, thread, threads): (&mut [Value<'c>], Value<'c>, i64),
    shared: &[Value<'c>],
) {
    let length = kernel.product(&plan.columns);
    let bounds = (
        index::constant(builder, 0),
        index::constant(builder, length),
    );
    let mut values = accumulate(builder, kernel, plan, ivs, (thread, threads, bounds));
    for ((value, combiner), shared) in values.iter_mut().zip(&plan.combiners).zip(shared) {
        *value = reduce_block(builder, combiner, *value, (*shared, thread, threads));
    }
    finish(builder, kernel, plan, (thread, ivs, &values))
}

fn shared_of<'c>(builder: &Builder<'c>, plan: &Plan<'c>) -> Vec<halo_ir::Type<'c>> {
    let combiners = plan.combiners.iter();
    combiners.map(|combiner| shared_type(builder, &[WARP], combiner.ty())).collect()
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

fn row_indices<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    plan: &Plan<'c>,
    row: Value<'c>,
) -> Vec<Value<'c>> {
    let mut ivs = zeros(builder, &kernel.nest);
    let sizes = kernel.sizes(&plan.rows);
    for (dim, iv) in plan.rows.iter().zip(index::delinearize(builder, row, &sizes)) {
        ivs[*dim] = iv;
    }
    ivs
}

/// The results of a thread's elements of a row: from `begin` to `end`, `width` at a time, with the
/// stride of all threads.
fn accumulate<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    plan: &Plan<'c>,
    ivs: &mut [Value<'c>],
    (thread, threads, (begin, end)): (Value<'c>, i64, (Value<'c>, Value<'c>)),
) -> Vec<Value<'c>> {
    let mut start = Vec::new();
    for combiner in &plan.combiners {
        start.push(combiner.neutral(builder));
    }
    let offset = index::mul(builder, thread, plan.width);
    let lower = index::add(builder, begin, offset);
    let sizes = kernel.sizes(&plan.columns);
    scf::for_(
        builder,
        (lower, end, threads * plan.width),
        &start,
        |builder, column, values| {
            for (dim, iv) in plan.columns.iter().zip(index::delinearize(builder, column, &sizes)) {
                ivs[*dim] = iv;
            }
            neighbours(builder, kernel, plan, ivs, values)
        },
    )
    .results()
}

/// Reduces a few adjacent elements of a row.
fn neighbours<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    plan: &Plan<'c>,
    ivs: &[Value<'c>],
    values: &[Value<'c>],
) -> Vec<Value<'c>> {
    let nest = &kernel.nest;
    let Some(dim) = plan.columns.last().copied() else {
        return values.to_vec();
    };
    let arguments = nest.body.arguments();
    let outputs = &arguments[nest.input_count..];
    let loaded = Loaded::of(builder, nest, nest.input_count, (ivs, dim, plan.width));
    let mut values = values.to_vec();
    for lane in 0..plan.width {
        let mut map = loaded.at(lane);
        for (argument, value) in outputs.iter().zip(&values) {
            map.insert(argument.key(), *value);
        }
        let ivs = vectors::shifted(builder, ivs, dim, lane);
        values = body::clone(builder, nest, &ivs, &mut map);
    }
    values
}

/// Combines the results with the elements of the outputs and stores them, in the first thread of a
/// row.
fn finish<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    plan: &Plan<'c>,
    (thread, ivs, values): (Value<'c>, &[Value<'c>], &[Value<'c>]),
) {
    let first = index::compare(builder, CmpIPredicate::Eq, thread, 0);
    scf::when(builder, first, |builder| {
        let outputs = kernel.nest.outputs().iter();
        let parts = outputs.zip(&plan.combiners).zip(values);
        for (number, ((access, combiner), value)) in parts.enumerate() {
            let before = access.load(builder, ivs);
            let value = combiner.combine(builder, before, *value);
            kernel.store(builder, number, ivs, value);
        }
    })
}
