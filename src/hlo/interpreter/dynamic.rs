//! Ops whose shapes are operands, and ops that query shapes.

use super::{
    call::to_sizes,
    prelude::*,
    shape::{broadcast_to, count_along},
    slicing::{pad_with, strided_slice},
};
use halo_core::{Literal, Scalar, Shape};

/// Section `dynamic_broadcast_in_dim`.
pub fn dynamic_broadcast_in_dim(call: &Call) -> Evaluated {
    let operand = call.tensor(0)?;
    let map = call.dimensions("broadcast_dimensions")?;
    let shape = Shape::new(operand.element_type(), call.sizes(1)?)?;
    single(broadcast_to(operand, shape, &map)?)
}

/// Section `dynamic_iota`.
pub fn dynamic_iota(call: &Call) -> Evaluated {
    let shape = call.result_of(0, &call.sizes(0)?)?;
    let dimension = call.dimension("iota_dimension", shape.rank())?;
    single(count_along(shape, dimension)?)
}

/// Section `dynamic_reshape`.
pub fn dynamic_reshape(call: &Call) -> Evaluated {
    let sizes = call.sizes(1)?;
    single(call.tensor(0)?.clone().reshape(&sizes)?)
}

/// Section `dynamic_pad`.
pub fn dynamic_pad(call: &Call) -> Evaluated {
    let (low, high, interior) = (call.integers(2)?, call.integers(3)?, call.integers(4)?);
    let (operand, value) = (call.tensor(0)?, call.tensor(1)?);
    single(pad_with(operand, value, &low, &high, &interior)?)
}

/// `real_dynamic_slice`: `slice` with limits that are operands.
pub fn real_dynamic_slice(call: &Call) -> Evaluated {
    let (start, limit, strides) = (call.integers(1)?, call.integers(2)?, call.integers(3)?);
    single(strided_slice(call.tensor(0)?, &start, &limit, &strides)?)
}

/// Section `get_dimension_size`.
pub fn get_dimension_size(call: &Call) -> Evaluated {
    let operand = call.tensor(0)?;
    let dimension = call.dimension("dimension", operand.shape().rank())?;
    let mut size = Literal::zeros(call.result_shape(0)?);
    size.set(0, Scalar::Int(operand.dims()[dimension] as i128));
    single(size)
}

/// `set_dimension_size`: truncates to a size, or extends with zeros.
pub fn set_dimension_size(call: &Call) -> Evaluated {
    let operand = call.tensor(0)?;
    let dimension = call.dimension("dimension", operand.shape().rank())?;
    let size = to_sizes(&call.scalars_from(1)?)?.first().copied().unwrap_or(0);
    let zero = Literal::zeros(Shape::scalar(operand.element_type()));
    let none = vec![0; operand.shape().rank()];
    let mut high = none.clone();
    high[dimension] = size as i64 - operand.dims()[dimension] as i64;
    single(pad_with(operand, &zero, &none, &high, &none)?)
}
