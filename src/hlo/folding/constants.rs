//! Ops on constants, computed by the interpreter.

use crate::{interpreter, literals};
use halo_core::Literal;
use halo_ir::{float_attribute, prelude::*, splat_attribute};

/// A number as an element of constants of a type, in which complex numbers are
/// pairs; `None` if it is of another type.
pub fn element_of<'c>(
    context: &'c Context,
    number: Attribute<'c>,
    element: Type<'c>,
) -> Option<Attribute<'c>> {
    match (element.complex_element(), number.complex_value()) {
        (Some(part), Some((real, imaginary))) => {
            let parts = [real, imaginary].map(|value| float_attribute(part, value));
            Some(array_attribute(context, &parts))
        }
        (None, None) => (number.ty() == element).then_some(number),
        _ => None,
    }
}

/// The maximum size of a computed constant.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of elements of an operand or a result.
    pub elements: i64,
    /// A result with more elements than this must not be larger than the largest operand.
    pub growth: i64,
}

/// The results of an op without effects on constants; `None` if they are undefined, too large, or
/// not representable as constants.
pub fn evaluate<'c>(
    op: Operation<'c>,
    operands: &[Attribute<'c>],
    limits: Limits,
) -> Option<Vec<Attribute<'c>>> {
    let results = op.result_types();
    let read = largest(op.operands().into_iter().map(|value| value.ty()))?;
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
        .map(|(value, ty)| literals::attribute_of(value, ty).ok())
        .collect()
}

/// The result of an elementwise op on splats of any size, computed on one element.
pub fn evaluate_splat<'c>(op: Operation<'c>, operands: &[Attribute<'c>]) -> Option<Attribute<'c>> {
    let ty = *op.result_types().first()?;
    if !is_plain(ty)
        || ty.element_count()? == 0
        || !operands.iter().copied().all(Attribute::is_splat)
        || !op.operands().iter().all(|value| is_plain(value.ty()))
        || !is_defined(op, operands)
    {
        return None;
    }
    let scalar = |ty: Type<'c>| halo_ir::tensor_type(&[], ty.element_type());
    let literals = operands
        .iter()
        .map(|attribute| {
            let element = attribute.splat_value()?;
            let single = splat_attribute(scalar(attribute.ty()), element);
            literals::literal_of(single).ok()
        })
        .collect::<Option<Vec<Literal>>>()?;
    let values = interpreter::evaluate_pure(op, &literals).ok()?;
    let [value] = &values[..] else { return None };
    if value.element_count() != 1 {
        return None;
    }
    let single = literals::attribute_of(value, scalar(ty)).ok()?;
    Some(splat_attribute(ty, single.splat_value()?))
}

/// The maximum number of elements of a value of these types.
fn largest<'c>(mut types: impl Iterator<Item = Type<'c>>) -> Option<i64> {
    types.try_fold(0, |largest: i64, ty| {
        is_plain(ty).then_some(())?;
        Some(largest.max(ty.element_count()?))
    })
}

/// Returns true if constants of a type store the elements themselves.
fn is_plain(ty: Type) -> bool {
    let element = ty.element_type();
    element.is_integer() || element.is_float() || element.is_complex()
}

/// Returns true if the specification defines the results. Division of an integer by zero, and
/// conversion of a float outside of the integer type's range, are left to the backend.
fn is_defined(op: Operation, operands: &[Attribute]) -> bool {
    match (op.name(), operands) {
        (stablehlo::DivOp::NAME | stablehlo::RemOp::NAME, [_, divisor])
            if divisor.ty().element_type().is_integer() =>
        {
            match divisor.splat_integer() {
                Some(number) => number != 0,
                None => divisor.dense_integers().is_some_and(|all| !all.contains(&0)),
            }
        }
        (stablehlo::ConvertOp::NAME, [operand]) if operand.ty().element_type().is_float() => {
            let Some(result) = op.result_types().first().copied() else {
                return false;
            };
            fits(*operand, result.element_type())
        }
        _ => true,
    }
}

/// Returns true if all floats are exactly representable in an integer type; a negative zero is not.
/// Booleans accept every number.
fn fits(operand: Attribute, element: Type) -> bool {
    let Some(width) = element.integer_width().filter(|width| *width > 1) else {
        return true;
    };
    let Ok(literal) = literals::literal_of(operand) else {
        return false;
    };
    let (low, high) = if element.is_unsigned() {
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
