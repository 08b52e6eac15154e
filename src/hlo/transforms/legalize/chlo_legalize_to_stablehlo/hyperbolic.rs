//! Hyperbolic sine and cosine.
//!
//! `e^x / 2` is computed as `e^(x + log(1/2))`, so that it does not overflow where only `e^x` does.
//! The sum in the exponent costs a few ULP for large arguments; the reference implementation has
//! the same error, and programs are compared with its results.

use super::functions::{Parts, scaled};
use crate::transforms::legalize::formula::Expression;

/// `e^x / 2` and `e^-x / 2`
fn halves<'f, 'c>(x: Expression<'f, 'c>) -> (Expression<'f, 'c>, Expression<'f, 'c>) {
    let log_half = x.constant(0.5).log();
    ((x + log_half).exp(), (log_half - x).exp())
}

/// `cosh(x) = e^x / 2 + e^-x / 2`
pub fn cosh<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let (grown, shrunk) = halves(x);
    grown + shrunk
}

/// `sinh(x) = e^x / 2 - e^-x / 2`, and with `u = e^x - 1` for `|x| < 1`, where
/// that would cancel, `(u + u / (u + 1)) / 2`.
pub fn sinh<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let (grown, shrunk) = halves(x);
    let large = grown - shrunk;
    let growth = x.expm1();
    let (one, half) = (x.constant(1.0), x.constant(0.5));
    let small = half * (growth + growth / (growth + one));
    x.abs().lt(one).select(small, large)
}

/// `cosh(x + yi) = cosh(x) cos(y) + sinh(x) sin(y) i`
pub fn complex_cosh<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    (
        scaled(cosh(x), x, y.cos(), false),
        scaled(sinh(x), x, y.sin(), true),
    )
}

/// `sinh(x + yi) = sinh(x) cos(y) + cosh(x) sin(y) i`
pub fn complex_sinh<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    (
        scaled(sinh(x), x, y.cos(), true),
        scaled(cosh(x), x, y.sin(), false),
    )
}
