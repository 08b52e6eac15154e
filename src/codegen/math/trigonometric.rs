//! sin, cos and tan of f32, for every finite argument.
//!
//! The hard part is subtracting a multiple of a quarter turn from the argument.
//! Up to 2^30 two fused multiply-adds in f64 do that. Beyond, the argument is
//! an integer times a power of two, so only a window of the bits of 2/pi
//! matters: the bits before it give whole turns, the bits after it are too
//! small. The product of the integer and a window of 96 bits is exact in 64-bit
//! arithmetic that wraps around, which drops the whole turns. (Payne and Hanek,
//! "Radian reduction for trigonometric functions", 1983.)

use super::code::Code;
use crate::loops::loop_ops::Emitted;
use halo_ir::prelude::*;

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
/// The first fractional bits of 2/pi, 32 to a word.
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
/// Arguments from here on take the window.
const LARGE: f64 = 1_073_741_824.0;

/// The argument's size less `quarter` quarter turns, in f64.
struct Reduced<'c> {
    rest: Value<'c>,
    /// Only the lowest two bits count.
    quarter: Value<'c>,
}

fn reduce<'c>(single: &Code<'_, 'c>, size: Value<'c>) -> Emitted<Reduced<'c>> {
    let code = &single.with_width(64);
    let wide = code.extend(size)?;
    let scale = code.float(std::f64::consts::FRAC_2_PI)?;
    let (rounded, near_quarter) = code.round_scaled(wide, scale)?;
    let high = code.float(-std::f64::consts::FRAC_PI_2)?;
    let low = code.float(-FRAC_PI_2_REST)?;
    let near = code.fma(rounded, high, wide)?;
    let near = code.fma(rounded, low, near)?;
    let bits = single.bits(size)?;
    let bits = code.extend_bits(bits)?;
    let (far, far_quarter) = reduce_large(code, bits)?;
    let large = code.compare_with(CmpFPredicate::Oge, wide, LARGE)?;
    let rest = code.select(large, far, near)?;
    let quarter = code.select(large, far_quarter, near_quarter)?;
    Ok(Reduced { rest, quarter })
}

/// sin and cos of a number of at most an eighth of a turn.
fn sin_cos<'c>(code: &Code<'_, 'c>, rest: Value<'c>) -> Emitted<(Value<'c>, Value<'c>)> {
    let square = code.mul(rest, rest)?;
    let series = code.polynomial(square, &SIN)?;
    let cube = code.mul(square, rest)?;
    let sin = code.fma(cube, series, rest)?;
    let series = code.polynomial(square, &COS)?;
    let (one, half) = (code.float(1.0)?, code.float(-0.5)?);
    let start = code.fma(square, half, one)?;
    let fourth = code.mul(square, square)?;
    let cos = code.fma(fourth, series, start)?;
    Ok((sin, cos))
}

/// The remainder and the quarter turns of a number from its bits, which are in
/// 64 bits. Meaningful for numbers from [`LARGE`] on; for others it is merely
/// defined.
fn reduce_large<'c>(code: &Code<'_, 'c>, bits: Value<'c>) -> Emitted<(Value<'c>, Value<'c>)> {
    let exponent = code.integral_with(arith::shrui, bits, 23)?;
    let fraction = code.integral_with(arith::andi, bits, 0x7f_ffff)?;
    let mantissa = code.integral_with(arith::ori, fraction, 0x80_0000)?;
    // The number is mantissa * 2^(exponent - 150), so that all but the last two
    // of the first exponent - 150 bits of 2/pi make whole turns.
    let skipped = code.integral_with(arith::subi, exponent, 152)?;
    let word = code.integral_with(arith::shrsi, skipped, 5)?;
    let shift = code.integral_with(arith::andi, skipped, 31)?;
    let pair = |number: usize| {
        ((i64::from(TWO_OVER_PI[number])) << 32) | i64::from(TWO_OVER_PI[number + 1])
    };
    let mut first = code.integer(pair(0))?;
    let mut second = code.integer(pair(2))?;
    for number in 1..4 {
        let here = code.integer_equals(word, number as i64)?;
        let (one, other) = (code.integer(pair(number))?, code.integer(pair(number + 2))?);
        first = code.select(here, one, first)?;
        second = code.select(here, other, second)?;
    }
    // Bits from `shift` on: 64 and 32 of them.
    let left = code.integral(arith::shli, first, shift)?;
    let halved = code.integral_with(arith::shrui, second, 1)?;
    let top = code.integer(63)?;
    let back = code.integral(arith::subi, top, shift)?;
    let right = code.integral(arith::shrui, halved, back)?;
    let high = code.integral(arith::ori, left, right)?;
    let low = code.integral(arith::shli, second, shift)?;
    let low = code.integral_with(arith::shrui, low, 32)?;
    let high = code.integral(arith::muli, high, mantissa)?;
    let low = code.integral(arith::muli, low, mantissa)?;
    let low = code.integral_with(arith::shrui, low, 32)?;
    // Quarter turns with 62 fractional bits.
    let turns = code.integral(arith::addi, high, low)?;
    let nearest = code.integral_with(arith::addi, turns, 1 << 61)?;
    let quarter = code.integral_with(arith::shrui, nearest, 62)?;
    // The first 52 fractional bits become the fraction of a number from 2^52
    // on, which costs less than a conversion. They are the remainder and a
    // half.
    let fraction = code.integral_with(arith::andi, nearest, (1 << 62) - 1)?;
    let fraction = code.integral_with(arith::shrui, fraction, 10)?;
    let magic = 4_503_599_627_370_496.0_f64;
    let shifted = code.integral_with(arith::ori, fraction, magic.to_bits() as i64)?;
    let shifted = code.from_bits(shifted)?;
    let bias = code.float(magic * 1.5)?;
    let rest = code.sub(shifted, bias)?;
    let unit = code.float(std::f64::consts::FRAC_PI_2 / magic)?;
    Ok((code.mul(rest, unit)?, quarter))
}

