//! Arithmetic on floats and on their bits, alike for scalars and vectors.

use crate::loops::loop_ops::Emitted;
use halo_ir::{
    ops::{BinaryFn, math},
    prelude::*,
};

/// Creates arithmetic on values of one float type and one shape.
#[derive(Clone)]
pub struct Code<'a, 'c> {
    builder: &'a Builder<'c>,
    shape: Option<Vec<i64>>,
    width: u32,
}

impl<'a, 'c> Code<'a, 'c> {
    /// For values of a type; `None` where its elements are not f32 or f64, or
    /// its shape is not static.
    pub fn of(builder: &'a Builder<'c>, r#type: Type<'c>) -> Option<Self> {
        let shape = match shape_of(r#type) {
            None => None,
            Some(dims) => Some(dims.into_iter().collect::<Option<Vec<_>>>()?),
        };
        let element = element_type(r#type);
        let width = halo_ir::bits_of(element)?;
        (is_float(element) && matches!(width, 32 | 64)).then_some(Self {
            builder,
            shape,
            width,
        })
    }

    /// The same shape with another float width.
    pub fn with_width(&self, width: u32) -> Self {
        Self {
            width,
            ..self.clone()
        }
    }

    /// The width of the float type.
    pub fn width(&self) -> u32 {
        self.width
    }

    fn shaped(&self, element: Type<'c>) -> Type<'c> {
        match &self.shape {
            Some(dims) => vector_type(dims, element),
            None => element,
        }
    }

    fn float_element(&self) -> Type<'c> {
        let context = self.builder.context();
        if self.width == 32 {
            Type::float32(context)
        } else {
            Type::float64(context)
        }
    }

    fn float_type(&self) -> Type<'c> {
        self.shaped(self.float_element())
    }

