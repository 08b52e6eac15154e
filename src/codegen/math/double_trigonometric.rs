//! sin, cos and tan of f64, for every finite argument, with errors below 1 ULP.
//!
//! The argument less a multiple of a quarter turn is a [`Pair`], since it may
//! have lost all but its last digits. Below 2^30 it comes from pi/2 in three
//! parts: the product with the first leaves a difference that is exact (Cody and
//! Waite, "Software Manual for the Elementary Functions", 1980). Beyond, a
//! window of the bits of 2/pi does, as for f32, see [`super::trigonometric`].

use super::{
    code::Code,
    double_double::{Pair, constant, multiply, product, quick_sum, quotient, select, sum},
    trigonometric::{finite_only, is_odd, negate_by, sign_of, sign_of_half_turn},
};
use crate::loops::loop_ops::Emitted;
use halo_ir::prelude::*;
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
/// The bits of 2/pi, 64 to a word, of which the first is before the point.
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
/// The rounding error of pi/2 in f64, in two parts.
const FRAC_PI_2_REST: [f64; 2] = [6.123233995736766e-17, -1.4973849048591698e-33];
/// Arguments from here on take the window.
const LARGE: f64 = 1_073_741_824.0;

/// The argument's size less `quarter` quarter turns.
struct Reduced<'c> {
    rest: Pair<'c>,
    /// Only the lowest two bits count.
    quarter: Value<'c>,
}

fn reduce<'c>(code: &Code<'_, 'c>, size: Value<'c>) -> Emitted<Reduced<'c>> {
    let near = reduce_moderate(code, size)?;
    let far = reduce_large(code, size)?;
    let large = code.compare_with(CmpFPredicate::Oge, size, LARGE)?;
    Ok(Reduced {
        rest: select(code, large, far.rest, near.rest)?,
        quarter: code.select(large, far.quarter, near.quarter)?,
    })
}

/// For numbers below [`LARGE`].
fn reduce_moderate<'c>(code: &Code<'_, 'c>, size: Value<'c>) -> Emitted<Reduced<'c>> {
    let scale = code.float(FRAC_2_PI)?;
    let (rounded, quarter) = code.round_scaled(size, scale)?;
    let first = code.float(-FRAC_PI_2)?;
    // Both terms are multiples of 2^-53, and their sum is below 1.
    let rest = code.fma(rounded, first, size)?;
    let second = code.float(-FRAC_PI_2_REST[0])?;
    let correction = product(code, rounded, second)?;
    let rest = sum(code, rest, correction.high)?;
    let third = code.float(-FRAC_PI_2_REST[1])?;
    let low = code.add(rest.low, correction.low)?;
    let low = code.fma(rounded, third, low)?;
    Ok(Reduced {
        rest: quick_sum(code, rest.high, low)?,
        quarter,
    })
}

/// Makes sense for numbers from [`LARGE`] on; for others it is merely defined.
fn reduce_large<'c>(code: &Code<'_, 'c>, size: Value<'c>) -> Emitted<Reduced<'c>> {
    let bits = code.bits(size)?;
    let exponent = code.integral_with(arith::shrui, bits, 52)?;
    let fraction = code.integral_with(arith::andi, bits, (1 << 52) - 1)?;
    let mantissa = code.integral_with(arith::ori, fraction, 1 << 52)?;
    // The number is mantissa * 2^(exponent - 1075), so that all but the last two
    // of the first exponent - 1075 bits of 2/pi make whole turns.
    let skipped = code.integral_with(arith::subi, exponent, 1077 - 64)?;
    let word = code.integral_with(arith::shrsi, skipped, 6)?;
    let shift = code.integral_with(arith::andi, skipped, 63)?;
    let words = words_from(code, word)?;
    let back = code.integer(63)?;
    let back = code.integral(arith::subi, back, shift)?;
    let mut window = Vec::new();
    for pair in words.windows(2) {
        let left = code.integral(arith::shli, pair[0], shift)?;
        let halved = code.integral_with(arith::shrui, pair[1], 1)?;
        let right = code.integral(arith::shrui, halved, back)?;
        window.push(code.integral(arith::ori, left, right)?);
    }
    // Quarter turns with 126 fractional bits, in two words.
    let carried = code.product_high(window[2], mantissa)?;
    let product = code.integral(arith::muli, window[1], mantissa)?;
    let low = code.integral(arith::addi, product, carried)?;
    let overflows = code.is_below(low, carried)?;
    let (one, none) = (code.integer(1)?, code.integer(0)?);
    let carried = code.select(overflows, one, none)?;
    let high = code.integral(arith::muli, window[0], mantissa)?;
    let high = code.integral(arith::addi, high, carried)?;
    let carried = code.product_high(window[1], mantissa)?;
    let high = code.integral(arith::addi, high, carried)?;
    let nearest = code.integral_with(arith::addi, high, 1 << 61)?;
    let quarter = code.integral_with(arith::shrui, nearest, 62)?;
    // The fraction is a signed number. Its complement differs from its negation
    // only in the last bit, which does not matter.
    let top = code.integral_with(arith::shli, high, 2)?;
    let next = code.integral_with(arith::shrui, low, 62)?;
    let high = code.integral(arith::ori, top, next)?;
    let low = code.integral_with(arith::shli, low, 2)?;
    let sign = code.integral_with(arith::shrsi, high, 63)?;
    let high = code.integral(arith::xori, high, sign)?;
    let low = code.integral(arith::xori, low, sign)?;
    let (first, second) = halves(code, high)?;
    let (third, fourth) = halves(code, low)?;
    let unit = |exponent: i32| code.float(2_f64.powi(exponent));
    let (first, second) = (code.mul(first, unit(-32)?)?, code.mul(second, unit(-64)?)?);
    let fourth = code.mul(fourth, unit(-128)?)?;
    let tail = code.fma(third, unit(-96)?, fourth)?;
    let turns = quick_sum(code, first, second)?;
    let tail = code.add(turns.low, tail)?;
    let turns = quick_sum(code, turns.high, tail)?;
    let quarter_turn = constant(code, [FRAC_PI_2, FRAC_PI_2_REST[0]])?;
    let rest = multiply(code, turns, quarter_turn)?;
    let sign = code.integral_with(arith::andi, sign, i64::MIN)?;
    Ok(Reduced {
        rest: Pair {
            high: negate_by(code, rest.high, sign)?,
            low: negate_by(code, rest.low, sign)?,
        },
        quarter,
    })
}

