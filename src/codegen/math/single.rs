//! Functions in f32: exp, exp2, log, log1p, tanh and erf. cbrt and pow are computed in f64; their
//! special values are handled here.

use super::double;
use crate::formula::Number;
use std::f64::consts::LOG2_E;

/// `(e^r - 1 - r) / r^2` for `|r| < ln(2) / 2`; relative error of `e^r` 2^-28.1.
const EXP: [f64; 5] = [
    0.4999999403953552,
    0.16666509211063385,
    0.041668009012937546,
    0.008369989693164825,
    0.0013847033260390162,
];
/// `(2^r - 1) / r` for `|r| < 1/2`; relative error of `2^r` 2^-27.9.
const EXP2: [f64; 7] = [
    0.6931471824645996,
    0.24022650718688965,
    0.055504050105810165,
    0.00961809791624546,
    0.0013338298304006457,
    0.000154213557834737,
    1.401472673023818e-05,
];
/// `(ln(1 + f) - f + f^2 / 2) / f^3` for `1 + f` between the roots of 1/2 and
/// of 2; relative error of the logarithm 2^-26.2.
const LOG: [f64; 8] = [
    0.3333333134651184,
    -0.250008225440979,
    0.20001259446144104,
    -0.1662333905696869,
    0.14200995862483978,
    -0.13158124685287476,
    0.1278248429298401,
    -0.07689525187015533,
];
/// `(ln(1 + m) - m) / m^2` for `m` from -1/4 to below 1/2; error of the logarithm 0.88 ULP, over
/// all arguments.
const LOG1P: [f64; 9] = [
    -0.5,
    0.33333528,
    -0.250001878,
    0.199886635,
    -0.166416913,
    0.144911006,
    -0.132279143,
    0.105529785,
    -0.0454559326,
];
/// The bits of 0.75 and of 4.
const THREE_QUARTERS: i64 = 0x3f40_0000;
const FOUR: i64 = 0x4080_0000;
/// `(tanh(x) - x) / x^3` in `x^2` for `|x| < 0.625`; relative error 2^-27.7.
const TANH: [f64; 5] = [
    -0.3333328068256378,
    0.13331405818462372,
    -0.05373651534318924,
    0.02062816731631756,
    -0.005692296661436558,
];
/// `erf(x) / x - 1` in `x^2` for `|x| < 1`; relative error 2^-29.4.
const ERF: [f64; 7] = [
    0.12837916612625122,
    -0.3761262595653534,
    0.11283578723669052,
    -0.026853347197175026,
    0.005187162198126316,
    -0.0007997853099368513,
    7.806903158780187e-05,
];
/// `ln(1 - erf(x))` for `x` from 1 to 3.95; relative error of erf 2^-29.8.
const ERF_TAIL: [f64; 7] = [
    -0.00034152850275859237,
    -1.1270891427993774,
    -0.6381449699401855,
    -0.10310657322406769,
    0.02183794416487217,
    -0.0029476198833435774,
    0.0001863744982983917,
];
/// ln(2) as a sum of two floats. The first has trailing zeros, so that its product with an exponent
/// is exact.
const LN2_HIGH: f64 = 0.693359375;
const LN2_LOW: f64 = -0.00021219444005469057;
/// ln(2) as a sum of two floats for use with fma.
const LN2: f64 = 0.6931471824645996;
const LN2_REST: f64 = -1.9046543e-9;

/// The largest number whose power of e is finite
const LARGEST_EXPONENT: f64 = 88.722_831_726_074_22;

/// `e^x = 2^k * m`: `m` and `k`. The exponent must be of moderate size.
fn exp_parts<'f, 'c>(x: Number<'f, 'c>) -> (Number<'f, 'c>, Number<'f, 'c>) {
    let (rounded, exponent) = x.round_scaled(LOG2_E);
    let rest = rounded.fma(-LN2_REST, rounded.fma(-LN2, x));
    let tail = (rest * rest).fma(rest.polynomial(&EXP), rest);
    (1.0 + tail, exponent)
}

/// `e^x` for moderate `x`, without overflow or underflow.
fn exp_moderate<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let (mantissa, exponent) = exp_parts(x);
    mantissa * exponent.power_of_two()
}

