//! The logarithm of the gamma function and its derivative.
//!
//! Lanczos, "A precision approximation of the gamma function" (SIAM Journal on
//! Numerical Analysis B 1, 1964), with `g = 7` and nine coefficients; numbers
//! below 1/2 are reflected. Between 1/2 and 5/2, where `lgamma` has its zeros and
//! the sum of the others' terms would cancel, it is its Taylor series.

use crate::passes::formula::Expression;
use std::f64::consts::PI;

const LANCZOS_G: f64 = 7.0;
const LANCZOS_BASE: f64 = 0.9999999999998099;
const LANCZOS: [f64; 8] = [
    676.5203681218851,
    -1259.1392167224028,
    771.3234287776531,
    -176.6150291621406,
    12.507343278686905,
    -0.13857109526572012,
    9.984369578019572e-6,
    1.5056327351493116e-7,
];

/// Taylor coefficients of `lgamma(2 + e) / e`, highest degree first:
/// `(-1)^k (zeta(k) - 1) / k`, and one less Euler's constant. In f32 those of
/// `SINGLE_TAYLOR` suffice.
const TAYLOR: [f64; 27] = [
    -2.7595228851242334e-10,
    5.731367241678862e-10,
    -1.1921401405860912e-09,
    2.4836745438024785e-09,
    -5.183475041970047e-09,
    1.0838659214896955e-08,
    -2.2711094608943164e-08,
    4.7698101693639804e-08,
    -1.0043224823968099e-07,
    2.1207184805554665e-07,
    -4.492469198764566e-07,
    9.55141213040742e-07,
    -2.039215753801366e-06,
    4.374866789907488e-06,
    -9.439488275268397e-06,
    2.050721277567069e-05,
    -4.492623673813314e-05,
    9.945751278180853e-05,
    -0.00022315475845357939,
    0.0005096695247430425,
    -0.001192753911703261,
    0.0028905103307415234,
    -0.007385551028673986,
    0.020580808427784546,
    -0.0673523010531981,
    0.3224670334241132,
    0.42278433509846713,
];
/// The first coefficient of `TAYLOR` that counts in f32.
const SINGLE_TAYLOR: usize = 14;

/// Where `x` is reflected, and `z`, so that `gamma(z + 1)` is of `x` or of its
/// reflection `1 - x`.
fn reflected<'f, 'c>(x: Expression<'f, 'c>) -> (Expression<'f, 'c>, Expression<'f, 'c>) {
    let reflect = x.lt(0.5);
    (reflect, reflect.select(-x, x - 1.0))
}

/// `t = z + g + 1/2`, and its logarithm by way of `log1p`.
fn argument<'f, 'c>(z: Expression<'f, 'c>) -> (Expression<'f, 'c>, Expression<'f, 'c>) {
    let shift = LANCZOS_G + 0.5;
    (z + shift, (z / shift).log1p() + shift.ln())
}

/// `log(|gamma(x)|)`, with
/// `lgamma(z + 1) = log(2 pi) / 2 + (z + 1/2) log(t) - t + log(A(z))`.
pub fn lgamma<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let (reflect, z) = reflected(x);
    let series = LANCZOS
        .iter()
        .zip(1..)
        .fold(x.constant(LANCZOS_BASE), |sum, (coefficient, k)| {
            sum + x.constant(*coefficient) / (z + f64::from(k))
        });
    let (t, log_t) = argument(z);
    // Factored, so that a large t does not overflow.
    let power = ((z + 0.5) - t / log_t) * log_t;
    let right = (power + 0.5 * (2.0 * PI).ln()) + series.log();

    // lgamma(x) = log(pi) - log(|sin(pi x)|) - lgamma(1 - x), where the sine is
    // of the distance to the nearest integer: it has to be exact at the poles.
    let size = x.abs();
    let fraction = size - size.floor();
    let distance = fraction.gt(0.5).select(1.0 - fraction, fraction);
    let sine = (distance * PI).sin().log();
    let left = sine
        .is_finite()
        .select((x.constant(PI.ln()) - sine) - right, -sine);
    let result = reflect.select(left, right);
    let result = x.ge(0.5).and(x.le(2.5)).select(around_zeros(x), result);
    // gamma(x) is 1/x close to zero, where pi x has few digits.
    let tiny = size.lt(x.limits().smallest_normal);
    let result = tiny.select(-size.log(), result);
    size.eq(f64::INFINITY).select(size, result)
}

/// `lgamma(x)` between 1/2 and 5/2: the series about 2, to which `lgamma(x) =
/// lgamma(x + 1) - log(x)` brings what is below 3/2.
fn around_zeros<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let first = if x.is_double() { 0 } else { SINGLE_TAYLOR };
    let low = x.lt(1.5);
    let distance = low.select(x - 1.0, x - 2.0);
    let series = distance * distance.polynomial(&TAYLOR[first..]);
    low.select(series - distance.log1p(), series)
}

/// The derivative of `lgamma`, with
/// `digamma(z + 1) = log(t) + A'(z) / A(z) - g / t`.
pub fn digamma<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let (reflect, z) = reflected(x);
    let mut series = x.constant(LANCZOS_BASE);
    let mut slope = x.constant(0.0);
    for (coefficient, k) in LANCZOS.iter().zip(1..) {
        let term = z + f64::from(k);
        let coefficient = x.constant(*coefficient);
        slope = slope - coefficient / (term * term);
        series = series + coefficient / term;
    }
    let (t, log_t) = argument(z);
    let right = (log_t + slope / series) - LANCZOS_G / t;

    // digamma(x) = digamma(1 - x) - pi cot(pi x), where the cotangent is of the
    // distance to the nearest integer.
    let distance = (x + (x + 0.5).floor().abs()) * PI;
    let left = right - distance.cos() * PI / distance.sin();
    let result = reflect.select(left, right);

    let is_pole = x.lt(0.0).and(x.eq(x.floor()));
    let result = is_pole.select(x.constant(f64::NAN), result);
    x.eq(0.0).select(x.constant(f64::NEG_INFINITY), result)
}
