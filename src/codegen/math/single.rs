//! Functions in f32: exp, exp2, expm1, log, log1p, tanh, erf and erfc. cbrt and pow are computed
//! in f64; their special values are handled here.
//!
//! Both sides of a select are computed in vector code, so that each function has one formula for
//! all arguments, with one division at most.

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
/// `(ln(1 + m) - m) / m^2` for `m` from -1/3 to below 1/3; relative error of the logarithm 2^-27.7.
const LOG: [f64; 9] = [
    -0.5,
    0.3333320915699005,
    -0.24999716877937317,
    0.2001074254512787,
    -0.16682304441928864,
    0.14001160860061646,
    -0.12167179584503174,
    0.14004753530025482,
    -0.12948870658874512,
];
/// `(ln(1 + m) - m) / m^2` for `m` from -1/4 to below 1/2; error of the logarithm 1.1 ULP.
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
/// The bits of 2/3, 0.75, 1 and 4.
const TWO_THIRDS: i64 = 0x3f2a_aaab;
const THREE_QUARTERS: i64 = 0x3f40_0000;
const ONE: i64 = 0x3f80_0000;
const FOUR: i64 = 0x4080_0000;
/// `ln(1 - erf(x)) / x` for `x` from 0 to 3.93; relative error of erf 2^-24.7.
const ERF: [f64; 8] = [
    -1.128379225730896,
    -0.6366164088249207,
    -0.1028144434094429,
    0.019321631640195847,
    -0.00020574651716742665,
    -0.0012517189607024193,
    0.00038098901859484613,
    -4.07061270379927e-05,
];
/// `(1 + 2x) e^(x^2) erfc(x)` in `q = (x - 2) / (x + 2)` for `x` from 0 to 10.06; relative error
/// 2^-26.2.
const ERFC: [f64; 10] = [
    1.2769783735275269,
    -0.09276401251554489,
    -0.16603140532970428,
    0.16405531764030457,
    -0.054204463958740234,
    -0.00805976428091526,
    0.008632315322756767,
    0.0013136027846485376,
    -0.0012307044817134738,
    -0.00040103052742779255,
];
/// ln(2) as a sum of two floats for use with fma.
const LN2: f64 = 0.6931471824645996;
const LN2_REST: f64 = -1.9046543e-9;

/// The largest number whose power of e is finite
const LARGEST_EXPONENT: f64 = 88.722_831_726_074_22;

/// `e^x = 2^k * (1 + t)`: `t` and `k`. The exponent must be of moderate size.
fn exp_parts<'f, 'c>(x: Number<'f, 'c>) -> (Number<'f, 'c>, Number<'f, 'c>) {
    let (rounded, exponent) = x.round_scaled(LOG2_E);
    let rest = rounded.fma(-LN2_REST, rounded.fma(-LN2, x));
    (exp_tail(rest), exponent)
}

/// `e^x = 2^k * (1 + t)` where errors of the reduced argument that grow with `x` are harmless.
fn rough_exp_parts<'f, 'c>(x: Number<'f, 'c>) -> (Number<'f, 'c>, Number<'f, 'c>) {
    let (rounded, exponent) = x.round_scaled(LOG2_E);
    (exp_tail(rounded.fma(-LN2, x)), exponent)
}

/// `e^r - 1` for `|r| < ln(2) / 2`
fn exp_tail<'f, 'c>(rest: Number<'f, 'c>) -> Number<'f, 'c> {
    let square = rest * rest;
    square.fma(rest.polynomial_with_square(square, &EXP), rest)
}

/// `e^x`
pub fn exp<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    // Powers of smaller numbers are zero.
    let (tail, exponent) = exp_parts(x.at_least(-104.0));
    let power = (1.0 + tail).scale_finite(exponent);
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

/// `e^x - 1`
pub fn expm1<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let (tail, exponent) = exp_parts(x.clamp(-20.0, 89.0));
    // 2^k t + (2^k - 1), halved, since 2^k alone may be infinite.
    let power = (exponent - 1).power_of_two();
    let half = tail.fma(power, power - 0.5);
    let result = half + half;
    // Preserves subnormal numbers and the sign of zero.
    result.replaced_where(x.abs().lt(f64::from(f32::EPSILON) / 4.0), x)
}

/// `ln(x)`, by the scheme of N. Juffa: `x = 2^k (1 + m)`.
pub fn log<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    // Subnormal numbers are multiplied by 2^23.
    let shift = x.bits().constant(23 << 23);
    let shift = x.lt(f64::from(f32::MIN_POSITIVE)).select(shift, 0);
    let bits = (x * (shift + ONE).float_of_bits()).bits();
    // The exponent for a mantissa from 2/3 to below 4/3, in its bit position.
    let exponent = (bits - TWO_THIRDS) & -(1 << 23);
    let m = (bits - exponent).float_of_bits() - 1.0;
    let square = m * m;
    let tail = square.fma(m.polynomial_with_square(square, &LOG), m);
    let exponent = (exponent - shift).to_float();
    exponent.fma(LN2 * 2_f64.powi(-23), tail).with_logarithm_specials(x)
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
    let square = m * m;
    let tail = square.fma(m.polynomial_with_square(square, &LOG1P), m);
    let exponent = exponent.to_float() * 2_f64.powi(-23);
    let result = exponent.fma(LN2, tail).with_logarithm_specials(sum);
    // Preserves the sign of zero.
    result.replaced_where(sum.eq(1.0), x)
}

/// `tanh(x) = (e^2x - 1) / (e^2x + 1)`
pub fn tanh<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs().at_most(10.0);
    let (tail, exponent) = rough_exp_parts(size + size);
    let power = exponent.power_of_two();
    let less_one = tail.fma(power, power - 1.0);
    (less_one / (less_one + 2.0)).copysign(x)
}

/// `erf(x) = 1 - e^u`, where `u / x` is a polynomial. A rational function of `x` is faster, but
/// close to 1, where an ULP is small, its errors exceed 4 ULP.
pub fn erf<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs().at_most(4.0);
    let u = size * size.polynomial_with_square(size * size, &ERF);
    let (tail, exponent) = rough_exp_parts(u);
    let power = exponent.power_of_two();
    (-tail).fma(power, 1.0 - power).copysign(x)
}

/// `erfc(x) = e^(-x^2) p(q) / (1 + 2x)` of a positive `x`, and `erfc(-x) = 2 - erfc(x)` (M. Shepherd
/// and J. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x", 1981). The polynomial
/// is close to constant, so that its rounding errors are small. The exponent is the square in twice
/// the precision, as one rounding of it costs up to 50 ULP.
pub fn erfc<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    // From here on it is zero.
    let size = x.abs().at_most(10.1);
    let square = size * size;
    let lost = size.fma(size, -square);
    let (rounded, exponent) = square.round_scaled(-LOG2_E);
    let rest = rounded.fma(-LN2_REST, rounded.fma(-LN2, -square)) - lost;
    // (x - 2) / (x + 2), such that errors vanish with x.
    let q = (size / (size + 2.0)).fma(2.0, -1.0);
    let ratio = q.polynomial(&ERFC) / size.fma(2.0, 1.0);
    ratio.fma(exp_tail(rest), ratio).complement(exponent, x)
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
