//! The logarithm of the gamma function and its derivative.
//!
//! Lanczos, "A precision approximation of the gamma function" (SIAM Journal on
//! Numerical Analysis B 1, 1964), with `g = 7` and nine coefficients; numbers
//! below 1/2 are reflected.

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
    size.eq(f64::INFINITY).select(size, result)
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
