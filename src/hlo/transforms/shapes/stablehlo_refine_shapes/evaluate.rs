//! Folding of shape computations: the interpreter evaluates ops on a few constant integers.

use super::values::constant_of;
use crate::{interpreter, literals};
use halo_ir::prelude::*;

/// The maximum number of elements of an operand or a result of a shape computation. Larger
/// constants are data.
pub const MAX_ELEMENTS: i64 = 1024;

/// The constant results of an op, if it is a shape computation.
pub fn fold(operation: Operation<'_>) -> Option<Vec<Attribute<'_>>> {
    if let Some(op) = operation.cast::<stablehlo::GetDimensionSizeOp>() {
        return dimension_size(op).map(|size| vec![size]);
    }
    if !operation.name().starts_with("stablehlo.")
        || operation.isa::<stablehlo::ConstantOp>()
        || computes_data(operation)
        || operation.region_count() > 0
        || operation.operand_count() == 0
        || operation.result_count() == 0
        || !operation.result_types().into_iter().all(is_small)
    {
        return None;
    }
    let operands = operation
        .operands()
        .into_iter()
        .map(|operand| {
            let constant = constant_of(operand).filter(|_| {
                operand
                    .ty()
                    .static_shape()
                    .is_some_and(|shape| shape.iter().product::<i64>() <= MAX_ELEMENTS)
            })?;
            literals::literal_of(constant).ok()
        })
        .collect::<Option<Vec<_>>>()?;
    // Errors, such as a division by zero, are left to run time.
    let results = interpreter::evaluate_pure(operation, &operands).ok()?;
    results
        .iter()
        .zip(operation.result_types())
        .map(|(literal, ty)| {
            let dims: Vec<i64> = literal.shape().dims().iter().map(|dim| *dim as i64).collect();
            literals::attribute_of(literal, tensor_type(&dims, ty.element_type())).ok()
        })
        .collect()
}

/// Returns true if an op computes data, not a shape: `dynamic_iota`, and conversions of floats,
/// which may lose precision.
fn computes_data(operation: Operation) -> bool {
    match operation.name() {
        stablehlo::DynamicIotaOp::NAME => true,
        stablehlo::ConvertOp::NAME => operation
            .operands()
            .iter()
            .any(|operand| !operand.ty().element_type().is_integer()),
        _ => false,
    }
}

/// Returns true if a type has few integers, as far as it is known.
fn is_small(ty: Type) -> bool {
    ty.element_type().is_integer()
        && ty
            .shape()
            .is_some_and(|shape| shape.into_iter().flatten().product::<i64>() <= MAX_ELEMENTS)
}

/// The size of a static dimension.
fn dimension_size<'c>(op: stablehlo::GetDimensionSizeOp<'c>) -> Option<Attribute<'c>> {
    let size = op
        .operand()
        .ty()
        .shape()?
        .get(usize::try_from(op.dimension()).ok()?)
        .copied()??;
    let size = i32::try_from(size).ok()?;
    let ty = op.result().ty();
    Some(melior::ir::attribute::DenseElementsAttribute::i32_splat(ty, size).into())
}
