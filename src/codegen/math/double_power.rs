//! pow, exp2, log2 and log10 of f64, with errors below 1 ULP.
//!
//! The exponent of a power is as large as 1075, and its absolute error is a relative error of the
//! result. Therefore the logarithm needs 64 bits: it and the first terms of its series are
//! [`Pair`]s.

use super::{
    double::{LN2_REST, exp_tail},
    double_double::Pair,
};
use crate::formula::Number;
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
/// 1/3, 1/5, 2 / ln(2) and log10(2) as sums of two floats.
const THIRD: [f64; 2] = [1.0 / 3.0, 1.850371707708594e-17];
const FIFTH: [f64; 2] = [0.2, -1.1102230246251566e-17];
const TWO_OVER_LN2: [f64; 2] = [2.8853900817779268, 4.0710547481862066e-17];
const LOG10_OF_2: [f64; 2] = [LOG10_2, -2.8037281277851704e-18];
/// Powers of larger exponents overflow or underflow.
const HUGE: f64 = 1100.0;

/// `log2(x)` of a positive finite number, to 2^-66.
fn log2_pair<'f, 'c>(x: Number<'f, 'c>) -> Pair<'f, 'c> {
    let (exponent, mantissa) = x.split();
    let below = Pair::exact(mantissa - 1.0);
    let s = below / Pair::sum(mantissa, mantissa.constant(1.0));
    let square = s * s;
    let constant = |parts| Pair::constant(x, parts);
    let series = Pair::product(square.high.polynomial(&ATANH), square.high);
    let series = (constant(FIFTH) + series) * square;
    let series = (constant(THIRD) + series) * square;
    let half = s + series * s;
    Pair::exact(exponent.small_to_float()) + half * TWO_OVER_LN2
}

/// `2^x` of a sum of two floats. The first is at most [`HUGE`].
fn exp2_of_pair<'f, 'c>(x: Pair<'f, 'c>) -> Number<'f, 'c> {
    let (rounded, exponent) = x.high.round();
    let rest = x.high - rounded;
    let power = Pair::product(rest, rest.constant(LN_2));
    let low = x.low.fma(LN_2, rest.fma(LN2_REST, power.low));
    let tail = exp_tail(power.high);
    let tail = tail + low.fma(tail, low);
    (1.0 + tail).scale(exponent)
}

/// `2^x` of f64
pub fn exp2<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    exp2_of_pair(Pair::exact(x.clamp(-HUGE, HUGE)))
}

/// `log2(x)` of f64
pub fn log2<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    log2_pair(x).high.with_logarithm_specials(x)
}

/// `log10(x)` of f64
pub fn log10<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let logarithm = log2_pair(x) * LOG10_OF_2;
    logarithm.high.with_logarithm_specials(x)
}

/// `x^y` of f64 as in IEEE 754.
pub fn pow<'f, 'c>(x: Number<'f, 'c>, y: Number<'f, 'c>) -> Number<'f, 'c> {
    let logarithm = log2_pair(x.abs());
    let exponent = Pair::product(y, logarithm.high);
    let low = y.fma(logarithm.low, exponent.low);
    // Infinite values have no lower digits.
    let low = exponent.high.abs().lt(HUGE).select(low, 0.0);
    let high = exponent.high.clamp(-HUGE, HUGE);
    exp2_of_pair(Pair { high, low }).with_power_specials(x, y)
}
