//! Constraints on shapes as shape assertions.

use super::values::{constant_vector, padded_left, to_int};
use crate::{custom_calls::SHAPE_ASSERTION, transforms::stablehlo_refine_shapes::evaluate};
use halo_ir::stablehlo::attributes::ComparisonDirection;
use halo_ir::{
    Attribute, Builder, Operation, OptionPattern, RewriteError, RewriteResult, Value,
    bool_attribute, i64_array_attribute, integer_type, operands_of, result_types_of,
    static_shape_of, string_attribute, tensor_type,
};
use melior::ir::{ValueLike, attribute::DenseElementsAttribute};

/// The patterns that the option adds.
pub static PATTERNS: &[OptionPattern<()>] = &[OptionPattern::new(
    "shape.cstr_broadcastable",
    broadcastable,
)];

/// Two shapes broadcast where in each dimension the sizes are the same or one of
/// them is 1.
fn broadcastable<'c>(b: &Builder<'c>, op: Operation<'c>, (): &()) -> RewriteResult {
    let [left, right] = operands_of(op)[..] else {
        return Err(RewriteError::NoMatch);
    };
    let (left, right) = padded_left(b, to_int(b, left)?, to_int(b, right)?)?;
    let rank = static_shape_of(left.r#type())
        .and_then(|dims| dims.first().copied())
        .and_then(|rank| usize::try_from(rank).ok())
        .ok_or(RewriteError::NoMatch)?;
    let ones = constant_vector(b, &vec![1; rank])?;
    let is_one = or(b, equal(b, left, ones)?, equal(b, right, ones)?)?;
    let each = or(b, is_one, equal(b, left, right)?)?;

    let boolean = tensor_type(&[1], integer_type(b.context(), 1));
    let mut all: Value =
        evaluate::constant(b, DenseElementsAttribute::bool_splat(boolean, true).into())?;
    let array =
        |value: usize| -> Attribute<'c> { i64_array_attribute(b.context(), &[value as i64]) };
    for dimension in 0..rank {
        let one = b
            .op("stablehlo.slice")
            .operands(&[each])
            .attribute("start_indices", array(dimension))
            .attribute("limit_indices", array(dimension + 1))
            .attribute("strides", array(1))
            .infer_results()
            .value()?;
        all = b
            .op("stablehlo.and")
            .operands(&[all, one])
            .infer_results()
            .value()?;
    }
    let condition = b.value(
        "stablehlo.reshape",
        &[all],
        tensor_type(&[], integer_type(b.context(), 1)),
    )?;
    b.op("stablehlo.custom_call")
        .operands(&[condition])
        .attribute(
            "call_target_name",
            string_attribute(b.context(), SHAPE_ASSERTION),
        )
        .attribute("has_side_effect", bool_attribute(b.context(), true))
        .attribute(
            "error_message",
            string_attribute(b.context(), "Shape assertion failed"),
        )
        .insert()?;
    let witness = b
        .op("shape.const_witness")
        .attribute("passing", bool_attribute(b.context(), true))
        .results(&result_types_of(op))
        .value()?;
    b.replace(op, &[witness])?;
    Ok(())
}

fn equal<'c>(
    b: &Builder<'c>,
    left: Value<'c>,
    right: Value<'c>,
) -> Result<Value<'c>, RewriteError> {
    let direction = ComparisonDirection::Eq.to_attribute(b.context());
    Ok(b.op("stablehlo.compare")
        .operands(&[left, right])
        .attribute("comparison_direction", direction)
        .infer_results()
        .value()?)
}

fn or<'c>(b: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Result<Value<'c>, RewriteError> {
    Ok(b.op("stablehlo.or")
        .operands(&[left, right])
        .infer_results()
        .value()?)
}
