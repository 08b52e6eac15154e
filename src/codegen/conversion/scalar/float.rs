//! Elementwise ops on floats.
//!
//! Functions of formats narrower than f32 are computed in f32 and rounded once;
//! arithmetic rounds in the format itself.

use super::Scalar;
use crate::conversion::arithmetic;
use halo_ir::{
    ops::{BinaryFn, UnaryFn, math},
    prelude::*,
};

/// Lowers an op, or returns `None` where the op has no meaning on floats.
pub fn lower<'c>(b: &Builder<'c>, name: &str, operands: &[Value<'c>]) -> Option<Scalar<'c>> {
    Some(match *operands {
        [value] => unary(b, name, value)?,
        [left, right] => match name {
            stablehlo::Atan2Op::NAME => {
                widened(b, operands, |operands| atan2(b, operands[0], operands[1]))
            }
            stablehlo::PowOp::NAME => narrow_binary(b, math::powf, left, right),
            stablehlo::RemOp::NAME => narrow_binary(b, arith::remf, left, right),
            _ => binary_op(name)?(b, left, right).map_err(Into::into),
        },
        _ => return None,
    })
}

fn binary_op(name: &str) -> Option<BinaryFn> {
    Some(match name {
        stablehlo::AddOp::NAME => arith::addf,
        stablehlo::SubtractOp::NAME => arith::subf,
        stablehlo::MulOp::NAME => arith::mulf,
        stablehlo::DivOp::NAME => arith::divf,
        stablehlo::MaxOp::NAME => arith::maximumf,
        stablehlo::MinOp::NAME => arith::minimumf,
        _ => return None,
    })
}

fn unary<'c>(b: &Builder<'c>, name: &str, value: Value<'c>) -> Option<Scalar<'c>> {
    Some(match name {
        stablehlo::AbsOp::NAME => math::absf(b, value).map_err(Into::into),
        stablehlo::CeilOp::NAME => math::ceil(b, value).map_err(Into::into),
        stablehlo::FloorOp::NAME => math::floor(b, value).map_err(Into::into),
        stablehlo::ImagOp::NAME => zero(b, value),
        stablehlo::IsFiniteOp::NAME => is_finite(b, value),
        chlo::IsInfOp::NAME => is_infinite(b, value, None),
        chlo::IsNegInfOp::NAME => is_infinite(b, value, Some(f64::NEG_INFINITY)),
        chlo::IsPosInfOp::NAME => is_infinite(b, value, Some(f64::INFINITY)),
        stablehlo::LogisticOp::NAME => logistic(b, value),
        stablehlo::NegOp::NAME => arith::negf(b, value).map_err(Into::into),
        stablehlo::RealOp::NAME => Ok(value),
        stablehlo::RoundOp::NAME => math::round(b, value).map_err(Into::into),
        stablehlo::RoundNearestEvenOp::NAME => math::roundeven(b, value).map_err(Into::into),
        stablehlo::SignOp::NAME => sign(b, value),
        chlo::SquareOp::NAME => arith::mulf(b, value, value).map_err(Into::into),
        chlo::AcoshOp::NAME
        | chlo::AsinhOp::NAME
        | chlo::AtanhOp::NAME
        | chlo::CoshOp::NAME
        | chlo::SinhOp::NAME => in_double(b, math_function(name)?, value),
        _ => narrow_unary(b, math_function(name)?, value),
    })
}

/// The op of the math dialect for a function of one operand.
fn math_function(name: &str) -> Option<UnaryFn> {
    Some(match name {
        chlo::AcosOp::NAME => math::acos,
        chlo::AcoshOp::NAME => math::acosh,
        chlo::AsinOp::NAME => math::asin,
        chlo::AsinhOp::NAME => math::asinh,
        chlo::AtanOp::NAME => math::atan,
        chlo::AtanhOp::NAME => math::atanh,
        stablehlo::CbrtOp::NAME => math::cbrt,
        chlo::CoshOp::NAME => math::cosh,
        stablehlo::CosineOp::NAME => math::cos,
        chlo::ErfOp::NAME => math::erf,
        chlo::ErfcOp::NAME => math::erfc,
        stablehlo::ExpOp::NAME => math::exp,
        stablehlo::Expm1Op::NAME => math::expm1,
        stablehlo::LogOp::NAME => math::log,
        stablehlo::Log1pOp::NAME => math::log1p,
        stablehlo::RsqrtOp::NAME => math::rsqrt,
        stablehlo::SineOp::NAME => math::sin,
        chlo::SinhOp::NAME => math::sinh,
        stablehlo::SqrtOp::NAME => math::sqrt,
        stablehlo::TanOp::NAME | chlo::TanOp::NAME => math::tan,
        stablehlo::TanhOp::NAME => math::tanh,
        _ => return None,
    })
}

fn constant<'c>(b: &Builder<'c>, like: Value<'c>, value: f64) -> Scalar<'c> {
    Ok(arith::constant(b, like.r#type(), value)?)
}

fn zero<'c>(b: &Builder<'c>, like: Value<'c>) -> Scalar<'c> {
    constant(b, like, 0.0)
}

/// Runs a function in f32 where the operands are narrower.
fn widened<'c>(
    b: &Builder<'c>,
    operands: &[Value<'c>],
    compute: impl FnOnce(&[Value<'c>]) -> Scalar<'c>,
) -> Scalar<'c> {
    let narrow = operands
        .first()
        .map(|value| value.r#type())
        .filter(|r#type| arithmetic::is_narrow_float(*r#type));
    let Some(narrow) = narrow else {
        return compute(operands);
    };
    let wide = Type::float32(b.context());
    let extended = operands
        .iter()
        .map(|value| arithmetic::resize_float(b, *value, wide))
        .collect::<Result<Vec<_>, _>>()?;
    let result = compute(&extended)?;
    Ok(arithmetic::resize_float(b, result, narrow)?)
}

fn narrow_unary<'c>(b: &Builder<'c>, op: UnaryFn, value: Value<'c>) -> Scalar<'c> {
    widened(b, &[value], |operands| Ok(op(b, operands[0])?))
}

fn narrow_binary<'c>(
    b: &Builder<'c>,
    op: BinaryFn,
    left: Value<'c>,
    right: Value<'c>,
) -> Scalar<'c> {
    widened(b, &[left, right], |operands| {
        Ok(op(b, operands[0], operands[1])?)
    })
}

/// `math.atan2`, but for two zeros, of which MLIR's folding makes NaN: there it
/// is zero or pi, by the sign of the second, with the sign of the first.
fn atan2<'c>(b: &Builder<'c>, y: Value<'c>, x: Value<'c>) -> Scalar<'c> {
    let general = math::atan2(b, y, x)?;
    let nothing = constant(b, y, 0.0)?;
    let is_zero = |value| arith::cmpf(b, CmpFPredicate::Oeq, value, nothing);
    let both = arith::andi(b, is_zero(y)?, is_zero(x)?)?;
    let half_pi = constant(b, y, std::f64::consts::FRAC_PI_2)?;
    let turned = math::copysign(b, half_pi, x)?;
    let angle = arith::subf(b, half_pi, turned)?;
    let at_zero = math::copysign(b, angle, y)?;
    Ok(arith::select(b, both, at_zero, general)?)
}

/// A function in f64, rounded once: the f32 version of libm has errors of 3 ULP
/// and more.
fn in_double<'c>(b: &Builder<'c>, op: UnaryFn, value: Value<'c>) -> Scalar<'c> {
    let wide = arithmetic::resize_float(b, value, Type::float64(b.context()))?;
    let result = op(b, wide)?;
    Ok(arithmetic::resize_float(b, result, value.r#type())?)
}

fn is_finite<'c>(b: &Builder<'c>, value: Value<'c>) -> Scalar<'c> {
    let magnitude = math::absf(b, value)?;
    let infinity = constant(b, value, f64::INFINITY)?;
    Ok(arith::cmpf(b, CmpFPredicate::Olt, magnitude, infinity)?)
}

fn is_infinite<'c>(b: &Builder<'c>, value: Value<'c>, which: Option<f64>) -> Scalar<'c> {
    let (value, infinity) = match which {
        Some(infinity) => (value, infinity),
        None => (math::absf(b, value)?, f64::INFINITY),
    };
    let infinity = constant(b, value, infinity)?;
    Ok(arith::cmpf(b, CmpFPredicate::Oeq, value, infinity)?)
}

/// `sign(x)`: NaN and zeros are themselves.
fn sign<'c>(b: &Builder<'c>, value: Value<'c>) -> Scalar<'c> {
    let zero = zero(b, value)?;
    let one = constant(b, value, 1.0)?;
    let signed = math::copysign(b, one, value)?;
    let is_zero = arith::cmpf(b, CmpFPredicate::Oeq, value, zero)?;
    let is_nan = arithmetic::is_nan(b, value)?;
    let itself = arith::ori(b, is_zero, is_nan)?;
    Ok(arith::select(b, itself, value, signed)?)
}

/// `1 / (1 + exp(-x))`, by way of `exp(-|x|)`, which neither overflows nor
/// loses the small results of a large negative operand.
fn logistic<'c>(b: &Builder<'c>, value: Value<'c>) -> Scalar<'c> {
    widened(b, &[value], |operands| {
        let value = operands[0];
        let zero = zero(b, value)?;
        let one = constant(b, value, 1.0)?;
        let magnitude = math::absf(b, value)?;
        let negated = arith::negf(b, magnitude)?;
        let power = math::exp(b, negated)?;
        let denominator = arith::addf(b, one, power)?;
        let negative = arith::cmpf(b, CmpFPredicate::Olt, value, zero)?;
        let numerator = arith::select(b, negative, power, one)?;
        Ok(arith::divf(b, numerator, denominator)?)
    })
}

/// An integer whose signed order is the total order of IEEE 754 on floats:
/// negative numbers have all bits but the sign flipped.
pub fn total_order_key<'c>(b: &Builder<'c>, value: Value<'c>) -> Scalar<'c> {
    let width = bits_of(value.r#type()).unwrap_or(32);
    let r#type = integer_type(b.context(), width);
    let bits = arithmetic::cast(b, arith::bitcast, value, r#type)?;
    let zero = arith::constant(b, r#type, 0)?;
    let mask = arith::constant(b, r#type, i64::MAX >> (64 - width))?;
    let flipped = arith::xori(b, bits, mask)?;
    let negative = arith::cmpi(b, CmpIPredicate::Slt, bits, zero)?;
    Ok(arith::select(b, negative, flipped, bits)?)
}

/// Rounds to a format of fewer bits of exponent and mantissa, and back.
pub fn reduce_precision<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    exponent_bits: u32,
    mantissa_bits: u32,
) -> Scalar<'c> {
    let Some((source_exponent, source_mantissa)) = format_of(value.r#type()) else {
        return Ok(value);
    };
    let width = 1 + source_exponent + source_mantissa;
    let r#type = integer_type(b.context(), width);
    let integer = |number: i64| -> Scalar<'c> { Ok(arith::constant(b, r#type, number)?) };
    let mut bits = arithmetic::cast(b, arith::bitcast, value, r#type)?;
    if mantissa_bits < source_mantissa {
        // Adding half of the last kept bit, less one where that bit is even,
        // rounds to the nearest even; a carry into the exponent is right too.
        let dropped = source_mantissa - mantissa_bits;
        let last = integer(1 << dropped)?;
        let kept = arith::andi(b, bits, last)?;
        let shift = integer(i64::from(dropped))?;
        let odd = arith::shrui(b, kept, shift)?;
        let half = integer((1 << (dropped - 1)) - 1)?;
        let bias = arith::addi(b, half, odd)?;
        let rounded = arith::addi(b, bits, bias)?;
        let mask = integer(!((1_i64 << dropped) - 1))?;
        bits = arith::andi(b, rounded, mask)?;
    }
    if exponent_bits < source_exponent {
        // Values that are too large become infinite, values that are too small
        // become zero.
        let source_bias = (1_i64 << (source_exponent - 1)) - 1;
        let bias = (1_i64 << (exponent_bits - 1)) - 1;
        let exponent_mask = integer(((1_i64 << source_exponent) - 1) << source_mantissa)?;
        let sign_mask = integer(i64::MIN >> (64 - width))?;
        let exponent = arith::andi(b, bits, exponent_mask)?;
        let greatest = integer((source_bias + bias) << source_mantissa)?;
        let least = integer((source_bias - bias) << source_mantissa)?;
        let overflows = arith::cmpi(b, CmpIPredicate::Ugt, exponent, greatest)?;
        let underflows = arith::cmpi(b, CmpIPredicate::Ule, exponent, least)?;
        let sign = arith::andi(b, bits, sign_mask)?;
        let infinity = arith::ori(b, sign, exponent_mask)?;
        bits = arith::select(b, overflows, infinity, bits)?;
        bits = arith::select(b, underflows, sign, bits)?;
    }
    let result = arithmetic::cast(b, arith::bitcast, bits, value.r#type())?;
    let nan = arithmetic::is_nan(b, value)?;
    let of_nan = if mantissa_bits == 0 {
        // Such a format has no NaN.
        let infinity = constant(b, value, f64::INFINITY)?;
        math::copysign(b, infinity, value)?
    } else {
        value
    };
    Ok(arith::select(b, nan, of_nan, result)?)
}

/// Bits of exponent and mantissa of a float type.
fn format_of(r#type: Type) -> Option<(u32, u32)> {
    match float_kind(r#type)? {
        FloatKind::BF16 => Some((8, 7)),
        FloatKind::F16 => Some((5, 10)),
        FloatKind::F32 => Some((8, 23)),
        FloatKind::F64 => Some((11, 52)),
        FloatKind::Narrow => None,
    }
}
