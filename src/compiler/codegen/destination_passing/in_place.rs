//! Sees where a value is made by writing over a tensor, so that it has its place
//! already.
//!
//! A loop that replaces single elements of what it carries writes over it as the
//! ops stand:
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
//! To move `%next` to `%t` would say nothing new, and the branches of a
//! conditional in the loop would copy the whole tensor to do so.

use super::forward::destination_operand;
use crate::ir::{
    Operation, Value, arguments_of, body_of, defining_operation, name_of, operands_of,
    operations_of, parent_operation, terminator_of, uses_of,
};
use melior::ir::operation::OperationLike;

/// Whether a value is `destination` after some writes, each over the value
/// before it, which nothing reads afterwards.
pub fn is_written_over<'c>(value: Value<'c>, destination: Value<'c>) -> bool {
    let mut value = value;
    while value != destination {
        let Some((op, number)) = defining_operation(value) else {
            return false;
        };
        let name = name_of(op);
        let base = match name {
            "tensor.insert" | "tensor.insert_slice" => operands_of(op).get(1).copied(),
            "bufferization.materialize_in_destination" => operands_of(op).get(1).copied(),
            "scf.for" => carried_over(op, number),
            "scf.while" => carried_on(op, number),
            "scf.if" | "scf.index_switch" => {
                let written = (0..op.region_count()).all(|region| {
                    yielded(op, region, number)
                        .is_some_and(|value| is_written_over(value, destination))
                });
                written.then_some(destination)
            }
            _ => destination_operand(op, name, number)
                .and_then(|position| operands_of(op).get(position).copied()),
        };
        match base {
            Some(base) if is_read_before(base, op) => value = base,
            _ => return false,
        }
    }
    true
}

fn yielded<'c>(op: Operation<'c>, region: usize, number: usize) -> Option<Value<'c>> {
    let terminator = terminator_of(body_of(op, region)?)?;
    operands_of(terminator).get(number).copied()
}

/// What a loop starts a result from, if it writes over it.
fn carried_over<'c>(op: Operation<'c>, number: usize) -> Option<Value<'c>> {
    let argument = *arguments_of(body_of(op, 0)?).get(number + 1)?;
    is_written_over(yielded(op, 0, number)?, argument)
        .then(|| operands_of(op).get(number + 3).copied())?
}

/// What a loop with a condition starts a result from, if it writes over it: the
/// condition passes on what the loop carries, in the same place.
fn carried_on<'c>(op: Operation<'c>, number: usize) -> Option<Value<'c>> {
    let before = *arguments_of(body_of(op, 0)?).get(number)?;
    let after = *arguments_of(body_of(op, 1)?).get(number)?;
    (is_written_over(yielded(op, 0, number + 1)?, before)
        && is_written_over(yielded(op, 1, number)?, after))
    .then(|| operands_of(op).get(number).copied())?
}

/// Whether all uses of a value but those by the op that writes over it are
/// single elements that are read before that. A use in another block than that
/// of the op is judged where that block is.
fn is_read_before(value: Value, writer: Operation) -> bool {
    let Some(block) = writer.block() else {
        return false;
    };
    let operations = operations_of(block);
    let position = |op: Operation| operations.iter().position(|other| *other == op);
    let Some(end) = position(writer) else {
        return false;
    };
    uses_of(value).into_iter().all(|(user, _)| {
        let mut around = user;
        while position(around).is_none() {
            match parent_operation(around) {
                Some(parent) => around = parent,
                None => return true,
            }
        }
        if around == writer {
            return user == writer || !matches!(name_of(writer), "scf.for" | "scf.while");
        }
        name_of(user) == "tensor.extract" && position(around).is_some_and(|start| start < end)
    })
}
