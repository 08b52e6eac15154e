//! Emits ops that the threads of one block execute together, one after the other.
//!
//! A reduction of one row is combined by shuffles, as in a separate kernel; iterations of other ops
//! are distributed over the threads. Barriers separate conflicting accesses of different threads.

use super::{
    iterations,
    kernel::{Kernel, output_order},
    nests::{is_parallel_loop, nest_of, zeros},
    parts, row,
};
use crate::{
    gpu::{buffers::shared_type, launch::WARP, vectors},
    loops::{body, folded_writes::FoldedWrites, prelude::*, reduction},
};
use halo_ir::prelude::*;
use std::collections::HashMap;

/// The maximal threads of a block.
const MOST_THREADS: i64 = 256;

/// The loop nest of an op without loops of one iteration, if all sizes are static.
fn kernel_of<'c>(operation: Operation<'c>, folded: &FoldedWrites<'c>) -> Option<Kernel<'c>> {
    let mut nest = nest_of(operation, folded)?;
    nest.drop_unit_dims();
    let combiners = reduction::combiners(&nest);
    Some(Kernel {
        nest,
        combiners,
        epilogue: None,
    })
}

/// The plan for reducing one row by a block, if the op is such a reduction.
fn by_block<'c>(kernel: &Kernel<'c>) -> Option<row::Plan<'c>> {
    let has_one_row = kernel.dims(false).is_empty() && !kernel.dims(true).is_empty();
    has_one_row.then(|| row::plan(kernel))?
}

/// Returns true if the threads of a block share the reduction of one result.
fn is_shared(kernel: &Kernel) -> bool {
    by_block(kernel).is_some() || parts::by_block(kernel).is_some()
}

/// The work of a block, which determines its size before the kernel is built.
#[derive(Default)]
pub(super) struct Work<'c> {
    /// The elements of the largest op.
    pub elements: i64,
    /// The maximal vector width of the ops.
    width: i64,
    /// Set if the threads share loops with barriers, which more threads shorten.
    pub shares_loops: bool,
    /// The number and the type of the values that the threads combine.
    combined: Vec<(i64, Type<'c>)>,
}

impl<'c> Work<'c> {
    /// Adds an op; returns true if a block can compute it.
    pub fn add(&mut self, operation: Operation<'c>, folded: &FoldedWrites<'c>) -> bool {
        let Some(kernel) = kernel_of(operation, folded) else {
            return false;
        };
        self.elements = self.elements.max(elements(&kernel));
        for dim in 0..kernel.nest.dims.len() {
            self.width = self.width.max(vectors::width(&kernel.nest, dim));
        }
        if let Some(plan) = by_block(&kernel) {
            let combiners = plan.combiners.iter();
            self.combined.extend(combiners.map(|combiner| (WARP, combiner.ty())));
        } else if let Some((reducer, parts)) = parts::by_block(&kernel) {
            let parts = parts.min(2 * MOST_THREADS);
            self.combined.extend(reducer.types().into_iter().map(|ty| (parts, ty)));
        }
        true
    }

    pub fn threads(&self) -> i64 {
        let most = if self.shares_loops {
            2 * MOST_THREADS
        } else {
            MOST_THREADS
        };
        row::threads_for(self.elements, self.width.max(1)).min(most)
    }

    /// The types of the workgroup memory for combining values.
    pub fn combining_types(&self, builder: &Builder<'c>) -> Vec<Type<'c>> {
        let types = self.combined.iter();
        types.map(|(count, ty)| shared_type(builder, &[*count], *ty)).collect()
    }
}

/// The number of iterations of an op that a block can compute, and the minimal number of sequential
/// iterations of a thread.
pub(super) fn iterations_of<'c>(
    operation: Operation<'c>,
    folded: &FoldedWrites<'c>,
) -> Option<(i64, i64)> {
    let kernel = kernel_of(operation, folded)?;
    let of_thread = if is_shared(&kernel) {
        1
    } else {
        kernel.product(&kernel.dims(true))
    };
    Some((elements(&kernel), of_thread))
}

fn elements(kernel: &Kernel) -> i64 {
    let sizes = kernel.nest.dims.iter().map(|dim| dim.extent.estimate());
    sizes.product()
}

/// The builder of a block's code.
pub(super) struct BlockCode<'a, 'c> {
    folded: &'a FoldedWrites<'c>,
    thread: Value<'c>,
    threads: i64,
    /// The memory for combining the reductions that follow.
    combining: std::vec::IntoIter<Value<'c>>,
    accesses: Accesses,
}