/// The four words of 2/pi that begin at a given word, selected by halving for
/// each bit of its number.
fn words_from<'c>(code: &Code<'_, 'c>, number: Value<'c>) -> Emitted<Vec<Value<'c>>> {
    let mut words = Vec::new();
    for word in TWO_OVER_PI {
        words.push(code.integer(word as i64)?);
    }
    for step in [16, 8, 4, 2, 1_usize] {
        let bit = code.integral_with(arith::andi, number, step as i64)?;
        let skips = code.integer_equals(bit, step as i64)?;
        let mut rest = Vec::new();
        for (position, word) in words.iter().enumerate().take(step + 3) {
            rest.push(match words.get(position + step) {
                Some(later) => code.select(skips, *later, *word)?,
                None => *word,
            });
        }
        words = rest;
    }
    Ok(words)
}

/// The upper and the lower 32 bits of a word as floats.
fn halves<'c>(code: &Code<'_, 'c>, word: Value<'c>) -> Emitted<(Value<'c>, Value<'c>)> {
    let upper = code.integral_with(arith::shrui, word, 32)?;
    let lower = code.integral_with(arith::andi, word, 0xffff_ffff)?;
    Ok((code.small_float_of(upper)?, code.small_float_of(lower)?))
}

/// The sine of a number of at most an eighth of a turn.
fn sin_of_rest<'c>(code: &Code<'_, 'c>, rest: Pair<'c>) -> Emitted<Pair<'c>> {
    let square = code.mul(rest.high, rest.high)?;
    let cube = code.mul(square, rest.high)?;
    let series = code.polynomial(square, &SIN)?;
    // The slope is the cosine.
    let (one, half) = (code.float(1.0)?, code.float(-0.5)?);
    let slope = code.fma(square, half, one)?;
    let low = code.mul(rest.low, slope)?;
    let low = code.fma(cube, series, low)?;
    quick_sum(code, rest.high, low)
}

/// The cosine of a number of at most an eighth of a turn.
fn cos_of_rest<'c>(code: &Code<'_, 'c>, rest: Pair<'c>) -> Emitted<Pair<'c>> {
    let (one, half) = (code.float(1.0)?, code.float(-0.5)?);
    let square = product(code, rest.high, rest.high)?;
    let half_square = code.mul(square.high, half)?;
    let start = quick_sum(code, one, half_square)?;
    let fourth = code.mul(square.high, square.high)?;
    let series = code.polynomial(square.high, &COS)?;
    let low = code.fma(square.low, half, start.low)?;
    let slope = code.neg(rest.high)?;
    let low = code.fma(slope, rest.low, low)?;
    let low = code.fma(fourth, series, low)?;
    quick_sum(code, start.high, low)
}

/// `sin(x)` of f64
pub fn sin<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let Reduced { rest, quarter } = reduce(code, size)?;
    let (sin, cos) = (sin_of_rest(code, rest)?, cos_of_rest(code, rest)?);
    let odd = is_odd(code, quarter)?;
    let value = code.select(odd, cos.high, sin.high)?;
    let half_turn = sign_of_half_turn(code, quarter)?;
    let sign = sign_of(code, x)?;
    let sign = code.integral(arith::xori, half_turn, sign)?;
    let value = negate_by(code, value, sign)?;
    finite_only(code, size, value)
}

/// `cos(x)` of f64
pub fn cos<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let Reduced { rest, quarter } = reduce(code, size)?;
    let (sin, cos) = (sin_of_rest(code, rest)?, cos_of_rest(code, rest)?);
    let odd = is_odd(code, quarter)?;
    let value = code.select(odd, sin.high, cos.high)?;
    let next = code.integral_with(arith::addi, quarter, 1)?;
    let sign = sign_of_half_turn(code, next)?;
    let value = negate_by(code, value, sign)?;
    finite_only(code, size, value)
}

/// `tan(x)` of f64
pub fn tan<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let Reduced { rest, quarter } = reduce(code, size)?;
    let (sin, cos) = (sin_of_rest(code, rest)?, cos_of_rest(code, rest)?);
    let odd = is_odd(code, quarter)?;
    let opposite = select(code, odd, cos, sin)?;
    let adjacent = select(code, odd, sin, cos)?;
    let value = quotient(code, opposite, adjacent)?.high;
    let odd_turn = code.integral_with(arith::shli, quarter, 63)?;
    let sign = sign_of(code, x)?;
    let sign = code.integral(arith::xori, odd_turn, sign)?;
    let value = negate_by(code, value, sign)?;
    finite_only(code, size, value)
}
