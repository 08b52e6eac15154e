//! Elementwise StableHLO written as formulas.
//!
//! A decomposition is arithmetic on full tensors of one shape, which a chain of builder calls
//! obscures. [`Expression`] has Rust's operators, so that the source reads like the cited formula.
//! Constants take the shape of the formula's tensor, dynamic or not.
//!
//! Ops are created in Rust's evaluation order, each constant where it is used: a formula that binds
//! its constants with `let` creates them once, and `cse` merges the others.

use crate::transforms::shapes::mixed_sizes::{self, MixedSizes};
use halo_ir::{float_attribute, ops::BinaryFn, prelude::*, splat_attribute};

use std::{cell::RefCell, ops};

/// Emits the ops of one formula at the insertion point of a builder.
///
/// If an op cannot be created, the error is recorded and later ops are skipped;
/// [`Formula::finish`] reports it.
pub struct Formula<'c> {
    builder: Builder<'c>,
    like: Value<'c>,
    shape: RefCell<Option<Value<'c>>>,
    failure: RefCell<Option<RewriteError>>,
}

/// A number in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Constant {
    /// The bits of an `f64`, which is rounded to the element type.
    Float(u64),
    Integer(i64),
}

/// A tensor in a formula: a handle that operators combine.
#[derive(Clone, Copy)]
pub struct Expression<'f, 'c> {
    formula: &'f Formula<'c>,
    value: Option<Value<'c>>,
}

/// The other operand of a binary operator.
pub trait Operand<'f, 'c> {
    /// The operand as a tensor of the type of `like`.
    fn expression(self, like: Expression<'f, 'c>) -> Expression<'f, 'c>;
}

impl<'f, 'c> Operand<'f, 'c> for Expression<'f, 'c> {
    fn expression(self, _: Expression<'f, 'c>) -> Self {
        self
    }
}

impl<'f, 'c> Operand<'f, 'c> for f64 {
    fn expression(self, like: Expression<'f, 'c>) -> Expression<'f, 'c> {
        like.constant(self)
    }
}

impl<'f, 'c> Operand<'f, 'c> for i64 {
    fn expression(self, like: Expression<'f, 'c>) -> Expression<'f, 'c> {
        like.integer(self)
    }
}

impl<'c> Formula<'c> {
    /// A formula about tensors of the shape of `like`.
    pub fn new(builder: &Builder<'c>, like: Value<'c>) -> Self {
        Self {
            builder: *builder,
            like,
            shape: RefCell::default(),
            failure: RefCell::default(),
        }
    }

    /// A value as part of the formula.
    pub fn value(&self, value: Value<'c>) -> Expression<'_, 'c> {
        Expression {
            formula: self,
            value: Some(value),
        }
    }

    /// The value of an expression as type `ty`, which may have more or fewer static dimensions than
    /// the formula.
    pub fn finish(&self, result: Expression<'_, 'c>, ty: Type<'c>) -> RewriteResult<Value<'c>> {
        match (self.failure.borrow_mut().take(), result.value) {
            (None, Some(value)) if value.ty() == ty => Ok(value),
            (None, Some(value)) => Ok(stablehlo::convert(&self.builder, value, ty)),
            (Some(error), _) => Err(error),
            (None, None) => Err(RewriteError::Invalid(
                "internal error: a formula without a value".to_owned(),
            )),
        }
    }

    fn keep(&self, value: RewriteResult<Value<'c>>) -> Expression<'_, 'c> {
        let value = match value {
            Ok(value) => Some(value),
            Err(error) => {
                self.failure.borrow_mut().get_or_insert(error);
                None
            }
        };
        Expression {
            formula: self,
            value,
        }
    }

    fn constant(&self, ty: Type<'c>, constant: Constant) -> RewriteResult<Value<'c>> {
        let element = ty.element_type();
        let number = match constant {
            Constant::Float(bits) => float_attribute(element, f64::from_bits(bits)),
            Constant::Integer(value) => integer_attribute(element, value),
        };
        self.repeated(number, ty)
    }

    /// An element repeated over a type of the shape of the formula.
    pub fn repeated(&self, number: Attribute<'c>, ty: Type<'c>) -> RewriteResult<Value<'c>> {
        let b = &self.builder;
        let splat = |ty: Type<'c>| stablehlo::constant(b, splat_attribute(ty, number));
        if ty.static_shape().is_some() {
            return Ok(splat(ty));
        }
        let scalar = splat(tensor_type(&[], ty.element_type()));
        if let Some(value) = mixed_sizes::fill_bounded(b, scalar, self.like, ty) {
            return Ok(value);
        }
        let known = *self.shape.borrow();
        let shape = match known {
            Some(shape) => shape,
            None => {
                let shape = MixedSizes::of(b, self.like)?.tensor(b);
                *self.shape.borrow_mut() = Some(shape);
                shape
            }
        };
        Ok(mixed_sizes::fill(b, scalar, shape, ty))
    }
}

impl<'f, 'c> Expression<'f, 'c> {
    fn ty(self) -> Option<Type<'c>> {
        self.value.map(|value| value.ty())
    }

