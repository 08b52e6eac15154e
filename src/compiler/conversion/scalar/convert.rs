//! `convert`: between element types.
//!
//! A float out of the range of an integer type saturates and NaN becomes zero,
//! as in XLA; the specification leaves both to the implementation.

use super::Scalar;
use crate::{
    conversion::arithmetic::{self as arith, FloatPredicate},
    ir::{
        Builder, RewriteError, Type, Value, complex_element, integer_width, is_complex, is_float,
        is_integer, is_unsigned,
    },
};
use melior::ir::ValueLike;

/// Converts one element. `from` and `to` are the types that the HLO op has, so
/// that they tell signed from unsigned; `lowered` is `to` without signs.
pub fn convert<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    from: Type<'c>,
    to: Type<'c>,
    lowered: Type<'c>,
) -> Scalar<'c> {
    if let Some(part) = complex_element(to) {
        return to_complex(b, value, from, part);
    }
    if is_complex(from) {
        let real = arith::real(b, value)?;
        return convert(b, real, real.r#type(), to, lowered);
    }
    let boolean = integer_width(to) == Some(1);
    if is_integer(from) {
        let signed = !is_unsigned(from) && integer_width(from) != Some(1);
        if boolean {
            let zero = arith::integer(b, value.r#type(), 0)?;
            let predicate = arith::IntegerPredicate::Ne;
            return Ok(arith::compare_integers(b, predicate, value, zero)?);
        }
        if is_integer(to) {
            return Ok(arith::resize_integer(b, value, lowered, signed)?);
        }
        let name = if signed {
            "arith.sitofp"
        } else {
            "arith.uitofp"
        };
        return Ok(arith::cast(b, name, value, lowered)?);
    }
    if is_float(from) {
        if boolean {
            let zero = arith::float(b, value.r#type(), 0.0)?;
            return Ok(arith::compare_floats(b, FloatPredicate::Une, value, zero)?);
        }
        if is_float(to) {
            return Ok(arith::resize_float(b, value, lowered)?);
        }
        return float_to_integer(b, value, is_unsigned(to), lowered);
    }
    Err(RewriteError::Invalid(format!(
        "the CPU backend has no conversion from {from} to {to}"
    )))
}

fn to_complex<'c>(b: &Builder<'c>, value: Value<'c>, from: Type<'c>, part: Type<'c>) -> Scalar<'c> {
    let (real, imaginary) = if is_complex(from) {
        let imaginary = arith::imaginary(b, value)?;
        (
            arith::real(b, value)?,
            arith::resize_float(b, imaginary, part)?,
        )
    } else {
        (value, arith::float(b, part, 0.0)?)
    };
    let source = if is_complex(from) {
        real.r#type()
    } else {
        from
    };
    let real = convert(b, real, source, part, part)?;
    Ok(arith::complex(b, real, imaginary)?)
}

fn float_to_integer<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    unsigned: bool,
    to: Type<'c>,
) -> Scalar<'c> {
    let width = integer_width(to).unwrap_or(64);
    // f16 does not reach the bounds of wide integers: they are tested in f32.
    let value = if arith::is_narrow_float(value.r#type()) {
        arith::resize_float(b, value, Type::float32(b.context()))?
    } else {
        value
    };
    let r#type = value.r#type();
    let (least, bound) = if unsigned {
        (0.0, 2_f64.powi(width as i32))
    } else {
        let bound = 2_f64.powi(width as i32 - 1);
        (-bound, bound)
    };
    let (least_integer, greatest_integer) = if unsigned {
        (
            0,
            if width == 64 {
                -1
            } else {
                ((1_u128 << width) - 1) as i64
            },
        )
    } else {
        let least = i64::MIN >> (64 - width);
        (least, !least)
    };
    let name = if unsigned {
        "arith.fptoui"
    } else {
        "arith.fptosi"
    };
    let zero = arith::integer(b, to, 0)?;
    let least_value = arith::float(b, r#type, least)?;
    let bound_value = arith::float(b, r#type, bound)?;
    let too_small = arith::compare_floats(b, FloatPredicate::Ole, value, least_value)?;
    let too_large = arith::compare_floats(b, FloatPredicate::Oge, value, bound_value)?;
    let nan = arith::is_nan(b, value)?;
    let converted = arith::cast(b, name, value, to)?;
    let least_constant = arith::integer(b, to, least_integer)?;
    let greatest_constant = arith::integer(b, to, greatest_integer)?;
    let result = arith::select(b, too_small, least_constant, converted)?;
    let result = arith::select(b, too_large, greatest_constant, result)?;
    Ok(arith::select(b, nan, zero, result)?)
}
