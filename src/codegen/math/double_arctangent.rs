//! atan and atan2 of f64, with errors below 1 ULP.
//!
//! The slope of a point is compared with 1/2 and 1. The polynomial approximates
//! the angle between the two, whose tangent is the slope of a rotated point, so
//! one division suffices.

use super::{
    code::Code,
    double_double::{Pair, add, constant, quick_sum, quotient, select},
};
use crate::loops::loop_ops::Emitted;
use halo_ir::prelude::*;
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
/// atan(1/2) in two parts.
const ATAN_HALF: [f64; 2] = [0.4636476090008061, 2.2698777452961687e-17];
/// The rounding error of pi/2 in f64.
const FRAC_PI_2_REST: f64 = 6.123233995736766e-17;

/// The angle of a point with coordinates that are not negative.
fn first_quadrant<'c>(code: &Code<'_, 'c>, y: Value<'c>, x: Value<'c>) -> Emitted<Pair<'c>> {
    let (zero, half, one) = (code.float(0.0)?, code.float(0.5)?, code.float(1.0)?);
    let steep = code.compare(CmpFPredicate::Ogt, y, x)?;
    let longer = code.select(steep, y, x)?;
    let shorter = code.select(steep, x, y)?;
    // Infinities are points at the end of an axis or of the diagonal, and the
    // angle of the origin is zero.
    let other = code.select_where((shorter, CmpFPredicate::Oeq, f64::INFINITY), one, zero)?;
    let infinite = code.compare_with(CmpFPredicate::Oeq, longer, f64::INFINITY)?;
    let shorter = code.select(infinite, other, shorter)?;
    let longer = code.select(infinite, one, longer)?;
    let longer = code.select_where((longer, CmpFPredicate::Oeq, 0.0), one, longer)?;
    // Neither sums that overflow nor halves that are rounded.
    let (up, down) = (code.float(2_f64.powi(500))?, code.float(2_f64.powi(-100))?);
    let scale = code.select_where((longer, CmpFPredicate::Olt, 2_f64.powi(-500)), up, one)?;
    let scale = code.select_where((longer, CmpFPredicate::Ogt, 2_f64.powi(1000)), down, scale)?;
    let (longer, shorter) = (code.mul(longer, scale)?, code.mul(shorter, scale)?);

    let (low_bound, high_bound) = (code.float(7.0 / 16.0)?, code.float(11.0 / 16.0)?);
    let low_bound = code.mul(longer, low_bound)?;
    let high_bound = code.mul(longer, high_bound)?;
    let by_half = code.compare(CmpFPredicate::Oge, shorter, low_bound)?;
    let by_one = code.compare(CmpFPredicate::Oge, shorter, high_bound)?;
    let slope = code.select(by_half, half, zero)?;
    let slope = code.select(by_one, one, slope)?;
    let base = constant(code, [0.0, 0.0])?;
    let base = select(code, by_half, constant(code, ATAN_HALF)?, base)?;
    let eighth = constant(code, [FRAC_PI_4, FRAC_PI_2_REST / 2.0])?;
    let base = select(code, by_one, eighth, base)?;

    // The difference is exact, since both terms are close to each other.
    let negated = code.neg(slope)?;
    let rotated_y = Pair {
        high: code.fma(negated, longer, shorter)?,
        low: zero,
    };
    let projected = code.mul(slope, shorter)?;
    let rotated_x = quick_sum(code, longer, projected)?;
    let t = quotient(code, rotated_y, rotated_x)?;
    let square = code.mul(t.high, t.high)?;
    let cube = code.mul(square, t.high)?;
    let series = code.polynomial(square, &ATAN)?;
    let low = code.fma(cube, series, t.low)?;
    let angle = add(code, base, Pair { high: t.high, low })?;
    let from_axis = subtract_from(code, [FRAC_PI_2, FRAC_PI_2_REST], angle)?;
    select(code, steep, from_axis, angle)
}

/// A constant less a smaller pair.
fn subtract_from<'c>(code: &Code<'_, 'c>, minuend: [f64; 2], pair: Pair<'c>) -> Emitted<Pair<'c>> {
    let minuend = constant(code, minuend)?;
    let negated = Pair {
        high: code.neg(pair.high)?,
        low: code.neg(pair.low)?,
    };
    add(code, minuend, negated)
}

/// `atan(x)` of f64
pub fn atan<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let one = code.float(1.0)?;
    let angle = first_quadrant(code, size, one)?;
    code.copysign(angle.high, x)
}

/// `atan2(y, x)` of f64
pub fn atan2<'c>(code: &Code<'_, 'c>, y: Value<'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let (height, width) = (code.abs(y)?, code.abs(x)?);
    let angle = first_quadrant(code, height, width)?;
    let left = subtract_from(code, [PI, 2.0 * FRAC_PI_2_REST], angle)?;
    // The sign of x counts even where x is zero.
    let one = code.float(1.0)?;
    let sign = code.copysign(one, x)?;
    let angle = code.select_where((sign, CmpFPredicate::Olt, 0.0), left.high, angle.high)?;
    let angle = code.copysign(angle, y)?;
    let unordered = code.compare(CmpFPredicate::Uno, x, y)?;
    let nan = code.float(f64::NAN)?;
    code.select(unordered, nan, angle)
}
