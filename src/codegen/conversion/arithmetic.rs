//! Short names for the arith, math and complex ops that lowerings are made of.
//!
//! Every function creates one op at the builder's insertion point, on scalars,
//! vectors or tensors alike.

use halo_ir::{
    Attribute, BuildError, Builder, Type, Value, complex_element, element_type, float_kind,
    integer_attribute, integer_type, is_index, is_integer, with_element_type,
};
use melior::ir::{ValueLike, attribute::FloatAttribute};

type Built<'c> = Result<Value<'c>, BuildError>;

/// Predicates of `arith.cmpi`, by their encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum IntegerPredicate {
    /// Equal.
    Eq = 0,
    /// Not equal.
    Ne = 1,
    /// Signed less than.
    Slt = 2,
    /// Signed less or equal.
    Sle = 3,
    /// Signed greater than.
    Sgt = 4,
    /// Signed greater or equal.
    Sge = 5,
    /// Unsigned less than.
    Ult = 6,
    /// Unsigned less or equal.
    Ule = 7,
    /// Unsigned greater than.
    Ugt = 8,
    /// Unsigned greater or equal.
    Uge = 9,
}

/// Predicates of `arith.cmpf`, by their encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum FloatPredicate {
    /// Ordered and equal.
    Oeq = 1,
    /// Ordered and greater.
    Ogt = 2,
    /// Ordered and greater or equal.
    Oge = 3,
    /// Ordered and less.
    Olt = 4,
    /// Ordered and less or equal.
    Ole = 5,
    /// Unordered or not equal.
    Une = 13,
    /// Unordered.
    Uno = 14,
}

/// An op on operands of one type with a result of the same type.
pub fn same<'c>(b: &Builder<'c>, name: &str, operands: &[Value<'c>]) -> Built<'c> {
    match operands.first() {
        Some(first) => b.value(name, operands, first.r#type()),
        None => Err(BuildError {
            operation: name.to_owned(),
        }),
    }
}

/// An op with one operand and a result of another type.
pub fn cast<'c>(b: &Builder<'c>, name: &str, value: Value<'c>, to: Type<'c>) -> Built<'c> {
    if value.r#type() == to {
        return Ok(value);
    }
    b.value(name, &[value], to)
}

/// `arith.constant` with an attribute.
pub fn constant<'c>(b: &Builder<'c>, value: Attribute<'c>, r#type: Type<'c>) -> Built<'c> {
    b.op("arith.constant")
        .attribute("value", value)
        .result(r#type)
        .value()
}

/// An integer or index constant.
pub fn integer<'c>(b: &Builder<'c>, r#type: Type<'c>, value: i64) -> Built<'c> {
    constant(b, integer_attribute(r#type, value), r#type)
}

/// An index constant.
pub fn index<'c>(b: &Builder<'c>, value: i64) -> Built<'c> {
    integer(b, Type::index(b.context()), value)
}

/// A float constant.
pub fn float<'c>(b: &Builder<'c>, r#type: Type<'c>, value: f64) -> Built<'c> {
    let attribute = FloatAttribute::new(b.context(), r#type, value);
    constant(b, attribute.into(), r#type)
}

/// A constant of a number type: integer, index, float or complex (with no
/// imaginary part).
pub fn number<'c>(b: &Builder<'c>, r#type: Type<'c>, value: i64) -> Built<'c> {
    if is_integer(r#type) || is_index(r#type) {
        integer(b, r#type, value)
    } else if let Some(part) = complex_element(r#type) {
        let real = float(b, part, value as f64)?;
        let imaginary = float(b, part, 0.0)?;
        complex(b, real, imaginary)
    } else {
        float(b, r#type, value as f64)
    }
}

/// `complex.create`
pub fn complex<'c>(b: &Builder<'c>, real: Value<'c>, imaginary: Value<'c>) -> Built<'c> {
    b.value(
        "complex.create",
        &[real, imaginary],
        halo_ir::complex_type(real.r#type()),
    )
}

/// `complex.re`
pub fn real<'c>(b: &Builder<'c>, value: Value<'c>) -> Built<'c> {
    part(b, "complex.re", value)
}

/// `complex.im`
pub fn imaginary<'c>(b: &Builder<'c>, value: Value<'c>) -> Built<'c> {
    part(b, "complex.im", value)
}

fn part<'c>(b: &Builder<'c>, name: &str, value: Value<'c>) -> Built<'c> {
    match complex_element(value.r#type()) {
        Some(element) => b.value(name, &[value], element),
        None => Err(BuildError {
            operation: name.to_owned(),
        }),
    }
}

/// The type of a comparison of values of a type.
pub fn condition_type<'c>(b: &Builder<'c>, operand: Type<'c>) -> Type<'c> {
    let bit = integer_type(b.context(), 1);
    if element_type(operand) == operand {
        bit
    } else {
        with_element_type(operand, bit)
    }
}

/// `arith.cmpi`
pub fn compare_integers<'c>(
    b: &Builder<'c>,
    predicate: IntegerPredicate,
    left: Value<'c>,
    right: Value<'c>,
) -> Built<'c> {
    compare(b, "arith.cmpi", predicate as i64, left, right)
}

