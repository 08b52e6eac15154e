//! Lowers runs of adjacent small ops to one block.
//!
//! Launching a kernel takes as long as a block needs for thousands of elements. Therefore adjacent
//! small ops, such as the normalization of one row, become one kernel of one block.
//!
//! ```mlir
//! linalg.generic ins(%x : memref<1x768xf32>) outs(%sum : memref<1xf32>) { addf }
//! linalg.generic ins(%sum : memref<1xf32>) outs(%mean : memref<1xf32>) { divf }
//! ```
//!
//! becomes
//!
//! ```mlir
//! gpu.launch blocks(...) in (%c1, ...) threads(%thread, ...) in (%c64, ...) {
//!   // the sum, by all threads
//!   // the mean, by thread 0
//! } {halo.strategy = "small_ops"}
//! ```

use super::{
    block::{BlockCode, Work, iterations_of},
    nests::{is_parallel_loop, runs_in_kernel},
    scatter,
};
use crate::{
    gpu::launch::{Dimensions, launch},
    loops::{folded_writes::FoldedWrites, prelude::*},
};
use halo_ir::prelude::*;

/// The maximal iterations of an op for which one block is as fast as a separate kernel.
const MOST_ITERATIONS: i64 = 4096;
/// The maximal sequential iterations of a thread for an element of a result.
const MOST_IN_SEQUENCE: i64 = 16;
/// The maximal ops of a kernel.
const MOST_OPS: usize = 64;

/// Lowers the runs of small ops of an entry function, including runs in its loops.
pub(super) fn lower<'c>(function: Operation<'c>, folded: &FoldedWrites<'c>) {
    let mut blocks: Vec<Block> = function.blocks();
    for around in function.collect_nested(|op| op.name().starts_with("scf.")) {
        if !runs_in_kernel(around) && around.result_count() == 0 && !is_parallel_loop(around) {
            blocks.extend(around.blocks());
        }
    }
    let blocks = blocks.into_iter();
    blocks.for_each(|block| lower_block(block, folded))
}

fn lower_block<'c>(block: Block<'c>, folded: &FoldedWrites<'c>) {
    let mut run = Vec::new();
    for operation in block.operations() {
        let is_small = is_small(operation, folded);
        let stays = has_no_effect(operation) || folded.padded.drops(operation);
        if run.len() == MOST_OPS || !is_small && !stays {
            emit(&run, folded);
            run.clear();
        }
        if is_small {
            run.push(operation);
        }
    }
    emit(&run, folded)
}

fn is_small<'c>(operation: Operation<'c>, folded: &FoldedWrites<'c>) -> bool {
    operation.is_structured()
        && !scatter::is_scatter(operation)
        && iterations_of(operation, folded).is_some_and(|(count, of_thread)| {
            count <= MOST_ITERATIONS && of_thread <= MOST_IN_SEQUENCE
        })
}

/// Returns true if an op between the ops of a run can stay before the kernel.
fn has_no_effect(operation: Operation) -> bool {
    view_source(operation).is_some()
        || matches!(
            operation.name(),
            arith::ConstantOp::NAME | memref::AllocOp::NAME | memref::GetGlobalOp::NAME
        )
}

/// Emits a kernel of several ops at the position of the last one.
fn emit<'c>(run: &[Operation<'c>], folded: &FoldedWrites<'c>) {
    let [_, .., last] = run else {
        return;
    };
    let mut work = Work::default();
    if !run.iter().all(|operation| work.add(*operation, folded)) {
        return;
    }
    let threads = work.threads();
    let dimensions = Dimensions {
        grid: [1, 1, 1],
        block: [threads, 1, 1],
    };
    with_builder(*last, |builder| {
        let combining = work.combining_types(builder);
        launch(
            builder,
            "small_ops",
            dimensions,
            &combining,
            |builder, ids, combining| {
                let mut code = BlockCode::new(folded, (ids.thread[0], threads), combining);
                for operation in run {
                    code.synchronize(builder, *operation);
                    code.emit(builder, *operation);
                }
            },
        )
    });
    for operation in run {
        with_builder(*operation, |builder| builder.erase(*operation));
    }
}
