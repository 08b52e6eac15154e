//! Sinks writes over tensors to their first use.
//!
//! Ops that overwrite a tensor and ops that read its old value may have any order, since tensors
//! are values. For an update in place, the reads must come first:
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
//!
//! A write without later reads of the old value is not moved, since its operands would be live
//! longer.

use super::super::destination_passing::{overwritten, overwritten_by_branches};
use crate::loops::aliases::ancestor_in;
use halo_ir::prelude::*;
use std::collections::{HashMap, HashSet};

/// Sinks the writes of a function and of all nested blocks.
pub fn sink_writes(function: Operation) {
    let mut blocks: Vec<Block> = function.body(0).into_iter().collect();
    for op in function.collect_nested(|op| op.name().starts_with("scf.")) {
        blocks.extend((0..op.region_count()).filter_map(|region| op.body(region)));
    }
    for block in blocks {
        sink_in(block);
    }
}

fn sink_in(block: Block) {
    let writes: Vec<Operation> =
        block.operations().into_iter().filter(|op| writes_over(*op)).collect();
    let blocked = blocked(block, &writes);
    // In reverse order, so that the users of an op have been moved before it.
    for op in writes.into_iter().rev() {
        if !blocked.contains(&op.key()) {
            continue;
        }
        let users = op
            .results()
            .into_iter()
            .flat_map(Value::uses)
            .filter_map(|(user, _)| ancestor_in(block, user));
        let first = users.reduce(|first, user| if user.is_before(first) { user } else { first });
        if let Some(user) = first {
            op.move_before(user);
        }
    }
}

/// The writes of a block that precede reads of an old value of their tensor. Writes to results of
/// such writes are included.
fn blocked<'c>(block: Block<'c>, writes: &[Operation<'c>]) -> HashSet<usize> {
    let mut last_reads = HashMap::new();
    let mut blocked = HashSet::new();
    for op in writes {
        let is_blocked =
            (0..op.results().len())
                .filter_map(|number| destination(*op, number))
                .any(|tensor| {
                    let writer = tensor.defining_op().map(|writer| writer.key());
                    writer.is_some_and(|writer| blocked.contains(&writer))
                        || last_read(block, tensor, &mut last_reads)
                            .is_some_and(|read| read != *op && op.is_before(read))
                });
        if is_blocked {
            blocked.insert(op.key());
        }
    }
    blocked
}

/// The tensor that an op overwrites with a result.
pub fn destination<'c>(op: Operation<'c>, number: usize) -> Option<Value<'c>> {
    match op.name() {
        scf::ForOp::NAME => op.operand(number + 3),
        scf::WhileOp::NAME => op.operand(number),
        _ => overwritten(op, number),
    }
}

/// Returns true if an op overwrites a tensor, which is an operand of it.
fn overwrites<'c>(op: Operation<'c>, operand: usize, tensor: Value<'c>) -> bool {
    match op.name() {
        // Loops may carry thousands of values.
        scf::ForOp::NAME => operand >= 3,
        scf::WhileOp::NAME => true,
        _ => (0..op.result_count()).any(|number| destination(op, number) == Some(tensor)),
    }
}

/// The last op of a block that reads a tensor or a view of it. Ops that overwrite the tensor do not
/// count: one of the two needs a copy in any order.
fn last_read<'c>(
    block: Block<'c>,
    tensor: Value<'c>,
    known: &mut HashMap<usize, Option<Operation<'c>>>,
) -> Option<Operation<'c>> {
    if let Some(read) = known.get(&tensor.key()) {
        return *read;
    }
    let mut last: Option<Operation> = None;
    for (user, operand) in tensor.uses() {
        let reader = match user.name() {
            tensor::ExtractSliceOp::NAME
            | tensor::CollapseShapeOp::NAME
            | tensor::ExpandShapeOp::NAME
            | tensor::CastOp::NAME => {
                user.results().first().and_then(|view| last_read(block, *view, known))
            }
            _ if overwrites(user, operand, tensor) => None,
            _ => ancestor_in(block, user),
        };
        if let Some(reader) = reader
            && last.is_none_or(|last| last.is_before(reader))
        {
            last = Some(reader);
        }
    }
    known.insert(tensor.key(), last);
    last
}

/// Returns true if an op only replaces elements of a tensor.
fn writes_over(op: Operation) -> bool {
    match op.name() {
        tensor::InsertOp::NAME | tensor::InsertSliceOp::NAME => true,
        scf::ForOp::NAME => has_no_effects(op),
        scf::IfOp::NAME | scf::IndexSwitchOp::NAME => {
            (0..op.results().len()).any(|number| overwritten_by_branches(op, number).is_some())
                && has_no_effects(op)
        }
        _ => false,
    }
}

fn has_no_effects(op: Operation) -> bool {
    op.collect_nested(|op| {
        let name = op.name();
        name.starts_with("func.") || name.starts_with("memref.")
    })
    .is_empty()
}
