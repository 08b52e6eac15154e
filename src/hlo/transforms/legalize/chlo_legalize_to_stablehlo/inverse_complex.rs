//! Inverse trigonometric and hyperbolic functions of complex numbers.
//!
//! asin, acos, asinh and acosh follow Hull, Fairgrieve and Tang, "Implementing
//! the complex arcsine and arccosine functions using exception handling" (ACM
//! TOMS 23, 1997), with fewer regions, as the functional_algorithms project
//! arranges them: three for the real part and four for the imaginary one.
//! The sign of a zero selects the side of a branch cut.

use super::functions::{self, Parts, hypot};
use crate::transforms::legalize::formula::Expression;
use halo_ir::prelude::*;
use std::f64::consts::{FRAC_PI_2, LN_2};

/// For `x, y >= 0` and `a = (|z + 1| + |z - 1|) / 2`: `sqrt(a^2 - x^2)`, up to a
/// factor that `y` has too where it would overflow, and `log(a + sqrt(a^2 - 1))`.
///
/// The first with `x` makes the angle that is the real part of asin and acos,
/// the second is the size of their imaginary part.
fn kernel<'f, 'c>(x: Expression<'f, 'c>, y: Expression<'f, 'c>) -> Parts<'f, 'c> {
    let limits = x.limits();
    let safe_max = limits.largest.sqrt() / 8.0;
    let safe_min = limits.smallest_normal.sqrt() * 4.0;
    let above = x + 1.0;
    let below = x - 1.0;
    let r = hypot(above, y);
    let s = hypot(below.abs(), y);
    let a = 0.5 * (r + s);
    let square = y * y;

    // a - x and a - 1 without cancellation.
    let half_sum = 0.5 * (a + x);
    let left = square / (r + above);
    let inside = (half_sum * (left + (s - below))).sqrt();
    let outside = y * (half_sum / (r + above) + half_sum / (s + below)).sqrt();
    let moderate = x.le(1.0).select(inside, outside);
    let real = x.max(y).ge(safe_max).select(y, moderate);

    let tall_limit = x.lt(safe_max * 1e12).select(x.constant(safe_max * 1e-6), safe_max * 1e2);
    let tall = y.ge(tall_limit);
    let large = tall.select(y, x);
    let is_large = large.ge(tall.select(tall_limit, safe_max));
    let ratio = tall.and(y.ne(f64::INFINITY)).select(x / y, 0.0);
    let far = (large.log() + LN_2) + 0.5 * (ratio * ratio).log1p();

    let flat = y.lt(safe_min).and(x.lt(1.0));
    // Twice a - 1: halving could underflow if y is the least number.
    let outer = left + (s + below);
    let inner = a.le(1.5).select(left + square / (s - below), 2.0 * (a - 1.0));
    let near = x.ge(1.0).select(outer, inner);
    let excess = flat.select(-2.0 * (above * below) / (a + 1.0), near);
    let root = (excess * (0.5 * (a + 1.0))).sqrt();
    let close = flat.select(y / root, (0.5 * excess + root).log1p());
    (real, is_large.select(far, close))
}

/// The kernel of a number in any quadrant.
fn kernel_of<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    kernel(x.abs(), y.abs())
}

/// `chlo._asin_acos_kernel`
pub fn kernel_op<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    functions::rewrite(b, op, kernel_of)
}

/// `asin(z)`
pub fn asin<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let (real, imaginary) = kernel_of((x, y));
    (x.atan2(real), imaginary.with_sign_of(y))
}

/// `acos(z) = pi/2 - asin(z)`
pub fn acos<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let (real, imaginary) = kernel_of((x, y));
    (real.atan2(x), -imaginary.with_sign_of(y))
}

/// `acosh(z)` is `i acos(z)` or `-i acos(z)`, so that its real part is not
/// negative.
pub fn acosh<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let (real, imaginary) = kernel_of((x, y));
    (imaginary, real.atan2(x).with_sign_of(y))
}

/// `asinh(z) = -i asin(iz)`
pub fn asinh<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let (real, imaginary) = kernel_of((y, x));
    (imaginary.with_sign_of(x), y.atan2(real))
}

/// `atanh(z) = log1p(4x / ((1 - x)^2 + y^2)) / 4 + atan2(2y, (1 - x)(1 + x) -
/// y^2) / 2 i`, for `x >= 0` and odd.
///
/// Far away, where the squares overflow, the parts are `x / |z|^2` and a right
/// angle. Above 1, where the only square may vanish, the real part is `(log(2) -
/// log(y)) / 2`.
pub fn atanh<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let limits = x.limits();
    let (a, b) = (x.abs(), y.abs());
    let square = b * b;
    let below = 1.0 - a;
    let near = 0.25 * (4.0 * a / (below * below + square)).log1p();
    let above_one = 0.5 * (LN_2 - b.log());
    let vanishes = a.eq(1.0).and(b.lt(limits.smallest_normal.sqrt() * 16.0));
    let near = vanishes.select(above_one, near);
    let angle = 0.5 * (y + y).atan2(below * (1.0 + a) - square);

    let (large, small) = (a.max(b), a.min(b));
    let is_far = large.gt(limits.largest.sqrt() / 8.0);
    let is_infinite = large.eq(f64::INFINITY);
    let ratio = small / large;
    let far = a / large / large / (1.0 + ratio * ratio);
    let far = is_infinite.select(x.constant(0.0), far);
    let right = x.constant(FRAC_PI_2).with_sign_of(y);
    (
        is_far.select(far, near).with_sign_of(x),
        is_far.select(right, angle),
    )
}

/// `atan(z) = -i atanh(iz)`
pub fn atan<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let (real, imaginary) = atanh((-y, x));
    (imaginary, -real)
}
