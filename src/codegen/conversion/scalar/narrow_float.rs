//! Floats of a byte or less as integer arithmetic on their bits.
//!
//! No supported processor computes with them. A value is converted to f32,
//! which represents all of them exactly (f64 for `f8E8M0FNU`, whose products
//! exceed the range of f32), and a result is rounded to nearest, ties to even.
//! Both conversions are branch-free sequences of shifts, comparisons and
//! selects, which LLVM vectorizes. [`FloatFormat`] describes the ends of the
//! range. A sum `%x + %y : f8E5M2` is
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

use super::Scalar;
use crate::conversion::arithmetic;
use halo_core::float_format::{FloatFormat, SpecialValues};
use halo_ir::{ops::BinaryFn, prelude::*};

/// The float of an `i8` with the bits of a format.
pub fn decode<'c>(b: &Builder<'c>, value: Value<'c>, format: FloatFormat) -> Scalar<'c> {
    if format.special == SpecialValues::PowersOfTwo {
        return decode_power(b, value, format);
    }
    let code = Bits::of(b, Type::float32(b.context()));
    let bits = arithmetic::cast(b, arith::extui, value, code.integer)?;
    let magnitude = code.with(arith::andi, bits, format.magnitude_mask() as i64)?;
    let dropped = i64::from(code.mantissa - format.mantissa_bits);
    let shifted = code.with(arith::shli, magnitude, dropped)?;
    let bias = (code.bias - i64::from(format.bias)) << code.mantissa;
    let normal = code.with(arith::addi, shifted, bias)?;
    let normal = arithmetic::cast(b, arith::bitcast, normal, code.float)?;
    let count = arithmetic::cast(b, arith::sitofp, magnitude, code.float)?;
    let least = code.power_of_two(1 - format.bias - format.mantissa_bits as i32)?;
    let small = arith::mulf(b, count, least)?;
    let is_small = code.compare(CmpIPredicate::Ult, magnitude, 1 << format.mantissa_bits)?;
    let mut result = arith::select(b, is_small, small, normal)?;
    let infinity = format.max_finite() as i64 + 1;
    if format.special == SpecialValues::Ieee {
        let infinite = arith::constant(b, code.float, f64::INFINITY)?;
        let is_infinite = code.compare(CmpIPredicate::Eq, magnitude, infinity)?;
        result = arith::select(b, is_infinite, infinite, result)?;
    }
    if matches!(format.special, SpecialValues::Ieee | SpecialValues::NanOnly) {
        let bound = infinity - i64::from(format.special == SpecialValues::NanOnly);
        let nan = arith::constant(b, code.float, f64::NAN)?;
        let is_nan = code.compare(CmpIPredicate::Ugt, magnitude, bound)?;
        result = arith::select(b, is_nan, nan, result)?;
    }
    let sign = code.with(arith::andi, bits, format.sign_bit() as i64)?;
    let distance = i64::from(code.width - format.bit_width());
    let sign = code.with(arith::shli, sign, distance)?;
    let pattern = arithmetic::cast(b, arith::bitcast, result, code.integer)?;
    let pattern = arith::ori(b, pattern, sign)?;
    let result = arithmetic::cast(b, arith::bitcast, pattern, code.float)?;
    if format.special != SpecialValues::NegativeZeroIsNan {
        return Ok(result);
    }
    let nan = arith::constant(b, code.float, f64::NAN)?;
    let is_nan = code.compare(CmpIPredicate::Eq, bits, format.sign_bit() as i64)?;
    Ok(arith::select(b, is_nan, nan, result)?)
}

/// The f64 of a power of two.
fn decode_power<'c>(b: &Builder<'c>, value: Value<'c>, format: FloatFormat) -> Scalar<'c> {
    let code = Bits::of(b, Type::float64(b.context()));
    let exponent = arithmetic::cast(b, arith::extui, value, code.integer)?;
    let biased = code.with(arith::addi, exponent, code.bias - i64::from(format.bias))?;
    let bits = code.with(arith::shli, biased, i64::from(code.mantissa))?;
    let power = arithmetic::cast(b, arith::bitcast, bits, code.float)?;
    let nan = arith::constant(b, code.float, f64::NAN)?;
    let is_nan = code.compare(CmpIPredicate::Eq, exponent, format.nan() as i64)?;
    Ok(arith::select(b, is_nan, nan, power)?)
}

/// An `i8` with the bits of the value of a format that is nearest to a float of
/// any wider type.
pub fn encode<'c>(b: &Builder<'c>, value: Value<'c>, format: FloatFormat) -> Scalar<'c> {
    let byte = integer_type(b.context(), 8);
    let wide = if format.special == SpecialValues::PowersOfTwo {
        Type::float64(b.context())
    } else if bits_of(value.r#type()) == Some(64) {
        value.r#type()
    } else {
        Type::float32(b.context())
    };
    let value = arithmetic::resize_float(b, value, wide)?;
    let code = Bits::of(b, wide);
    let bits = arithmetic::cast(b, arith::bitcast, value, code.integer)?;
    let result = if format.special == SpecialValues::PowersOfTwo {
        encode_power(&code, value, bits, format)?
    } else {
        encode_bits(&code, value, bits, format)?
    };
    Ok(arithmetic::cast(b, arith::trunci, result, byte)?)
}

