//! Lowers copies of large buffers to parallel loops.
//!
//! A `memref.copy` between contiguous buffers is one call of `memcpy` on the thread of the entry. A
//! copy that is large enough for several threads becomes a parallel loop, whose kernel LLVM turns
//! into calls of `memcpy` for ranges.
//!
//! ```mlir
//! memref.copy %a, %b : memref<1024x1024xf32> to memref<1024x1024xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %from = memref.collapse_shape %a [[0, 1]] : memref<1024x1024xf32> into memref<1048576xf32>
//! %to = memref.collapse_shape %b [[0, 1]] : memref<1024x1024xf32> into memref<1048576xf32>
//! scf.parallel (%i) = (%c0) to (%c1048576) step (%c1) {
//!   %0 = memref.load %from[%i] : memref<1048576xf32>
//!   memref.store %0, %to[%i] : memref<1048576xf32>
//!   scf.reduce
//! }
//! ```
//!
//! A donated argument may share the memory of its result. The copy is then skipped:
//!
//! ```mlir
//! func.func private @main(%a: memref<4xf32> {tf.aliasing_output = 0 : i32}, %out: memref<4xf32>) {
//!   %from = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
//!   %to = memref.extract_aligned_pointer_as_index %out : memref<4xf32> -> index
//!   %apart = arith.cmpi ne, %from, %to : index
//!   scf.if %apart {
//!     memref.copy %a, %out : memref<4xf32> to memref<4xf32>
//!   }
//! ```

use crate::loops::prelude::*;
use halo_core::machine::Machine;
use halo_hlo::donated_arguments::is_shared;
use halo_ir::prelude::*;

/// Skips copies of donated arguments that share memory with their destination.
pub fn skip_in_place(function: Operation) {
    let moves = function.collect_nested(|op| {
        op.isa::<memref::CopyOp>()
            && op.operands().first().is_some_and(|source| {
                source.as_block_argument().is_some_and(|(block, number)| {
                    block.parent() == Some(function) && is_shared(function, number)
                })
            })
    });
    moves.into_iter().for_each(|copy| {
        let [from, to] = copy.operands()[..] else {
            return;
        };
        with_builder(copy, |builder| {
            let from = memref::extract_aligned_pointer_as_index(builder, from);
            let to = memref::extract_aligned_pointer_as_index(builder, to);
            let apart = arith::cmpi(builder, CmpIPredicate::Ne, from, to);
            let around = scf::if_(builder, apart, |_| {});
            if let Some(end) = around.operation().body(0).and_then(Block::terminator) {
                copy.move_before(end);
            }
        })
    })
}

/// Converts the copies of a function that are worth several threads to loops.
pub fn share(function: Operation, machine: &Machine) {
    let copies = function.collect_nested(|op| is_large(op, machine));
    copies.into_iter().for_each(|copy| {
        with_builder(copy, |builder| {
            emit(builder, copy);
            builder.erase(copy)
        })
    })
}

fn is_large(op: Operation, machine: &Machine) -> bool {
    if !op.isa::<memref::CopyOp>() {
        return false;
    }
    let sizes = op.operands().into_iter().map(|buffer| {
        let ty = buffer.ty();
        ty.is_memref().then(|| size_in_bytes(ty)).flatten()
    });
    let Some(sizes) = sizes.collect::<Option<Vec<_>>>() else {
        return false;
    };
    let around = std::iter::successors(op.parent(), |op| op.parent());
    machine.time_of_moving(sizes.iter().sum::<u64>() as f64) >= 2.0 * machine.woken
        && !around.into_iter().any(|op| op.isa::<scf::ParallelOp>())
}

fn emit<'c>(builder: &Builder<'c>, copy: Operation<'c>) {
    let [from, to] = copy.operands()[..] else {
        return;
    };
    let (from, to) = (flat(builder, from), flat(builder, to));
    let size = from.ty().static_shape().unwrap_or_default();
    scf::parallel_range(builder, size.iter().product::<i64>(), |builder, index| {
        let element = memref::load(builder, from, &[index]);
        memref::store(builder, element, to, &[index]);
    });
}

/// Collapses a contiguous buffer to one dimension.
fn flat<'c>(builder: &Builder<'c>, buffer: Value<'c>) -> Value<'c> {
    let ty = buffer.ty();
    let shape = ty.static_shape().unwrap_or_default();
    if shape.len() == 1 {
        return buffer;
    }
    let dims: Vec<i64> = (0..shape.len() as i64).collect();
    let flat = memref_type(&[shape.iter().product()], ty.element_type());
    memref::collapse_shape(builder, buffer, &[&dims], flat)
}
