//! Lowers parallel loops: a thread for each iteration.

use crate::{
    gpu::{
        buffers::private,
        launch::{BLOCK, Dimensions, global_x, guard, launch},
    },
    loops::prelude::*,
};
use halo_ir::prelude::*;

/// Buffers of an iteration up to this size are in the private memory of its thread.
const LARGEST_PRIVATE: u64 = 256;
/// Blocks for an unknown number of iterations.
const BLOCKS: i64 = 256;

/// Lowers a parallel loop without results; returns false if the op is not one.
pub(super) fn lower<'c>(builder: &Builder<'c>, parallel: Operation<'c>) -> bool {
    let Some(body) = parallel.body(0) else {
        return false;
    };
    let ivs = body.arguments();
    let operands = parallel.operands();
    if parallel.result_count() != 0 || operands.len() != 3 * ivs.len() {
        return false;
    }
    let (lower, rest) = operands.split_at(ivs.len());
    let (upper, step) = rest.split_at(ivs.len());
    let constants: Option<Vec<(i64, i64, i64)>> = (0..ivs.len())
        .map(|dim| {
            Some((
                arith::constant_index(lower[dim])?,
                arith::constant_index(upper[dim])?,
                arith::constant_index(step[dim])?,
            ))
        })
        .collect();
    match constants {
        Some(bounds) => fixed(builder, parallel, &bounds),
        None => dynamic(builder, parallel, (lower, upper, step)),
    }
    true
}

fn fixed<'c>(builder: &Builder<'c>, parallel: Operation<'c>, bounds: &[(i64, i64, i64)]) {
    let sizes: Vec<i64> = bounds
        .iter()
        .map(|(lower, upper, step)| ((upper - lower + step - 1) / (*step).max(1)).max(0))
        .collect();
    let threads: i64 = sizes.iter().product();
    if threads == 0 {
        return;
    }
    // Iterations are long, so that few of them should share a multiprocessor's cache.
    let mut dimensions = Dimensions::linear(threads);
    if threads < 32 * BLOCK {
        dimensions.block[0] = dimensions.block[0].min(32);
        dimensions.grid[0] = (threads + dimensions.block[0] - 1) / dimensions.block[0];
    }
    let exact = dimensions.threads_x() == threads;
    let scratch = Scratch::of(builder, parallel, dimensions.threads_x());
    launch(
        builder,
        "parallel_loop",
        dimensions,
        &[],
        |builder, ids, _| {
            let id = global_x(builder, dimensions, ids);
            guard(builder, (id, threads, exact), |builder| {
                let mut ivs = Vec::new();
                for (number, (lower, _, step)) in
                    index::delinearize(builder, id, &sizes).into_iter().zip(bounds)
                {
                    let scaled = index::mul(builder, number, *step);
                    ivs.push(index::add(builder, scaled, *lower));
                }
                copy_body(builder, parallel, &ivs, &scratch, id)
            })
        },
    );
}

/// Emits a fixed number of threads for a dynamic number of iterations.
fn dynamic<'c>(
    builder: &Builder<'c>,
    parallel: Operation<'c>,
    (lower, upper, step): (&[Value<'c>], &[Value<'c>], &[Value<'c>]),
) {
    let dimensions = Dimensions {
        grid: [BLOCKS, 1, 1],
        block: [BLOCK, 1, 1],
    };
    let scratch = Scratch::of(builder, parallel, dimensions.threads_x());
    launch(
        builder,
        "parallel_loop",
        dimensions,
        &[],
        |builder, ids, _| {
            let id = global_x(builder, dimensions, ids);
            let mut sizes = Vec::new();
            let mut count = index::constant(builder, 1);
            for ((lower, upper), step) in lower.iter().zip(upper).zip(step) {
                let extent = index::sub(builder, *upper, *lower);
                let extent = index::max(builder, extent, 0);
                let size = arith::ceildivsi(builder, extent, *step);
                count = index::mul(builder, count, size);
                sizes.push(size);
            }
            scf::for_each(
                builder,
                (id, count, dimensions.threads_x()),
                |builder, number| {
                    let mut ivs = Vec::new();
                    let mut rest = number;
                    for (dim, size) in sizes.iter().enumerate().rev() {
                        let position = index::rem(builder, rest, *size);
                        rest = index::div(builder, rest, *size);
                        let scaled = index::mul(builder, position, step[dim]);
                        ivs.push(index::add(builder, scaled, lower[dim]));
                    }
                    ivs.reverse();
                    copy_body(builder, parallel, &ivs, &scratch, id);
                },
            )
        },
    );
}

/// Memory for the buffers of each iteration.
struct Scratch<'c> {
    /// The memory of all threads, as bytes.
    memory: Option<Value<'c>>,
    /// The bytes per thread.
    each: u64,
}