/// `arith.cmpf`
pub fn compare_floats<'c>(
    b: &Builder<'c>,
    predicate: FloatPredicate,
    left: Value<'c>,
    right: Value<'c>,
) -> Built<'c> {
    compare(b, "arith.cmpf", predicate as i64, left, right)
}

fn compare<'c>(
    b: &Builder<'c>,
    name: &str,
    predicate: i64,
    left: Value<'c>,
    right: Value<'c>,
) -> Built<'c> {
    b.op(name)
        .operands(&[left, right])
        .attribute(
            "predicate",
            integer_attribute(integer_type(b.context(), 64), predicate),
        )
        .result(condition_type(b, left.r#type()))
        .value()
}

/// `arith.select`
pub fn select<'c>(
    b: &Builder<'c>,
    condition: Value<'c>,
    on_true: Value<'c>,
    on_false: Value<'c>,
) -> Built<'c> {
    b.value(
        "arith.select",
        &[condition, on_true, on_false],
        on_true.r#type(),
    )
}

/// Whether a value is a NaN.
pub fn is_nan<'c>(b: &Builder<'c>, value: Value<'c>) -> Built<'c> {
    compare_floats(b, FloatPredicate::Uno, value, value)
}

/// Widens or narrows an integer. Narrowing keeps the low bits.
pub fn resize_integer<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    to: Type<'c>,
    signed: bool,
) -> Built<'c> {
    let widths = (
        halo_ir::integer_width(value.r#type()),
        halo_ir::integer_width(to),
    );
    match widths {
        (Some(from), Some(width)) if from < width && signed => cast(b, "arith.extsi", value, to),
        (Some(from), Some(width)) if from < width => cast(b, "arith.extui", value, to),
        (Some(from), Some(width)) if from > width => cast(b, "arith.trunci", value, to),
        _ => Ok(value),
    }
}

/// Widens or narrows a float, rounding to the nearest even.
pub fn resize_float<'c>(b: &Builder<'c>, value: Value<'c>, to: Type<'c>) -> Built<'c> {
    use std::cmp::Ordering;
    let from = value.r#type();
    if from == to {
        return Ok(value);
    }
    let widths = (halo_ir::bits_of(from), halo_ir::bits_of(to));
    let value = match widths {
        (Some(64), Some(16)) => round_to_odd(b, value)?,
        _ => value,
    };
    match widths.0.cmp(&widths.1) {
        Ordering::Less => cast(b, "arith.extf", value, to),
        Ordering::Greater => cast(b, "arith.truncf", value, to),
        // Two formats of one width (f16 and bf16) meet in f32.
        Ordering::Equal => {
            let wide = cast(b, "arith.extf", value, Type::float32(b.context()))?;
            cast(b, "arith.truncf", wide, to)
        }
    }
}

/// An f64 as f32, with its last bit set where bits were lost, so that it rounds
/// to a narrower float as the f64 itself would: there is no instruction for
/// that, and rounding twice may err.
fn round_to_odd<'c>(b: &Builder<'c>, value: Value<'c>) -> Built<'c> {
    let (single, bits_type) = (Type::float32(b.context()), integer_type(b.context(), 32));
    let nearest = cast(b, "arith.truncf", value, single)?;
    let back = cast(b, "arith.extf", nearest, value.r#type())?;
    let bits = cast(b, "arith.bitcast", nearest, bits_type)?;
    let size = same(b, "math.absf", &[value])?;
    let size_back = same(b, "math.absf", &[back])?;
    let is_larger = compare_floats(b, FloatPredicate::Ogt, size_back, size)?;
    let is_smaller = compare_floats(b, FloatPredicate::Olt, size_back, size)?;
    let one = integer(b, bits_type, 1)?;
    let less = same(b, "arith.subi", &[bits, one])?;
    let toward_zero = select(b, is_larger, less, bits)?;
    let odd = same(b, "arith.ori", &[toward_zero, one])?;
    let is_inexact = same(b, "arith.ori", &[is_larger, is_smaller])?;
    let bits = select(b, is_inexact, odd, bits)?;
    cast(b, "arith.bitcast", bits, single)
}

/// Whether a float type is narrower than f32, so that functions on it are
/// computed in f32 and rounded.
pub fn is_narrow_float(r#type: Type) -> bool {
    use halo_ir::FloatKind;
    matches!(
        float_kind(r#type),
        Some(FloatKind::BF16 | FloatKind::F16 | FloatKind::Narrow)
    )
}
