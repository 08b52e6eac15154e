//! Values of `index` and their `i32` counterparts.

use halo_ir::prelude::*;
use melior::ir::attribute::DenseElementsAttribute;

/// The only result of an op.
pub fn result_of<'c>(op: Operation<'c>) -> RewriteResult<Value<'c>> {
    op.results().first().copied().ok_or_else(|| no_match("it has no result"))
}

/// `i32`, in which shapes are computed.
pub fn int_type<'c>(b: &Builder<'c>) -> Type<'c> {
    integer_type(b.context(), 32)
}

/// Returns true if a value is an `index` or a tensor of `index`.
pub fn is_of_index(value: Value) -> bool {
    value.ty().element_type().is_index()
}

/// Returns true if a value is a tensor of `i32`.
pub fn is_of_int(value: Value) -> bool {
    value.ty().is_tensor() && value.ty().element_type().integer_width() == Some(32)
}

/// Casts a value to an equivalent type, until its users are converted.
pub fn cast<'c>(b: &Builder<'c>, value: Value<'c>, ty: Type<'c>) -> RewriteResult<Value<'c>> {
    if value.ty() == ty {
        return Ok(value);
    }
    Ok(builtin::UnrealizedConversionCastOp::build(b, &[value], &[ty]).value())
}

/// The value as a tensor of `i32`: of rank 0 for an `index`.
pub fn to_int<'c>(b: &Builder<'c>, value: Value<'c>) -> RewriteResult<Value<'c>> {
    if is_of_int(value) {
        return Ok(value);
    }
    if !is_of_index(value) {
        return Err(no_match("an operand is no index"));
    }
    if let Some(constant) = arith::constant_index(value) {
        return scalar(b, constant);
    }
    if let Some(constants) = constant_indices(value) {
        return constant_vector(b, &constants);
    }
    let dims = if value.ty().is_tensor() {
        value.ty().static_shape().ok_or_else(|| no_match("a shape is dynamic"))?
    } else {
        Vec::new()
    };
    cast(b, value, tensor_type(&dims, int_type(b)))
}

/// An integer as a tensor of rank 0.
pub fn integer<'c>(b: &Builder<'c>, value: Value<'c>, ty: Type<'c>) -> RewriteResult<Value<'c>> {
    let constant = value.defined_by::<arith::ConstantOp>();
    let constant = constant.and_then(|constant| constant.value().integer_value());
    match constant {
        Some(constant) => stablehlo::integers(b, ty, &[constant]),
        None => cast(b, value, ty),
    }
}

/// The numbers of a constant vector of `index`.
fn constant_indices(value: Value) -> Option<Vec<i64>> {
    let constant = value.defined_by::<arith::ConstantOp>()?;
    let is_vector = value.ty().static_shape().is_some_and(|dims| dims.len() == 1);
    is_vector.then(|| constant.value().dense_i64s())?
}

fn narrow(values: &[i64]) -> RewriteResult<Vec<i32>> {
    values
        .iter()
        .map(|value| i32::try_from(*value))
        .collect::<Result<_, _>>()
        .map_err(|_| RewriteError::Invalid("a size does not fit into 32 bits".to_owned()))
}

/// `dense<values> : tensor<Nxi32>`
pub fn constant_vector<'c>(b: &Builder<'c>, values: &[i64]) -> RewriteResult<Value<'c>> {
    let ty = tensor_type(&[values.len() as i64], int_type(b));
    let value = DenseElementsAttribute::i32_values(ty, &narrow(values)?);
    Ok(stablehlo::constant(b, value.into()))
}

/// `dense<value> : tensor<i32>`
pub fn scalar<'c>(b: &Builder<'c>, value: i64) -> RewriteResult<Value<'c>> {
    let ty = tensor_type(&[], int_type(b));
    let value = DenseElementsAttribute::i32_values(ty, &narrow(&[value])?);
    Ok(stablehlo::constant(b, value.into()))
}

/// One element of a tensor as a scalar.
pub fn slice_entry<'c>(b: &Builder<'c>, tensor: Value<'c>, indices: &[i64]) -> Value<'c> {
    let limits: Vec<i64> = indices.iter().map(|index| index + 1).collect();
    let part = stablehlo::slice(b, tensor, indices, &limits, &vec![1; indices.len()]);
    let ty = tensor_type(&[], tensor.ty().element_type());
    stablehlo::reshape(b, part, ty)
}

/// Two shapes, the shorter one padded with leading ones.
pub fn padded_left<'c>(
    b: &Builder<'c>,
    left: Value<'c>,
    right: Value<'c>,
) -> RewriteResult<(Value<'c>, Value<'c>)> {
    let rank = |value: Value| {
        value
            .ty()
            .static_shape()
            .and_then(|dims| dims.first().copied())
            .ok_or_else(|| no_match("a shape is of dynamic length"))
    };
    let (left_rank, right_rank) = (rank(left)?, rank(right)?);
    let pad = |value: Value<'c>, count: i64| -> RewriteResult<Value<'c>> {
        let Ok(count) = usize::try_from(count) else {
            return Ok(value);
        };
        if count == 0 {
            return Ok(value);
        }
        let ones = constant_vector(b, &vec![1; count])?;
        Ok(stablehlo::concatenate(b, &[ones, value], 0))
    };
    Ok((
        pad(left, right_rank - left_rank)?,
        pad(right, left_rank - right_rank)?,
    ))
}
