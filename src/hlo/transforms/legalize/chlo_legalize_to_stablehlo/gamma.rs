//! The logarithm of the gamma function and its derivative.
//!
//! Lanczos, "A precision approximation of the gamma function" (SIAM Journal on
//! Numerical Analysis B 1, 1964), with `g = 7` and nine coefficients; numbers
//! below 1/2 are reflected. Between 1/2 and 5/2, where `lgamma` has its zeros and
//! the sum of the others' terms would cancel, it is its Taylor series.

use crate::transforms::legalize::formula::Expression;
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

/// Taylor coefficients of `lgamma(2 + e) / e`, highest degree first: `(-1)^k (zeta(k) - 1) / k`,
/// and one minus Euler's constant. f32 uses the coefficients from `SINGLE_TAYLOR` on.
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

/// The common part of both functions.
struct Lanczos<'f, 'c> {
    half: Expression<'f, 'c>,
    one: Expression<'f, 'c>,
    /// Set where `x` is reflected.
    is_reflected: Expression<'f, 'c>,
    /// `gamma(z + 1)` is `gamma` of `x` or of its reflection `1 - x`.
    z: Expression<'f, 'c>,
}

impl<'f, 'c> Lanczos<'f, 'c> {
    fn of(x: Expression<'f, 'c>) -> Self {
        let half = x.constant(0.5);
        let is_reflected = x.lt(half);
        let negated = -x;
        let one = x.constant(1.0);
        let z = is_reflected.select(negated, x - one);
        Self {
            half,
            one,
            is_reflected,
            z,
        }
    }

    /// `t = z + g + 1/2`, and its logarithm through `log1p`.
    fn argument(&self) -> (Expression<'f, 'c>, Expression<'f, 'c>) {
        let shift = self.z.constant(LANCZOS_G + 0.5);
        let t = shift + self.z;
        let log_shift = self.z.constant((LANCZOS_G + 0.5).ln());
        (t, log_shift + (self.z / shift).log1p())
    }
}

/// `log(|gamma(x)|)` with a small absolute error, with
/// `lgamma(z + 1) = log(2 pi) / 2 + (z + 1/2) log(t) - t + log(A(z))`.
pub fn log_gamma<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let lanczos = Lanczos::of(x);
    let z = lanczos.z;
    let mut series = x.constant(LANCZOS_BASE);
    for (coefficient, k) in LANCZOS.iter().zip(1..) {
        let coefficient = x.constant(*coefficient);
        series = series + coefficient / (z + f64::from(k));
    }
    let (t, log_t) = lanczos.argument();
    // Factored, so that a large t does not overflow.
    let ratio = t / log_t;
    let power = ((z + lanczos.half) - ratio) * log_t;
    let log_series = series.log();
    let right = x.constant(0.5 * (2.0 * PI).ln()) + power + log_series;

    // lgamma(x) = log(pi) - log(|sin(pi x)|) - lgamma(1 - x), where the sine is
    // of the distance to the nearest integer: it has to be exact at the poles.
    let size = x.abs();
    let fraction = size - size.floor();
    let is_above = lanczos.half.lt(fraction);
    let distance = is_above.select(lanczos.one - fraction, fraction);
    let sine = (x.constant(PI) * distance).sin().log();
    let left = x.constant(PI.ln()) - sine - right;
    let left = sine.is_finite().select(left, -sine);
    let result = lanczos.is_reflected.select(left, right);
    let is_infinite = x.abs().eq(f64::INFINITY);
    is_infinite.select(x.constant(f64::INFINITY), result)
}

/// `log(|gamma(x)|)`, with a small relative error near zeros.
pub fn lgamma<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let result = log_gamma(x);
    let result = x.ge(0.5).and(x.le(2.5)).select(around_zeros(x), result);
    // gamma(x) is 1/x close to zero, where pi x has few digits.
    let size = x.abs();
    let tiny = size.lt(x.limits().smallest_normal);
    tiny.select(-size.log(), result)
}

/// `lgamma(x)` between 1/2 and 5/2: the series about 2, after `lgamma(x) =
/// lgamma(x + 1) - log(x)` for arguments below 3/2.
fn around_zeros<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let first = if x.is_double() { 0 } else { SINGLE_TAYLOR };
    let low = x.lt(1.5);
    let distance = low.select(x - 1.0, x - 2.0);
    let series = distance * distance.polynomial(&TAYLOR[first..]);
    low.select(series - distance.log1p(), series)
}

/// The derivative of `lgamma`, with
/// `digamma(z + 1) = log(t) + A'(z) / A(z) - g / t`; NaN at the poles.
pub fn digamma<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let lanczos = Lanczos::of(x);
    let zero = x.constant(0.0);
    let mut slope = zero;
    let mut series = x.constant(LANCZOS_BASE);
    for (coefficient, k) in LANCZOS.iter().zip(1..) {
        let coefficient = x.constant(*coefficient);
        let term = lanczos.z + f64::from(k);
        slope = slope - coefficient / (term * term);
        series = series + coefficient / term;
    }
    let (t, log_t) = lanczos.argument();
    let ratio = slope / series;
    let rest = x.constant(LANCZOS_G) / t;
    let right = log_t + ratio - rest;

    // digamma(x) = digamma(1 - x) - pi cot(pi x), where the cotangent is of the
    // distance to the nearest integer.
    let distance = x + (x + 0.5).floor().abs();
    let pi = x.constant(PI);
    let angle = pi * distance;
    let (cosine, sine) = (angle.cos(), angle.sin());
    let left = right - pi * cosine / sine;
    let result = lanczos.is_reflected.select(left, right);
    let is_pole = x.le(zero).and(x.eq(x.floor()));
    is_pole.select(x.constant(f64::NAN), result)
}
