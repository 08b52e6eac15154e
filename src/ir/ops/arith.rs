//! The ops of `arith`, and constants.

super::generated! { "arith" }

use super::Op;
use crate::{
    AttributeExt, BuildError, Builder, Operation, OperationExt, Type, TypeExt, Value, ValueExt,
    float_attribute, graveyard::bug, integer_attribute, splat_attribute,
};

/// A number to make a constant of.
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

/// `arith.constant` of a float, integer or index, or of a vector or tensor that
/// is the same number everywhere. Integers keep the bits that the type has, and
/// a float is rounded to it; a float makes no integer.
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

/// The bits of an integer that its type has, sign-extended.
fn low_bits(ty: Type, value: i64) -> i64 {
    match ty.bit_width() {
        Some(width @ 1..64) => {
            let unused = 64 - width;
            value << unused >> unused
        }
        _ => value,
    }
}

/// `arith.constant N : index`
#[track_caller]
pub fn index<'c>(builder: &Builder<'c>, value: i64) -> Value<'c> {
    constant(builder, Type::index(builder.context()), value)
}

/// The fast-math flags of an op that may have some; `None` of any other.
pub fn fastmath(operation: Operation) -> Option<FastMathFlags> {
    // All ops that have flags keep them as this one does.
    operation
        .attribute("fastmath")
        .map(|_| AddFOp::from_unchecked(operation).fastmath())
}

/// Sets the fast-math flags of an op that may have some.
pub fn set_fastmath(operation: Operation, flags: FastMathFlags) {
    AddFOp::from_unchecked(operation).set_fastmath(flags);
}

/// The value of a constant of a signless integer or an index of at most 64 bits. The ops that use
/// it determine which number the bits represent.
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

/// The value of an integer that is a constant.
pub fn constant_integer(value: Value) -> Option<SignlessInteger> {
    let width = value.ty().integer_width().unwrap_or(64);
    let number = value.defined_by::<ConstantOp>()?.value();
    (1..=64).contains(&width).then(|| {
        let bits = number.integer_value()? as u64;
        Some(SignlessInteger { bits, width })
    })?
}

/// The value of an index that is a constant.
pub fn constant_index(value: Value) -> Option<i64> {
    value
        .ty()
        .is_index()
        .then(|| constant_integer(value))?
        .map(SignlessInteger::signed)
}
