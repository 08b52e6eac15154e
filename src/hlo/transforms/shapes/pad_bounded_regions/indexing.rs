//! The padded forms of ops with computed indices.

use super::{
    Failure, Padder,
    operations::{dimension, size_of},
    padded::{Padded, fit, integer, limits_of, number, repeated},
};
use halo_ir::prelude::*;

/// Starts, clamped so that a slice is within the sizes of a value.
fn clamped<'c>(
    b: &Builder<'c>,
    operand: &Padded<'c>,
    part: &[Value<'c>],
    starts: &[Padded<'c>],
) -> Result<Vec<Value<'c>>, Failure> {
    let none = number(b, 0)?;
    let start = |(at, start): (usize, &Padded<'c>)| {
        let last = stablehlo::subtract(b, operand.size(b, at)?, part[at]);
        let last = stablehlo::maximum(b, last, none);
        Ok(stablehlo::clamp(b, none, size_of(b, start.data), last))
    };
    starts.iter().enumerate().map(start).collect()
}

pub fn dynamic_slice<'c>(
    _: &mut Padder<'c>,
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let op = op
        .cast::<stablehlo::DynamicSliceOp>()
        .ok_or_else(|| no_match("it is no slice"))?;
    let (operand, sizes) = (&operands[0], op.slice_sizes());
    let part = sizes.iter().map(|size| number(b, *size)).collect::<Result<Vec<_>, _>>()?;
    let starts = clamped(b, operand, &part, &operands[1..])?;
    let data = stablehlo::dynamic_slice(b, operand.data, &starts, &sizes);
    Ok(vec![Padded::whole(data)])
}

/// Elements beyond the sizes of the update are unchanged.
pub fn dynamic_update_slice<'c>(
    _: &mut Padder<'c>,
    b: &Builder<'c>,
    _: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let [operand, update, starts @ ..] = operands else {
        return Err(no_match("it has other operands"));
    };
    let part = (0..starts.len()).map(|at| update.size(b, at)).collect::<Result<Vec<_>, _>>()?;
    let starts = clamped(b, operand, &part, starts)?;
    let (limits, sizes) = (operand.limits()?, update.limits()?);
    let Some(mask) = update.mask(b, 0..sizes.len())? else {
        let update = update.data;
        let data = stablehlo::dynamic_update_slice(b, operand.data, update, &starts);
        return Ok(vec![Padded {
            data,
            ..operand.clone()
        }]);
    };
    // Space for the padding of the update after the last element.
    let room: Vec<i64> = limits.iter().zip(&sizes).map(|(limit, size)| limit + size).collect();
    let data = fit(b, operand.data, &room)?;
    let old = stablehlo::dynamic_slice(b, data, &starts, &sizes);
    let update = stablehlo::select(b, mask, update.data, old);
    let data = stablehlo::dynamic_update_slice(b, data, update, &starts);
    Ok(vec![Padded {
        data: fit(b, data, &limits)?,
        ..operand.clone()
    }])
}

/// Indices of at least 32 bits, so that all sizes fit.
fn wide_indices<'c>(b: &Builder<'c>, indices: Value<'c>) -> Value<'c> {
    match indices.ty().element_type().integer_width() {
        Some(width) if width < 32 => stablehlo::convert_elements(b, indices, integer(b)),
        _ => indices,
    }
}

