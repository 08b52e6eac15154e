//! Kernels with a thread for each iteration, or for a few adjacent iterations, of the parallel
//! loops.

use super::{
    kernel::{Kernel, output_order},
    nests::zeros,
};
use crate::{
    gpu::{
        launch::{Dimensions, global_x, guard, launch},
        vectors,
    },
    loops::{body, prelude::*, reduction},
};
use halo_ir::prelude::*;

/// Emits a kernel for a loop nest without reductions.
pub(super) fn elementwise<'c>(builder: &Builder<'c>, kernel: &Kernel<'c>) {
    let nest = &kernel.nest;
    let dims = output_order(kernel);
    let innermost = dims.last().copied();
    let width = innermost.map_or(1, |dim| vectors::width(nest, dim));
    let mut sizes = kernel.sizes(&dims);
    if let Some(last) = sizes.last_mut() {
        *last /= width;
    }
    let threads: i64 = sizes.iter().product();
    let dimensions = Dimensions::linear(threads);
    let exact = dimensions.threads_x() == threads;
    launch(
        builder,
        "elementwise",
        dimensions,
        &[],
        |builder, ids, _| {
            let id = global_x(builder, dimensions, ids);
            guard(builder, (id, threads, exact), |builder| {
                let mut ivs = zeros(builder, nest);
                for (dim, iv) in dims.iter().zip(index::delinearize(builder, id, &sizes)) {
                    ivs[*dim] = iv;
                }
                let Some(dim) = innermost else {
                    return body::emit_iteration_in_memory(builder, nest, &ivs);
                };
                ivs[dim] = index::mul(builder, ivs[dim], width);
                adjacent_iterations(builder, kernel, (&ivs, dim, width))
            })
        },
    );
}

/// The elements that a few adjacent iterations read, loaded before any is stored.
pub(super) struct Loaded<'c> {
    /// Each argument of the body with its value in each iteration.
    values: Vec<(Value<'c>, Vec<Value<'c>>)>,
}

impl<'c> Loaded<'c> {
    /// Loads the used ones of the first `count` operands in `width` iterations from `ivs` on along
    /// a dimension.
    pub(super) fn of(
        builder: &Builder<'c>,
        nest: &LoopNest<'c>,
        count: usize,
        position: (&[Value<'c>], usize, i64),
    ) -> Self {
        let mut values = Vec::new();
        let arguments = nest.body.arguments();
        for (argument, access) in arguments.into_iter().zip(&nest.accesses).take(count) {
            if !argument.is_unused() {
                values.push((argument, vectors::load(builder, nest, access, position)));
            }
        }
        Self { values }
    }

    /// The arguments of the body in one of the iterations.
    pub(super) fn at(&self, lane: i64) -> ValueMap<'c> {
        let mut map = ValueMap::new();
        for (argument, values) in &self.values {
            if let Some(value) = values.get(lane as usize) {
                map.insert(argument.key(), *value);
            }
        }
        map
    }
}

/// Emits a few adjacent iterations: all elements are loaded before any is stored.
pub(super) fn adjacent_iterations<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    (ivs, dim, width): (&[Value<'c>], usize, i64),
) {
    let nest = &kernel.nest;
    let loaded = Loaded::of(builder, nest, nest.accesses.len(), (ivs, dim, width));
    let mut results: Vec<Vec<Value>> = vec![Vec::new(); nest.outputs().len()];
    for lane in 0..width {
        let mut map = loaded.at(lane);
        let ivs = vectors::shifted(builder, ivs, dim, lane);
        let yielded = body::clone(builder, nest, &ivs, &mut map);
        for (result, value) in results.iter_mut().zip(yielded) {
            result.push(value);
        }
    }
    for (access, values) in nest.outputs().iter().zip(&results) {
        vectors::store(builder, nest, access, (ivs, dim), values);
    }
}

/// Emits a kernel with a thread for each iteration of the parallel loops, which runs the reduction
/// loops in order. Outputs that are invariant in these loops stay in registers.
pub(super) fn sequential_reduction<'c>(builder: &Builder<'c>, kernel: &Kernel<'c>) {
    let dims = output_order(kernel);
    let sizes = kernel.sizes(&dims);
    let threads: i64 = sizes.iter().product();
    let dimensions = Dimensions::linear(threads);
    let exact = dimensions.threads_x() == threads;
    let strategy = "sequential_reduction";
    launch(builder, strategy, dimensions, &[], |builder, ids, _| {
        let id = global_x(builder, dimensions, ids);
        guard(builder, (id, threads, exact), |builder| {
            let mut ivs = zeros(builder, &kernel.nest);
            for (dim, iv) in dims.iter().zip(index::delinearize(builder, id, &sizes)) {
                ivs[*dim] = iv;
            }
            reduce(builder, kernel, &mut ivs)
        })
    });
}

/// Emits the reduction to one element of each output.
pub(super) fn reduce<'c>(builder: &Builder<'c>, kernel: &Kernel<'c>, ivs: &mut [Value<'c>]) {
    let nest = &kernel.nest;
    reduction::keep_order(builder, &kernel.combiners);
    let reductions = kernel.dims(true);
    let carried: Vec<bool> = nest
        .outputs()
        .iter()
        .map(|access| reductions.iter().all(|dim| access.stride(*dim) == 0))
        .collect();
    let mut start = Vec::new();
    for (access, carried) in nest.outputs().iter().zip(&carried) {
        if *carried {
            start.push(access.load(builder, ivs));
        }
    }
    let ends = loops(builder, kernel, (&reductions, &carried), ivs, &start);
    let mut ends = ends.into_iter();
    for (number, carried) in carried.iter().enumerate() {
        if *carried && let Some(value) = ends.next() {
            kernel.store(builder, number, ivs, value);
        }
    }
}

fn loops<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    (dims, carried): (&[usize], &[bool]),
    ivs: &mut [Value<'c>],
    values: &[Value<'c>],
) -> Vec<Value<'c>> {
    let nest = &kernel.nest;
    let Some((dim, inner)) = dims.split_first() else {
        return body::emit_iteration(builder, nest, ivs, carried, values);
    };
    let bounds = (0, kernel.size(*dim), 1);
    scf::for_(builder, bounds, values, |builder, iv, values| {
        ivs[*dim] = iv;
        loops(builder, kernel, (inner, carried), ivs, values)
    })
    .results()
}
