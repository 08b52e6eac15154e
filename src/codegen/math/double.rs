//! Elementary functions in f64, for f64 and for f32 functions that are computed in f64.
//!
//! The functions for f64 (cbrt, erf, erfc, exp, expm1, log, log1p, tanh) have errors below 4 ULP.
//! The functions for f32 have relative errors below 2^-35.

use crate::formula::Number;
use std::f64::consts::{FRAC_2_SQRT_PI, FRAC_PI_2, LN_2, LOG2_E, LOG10_2, LOG10_E, PI};

/// `(e^r - 1 - r) / r^2` for `|r| < ln(2) / 2`; relative error of `e^r` 2^-63.
const EXP: [f64; 11] = [
    0.5,
    0.16666666666666685,
    0.04166666666666604,
    0.008333333333315691,
    0.0013888888889133047,
    0.00019841269899749934,
    2.480158690538307e-05,
    2.7557231464985264e-06,
    2.755759139841651e-07,
    2.5113230964890903e-08,
    2.082587280508483e-09,
];
/// `(ln((1 + s) / (1 - s)) - 2s) / s^3` in `s^2`; relative error of the
/// logarithm 2^-59.
const LOG: [f64; 7] = [
    0.6666666666666735,
    0.39999999999411134,
    0.28571428743256355,
    0.22222198476453492,
    0.18183569723326487,
    0.1531390349491253,
    0.14797506746047936,
];
/// `(atan(x) - x) / x^3` in `x^2` for `|x| <= 1`; relative error 2^-42.
const ATAN: [f64; 14] = [
    -0.33333333326485476,
    0.19999999345662203,
    -0.1428569231873069,
    0.11110736469515628,
    -0.09087091072780382,
    0.07666832035183359,
    -0.06548733936344683,
    0.05488209220685432,
    -0.042832409970921304,
    0.029015949381180073,
    -0.01572906532986559,
    0.006203198145372413,
    -0.0015512036922671558,
    0.00018243069712305535,
];
/// `(sinh(x) - x) / x^3` in `x^2` for `|x| <= 1`; relative error 2^-53.
const SINH: [f64; 6] = [
    0.16666666666666025,
    0.008333333333458169,
    0.00019841269760507448,
    2.7557343238686745e-06,
    2.5048500123546913e-08,
    1.6325387429169935e-10,
];
/// `ln(1 - erf(x)) = x P(x) / Q(x)` for `x` from 0 to 5.95; relative error of erf 2^-67.
const ERF_P: [f64; 10] = [
    -FRAC_2_SQRT_PI,
    -2.645830985217657,
    -3.0145284544547866,
    -2.1348892071783827,
    -1.0213901877579428,
    -0.337981012772899,
    -0.0761807412600948,
    -0.011001873393147135,
    -0.0008752858673136431,
    -2.4460458538357505e-05,
];
/// As above.
const ERF_Q: [f64; 9] = [
    1.0,
    1.7806170757493291,
    1.575870829211228,
    0.8576802031419387,
    0.30812984556957007,
    0.07310812448681508,
    0.01088015582113158,
    0.000874900089658188,
    2.4462944777683103e-05,
];
/// `e^(x^2) erfc(x) = P(x) / Q(x)` for `x` from 0 to 26.6; relative error 2^-57.
const ERFC_P: [f64; 11] = [
    1.0,
    2.306604565650178,
    2.6407494873472186,
    1.9365020224878242,
    0.9973507782626099,
    0.3750910368757894,
    0.10414133382612886,
    0.02109339534492083,
    0.0029922938030538257,
    0.00027007531484898384,
    1.1898918227722324e-05,
];
/// As above.
const ERFC_Q: [f64; 12] = [
    1.0,
    3.4349837327456907,
    5.5167135706894355,
    5.478715731804884,
    3.746681957341451,
    1.857425525655364,
    0.6832857437367279,
    0.18722701418396212,
    0.037626417830147633,
    0.005314247815830609,
    0.00047869603184072263,
    2.10902834343226e-05,
];
/// ln(2) as a sum of two floats. The first has trailing zeros, so that its product with an exponent
/// is exact.
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
/// The rounding error of [`LN_2`].
pub const LN2_REST: f64 = 2.3190468138462996e-17;

