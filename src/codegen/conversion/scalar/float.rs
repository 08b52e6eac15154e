//! Elementwise ops on floats.
//!
//! Functions of formats narrower than f32 are computed in f32 and rounded once; arithmetic ops
//! round in the format.

use crate::formula::{Formula, Number};
use halo_ir::{
    ops::{BinaryFn, UnaryFn, math},
    prelude::*,
};

/// Lowers an op, or returns `None` if it is not defined on floats.
pub fn lower<'c>(
    b: &Builder<'c>,
    name: &str,
    operands: &[Value<'c>],
) -> Option<RewriteResult<Value<'c>>> {
    let formula = Formula::new(b);
    let number = |value| formula.number(value);
    let result = match *operands {
        [value] if IN_DOUBLE.contains(&name) => {
            return Some(Ok(in_double(b, math_function(name)?, value)));
        }
        [value] => unary(name, number(value))?,
        [left, right] => {
            let operands = [number(left), number(right)];
            match name {
                stablehlo::Atan2Op::NAME => widened(operands, |[y, x]| atan2(y, x)),
                stablehlo::PowOp::NAME => widened(operands, |[x, y]| x.binary(math::powf, y)),
                stablehlo::RemOp::NAME => widened(operands, |[x, y]| x.binary(arith::remf, y)),
                _ => operands[0].binary(binary_op(name)?, operands[1]),
            }
        }
        _ => return None,
    };
    Some(Ok(formula.finish(result)))
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

