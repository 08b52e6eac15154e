//! Normalizes while loops, so that each carried value has one position.
//!
//! Bufferization requires that the condition of a loop forwards the carried values in order.
//! Canonicalization does not preserve this: it drops values that the body does not use, replaces
//! loop-invariant arguments by outer values, and merges equal values.
//!
//! ```mlir
//! %0 = scf.while (%i = %x, %n = %y) : (tensor<i32>, tensor<i32>) -> tensor<i32> {
//!   scf.condition(%p) %n : tensor<i32>
//! } do {
//! ^bb0(%n: tensor<i32>):
//!   scf.yield %n, %m : tensor<i32>, tensor<i32>
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0:2 = scf.while (%i = %x, %n = %y) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {
//!   scf.condition(%p) %i, %n : tensor<i32>, tensor<i32>
//! } do {
//! ^bb0(%i: tensor<i32>, %n: tensor<i32>):
//!   scf.yield %n, %m : tensor<i32>, tensor<i32>
//! }
//! ```
//!
//! with `%0#1` for `%0`. A tensor that the condition computes and forwards becomes a carried value;
//! a scalar does not.

use super::materialize;
use crate::loops::order::is_defined_inside;
use halo_ir::prelude::*;

/// The source of a value that a condition forwards.
#[derive(Clone, Copy)]
enum Source<'c> {
    /// The carried value of this index.
    Carried(usize),
    /// A value that is defined outside the loop.
    Around(Value<'c>),
    /// The index of the carried value that is added for a tensor computed by the condition.
    Tensor(usize),
    /// The scalar of this index that the condition computes.
    Scalar(usize),
}

/// Rebuilds a loop unless its condition forwards exactly the carried values in order.
pub fn align<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let before = op.body(0).ok_or_else(|| no_match("a region is empty"))?;
    let after = op.body(1).ok_or_else(|| no_match("a region is empty"))?;
    let condition = before.terminator().ok_or_else(|| no_match("a block has no terminator"))?;
    let end = after.terminator().ok_or_else(|| no_match("a block has no terminator"))?;
    let condition_operands = condition.operands();
    let [verdict, passed @ ..] = &condition_operands[..] else {
        return Err(no_match("the loop has no condition"));
    };
    let carried = before.arguments();
    if passed == carried {
        return Ok(());
    }

    let (mut tensors, mut scalars) = (Vec::new(), Vec::new());
    let sources: Vec<Source> = passed
        .iter()
        .map(|value| {
            if let Some(number) = carried.iter().position(|argument| argument == value) {
                Source::Carried(number)
            } else if !is_defined_inside(*value, op) {
                Source::Around(*value)
            } else if value.ty().is_tensor() {
                tensors.push(*value);
                Source::Tensor(tensors.len() - 1)
            } else {
                scalars.push(*value);
                Source::Scalar(scalars.len() - 1)
            }
        })
        .collect();

    // The initial values of the loop, and the values that its condition forwards.
    let mut starts = op.operands();
    let mut passed_on = carried.clone();
    for value in &tensors {
        starts.push(empty(b, value.ty())?);
        let argument = before.add_argument(value.ty(), b.location());
        b.set_before(condition);
        passed_on.push(materialize(b, *value, argument));
        b.set_before(op);
    }
    passed_on.extend(&scalars);
    let types = passed_on.types();
    b.set_before(condition);
    scf::condition(&b.at(condition.location()), *verdict, &passed_on);
    b.erase(condition);

    // The new body takes the same values, even if it does not use all.
    let old = after.arguments();
    let new: Vec<Value> = types.iter().map(|ty| after.add_argument(*ty, b.location())).collect();
    let resolve = |source: Source<'c>, values: &[Value<'c>]| {
        let number = match source {
            Source::Around(value) => return Ok(value),
            Source::Carried(number) => number,
            Source::Tensor(number) => carried.len() + number,
            Source::Scalar(number) => carried.len() + tensors.len() + number,
        };
        values
            .get(number)
            .copied()
            .ok_or_else(|| no_match("it has another number of values"))
    };
    for (argument, source) in old.iter().zip(&sources) {
        argument.replace_uses_with(resolve(*source, &new)?);
    }
    for _ in &old {
        after.erase_argument(0);
    }
    let mut next = end.operands();
    next.extend(new.iter().skip(carried.len()).take(tensors.len()));
    b.set_before(end);
    scf::yield_(&b.at(end.location()), &next);
    b.erase(end);

    b.set_before(op);
    let regions = op.take_region(0).zip(op.take_region(1));
    let (before, after) = regions.ok_or_else(|| no_match("a region is absent"))?;
    let aligned = scf::WhileOp::build(b, &starts, &types, before, after).insert();
    let results = aligned.results();
    let values = sources
        .iter()
        .map(|source| resolve(*source, &results))
        .collect::<Result<Vec<_>, _>>()?;
    b.replace(op, &values);
    Ok(())
}

fn empty<'c>(b: &Builder<'c>, ty: Type<'c>) -> RewriteResult<Value<'c>> {
    if ty.static_shape().is_none() {
        return Err(RewriteError::Invalid(format!(
            "the condition of a loop passes on {ty}, whose shape is not static"
        )));
    }
    Ok(tensor::empty(b, &[], ty))
}
