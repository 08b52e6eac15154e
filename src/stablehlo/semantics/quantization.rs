//! The constraints of quantized element types.
//!
//! Ops that compute require operands and results of one storage and expressed type, with any scales
//! and zero points; ops that only move elements also preserve scales and zero points, along the
//! corresponding dimension.

use super::{
    dims::Dim,
    tensor::{Subject, Tensor, VerifyResult, dims_of},
    ty::Ty,
};

/// Fails unless two tensors have the same element type with all quantization parameters, where
/// `axis` is the dimension of `left` that the quantized dimension of `right` maps to.
pub fn expect_moved<T: Ty>(
    left: &Tensor<T>,
    right: &Tensor<T>,
    axis: impl FnOnce(i64) -> Option<i64>,
) -> VerifyResult {
    if left.element == right.element && left.element.quantized().is_none_or(|q| q.axis.is_none()) {
        return Ok(());
    }
    left.expect_element_of(right)?;
    let (Some(moved), Some(original)) = (left.element.quantized(), right.element.quantized())
    else {
        return Ok(());
    };
    if moved.parameters != original.parameters {
        return Err(format!(
            "{} has element type {}, but {} has element type {}, which has other scales or zero \
             points",
            left.subject, left.element, right.subject, right.element
        ));
    }
    if let (Some(found), Some(expected)) = (moved.axis, original.axis.and_then(axis))
        && found != expected
    {
        return Err(format!(
            "{} is quantized along dimension {found}, but the quantized dimension of {} becomes \
             dimension {expected}",
            left.subject, right.subject
        ));
    }
    Ok(())
}

/// The constraints of quantized types: (C8), (C12), (C13). Storage types are spelled like element
/// types; `i8` is signed.
pub fn expect_wellformed<T: Ty>(subject: Subject, ty: T) -> VerifyResult {
    let Some(quantized) = ty.element_type().quantized() else {
        return Ok(());
    };
    if !quantized.storage.is_signless() && !quantized.storage.is_unsigned() {
        return Err(format!(
            "{subject} has type {ty}, which stores {}",
            quantized.storage
        ));
    }
    let (minimum, maximum) = quantized.range;
    for (_, zero) in &quantized.parameters {
        if !(minimum..=maximum).contains(zero) {
            return Err(format!(
                "{subject} has type {ty}, whose zero point {zero} is not between {minimum} and \
                 {maximum}"
            ));
        }
    }
    let (Some(axis), Some(dims)) = (quantized.axis, dims_of(ty)) else {
        return Ok(());
    };
    let Some(dim) = usize::try_from(axis).ok().and_then(|axis| dims.get(axis)) else {
        return Err(format!(
            "{subject} has type {ty}, which is quantized along dimension {axis}, but has rank {}",
            dims.len()
        ));
    };
    let count = quantized.parameters.len();
    if !dim.agrees_with(Dim::Static(count as i64)) {
        return Err(format!(
            "{subject} has type {ty}, which has {count} scales for a dimension of size {dim}"
        ));
    }
    Ok(())
}
