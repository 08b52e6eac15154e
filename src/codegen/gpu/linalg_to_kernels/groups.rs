//! Lowers fusion groups: a block for each iteration.
//!
//! A group is a parallel loop around structured ops, which `--halo-form-fusion-groups` creates: an
//! iteration computes a row of a softmax or of a normalization. The threads of a block share each
//! op, and allocations of an iteration are in workgroup memory.
//!
//! ```mlir
//! scf.parallel (%i) = (%c0) to (%c4096) step (%c1) {
//!   %row = memref.subview %x[%i, 0] [1, 1024] [1, 1]
//!   %max = memref.alloc() : memref<1xf32>
//!   linalg.fill ins(%lowest) outs(%max)
//!   linalg.generic ins(%row) outs(%max) { maximumf }
//!   %exp = memref.alloc() : memref<1x1024xf32>
//!   linalg.generic ins(%row, %max) outs(%exp) { subf, exp }
//!   ...
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! gpu.launch blocks(%i, ...) in (%c4096, ...) threads(%thread, ...) in (%c256, ...)
//!     workgroup(%scratch : memref<32xf32, ...>, %max : memref<1xf32, ...>, ...) {
//!   // thread 0 fills %max; the maximum of the row, by all threads, into %max
//!   gpu.barrier
//!   // the exponentials of the row, by all threads
//! } {halo.strategy = "group"}
//! ```
//!
//! The threads of a block also share the iterations of `scf.for` with the attribute
//! `halo.parallel`, with a barrier at its end. All threads run other loops, around such loops.

use super::{
    block::{BlockCode, Work},
    nests::is_parallel_loop,
};
use crate::{
    gpu::{
        buffers::{in_workgroup_memory, is_in_workgroup_memory, shared_type},
        launch::{Dimensions, WARP, launch},
    },
    loops::{folded_writes::FoldedWrites, prelude::*},
};
use halo_ir::prelude::*;

/// The maximal bytes of workgroup memory for the buffers of an iteration.
const WORKGROUP_BYTES: u64 = 40 << 10;

/// Lowers a parallel loop that is a group; returns false if it is not one.
pub(super) fn lower<'c>(builder: &Builder<'c>, parallel: Operation<'c>) -> bool {
    let Some(group) = Group::of(parallel) else {
        return false;
    };
    group.emit(builder);
    true
}

/// A loop whose iterations are blocks.
struct Group<'c> {
    body: Block<'c>,
    /// The sizes of its loops, which start at 0 with step 1.
    sizes: Vec<i64>,
    /// The buffers of an iteration, the smallest first.
    allocations: Vec<Value<'c>>,
    work: Work<'c>,
}

impl<'c> Group<'c> {
    fn of(parallel: Operation<'c>) -> Option<Self> {
        let body = parallel.body(0)?;
        let operands = parallel.operands();
        let count = body.arguments().len();
        if parallel.result_count() != 0 || operands.len() != 3 * count {
            return None;
        }
        let constants: Vec<i64> =
            operands.into_iter().map(arith::constant_index).collect::<Option<_>>()?;
        let (lower, rest) = constants.split_at(count);
        let (upper, step) = rest.split_at(count);
        let starts_at_zero = lower.iter().all(|lower| *lower == 0);
        if !starts_at_zero || step.iter().any(|step| *step != 1) {
            return None;
        }
        let mut group = Self {
            body,
            sizes: upper.iter().map(|upper| (*upper).max(0)).collect(),
            allocations: Vec::new(),
            work: Work::default(),
        };
        for operation in body.operations() {
            group.add(operation)?;
        }
        let bytes = |buffer: &Value<'c>| size_in_bytes(buffer.ty()).unwrap_or(u64::MAX);
        group.allocations.sort_by_key(bytes);
        (group.work.elements >= WARP).then_some(group)
    }

    /// Adds an op; `None` if the threads of a block cannot share it.
    fn add(&mut self, operation: Operation<'c>) -> Option<()> {
        if operation.is_structured() {
            return self.work.add(operation, &FoldedWrites::default()).then_some(());
        }
        if operation.isa::<scf::ForOp>() && operation.result_count() == 0 {
            return self.add_loop(operation);
        }
        match operation.name() {
            memref::AllocOp::NAME => {
                let buffer = operation.results().first().copied()?;
                buffer.ty().static_shape()?;
                self.allocations.push(buffer);
                Some(())
            }
            memref::DeallocOp::NAME
            | memref::GetGlobalOp::NAME
            | scf::ReduceOp::NAME
            | scf::YieldOp::NAME => Some(()),
            // Scalars, which each thread computes.
            name if name.starts_with("arith.") || name.starts_with("affine.") => {
                let values = operation.results();
                (!values.into_iter().any(|value| value.ty().is_memref())).then_some(())
            }
            _ => view_source(operation).map(drop),
        }
    }

