//! sin, cos and tan of f64, for every finite argument, with errors below 1 ULP.
//!
//! The reduced argument is a [`Pair`], since cancellation may leave only its last digits. Below
//! 2^30, the reduction uses pi/2 as a sum of three floats, whose first product leaves an exact
//! difference (Cody and Waite, "Software Manual for the Elementary Functions", 1980). Larger
//! arguments use a window of the bits of 2/pi, as for f32 ([`super::trigonometric`]).

use super::{
    double_double::Pair,
    trigonometric::{finite_only, is_odd, negate_by, sign_of, sign_of_half_turn},
};
use crate::formula::Number;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// `(sin(r) - r) / r^3` in `r^2` for `|r| < pi / 4`; relative error of the sine
/// 2^-57.9.
const SIN: [f64; 6] = [
    -0.1666666666666663,
    0.008333333333322108,
    -0.00019841269829580258,
    2.7557313618031523e-06,
    -2.5050747218343318e-08,
    1.589619755768143e-10,
];
/// `(cos(r) - 1 + r^2 / 2) / r^4` in `r^2` for `|r| < pi / 4`; relative error of
/// the cosine 2^-64.
const COS: [f64; 6] = [
    0.041666666666666595,
    -0.001388888888887304,
    2.480158728884204e-05,
    -2.755731417640407e-07,
    2.087570043553296e-09,
    -1.1358514819809167e-11,
];
/// The bits of 2/pi in words of 64 bits. The first word is the integer part.
const TWO_OVER_PI: [u64; 20] = [
    0x0000_0000_0000_0000,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];
/// The rounding error of pi/2 in f64, as a sum of two floats.
const FRAC_PI_2_REST: [f64; 2] = [6.123233995736766e-17, -1.4973849048591698e-33];
/// Arguments from here on use the window.
const LARGE: f64 = 1_073_741_824.0;

/// The magnitude of the argument minus `quarter` quarter turns.
struct Reduced<'f, 'c> {
    rest: Pair<'f, 'c>,
    /// Only the lowest two bits matter.
    quarter: Number<'f, 'c>,
}

fn reduce<'f, 'c>(size: Number<'f, 'c>) -> Reduced<'f, 'c> {
    let near = reduce_moderate(size);
    let far = reduce_large(size);
    let is_large = size.ge(LARGE);
    Reduced {
        rest: Pair::select(is_large, far.rest, near.rest),
        quarter: is_large.select(far.quarter, near.quarter),
    }
}

/// The reduction of numbers below [`LARGE`].
fn reduce_moderate<'f, 'c>(size: Number<'f, 'c>) -> Reduced<'f, 'c> {
    let (rounded, quarter) = size.round_scaled(FRAC_2_PI);
    // Both terms are multiples of 2^-53, and their sum is below 1.
    let rest = rounded.fma(-FRAC_PI_2, size);
    let correction = Pair::product(rounded, rounded.constant(-FRAC_PI_2_REST[0]));
    let rest = Pair::sum(rest, correction.high);
    let low = rounded.fma(-FRAC_PI_2_REST[1], rest.low + correction.low);
    Reduced {
        rest: Pair::quick_sum(rest.high, low),
        quarter,
    }
}

/// The reduction of numbers from [`LARGE`] on; the result for smaller numbers is arbitrary.
fn reduce_large<'f, 'c>(size: Number<'f, 'c>) -> Reduced<'f, 'c> {
    let bits = size.bits();
    let exponent = bits.shift_right_logical(52);
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    // The number is mantissa * 2^(exponent - 1075), so that the first exponent - 1077 bits of 2/pi
    // contribute whole turns.
    let skipped = exponent - (1077 - 64);
    let words = words_from(skipped.shift_right_arithmetic(6));
    let shift = skipped & 63;
    let back = bits.constant(63) - shift;
    let part = |first: usize| {
        let right = words[first + 1].shift_right_logical(1);
        (words[first] << shift) | right.shift_right_logical(back)
    };
    let window = [part(0), part(1), part(2)];
    // Quarter turns with 126 fractional bits, in two words.
    let carried = window[2].product_high(mantissa);
    let low = window[1] * mantissa + carried;
    let carried = low.unordered_lt(carried).select(bits.constant(1), 0);
    let high = window[0] * mantissa + carried + window[1].product_high(mantissa);
    let quarter = (high + (1 << 61)).shift_right_logical(62);
    // The fraction is a signed number. Its complement differs from its negation
    // only in the last bit, which does not matter.
    let high = (high << 2) | low.shift_right_logical(62);
    let sign = high.shift_right_arithmetic(63);
    let (first, second) = halves(high ^ sign);
    let (third, fourth) = halves((low << 2) ^ sign);
    let unit = |exponent: i32| 2_f64.powi(exponent);
    let tail = third.fma(unit(-96), fourth * unit(-128));
    let turns = Pair::quick_sum(first * unit(-32), second * unit(-64));
    let turns = Pair::quick_sum(turns.high, turns.low + tail);
    let rest = turns * [FRAC_PI_2, FRAC_PI_2_REST[0]];
    let sign = sign & i64::MIN;
    Reduced {
        rest: Pair {
            high: negate_by(rest.high, sign),
            low: negate_by(rest.low, sign),
        },
        quarter,
    }
}