/// NaN for infinite values and NaN.
pub fn finite_only<'c>(
    code: &Code<'_, 'c>,
    size: Value<'c>,
    result: Value<'c>,
) -> Emitted<Value<'c>> {
    let nan = code.float(f64::NAN)?;
    code.select_where((size, CmpFPredicate::Olt, f64::INFINITY), result, nan)
}

/// The bit of the sign, from the second bit of a number of quarter turns.
pub fn sign_of_half_turn<'c>(code: &Code<'_, 'c>, quarter: Value<'c>) -> Emitted<Value<'c>> {
    let half_turn = code.integral_with(arith::andi, quarter, 2)?;
    code.integral_with(arith::shli, half_turn, i64::from(code.width()) - 2)
}

/// Whether a number of quarter turns is odd.
pub fn is_odd<'c>(code: &Code<'_, 'c>, quarter: Value<'c>) -> Emitted<Value<'c>> {
    let lowest = code.integral_with(arith::andi, quarter, 1)?;
    code.integer_equals(lowest, 1)
}

/// A value with its sign changed where the bit of a sign is set.
pub fn negate_by<'c>(code: &Code<'_, 'c>, value: Value<'c>, sign: Value<'c>) -> Emitted<Value<'c>> {
    let bits = code.bits(value)?;
    let bits = code.integral(arith::xori, bits, sign)?;
    code.from_bits(bits)
}

/// The bit of the sign of a float.
pub fn sign_of<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let bits = code.bits(x)?;
    code.integral_with(arith::andi, bits, i64::MIN >> (64 - code.width()))
}

/// `sin(x)` of f32
pub fn sin<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let Reduced { rest, quarter } = reduce(code, size)?;
    let (rest, quarter) = (code.truncate(rest)?, code.truncate_bits(quarter)?);
    let (sin, cos) = sin_cos(code, rest)?;
    let odd = is_odd(code, quarter)?;
    let value = code.select(odd, cos, sin)?;
    let half_turn = sign_of_half_turn(code, quarter)?;
    let sign = sign_of(code, x)?;
    let sign = code.integral(arith::xori, half_turn, sign)?;
    let value = negate_by(code, value, sign)?;
    finite_only(code, size, value)
}

/// `cos(x)` of f32
pub fn cos<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let Reduced { rest, quarter } = reduce(code, size)?;
    let (rest, quarter) = (code.truncate(rest)?, code.truncate_bits(quarter)?);
    let (sin, cos) = sin_cos(code, rest)?;
    let odd = is_odd(code, quarter)?;
    let value = code.select(odd, sin, cos)?;
    let next = code.integral_with(arith::addi, quarter, 1)?;
    let sign = sign_of_half_turn(code, next)?;
    let value = negate_by(code, value, sign)?;
    finite_only(code, size, value)
}

/// `tan(x)` of f32
pub fn tan<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let wide = &code.with_width(64);
    let size = code.abs(x)?;
    let Reduced { rest, quarter } = reduce(code, size)?;
    // In f64, as the errors of both parts add up.
    let (sin, cos) = sin_cos(wide, rest)?;
    let odd = is_odd(wide, quarter)?;
    let opposite = wide.select(odd, cos, sin)?;
    let adjacent = wide.select(odd, sin, cos)?;
    let value = wide.div(opposite, adjacent)?;
    let value = code.truncate(value)?;
    let quarter = code.truncate_bits(quarter)?;
    let odd_turn = code.integral_with(arith::shli, quarter, 31)?;
    let sign = sign_of(code, x)?;
    let sign = code.integral(arith::xori, odd_turn, sign)?;
    let value = negate_by(code, value, sign)?;
    finite_only(code, size, value)
}