    fn integer_element(&self) -> Type<'c> {
        integer_type(self.builder.context(), self.width)
    }

    fn integer_type(&self) -> Type<'c> {
        self.shaped(self.integer_element())
    }

    /// A float constant.
    pub fn float(&self, value: f64) -> Emitted<Value<'c>> {
        arith::constant(self.builder, self.float_type(), value)
    }

    /// An integer constant of the width of the floats.
    pub fn integer(&self, value: i64) -> Emitted<Value<'c>> {
        arith::constant(self.builder, self.integer_type(), value)
    }

    pub fn add(&self, lhs: Value<'c>, rhs: Value<'c>) -> Emitted<Value<'c>> {
        arith::addf(self.builder, lhs, rhs)
    }

    pub fn sub(&self, lhs: Value<'c>, rhs: Value<'c>) -> Emitted<Value<'c>> {
        arith::subf(self.builder, lhs, rhs)
    }

    pub fn mul(&self, lhs: Value<'c>, rhs: Value<'c>) -> Emitted<Value<'c>> {
        arith::mulf(self.builder, lhs, rhs)
    }

    pub fn div(&self, lhs: Value<'c>, rhs: Value<'c>) -> Emitted<Value<'c>> {
        arith::divf(self.builder, lhs, rhs)
    }

    pub fn neg(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        arith::negf(self.builder, value)
    }

    /// `lhs * rhs + addend`, rounded once.
    pub fn fma(&self, lhs: Value<'c>, rhs: Value<'c>, addend: Value<'c>) -> Emitted<Value<'c>> {
        math::fma(self.builder, lhs, rhs, addend)
    }

    pub fn abs(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        math::absf(self.builder, value)
    }

    pub fn sqrt(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        math::sqrt(self.builder, value)
    }

    pub fn floor(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        math::floor(self.builder, value)
    }

    /// The size of the first with the sign of the second.
    pub fn copysign(&self, size: Value<'c>, sign: Value<'c>) -> Emitted<Value<'c>> {
        math::copysign(self.builder, size, sign)
    }

    /// A polynomial, coefficients from the lowest degree up.
    pub fn polynomial(&self, x: Value<'c>, coefficients: &[f64]) -> Emitted<Value<'c>> {
        let mut reversed = coefficients.iter().rev();
        let mut sum = self.float(reversed.next().copied().unwrap_or_default())?;
        for coefficient in reversed {
            let coefficient = self.float(*coefficient)?;
            sum = self.fma(sum, x, coefficient)?;
        }
        Ok(sum)
    }

    pub fn compare(
        &self,
        comparison: CmpFPredicate,
        lhs: Value<'c>,
        rhs: Value<'c>,
    ) -> Emitted<Value<'c>> {
        arith::cmpf(self.builder, comparison, lhs, rhs)
    }

    /// A comparison with a constant.
    pub fn compare_with(
        &self,
        comparison: CmpFPredicate,
        value: Value<'c>,
        constant: f64,
    ) -> Emitted<Value<'c>> {
        let constant = self.float(constant)?;
        self.compare(comparison, value, constant)
    }

    pub fn select(
        &self,
        condition: Value<'c>,
        yes: Value<'c>,
        no: Value<'c>,
    ) -> Emitted<Value<'c>> {
        arith::select(self.builder, condition, yes, no)
    }

    /// `yes` where `value` compares so with `constant`, else `no`.
    pub fn select_where(
        &self,
        (value, comparison, constant): (Value<'c>, CmpFPredicate, f64),
        yes: Value<'c>,
        no: Value<'c>,
    ) -> Emitted<Value<'c>> {
        let condition = self.compare_with(comparison, value, constant)?;
        self.select(condition, yes, no)
    }

    /// A value kept between two constants; NaN stays NaN.
    pub fn clamp(&self, value: Value<'c>, low: f64, high: f64) -> Emitted<Value<'c>> {
        let (least, most) = (self.float(low)?, self.float(high)?);
        let value = self.select_where((value, CmpFPredicate::Olt, low), least, value)?;
        self.select_where((value, CmpFPredicate::Ogt, high), most, value)
    }

    /// The bits of a float.
    pub fn bits(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        arith::bitcast(self.builder, value, self.integer_type())
    }

    /// The float of bits.
    pub fn from_bits(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        arith::bitcast(self.builder, value, self.float_type())
    }

    /// A binary op on integers or conditions.
    pub fn integral(&self, op: BinaryFn, lhs: Value<'c>, rhs: Value<'c>) -> Emitted<Value<'c>> {
        op(self.builder, lhs, rhs)
    }

    /// A binary op on an integer and a constant.
    pub fn integral_with(&self, op: BinaryFn, lhs: Value<'c>, rhs: i64) -> Emitted<Value<'c>> {
        let rhs = self.integer(rhs)?;
        op(self.builder, lhs, rhs)
    }

    /// Whether an integer is equal to a constant.
    pub fn integer_equals(&self, value: Value<'c>, constant: i64) -> Emitted<Value<'c>> {
        let constant = self.integer(constant)?;
        arith::cmpi(self.builder, CmpIPredicate::Eq, value, constant)
    }

    /// Whether an unsigned integer is less than another one.
    pub fn is_below(&self, lhs: Value<'c>, rhs: Value<'c>) -> Emitted<Value<'c>> {
        arith::cmpi(self.builder, CmpIPredicate::Ult, lhs, rhs)
    }

    /// The upper half of the product of two unsigned integers.
    pub fn product_high(&self, lhs: Value<'c>, rhs: Value<'c>) -> Emitted<Value<'c>> {
        Ok(arith::mului_extended(self.builder, lhs, rhs)?.high())
    }

    /// A signed integer as a float.
    pub fn float_of(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        arith::sitofp(self.builder, value, self.float_type())
    }

    /// A narrower float in this type.
    pub fn extend(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        arith::extf(self.builder, value, self.float_type())
    }

    /// A narrower integer in this width, as an unsigned one.
    pub fn extend_bits(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        arith::extui(self.builder, value, self.integer_type())
    }

    /// The low bits of a wider integer in this width.
    pub fn truncate_bits(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        arith::trunci(self.builder, value, self.integer_type())
    }

    /// A wider float in this type.
    pub fn truncate(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        arith::truncf(self.builder, value, self.float_type())
    }

    /// An f32 rounded to bf16. The instruction that processors have for it
    /// makes zeros of subnormal numbers.
    pub fn truncate_to_bf16(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        let bits = self.bits(value)?;
        let last = self.integral_with(arith::shrui, bits, 16)?;
        let last = self.integral_with(arith::andi, last, 1)?;
        let rounded = self.integral_with(arith::addi, bits, 0x7fff)?;
        let rounded = self.integral(arith::addi, rounded, last)?;
        // A NaN must not round to infinity.
        let quiet = self.integral_with(arith::ori, bits, 0x40_0000)?;
        let unordered = self.compare(CmpFPredicate::Uno, value, value)?;
        let bits = self.select(unordered, quiet, rounded)?;
        let bits = self.integral_with(arith::shrui, bits, 16)?;
        let context = self.builder.context();
        let half = self.shaped(integer_type(context, 16));
        let bits = arith::trunci(self.builder, bits, half)?;
        let narrow = self.shaped(Type::bfloat16(context));
        arith::bitcast(self.builder, bits, narrow)
    }

    /// The bits of the mantissa.
    pub fn mantissa_bits(&self) -> i64 {
        if self.width == 32 { 23 } else { 52 }
    }

    fn exponent_bias(&self) -> i64 {
        if self.width == 32 { 127 } else { 1023 }
    }

    /// Rounds to the nearest integer, as a float and as an integer. The value
    /// must be small against the number of mantissa bits; a NaN gives a NaN and
    /// some integer, where a conversion would be undefined.
    pub fn round(&self, value: Value<'c>) -> Emitted<(Value<'c>, Value<'c>)> {
        let scale = self.float(1.0)?;
        self.round_scaled(value, scale)
    }

    /// Rounds `value * scale`.
    pub fn round_scaled(
        &self,
        value: Value<'c>,
        scale: Value<'c>,
    ) -> Emitted<(Value<'c>, Value<'c>)> {
        // After this is added to a number, the number is rounded to an integer,
        // which is in the low bits.
        let (magic, bits) = if self.width == 32 {
            let magic = 12_582_912.0_f32;
            (f64::from(magic), i64::from(magic.to_bits()))
        } else {
            let magic = 6_755_399_441_055_744.0_f64;
            (magic, magic.to_bits() as i64)
        };
        let shift = self.float(magic)?;
        let sum = self.fma(value, scale, shift)?;
        let rounded = self.sub(sum, shift)?;
        let number = self.bits(sum)?;
        let number = self.integral_with(arith::subi, number, bits)?;
        Ok((rounded, number))
    }

    /// `2^exponent`, for exponents of normal numbers.
    pub fn power_of_two(&self, exponent: Value<'c>) -> Emitted<Value<'c>> {
        let biased = self.integral_with(arith::addi, exponent, self.exponent_bias())?;
        let bits = self.integral_with(arith::shli, biased, self.mantissa_bits())?;
        self.from_bits(bits)
    }

    /// `value * 2^exponent`, rounded once, also where it leaves the range of
    /// normal numbers.
    pub fn scale(&self, value: Value<'c>, exponent: Value<'c>) -> Emitted<Value<'c>> {
        let half = self.integral_with(arith::shrsi, exponent, 1)?;
        let rest = self.integral(arith::subi, exponent, half)?;
        let half = self.power_of_two(half)?;
        let rest = self.power_of_two(rest)?;
        let value = self.mul(value, half)?;
        self.mul(value, rest)
    }

    /// The exponent `k` as an integer and the mantissa `m` of a positive finite
    /// number, `x = 2^k * m` with `m` between the roots of 1/2 and of 2.
    pub fn split(&self, x: Value<'c>) -> Emitted<(Value<'c>, Value<'c>)> {
        let (smallest, lift, exponent) = if self.width == 32 {
            (f64::from(f32::MIN_POSITIVE), 8_388_608.0, 23)
        } else {
            (f64::MIN_POSITIVE, 18_014_398_509_481_984.0, 54)
        };
        let root = if self.width == 32 {
            i64::from(std::f32::consts::FRAC_1_SQRT_2.to_bits())
        } else {
            std::f64::consts::FRAC_1_SQRT_2.to_bits() as i64
        };
        let subnormal = self.compare_with(CmpFPredicate::Olt, x, smallest)?;
        let lift = self.float(lift)?;
        let lifted = self.mul(x, lift)?;
        let x = self.select(subnormal, lifted, x)?;
        let (less, none) = (self.integer(-exponent)?, self.integer(0)?);
        let correction = self.select(subnormal, less, none)?;
        let bits = self.bits(x)?;
        let above = self.integral_with(arith::subi, bits, root)?;
        let exponent = self.integral_with(arith::shrsi, above, self.mantissa_bits())?;
        let shifted = self.integral_with(arith::shli, exponent, self.mantissa_bits())?;
        let mantissa = self.integral(arith::subi, bits, shifted)?;
        let mantissa = self.from_bits(mantissa)?;
        let exponent = self.integral(arith::addi, exponent, correction)?;
        Ok((exponent, mantissa))
    }

    /// A small signed integer as a float, without the conversion that few
    /// processors have for vectors of 64 bits.
    pub fn small_float_of(&self, value: Value<'c>) -> Emitted<Value<'c>> {
        if self.width == 32 {
            return self.float_of(value);
        }
        let magic = 6_755_399_441_055_744.0_f64;
        let bits = self.integral_with(arith::addi, value, magic.to_bits() as i64)?;
        let sum = self.from_bits(bits)?;
        let magic = self.float(magic)?;
        self.sub(sum, magic)
    }

    /// The values of a logarithm whose argument is not a positive finite
    /// number.
    pub fn logarithm_specials(&self, x: Value<'c>, result: Value<'c>) -> Emitted<Value<'c>> {
        let low = self.float(f64::NEG_INFINITY)?;
        let nan = self.float(f64::NAN)?;
        let result = self.select_where((x, CmpFPredicate::Oeq, f64::INFINITY), x, result)?;
        let result = self.select_where((x, CmpFPredicate::Oeq, 0.0), low, result)?;
        self.select_where((x, CmpFPredicate::Ult, 0.0), nan, result)
    }

    /// The values of a power where it does not come from the logarithm of `|x|`:
    /// where a number is zero, infinite or NaN, and the signs of negative bases.
    pub fn power_specials(
        &self,
        x: Value<'c>,
        y: Value<'c>,
        power: Value<'c>,
    ) -> Emitted<Value<'c>> {
        let (zero, one, half) = (self.float(0.0)?, self.float(1.0)?, self.float(0.5)?);
        let (infinity, nan) = (self.float(f64::INFINITY)?, self.float(f64::NAN)?);
        let size = self.abs(x)?;
        let sinks = self.compare_with(CmpFPredicate::Olt, y, 0.0)?;
        let of_zero = self.select(sinks, infinity, zero)?;
        let of_infinity = self.select(sinks, zero, infinity)?;
        let power = self.select_where((size, CmpFPredicate::Oeq, 0.0), of_zero, power)?;
        let is_infinite = (size, CmpFPredicate::Oeq, f64::INFINITY);
        let power = self.select_where(is_infinite, of_infinity, power)?;
        // Also where the exponent is infinite.
        let power = self.select_where((size, CmpFPredicate::Oeq, 1.0), one, power)?;
        let floor = self.floor(y)?;
        let fraction = self.compare(CmpFPredicate::Une, floor, y)?;
        let half_y = self.mul(y, half)?;
        let half_floor = self.floor(half_y)?;
        let not_even = self.compare(CmpFPredicate::Une, half_floor, half_y)?;
        // An odd power keeps the sign, also that of zeros; a negative number
        // has no power with a fraction.
        let signed = self.copysign(power, x)?;
        let odd = self.select(not_even, signed, power)?;
        let of_fraction = self.select_where((x, CmpFPredicate::Olt, 0.0), nan, power)?;
        // Where x is infinite there is.
        let of_fraction = self.select_where(is_infinite, power, of_fraction)?;
        let result = self.select(fraction, of_fraction, odd)?;
        let unordered = self.compare(CmpFPredicate::Uno, x, y)?;
        let result = self.select(unordered, nan, result)?;
        let result = self.select_where((x, CmpFPredicate::Oeq, 1.0), one, result)?;
        self.select_where((y, CmpFPredicate::Oeq, 0.0), one, result)
    }
}
