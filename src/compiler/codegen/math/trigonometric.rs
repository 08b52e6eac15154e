//! sin, cos and tan of f32, for every finite argument.
//!
//! The hard part is the argument less a multiple of a quarter turn. Up to 2^30
//! that is two fused multiply-adds in f64. Beyond, the argument is an integer
//! times a power of two, so that of the bits of 2/pi only a window matters: what
//! stands before it makes whole turns, what stands behind it nothing that could
//! be seen. The product of the integer and a window of 96 bits is exact in
//! 64-bit arithmetic that wraps around, which drops the whole turns by itself.
//! (Payne and Hanek, "Radian reduction for trigonometric functions", 1983.)

use super::code::{Code, Comparison};
use crate::codegen::emit::Emitted;
use crate::ir::Value;

/// `(sin(r) - r) / r^3` in `r^2` for `|r| < pi / 4`; relative error 2^-47.
const SIN: [f64; 5] = [
    -0.16666666666631277,
    0.008333333325212782,
    -0.0001984126378976221,
    2.7555350521633908e-06,
    -2.4761116624135936e-08,
];
/// `(cos(r) - 1 + r^2 / 2) / r^4` in `r^2` for `|r| < pi / 4`; relative error
/// 2^-53.
const COS: [f64; 5] = [
    0.04166666666660161,
    -0.0013888888878189458,
    2.4801580933748503e-05,
    -2.755756014323898e-7,
    2.064728227786053e-09,
];
/// The first bits of 2/pi behind the point, 32 to a word.
const TWO_OVER_PI: [u32; 7] = [
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
];
/// What pi/2 in f64 lacks.
const FRAC_PI_2_REST: f64 = 6.123233995736766e-17;
/// Arguments from here on take the window.
const LARGE: f64 = 1_073_741_824.0;

/// sin and cos of the argument's size less `quarter` quarter turns.
struct Reduced<'c> {
    sin: Value<'c>,
    cos: Value<'c>,
    /// Only the lowest two bits count.
    quarter: Value<'c>,
}

/// Whether a bit of an integer is set.
fn has_bit<'c>(code: &Code<'_, 'c>, value: Value<'c>, bit: i64) -> Emitted<Value<'c>> {
    let masked = code.integral_with("arith.andi", value, bit)?;
    code.integer_equals(masked, bit)
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
    let large = code.compare_with(Comparison::GreaterEqual, wide, LARGE)?;
    let rest = code.select(large, far, near)?;
    let quarter = code.select(large, far_quarter, near_quarter)?;
    let square = code.mul(rest, rest)?;
    let series = code.polynomial(square, &SIN)?;
    let cube = code.mul(square, rest)?;
    let sin = code.fma(cube, series, rest)?;
    let series = code.polynomial(square, &COS)?;
    let (one, half) = (code.float(1.0)?, code.float(-0.5)?);
    let start = code.fma(square, half, one)?;
    let fourth = code.mul(square, square)?;
    let cos = code.fma(fourth, series, start)?;
    Ok(Reduced { sin, cos, quarter })
}