fn unary<'f, 'c>(name: &str, value: Number<'f, 'c>) -> Option<Number<'f, 'c>> {
    Some(match name {
        stablehlo::AbsOp::NAME => value.abs(),
        stablehlo::CeilOp::NAME => value.unary(math::ceil),
        stablehlo::FloorOp::NAME => value.floor(),
        stablehlo::ImagOp::NAME => value.constant(0.0),
        stablehlo::IsFiniteOp::NAME => value.abs().lt(f64::INFINITY),
        chlo::IsInfOp::NAME => value.abs().eq(f64::INFINITY),
        chlo::IsNegInfOp::NAME => value.eq(f64::NEG_INFINITY),
        chlo::IsPosInfOp::NAME => value.eq(f64::INFINITY),
        stablehlo::LogisticOp::NAME => widened([value], |[value]| logistic(value)),
        stablehlo::NegOp::NAME => -value,
        stablehlo::RealOp::NAME => value,
        stablehlo::RoundOp::NAME => value.unary(math::round),
        stablehlo::RoundNearestEvenOp::NAME => value.unary(math::roundeven),
        stablehlo::SignOp::NAME => sign(value),
        chlo::SquareOp::NAME => value * value,
        _ => {
            let function = math_function(name)?;
            widened([value], |[value]| value.unary(function))
        }
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

/// The functions whose f32 version of libm has errors of 3 ULP and more.
const IN_DOUBLE: &[&str] = &[
    chlo::AcoshOp::NAME,
    chlo::AsinhOp::NAME,
    chlo::AtanhOp::NAME,
    chlo::CoshOp::NAME,
    chlo::SinhOp::NAME,
];

/// A function in f64, rounded once.
fn in_double<'c>(b: &Builder<'c>, op: UnaryFn, value: Value<'c>) -> Value<'c> {
    let wide = arith::resize_float(b, value, Type::float64(b.context()));
    let result = op(b, wide);
    arith::resize_float(b, result, value.ty())
}

/// Computes in f32 if the operands are narrower.
fn widened<'f, 'c, const N: usize>(
    operands: [Number<'f, 'c>; N],
    compute: impl FnOnce([Number<'f, 'c>; N]) -> Number<'f, 'c>,
) -> Number<'f, 'c> {
    let narrow = operands[0].element();
    if !narrow.is_narrow_float() {
        return compute(operands);
    }
    compute(operands.map(|operand| operand.with_width(32))).convert_float(narrow)
}

/// `math.atan2`, except for two zeros, which MLIR folds to NaN: there the result is zero or pi,
/// depending on the sign of the second, with the sign of the first.
fn atan2<'f, 'c>(y: Number<'f, 'c>, x: Number<'f, 'c>) -> Number<'f, 'c> {
    let general = y.binary(math::atan2, x);
    let half_pi = y.constant(std::f64::consts::FRAC_PI_2);
    let angle = half_pi - half_pi.copysign(x);
    general.replaced_where(y.eq(0.0) & x.eq(0.0), angle.copysign(y))
}

/// `sign(x)`, which is `x` for NaN and zeros.
fn sign<'f, 'c>(value: Number<'f, 'c>) -> Number<'f, 'c> {
    let signed = value.constant(1.0).copysign(value);
    signed.replaced_where(value.eq(0.0) | value.is_nan(), value)
}

/// `1 / (1 + exp(-x))`, computed from `exp(-|x|)`, which does not overflow and preserves the small
/// results of large negative operands.
fn logistic<'f, 'c>(value: Number<'f, 'c>) -> Number<'f, 'c> {
    let power = (-value.abs()).unary(math::exp);
    value.lt(0.0).select(power, 1.0) / (1.0 + power)
}

/// An integer whose signed order is the total order of IEEE 754 on floats:
/// negative numbers have all bits but the sign flipped.
pub fn total_order_key<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let formula = Formula::new(b);
    let bits = formula.number(value).bits();
    let flipped = bits ^ (i64::MAX >> (64 - bits.width()));
    formula.finish(bits.replaced_where(bits.lt(0), flipped))
}

/// Rounds to a format of fewer bits of exponent and mantissa, and back.
pub fn reduce_precision<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    exponent_bits: u32,
    mantissa_bits: u32,
) -> Value<'c> {
    let Some((source_exponent, source_mantissa)) = format_of(value.ty()) else {
        return value;
    };
    let formula = Formula::new(b);
    let value = formula.number(value);
    let mut bits = value.bits();
    if mantissa_bits < source_mantissa {
        // Adding half of the last kept bit, minus one if that bit is even, rounds to nearest even;
        // a carry into the exponent is correct too.
        let dropped = source_mantissa - mantissa_bits;
        let odd = (bits & (1 << dropped)).shift_right_logical(i64::from(dropped));
        let bias = bits.constant((1_i64 << (dropped - 1)) - 1) + odd;
        bits = (bits + bias) & !((1_i64 << dropped) - 1);
    }
    if exponent_bits < source_exponent {
        // Values that are too large become infinite, values that are too small
        // become zero.
        let source_bias = (1_i64 << (source_exponent - 1)) - 1;
        let bias = (1_i64 << (exponent_bits - 1)) - 1;
        let exponent_mask = ((1_i64 << source_exponent) - 1) << source_mantissa;
        let exponent = bits & exponent_mask;
        let overflows = exponent.unordered_gt((source_bias + bias) << source_mantissa);
        let underflows = exponent.unordered_le((source_bias - bias) << source_mantissa);
        let sign = bits & (i64::MIN >> (64 - bits.width()));
        bits = bits
            .replaced_where(overflows, sign | exponent_mask)
            .replaced_where(underflows, sign);
    }
    let of_nan = if mantissa_bits == 0 {
        // Such a format has no NaN.
        value.constant(f64::INFINITY).copysign(value)
    } else {
        value
    };
    let result = bits.float_with_bits(value.element());
    formula.finish(result.replaced_where(value.is_nan(), of_nan))
}

/// Bits of exponent and mantissa of a float type.
fn format_of(ty: Type) -> Option<(u32, u32)> {
    match ty.float_kind()? {
        FloatKind::BF16 => Some((8, 7)),
        FloatKind::F16 => Some((5, 10)),
        FloatKind::F32 => Some((8, 23)),
        FloatKind::F64 => Some((11, 52)),
        FloatKind::Narrow => None,
    }
}
