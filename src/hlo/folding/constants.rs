//! Ops on constants, computed by the interpreter.

use crate::{interpreter, literals};
use halo_core::Literal;
use halo_ir::{
    complex_value, dense_integers, dense_splat, float_attribute, is_splat, prelude::*,
    splat_attribute, splat_integer,
};

/// A number as an element of constants of a type, in which complex numbers are
/// pairs; `None` if it is of another type.
pub fn element_of<'c>(
    context: &'c Context,
    number: Attribute<'c>,
    element: Type<'c>,
) -> Option<Attribute<'c>> {
    match (complex_element(element), complex_value(number)) {
        (Some(part), Some((real, imaginary))) => {
            let parts = [real, imaginary].map(|value| float_attribute(part, value));
            Some(array_attribute(context, &parts))
        }
        (None, None) => (attribute_type(number) == element).then_some(number),
        _ => None,
    }
}

/// How large a computed constant may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most elements of an operand or a result.
    pub elements: i64,
    /// A result of more elements than this has no more than the largest operand.
    pub growth: i64,
}

/// The results of an op without effects on constants; `None` where they are
/// not defined, too large, or of a kind that constants are not.
pub fn evaluate<'c>(
    op: Operation<'c>,
    operands: &[Attribute<'c>],
    limits: Limits,
) -> Option<Vec<Attribute<'c>>> {
    let results = result_types_of(op);
    let read = largest(operands_of(op).into_iter().map(|value| value.r#type()))?;
    let made = largest(results.iter().copied())?;
    if read > limits.elements || made > limits.elements || made > read.max(limits.growth) {
        return None;
    }
    if !is_defined(op, operands) {
        return None;
    }
    let literals = operands
        .iter()
        .map(|attribute| literals::literal_of(*attribute).ok())
        .collect::<Option<Vec<Literal>>>()?;
    let values = interpreter::evaluate_pure(op, &literals).ok()?;
    if values.len() != results.len() {
        return None;
    }
    values
        .iter()
        .zip(results)
        .map(|(value, r#type)| literals::attribute_of(value, r#type).ok())
        .collect()
}

/// The result of an elementwise op on operands that are the same everywhere,
/// whatever their size: the op on one element.
pub fn evaluate_splat<'c>(op: Operation<'c>, operands: &[Attribute<'c>]) -> Option<Attribute<'c>> {
    let r#type = *result_types_of(op).first()?;
    if !is_plain(r#type)
        || element_count(r#type)? == 0
        || !operands.iter().copied().all(is_splat)
        || !operands_of(op).iter().all(|value| is_plain(value.r#type()))
        || !is_defined(op, operands)
    {
        return None;
    }
    let scalar = |r#type: Type<'c>| halo_ir::tensor_type(&[], element_type(r#type));
    let literals = operands
        .iter()
        .map(|attribute| {
            let element = dense_splat(*attribute)?;
            let single = splat_attribute(scalar(attribute_type(*attribute)), element);
            literals::literal_of(single).ok()
        })
        .collect::<Option<Vec<Literal>>>()?;
    let values = interpreter::evaluate_pure(op, &literals).ok()?;
    let [value] = &values[..] else { return None };
    if value.element_count() != 1 {
        return None;
    }
    let single = literals::attribute_of(value, scalar(r#type)).ok()?;
    Some(splat_attribute(r#type, dense_splat(single)?))
}

/// The most elements that a value of one of these types has.
fn largest<'c>(mut types: impl Iterator<Item = Type<'c>>) -> Option<i64> {
    types.try_fold(0, |largest: i64, r#type| {
        is_plain(r#type).then_some(())?;
        Some(largest.max(element_count(r#type)?))
    })
}

/// Whether constants of a type hold the elements themselves.
fn is_plain(r#type: Type) -> bool {
    let element = element_type(r#type);
    is_integer(element) || is_float(element) || is_complex(element)
}

/// Whether the specification defines the results. Division of an integer by
/// zero, and conversion of a float outside of the integer type's range, are
/// left to the backend.
fn is_defined(op: Operation, operands: &[Attribute]) -> bool {
    match (name_of(op), operands) {
        (stablehlo::DivOp::NAME | stablehlo::RemOp::NAME, [_, divisor])
            if is_integer(element_type(attribute_type(*divisor))) =>
        {
            match splat_integer(*divisor) {
                Some(number) => number != 0,
                None => dense_integers(*divisor).is_some_and(|all| !all.contains(&0)),
            }
        }
        (stablehlo::ConvertOp::NAME, [operand])
            if is_float(element_type(attribute_type(*operand))) =>
        {
            let Some(result) = result_types_of(op).first().copied() else {
                return false;
            };
            fits(*operand, element_type(result))
        }
        _ => true,
    }
}

/// Whether all floats have an integer of a type; a negative zero has none that
/// says as much. Booleans have an answer for every number.
fn fits(operand: Attribute, element: Type) -> bool {
    let Some(width) = integer_width(element).filter(|width| *width > 1) else {
        return true;
    };
    let Ok(literal) = literals::literal_of(operand) else {
        return false;
    };
    let (low, high) = if is_unsigned(element) {
        (0.0, 2_f64.powi(width as i32))
    } else {
        let half = 2_f64.powi(width as i32 - 1);
        (-half, half)
    };
    (0..literal.element_count()).all(|position| {
        let number = literal.get_f64(position);
        let whole = number.trunc();
        whole >= low && whole < high && !(number == 0.0 && number.is_sign_negative())
    })
}
