//! Reductions whose results are known without visiting the elements.

use super::splat_element;
use crate::matchers::ensure;
use halo_ir::{prelude::*, splat_attribute};

pub(super) fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::ReduceOp>(body_returns_constants),
        Pattern::new::<stablehlo::ReduceOp>(idempotent),
    ]
}

/// A body that returns constants -> these, broadcast.
fn body_returns_constants<'c>(b: &Builder<'c>, op: stablehlo::ReduceOp<'c>) -> RewriteResult {
    let body = op.operation().body(0).ok_or_else(|| no_match("a region is empty"))?;
    let terminator =
        *body.operations().last().ok_or_else(|| no_match("a block has no terminator"))?;
    let returned = terminator.operands();
    let results = op.result_types();
    ensure(
        returned.len() == results.len(),
        "the region returns another number of values",
    )?;
    // Without elements the result is the initial value.
    let first = *op.inputs().first().ok_or_else(|| no_match("it has no input"))?;
    ensure(
        first.ty().element_count().is_some_and(|count| count > 0),
        "the input has no elements",
    )?;
    let mut values: Vec<Value> = Vec::new();
    for (value, result) in returned.into_iter().zip(results) {
        ensure(result.static_shape().is_some(), "a shape is dynamic")?;
        ensure(
            value.ty().element_type() == result.element_type(),
            "the elements of an input and its result differ in type",
        )?;
        let constant = splat_attribute(result, splat_element(value)?);
        values.push(stablehlo::constant(b, constant));
    }
    b.replace(op.operation(), &values);
    Ok(())
}

/// `and` or `or` of a splat -> the element combined with the initial value once.
fn idempotent<'c>(b: &Builder<'c>, op: stablehlo::ReduceOp<'c>) -> RewriteResult {
    let ([input], [initial]) = (&op.inputs()[..], &op.init_values()[..]) else {
        return Err(no_match("it reduces more than one tensor"));
    };
    ensure(
        input.ty().element_count().is_some_and(|count| count > 0),
        "the input has no elements",
    )?;
    let body = op.operation().body(0).ok_or_else(|| no_match("a region is empty"))?;
    let [combine, terminator] = body.operations()[..] else {
        return Err(no_match("its region is not one op"));
    };
    let mut arguments = combine.operands();
    if arguments != body.arguments() {
        arguments.reverse();
    }
    ensure(
        arguments == body.arguments() && terminator.operands() == combine.results(),
        "its region is not one op on its arguments",
    )?;
    let (element, start) = (splat_element(*input)?, splat_element(*initial)?);
    let (Some(number), Some(other)) = (element.integer_value(), start.integer_value()) else {
        return Err(no_match("an operand is no constant splat of integers"));
    };
    let combined = match combine.name() {
        stablehlo::AndOp::NAME => number & other,
        stablehlo::OrOp::NAME => number | other,
        _ => return Err(no_match("the reduction changes what it reduces twice")),
    };
    let result = *op
        .operation()
        .result_types()
        .first()
        .ok_or_else(|| no_match("it has no result"))?;
    ensure(
        result.static_shape().is_some() && element.ty() == result.element_type(),
        "the shape is dynamic, or the elements differ in type",
    )?;
    let element = integer_attribute(result.element_type(), combined);
    let new = stablehlo::constant(b, splat_attribute(result, element));
    b.replace(op.operation(), &[new]);
    Ok(())
}
