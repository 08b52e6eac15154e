//! Elementwise ops.

use super::{dims::shapes_agree, inferred::most_specific, prelude::*, tensor::real_type};

/// Ops of one element type, (C1): all operands and results have the same type.
pub fn same_type<O: Op>(op: O) -> Inference<O::Type> {
    let operands = op.tensors()?;
    for operand in operands.iter().skip(1) {
        let first = &operands[0];
        expect_same_type((operand.subject, operand.ty), (first.subject, first.ty))?;
    }
    one(most_specific(&operands).ok_or("has no operands")?)
}

/// Section `add`: (C1) for plain types; quantized operands have the same storage and expressed
/// types, (C4), and the result is quantized per axis if one of them is, (C5).
pub fn add<O: Op>(op: O) -> Inference<O::Type> {
    let (lhs, rhs) = (op.operand(0)?, op.operand(1)?);
    let quantized = [&lhs, &rhs].map(|tensor| tensor.element.quantized());
    let [Some(left), Some(right)] = &quantized else {
        return same_type(op);
    };
    if !right.stores_like(left) {
        return Err(format!(
            "{} has element type {}, but {} has element type {}",
            rhs.subject, rhs.element, lhs.subject, lhs.element
        ));
    }
    rhs.expect_shape_of(&lhs)?;
    let dims = lhs.dims.iter().zip(&rhs.dims);
    let element = match left.axis {
        None => rhs.element,
        Some(_) => lhs.element,
    };
    one(Inferred::tensor(
        dims.map(|(left, right)| left.meet(*right)).collect(),
        element,
    ))
}

/// Section `add`: (C6), (C7), the result is quantized along the dimension of each operand that is
/// quantized per axis.
pub fn add_axes<O: Op>(op: O) -> VerifyResult {
    let result = op.result(0)?;
    let axis = result.element.quantized().and_then(|quantized| quantized.axis);
    for operand in op.tensors()? {
        if let Some(expected) = operand.element.quantized().and_then(|quantized| quantized.axis)
            && axis != Some(expected)
        {
            return Err(format!(
                "{} is quantized along dimension {expected}, but {} is not",
                operand.subject, result.subject
            ));
        }
    }
    Ok(())
}

/// Section `abs`: (C1), (C2), complex elements give real ones. Sections `real`
/// and `imag`: (C1), (C2).
pub fn real_part<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
    let element = real_type(operand.element);
    one(Inferred::Type(operand.ty.with_element_type(element)))
}

/// Section `convert`: (C1), shapes are compatible.
pub fn convert<O: Op>(op: O) -> Inference<O::Type> {
    one(Inferred::shape(op.operand(0)?.dims))
}

/// Section `is_finite`: (C1).
pub fn is_finite<O: Op>(op: O) -> Inference<O::Type> {
    let element = op.integer_type(1, false);
    one(Inferred::Type(
        op.operand_type(0)?.with_element_type(element),
    ))
}

/// The first of two operands of equal element types and shapes, and the sizes known from either.
fn equal_operands<O: Op>(op: O) -> Result<(Tensor<O::Type>, Vec<Dim>), String> {
    let (lhs, rhs) = (op.operand(0)?, op.operand(1)?);
    rhs.expect_element_of(&lhs)?;
    rhs.expect_shape_of(&lhs)?;
    let dims = lhs.dims.iter().zip(&rhs.dims).map(|(left, right)| left.meet(*right)).collect();
    Ok((lhs, dims))
}

/// Section `complex`: (C1) to (C3).
pub fn complex<O: Op>(op: O) -> Inference<O::Type> {
    let (part, dims) = equal_operands(op)?;
    one(Inferred::tensor(dims, part.element.complex_of()))
}

/// Section `compare`: (C1), (C2). (C3) is not checked: the element type determines the comparison,
/// regardless of `compare_type`.
pub fn compare<O: Op>(op: O) -> Inference<O::Type> {
    let (_, dims) = equal_operands(op)?;
    one(Inferred::tensor(dims, op.integer_type(1, false)))
}

/// Section `select`: (C1), (C2).
pub fn select<O: Op>(op: O) -> Inference<O::Type> {
    let (on_true, on_false) = (op.operand(1)?, op.operand(2)?);
    expect_same_type(
        (on_false.subject, on_false.ty),
        (on_true.subject, on_true.ty),
    )?;
    let predicate = op.operand(0)?;
    if predicate.rank() != 0 && !shapes_agree(&predicate.dims, &on_true.dims) {
        predicate.expect_shape_of(&on_true)?;
    }
    one(most_specific(&[on_true, on_false]).ok_or("has no operands")?)
}

/// Section `clamp`: (C1) to (C4).
pub fn clamp<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(1)?;
    for limit in [op.operand(0)?, op.operand(2)?] {
        limit.expect_element_of(&operand)?;
        if limit.rank() != 0 {
            limit.expect_shape_of(&operand)?;
        }
    }
    one(Inferred::like(&operand))
}

/// Section `uniform_dequantize`: (C1), (C2).
pub fn uniform_dequantize<O: Op>(op: O) -> Inference<O::Type> {
    let operand = op.operand(0)?;
    let element = operand
        .element
        .quantized()
        .map_or(operand.element, |quantized| quantized.expressed);
    one(Inferred::Type(operand.ty.with_element_type(element)))
}

/// Section `uniform_quantize`: (C2), the result has the operand's expressed type; (C1) is the same
/// as for `convert`.
pub fn uniform_quantize<O: Op>(op: O) -> VerifyResult {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let source = operand
        .element
        .quantized()
        .map_or(operand.element, |quantized| quantized.expressed);
    match result.element.quantized() {
        Some(quantized) if quantized.expressed != source => Err(format!(
            "{} expresses {}, but {} has {source}",
            result.subject, quantized.expressed, operand.subject
        )),
        _ => Ok(()),
    }
}
