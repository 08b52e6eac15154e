//! Ops that compute every element from the elements at the same place.
//!
//! That operands and results have one shape is in their ODS definitions, up to
//! bounds of dynamic dimensions.

use super::{
    op::Op,
    quantization::Quantized,
    tensor::{Verdict, expect_same_type, real_type, shapes_agree},
};
use halo_dialects::{
    attributes::ComparisonType,
    ir::{complex_type, integer_width, is_complex, is_float, is_integer, is_unsigned},
};

/// Sections of the ops of one element type, (C1): all operands and results have
/// the same type.
pub fn same_type(op: Op) -> Verdict {
    let mut values = op.operands().chain(op.results());
    let Some(first) = values.next() else {
        return Ok(());
    };
    values.try_for_each(|value| expect_same_type(value, first))
}

/// Section `add`: (C1) for plain types; quantized operands and results have the
/// same storage and expressed types, and may mix quantization per tensor and
/// per axis only as (C5) to (C7) say.
pub fn add(op: Op) -> Verdict {
    let (lhs, rhs, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
    let quantized = [&lhs, &rhs, &result].map(|tensor| Quantized::of(tensor.element));
    let [Some(left), Some(right), Some(output)] = quantized else {
        return same_type(op);
    };
    for (tensor, other) in [(&rhs, right), (&result, output)] {
        if !other.stores_like(left) {
            return Err(format!(
                "{} has element type {}, but {} has element type {}",
                tensor.subject, tensor.element, lhs.subject, lhs.element
            ));
        }
    }
    for (tensor, operand) in [(&lhs, left), (&rhs, right)] {
        if let Some(axis) = operand.axis()
            && output.axis() != Some(axis)
        {
            return Err(format!(
                "{} is quantized along dimension {axis}, but {} is not",
                tensor.subject, result.subject
            ));
        }
    }
    Ok(())
}

/// Section `abs`: (C2), complex elements give real ones.
pub fn abs(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    result.expect_shape_of(&operand)?;
    result.expect_element(real_type(operand.element), "its operand implies")
}

/// Sections `real` and `imag`: (C2).
pub fn real_part(op: Op) -> Verdict {
    abs(op)
}

/// Sections `convert` and `is_finite`: (C1), shapes agree.
pub fn same_shape(op: Op) -> Verdict {
    op.result(0)?.expect_shape_of(&op.operand(0)?)
}

/// Section `complex`: (C1) to (C3).
pub fn complex(op: Op) -> Verdict {
    let (lhs, rhs, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
    rhs.expect_element_of(&lhs)?;
    rhs.expect_shape_of(&lhs)?;
    result.expect_shape_of(&lhs)?;
    result.expect_element(complex_type(lhs.element), "its operands imply")
}

/// Section `compare`: (C1) to (C3). Of (C3), only an order of the wrong
/// signedness or of integers for floats is rejected: programs in the wild ask
/// for the order of floats on integers, where it means nothing.
pub fn compare(op: Op) -> Verdict {
    let (lhs, rhs, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
    rhs.expect_element_of(&lhs)?;
    rhs.expect_shape_of(&lhs)?;
    result.expect_shape_of(&lhs)?;
    let Some(order) = op
        .attribute("compare_type")
        .and_then(ComparisonType::from_attribute)
    else {
        return Ok(());
    };
    let element = lhs.element;
    let wrong: &[ComparisonType] = if is_float(element) || is_complex(element) {
        &[ComparisonType::Signed, ComparisonType::Unsigned]
    } else if is_unsigned(element) {
        &[ComparisonType::Signed]
    } else if is_integer(element) && integer_width(element) != Some(1) {
        &[ComparisonType::Unsigned]
    } else {
        &[]
    };
    if !wrong.contains(&order) {
        return Ok(());
    }
    Err(format!(
        "attribute 'compare_type' is {order}, but {} has element type {element}",
        lhs.subject
    ))
}

/// Section `select`: (C1), (C2).
pub fn select(op: Op) -> Verdict {
    let on_true = op.operand(1)?;
    for value in op.operands().skip(2).chain(op.results()) {
        expect_same_type(value, (on_true.subject, on_true.r#type))?;
    }
    let predicate = op.operand(0)?;
    if predicate.rank() == 0 || shapes_agree(&predicate.dims, &on_true.dims) {
        return Ok(());
    }
    predicate.expect_shape_of(&on_true)
}

/// Section `clamp`: (C1) to (C4).
pub fn clamp(op: Op) -> Verdict {
    let operand = op.operand(1)?;
    for limit in [op.operand(0)?, op.operand(2)?] {
        limit.expect_element_of(&operand)?;
        if limit.rank() != 0 {
            limit.expect_shape_of(&operand)?;
        }
    }
    let result = op.result(0)?;
    result.expect_element_of(&operand)?;
    result.expect_shape_of(&operand)
}

/// Section `uniform_dequantize`: (C1), (C2).
pub fn uniform_dequantize(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    result.expect_shape_of(&operand)?;
    match Quantized::of(operand.element) {
        Some(quantized) => result.expect_element(quantized.expressed(), "its operand expresses"),
        None => Ok(()),
    }
}

/// Section `uniform_quantize`: (C1), (C2).
pub fn uniform_quantize(op: Op) -> Verdict {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    result.expect_shape_of(&operand)?;
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