/// `e^x = 2^k * (1 + t)`: `t` and `k`.
fn exp_parts<'f, 'c>(x: Number<'f, 'c>) -> (Number<'f, 'c>, Number<'f, 'c>) {
    let (rounded, exponent) = x.round_scaled(LOG2_E);
    let rest = rounded.fma(-LN2_REST, rounded.fma(-LN_2, x));
    (exp_tail(rest), exponent)
}

/// `e^x = 2^k * (1 + t)` where errors of the reduced argument that grow with `x` are harmless.
fn rough_exp_parts<'f, 'c>(x: Number<'f, 'c>) -> (Number<'f, 'c>, Number<'f, 'c>) {
    let (rounded, exponent) = x.round_scaled(LOG2_E);
    (exp_tail(rounded.fma(-LN_2, x)), exponent)
}

/// `e^r - 1` for `|r| < ln(2) / 2`
pub fn exp_tail<'f, 'c>(rest: Number<'f, 'c>) -> Number<'f, 'c> {
    let square = rest * rest;
    square.fma(rest.polynomial_with_square(square, &EXP), rest)
}

/// The largest number whose power of e is finite
const LARGEST_EXPONENT: f64 = 709.782_712_893_384;

/// `e^x`
pub fn exp<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let (tail, exponent) = exp_parts(x.at_least(-746.0));
    let power = (1.0 + tail).scale_finite(exponent);
    power.replaced_where(x.unordered_gt(LARGEST_EXPONENT), x * f64::MAX)
}

/// `2^x`
fn exp2<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let finite = x.at_least(-1080.0);
    let (rounded, exponent) = finite.round();
    let tail = exp_tail((finite - rounded) * LN_2);
    let power = (1.0 + tail).scale_finite(exponent);
    power.replaced_where(x.unordered_ge(1024.0), x * f64::MAX)
}

/// `e^x - 1`
pub fn expm1<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let (tail, exponent) = exp_parts(x.clamp(-50.0, 710.0));
    // 2^k t + (2^k - 1), halved, since 2^k alone may be infinite.
    let power = (exponent - 1).power_of_two();
    let half = tail.fma(power, power - 0.5);
    let result = half + half;
    result.replaced_where(x.abs().lt(f64::EPSILON / 4.0), x)
}

/// `ln(x) = k ln(2) + ln(1 + f)`: `k`, and `ln(1 + f)` as `f` and a correction.
fn log_parts<'f, 'c>(x: Number<'f, 'c>) -> (Number<'f, 'c>, Number<'f, 'c>, Number<'f, 'c>) {
    let (exponent, mantissa) = x.split();
    let f = mantissa - 1.0;
    let s = f / (f + 2.0);
    let z = s * s;
    let half_square = 0.5 * f * f;
    // ln(1 + f) = f - (f^2/2 - s (f^2/2 + z R(z)))
    let rest = s * z.fma(z.polynomial_with_square(z * z, &LOG), half_square) - half_square;
    (exponent.small_to_float(), f, rest)
}

/// `ln(x)`
pub fn log<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let (exponent, f, rest) = log_parts(x);
    let whole = exponent * LN2_HIGH;
    let sum = whole + f;
    let lost = whole - sum + f;
    let result = sum + (lost + exponent.fma(LN2_LOW, rest));
    result.with_logarithm_specials(x)
}

fn scaled_log<'f, 'c>(x: Number<'f, 'c>, of_two: f64, of_e: f64) -> Number<'f, 'c> {
    let (exponent, f, rest) = log_parts(x);
    let result = exponent.fma(of_two, (f + rest) * of_e);
    result.with_logarithm_specials(x)
}

/// `log2(x)`, for f32.
pub fn log2<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    scaled_log(x, 1.0, LOG2_E)
}

