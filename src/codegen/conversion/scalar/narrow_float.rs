//! Floats of a byte or less as integer arithmetic on their bits.
//!
//! No supported processor has arithmetic on these types. A value is converted to f32, which
//! represents all values exactly (f64 for `f8E8M0FNU`, whose products exceed the range of f32), and
//! a result is rounded to nearest, ties to even. Both conversions are branch-free sequences of
//! shifts, comparisons and selects, which LLVM vectorizes. [`FloatFormat`] describes infinities,
//! NaNs and zeros. A sum `%x + %y : f8E5M2` is
//!
//! ```mlir
//! %magnitude = arith.andi %x32, %c127 : i32           // decoding %x
//! %shifted = arith.shli %magnitude, %c21 : i32
//! %normal = arith.addi %shifted, %bias : i32          // as bits of an f32
//! %count = arith.uitofp %magnitude : i32 to f32
//! %small = arith.mulf %count, %least : f32            // as a subnormal number
//! ...
//! %sum = arith.addf %a, %b : f32
//! ...
//! %rounded = arith.addi %bits, %half_less_one : i32   // encoding %sum
//! %kept = arith.shrui %rounded, %c21 : i32
//! ```

use crate::formula::{Formula, Number};
use halo_core::float_format::{FloatFormat, SpecialValues};
use halo_ir::prelude::*;

/// The float of an `i8` with the bits of a format.
pub fn decode<'c>(b: &Builder<'c>, value: Value<'c>, format: FloatFormat) -> Value<'c> {
    let formula = Formula::new(b);
    let byte = formula.number(value);
    let result = if format.special == SpecialValues::PowersOfTwo {
        decode_power(byte.with_width(64), format)
    } else {
        decode_bits(byte.with_width(32), format)
    };
    formula.finish(result)
}

fn decode_bits<'f, 'c>(bits: Number<'f, 'c>, format: FloatFormat) -> Number<'f, 'c> {
    let magnitude = bits & format.magnitude_mask() as i64;
    let dropped = bits.mantissa_bits() - i64::from(format.mantissa_bits);
    let bias = (bits.exponent_bias() - i64::from(format.bias)) << bits.mantissa_bits();
    let normal = ((magnitude << dropped) + bias).float_of_bits();
    let least = 2_f64.powi(1 - format.bias - format.mantissa_bits as i32);
    let small = magnitude.to_float() * least;
    let is_small = magnitude.unordered_lt(1 << format.mantissa_bits);
    let mut result = is_small.select(small, normal);
    let infinity = format.max_finite() as i64 + 1;
    if format.special == SpecialValues::Ieee {
        result = result.replaced_where(magnitude.eq(infinity), f64::INFINITY);
    }
    if matches!(format.special, SpecialValues::Ieee | SpecialValues::NanOnly) {
        let bound = infinity - i64::from(format.special == SpecialValues::NanOnly);
        result = result.replaced_where(magnitude.unordered_gt(bound), f64::NAN);
    }
    let distance = i64::from(bits.width() - format.bit_width());
    let sign = (bits & format.sign_bit() as i64) << distance;
    let result = (result.bits() | sign).float_of_bits();
    if format.special == SpecialValues::NegativeZeroIsNan {
        result.replaced_where(bits.eq(format.sign_bit() as i64), f64::NAN)
    } else {
        result
    }
}

/// The f64 of a power of two.
fn decode_power<'f, 'c>(exponent: Number<'f, 'c>, format: FloatFormat) -> Number<'f, 'c> {
    let biased = exponent + (exponent.exponent_bias() - i64::from(format.bias));
    let power = (biased << exponent.mantissa_bits()).float_of_bits();
    power.replaced_where(exponent.eq(format.nan() as i64), f64::NAN)
}

/// Rounds a float of any wider type to a format, as an `i8` with its bits.
pub fn encode<'c>(b: &Builder<'c>, value: Value<'c>, format: FloatFormat) -> Value<'c> {
    let formula = Formula::new(b);
    let value = formula.number(value);
    let result = if format.special == SpecialValues::PowersOfTwo {
        encode_power(value.with_width(64), format)
    } else {
        encode_bits(value.with_width(value.width().max(32)), format)
    };
    formula.finish(result.with_width(8))
}

fn encode_bits<'f, 'c>(value: Number<'f, 'c>, format: FloatFormat) -> Number<'f, 'c> {
    let (width, mantissa_bits) = (value.width(), value.mantissa_bits());
    let bits = value.bits();
    let magnitude = bits & (i64::MAX >> (64 - width));
    let dropped = mantissa_bits - i64::from(format.mantissa_bits);
    let least_exponent = 1 - format.bias;
    // Half of the last kept digit, minus one if that is even; a carry into the exponent is correct.
    let odd = magnitude.shift_right_logical(dropped) & 1;
    let rounded = magnitude + ((1 << (dropped - 1)) - 1) + odd;
    let bias = (value.exponent_bias() - i64::from(format.bias)) << format.mantissa_bits;
    let normal = rounded.shift_right_logical(dropped) - bias;
    // Adding a number whose last digit has the weight of the last subnormal digit rounds to it.
    let magic_exponent = least_exponent - format.mantissa_bits as i32 + mantissa_bits as i32;
    let exponent_bits =
        |exponent: i32| (i64::from(exponent) + value.exponent_bias()) << mantissa_bits;
    let sum = magnitude.float_of_bits() + 2_f64.powi(magic_exponent);
    let small = sum.bits() - exponent_bits(magic_exponent);
    let is_small = magnitude.unordered_lt(exponent_bits(least_exponent));
    let result = is_small.select(small, normal);

    let overflows = result.gt(format.max_finite() as i64);
    let distance = i64::from(width - format.bit_width());
    let sign = bits.shift_right_logical(distance) & format.sign_bit() as i64;
    let (largest, nan) = (format.overflow(0) as i64, format.nan() as i64);
    let is_nan = value.is_nan();
    match format.special {
        SpecialValues::Ieee | SpecialValues::NanOnly => {
            let bounded = result.replaced_where(overflows, largest);
            bounded.replaced_where(is_nan, nan) | sign
        }
        SpecialValues::NegativeZeroIsNan => result
            .eq(0)
            .select(result, result | sign)
            .replaced_where(overflows, largest)
            .replaced_where(is_nan, nan),
        SpecialValues::None | SpecialValues::PowersOfTwo => {
            let signed = result.replaced_where(overflows, largest) | sign;
            signed.replaced_where(is_nan, nan)
        }
    }
}

/// A tie between two powers rounds to the larger one. The format has neither zero nor sign.
fn encode_power<'f, 'c>(value: Number<'f, 'c>, format: FloatFormat) -> Number<'f, 'c> {
    let rounded = value.bits() + (1 << (value.mantissa_bits() - 1));
    let exponent = rounded.shift_right_logical(value.mantissa_bits());
    let biased = exponent - (value.exponent_bias() - i64::from(format.bias));
    let nan = format.nan() as i64;
    let bounded = biased.binary(arith::maxsi, 0).binary(arith::minsi, nan);
    value.gt(0.0).select(bounded, nan)
}
