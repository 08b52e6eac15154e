//! Tensors that loops of single elements update.
//!
//! Lowerings whose iterations depend on one another (scatter, sort, top_k) are
//! loops and conditions that carry a tensor and replace one element of it after
//! the other. Such a tensor has its place already: that of what is written over.
//! Another one would cost a copy of the whole tensor for each element.
//!
//! ```mlir
//! %0 = scf.if %within -> (tensor<8xf32>) {
//!   %1 = tensor.insert %element into %carried[%i] : tensor<8xf32>
//!   scf.yield %1 : tensor<8xf32>
//! } else {
//!   scf.yield %carried : tensor<8xf32>
//! }
//! ```
//!
//! Here `%0` is `%carried` written over.

use crate::ir::{
    Operation, Value, arguments_of, body_of, defining_operation, is_inside, name_of, operands_of,
    parent_operation, terminator_of,
};
use melior::ir::operation::OperationLike;

/// The tensor of around an op that a value of within it is, with elements
/// replaced.
pub fn origin_around<'c>(value: Value<'c>, op: Operation<'c>) -> Option<Value<'c>> {
    let mut value = value;
    while let Some((definition, number)) = defining_operation(value) {
        let inside = parent_operation(definition).is_some_and(|parent| is_inside(parent, op));
        if !inside {
            break;
        }
        value = written_over(definition, number)?;
    }
    Some(value)
}

/// The tensor that an op replaces elements of to make a result.
fn written_over<'c>(op: Operation<'c>, number: usize) -> Option<Value<'c>> {
    match name_of(op) {
        "tensor.insert" => operands_of(op).get(1).copied(),
        "scf.for" => {
            let argument = *arguments_of(body_of(op, 0)?).get(number + 1)?;
            let next = nth_yielded(op, 0, number)?;
            (origin_around(next, op)? == argument)
                .then(|| operands_of(op).get(number + 3).copied())
                .flatten()
        }
        "scf.while" => {
            // The condition passes on what the loop carries, in the same place.
            let before = *arguments_of(body_of(op, 0)?).get(number)?;
            let after = *arguments_of(body_of(op, 1)?).get(number)?;
            let passed = nth_yielded(op, 0, number + 1)?;
            let next = nth_yielded(op, 1, number)?;
            (passed == before && origin_around(next, op)? == after)
                .then(|| operands_of(op).get(number).copied())
                .flatten()
        }
        "scf.if" | "scf.index_switch" => branches_origin(op, number),
        _ => None,
    }
}

/// The tensor of around a conditional that a result of it is in every branch,
/// with elements replaced.
pub fn branches_origin<'c>(op: Operation<'c>, number: usize) -> Option<Value<'c>> {
    let mut origins =
        (0..op.region_count()).map(|region| origin_around(nth_yielded(op, region, number)?, op));
    let first = origins.next()??;
    origins.all(|origin| origin == Some(first)).then_some(first)
}

fn nth_yielded<'c>(op: Operation<'c>, region: usize, number: usize) -> Option<Value<'c>> {
    let terminator = terminator_of(body_of(op, region)?)?;
    operands_of(terminator).get(number).copied()
}
