//! atan and atan2 of f64, with errors below 1 ULP.
//!
//! The slope of a point is compared with 1/2 and 1. The polynomial approximates
//! the angle between the two, whose tangent is the slope of a rotated point, so
//! one division suffices.

use super::double_double::Pair;
use crate::formula::Number;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// `(atan(t) - t) / t^3` in `t^2` for `|t| < 7/16`; relative error of the angle
/// 2^-57.7.
const ATAN: [f64; 11] = [
    -0.3333333333333292,
    0.19999999999873666,
    -0.1428571427226125,
    0.1111111039506012,
    -0.09090886875590962,
    0.07691872242087391,
    -0.066610341443812,
    0.058333241659345975,
    -0.04975915874540604,
    0.036510325724745524,
    -0.016265572655694383,
];
/// atan(1/2) as a sum of two floats.
const ATAN_HALF: [f64; 2] = [0.4636476090008061, 2.2698777452961687e-17];
/// The rounding error of pi/2 in f64.
const FRAC_PI_2_REST: f64 = 6.123233995736766e-17;

/// The angle of a point with nonnegative coordinates.
fn first_quadrant<'f, 'c>(y: Number<'f, 'c>, x: Number<'f, 'c>) -> Pair<'f, 'c> {
    let steep = y.gt(x);
    let (longer, shorter) = (steep.select(y, x), steep.select(x, y));
    // Infinite points are on an axis or on the diagonal, and the angle of the origin is zero.
    let (zero, one) = (x.constant(0.0), x.constant(1.0));
    let other = shorter.eq(f64::INFINITY).select(one, zero);
    let is_infinite = longer.eq(f64::INFINITY);
    let shorter = shorter.replaced_where(is_infinite, other);
    let longer = longer.replaced_where(is_infinite, 1.0);
    let longer = longer.replaced_where(longer.eq(0.0), 1.0);
    // Scales to avoid overflow of sums and rounding of halves.
    let scale = one
        .replaced_where(longer.lt(2_f64.powi(-500)), 2_f64.powi(500))
        .replaced_where(longer.gt(2_f64.powi(1000)), 2_f64.powi(-100));
    let (longer, shorter) = (longer * scale, shorter * scale);

    let by_half = shorter.ge(longer * (7.0 / 16.0));
    let by_one = shorter.ge(longer * (11.0 / 16.0));
    let slope = zero.replaced_where(by_half, 0.5).replaced_where(by_one, 1.0);
    let constant = |parts| Pair::constant(x, parts);
    let base = Pair::select(by_half, constant(ATAN_HALF), constant([0.0, 0.0]));
    let eighth = constant([FRAC_PI_4, FRAC_PI_2_REST / 2.0]);
    let base = Pair::select(by_one, eighth, base);

    // The difference is exact, since both terms are close to each other.
    let rotated_y = Pair::exact((-slope).fma(longer, shorter));
    let t = rotated_y / Pair::quick_sum(longer, slope * shorter);
    let square = t.high * t.high;
    let low = (square * t.high).fma(square.polynomial(&ATAN), t.low);
    let angle = base + Pair { high: t.high, low };
    let from_axis = [FRAC_PI_2, FRAC_PI_2_REST] - angle;
    Pair::select(steep, from_axis, angle)
}

/// `atan(x)` of f64
pub fn atan<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let angle = first_quadrant(x.abs(), x.constant(1.0));
    angle.high.copysign(x)
}

/// `atan2(y, x)` of f64
pub fn atan2<'f, 'c>(y: Number<'f, 'c>, x: Number<'f, 'c>) -> Number<'f, 'c> {
    let angle = first_quadrant(y.abs(), x.abs());
    let left = [PI, 2.0 * FRAC_PI_2_REST] - angle;
    // The sign of a zero x matters too.
    let is_left = x.constant(1.0).copysign(x).lt(0.0);
    let angle = is_left.select(left.high, angle.high).copysign(y);
    angle.replaced_where(x.is_unordered_with(y), f64::NAN)
}