fn encode_bits<'c>(
    code: &Bits<'_, 'c>,
    value: Value<'c>,
    bits: Value<'c>,
    format: FloatFormat,
) -> Scalar<'c> {
    let b = code.b;
    let magnitude = code.with(arith::andi, bits, i64::MAX >> (64 - code.width))?;
    let dropped = i64::from(code.mantissa - format.mantissa_bits);
    let least_exponent = 1 - format.bias;
    // Half of the last kept digit, less one where that is even; a carry moves
    // into the exponent by itself.
    let last = code.with(arith::shrui, magnitude, dropped)?;
    let odd = code.with(arith::andi, last, 1)?;
    let rounded = code.with(arith::addi, magnitude, (1 << (dropped - 1)) - 1)?;
    let rounded = arith::addi(b, rounded, odd)?;
    let kept = code.with(arith::shrui, rounded, dropped)?;
    let bias = (code.bias - i64::from(format.bias)) << format.mantissa_bits;
    let normal = code.with(arith::subi, kept, bias)?;
    // Adding a number whose last digit is that of the subnormal numbers rounds
    // there.
    let magic_exponent = least_exponent - format.mantissa_bits as i32 + code.mantissa as i32;
    let magic = code.power_of_two(magic_exponent)?;
    let size = arithmetic::cast(b, arith::bitcast, magnitude, code.float)?;
    let sum = arith::addf(b, size, magic)?;
    let sum = arithmetic::cast(b, arith::bitcast, sum, code.integer)?;
    let small = code.with(arith::subi, sum, code.exponent_bits(magic_exponent))?;
    let bound = code.exponent_bits(least_exponent);
    let is_small = code.compare(CmpIPredicate::Ult, magnitude, bound)?;
    let result = arith::select(b, is_small, small, normal)?;

    let overflows = code.compare(CmpIPredicate::Sgt, result, format.max_finite() as i64)?;
    let is_nan = arithmetic::is_nan(b, value)?;
    let distance = i64::from(code.width - format.bit_width());
    let sign = code.with(arith::shrui, bits, distance)?;
    let sign = code.with(arith::andi, sign, format.sign_bit() as i64)?;
    let largest = code.number(format.overflow(0) as i64)?;
    let nan = code.number(format.nan() as i64)?;
    let with_sign = |result: Value<'c>| arith::ori(b, result, sign);
    Ok(match format.special {
        SpecialValues::Ieee | SpecialValues::NanOnly => {
            let result = arith::select(b, overflows, largest, result)?;
            with_sign(arith::select(b, is_nan, nan, result)?)?
        }
        SpecialValues::NegativeZeroIsNan => {
            let is_zero = code.compare(CmpIPredicate::Eq, result, 0)?;
            let signed = with_sign(result)?;
            let result = arith::select(b, is_zero, result, signed)?;
            let result = arith::select(b, overflows, largest, result)?;
            arith::select(b, is_nan, nan, result)?
        }
        SpecialValues::None | SpecialValues::PowersOfTwo => {
            let result = with_sign(arith::select(b, overflows, largest, result)?)?;
            arith::select(b, is_nan, nan, result)?
        }
    })
}

/// A number half way between two powers goes to the larger one, as the
/// significand of the smaller one is odd. There is neither zero nor sign.
fn encode_power<'c>(
    code: &Bits<'_, 'c>,
    value: Value<'c>,
    bits: Value<'c>,
    format: FloatFormat,
) -> Scalar<'c> {
    let b = code.b;
    let rounded = code.with(arith::addi, bits, 1 << (code.mantissa - 1))?;
    let exponent = code.with(arith::shrui, rounded, i64::from(code.mantissa))?;
    let biased = code.with(arith::subi, exponent, code.bias - i64::from(format.bias))?;
    let zero = code.number(0)?;
    let biased = arith::maxsi(b, biased, zero)?;
    let nan = code.number(format.nan() as i64)?;
    let biased = arith::minsi(b, biased, nan)?;
    let nothing = arith::constant(b, code.float, 0.0)?;
    let positive = arith::cmpf(b, CmpFPredicate::Ogt, value, nothing)?;
    Ok(arith::select(b, positive, biased, nan)?)
}

/// The layout of a wide float, and ops on its bits.
struct Bits<'a, 'c> {
    b: &'a Builder<'c>,
    float: Type<'c>,
    integer: Type<'c>,
    width: u32,
    mantissa: u32,
    bias: i64,
}

impl<'a, 'c> Bits<'a, 'c> {
    /// For f64 or, where the type is another, f32.
    fn of(b: &'a Builder<'c>, float: Type<'c>) -> Self {
        let (width, mantissa, bias) = match bits_of(float) {
            Some(64) => (64, 52, 1023),
            _ => (32, 23, 127),
        };
        Self {
            b,
            float,
            integer: integer_type(b.context(), width),
            width,
            mantissa,
            bias,
        }
    }

    fn number(&self, value: i64) -> Scalar<'c> {
        Ok(arith::constant(self.b, self.integer, value)?)
    }

    /// An op on an integer and a constant.
    fn with(&self, op: BinaryFn, value: Value<'c>, constant: i64) -> Scalar<'c> {
        let constant = self.number(constant)?;
        Ok(op(self.b, value, constant)?)
    }

    fn compare(&self, predicate: CmpIPredicate, value: Value<'c>, constant: i64) -> Scalar<'c> {
        let constant = self.number(constant)?;
        Ok(arith::cmpi(self.b, predicate, value, constant)?)
    }

    fn power_of_two(&self, exponent: i32) -> Scalar<'c> {
        Ok(arith::constant(self.b, self.float, 2_f64.powi(exponent))?)
    }

    /// The bits of a power of two.
    fn exponent_bits(&self, exponent: i32) -> i64 {
        (i64::from(exponent) + self.bias) << self.mantissa
    }
}
