//! Elementwise ops.

use super::{
    dims::shapes_agree, inferred::most_specific, op::Op, prelude::*, quantization::Quantized,
    tensor::real_type,
};
use halo_ir::{complex_type, prelude::*};

/// Ops of one element type, (C1): all operands and results have the same type.
pub fn same_type(op: Op) -> Inference {
    let operands = op.tensors()?;
    for operand in operands.iter().skip(1) {
        let first = &operands[0];
        expect_same_type((operand.subject, operand.ty), (first.subject, first.ty))?;
    }
    one(most_specific(&operands).ok_or("has no operands")?)
}

/// Section `add`: (C1) for plain types; quantized operands have the same storage and expressed
/// types, (C4), and the result is quantized per axis if one of them is, (C5).
pub fn add(op: Op) -> Inference {
    let (lhs, rhs) = (op.operand(0)?, op.operand(1)?);
    let quantized = [&lhs, &rhs].map(|tensor| Quantized::of(tensor.element));
    let [Some(left), Some(right)] = quantized else {
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
    let element = match left.axis() {
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
pub fn add_axes(op: Op) -> VerifyResult {
    let result = op.result(0)?;
    let axis = Quantized::of(result.element).and_then(Quantized::axis);
    for operand in op.tensors()? {
        if let Some(expected) = Quantized::of(operand.element).and_then(Quantized::axis)
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
pub fn real_part(op: Op) -> Inference {
    let operand = op.operand(0)?;
    let element = real_type(operand.element);
    one(Inferred::Type(operand.ty.with_element_type(element)))
}

/// Section `convert`: (C1), shapes are compatible.
pub fn convert(op: Op) -> Inference {
    one(Inferred::shape(op.operand(0)?.dims))
}

/// Section `is_finite`: (C1).
pub fn is_finite(op: Op) -> Inference {
    let element = integer_type(op.context(), 1);
    one(Inferred::Type(
        op.operand_type(0)?.with_element_type(element),
    ))
}

/// Section `complex`: (C1) to (C3).
pub fn complex(op: Op) -> Inference {
    let (lhs, rhs) = (op.operand(0)?, op.operand(1)?);
    rhs.expect_element_of(&lhs)?;
    rhs.expect_shape_of(&lhs)?;
    let dims = lhs.dims.iter().zip(&rhs.dims);
    one(Inferred::tensor(
        dims.map(|(left, right)| left.meet(*right)).collect(),
        complex_type(lhs.element),
    ))
}

/// Section `compare`: (C1), (C2). (C3) is not checked: the element type determines the comparison,
/// regardless of `compare_type`.
pub fn compare(op: Op) -> Inference {
    let (lhs, rhs) = (op.operand(0)?, op.operand(1)?);
    rhs.expect_element_of(&lhs)?;
    rhs.expect_shape_of(&lhs)?;
    let dims = lhs.dims.iter().zip(&rhs.dims);
    one(Inferred::tensor(
        dims.map(|(left, right)| left.meet(*right)).collect(),
        integer_type(op.context(), 1),
    ))
}

/// Section `select`: (C1), (C2).
pub fn select(op: Op) -> Inference {
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
pub fn clamp(op: Op) -> Inference {
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
pub fn uniform_dequantize(op: Op) -> Inference {
    let operand = op.operand(0)?;
    let element = Quantized::of(operand.element).map_or(operand.element, Quantized::expressed);
    one(Inferred::Type(operand.ty.with_element_type(element)))
}

/// Section `uniform_quantize`: (C2), the result has the operand's expressed type; (C1) is the same
/// as for `convert`.
pub fn uniform_quantize(op: Op) -> VerifyResult {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let source = Quantized::of(operand.element).map_or(operand.element, Quantized::expressed);
    match Quantized::of(result.element) {
        Some(quantized) if quantized.expressed() != source => Err(format!(
            "{} expresses {}, but {} has {source}",
            result.subject,
            quantized.expressed(),
            operand.subject
        )),
        _ => Ok(()),
    }
}
