//! Elementwise ops on single elements.
//!
//! A tensor op applies one of these functions to all elements; the body of a reduction applies it
//! directly. The results are exact, or rounded to `f64`; the caller rounds them to the element
//! type.

pub mod complex;
mod convert;
mod integer;
mod real;

pub use convert::{convert, integer_range};

use crate::literals;
use crate::semantics::op::Op;
use halo_core::element_type::Class;
use halo_core::{Complex, ElementType, Scalar};
use halo_ir::{prelude::*, stablehlo::attributes::ComparisonType};
use std::cmp::Ordering;

/// The function of an op: from elements of the operands to one of the result.
pub type Function = Box<dyn Fn(&[Scalar]) -> Scalar>;

/// The function that an op applies to each element of operands of a type. `None` if the op is not
/// elementwise.
///
/// # Errors
/// Returns a message if the op does not support the type.
pub fn function(op: Op, operand: ElementType, result: ElementType) -> Option<Function> {
    Some(match op.name() {
        stablehlo::ClampOp::NAME => {
            let (minimum, maximum) = (
                function_of(stablehlo::MinOp::NAME, operand)?,
                function_of(stablehlo::MaxOp::NAME, operand)?,
            );
            Box::new(move |v| minimum(&[maximum(&[v[0], v[1]]), v[2]]))
        }
        stablehlo::CompareOp::NAME => comparison(op, operand)?,
        stablehlo::ComplexOp::NAME => {
            Box::new(|v| Complex::new(v[0].to_f64(), v[1].to_f64()).into())
        }
        stablehlo::ConvertOp::NAME => Box::new(move |v| convert(v[0], operand, result)),
        stablehlo::ImagOp::NAME => Box::new(|v| match v[0] {
            Scalar::Complex(value) => Scalar::Float(value.im),
            _ => Scalar::Float(0.0),
        }),
        stablehlo::RealOp::NAME => Box::new(|v| Scalar::Float(v[0].to_f64())),
        stablehlo::ReducePrecisionOp::NAME => {
            let exponent_bits = op.integer("exponent_bits").ok()?;
            let target = (exponent_bits, op.integer("mantissa_bits").ok()?);
            let format = operand.float_format()?;
            let source = (format.exponent_bits.into(), format.mantissa_bits.into());
            Box::new(move |v| real::reduce_precision(v[0].to_f64(), source, target).into())
        }
        stablehlo::SelectOp::NAME => Box::new(|v| if v[0].to_bool() { v[1] } else { v[2] }),
        name => function_of(name, operand)?,
    })
}

/// Returns true if an op is elementwise: each element of its result is a function of the elements
/// of its operands at the same index.
pub fn is_elementwise(name: &str) -> bool {
    matches!(
        name,
        stablehlo::ClampOp::NAME
            | stablehlo::CompareOp::NAME
            | stablehlo::ComplexOp::NAME
            | stablehlo::ConvertOp::NAME
            | stablehlo::ImagOp::NAME
            | stablehlo::RealOp::NAME
            | stablehlo::ReducePrecisionOp::NAME
            | stablehlo::SelectOp::NAME
    ) || [ElementType::I32, ElementType::F32]
        .into_iter()
        .any(|element| function_of(name, element).is_some())
}

/// The function of an op without relevant attributes.
fn function_of(name: &str, element: ElementType) -> Option<Function> {
    match element.class() {
        Class::Boolean => boolean(name),
        Class::Signed | Class::Unsigned => integer::function(name, element),
        Class::Float => real::function(name),
        Class::Complex => complex::function(name),
    }
}

/// Sections `add`, `and`, `maximum`, `minimum`, `multiply`, `not`, `or`, `xor` on booleans.
fn boolean(name: &str) -> Option<Function> {
    let binary = |function: fn(bool, bool) -> bool| -> Option<Function> {
        Some(Box::new(move |v| {
            function(v[0].to_bool(), v[1].to_bool()).into()
        }))
    };
    match name {
        stablehlo::AddOp::NAME | stablehlo::MaxOp::NAME | stablehlo::OrOp::NAME => {
            binary(|left, right| left | right)
        }
        stablehlo::AndOp::NAME | stablehlo::MinOp::NAME | stablehlo::MulOp::NAME => {
            binary(|left, right| left & right)
        }
        stablehlo::NotOp::NAME => Some(Box::new(|v| (!v[0].to_bool()).into())),
        stablehlo::SubtractOp::NAME | stablehlo::XorOp::NAME => binary(|left, right| left ^ right),
        _ => None,
    }
}

/// Section `compare`: (C4) defines the comparison of each type.
fn comparison(op: Op, element: ElementType) -> Option<Function> {
    let direction = ComparisonDirection::from_attribute(op.attribute("comparison_direction")?)?;
    let total = op.attribute("compare_type").and_then(ComparisonType::from_attribute)
        == Some(ComparisonType::TotalOrder);
    let order = move |left: Scalar, right: Scalar| -> Option<Ordering> {
        match element.class() {
            Class::Boolean => Some(left.to_bool().cmp(&right.to_bool())),
            Class::Signed | Class::Unsigned => Some(left.to_i128().cmp(&right.to_i128())),
            Class::Float if total => Some(left.to_f64().total_cmp(&right.to_f64())),
            Class::Float => left.to_f64().partial_cmp(&right.to_f64()),
            // The specification defines only equality; the lexicographic order is useful too.
            Class::Complex => {
                let (left, right) = (left.to_complex(), right.to_complex());
                match left.re.partial_cmp(&right.re)? {
                    Ordering::Equal => left.im.partial_cmp(&right.im),
                    order => left.im.partial_cmp(&right.im).map(|_| order),
                }
            }
        }
    };
    let holds = move |order: Option<Ordering>| match direction {
        ComparisonDirection::Eq => order == Some(Ordering::Equal),
        ComparisonDirection::Ne => order != Some(Ordering::Equal),
        ComparisonDirection::Ge => order.is_some_and(Ordering::is_ge),
        ComparisonDirection::Gt => order.is_some_and(Ordering::is_gt),
        ComparisonDirection::Le => order.is_some_and(Ordering::is_le),
        ComparisonDirection::Lt => order.is_some_and(Ordering::is_lt),
    };
    Some(Box::new(move |v| holds(order(v[0], v[1])).into()))
}

/// The value of a constant op of rank 0.
pub fn constant(op: Op) -> Option<Scalar> {
    let value = op.attribute("value")?;
    let literal = literals::literal_for(value, op.result_type(0).ok()?).ok()?;
    (literal.element_count() == 1).then(|| literal.get(0))
}

/// The element type of a tensor of rank 0.
pub fn scalar_type(ty: Type) -> Option<ElementType> {
    let shape = literals::shape_of(ty).ok()?;
    let quantized = ty.element_type().is_quantized();
    (shape.rank() == 0 && !quantized).then(|| shape.element_type())
}
