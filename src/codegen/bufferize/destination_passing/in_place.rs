//! Finds values that overwrite a tensor, which therefore already have a destination.
//!
//! A loop that replaces single elements of a carried tensor already overwrites it in place:
//!
//! ```mlir
//! %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<8xf32>) {
//!   %old = tensor.extract %t[%i] : tensor<8xf32>
//!   %new = arith.addf %old, %old : f32
//!   %next = tensor.insert %new into %t[%i] : tensor<8xf32>
//!   scf.yield %next : tensor<8xf32>
//! }
//! ```
//!
//! Copying `%next` to `%t` would be redundant, and the branches of a conditional in the loop would
//! copy the whole tensor. `--halo-insert-tensor-copies` inserts copies if an earlier value of the
//! tensor is read later.

use super::forward::destination_operand;
use crate::loops::order::is_defined_inside;

use halo_ir::{ops::bufferization, prelude::*};

/// Returns true if a value is `destination` after a chain of writes.
pub fn is_written_over<'c>(value: Value<'c>, destination: Value<'c>) -> bool {
    let mut value = value;
    while value != destination {
        match value.as_result().and_then(|(op, number)| overwritten(op, number)) {
            Some(base) => value = base,
            None => return false,
        }
    }
    true
}

/// The tensor that an op overwrites with one of its results.
pub fn overwritten<'c>(op: Operation<'c>, number: usize) -> Option<Value<'c>> {
    match op.name() {
        bufferization::MaterializeInDestinationOp::NAME => op.operand(1),
        scf::ForOp::NAME => carried_over(op, number),
        scf::WhileOp::NAME => carried_on(op, number),
        scf::IfOp::NAME | scf::IndexSwitchOp::NAME => overwritten_by_branches(op, number),
        name => op.operand(destination_operand(op, name, number)?),
    }
}

fn yielded<'c>(op: Operation<'c>, region: usize, number: usize) -> Option<Value<'c>> {
    op.body(region)?.terminator()?.operand(number)
}

/// The initial value of a loop's result, if the loop overwrites it.
fn carried_over<'c>(op: Operation<'c>, number: usize) -> Option<Value<'c>> {
    let argument = op.body(0)?.argument(number + 1)?;
    is_written_over(yielded(op, 0, number)?, argument).then(|| op.operand(number + 3))?
}

/// The initial value of a while loop's result, if the loop overwrites it: the condition forwards
/// the carried values in order.
fn carried_on<'c>(op: Operation<'c>, number: usize) -> Option<Value<'c>> {
    let before = op.body(0)?.argument(number)?;
    let after = op.body(1)?.argument(number)?;
    (is_written_over(yielded(op, 0, number + 1)?, before)
        && is_written_over(yielded(op, 1, number)?, after))
    .then(|| op.operand(number))?
}

/// The outer tensor that all branches of a conditional overwrite or return unchanged as a result.
pub fn overwritten_by_branches<'c>(op: Operation<'c>, number: usize) -> Option<Value<'c>> {
    let (mut common, mut written) = (None, false);
    for region in 0..op.region_count() {
        let mut value = yielded(op, region, number)?;
        while is_defined_inside(value, op) {
            let (definition, number) = value.as_result()?;
            value = overwritten(definition, number)?;
            written = true;
        }
        if *common.get_or_insert(value) != value {
            return None;
        }
    }
    // New tensors have no contents to copy.
    let is_new = |value: &Value| {
        value
            .defining_op()
            .is_some_and(|op| matches!(op.name(), tensor::EmptyOp::NAME | linalg::FillOp::NAME))
    };
    common.filter(|value| written && !is_new(value))
}
