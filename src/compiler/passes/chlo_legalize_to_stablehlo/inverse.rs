//! Inverse trigonometric and hyperbolic functions of real numbers.
//!
//! Each formula keeps its relative accuracy over the whole domain: differences
//! are factored where they would cancel, and squares avoided where they would
//! overflow. Outside of the domain a square root or a logarithm gives NaN.

use crate::passes::formula::Expression;

/// `sqrt(1 - x^2)`, whose factors are exact close to where it vanishes.
fn complement<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    ((1.0 - x) * (1.0 + x)).sqrt()
}

/// `asin(x)` is the angle of the point `(sqrt(1 - x^2), x)`.
pub fn asin<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    x.atan2(complement(x))
}

/// `acos(x)` is the angle of the point `(x, sqrt(1 - x^2))`.
pub fn acos<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    complement(x).atan2(x)
}

/// `atan(x)` is the angle of the point `(1, x)`.
pub fn atan<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    x.atan2(1.0)
}

/// `acosh(x) = log1p(sqrt(x - 1) * (sqrt(x + 1) + sqrt(x - 1)))`; it is
/// `log(2) + log(x)` where the product would overflow.
pub fn acosh<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let below = (x - 1.0).sqrt();
    let moderate = (below * ((x + 1.0).sqrt() + below)).log1p();
    let large = x.log() + std::f64::consts::LN_2;
    x.ge(x.limits().largest / 2.0).select(large, moderate)
}

/// `asinh(x) = log1p(x + x^2 / (1 + sqrt(1 + x^2)))` for `x >= 0`, odd; it is
/// `log(2) + log(x)` where the square would overflow.
pub fn asinh<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let size = x.abs();
    let square = size * size;
    let moderate = (size + square / (1.0 + (1.0 + square).sqrt())).log1p();
    let large = size.log() + std::f64::consts::LN_2;
    let result = size.ge(x.limits().largest.sqrt()).select(large, moderate);
    x.sign() * result
}

/// `atanh(x) = log1p(2x / (1 - x)) / 2` for `x >= 0`, odd.
pub fn atanh<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let size = x.abs();
    x.sign() * (0.5 * ((size + size) / (1.0 - size)).log1p())
}