/// `e^x`
pub fn exp<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    // Powers of smaller numbers are zero.
    let (mantissa, exponent) = exp_parts(x.at_least(-104.0));
    let power = mantissa.scale_finite(exponent);
    power.replaced_where(x.unordered_gt(LARGEST_EXPONENT), x * f64::from(f32::MAX))
}

/// `2^x`
pub fn exp2<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let finite = x.at_least(-151.0);
    let (rounded, exponent) = finite.round();
    let rest = finite - rounded;
    let mantissa = rest.fma(rest.polynomial(&EXP2), 1.0);
    let power = mantissa.scale_finite(exponent);
    power.replaced_where(x.unordered_ge(128.0), x * f64::from(f32::MAX))
}

/// `ln(x)`
pub fn log<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let (exponent, mantissa) = x.split();
    let exponent = exponent.small_to_float();
    let f = mantissa - 1.0;
    let tail = f * f * f.fma(f.polynomial(&LOG), -0.5);
    // exponent * ln(2) + f as an exact sum of two floats.
    let whole = exponent * LN2_HIGH;
    let sum = whole + f;
    let lost = whole - sum + f;
    let result = sum + (lost + exponent.fma(LN2_LOW, tail));
    result.with_logarithm_specials(x)
}

/// `ln(1 + x)`, by the scheme of N. Juffa: `1 + x = 2^k (1 + m)`, where `m` is exact
/// but for one rounding.
pub fn log1p<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let sum = x + 1.0;
    // The exponent for a mantissa from 3/4 to below 3/2, in its bit position.
    let exponent = (sum.bits() - THREE_QUARTERS) & -(1 << 23);
    let scaled = x.bits() - exponent;
    let scale = (exponent.constant(FOUR) - exponent).float_of_bits();
    let m = scaled.float_of_bits() + scale.fma(0.25, -1.0);
    let tail = m.polynomial(&LOG1P).fma(m * m, m);
    let exponent = exponent.to_float() * 2_f64.powi(-23);
    let result = exponent.fma(LN2, tail).with_logarithm_specials(sum);
    // Preserves the sign of zero.
    result.replaced_where(sum.eq(1.0), x)
}

/// `tanh(x)`
pub fn tanh<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    let square = size * size;
    let near = (square * size).fma(square.polynomial(&TANH), size);
    let twice = size + size;
    let power = exp_positive(twice.replaced_where(twice.gt(20.0), 20.0));
    let far = 1.0 - 2.0 / (power + 1.0);
    // Not a number is near: the power of one may be any.
    near.replaced_where(size.ge(0.625), far).copysign(x)
}

/// `e^x` for `x` from 1 to 20, where errors of the reduced argument that grow with `x` are
/// harmless.
fn exp_positive<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let (rounded, exponent) = x.round_scaled(LOG2_E);
    let rest = rounded.fma(-LN2, x);
    let mantissa = rest.polynomial(&EXP).fma(rest, 1.0).fma(rest, 1.0);
    mantissa.scale_normal(exponent)
}

/// `erf(x)`
pub fn erf<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    let near = size.fma((size * size).polynomial(&ERF), size);
    let complement = exp_moderate(size.clamp(1.0, 4.0).polynomial(&ERF_TAIL));
    let far = 1.0 - complement;
    size.lt(1.0).select(near, far).copysign(x)
}

/// `1 / sqrt(x)`, for f64 as well.
pub fn rsqrt<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    1.0 / x.sqrt()
}

/// The cube root of `x`
pub fn cbrt<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    let wide = size.with_width(64);
    let root = double::power_of_normal(wide, wide.constant(1.0 / 3.0)).with_width(32);
    // The roots of zeros, infinities and NaN are the arguments.
    let root = root.copysign(x).replaced_where(size.eq(0.0), x);
    size.lt(f64::INFINITY).select(root, x)
}

/// `x^y` as in IEEE 754.
pub fn pow<'f, 'c>(x: Number<'f, 'c>, y: Number<'f, 'c>) -> Number<'f, 'c> {
    let power = double::power_of_normal(x.abs().with_width(64), y.with_width(64));
    power.with_width(32).with_power_specials(x, y)
}
