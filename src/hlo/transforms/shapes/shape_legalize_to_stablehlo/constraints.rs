//! Constraints on shapes as shape assertions.

use super::values::{constant_vector, padded_left, to_int};
use crate::custom_calls::SHAPE_ASSERTION;
use halo_ir::{ops::shape, prelude::*};
use melior::ir::attribute::DenseElementsAttribute;

/// The patterns that the option adds.
pub fn patterns() -> Vec<Pattern<'static>> {
    vec![Pattern::new::<shape::CstrBroadcastableOp>(broadcastable)]
}

/// Two shapes are broadcastable if in each dimension the sizes are equal or one of them is 1.
fn broadcastable<'c>(b: &Builder<'c>, op: shape::CstrBroadcastableOp<'c>) -> RewriteResult {
    let [left, right] = op.shapes()[..] else {
        return Err(no_match("it has not two shapes"));
    };
    let (left, right) = padded_left(b, to_int(b, left)?, to_int(b, right)?)?;
    let rank = left
        .ty()
        .static_shape()
        .and_then(|dims| dims.first().copied())
        .and_then(|rank| usize::try_from(rank).ok())
        .ok_or_else(|| no_match("a shape is of dynamic length"))?;
    let ones = constant_vector(b, &vec![1; rank])?;
    let equal = |left, right| stablehlo::compare(b, left, right, ComparisonDirection::Eq);
    let is_one = stablehlo::or(b, equal(left, ones), equal(right, ones));
    let each = stablehlo::or(b, is_one, equal(left, right));

    let boolean = tensor_type(&[1], integer_type(b.context(), 1));
    let yes = DenseElementsAttribute::bool_splat(boolean, true);
    let mut all = stablehlo::constant(b, yes.into());
    for dimension in 0..rank as i64 {
        let one = stablehlo::slice(b, each, &[dimension], &[dimension + 1], &[1]);
        all = stablehlo::and(b, all, one);
    }
    let condition = stablehlo::reshape(b, all, tensor_type(&[], integer_type(b.context(), 1)));
    let message = string_attribute(b.context(), "Shape assertion failed");
    stablehlo::CustomCallOp::build(b, &[condition], SHAPE_ASSERTION, &[])
        .has_side_effect(true)
        .attribute("error_message", message)
        .insert();
    let witness = shape::const_witness(b, true);
    b.replace(op.operation(), &[witness]);
    Ok(())
}