pub fn gather<'c>(
    padder: &mut Padder<'c>,
    b: &Builder<'c>,
    operation: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let op = operation
        .cast::<stablehlo::GatherOp>()
        .ok_or_else(|| no_match("it is no gather"))?;
    let [operand, indices] = operands else {
        return Err(no_match("it has other operands"));
    };
    let (numbers, slices) = (op.dimension_numbers(), op.slice_sizes());
    let vector = dimension(numbers.index_vector_dim)?;
    let mut wide = wide_indices(b, indices.data);
    let mut limits = Vec::new();
    let mut is_clamped = false;
    for from in &numbers.start_index_map {
        let at = dimension(*from)?;
        is_clamped |= operand.sizes[at].is_some();
        let last = stablehlo::subtract(b, operand.size(b, at)?, number(b, slices[at])?);
        let last = stablehlo::maximum(b, last, number(b, 0)?);
        let last = stablehlo::convert_elements(b, last, wide.ty().element_type());
        limits.push(stablehlo::reshape(
            b,
            last,
            tensor_type(&[1], wide.ty().element_type()),
        ));
    }
    if is_clamped {
        let last = stablehlo::concatenate(b, &limits, 0);
        let last = if vector < indices.sizes.len() {
            stablehlo::broadcast_in_dim(b, last, &[vector as i64], wide.ty())
        } else {
            let scalar = tensor_type(&[], wide.ty().element_type());
            let sizes = limits_of(wide.ty())?;
            repeated(b, stablehlo::reshape(b, last, scalar), &sizes)
        };
        wide = stablehlo::minimum(b, wide, last);
    }
    let result = operation.result_types()[0];
    let ty = tensor_type(&limits_of(result)?, result.element_type());
    let rank = limits_of(result)?.len();
    let is_kept = |at: &usize| {
        let gone = [
            &numbers.collapsed_slice_dims,
            &numbers.operand_batching_dims,
        ];
        !gone.iter().any(|list| list.contains(&(*at as i64)))
    };
    let own = operand.limits()?;
    let mut offsets = (0..own.len()).filter(is_kept);
    let mut batches = (0..indices.sizes.len()).filter(|at| *at != vector);
    let mut sizes = Vec::new();
    let mut expected = Vec::new();
    for at in 0..rank {
        let is_offset = numbers.offset_dims.contains(&(at as i64));
        let from = if is_offset {
            offsets.next()
        } else {
            batches.next()
        };
        let from = from.ok_or_else(|| no_match("dimensions do not fit"))?;
        expected.push(if is_offset {
            slices[from]
        } else {
            indices.limits()?[from]
        });
        sizes.push(if is_offset {
            operand.sizes[from].filter(|_| slices[from] == own[from])
        } else {
            indices.sizes[from]
        });
    }
    let ty = if limits_of(ty)? == expected {
        ty
    } else {
        tensor_type(&expected, result.element_type())
    };
    let data = padder.copied(b, operation, &[operand.data, wide], &[ty])[0];
    Ok(vec![Padded { data, sizes }])
}

/// The least number of the index type that is out of bounds for every window.
fn outside<'c>(b: &Builder<'c>, indices: Value<'c>) -> Result<Value<'c>, Failure> {
    let element = indices.ty().element_type();
    let width = element.integer_width().ok_or_else(|| no_match("indices are not integers"))?;
    let least = if element.is_unsigned() {
        i64::from(i32::MAX)
    } else if width < 64 {
        i64::from(i32::MIN)
    } else {
        i64::MIN / 2
    };
    stablehlo::integers(b, tensor_type(&[], element), &[least])
}

/// Updates beyond the sizes are dropped.
pub fn scatter<'c>(
    padder: &mut Padder<'c>,
    b: &Builder<'c>,
    operation: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let op = operation.cast::<stablehlo::ScatterOp>();
    let op = op.ok_or_else(|| no_match("it is no scatter"))?;
    let numbers = op.scatter_dimension_numbers();
    let count = op.inputs().len();
    let vector = dimension(numbers.index_vector_dim)?;
    let (inputs, rest) = operands.split_at(count);
    let Some((indices, updates)) = rest.split_first() else {
        return Err(no_match("it has other operands"));
    };
    let mut common = indices.clone();
    let mut limits = indices.limits()?;
    for update in updates {
        let is_window = |at: &usize| numbers.update_window_dims.contains(&(*at as i64));
        if (0..update.sizes.len()).filter(is_window).any(|at| update.sizes[at].is_some()) {
            return Err(no_match("a window of updates has an open size"));
        }
        let own = update.limits()?;
        let scattered = (0..own.len()).filter(|at| !is_window(at));
        for (at, from) in (0..limits.len()).filter(|at| *at != vector).zip(scattered) {
            limits[at] = limits[at].max(own[from]);
            common.sizes[at] = common.sizes[at].or(update.sizes[from]);
        }
    }
    common.data = fit(b, wide_indices(b, indices.data), &limits)?;
    let wide = match common.mask(b, 0..limits.len())? {
        Some(mask) => {
            let nowhere = repeated(b, outside(b, common.data)?, &limits);
            stablehlo::select(b, mask, common.data, nowhere)
        }
        None => common.data,
    };
    let mut values: Vec<Value> = inputs.iter().map(|input| input.data).collect();
    values.push(wide);
    for update in updates {
        let mut own = update.limits()?;
        let is_window = |at: &usize| numbers.update_window_dims.contains(&(*at as i64));
        let scattered: Vec<usize> = (0..own.len()).filter(|at| !is_window(at)).collect();
        for (at, to) in (0..limits.len()).filter(|at| *at != vector).zip(scattered) {
            own[to] = limits[at];
        }
        values.push(fit(b, update.data, &own)?);
    }
    let types: Vec<_> = inputs.iter().map(|input| input.data.ty()).collect();
    let results = padder.copied(b, operation, &values, &types).into_iter().zip(inputs);
    Ok(results
        .map(|(data, input)| Padded {
            data,
            ..input.clone()
        })
        .collect())
}