/// `(log2((1 + s) / (1 - s))) / s` in `s^2`; relative error 2^-37.
const LOG2_RATIO: [f64; 5] = [
    2.885390081789987,
    0.9617966734515485,
    0.5770835660048659,
    0.41167376623771057,
    0.3407120415619086,
];
/// `2^r` for `|r| < 1/2`; relative error 2^-34.
const EXP2: [f64; 8] = [
    0.9999999999595618,
    0.6931471805568324,
    0.24022651213498092,
    0.055504109063258665,
    0.009618025613318034,
    0.0013333478473685416,
    0.00015469729214118296,
    1.5303700711365693e-05,
];

/// `log2(x)` of an extended positive finite f32, which is a normal number in f64. For other
/// arguments the result is an arbitrary finite number.
fn log2_of_normal<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let root = std::f64::consts::FRAC_1_SQRT_2.to_bits() as i64;
    let bits = x.bits();
    let above = bits - root;
    // The biased exponent is positive, so that it can be shifted to the low bits of 2^52.
    let biased = (above + (1023 << 52)).shift_right_logical(52);
    let magic = 4_503_599_627_370_496.0_f64;
    let exponent = (biased | magic.to_bits() as i64).float_of_bits() - (magic + 1023.0);
    let mantissa = (bits - (above & (-1 << 52))).float_of_bits();
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    s.fma((s * s).polynomial(&LOG2_RATIO), exponent)
}

/// `2^x`. The result is clamped far outside the range of f32.
fn exp2_for_single<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let x = x.clamp(-200.0, 200.0);
    let (rounded, exponent) = x.round();
    let mantissa = (x - rounded).polynomial(&EXP2);
    mantissa.scale_normal(exponent)
}

/// `x^y` of an extended positive finite f32, for f32. The result for NaN is arbitrary.
pub fn power_of_normal<'f, 'c>(x: Number<'f, 'c>, y: Number<'f, 'c>) -> Number<'f, 'c> {
    exp2_for_single(y * log2_of_normal(x))
}

/// `log10(x)`, for f32.
pub fn log10<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    scaled_log(x, LOG10_2, LOG10_E)
}

/// `ln(1 + x)`. A correction term compensates the rounding error of `1 + x`.
pub fn log1p<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let sum = x + 1.0;
    let logarithm = log(sum);
    let lost = x - (sum - 1.0);
    let result = logarithm + lost / sum;
    // The correction does not apply at the ends of the range.
    result
        .replaced_where(sum.eq(f64::INFINITY), sum)
        .replaced_where(sum.eq(0.0), logarithm)
        .replaced_where(sum.eq(1.0), x)
}

/// `tanh(x) = (e^2x - 1) / (e^2x + 1)`
pub fn tanh<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs().at_most(25.0);
    let (tail, exponent) = rough_exp_parts(size + size);
    let power = exponent.power_of_two();
    let less_one = tail.fma(power, power - 1.0);
    (less_one / (less_one + 2.0)).copysign(x)
}

/// `erf(x) = 1 - e^u`, where `u / x` is a rational function.
pub fn erf<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs().at_most(6.0);
    let square = size * size;
    let polynomial = |coefficients| size.polynomial_with_square(square, coefficients);
    let (tail, exponent) = rough_exp_parts(size * polynomial(&ERF_P) / polynomial(&ERF_Q));
    let power = exponent.power_of_two();
    (-tail).fma(power, 1.0 - power).copysign(x)
}

/// `erfc(x) = e^(-x^2) P(x) / Q(x)` of a positive `x`, with the square in twice the precision.
pub fn erfc<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    // From here on it is zero.
    let size = x.abs().at_most(27.3);
    let square = size * size;
    let lost = size.fma(size, -square);
    let (rounded, exponent) = square.round_scaled(-LOG2_E);
    let rest = rounded.fma(-LN2_REST, rounded.fma(-LN_2, -square)) - lost;
    let polynomial = |coefficients| size.polynomial_with_square(square, coefficients);
    let ratio = polynomial(&ERFC_P) / polynomial(&ERFC_Q);
    ratio.fma(exp_tail(rest), ratio).complement(exponent, x)
}

