//! Constants, and ops that change the shape.

use super::{
    indexing::{for_each_index, gather, position, strides},
    prelude::*,
};
use crate::literals;
use halo_core::{Complex, Literal, Scalar, Shape};
use halo_ir::prelude::*;

/// Section `constant`.
pub fn constant(call: &Call) -> Evaluated {
    let value = call.op.attribute("value").ok_or("has no value")?;
    single(literals::literal_for(value, call.op.result_type(0)?)?)
}

/// Section `iota`.
pub fn iota(call: &Call) -> Evaluated {
    let shape = call.result_shape(0)?;
    let dimension = call.dimension("iota_dimension", shape.rank())?;
    single(count_along(shape, dimension)?)
}

/// A tensor whose elements are their index along a dimension.
pub fn count_along(shape: Shape, dimension: usize) -> Result<Literal, Failure> {
    let dims = shape.dims().to_vec();
    let complex = shape.element_type().is_complex();
    let mut result = Literal::try_zeros(shape)?;
    for_each_index(&dims, |position, index| {
        let number = index[dimension];
        result.set(
            position,
            if complex {
                Scalar::Complex(Complex::new(number as f64, 0.0))
            } else {
                Scalar::Int(number as i128)
            },
        );
        Ok(())
    })?;
    Ok(result)
}

/// Section `broadcast`: new dimensions before the old ones.
pub fn broadcast(call: &Call) -> Evaluated {
    let operand = call.tensor(0)?;
    let mut dims = call.dimensions("broadcast_sizes")?;
    let map: Vec<usize> = (dims.len()..dims.len() + operand.shape().rank()).collect();
    dims.extend(operand.dims());
    single(broadcast_to(operand, call.result_of(0, &dims)?, &map)?)
}

/// Section `broadcast_in_dim`.
pub fn broadcast_in_dim(call: &Call) -> Evaluated {
    let map = call.dimensions("broadcast_dimensions")?;
    let operand = call.tensor(0)?;
    // A dynamic size is taken from the operand.
    let declared = call.op.result_type(0)?.shape().unwrap_or_default();
    let sizes = declared.into_iter().enumerate().map(|(dimension, size)| {
        let from = map.iter().position(|to| *to == dimension);
        let own = from.and_then(|from| operand.dims().get(from).copied());
        size.and_then(|size| usize::try_from(size).ok()).or(own)
    });
    let sizes: Option<Vec<usize>> = sizes.collect();
    let shape = match sizes {
        Some(sizes) => call.result_of(0, &sizes)?,
        None => call.result_shape(0)?,
    };
    single(broadcast_to(operand, shape, &map)?)
}

/// Broadcasts an operand to a shape: its dimension `i` becomes dimension `map[i]`, and dimensions
/// of size 1 are expanded.
pub fn broadcast_to(operand: &Literal, shape: Shape, map: &[usize]) -> Result<Literal, Failure> {
    for (size, dimension) in operand.dims().iter().zip(map) {
        let target = shape.dims().get(*dimension);
        if map.len() != operand.shape().rank() || (*size != 1 && target != Some(size)) {
            return Err(format!(
                "cannot broadcast {} to {shape} along dimensions {map:?}",
                operand.shape()
            )
            .into());
        }
    }
    let strides = strides(operand.dims());
    gather(operand, shape, |index| {
        let from =
            map.iter().zip(operand.dims()).zip(&strides).map(|((dimension, size), stride)| {
                match size {
                    1 => 0,
                    _ => index[*dimension] * stride,
                }
            });
        Ok(Some(from.sum()))
    })
}

/// Section `reshape`.
pub fn reshape(call: &Call) -> Evaluated {
    let operand = call.tensor(0)?;
    let Ok(shape) = call.result_shape(0) else {
        // One unknown size follows from the others.
        let sizes = call.op.result_type(0)?.shape().unwrap_or_default();
        let known: i64 = sizes.iter().flatten().product();
        let open = operand.element_count() as i64 / known.max(1);
        let sizes: Vec<i64> = sizes.iter().map(|size| size.unwrap_or(open)).collect();
        return single(operand.clone().reshape(&super::call::to_sizes(&sizes)?)?);
    };
    single(operand.clone().reshape(shape.dims())?)
}

