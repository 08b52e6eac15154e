//! Slices, updates, concatenations and padding.

use super::{
    indexing::{copy_element, for_each_index, gather, position, position_in, strides},
    prelude::*,
};
use halo_core::{Literal, Shape};

/// Section `slice`.
pub fn slice(call: &Call) -> Evaluated {
    let start = call.op.integers("start_indices")?;
    let limit = call.op.integers("limit_indices")?;
    let stride = call.op.integers("strides")?;
    single(strided_slice(call.tensor(0)?, &start, &limit, &stride)?)
}

/// Every `stride`-th element from `start` up to `limit`.
pub fn strided_slice(
    operand: &Literal,
    start: &[i64],
    limit: &[i64],
    stride: &[i64],
) -> Result<Literal, Failure> {
    let rank = operand.shape().rank();
    if [start.len(), limit.len(), stride.len()] != [rank; 3] {
        return Err(format!("has no limits for each of {rank} dimensions").into());
    }
    let mut dims = Vec::new();
    for dim in 0..rank {
        let (first, end, step) = (start[dim], limit[dim], stride[dim]);
        let size = operand.dims()[dim] as i64;
        if first < 0 || end < first || end > size || step < 1 {
            return Err(format!(
                "takes {first} to {end} by {step} of dimension {dim}, which has size {size}"
            )
            .into());
        }
        dims.push((end - first).unsigned_abs().div_ceil(step.unsigned_abs()) as usize);
    }
    let strides = strides(operand.dims());
    let shape = Shape::new(operand.element_type(), dims)?;
    gather(operand, shape, |index| {
        let from = (0..rank)
            .map(|dim| (start[dim] as usize + index[dim] * stride[dim] as usize) * strides[dim]);
        Ok(Some(from.sum()))
    })
}

/// Start indices, clamped so that a slice of these sizes is in bounds.
pub fn clamp_start(start: &[i64], dims: &[usize], sizes: &[usize]) -> Result<Vec<usize>, Failure> {
    if start.len() != dims.len() || sizes.len() != dims.len() {
        return Err(format!("has {} start indices for rank {}", start.len(), dims.len()).into());
    }
    start
        .iter()
        .zip(dims.iter().zip(sizes))
        .map(|(start, (dim, size))| match dim.checked_sub(*size) {
            Some(last) => Ok((*start).clamp(0, last as i64) as usize),
            None => Err(format!("takes {size} of a dimension of size {dim}").into()),
        })
        .collect()
}

/// Section `dynamic_slice`.
pub fn dynamic_slice(call: &Call) -> Evaluated {
    let operand = call.tensor(0)?;
    let sizes = call.dimensions("slice_sizes")?;
    let start = clamp_start(&call.scalars_from(1)?, operand.dims(), &sizes)?;
    let strides = strides(operand.dims());
    let origin = position(&start, &strides);
    let shape = Shape::new(operand.element_type(), sizes)?;
    single(gather(operand, shape, |index| {
        Ok(Some(origin + position(index, &strides)))
    })?)
}

/// Section `dynamic_update_slice`.
pub fn dynamic_update_slice(call: &Call) -> Evaluated {
    let (operand, update) = (call.tensor(0)?, call.tensor(1)?);
    let start = clamp_start(&call.scalars_from(2)?, operand.dims(), update.dims())?;
    let strides = strides(operand.dims());
    let origin = position(&start, &strides);
    let mut result = operand.clone();
    let width = operand.element_type().byte_width();
    for_each_index(update.dims(), |from, index| {
        let to = origin + position(index, &strides);
        copy_element(result.bytes_mut(), to, update.bytes(), from, width);
        Ok(())
    })?;
    single(result)
}

/// Section `concatenate`.
pub fn concatenate(call: &Call) -> Evaluated {
    let operands = call.tensors(0..call.operands.len())?;
    let first = operands.first().ok_or("has no operand")?;
    let dimension = call.dimension("dimension", first.shape().rank())?;
    single(join(&operands, dimension)?)
}

/// Concatenates tensors along a dimension.
pub fn join(operands: &[&Literal], dimension: usize) -> Result<Literal, Failure> {
    let first = operands.first().ok_or("has nothing to join")?;
    let mut dims = first.dims().to_vec();
    dims[dimension] = 0;
    for operand in operands {
        let others = |literal: &Literal| {
            let mut dims = literal.dims().to_vec();
            dims.remove(dimension);
            dims
        };
        if operand.shape().rank() != dims.len() || others(operand) != others(first) {
            return Err(format!("joins {} and {}", first.shape(), operand.shape()).into());
        }
        dims[dimension] += operand.dims()[dimension];
    }
    let shape = Shape::new(first.element_type(), dims)?;
    let strides = strides(shape.dims());
    let mut result = Literal::try_zeros(shape)?;
    let width = first.element_type().byte_width();
    let mut before = 0;
    for operand in operands {
        for_each_index(operand.dims(), |from, index| {
            let to = before * strides[dimension] + position(index, &strides);
            copy_element(result.bytes_mut(), to, operand.bytes(), from, width);
            Ok(())
        })?;
        before += operand.dims()[dimension];
    }
    Ok(result)
}

/// Section `pad`.
pub fn pad(call: &Call) -> Evaluated {
    let low = call.op.integers("edge_padding_low")?;
    let high = call.op.integers("edge_padding_high")?;
    let interior = call.op.integers("interior_padding")?;
    let (operand, value) = (call.tensor(0)?, call.tensor(1)?);
    single(pad_with(operand, value, &low, &high, &interior)?)
}

/// The operand with a value before (`low`), after (`high`) and between (`interior`) the elements;
/// negative edge padding removes elements.
pub fn pad_with(
    operand: &Literal,
    value: &Literal,
    low: &[i64],
    high: &[i64],
    interior: &[i64],
) -> Result<Literal, Failure> {
    let rank = operand.shape().rank();
    if [low.len(), high.len(), interior.len()] != [rank; 3] {
        return Err(format!("has no padding for each of {rank} dimensions").into());
    }
    let mut dims = Vec::new();
    for dim in 0..rank {
        let size = operand.dims()[dim] as i128;
        let spread = size + (size - 1).max(0) * i128::from(interior[dim]);
        let padded = spread + i128::from(low[dim]) + i128::from(high[dim]);
        if interior[dim] < 0 {
            return Err(
                format!("has interior padding {} in dimension {dim}", interior[dim]).into(),
            );
        }
        let padded = usize::try_from(padded)
            .map_err(|_| format!("leaves dimension {dim} with {padded} elements"))?;
        dims.push(padded);
    }
    let shape = Shape::new(operand.element_type(), dims.as_slice())?;
    let width = operand.element_type().byte_width();
    let mut result = Literal::try_zeros(shape)?;
    if value.element_count() != 1 {
        return Err(format!("pads with {}", value.shape()).into());
    }
    for position in 0..result.element_count() {
        copy_element(result.bytes_mut(), position, value.bytes(), 0, width);
    }
    let mut to = vec![0; rank];
    for_each_index(operand.dims(), |from, index| {
        for dim in 0..rank {
            let step = i128::from(interior[dim]) + 1;
            let position = i128::from(low[dim]) + index[dim] as i128 * step;
            // A position that does not fit is outside of the result, like -1.
            to[dim] = i64::try_from(position).unwrap_or(-1);
        }
        if let Some(to) = position_in(&to, &dims) {
            copy_element(result.bytes_mut(), to, operand.bytes(), from, width);
        }
        Ok(())
    })?;
    Ok(result)
}
