//! Predicates of rewrites on values, mainly constants.

use crate::literals;
use halo_core::float_format::{FloatFormat, SpecialValues};
use halo_ir::{ops::shape, prelude::*};

/// The ops that compute each element of their result from one element of each
/// operand, all of one shape and none quantized, sorted by name.
pub static ELEMENTWISE: &[&str] = &[
    stablehlo::AbsOp::NAME,
    stablehlo::AddOp::NAME,
    stablehlo::AndOp::NAME,
    stablehlo::Atan2Op::NAME,
    stablehlo::CbrtOp::NAME,
    stablehlo::CeilOp::NAME,
    stablehlo::CompareOp::NAME,
    stablehlo::ComplexOp::NAME,
    stablehlo::ConvertOp::NAME,
    stablehlo::CosineOp::NAME,
    stablehlo::ClzOp::NAME,
    stablehlo::DivOp::NAME,
    stablehlo::ExpOp::NAME,
    stablehlo::Expm1Op::NAME,
    stablehlo::FloorOp::NAME,
    stablehlo::ImagOp::NAME,
    stablehlo::IsFiniteOp::NAME,
    stablehlo::LogOp::NAME,
    stablehlo::Log1pOp::NAME,
    stablehlo::LogisticOp::NAME,
    stablehlo::MaxOp::NAME,
    stablehlo::MinOp::NAME,
    stablehlo::MulOp::NAME,
    stablehlo::NegOp::NAME,
    stablehlo::NotOp::NAME,
    stablehlo::OrOp::NAME,
    stablehlo::PopulationCountOp::NAME,
    stablehlo::PowOp::NAME,
    stablehlo::RealOp::NAME,
    stablehlo::ReducePrecisionOp::NAME,
    stablehlo::RemOp::NAME,
    stablehlo::RoundOp::NAME,
    stablehlo::RoundNearestEvenOp::NAME,
    stablehlo::RsqrtOp::NAME,
    stablehlo::ShiftLeftOp::NAME,
    stablehlo::ShiftRightArithmeticOp::NAME,
    stablehlo::ShiftRightLogicalOp::NAME,
    stablehlo::SignOp::NAME,
    stablehlo::SineOp::NAME,
    stablehlo::SqrtOp::NAME,
    stablehlo::SubtractOp::NAME,
    stablehlo::TanOp::NAME,
    stablehlo::TanhOp::NAME,
    stablehlo::XorOp::NAME,
];

/// The operands of an op with exactly this many.
pub fn operands<'c, const N: usize>(op: Operation<'c>) -> RewriteResult<[Value<'c>; N]> {
    op.operands()
        .try_into()
        .map_err(|_| no_match("it has another number of operands"))
}

/// The type of an op's first result.
pub fn result_type<'c>(op: Operation<'c>) -> RewriteResult<Type<'c>> {
    op.result_types().first().copied().ok_or_else(|| no_match("it has no result"))
}

/// The dimensions of a static type.
pub fn static_shape(ty: Type) -> RewriteResult<Vec<i64>> {
    ty.static_shape().ok_or_else(|| no_match("a type has no static shape"))
}

/// Fails the match with a reason unless a condition holds.
pub fn ensure(condition: bool, reason: &'static str) -> RewriteResult {
    if condition {
        Ok(())
    } else {
        Err(no_match(reason))
    }
}

/// The defining op of a value, if it is of a given type.
pub fn defined_by<'c, O: Op<'c>>(value: Value<'c>) -> RewriteResult<O> {
    value
        .defined_by::<O>()
        .ok_or_else(|| no_match("an operand is not defined by an op of the expected kind"))
}

/// The elements of a constant, of StableHLO's or another dialect.
pub fn constant_of<'c>(value: Value<'c>) -> Option<Attribute<'c>> {
    let definition = value.defining_op()?;
    Some(match definition.name() {
        arith::ConstantOp::NAME => definition.cast::<arith::ConstantOp>()?.value(),
        chlo::ConstantOp::NAME => definition.cast::<chlo::ConstantOp>()?.value(),
        shape::ConstShapeOp::NAME => definition.cast::<shape::ConstShapeOp>()?.shape(),
        stablehlo::ConstantOp::NAME => definition.cast::<stablehlo::ConstantOp>()?.value(),
        _ => return None,
    })
}

/// Excludes quantized constants, whose storage type differs.
fn plain_constant<'c>(value: Value<'c>) -> Option<Attribute<'c>> {
    let attribute = constant_of(value)?;
    let element = value.ty().element_type();
    (!element.is_quantized() && attribute.ty().element_type() == element).then_some(attribute)
}