    /// Adds a loop whose iterations the threads share, or a loop around such loops, which all
    /// threads run.
    fn add_loop(&mut self, counted: Operation<'c>) -> Option<()> {
        if is_parallel_loop(counted) {
            let upper = counted.operands().get(1).copied().and_then(arith::constant_index);
            self.work.elements = self.work.elements.max(upper.unwrap_or(0));
            self.work.shares_loops = true;
            return Some(());
        }
        let body = counted.body(0)?;
        let is_loop = |operation: &Operation<'c>| operation.isa::<scf::ForOp>();
        let (loops, others): (Vec<_>, Vec<_>) = body.operations().into_iter().partition(is_loop);
        let are_scalars = others
            .iter()
            .all(|other| other.name().starts_with("arith.") || Some(*other) == body.terminator());
        if !are_scalars || counted.result_count() != 0 {
            return None;
        }
        loops.into_iter().try_for_each(|counted| self.add_loop(counted))
    }

    fn emit(&self, builder: &Builder<'c>) {
        let threads = self.work.threads();
        let iterations: i64 = self.sizes.iter().product();
        if iterations == 0 {
            return;
        }
        let dimensions = Dimensions {
            grid: [iterations, 1, 1],
            block: [threads, 1, 1],
        };
        let combining = self.work.combining_types(builder);
        let mut shared = combining.clone();
        let (inside, outside) = self.places();
        for buffer in &inside {
            let dims = buffer.ty().static_shape().unwrap_or_default();
            shared.push(shared_type(builder, &dims, buffer.ty().element_type()));
        }
        let memory = BlockMemory::of(builder, &outside, iterations);
        launch(
            builder,
            "group",
            dimensions,
            &shared,
            |builder, ids, shared| {
                let (combining, buffers) = shared.split_at(combining.len());
                let mut map = ValueMap::new();
                let ivs = index::delinearize(builder, ids.block[0], &self.sizes);
                for (argument, iv) in self.body.arguments().into_iter().zip(ivs) {
                    map.insert(argument.key(), iv);
                }
                for (buffer, shared) in inside.iter().zip(buffers) {
                    map.insert(buffer.key(), *shared);
                }
                memory.add_views(builder, ids.block[0], &mut map);
                // Ops in a loop have no folded writes.
                let folded = FoldedWrites::default();
                let mut code = BlockCode::new(&folded, (ids.thread[0], threads), combining);
                for operation in self.body.operations() {
                    emit(builder, &mut code, operation, &mut map);
                }
            },
        );
    }

    /// The smallest buffers, which are in workgroup memory, and the others.
    fn places(&self) -> (Vec<Value<'c>>, Vec<Value<'c>>) {
        let mut bytes = 0_u64;
        self.allocations.iter().partition(|buffer| {
            let size = size_in_bytes(buffer.ty()).unwrap_or(u64::MAX);
            bytes = bytes.saturating_add(size);
            bytes <= WORKGROUP_BYTES
        })
    }
}

/// Clones an op of the loop into the kernel. A structured op becomes code of the block.
fn emit<'c>(
    builder: &Builder<'c>,
    code: &mut BlockCode<'_, 'c>,
    operation: Operation<'c>,
    map: &mut ValueMap<'c>,
) {
    if matches!(
        operation.name(),
        memref::AllocOp::NAME | memref::DeallocOp::NAME | scf::ReduceOp::NAME | scf::YieldOp::NAME
    ) {
        return;
    }
    code.synchronize(builder, operation);
    let copy = builder.clone_op(operation, map);
    if copy.isa::<scf::ForOp>() {
        return code.share_loops(copy);
    }
    if let Some(source) = view_source(copy)
        && is_in_workgroup_memory(source.ty())
    {
        for result in copy.results() {
            result.set_type(in_workgroup_memory(builder, result.ty()));
        }
    }
    if copy.is_structured() {
        code.emit(builder, copy);
        builder.erase(copy);
    }
}

/// Memory for the buffers of an iteration that are too large for workgroup memory.
struct BlockMemory<'c> {
    /// The memory of all blocks, as bytes, and the bytes per block.
    memory: Option<(Value<'c>, i64)>,
    /// Each buffer, with its offset in the memory of a block.
    buffers: Vec<(Value<'c>, i64)>,
}

impl<'c> BlockMemory<'c> {
    fn of(builder: &Builder<'c>, buffers: &[Value<'c>], blocks: i64) -> Self {
        let mut end = 0_i64;
        let mut placed = Vec::new();
        for buffer in buffers {
            placed.push((*buffer, end));
            let bytes = size_in_bytes(buffer.ty()).unwrap_or(0);
            end += i64::try_from(bytes.next_multiple_of(16)).unwrap_or(0);
        }
        let byte = integer_type(builder.context(), 8);
        let memory = match end {
            0 => None,
            _ => Some((memref::alloc_aligned(builder, &[end * blocks], byte), end)),
        };
        Self {
            memory,
            buffers: placed,
        }
    }

    fn add_views(&self, builder: &Builder<'c>, block: Value<'c>, map: &mut ValueMap<'c>) {
        let Some((memory, bytes)) = self.memory else {
            return;
        };
        let base = index::mul(builder, block, bytes);
        for (buffer, begin) in &self.buffers {
            let begin = index::constant(builder, *begin);
            let begin = index::add(builder, base, begin);
            let view = memref::view(builder, memory, begin, &[], buffer.ty());
            map.insert(buffer.key(), view);
        }
    }
}
