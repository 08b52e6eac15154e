//! Sinks writes over tensors to their first use.
//!
//! Ops that overwrite a tensor and ops that read its old value may have any
//! order, since both work on values. In place, the reads have to come first:
//!
//! ```mlir
//! %1 = tensor.insert %min into %table[%i]     // the write
//! %2 = tensor.extract %table[%j]              // would read a copy of the table
//! %3 = tensor.insert %2 into %1[%j]
//! ```
//!
//! becomes
//!
//! ```mlir
//! %2 = tensor.extract %table[%j]
//! %1 = tensor.insert %min into %table[%i]
//! %3 = tensor.insert %2 into %1[%j]
//! ```

use super::super::destination_passing::overwritten_by_branches;
use crate::loops::aliases::ancestor_in;
use halo_ir::{
    Block, Operation, body_of, collect_operations, is_before, move_before, name_of, operations_of,
    ops::{Op, scf, tensor},
    results_of, uses_of,
};
use melior::ir::operation::OperationLike;

/// Sinks the writes of a function and of all nested blocks.
pub fn sink_writes(function: Operation) {
    let mut blocks: Vec<Block> = body_of(function, 0).into_iter().collect();
    for op in collect_operations(function, |op| name_of(op).starts_with("scf.")) {
        blocks.extend((0..op.region_count()).filter_map(|region| body_of(op, region)));
    }
    for block in blocks {
        sink_in(block);
    }
}

fn sink_in(block: Block) {
    // In reverse order, so that the users of an op have been moved before it.
    for op in operations_of(block).into_iter().rev() {
        if !writes_over(op) {
            continue;
        }
        let users = results_of(op)
            .into_iter()
            .flat_map(uses_of)
            .filter_map(|(user, _)| ancestor_in(block, user));
        let first = users.reduce(|first, user| match is_before(user, first) {
            true => user,
            false => first,
        });
        if let Some(user) = first {
            move_before(op, user);
        }
    }
}

/// Whether an op only replaces parts of a tensor.
fn writes_over(op: Operation) -> bool {
    match name_of(op) {
        tensor::InsertOp::NAME | tensor::InsertSliceOp::NAME => true,
        scf::ForOp::NAME => has_no_effects(op),
        scf::IfOp::NAME | scf::IndexSwitchOp::NAME => {
            (0..results_of(op).len()).any(|number| overwritten_by_branches(op, number).is_some())
                && has_no_effects(op)
        }
        _ => false,
    }
}

fn has_no_effects(op: Operation) -> bool {
    collect_operations(op, |op| {
        let name = name_of(op);
        name.starts_with("func.") || name.starts_with("memref.")
    })
    .is_empty()
}