impl<'a, 'c> BlockCode<'a, 'c> {
    pub fn new(
        folded: &'a FoldedWrites<'c>,
        (thread, threads): (Value<'c>, i64),
        combining: &[Value<'c>],
    ) -> Self {
        Self {
            folded,
            thread,
            threads,
            combining: Vec::from(combining).into_iter(),
            accesses: Accesses::default(),
        }
    }

    /// Emits a barrier if an op conflicts with earlier accesses of other threads.
    pub fn synchronize(&mut self, builder: &Builder<'c>, operation: Operation<'c>) {
        if let Some(kernel) = kernel_of(operation, self.folded)
            && self.accesses.add(operation, &kernel)
        {
            gpu::barrier(builder);
        }
    }

    /// Distributes the iterations of a parallel loop, or of the parallel loops in a loop, over the
    /// threads.
    pub fn share_loops(&mut self, counted: Operation<'c>) {
        let mut loops = counted.collect_nested(is_parallel_loop);
        if is_parallel_loop(counted) {
            loops.push(counted);
        }
        if !self.accesses.of_buffers.is_empty() {
            with_builder(counted, gpu::barrier);
            self.accesses.of_buffers.clear();
        }
        for shared in loops {
            with_builder(shared, |builder| {
                let [lower, _, step] = shared.operands()[..] else {
                    return;
                };
                let offset = arith::muli(builder, self.thread, step);
                shared.set_operand(0, index::add(builder, lower, offset));
                shared.set_operand(2, index::mul(builder, step, self.threads));
                builder.set_after(shared);
                gpu::barrier(builder);
            });
        }
    }

    /// Emits the code of an op.
    pub fn emit(&mut self, builder: &Builder<'c>, operation: Operation<'c>) {
        if let Some(kernel) = kernel_of(operation, self.folded) {
            self.share(builder, &kernel);
        }
    }

    /// Distributes the iterations of an op over the threads.
    fn share(&mut self, builder: &Builder<'c>, kernel: &Kernel<'c>) {
        let nest = &kernel.nest;
        reduction::set_fastmath(builder, &kernel.combiners);
        let mut ivs = zeros(builder, nest);
        if nest.is_empty() {
            return;
        }
        if nest.dims.is_empty() {
            let first = index::compare(builder, CmpIPredicate::Eq, self.thread, 0);
            return scf::when(builder, first, |builder| {
                body::emit_iteration_in_memory(builder, nest, &ivs)
            });
        }
        if let Some(plan) = by_block(kernel) {
            let count = plan.combiners.len();
            let own: Vec<Value> = self.combining.by_ref().take(count).collect();
            let among = (&mut ivs[..], self.thread, self.threads);
            return row::reduce_row(builder, kernel, &plan, among, &own);
        }
        if let Some((reducer, parts)) = parts::by_block(kernel) {
            let count = reducer.types().len();
            let own: Vec<Value> = self.combining.by_ref().take(count).collect();
            let among = (&mut ivs[..], self.thread, self.threads);
            return parts::reduce_in_block(builder, kernel, (&reducer, parts), among, &own);
        }
        if !kernel.dims(true).is_empty() {
            let dims = output_order(kernel);
            return self.strided(builder, kernel, (&dims, 1), |builder, ivs| {
                iterations::reduce(builder, kernel, ivs)
            });
        }
        let dims = output_order(kernel);
        let innermost = dims.last().copied().unwrap_or(0);
        let width = vectors::width(nest, innermost);
        self.strided(builder, kernel, (&dims, width), |builder, ivs| {
            iterations::adjacent_iterations(builder, kernel, (ivs, innermost, width))
        })
    }

    /// A loop in which each thread computes `width` adjacent elements. In each iteration, the
    /// elements of all threads are contiguous.
    fn strided(
        &self,
        builder: &Builder<'c>,
        kernel: &Kernel<'c>,
        (dims, width): (&[usize], i64),
        element: impl Fn(&Builder<'c>, &mut [Value<'c>]),
    ) {
        let mut ivs = zeros(builder, &kernel.nest);
        let begin = index::mul(builder, self.thread, width);
        let sizes = kernel.sizes(dims);
        scf::for_each(
            builder,
            (begin, kernel.product(dims), self.threads * width),
            |builder, at| {
                for (dim, iv) in dims.iter().zip(index::delinearize(builder, at, &sizes)) {
                    ivs[*dim] = iv;
                }
                element(builder, &mut ivs);
            },
        )
    }
}

/// The threads of a block that access a buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Threads {
    First,
    All,
}

/// The accesses since the last barrier.
#[derive(Default)]
struct Accesses {
    /// The accesses by buffer: true for writes, with the threads.
    of_buffers: HashMap<usize, Vec<(bool, Threads)>>,
}

impl Accesses {
    /// Adds the accesses of an op; returns true if it needs a barrier before.
    fn add(&mut self, operation: Operation, kernel: &Kernel) -> bool {
        let (readers, writers) = if kernel.nest.dims.is_empty() {
            (Threads::First, Threads::First)
        } else if is_shared(kernel) {
            (Threads::All, Threads::First)
        } else {
            (Threads::All, Threads::All)
        };
        let mut added = Vec::new();
        let mut add = |value: Value, writes, who| {
            if value.ty().is_memref() {
                added.push((buffer_of(value).key(), (writes, who)));
            }
        };
        for (number, access) in kernel.nest.accesses.iter().enumerate() {
            if number < kernel.nest.input_count {
                add(access.value, false, readers)
            } else {
                add(access.value, true, writers)
            }
        }
        // Buffers that the body loads.
        operation.visit(&mut |nested| {
            if nested != operation {
                nested.operands().into_iter().for_each(|operand| add(operand, false, readers));
            }
        });
        let has_conflict = added.iter().any(|(buffer, (writes, who))| {
            let before = self.of_buffers.get(buffer).into_iter().flatten();
            before.into_iter().any(|(wrote, others)| {
                (*writes || *wrote) && (*who == Threads::All || *others == Threads::All)
            })
        });
        if has_conflict {
            self.of_buffers.clear();
        }
        for (buffer, access) in added {
            self.of_buffers.entry(buffer).or_default().push(access);
        }
        has_conflict
    }
}

/// The buffer of a memref, through views.
fn buffer_of(memref: Value<'_>) -> Value<'_> {
    let source = memref.defining_op().and_then(|operation| view_source(operation));
    source.map_or(memref, buffer_of)
}
