//! The reduction of one row along contiguous memory by the threads of a warp or of a block.

use super::{iterations::Loaded, kernel::Kernel, nests::zeros};
use crate::{
    gpu::{
        buffers::shared_type,
        launch::WARP,
        shuffle::{can_shuffle, reduce_block},
        vectors,
    },
    loops::{body, loop_nest::contiguous_dim, prelude::*},
};
use halo_ir::prelude::*;

/// The distribution of a row.
#[derive(Clone)]
pub(super) struct Plan<'c> {
    pub(super) combiners: Vec<Combiner<'c>>,
    pub(super) rows: Vec<usize>,
    /// The reduced dimensions, the contiguous one last.
    pub(super) columns: Vec<usize>,
    /// The vector width of a thread.
    pub(super) width: i64,
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

pub(super) fn shared_of<'c>(builder: &Builder<'c>, plan: &Plan<'c>) -> Vec<Type<'c>> {
    let combiners = plan.combiners.iter();
    combiners.map(|combiner| shared_type(builder, &[WARP], combiner.ty())).collect()
}

pub(super) fn row_indices<'c>(
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
pub(super) fn accumulate<'c>(
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
pub(super) fn finish<'c>(
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