/// Section `transpose`.
pub fn transpose(call: &Call) -> Evaluated {
    let operand = call.tensor(0)?;
    let permutation = call.dimensions("permutation")?;
    single(permute(operand, &permutation)?)
}

/// The operand with dimension `permutation[i]` as dimension `i`.
pub fn permute(operand: &Literal, permutation: &[usize]) -> Result<Literal, Failure> {
    let rank = operand.shape().rank();
    if permutation.len() != rank || permutation.iter().any(|dim| *dim >= rank) {
        return Err(format!("has permutation {permutation:?} for rank {rank}").into());
    }
    let dims: Vec<usize> = permutation.iter().map(|dim| operand.dims()[*dim]).collect();
    let strides = strides(operand.dims());
    let moved: Vec<usize> = permutation.iter().map(|dim| strides[*dim]).collect();
    let shape = Shape::new(operand.element_type(), dims)?;
    gather(operand, shape, |index| Ok(Some(position(index, &moved))))
}

/// Section `reverse`.
pub fn reverse(call: &Call) -> Evaluated {
    let operand = call.tensor(0)?;
    let dimensions = call.dimensions("dimensions")?;
    let (dims, strides) = (operand.dims(), strides(operand.dims()));
    single(gather(operand, operand.shape().clone(), |index| {
        let from = index.iter().enumerate().map(|(dim, i)| {
            let i = if dimensions.contains(&dim) {
                dims[dim] - 1 - i
            } else {
                *i
            };
            i * strides[dim]
        });
        Ok(Some(from.sum()))
    })?)
}

/// Section `bitcast_convert`: the bits of the elements, from the lowest one, split into elements of
/// another width. A wider type removes the last dimension, a narrower one adds one.
pub fn bitcast_convert(call: &Call) -> Evaluated {
    let operand = call.tensor(0)?;
    let element = call.result_element(0)?;
    let (from, to) = (operand.element_type().bit_width(), element.bit_width());
    let mut dims = operand.dims().to_vec();
    if from > to {
        dims.push((from / to) as usize);
    } else if from < to && dims.pop() != Some((to / from) as usize) {
        return Err(format!(
            "needs the last dimension of {} to have size {}",
            operand.shape(),
            to / from
        )
        .into());
    }
    let mut result = Literal::try_zeros(Shape::new(element, dims)?)?;
    for position in 0..result.element_count() {
        let bits = if from >= to {
            let ratio = (from / to) as usize;
            bits_at(operand, position / ratio) >> (to as usize * (position % ratio))
        } else {
            let ratio = (to / from) as usize;
            (0..ratio).fold(0, |bits, part| {
                bits | bits_at(operand, position * ratio + part) << (from as usize * part)
            })
        };
        set_bits_at(&mut result, position, bits);
    }
    single(result)
}

/// The bits of an element.
fn bits_at(literal: &Literal, position: usize) -> u128 {
    let width = literal.element_type().byte_width();
    let mut bytes = [0; 16];
    bytes[..width].copy_from_slice(&literal.bytes()[position * width..][..width]);
    u128::from_le_bytes(bytes) & mask(literal.element_type().bit_width())
}

fn set_bits_at(literal: &mut Literal, position: usize, bits: u128) {
    let element = literal.element_type();
    let width = element.byte_width();
    let bytes = (bits & mask(element.bit_width())).to_le_bytes();
    literal.bytes_mut()[position * width..][..width].copy_from_slice(&bytes[..width]);
    if element.is_integer() {
        // A narrow integer is sign-extended to its byte.
        let value = literal.get(position);
        literal.set(position, value);
    }
}

fn mask(bits: u32) -> u128 {
    u128::MAX >> (u128::BITS - bits)
}