/// Four words of 2/pi from a given word on, selected by halving for each bit of its number.
fn words_from<'f, 'c>(number: Number<'f, 'c>) -> Vec<Number<'f, 'c>> {
    let mut words = TWO_OVER_PI.map(|word| number.constant(word as i64)).to_vec();
    for step in [16, 8, 4, 2, 1_usize] {
        let skips = (number & step as i64).eq(step as i64);
        let later = |position: usize| words.get(position + step);
        words = words
            .iter()
            .enumerate()
            .take(step + 3)
            .map(|(position, word)| match later(position) {
                Some(later) => skips.select(*later, *word),
                None => *word,
            })
            .collect();
    }
    words
}

/// The upper and the lower 32 bits of a word as floats.
fn halves<'f, 'c>(word: Number<'f, 'c>) -> (Number<'f, 'c>, Number<'f, 'c>) {
    let (upper, lower) = (word.shift_right_logical(32), word & 0xffff_ffff);
    (upper.small_to_float(), lower.small_to_float())
}

/// The sine of a number of at most an eighth of a turn.
fn sin_of_rest<'f, 'c>(rest: Pair<'f, 'c>) -> Pair<'f, 'c> {
    let square = rest.high * rest.high;
    let cube = square * rest.high;
    // The slope is the cosine.
    let slope = square.fma(-0.5, 1.0);
    let low = cube.fma(square.polynomial(&SIN), rest.low * slope);
    Pair::quick_sum(rest.high, low)
}

/// The cosine of a number of at most an eighth of a turn.
fn cos_of_rest<'f, 'c>(rest: Pair<'f, 'c>) -> Pair<'f, 'c> {
    let square = Pair::product(rest.high, rest.high);
    let one = rest.high.constant(1.0);
    let start = Pair::quick_sum(one, square.high * -0.5);
    let fourth = square.high * square.high;
    let low = square.low.fma(-0.5, start.low);
    let low = (-rest.high).fma(rest.low, low);
    let low = fourth.fma(square.high.polynomial(&COS), low);
    Pair::quick_sum(start.high, low)
}

/// `sin(x)` of f64
pub fn sin<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    let Reduced { rest, quarter } = reduce(size);
    let (sin, cos) = (sin_of_rest(rest), cos_of_rest(rest));
    let value = is_odd(quarter).select(cos.high, sin.high);
    let sign = sign_of_half_turn(quarter) ^ sign_of(x);
    finite_only(size, negate_by(value, sign))
}

/// `cos(x)` of f64
pub fn cos<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    let Reduced { rest, quarter } = reduce(size);
    let (sin, cos) = (sin_of_rest(rest), cos_of_rest(rest));
    let value = is_odd(quarter).select(sin.high, cos.high);
    let sign = sign_of_half_turn(quarter + 1);
    finite_only(size, negate_by(value, sign))
}

/// `tan(x)` of f64
pub fn tan<'f, 'c>(x: Number<'f, 'c>) -> Number<'f, 'c> {
    let size = x.abs();
    let Reduced { rest, quarter } = reduce(size);
    let (sin, cos) = (sin_of_rest(rest), cos_of_rest(rest));
    let is_odd = is_odd(quarter);
    let tangent = Pair::select(is_odd, cos, sin) / Pair::select(is_odd, sin, cos);
    let sign = (quarter << 63) ^ sign_of(x);
    finite_only(size, negate_by(tangent.high, sign))
}
