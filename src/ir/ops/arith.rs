//! The ops of `arith`, and constants.

super::generated! { "arith" }

use super::{ConversionFn, complex, definition::Op};
use crate::{
    attributes::{AttributeExt, float_attribute, integer_attribute, splat_attribute},
    build_error::BuildError,
    builder::Builder,
    graveyard::bug,
    handles::{Attribute, Operation, Type, Value},
    operation::OperationExt,
    template,
    types::TypeExt,
    value::ValueExt,
};

/// A number for a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Integer(i64),
    Float(f64),
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

/// `arith.constant` of a float, integer or index, or of a splat vector or tensor. Integers are
/// truncated to the bits of the type, and a float is rounded to it; an integer cannot be made from
/// a float.
#[track_caller]
pub fn constant<'c>(builder: &Builder<'c>, ty: Type<'c>, number: impl Into<Number>) -> Value<'c> {
    let element = ty.element_type();
    let number = match (number.into(), element.is_float()) {
        (Number::Float(value), true) => float_attribute(element, value),
        (Number::Integer(value), true) => float_attribute(element, value as f64),
        (Number::Integer(value), false) if element.is_integer() || element.is_index() => {
            integer_attribute(element, low_bits(element, value))
        }
        _ => bug(BuildError::new(format!("arith.constant of type {ty}"))),
    };
    let value = if element == ty {
        number
    } else {
        splat_attribute(ty, number)
    };
    ConstantOp::build(builder, value).value()
}

/// The low bits of an integer, as many as its type has, sign-extended.
fn low_bits(ty: Type, value: i64) -> i64 {
    match ty.bit_width() {
        Some(width @ 1..64) => {
            let unused = 64 - width;
            value << unused >> unused
        }
        _ => value,
    }
}

/// The fast-math flags of an op that supports them; `None` for any other.
pub fn fastmath(operation: Operation) -> Option<FastMathFlags> {
    // All ops with flags store them as this one does.
    operation
        .attribute("fastmath")
        .map(|_| AddFOp::from_unchecked(operation).fastmath())
}

/// Sets the fast-math flags of an op that may have some.
pub fn set_fastmath(operation: Operation, flags: FastMathFlags) {
    AddFOp::from_unchecked(operation).set_fastmath(flags);
}

/// The value of a constant of a signless integer or an index of at most 64 bits. The ops that use
/// it determine its signedness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignlessInteger {
    bits: u64,
    width: u32,
}

impl SignlessInteger {
    /// The number in two's complement.
    pub fn signed(self) -> i64 {
        let unused = 64 - self.width;
        (self.bits << unused) as i64 >> unused
    }

    /// The number without a sign.
    pub fn unsigned(self) -> u64 {
        let unused = 64 - self.width;
        self.bits << unused >> unused
    }
}

/// The value of a constant integer.
pub fn constant_integer(value: Value) -> Option<SignlessInteger> {
    let width = value.ty().integer_width().unwrap_or(64);
    let number = value.defined_by::<ConstantOp>()?.value();
    (1..=64).contains(&width).then(|| {
        let bits = number.integer_value()? as u64;
        Some(SignlessInteger { bits, width })
    })?
}

/// The value of a constant index.
pub fn constant_index(value: Value) -> Option<i64> {
    value
        .ty()
        .is_index()
        .then(|| constant_integer(value))?
        .map(SignlessInteger::signed)
}

/// A constant of a float, integer or index type. Integers are truncated to
/// their width.
#[track_caller]
pub fn scalar<'c>(builder: &Builder<'c>, ty: Type<'c>, real: f64, integer: i64) -> Value<'c> {
    if ty.is_float() {
        constant(builder, ty, real)
    } else {
        constant(builder, ty, integer)
    }
}

/// `arith.constant` of an attribute whose type differs from the result's.
#[track_caller]
pub fn constant_of<'c>(b: &Builder<'c>, value: Attribute<'c>, ty: Type<'c>) -> Value<'c> {
    ConstantOp::build(b, value).result_types(&[ty]).value()
}

/// A constant of a number type: integer, index, float or complex (with no
/// imaginary part).
#[track_caller]
pub fn number<'c>(b: &Builder<'c>, ty: Type<'c>, value: i64) -> Value<'c> {
    match ty.complex_element() {
        Some(part) => {
            let real = constant(b, part, value);
            complex::from_parts(b, real, constant(b, part, 0))
        }
        None => constant(b, ty, value),
    }
}

/// A conversion, or the value where it has the type already.
#[track_caller]
pub fn cast<'c>(b: &Builder<'c>, op: ConversionFn, value: Value<'c>, to: Type<'c>) -> Value<'c> {
    if value.ty() == to {
        return value;
    }
    op(b, value, to)
}

/// Whether a value is a NaN.
#[track_caller]
pub fn is_nan<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    cmpf(b, CmpFPredicate::Uno, value, value)
}

/// Widens or narrows an integer. Narrowing keeps the low bits.
#[track_caller]
pub fn resize_integer<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    to: Type<'c>,
    signed: bool,
) -> Value<'c> {
    let widths = (value.ty().integer_width(), to.integer_width());
    match widths {
        (Some(from), Some(width)) if from < width && signed => cast(b, extsi, value, to),
        (Some(from), Some(width)) if from < width => cast(b, extui, value, to),
        (Some(from), Some(width)) if from > width => cast(b, trunci, value, to),
        _ => value,
    }
}

/// Widens or narrows a float, rounding to the nearest even.
#[track_caller]
pub fn resize_float<'c>(b: &Builder<'c>, value: Value<'c>, to: Type<'c>) -> Value<'c> {
    use std::cmp::Ordering;
    let from = value.ty();
    if from == to {
        return value;
    }
    let widths = (from.bit_width(), to.bit_width());
    let value = match widths {
        (Some(64), Some(16)) => round_to_odd(b, value),
        _ => value,
    };
    match widths.0.cmp(&widths.1) {
        Ordering::Less => cast(b, extf, value, to),
        Ordering::Greater => cast(b, truncf, value, to),
        // Two formats of one width (f16 and bf16) meet in f32.
        Ordering::Equal => {
            let wide = cast(b, extf, value, Type::float32(b.context()));
            cast(b, truncf, wide, to)
        }
    }
}

/// An f64 as f32, with its last bit set where bits were lost, so that rounding
/// to a narrower float gives the same result as rounding the f64 itself. No
/// instruction does this, and rounding twice may err.
#[track_caller]
fn round_to_odd<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let rounded = template!(
        b,
        "
        %nearest = arith.truncf $value : f64 to f32
        %back = arith.extf %nearest : f32 to f64
        %bits = arith.bitcast %nearest : f32 to i32
        %size = math.absf $value : f64
        %size_back = math.absf %back : f64
        %is_larger = arith.cmpf ogt, %size_back, %size : f64
        %is_smaller = arith.cmpf olt, %size_back, %size : f64
        %one = arith.constant 1 : i32
        %less = arith.subi %bits, %one : i32
        %toward_zero = arith.select %is_larger, %less, %bits : i32
        %odd = arith.ori %toward_zero, %one : i32
        %is_inexact = arith.ori %is_larger, %is_smaller : i1
        %rounded = arith.select %is_inexact, %odd, %bits : i32
        %result = arith.bitcast %rounded : i32 to f32"
    );
    rounded[0]
}
