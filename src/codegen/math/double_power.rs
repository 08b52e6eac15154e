//! pow, exp2, log2 and log10 of f64, with errors below 1 ULP.
//!
//! The exponent of a power is as large as 1075, and its error is a relative one
//! of the result. So the logarithm needs 64 bits: it is a [`Pair`], and the
//! first terms of its series are, too.

use super::{
    code::Code,
    double::{LN2_REST, exp_tail},
    double_double::{Pair, add, constant, multiply, product, quotient, sum},
};
use crate::loops::loop_ops::Emitted;
use halo_ir::prelude::*;
use std::f64::consts::{LN_2, LOG10_2};

/// `(atanh(s) - s - s^3 / 3 - s^5 / 5) / s^7` in `s^2` for the `s` of numbers
/// between the roots of 1/2 and of 2; relative error of the logarithm 2^-72.8.
const ATANH: [f64; 7] = [
    0.1428571428571658,
    0.11111111110006092,
    0.09090909302739897,
    0.0769228644788577,
    0.06667881629878883,
    0.0584251925576549,
    0.05955502161671193,
];
/// 1/3, 1/5, 2 / ln(2) and log10(2) in two parts.
const THIRD: [f64; 2] = [1.0 / 3.0, 1.850371707708594e-17];
const FIFTH: [f64; 2] = [0.2, -1.1102230246251566e-17];
const TWO_OVER_LN2: [f64; 2] = [2.8853900817779268, 4.0710547481862066e-17];
const LOG10_OF_2: [f64; 2] = [LOG10_2, -2.8037281277851704e-18];
/// Exponents from here on make infinities and zeros.
const HUGE: f64 = 1100.0;

/// `log2(x)` of a positive finite number, to 2^-66.
fn log2_pair<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Pair<'c>> {
    let (exponent, mantissa) = code.split(x)?;
    let (zero, one) = (code.float(0.0)?, code.float(1.0)?);
    let exponent = Pair {
        high: code.small_float_of(exponent)?,
        low: zero,
    };
    let below = Pair {
        high: code.sub(mantissa, one)?,
        low: zero,
    };
    let above = sum(code, mantissa, one)?;
    let s = quotient(code, below, above)?;
    let square = multiply(code, s, s)?;
    let series = code.polynomial(square.high, &ATANH)?;
    let series = product(code, series, square.high)?;
    let series = add(code, constant(code, FIFTH)?, series)?;
    let series = multiply(code, series, square)?;
    let series = add(code, constant(code, THIRD)?, series)?;
    let series = multiply(code, series, square)?;
    let series = multiply(code, series, s)?;
    let half = add(code, s, series)?;
    let logarithm = multiply(code, half, constant(code, TWO_OVER_LN2)?)?;
    add(code, exponent, logarithm)
}

/// `2^x` of a sum of two floats, of which the first is at most [`HUGE`].
fn exp2_of_pair<'c>(code: &Code<'_, 'c>, x: Pair<'c>) -> Emitted<Value<'c>> {
    let (rounded, exponent) = code.round(x.high)?;
    let rest = code.sub(x.high, rounded)?;
    let (ln2, ln2_rest, one) = (code.float(LN_2)?, code.float(LN2_REST)?, code.float(1.0)?);
    let power = product(code, rest, ln2)?;
    let low = code.fma(rest, ln2_rest, power.low)?;
    let low = code.fma(x.low, ln2, low)?;
    let tail = exp_tail(code, power.high)?;
    let low = code.fma(low, tail, low)?;
    let tail = code.add(tail, low)?;
    let mantissa = code.add(one, tail)?;
    code.scale(mantissa, exponent)
}

/// `2^x` of f64
pub fn exp2<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let high = code.clamp(x, -HUGE, HUGE)?;
    let low = code.float(0.0)?;
    exp2_of_pair(code, Pair { high, low })
}

/// `log2(x)` of f64
pub fn log2<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let logarithm = log2_pair(code, x)?;
    code.logarithm_specials(x, logarithm.high)
}

/// `log10(x)` of f64
pub fn log10<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let logarithm = log2_pair(code, x)?;
    let logarithm = multiply(code, logarithm, constant(code, LOG10_OF_2)?)?;
    code.logarithm_specials(x, logarithm.high)
}

/// `x^y` of f64 as IEEE 754 has it.
pub fn pow<'c>(code: &Code<'_, 'c>, x: Value<'c>, y: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let logarithm = log2_pair(code, size)?;
    let exponent = product(code, y, logarithm.high)?;
    let low = code.fma(y, logarithm.low, exponent.low)?;
    // Infinite values have no lower digits.
    let zero = code.float(0.0)?;
    let exponent_size = code.abs(exponent.high)?;
    let low = code.select_where((exponent_size, CmpFPredicate::Olt, HUGE), low, zero)?;
    let high = code.clamp(exponent.high, -HUGE, HUGE)?;
    let power = exp2_of_pair(code, Pair { high, low })?;
    code.power_specials(x, y, power)
}