/// `sinh(x)`, for f32.
pub fn sinh<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    let square = size * size;
    let near = (square * size).fma(square.polynomial(&SINH), size);
    let (up, down) = halves_of_exp(size);
    size.lt(1.0).select(near, up - down).copysign(x)
}

/// `cosh(x)`, for f32.
pub fn cosh<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let (up, down) = halves_of_exp(x.abs());
    up + down
}

/// `e^x / 2` and `e^-x / 2`
fn halves_of_exp<'f, 'c>(x: Number<'f, 'c>) -> (Number<'f, 'c>, Number<'f, 'c>) {
    let power = exp(x);
    (0.5 * power, 0.5 / power)
}

/// `asinh(x)`, for f32.
pub fn asinh<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    let square = size * size;
    // x + sqrt(x^2 + 1) - 1
    let argument = size + square / ((square + 1.0).sqrt() + 1.0);
    let is_finite = size.lt(f64::INFINITY);
    is_finite.select(log1p(argument), size).copysign(x)
}

/// `acosh(x)`, for f32.
pub fn acosh<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let below = x - 1.0;
    let argument = below + (below * (x + 1.0)).sqrt();
    log1p(argument).replaced_where(x.unordered_lt(1.0), f64::NAN)
}

/// `atanh(x)`, for f32.
pub fn atanh<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    let result = log1p((size + size) / (1.0 - size)) * 0.5;
    result.copysign(x)
}

/// The angle of a point with nonnegative coordinates.
fn first_quadrant<'f, 'c>(y: Number<'f, 'c>, x: Number<'f, 'c>) -> Number<'f, 'c> {
    let steep = y.gt(x);
    let (longer, shorter) = (steep.select(y, x), steep.select(x, y));
    // 0/0 and infinity/infinity need a defined slope.
    let slope = (shorter / longer)
        .replaced_where(longer.eq(0.0), 0.0)
        .replaced_where(shorter.eq(f64::INFINITY), 1.0);
    let square = slope * slope;
    let angle = (square * slope).fma(square.polynomial(&ATAN), slope);
    steep.select(FRAC_PI_2 - angle, angle)
}

/// `atan(x)`, for f32.
pub fn atan<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    first_quadrant(x.abs(), x.constant(1.0)).copysign(x)
}

/// `atan2(y, x)`, for f32.
pub fn atan2<'f, 'c>(y: Number<'f, 'c>, x: Number<'f, 'c>) -> Number<'f, 'c> {
    let angle = first_quadrant(y.abs(), x.abs());
    // The sign of a zero x matters too.
    let is_left = x.constant(1.0).copysign(x).lt(0.0);
    let angle = angle.replaced_where(is_left, PI - angle).copysign(y);
    angle.replaced_where(x.is_unordered_with(y), f64::NAN)
}

/// `sqrt(1 - x^2)`
fn complement<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    ((1.0 - x) * (1.0 + x)).sqrt()
}

/// `asin(x)`, for f32.
pub fn asin<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    atan2(x, complement(x))
}

/// `acos(x)`, for f32.
pub fn acos<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    atan2(complement(x), x)
}

/// The cube root of `x`, to 2^-40.
fn cbrt_roughly<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    exp2(log2(size) * (1.0 / 3.0))
        .replaced_where(size.eq(0.0), size)
        .replaced_where(size.eq(f64::INFINITY), size)
        .copysign(x)
}

/// The cube root of `x`, by a step of Newton's method from an approximation.
pub fn cbrt<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    // The residual of a tiny number's cube must not underflow.
    let size = x.abs();
    let is_tiny = size.lt(2_f64.powi(-700));
    let scale = is_tiny.select(size.constant(2_f64.powi(300)), 1.0);
    let unscale = is_tiny.select(size.constant(2_f64.powi(-100)), 1.0);
    let scaled = size * scale;
    let root = cbrt_roughly(scaled);
    let square = root * root;
    let better = root - square.fma(root, -scaled) / (square * 3.0);
    // Newton's step is undefined for zero and infinity.
    let better = root.lt(f64::INFINITY).select(better, root);
    let better = better.replaced_where(root.eq(0.0), root);
    (better * unscale).copysign(x)
}
