//! `convert`: between element types.
//!
//! A float out of the range of an integer type saturates and NaN becomes zero,
//! as in XLA; the specification leaves both to the implementation.

use super::{Scalar, storage};
use crate::conversion::arithmetic;
use halo_ir::{
    ops::{ConversionFn, complex},
    prelude::*,
};

/// Converts one element, both as memory holds them. `from` and `to` are the
/// types that the HLO op has, so that they tell signed from unsigned; `lowered`
/// is `to` without signs.
pub fn convert<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    from: Type<'c>,
    to: Type<'c>,
    lowered: Type<'c>,
) -> Scalar<'c> {
    if from == to && value.r#type() == lowered {
        return Ok(value);
    }
    let value = storage::read(b, value, from)?;
    if !storage::is_encoded(to) {
        return convert_plain(b, value, from, to, lowered);
    }
    let working = storage::working_type(b.context(), to);
    let result = if !is_float(to) {
        convert_plain(b, value, from, to, working)?
    } else if is_integer(from) {
        // Rounded once, from a float that holds all that counts.
        in_double(b, value, from)?
    } else if is_complex(from) {
        complex::re(b, value)?
    } else {
        value
    };
    storage::write(b, result, to)
}

/// An integer as f64, with its last bit set where bits were lost, so that it
/// rounds to a narrower float as the integer itself would.
fn in_double<'c>(b: &Builder<'c>, value: Value<'c>, from: Type<'c>) -> Scalar<'c> {
    let width = integer_width(from).unwrap_or(64);
    let signed = !is_unsigned(from) && width != 1;
    let double = Type::float64(b.context());
    let mut value = value;
    if width == 64 {
        // The low bits become one: if any is set, so is the lowest that an f64
        // of this size holds.
        let wide = integer_type(b.context(), 64);
        let constant = |number: i64| arith::constant(b, wide, number);
        let mask = constant(0xfff)?;
        let low = arith::andi(b, value, mask)?;
        let carried = arith::addi(b, low, mask)?;
        let sticky = arith::ori(b, value, carried)?;
        let kept = arith::andi(b, sticky, constant(!0xfff)?)?;
        let magnitude = if signed {
            let top = constant(63)?;
            let sign = arith::shrsi(b, value, top)?;
            arith::xori(b, value, sign)?
        } else {
            value
        };
        let bound = constant(1 << 53)?;
        let is_large = arith::cmpi(b, CmpIPredicate::Uge, magnitude, bound)?;
        value = arith::select(b, is_large, kept, value)?;
    }
    let op: ConversionFn = if signed { arith::sitofp } else { arith::uitofp };
    Ok(arithmetic::cast(b, op, value, double)?)
}

/// Converts one element, both as arithmetic has them.
fn convert_plain<'c>(
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
        let real = complex::re(b, value)?;
        return convert_plain(b, real, real.r#type(), to, lowered);
    }
    let boolean = integer_width(to) == Some(1);
    if is_integer(from) {
        let signed = !is_unsigned(from) && integer_width(from) != Some(1);
        if boolean {
            let zero = arith::constant(b, value.r#type(), 0)?;
            let predicate = CmpIPredicate::Ne;
            return Ok(arith::cmpi(b, predicate, value, zero)?);
        }
        if is_integer(to) {
            return Ok(arithmetic::resize_integer(b, value, lowered, signed)?);
        }
        if matches!(float_kind(to), Some(FloatKind::F16 | FloatKind::BF16)) {
            let double = in_double(b, value, from)?;
            return Ok(arithmetic::resize_float(b, double, lowered)?);
        }
        let op: ConversionFn = if signed { arith::sitofp } else { arith::uitofp };
        return Ok(arithmetic::cast(b, op, value, lowered)?);
    }
    if is_float(from) {
        if boolean {
            let zero = arith::constant(b, value.r#type(), 0.0)?;
            return Ok(arith::cmpf(b, CmpFPredicate::Une, value, zero)?);
        }
        if is_float(to) {
            return Ok(arithmetic::resize_float(b, value, lowered)?);
        }
        return float_to_integer(b, value, is_unsigned(to), lowered);
    }
    Err(RewriteError::Invalid(format!(
        "the CPU backend has no conversion from {from} to {to}"
    )))
}

fn to_complex<'c>(b: &Builder<'c>, value: Value<'c>, from: Type<'c>, part: Type<'c>) -> Scalar<'c> {
    let (real, imaginary) = if is_complex(from) {
        let imaginary = complex::im(b, value)?;
        (
            complex::re(b, value)?,
            arithmetic::resize_float(b, imaginary, part)?,
        )
    } else {
        (value, arith::constant(b, part, 0.0)?)
    };
    let source = if is_complex(from) {
        real.r#type()
    } else {
        from
    };
    let real = convert_plain(b, real, source, part, part)?;
    Ok(arithmetic::complex(b, real, imaginary)?)
}

fn float_to_integer<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    unsigned: bool,
    to: Type<'c>,
) -> Scalar<'c> {
    let width = integer_width(to).unwrap_or(64);
    // f16 does not reach the bounds of wide integers: they are tested in f32.
    let value = if arithmetic::is_narrow_float(value.r#type()) {
        arithmetic::resize_float(b, value, Type::float32(b.context()))?
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
    let op: ConversionFn = if unsigned {
        arith::fptoui
    } else {
        arith::fptosi
    };
    let zero = arith::constant(b, to, 0)?;
    let least_value = arith::constant(b, r#type, least)?;
    let bound_value = arith::constant(b, r#type, bound)?;
    let too_small = arith::cmpf(b, CmpFPredicate::Ole, value, least_value)?;
    let too_large = arith::cmpf(b, CmpFPredicate::Oge, value, bound_value)?;
    let nan = arithmetic::is_nan(b, value)?;
    let converted = arithmetic::cast(b, op, value, to)?;
    let least_constant = arith::constant(b, to, least_integer)?;
    let greatest_constant = arith::constant(b, to, greatest_integer)?;
    let result = arith::select(b, too_small, least_constant, converted)?;
    let result = arith::select(b, too_large, greatest_constant, result)?;
    Ok(arith::select(b, nan, zero, result)?)
}
