//! `convert`: between element types.
//!
//! A float out of the range of an integer type saturates and NaN becomes zero,
//! as in XLA; the specification leaves both to the implementation.

use super::storage;
use crate::formula::Formula;
use halo_ir::{
    ops::{ConversionFn, complex},
    prelude::*,
};

/// The bits of integers that are exact in f32 and in bf16.
const EXACT_IN_SINGLE: u32 = 24;
const EXACT_IN_BF16: u32 = 8;

/// Converts one element between storage types. `from` and `to` are types in HLO, which distinguish
/// signed from unsigned; `lowered` is the signless type of `to`.
pub fn convert<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    from: Type<'c>,
    to: Type<'c>,
    lowered: Type<'c>,
) -> RewriteResult<Value<'c>> {
    if from == to && value.ty() == lowered {
        return Ok(value);
    }
    let value = storage::read(b, value, from)?;
    if !storage::is_encoded(to) {
        return convert_plain(b, value, from, to, lowered);
    }
    let working = storage::working_type(b.context(), to);
    let result = if !to.is_float() {
        convert_plain(b, value, from, to, working)?
    } else if from.is_integer() {
        // A single rounding.
        in_wide_float(b, value, from)
    } else if from.is_complex() {
        complex::re(b, value)
    } else {
        value
    };
    Ok(storage::write(b, result, to))
}

/// An integer as a float such that rounding it to a narrower float is equivalent to rounding the
/// integer: an f32 or f64 that is equal, or an f64 with a sticky last bit for lost bits.
fn in_wide_float<'c>(b: &Builder<'c>, value: Value<'c>, from: Type<'c>) -> Value<'c> {
    let width = from.integer_width().unwrap_or(64);
    let signed = !from.is_unsigned() && width != 1;
    let op: ConversionFn = if signed { arith::sitofp } else { arith::uitofp };
    if width <= EXACT_IN_SINGLE {
        return arith::cast(b, op, value, Type::float32(b.context()));
    }
    let formula = Formula::new(b);
    let mut number = formula.number(value);
    if width == 64 {
        // Merges the low bits: if any is set, the lowest bit that the f64 represents is set.
        let carried = (number & 0xfff) + 0xfff;
        let kept = (number | carried) & !0xfff;
        let magnitude = if signed {
            number ^ number.shift_right_arithmetic(63)
        } else {
            number
        };
        number = number.replaced_where(magnitude.unordered_ge(1 << 53), kept);
    }
    formula.finish(number.convert(op, Type::float64(b.context())))
}

/// The bf16 that is equal to an f32: its upper half, which takes no rounding.
fn upper_half<'c>(b: &Builder<'c>, value: Value<'c>, to: Type<'c>) -> Value<'c> {
    let [single, half] = [32, 16].map(|bits| integer_type(b.context(), bits));
    let bits = arith::cast(b, arith::bitcast, value, single);
    let bits = arith::shrui(b, bits, arith::constant(b, single, 16));
    let bits = arith::cast(b, arith::trunci, bits, half);
    arith::cast(b, arith::bitcast, bits, to)
}

/// Converts one element between arithmetic types.
fn convert_plain<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    from: Type<'c>,
    to: Type<'c>,
    lowered: Type<'c>,
) -> RewriteResult<Value<'c>> {
    if let Some(part) = to.complex_element() {
        return to_complex(b, value, from, part);
    }
    if from.is_complex() {
        let real = complex::re(b, value);
        return convert_plain(b, real, real.ty(), to, lowered);
    }
    let boolean = to.integer_width() == Some(1);
    if from.is_integer() {
        let signed = !from.is_unsigned() && from.integer_width() != Some(1);
        if boolean {
            let zero = arith::constant(b, value.ty(), 0);
            let predicate = CmpIPredicate::Ne;
            return Ok(arith::cmpi(b, predicate, value, zero));
        }
        if to.is_integer() {
            return Ok(arith::resize_integer(b, value, lowered, signed));
        }
        if matches!(to.float_kind(), Some(FloatKind::F16 | FloatKind::BF16)) {
            let wide = in_wide_float(b, value, from);
            let width = from.integer_width().unwrap_or(64);
            if to.float_kind() == Some(FloatKind::BF16) && width <= EXACT_IN_BF16 {
                return Ok(upper_half(b, wide, lowered));
            }
            return Ok(arith::resize_float(b, wide, lowered));
        }
        let op: ConversionFn = if signed { arith::sitofp } else { arith::uitofp };
        return Ok(arith::cast(b, op, value, lowered));
    }
    if from.is_float() {
        if boolean {
            let zero = arith::constant(b, value.ty(), 0.0);
            return Ok(arith::cmpf(b, CmpFPredicate::Une, value, zero));
        }
        if to.is_float() {
            return Ok(arith::resize_float(b, value, lowered));
        }
        return Ok(float_to_integer(b, value, to.is_unsigned(), lowered));
    }
    Err(RewriteError::Invalid(format!(
        "the CPU backend has no conversion from {from} to {to}"
    )))
}

fn to_complex<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    from: Type<'c>,
    part: Type<'c>,
) -> RewriteResult<Value<'c>> {
    let (real, imaginary) = if from.is_complex() {
        let imaginary = complex::im(b, value);
        (
            complex::re(b, value),
            arith::resize_float(b, imaginary, part),
        )
    } else {
        (value, arith::constant(b, part, 0.0))
    };
    let source = if from.is_complex() { real.ty() } else { from };
    let real = convert_plain(b, real, source, part, part)?;
    Ok(complex::from_parts(b, real, imaginary))
}

fn float_to_integer<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    unsigned: bool,
    to: Type<'c>,
) -> Value<'c> {
    let width = to.integer_width().unwrap_or(64);
    let formula = Formula::new(b);
    // The bounds of wide integers are out of the range of f16, so that they are compared in f32.
    let value = formula.number(value);
    let value = value.with_width(value.width().max(32));
    let (least, bound) = if unsigned {
        (0.0, 2_f64.powi(width as i32))
    } else {
        let bound = 2_f64.powi(width as i32 - 1);
        (-bound, bound)
    };
    let least_integer = if unsigned {
        0
    } else {
        i64::MIN >> (64 - width)
    };
    // All bits except for a sign bit.
    let greatest_integer = match (unsigned, width) {
        (false, _) => !least_integer,
        (true, 64) => -1,
        (true, _) => ((1_u128 << width) - 1) as i64,
    };
    let op: ConversionFn = if unsigned {
        arith::fptoui
    } else {
        arith::fptosi
    };
    let result = value
        .convert(op, to)
        .replaced_where(value.le(least), least_integer)
        .replaced_where(value.ge(bound), greatest_integer)
        .replaced_where(value.is_nan(), 0);
    formula.finish(result)
}
