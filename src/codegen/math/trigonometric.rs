//! sin, cos and tan of f32, for every finite argument.
//!
//! The main problem is argument reduction: subtracting a multiple of a quarter turn. Up to 2^30,
//! two fused multiply-adds in f64 suffice. A larger argument is an integer times a power of two, so
//! that only a window of the bits of 2/pi matters: the bits before it contribute whole turns, the
//! bits after it are too small. The product of the integer and a window of 96 bits is exact in
//! 64-bit arithmetic that wraps around, which drops the whole turns. (Payne and Hanek, "Radian
//! reduction for trigonometric functions", 1983.)

use crate::formula::Number;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// `(sin(r) - r) / r^3` in `r^2` for `|r| < pi / 4`; relative error 2^-35.
const SIN: [f64; 4] = [
    -0.1666666666385529,
    0.008333331874710208,
    -0.00019840086735384846,
    2.724992580305979e-06,
];
/// `(cos(r) - 1 + r^2 / 2) / r^4` in `r^2` for `|r| < pi / 4`; relative error
/// 2^-39.
const COS: [f64; 4] = [
    0.0416666666643212,
    -0.001388888767201679,
    2.480060037715673e-05,
    -2.7300959203901464e-07,
];
/// The first fractional bits of 2/pi, in words of 32 bits.
const TWO_OVER_PI: [u32; 7] = [
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
];
/// The rounding error of pi/2 in f64.
const FRAC_PI_2_REST: f64 = 6.123233995736766e-17;
/// Arguments from here on use the window.
const LARGE: f64 = 1_073_741_824.0;

/// The magnitude of the argument minus `quarter` quarter turns, in f64.
struct Reduced<'f, 'c> {
    rest: Number<'f, 'c>,
    /// Only the lowest two bits matter.
    quarter: Number<'f, 'c>,
}

fn reduce<'f, 'c>(size: Number<'f, 'c>) -> Reduced<'f, 'c> {
    let wide = size.with_width(64);
    let (rounded, near_quarter) = wide.round_scaled(FRAC_2_PI);
    let near = rounded.fma(-FRAC_PI_2_REST, rounded.fma(-FRAC_PI_2, wide));
    let (far, far_quarter) = reduce_large(size.bits().with_width(64));
    let is_large = wide.ge(LARGE);
    Reduced {
        rest: is_large.select(far, near),
        quarter: is_large.select(far_quarter, near_quarter),
    }
}

/// sin and cos of a number of at most an eighth of a turn.
fn sin_cos<'f, 'c>(rest: Number<'f, 'c>) -> (Number<'f, 'c>, Number<'f, 'c>) {
    let square = rest * rest;
    let sin = (square * rest).fma(square.polynomial(&SIN), rest);
    let start = square.fma(-0.5, 1.0);
    let cos = (square * square).fma(square.polynomial(&COS), start);
    (sin, cos)
}

/// The remainder and the quarter turns of a number from its bits, extended to 64 bits. The result
/// is arbitrary for numbers below [`LARGE`].
fn reduce_large<'f, 'c>(bits: Number<'f, 'c>) -> (Number<'f, 'c>, Number<'f, 'c>) {
    let exponent = bits.shift_right_logical(23);
    let mantissa = (bits & 0x7f_ffff) | 0x80_0000;
    // The number is mantissa * 2^(exponent - 150), so that the first exponent - 152 bits of 2/pi
    // contribute whole turns.
    let skipped = exponent - 152;
    let word = skipped.shift_right_arithmetic(5);
    let shift = skipped & 31;
    let pair = |number: usize| {
        ((i64::from(TWO_OVER_PI[number])) << 32) | i64::from(TWO_OVER_PI[number + 1])
    };
    let (mut first, mut second) = (bits.constant(pair(0)), bits.constant(pair(2)));
    for number in 1..4 {
        let is_here = word.eq(number as i64);
        first = first.replaced_where(is_here, pair(number));
        second = second.replaced_where(is_here, pair(number + 2));
    }
    // Bits from `shift` on: 64 and 32 of them.
    let back = bits.constant(63) - shift;
    let right = second.shift_right_logical(1).shift_right_logical(back);
    let high = (first << shift) | right;
    let low = (second << shift).shift_right_logical(32);
    let low = (low * mantissa).shift_right_logical(32);
    // Quarter turns with 62 fractional bits.
    let nearest = high * mantissa + low + (1 << 61);
    let quarter = nearest.shift_right_logical(62);
    // The first 52 fractional bits become the mantissa of a float from 2^52 on, which is cheaper
    // than a conversion. They are the remainder plus one half.
    let fraction = (nearest & ((1 << 62) - 1)).shift_right_logical(10);
    let magic = 4_503_599_627_370_496.0_f64;
    let shifted = (fraction | magic.to_bits() as i64).float_of_bits();
    let rest = (shifted - magic * 1.5) * (FRAC_PI_2 / magic);
    (rest, quarter)
}

/// Replaces the result by NaN for infinite values and NaN.
pub fn finite_only<'f, 'c>(size: Number<'f, 'c>, result: Number<'f, 'c>) -> Number<'f, 'c> {
    size.lt(f64::INFINITY).select(result, f64::NAN)
}

/// The sign bit, from the second bit of a number of quarter turns.
pub fn sign_of_half_turn<'f, 'c>(quarter: Number<'f, 'c>) -> Number<'f, 'c> {
    (quarter & 2) << (i64::from(quarter.width()) - 2)
}

/// True if a number of quarter turns is odd.
pub fn is_odd<'f, 'c>(quarter: Number<'f, 'c>) -> Number<'f, 'c> {
    (quarter & 1).eq(1)
}

/// Negates a value if a sign bit is set.
pub fn negate_by<'f, 'c>(value: Number<'f, 'c>, sign: Number<'f, 'c>) -> Number<'f, 'c> {
    (value.bits() ^ sign).float_of_bits()
}

/// The sign bit of a float.
pub fn sign_of<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    x.bits() & (i64::MIN >> (64 - x.width()))
}

/// `sin(x)` of f32
pub fn sin<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    let Reduced { rest, quarter } = reduce(size);
    let quarter = quarter.with_width(32);
    let (sin, cos) = sin_cos(rest.with_width(32));
    let value = is_odd(quarter).select(cos, sin);
    let sign = sign_of_half_turn(quarter) ^ sign_of(x);
    finite_only(size, negate_by(value, sign))
}

/// `cos(x)` of f32
pub fn cos<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    let Reduced { rest, quarter } = reduce(size);
    let quarter = quarter.with_width(32);
    let (sin, cos) = sin_cos(rest.with_width(32));
    let value = is_odd(quarter).select(sin, cos);
    let sign = sign_of_half_turn(quarter + 1);
    finite_only(size, negate_by(value, sign))
}

/// `tan(x)` of f32
pub fn tan<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    let Reduced { rest, quarter } = reduce(size);
    // In f64, since the errors of sine and cosine add up.
    let (sin, cos) = sin_cos(rest);
    let is_odd = is_odd(quarter);
    let value = is_odd.select(cos, sin) / is_odd.select(sin, cos);
    let sign = (quarter.with_width(32) << 31) ^ sign_of(x);
    finite_only(size, negate_by(value.with_width(32), sign))
}