/// The rest and the quarter turns of a number from its bits, which stand in 64.
/// Makes sense for numbers from [`LARGE`] on; for others it is merely defined.
fn reduce_large<'c>(code: &Code<'_, 'c>, bits: Value<'c>) -> Emitted<(Value<'c>, Value<'c>)> {
    let exponent = code.integral_with("arith.shrui", bits, 23)?;
    let fraction = code.integral_with("arith.andi", bits, 0x7f_ffff)?;
    let mantissa = code.integral_with("arith.ori", fraction, 0x80_0000)?;
    // The number is mantissa * 2^(exponent - 150), so that all but the last two
    // of the first exponent - 150 bits of 2/pi make whole turns.
    let skipped = code.integral_with("arith.subi", exponent, 152)?;
    let word = code.integral_with("arith.shrsi", skipped, 5)?;
    let shift = code.integral_with("arith.andi", skipped, 31)?;
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
    let left = code.integral("arith.shli", first, shift)?;
    let halved = code.integral_with("arith.shrui", second, 1)?;
    let top = code.integer(63)?;
    let back = code.integral("arith.subi", top, shift)?;
    let right = code.integral("arith.shrui", halved, back)?;
    let high = code.integral("arith.ori", left, right)?;
    let low = code.integral("arith.shli", second, shift)?;
    let low = code.integral_with("arith.shrui", low, 32)?;
    let high = code.integral("arith.muli", high, mantissa)?;
    let low = code.integral("arith.muli", low, mantissa)?;
    let low = code.integral_with("arith.shrui", low, 32)?;
    // Quarter turns with 62 bits behind the point.
    let turns = code.integral("arith.addi", high, low)?;
    let nearest = code.integral_with("arith.addi", turns, 1 << 61)?;
    let quarter = code.integral_with("arith.shrui", nearest, 62)?;
    let whole = code.integral_with("arith.shli", quarter, 62)?;
    let rest = code.integral("arith.subi", turns, whole)?;
    let rest = code.float_of(rest)?;
    let unit = code.float(std::f64::consts::FRAC_PI_2 / (1_u64 << 62) as f64)?;
    Ok((code.mul(rest, unit)?, quarter))
}

/// NaN for what is not finite.
fn finite_only<'c>(code: &Code<'_, 'c>, size: Value<'c>, result: Value<'c>) -> Emitted<Value<'c>> {
    let nan = code.float(f64::NAN)?;
    code.select_where((size, Comparison::Less, f64::INFINITY), result, nan)
}

/// The value with its sign changed where a condition holds.
fn negate_if<'c>(
    code: &Code<'_, 'c>,
    condition: Value<'c>,
    value: Value<'c>,
) -> Emitted<Value<'c>> {
    let negated = code.neg(value)?;
    code.select(condition, negated, value)
}

/// Gives the value of an odd function at `|x|` the sign it has at `x`.
fn with_sign_of<'c>(code: &Code<'_, 'c>, value: Value<'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let bits = code.bits(x)?;
    let sign = code.integral_with("arith.andi", bits, i64::from(i32::MIN))?;
    let bits = code.bits(value)?;
    let bits = code.integral("arith.xori", bits, sign)?;
    code.from_bits(bits)
}

/// `sin(x)` of f32
pub fn sin<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let wide = &code.with_width(64);
    let size = code.abs(x)?;
    let Reduced { sin, cos, quarter } = reduce(code, size)?;
    let odd = has_bit(wide, quarter, 1)?;
    let value = wide.select(odd, cos, sin)?;
    let negative = has_bit(wide, quarter, 2)?;
    let value = negate_if(wide, negative, value)?;
    let value = code.truncate(value)?;
    let value = with_sign_of(code, value, x)?;
    finite_only(code, size, value)
}

/// `cos(x)` of f32
pub fn cos<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let wide = &code.with_width(64);
    let size = code.abs(x)?;
    let Reduced { sin, cos, quarter } = reduce(code, size)?;
    let odd = has_bit(wide, quarter, 1)?;
    let value = wide.select(odd, sin, cos)?;
    let next = wide.integral_with("arith.addi", quarter, 1)?;
    let negative = has_bit(wide, next, 2)?;
    let value = negate_if(wide, negative, value)?;
    let value = code.truncate(value)?;
    finite_only(code, size, value)
}

/// `tan(x)` of f32
pub fn tan<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let wide = &code.with_width(64);
    let size = code.abs(x)?;
    let Reduced { sin, cos, quarter } = reduce(code, size)?;
    let odd = has_bit(wide, quarter, 1)?;
    let opposite = wide.select(odd, cos, sin)?;
    let adjacent = wide.select(odd, sin, cos)?;
    let adjacent = negate_if(wide, odd, adjacent)?;
    let value = wide.div(opposite, adjacent)?;
    let value = code.truncate(value)?;
    let value = with_sign_of(code, value, x)?;
    finite_only(code, size, value)
}