/// The elements of a constant of integers.
pub fn integers_of(value: Value) -> Option<Vec<i128>> {
    plain_constant(value)?.dense_integers()
}

/// The elements of a constant of sizes or positions.
pub fn i64s_of(value: Value) -> Option<Vec<i64>> {
    plain_constant(value)?.dense_i64s()
}

/// The integer of a splat constant.
pub fn splat_integer_of(value: Value) -> Option<i128> {
    plain_constant(value)?.splat_integer()
}

/// The number of a real splat constant.
pub fn splat_of(value: Value) -> Option<f64> {
    plain_constant(value)?.splat_number()
}

/// Returns true for a constant of zeros, of either sign; for complex numbers, of zeros in both
/// parts.
pub fn is_zero(value: Value) -> bool {
    is_number(value, 0.0)
}

/// Returns true for a constant of ones.
pub fn is_one(value: Value) -> bool {
    is_number(value, 1.0)
}

fn is_number(value: Value, number: f64) -> bool {
    splat_parts(value).is_some_and(|parts| {
        let imaginary = parts.iter().skip(1);
        parts.first() == Some(&number) && imaginary.copied().all(|part| part == 0.0)
    })
}

/// The number of a splat constant; complex numbers as two parts.
fn splat_parts(value: Value) -> Option<Vec<f64>> {
    let attribute = plain_constant(value)?;
    if !value.ty().element_type().is_complex() {
        return Some(vec![attribute.splat_number()?]);
    }
    let parts = attribute.splat_value()?.array_elements();
    parts.into_iter().map(Attribute::float_value).collect()
}

/// The sign of a zero of floats or complex numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZeroSign {
    Positive,
    Negative,
}

/// Returns true for a constant of zeros of this sign in all parts. The zero of a type without
/// signed zeros has both signs.
pub fn is_zero_of_sign(value: Value, sign: ZeroSign) -> bool {
    let has_two_zeros = float_format(value).is_some_and(|format| {
        format.sign_bit() != 0 && format.special != SpecialValues::NegativeZeroIsNan
    });
    let is_of_sign = |part: &f64| {
        *part == 0.0 && (!has_two_zeros || part.is_sign_negative() == (sign == ZeroSign::Negative))
    };
    splat_parts(value).is_some_and(|parts| !parts.is_empty() && parts.iter().all(is_of_sign))
}

/// The float format of the elements of a value, or of their parts.
pub fn float_format(value: Value) -> Option<FloatFormat> {
    let element = value.ty().element_type();
    let real = element.complex_element().unwrap_or(element);
    literals::element_type_of(real).ok()?.float_format()
}

/// Returns true for a constant of integers or booleans with all bits set.
pub fn is_all_ones(value: Value) -> bool {
    let element = value.ty().element_type();
    let (Some(attribute), Some(width)) = (plain_constant(value), element.integer_width()) else {
        return false;
    };
    attribute.splat_integer().is_some_and(|number| {
        width <= 64 && (number as u64) << (64 - width) == u64::MAX << (64 - width)
    })
}

/// The comparison direction after swapping the operands.
pub fn swapped(direction: ComparisonDirection) -> ComparisonDirection {
    use ComparisonDirection as Direction;
    match direction {
        Direction::Eq | Direction::Ne => direction,
        Direction::Ge => Direction::Le,
        Direction::Gt => Direction::Lt,
        Direction::Le => Direction::Ge,
        Direction::Lt => Direction::Gt,
    }
}

/// Returns true if the elements of a value are integers or booleans.
pub fn is_integral(value: Value) -> bool {
    value.ty().element_type().is_integer()
}

/// Returns true if a body returns the sum of its two arguments.
pub fn is_sum(body: Block) -> bool {
    let [add, end] = body.operations()[..] else {
        return false;
    };
    let (arguments, terms) = (body.arguments(), add.operands());
    add.isa::<stablehlo::AddOp>()
        && arguments.len() == 2
        && arguments.iter().all(|argument| terms.contains(argument))
        && end.operands() == add.results()
}

/// Returns true if dimensions are 0, 1, 2, ...
pub fn is_iota(dimensions: &[i64]) -> bool {
    dimensions
        .iter()
        .enumerate()
        .all(|(index, dimension)| index as i64 == *dimension)
}

/// The size of a dimension of a type; `None` if it is dynamic or missing.
pub fn dim_size(ty: Type, dimension: i64) -> Option<i64> {
    let shape = ty.shape()?;
    *shape.get(usize::try_from(dimension).ok()?)?
}

#[cfg(test)]
mod tests {
    use super::ELEMENTWISE;

    /// Binary search requires a sorted list.
    #[test]
    fn elementwise_ops_are_sorted() {
        assert!(ELEMENTWISE.is_sorted());
    }
}
