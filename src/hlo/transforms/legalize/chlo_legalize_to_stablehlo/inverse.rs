//! Inverse trigonometric and hyperbolic functions of real numbers.
//!
//! Each formula has a small relative error over the whole domain: differences that would cancel are
//! factored, and squares that would overflow are avoided. Outside of the domain a square root or a
//! logarithm gives NaN.

use crate::transforms::legalize::formula::Expression;

/// `asin(x) = 2 atan2(x, 1 + sqrt((1 - x) (1 + x)))`, by the half angle.
pub fn asin<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let one = x.constant(1.0);
    let complement = ((one - x) * (one + x)).sqrt();
    let half = x.atan2(one + complement);
    half + half
}

/// `acos(x)` is the angle of the point `(x, sqrt((1 - x) (1 + x)))`.
pub fn acos<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let one = x.constant(1.0);
    ((one - x) * (one + x)).sqrt().atan2(x)
}

/// `atan(x)` is the angle of the point `(1, x)`.
pub fn atan<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    x.atan2(1.0)
}

/// `acosh(x) = log1p(sqrt(x - 1) (sqrt(x + 1) + sqrt(x - 1)))`; it is
/// `log(2) + log(x)` where the product would overflow.
pub fn acosh<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let largest = x.constant(x.limits().largest);
    let two = x.constant(2.0);
    let is_large = x.ge(largest / two);
    let large = two.log() + x.log();
    let one = x.constant(1.0);
    let below = (x - one).sqrt();
    let sum = (x + one).sqrt() + below;
    is_large.select(large, (below * sum).log1p())
}

/// `asinh(x) = log1p(x + x^2 / (1 + sqrt(1 + x^2)))` for `x >= 0`, odd; it is
/// `log(2) + log(x)` where the square would overflow.
pub fn asinh<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let sign = x.sign();
    let size = x.abs();
    let is_large = size.ge(x.constant(x.limits().largest).sqrt());
    let large = x.constant(2.0).log() + size.log();
    let square = size * size;
    let one = x.constant(1.0);
    let root = (one + square).sqrt();
    let moderate = (size + square / (one + root)).log1p();
    sign * is_large.select(large, moderate)
}

/// `atanh(x) = (log1p(x) - log1p(-x)) / 2`
pub fn atanh<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let is_outside = x.abs().gt(1.0);
    let nan = x.constant(f64::NAN);
    is_outside.select(nan, (x.log1p() - (-x).log1p()) * 0.5)
}