    /// The type of the elements.
    pub fn element(self) -> Option<Type<'c>> {
        self.ty().map(Type::element_type)
    }

    /// Returns true if the elements are f64.
    pub fn is_double(self) -> bool {
        self.element().is_some_and(|element| element.is_f64())
    }

    /// Applies a unary op to the tensor.
    fn map(self, op: impl FnOnce(&Builder<'c>, Value<'c>) -> Value<'c>) -> Self {
        match self.value {
            Some(value) => {
                let value = op(&self.formula.builder, value);
                self.formula.keep(Ok(value))
            }
            None => self,
        }
    }

    /// Applies a binary op to two tensors.
    fn join(
        self,
        other: Self,
        op: impl FnOnce(&Builder<'c>, Value<'c>, Value<'c>) -> Value<'c>,
    ) -> Self {
        match other.value {
            Some(other) => self.map(|b, value| op(b, value, other)),
            None => other,
        }
    }

    fn binary(self, op: BinaryFn, other: impl Operand<'f, 'c>) -> Self {
        self.join(other.expression(self), op)
    }

    /// A float constant of the same type, rounded to it.
    pub fn constant(self, value: f64) -> Self {
        self.number(Constant::Float(value.to_bits()))
    }

    /// An integer constant of the same type.
    pub fn integer(self, value: i64) -> Self {
        self.number(Constant::Integer(value))
    }

    fn number(self, constant: Constant) -> Self {
        match self.ty() {
            Some(ty) => self.formula.keep(self.formula.constant(ty, constant)),
            None => self,
        }
    }

    /// Converts the elements to another type.
    pub fn convert(self, element: Type<'c>) -> Self {
        if self.element() == Some(element) {
            return self;
        }
        self.map(|b, value| stablehlo::convert(b, value, value.ty().with_element_type(element)))
    }

    /// Floats narrower than f32 as f32.
    pub fn widened(self) -> Self {
        let wide = Type::float32(self.formula.builder.context());
        match self.element() {
            Some(element) if element.is_float() && !element.is_f32() && !element.is_f64() => {
                self.convert(wide)
            }
            _ => self,
        }
    }

    /// The bits read as another type of the same width.
    pub fn bitcast(self, element: Type<'c>) -> Self {
        self.map(|b, value| {
            stablehlo::bitcast_convert(b, value, value.ty().with_element_type(element))
        })
    }

    /// The bits as signless integers.
    pub fn bits(self) -> Self {
        match self.element().and_then(Type::bit_width) {
            Some(width) => self.bitcast(integer_type(self.formula.builder.context(), width)),
            None => self,
        }
    }

    fn compare(self, other: impl Operand<'f, 'c>, direction: ComparisonDirection) -> Self {
        self.join(other.expression(self), |b, left, right| {
            stablehlo::compare(b, left, right, direction)
        })
    }

    /// True where `self == other`.
    pub fn eq(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare(other, ComparisonDirection::Eq)
    }

    /// True where `self != other`, or one of them is NaN.
    pub fn ne(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare(other, ComparisonDirection::Ne)
    }

    /// True where `self < other`.
    pub fn lt(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare(other, ComparisonDirection::Lt)
    }

    /// True where `self <= other`.
    pub fn le(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare(other, ComparisonDirection::Le)
    }

    /// True where `self > other`.
    pub fn gt(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare(other, ComparisonDirection::Gt)
    }

    /// True where `self >= other`.
    pub fn ge(self, other: impl Operand<'f, 'c>) -> Self {
        self.compare(other, ComparisonDirection::Ge)
    }

    /// Logical or bitwise and.
    pub fn and(self, other: impl Operand<'f, 'c>) -> Self {
        self.binary(stablehlo::and, other)
    }

    /// Logical or bitwise or.
    pub fn or(self, other: impl Operand<'f, 'c>) -> Self {
        self.binary(stablehlo::or, other)
    }

    /// Logical or bitwise not.
    pub fn not(self) -> Self {
        self.map(stablehlo::not)
    }

    /// `on_true` where this predicate is true, else `on_false`.
    pub fn select(self, on_true: Self, on_false: impl Operand<'f, 'c>) -> Self {
        let on_false = on_false.expression(on_true);
        match on_true.value {
            Some(on_true) => self.join(on_false, |b, predicate, on_false| {
                stablehlo::select(b, predicate, on_true, on_false)
            }),
            None => on_true,
        }
    }

    /// `|self|`
    pub fn abs(self) -> Self {
        self.map(stablehlo::abs)
    }

    /// The sign as -1, 1 or a zero of that sign; NaN for NaN.
    pub fn sign(self) -> Self {
        self.map(stablehlo::sign)
    }

    /// The greatest integer that is not greater.
    pub fn floor(self) -> Self {
        self.map(stablehlo::floor)
    }

    /// The square root.
    pub fn sqrt(self) -> Self {
        self.map(stablehlo::sqrt)
    }

    /// The cube root.
    pub fn cbrt(self) -> Self {
        self.map(stablehlo::cbrt)
    }

    /// `e^self`
    pub fn exp(self) -> Self {
        self.map(stablehlo::exponential)
    }

    /// `e^self - 1`
    pub fn expm1(self) -> Self {
        self.map(stablehlo::exponential_minus_one)
    }

    /// The natural logarithm.
    pub fn log(self) -> Self {
        self.map(stablehlo::log)
    }

    /// `log(1 + self)`
    pub fn log1p(self) -> Self {
        self.map(stablehlo::log_plus_one)
    }

    /// The sine.
    pub fn sin(self) -> Self {
        self.map(stablehlo::sine)
    }

    /// The cosine.
    pub fn cos(self) -> Self {
        self.map(stablehlo::cosine)
    }

    /// The tangent.
    pub fn tan(self) -> Self {
        self.map(stablehlo::tan)
    }

    /// The angle of the point `(x, self)`.
    pub fn atan2(self, x: impl Operand<'f, 'c>) -> Self {
        self.binary(stablehlo::atan2, x)
    }

    /// `self^exponent`
    pub fn power(self, exponent: impl Operand<'f, 'c>) -> Self {
        self.binary(stablehlo::power, exponent)
    }

    /// The larger one, NaN if either is.
    pub fn max(self, other: impl Operand<'f, 'c>) -> Self {
        self.binary(stablehlo::maximum, other)
    }

    /// The smaller one, NaN if either is.
    pub fn min(self, other: impl Operand<'f, 'c>) -> Self {
        self.binary(stablehlo::minimum, other)
    }

    /// The value clamped to bounds.
    pub fn clamp(self, low: f64, high: f64) -> Self {
        let (low, high) = (self.constant(low), self.constant(high));
        match high.value {
            Some(high) => low.join(self, |b, low, value| stablehlo::clamp(b, low, value, high)),
            None => high,
        }
    }

    /// True where neither infinite nor NaN.
    pub fn is_finite(self) -> Self {
        self.map(stablehlo::is_finite)
    }

    /// Bitwise exclusive or.
    pub fn xor(self, other: impl Operand<'f, 'c>) -> Self {
        self.binary(stablehlo::xor, other)
    }

    /// Bits shifted left.
    pub fn shift_left(self, count: i64) -> Self {
        self.binary(stablehlo::shift_left, count)
    }

    /// Bits shifted right, zero-filled.
    pub fn shift_right_logical(self, count: i64) -> Self {
        self.binary(stablehlo::shift_right_logical, count)
    }

    /// Bits shifted right, sign-filled.
    pub fn shift_right_arithmetic(self, count: i64) -> Self {
        self.binary(stablehlo::shift_right_arithmetic, count)
    }

    /// True where the sign bit of an f32 or f64 is set, including zeros.
    pub fn is_negative(self) -> Self {
        self.bits().lt(0_i64)
    }

    /// The magnitude of `self`, which is not negative, with a sign.
    pub fn with_sign_of(self, sign: Self) -> Self {
        sign.is_negative().select(-self, self)
    }

    /// A polynomial of `self`, highest degree first, by Horner's rule.
    pub fn polynomial(self, coefficients: &[f64]) -> Self {
        let mut rest = coefficients.iter();
        let first = self.constant(rest.next().copied().unwrap_or_default());
        rest.fold(first, |sum, coefficient| sum * self + *coefficient)
    }

    /// The real part.
    pub fn real(self) -> Self {
        self.map(stablehlo::real)
    }

    /// The imaginary part.
    pub fn imaginary(self) -> Self {
        self.map(stablehlo::imag)
    }

    /// `self + imaginary i`
    pub fn complex(self, imaginary: Self) -> Self {
        self.join(imaginary, stablehlo::complex)
    }

    /// The limits of the element type, which is f32 or f64.
    pub fn limits(self) -> Limits {
        if self.is_double() {
            Limits {
                largest: f64::MAX,
                smallest_normal: f64::MIN_POSITIVE,
                smallest: f64::from_bits(1),
                splitter: 134_217_729.0,
            }
        } else {
            Limits {
                largest: f64::from(f32::MAX),
                smallest_normal: f64::from(f32::MIN_POSITIVE),
                smallest: f64::from(f32::from_bits(1)),
                splitter: 4097.0,
            }
        }
    }
}

