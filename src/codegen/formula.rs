//! Formulas on floats and on their bits, for both scalars and vectors.
//!
//! [`Number`] overloads Rust's operators, so that the source of a function reads like the formula
//! that its documentation cites. Operators emit float or integer ops, depending on the type of the
//! number. A literal becomes a constant of the type of the other operand.

use halo_ir::{
    ops::{BinaryFn, ConversionFn, UnaryFn, arith::Number as Constant, math},
    prelude::*,
};

use std::{cmp::Ordering, ops};

/// Emits the ops of formulas at the insertion point of a builder.
pub struct Formula<'c> {
    builder: Builder<'c>,
}

impl<'c> Formula<'c> {
    pub fn new(builder: &Builder<'c>) -> Self {
        Self { builder: *builder }
    }

    /// The builder of the ops.
    pub fn builder(&self) -> &Builder<'c> {
        &self.builder
    }

    /// Wraps a value for use in a formula.
    pub fn number(&self, value: Value<'c>) -> Number<'_, 'c> {
        Number {
            formula: self,
            value,
        }
    }

    /// The value of a formula.
    pub fn finish(&self, number: Number<'_, 'c>) -> Value<'c> {
        number.value
    }
}

/// A scalar or vector type with another element type.
pub fn like<'c>(ty: Type<'c>, element: Type<'c>) -> Type<'c> {
    if ty.is_vector() {
        ty.vector_with_element(element)
    } else {
        element
    }
}

/// A value in a formula: a handle that operators combine.
#[derive(Clone, Copy)]
pub struct Number<'f, 'c> {
    formula: &'f Formula<'c>,
    value: Value<'c>,
}

/// The right operand of an operator: a number or a literal.
pub trait Operand<'f, 'c> {
    /// The operand as a number of the type of `like`.
    fn number(self, like: Number<'f, 'c>) -> Number<'f, 'c>;
}

impl<'f, 'c> Operand<'f, 'c> for Number<'f, 'c> {
    fn number(self, _: Number<'f, 'c>) -> Self {
        self
    }
}

impl<'f, 'c> Operand<'f, 'c> for f64 {
    fn number(self, like: Number<'f, 'c>) -> Number<'f, 'c> {
        like.constant(self)
    }
}

impl<'f, 'c> Operand<'f, 'c> for i64 {
    fn number(self, like: Number<'f, 'c>) -> Number<'f, 'c> {
        like.constant(self)
    }
}

impl<'f, 'c> Number<'f, 'c> {
    fn keep(self, value: Value<'c>) -> Self {
        Self { value, ..self }
    }

    /// Applies a unary op.
    pub fn unary(self, op: UnaryFn) -> Self {
        self.keep(op(&self.formula.builder, self.value))
    }

    /// Applies a binary op.
    pub fn binary(self, op: BinaryFn, other: impl Operand<'f, 'c>) -> Self {
        let other = other.number(self);
        self.keep(op(&self.formula.builder, self.value, other.value))
    }

    /// Applies a conversion to another element type.
    pub fn convert(self, op: ConversionFn, element: Type<'c>) -> Self {
        let to = like(self.value.ty(), element);
        self.keep(op(&self.formula.builder, self.value, to))
    }

