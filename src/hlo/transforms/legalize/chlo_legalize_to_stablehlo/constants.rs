//! Constants, and functions that need no approximation.

use crate::matchers::{operands, result_type};
use crate::{
    folding::constants::element_of,
    transforms::legalize::formula::{Formula, is_complex_tensor},
};
use halo_ir::prelude::*;

/// `chlo.constant` is `stablehlo.constant`.
pub fn constant<'c>(b: &Builder<'c>, op: chlo::ConstantOp<'c>) -> RewriteResult {
    let value = stablehlo::ConstantOp::build(b, op.value(), op.output().ty()).value();
    b.replace(op.operation(), &[value]);
    Ok(())
}

/// `chlo.constant_like` repeats its value over the shape of the operand.
pub fn constant_like<'c>(b: &Builder<'c>, op: chlo::ConstantLikeOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let result = op.result().ty();
    let element = result.element_type();
    let number = element_of(b.context(), op.value(), element).ok_or_else(|| {
        RewriteError::Invalid(format!(
            "a value of another type than {element} cannot be repeated"
        ))
    })?;
    // A result may have fewer static sizes than the operand.
    let known = operand
        .ty()
        .static_shape()
        .filter(|_| result.static_shape().is_none())
        .map_or(result, |shape| tensor_type(&shape, element));
    let formula = Formula::new(b, operand);
    let value = formula.value(formula.repeated(number, known)?);
    let value = formula.finish(value, result)?;
    b.replace(op.operation(), &[value]);
    Ok(())
}

/// `conj(x + yi) = x - yi`; a real number is its own conjugate.
pub fn conj<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [operand] = operands(op)?;
    let formula = Formula::new(b, operand);
    let value = formula.value(operand);
    let conjugate = if is_complex_tensor(operand) {
        value.real().complex(-value.imaginary())
    } else {
        value
    };
    let result = formula.finish(conjugate, result_type(op)?)?;
    b.replace(op, &[result]);
    Ok(())
}

/// `square(x) = x * x`, rounded once in the element type.
pub fn square<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [operand] = operands(op)?;
    if is_complex_tensor(operand) {
        return Err(no_match("it is on complex numbers"));
    }
    let formula = Formula::new(b, operand);
    let value = formula.value(operand);
    let result = formula.finish(value * value, result_type(op)?)?;
    b.replace(op, &[result]);
    Ok(())
}