/// The properties of f32 and f64 that the decompositions use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest finite number.
    pub largest: f64,
    /// The smallest positive number of full precision.
    pub smallest_normal: f64,
    /// The smallest positive number.
    pub smallest: f64,
    /// Veltkamp's constant, which splits a number into two halves.
    pub splitter: f64,
}

macro_rules! binary_operator {
    ($trait:ident, $method:ident, $op:path) => {
        impl<'f, 'c, O: Operand<'f, 'c>> ops::$trait<O> for Expression<'f, 'c> {
            type Output = Self;

            fn $method(self, other: O) -> Self {
                self.binary($op, other)
            }
        }

        impl<'f, 'c> ops::$trait<Expression<'f, 'c>> for f64 {
            type Output = Expression<'f, 'c>;

            fn $method(self, other: Expression<'f, 'c>) -> Expression<'f, 'c> {
                other.constant(self).binary($op, other)
            }
        }
    };
}

binary_operator!(Add, add, stablehlo::add);
binary_operator!(Sub, sub, stablehlo::subtract);
binary_operator!(Mul, mul, stablehlo::multiply);
binary_operator!(Div, div, stablehlo::divide);
binary_operator!(Rem, rem, stablehlo::remainder);

impl ops::Neg for Expression<'_, '_> {
    type Output = Self;

    fn neg(self) -> Self {
        self.map(stablehlo::negate)
    }
}

/// Returns true if the elements of a tensor are real floats.
pub fn is_real(value: Value) -> bool {
    value.ty().element_type().is_float()
}

/// Returns true if the elements of a tensor are complex numbers.
pub fn is_complex_tensor(value: Value) -> bool {
    value.ty().element_type().is_complex()
}