    /// The type of the elements.
    pub fn element(self) -> Type<'c> {
        self.value.ty().element_type()
    }

    fn is_float(self) -> bool {
        self.element().is_float()
    }

    /// The bits of an element.
    pub fn width(self) -> u32 {
        self.element().bit_width().unwrap_or_default()
    }

    fn float_type(self, width: u32) -> Type<'c> {
        let context = self.formula.builder.context();
        if width == 32 {
            Type::float32(context)
        } else {
            Type::float64(context)
        }
    }

    fn integer_type(self, width: u32) -> Type<'c> {
        integer_type(self.formula.builder.context(), width)
    }

    /// A constant of the same type.
    pub fn constant(self, value: impl Into<Constant>) -> Self {
        let ty = self.value.ty();
        self.keep(arith::constant(&self.formula.builder, ty, value))
    }

    /// `self * factor + addend`, rounded once.
    pub fn fma(self, factor: impl Operand<'f, 'c>, addend: impl Operand<'f, 'c>) -> Self {
        let (factor, addend) = (factor.number(self), addend.number(self));
        let b = &self.formula.builder;
        self.keep(math::fma(b, self.value, factor.value, addend.value))
    }

    pub fn abs(self) -> Self {
        self.unary(math::absf)
    }

    pub fn sqrt(self) -> Self {
        self.unary(math::sqrt)
    }

    pub fn floor(self) -> Self {
        self.unary(math::floor)
    }

    /// The magnitude of the number with the sign of another one.
    pub fn copysign(self, sign: Self) -> Self {
        self.binary(math::copysign, sign)
    }

    /// A polynomial in the number, with coefficients in ascending order of degree.
    pub fn polynomial(self, coefficients: &[f64]) -> Self {
        let mut reversed = coefficients.iter().rev();
        let highest = self.constant(reversed.next().copied().unwrap_or_default());
        reversed.fold(highest, |sum, coefficient| sum.fma(self, *coefficient))
    }

    /// The same for a number whose square is available, as the sum of the even and the odd terms:
    /// the chain of dependent operations is half as long, and rounding errors are smaller for large
    /// numbers.
    pub fn polynomial_with_square(self, square: Self, coefficients: &[f64]) -> Self {
        let terms = |first: usize| -> Vec<f64> {
            coefficients.iter().skip(first).step_by(2).copied().collect()
        };
        square.polynomial(&terms(1)).fma(self, square.polynomial(&terms(0)))
    }

    fn compare(
        self,
        (of_floats, of_integers): (CmpFPredicate, CmpIPredicate),
        other: impl Operand<'f, 'c>,
    ) -> Self {
        let other = other.number(self);
        let b = &self.formula.builder;
        self.keep(if self.is_float() {
            arith::cmpf(b, of_floats, self.value, other.value)
        } else {
            arith::cmpi(b, of_integers, self.value, other.value)
        })
    }

    /// True if `self == other`.
    pub fn eq(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare((CmpFPredicate::Oeq, CmpIPredicate::Eq), other)
    }

    /// True if `self != other` or one of them is NaN.
    pub fn ne(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare((CmpFPredicate::Une, CmpIPredicate::Ne), other)
    }

    /// True if `self < other`; integers are signed.
    pub fn lt(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare((CmpFPredicate::Olt, CmpIPredicate::Slt), other)
    }

    /// True if `self <= other`; integers are signed.
    pub fn le(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare((CmpFPredicate::Ole, CmpIPredicate::Sle), other)
    }

    /// True if `self > other`; integers are signed.
    pub fn gt(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare((CmpFPredicate::Ogt, CmpIPredicate::Sgt), other)
    }

    /// True if `self >= other`; integers are signed.
    pub fn ge(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare((CmpFPredicate::Oge, CmpIPredicate::Sge), other)
    }

    /// True if `self < other` or one of them is NaN; integers are unsigned.
    pub fn unordered_lt(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare((CmpFPredicate::Ult, CmpIPredicate::Ult), other)
    }

    /// True if `self <= other` or one of them is NaN; integers are unsigned.
    pub fn unordered_le(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare((CmpFPredicate::Ule, CmpIPredicate::Ule), other)
    }

    /// True if `self > other` or one of them is NaN; integers are unsigned.
    pub fn unordered_gt(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare((CmpFPredicate::Ugt, CmpIPredicate::Ugt), other)
    }

    /// True if `self >= other` or one of them is NaN; integers are unsigned.
    pub fn unordered_ge(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare((CmpFPredicate::Uge, CmpIPredicate::Uge), other)
    }

    /// True if one of two floats is NaN.
    pub fn is_unordered_with(self, other: Self) -> Self {
        let b = &self.formula.builder;
        self.keep(arith::cmpf(b, CmpFPredicate::Uno, self.value, other.value))
    }

    /// True if a float is NaN.
    pub fn is_nan(self) -> Self {
        self.is_unordered_with(self)
    }

    /// `yes` if this condition holds, else `no`.
    pub fn select(self, yes: Self, no: impl Operand<'f, 'c>) -> Self {
        let no = no.number(yes);
        let b = &self.formula.builder;
        yes.keep(arith::select(b, self.value, yes.value, no.value))
    }

    /// `value` if a condition holds, else the number.
    pub fn replaced_where(self, condition: Self, value: impl Operand<'f, 'c>) -> Self {
        condition.select(value.number(self), self)
    }

    /// The larger one of the number and a constant; NaN stays NaN.
    pub fn at_least(self, low: f64) -> Self {
        self.replaced_where(self.lt(low), low)
    }

    /// The smaller one of the number and a constant; NaN stays NaN.
    pub fn at_most(self, high: f64) -> Self {
        self.replaced_where(self.gt(high), high)
    }

    /// Clamps a value between two constants; NaN stays NaN.
    pub fn clamp(self, low: f64, high: f64) -> Self {
        self.at_least(low).at_most(high)
    }

    /// The bits of a float.
    pub fn bits(self) -> Self {
        self.convert(arith::bitcast, self.integer_type(self.width()))
    }

    /// The float with these bits.
    pub fn float_of_bits(self) -> Self {
        self.float_with_bits(self.float_type(self.width()))
    }

    /// Logical right shift.
    pub fn shift_right_logical(self, count: impl Operand<'f, 'c>) -> Self {
        self.binary(arith::shrui, count)
    }

    /// Arithmetic right shift.
    pub fn shift_right_arithmetic(self, count: impl Operand<'f, 'c>) -> Self {
        self.binary(arith::shrsi, count)
    }

    /// The upper half of the product of two unsigned integers.
    pub fn product_high(self, other: Self) -> Self {
        let product = arith::mului_extended(&self.formula.builder, self.value, other.value);
        self.keep(product.high())
    }

    /// Converts a signed integer to a float of the same width.
    pub fn to_float(self) -> Self {
        self.convert(arith::sitofp, self.float_type(self.width()))
    }

    /// Converts a float to another float type.
    pub fn convert_float(self, element: Type<'c>) -> Self {
        match element.bit_width().cmp(&Some(self.width())) {
            Ordering::Less => self.convert(arith::truncf, element),
            Ordering::Equal => self,
            Ordering::Greater => self.convert(arith::extf, element),
        }
    }

    /// Converts a float between f32 and f64, or truncates or zero-extends an integer, to a width.
    pub fn with_width(self, width: u32) -> Self {
        if self.is_float() {
            return self.convert_float(self.float_type(width));
        }
        match width.cmp(&self.width()) {
            Ordering::Less => self.convert(arith::trunci, self.integer_type(width)),
            Ordering::Equal => self,
            Ordering::Greater => self.convert(arith::extui, self.integer_type(width)),
        }
    }

    /// Converts a bf16 to f32, whose upper half has the bits of the bf16.
    pub fn widened_bf16(self) -> Self {
        (self.bits().with_width(32) << 16).float_of_bits()
    }

    /// Rounds an f32 to bf16. The instructions of processors would flush subnormal numbers to zero.
    pub fn to_bf16(self) -> Self {
        let bits = self.bits();
        let last = bits.shift_right_logical(16) & 1;
        let rounded = bits + 0x7fff + last;
        // A NaN must not round to infinity.
        let quiet = bits | 0x40_0000;
        let bits = self.is_nan().select(quiet, rounded);
        bits.shift_right_logical(16).with_width(16).bf16_of_bits()
    }

    /// The bf16 with these bits.
    pub fn bf16_of_bits(self) -> Self {
        self.float_with_bits(Type::bfloat16(self.formula.builder.context()))
    }

    /// The float of a type with these bits.
    pub fn float_with_bits(self, element: Type<'c>) -> Self {
        self.convert(arith::bitcast, element)
    }

    /// The number of mantissa bits.
    pub fn mantissa_bits(self) -> i64 {
        if self.width() == 32 { 23 } else { 52 }
    }

    /// The exponent bias: the stored exponent of 1.
    pub fn exponent_bias(self) -> i64 {
        if self.width() == 32 { 127 } else { 1023 }
    }

    /// Rounds to the nearest integer, as a float and as an integer. The value must be small enough
    /// for the mantissa. The results for NaN are NaN and an arbitrary integer, while a conversion
    /// would be undefined.
    pub fn round(self) -> (Self, Self) {
        self.round_scaled(1.0)
    }

    /// Rounds `self * scale`.
    pub fn round_scaled(self, scale: f64) -> (Self, Self) {
        // Adding this constant rounds a number to an integer, which is in the low bits of the sum.
        let (magic, bits) = if self.width() == 32 {
            let magic = 12_582_912.0_f32;
            (f64::from(magic), i64::from(magic.to_bits()))
        } else {
            let magic = 6_755_399_441_055_744.0_f64;
            (magic, magic.to_bits() as i64)
        };
        let sum = self.fma(scale, magic);
        (sum - magic, sum.bits() - bits)
    }

    /// `2^self`, for exponents of normal numbers.
    pub fn power_of_two(self) -> Self {
        ((self + self.exponent_bias()) << self.mantissa_bits()).float_of_bits()
    }

    /// `self * 2^exponent`, rounded once, even for subnormal results.
    pub fn scale(self, exponent: Self) -> Self {
        let half = exponent.shift_right_arithmetic(1);
        let rest = exponent - half;
        let (half, rest) = (half.power_of_two(), rest.power_of_two());
        self * half * rest
    }

    /// `self * 2^exponent` of a positive `self`, for normal results.
    pub fn scale_normal(self, exponent: Self) -> Self {
        let exponent = exponent << self.mantissa_bits();
        (self.bits() + exponent).float_of_bits()
    }

    /// `self * 2^exponent` of a positive `self`, rounded once, for finite results.
    ///
    /// Processors take 150 cycles for a subnormal product. Here adding 1 rounds it: in units of the
    /// smallest normal number, the low bits of the sum are the result.
    pub fn scale_finite(self, exponent: Self) -> Self {
        let unit = exponent.constant(1_i64 << self.mantissa_bits());
        let one = exponent.constant(self.exponent_bias() << self.mantissa_bits());
        let bits = self.scale_normal(exponent).bits();
        let is_subnormal = bits.lt(unit);
        // Adding zero keeps normal numbers. Selections of zero are faster than others.
        let lifted = (bits + is_subnormal.select(one - unit, 0)).float_of_bits();
        let one = is_subnormal.select(one, 0);
        ((lifted + one.float_of_bits()).bits() - one).float_of_bits()
    }

    /// `erfc(x)` from `erfc(|x|) = self * 2^exponent`; NaN if `x` is NaN.
    pub fn complement(self, exponent: Self, x: Self) -> Self {
        let bits = self.scale_finite(exponent).bits();
        let right = bits.replaced_where(x.is_nan(), -1).float_of_bits();
        x.bits().lt(0).select(2.0 - right, right)
    }

    /// The exponent `k` as an integer and the mantissa `m` of a positive finite
    /// number, `x = 2^k * m` with `m` between the roots of 1/2 and of 2.
    pub fn split(self) -> (Self, Self) {
        let (smallest, lift, exponent) = if self.width() == 32 {
            (f64::from(f32::MIN_POSITIVE), 8_388_608.0, 23)
        } else {
            (f64::MIN_POSITIVE, 18_014_398_509_481_984.0, 54)
        };
        let root = if self.width() == 32 {
            i64::from(std::f32::consts::FRAC_1_SQRT_2.to_bits())
        } else {
            std::f64::consts::FRAC_1_SQRT_2.to_bits() as i64
        };
        let is_subnormal = self.lt(smallest);
        let bits = self.replaced_where(is_subnormal, self * lift).bits();
        let correction = is_subnormal.select(bits.constant(-exponent), 0);
        let exponent = (bits - root).shift_right_arithmetic(self.mantissa_bits());
        let mantissa = bits - (exponent << self.mantissa_bits());
        (exponent + correction, mantissa.float_of_bits())
    }

    /// Converts a small signed integer to a float, without the conversion instruction, which few
    /// processors have for vectors of 64-bit integers.
    pub fn small_to_float(self) -> Self {
        if self.width() == 32 {
            return self.to_float();
        }
        let magic = 6_755_399_441_055_744.0_f64;
        (self + magic.to_bits() as i64).float_of_bits() - magic
    }

    /// Replaces the number, the logarithm of a positive finite `x`, by the special values for other
    /// `x`. The number must be finite for zero and infinity.
    ///
    /// Selections between a constant and zero, and of ones in all bits, take one instruction on the
    /// masks that comparisons produce, while others take up to three.
    pub fn with_logarithm_specials(self, x: Self) -> Self {
        let infinity = x.eq(f64::INFINITY).select(x.constant(f64::INFINITY), 0.0);
        let end = infinity.replaced_where(x.eq(0.0), f64::NEG_INFINITY);
        let bits = (self + end).bits();
        bits.replaced_where(x.unordered_lt(0.0), -1).float_of_bits()
    }

    /// The power `x^y` from the number `|x|^y`, with the special values for zeros, infinities and
    /// NaN.
    pub fn with_power_specials(self, x: Self, y: Self) -> Self {
        let size = x.abs();
        let sinks = y.lt(0.0);
        let (zero, infinity) = (x.constant(0.0), x.constant(f64::INFINITY));
        let is_infinite = size.eq(f64::INFINITY);
        let power = self
            .replaced_where(size.eq(0.0), sinks.select(infinity, zero))
            .replaced_where(is_infinite, sinks.select(zero, infinity))
            // Even for an infinite exponent.
            .replaced_where(size.eq(1.0), 1.0);
        let half_y = y * 0.5;
        let is_odd = half_y.floor().ne(half_y);
        // An odd power keeps the sign, even of zeros; a fractional power of a negative number is
        // NaN.
        let of_integer = power.replaced_where(is_odd, power.copysign(x));
        // Except for an infinite x.
        let of_fraction =
            power.replaced_where(x.lt(0.0), f64::NAN).replaced_where(is_infinite, power);
        y.floor()
            .ne(y)
            .select(of_fraction, of_integer)
            .replaced_where(x.is_unordered_with(y), f64::NAN)
            .replaced_where(x.eq(1.0), 1.0)
            .replaced_where(y.eq(0.0), 1.0)
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $of_floats:path, $of_integers:path) => {
        impl<'f, 'c, O: Operand<'f, 'c>> ops::$trait<O> for Number<'f, 'c> {
            type Output = Self;

            fn $method(self, other: O) -> Self {
                let op: BinaryFn = if self.is_float() {
                    $of_floats
                } else {
                    $of_integers
                };
                self.binary(op, other)
            }
        }

        impl<'f, 'c> ops::$trait<Number<'f, 'c>> for f64 {
            type Output = Number<'f, 'c>;

            fn $method(self, other: Number<'f, 'c>) -> Number<'f, 'c> {
                ops::$trait::$method(other.constant(self), other)
            }
        }
    };
}

operator!(Add, add, arith::addf, arith::addi);
operator!(Sub, sub, arith::subf, arith::subi);
operator!(Mul, mul, arith::mulf, arith::muli);
operator!(Div, div, arith::divf, arith::divsi);

macro_rules! operator_on_bits {
    ($trait:ident, $method:ident, $op:path) => {
        impl<'f, 'c, O: Operand<'f, 'c>> ops::$trait<O> for Number<'f, 'c> {
            type Output = Self;

            fn $method(self, other: O) -> Self {
                self.binary($op, other)
            }
        }
    };
}

operator_on_bits!(BitAnd, bitand, arith::andi);
operator_on_bits!(BitOr, bitor, arith::ori);
operator_on_bits!(BitXor, bitxor, arith::xori);
operator_on_bits!(Shl, shl, arith::shli);

impl ops::Neg for Number<'_, '_> {
    type Output = Self;

    fn neg(self) -> Self {
        self.unary(arith::negf)
    }
}