impl<'c> Scratch<'c> {
    fn of(builder: &Builder<'c>, parallel: Operation<'c>, threads: i64) -> Self {
        let each: u64 = allocations_in(parallel).into_iter().filter_map(large_size).sum();
        let memory = match i64::try_from(each) {
            Ok(bytes) if bytes > 0 => {
                let byte = integer_type(builder.context(), 8);
                Some(memref::alloc_aligned(builder, &[bytes * threads], byte))
            }
            _ => None,
        };
        Self { memory, each }
    }
}

fn allocations_in(operation: Operation<'_>) -> Vec<Operation<'_>> {
    operation.collect_nested(|nested| nested.isa::<memref::AllocOp>())
}

/// The bytes of a buffer that is too large for private memory, rounded up to
/// the largest alignment of an element.
fn large_size(allocation: Operation) -> Option<u64> {
    let size = size_in_bytes(allocation.results().first()?.ty())?;
    (size > LARGEST_PRIVATE).then(|| size.next_multiple_of(16))
}

fn copy_body<'c>(
    builder: &Builder<'c>,
    parallel: Operation<'c>,
    ivs: &[Value<'c>],
    scratch: &Scratch<'c>,
    thread: Value<'c>,
) {
    let Some(body) = parallel.body(0) else {
        return;
    };
    let mut map = ValueMap::new();
    for (argument, iv) in body.arguments().into_iter().zip(ivs) {
        map.insert(argument.key(), *iv);
    }
    let terminator = body.terminator();
    let mut offset = 0;
    for operation in body.operations() {
        if Some(operation) == terminator {
            break;
        }
        let copy = builder.clone_op(operation, &mut map);
        let mut allocations = allocations_in(copy);
        if copy.isa::<memref::AllocOp>() {
            allocations.push(copy);
        }
        for allocation in allocations {
            let value = with_builder(allocation, |builder| {
                thread_buffer(builder, allocation, scratch, (thread, &mut offset))
            });
            for result in operation.results() {
                if map.get(&result.key()).copied() == allocation.results().first().copied() {
                    map.insert(result.key(), value);
                }
            }
            let result = allocation.results()[0];
            for deallocation in result.uses() {
                if deallocation.0.isa::<memref::DeallocOp>() {
                    builder.erase(deallocation.0);
                }
            }
            result.replace_uses_with(value);
            builder.erase(allocation);
        }
    }
}

/// The buffer of one thread.
fn thread_buffer<'c>(
    builder: &Builder<'c>,
    allocation: Operation<'c>,
    scratch: &Scratch<'c>,
    (thread, offset): (Value<'c>, &mut u64),
) -> Value<'c> {
    let ty = allocation.results()[0].ty();
    let (Some(size), Some(memory)) = (large_size(allocation), scratch.memory) else {
        let dims = ty.static_shape().unwrap_or_default();
        return private(builder, &dims, ty.element_type());
    };
    let base = index::mul(builder, thread, scratch.each as i64);
    let begin = index::constant(builder, *offset as i64);
    let begin = index::add(builder, base, begin);
    *offset += size;
    memref::view(builder, memory, begin, &[], ty)
}
