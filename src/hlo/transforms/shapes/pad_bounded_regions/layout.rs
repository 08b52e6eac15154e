//! The padded forms of data movement ops.

use super::{
    Failure, Padder,
    operations::{common_sizes, dimension, size_of},
    padded::{Padded, fit, integer, limits_of, number, repeated},
};
use halo_ir::prelude::*;

/// The bounds of the only result.
fn result_limits(op: Operation) -> Result<Vec<i64>, Failure> {
    limits_of(op.result_types()[0])
}

/// The elements of a vector of sizes, as `tensor<i32>`.
pub fn elements<'c>(b: &Builder<'c>, vector: Value<'c>) -> Result<Vec<Value<'c>>, Failure> {
    let sizes = vector.ty().static_shape().unwrap_or_default();
    let [count] = sizes[..] else {
        return Err(no_match("sizes are not a vector"));
    };
    let scalar = tensor_type(&[], vector.ty().element_type());
    let element = |at: i64| {
        let part = stablehlo::vector_part(b, vector, at, at + 1);
        size_of(b, stablehlo::reshape(b, part, scalar))
    };
    Ok((0..count).map(element).collect())
}

fn numbers<'c>(b: &Builder<'c>, values: &[i64]) -> Result<Vec<Value<'c>>, Failure> {
    values.iter().map(|value| number(b, *value)).collect()
}

/// Elements at computed indices of a dimension; indices are clamped.
fn take<'c>(b: &Builder<'c>, data: Value<'c>, dimension: usize, indices: Value<'c>) -> Value<'c> {
    stablehlo::torch_index_select(b, data, indices, dimension as i64, 0)
}

/// The numbers 0, 1, ... of a vector.
fn count<'c>(b: &Builder<'c>, size: i64) -> Value<'c> {
    stablehlo::iota(b, 0, tensor_type(&[size], integer(b)))
}

pub fn iota<'c>(
    _: &mut Padder<'c>,
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let op = op.cast::<stablehlo::DynamicIotaOp>().ok_or_else(|| no_match("it is no iota"))?;
    let result = op.result().ty();
    let ty = tensor_type(&limits_of(result)?, result.element_type());
    let data = stablehlo::iota(b, op.iota_dimension(), ty);
    let sizes = elements(b, operands[0].data)?;
    Ok(vec![Padded::with_sizes(
        data,
        sizes.into_iter().map(Some).collect(),
    )])
}

pub fn broadcast<'c>(
    _: &mut Padder<'c>,
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let result = op.result_types()[0];
    let limits = limits_of(result)?;
    let (dimensions, sizes) = match op.cast::<stablehlo::DynamicBroadcastInDimOp>() {
        Some(op) => (op.broadcast_dimensions(), elements(b, operands[1].data)?),
        None => {
            let op = op.cast::<stablehlo::BroadcastInDimOp>();
            let op = op.ok_or_else(|| no_match("it is no broadcast"))?;
            (op.broadcast_dimensions(), Vec::new())
        }
    };
    let mut sizes: Vec<Option<Value>> = sizes.into_iter().map(Some).collect();
    sizes.resize(limits.len(), None);
    let operand = &operands[0];
    let (mut data, mut own) = (operand.data, operand.limits()?);
    for (from, to) in dimensions.iter().enumerate() {
        let to = dimension(*to)?;
        if let Some(size) = operand.sizes[from] {
            // One element is broadcast, several equal the result's.
            let last = stablehlo::subtract(b, size, number(b, 1)?);
            let last = repeated(b, last, &[limits[to]]);
            let indices = stablehlo::minimum(b, count(b, limits[to]), last);
            data = take(b, data, from, indices);
            own[from] = limits[to];
            sizes[to] = sizes[to].or(Some(size));
        } else if own[from] != 1 && own[from] != limits[to] {
            sizes[to] = Some(number(b, own[from])?);
            own[from] = limits[to];
        }
    }
    let data = fit(b, data, &own)?;
    let ty = tensor_type(&limits, result.element_type());
    let data = stablehlo::broadcast_in_dim(b, data, &dimensions, ty);
    Ok(vec![Padded { data, sizes }])
}

pub fn transpose<'c>(
    _: &mut Padder<'c>,
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let op = op
        .cast::<stablehlo::TransposeOp>()
        .ok_or_else(|| no_match("it is no transpose"))?;
    let permutation = op.permutation();
    let data = stablehlo::transpose(b, operands[0].data, &permutation);
    let sizes = permutation.iter().map(|from| Ok(operands[0].sizes[dimension(*from)?]));
    Ok(vec![Padded {
        data,
        sizes: sizes.collect::<Result<_, Failure>>()?,
    }])
}

pub fn reverse<'c>(
    _: &mut Padder<'c>,
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let op = op.cast::<stablehlo::ReverseOp>().ok_or_else(|| no_match("it is no reverse"))?;
    let operand = &operands[0];
    let (mut data, limits) = (operand.data, operand.limits()?);
    for at in op.dimensions() {
        let Some(size) = operand.sizes[dimension(at)?] else {
            data = stablehlo::reverse(b, data, &[at]);
            continue;
        };
        let at = dimension(at)?;
        let last = stablehlo::subtract(b, size, number(b, 1)?);
        let indices =
            stablehlo::subtract(b, repeated(b, last, &[limits[at]]), count(b, limits[at]));
        data = take(b, data, at, indices);
    }
    Ok(vec![Padded {
        data,
        sizes: operand.sizes.clone(),
    }])
}

/// Writes each operand after the previous one, over its padding.
pub fn concatenate<'c>(
    _: &mut Padder<'c>,
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let limits = result_limits(op)?;
    let op = op
        .cast::<stablehlo::ConcatenateOp>()
        .ok_or_else(|| no_match("it joins nothing"))?;
    let at = dimension(op.dimension())?;
    let mut all = limits.clone();
    all[at] = 0;
    for operand in operands {
        all[at] += operand.limits()?[at];
    }
    let zero = tensor_type(&[], operands[0].data.ty().element_type());
    let mut data = repeated(b, stablehlo::number(b, zero, 0.0)?, &all);
    let none = number(b, 0)?;
    let mut end = none;
    for operand in operands {
        let mut own = limits.clone();
        own[at] = operand.limits()?[at];
        let part = fit(b, operand.data, &own)?;
        let mut starts = vec![none; limits.len()];
        starts[at] = end;
        data = stablehlo::dynamic_update_slice(b, data, part, &starts);
        end = stablehlo::add(b, end, operand.size(b, at)?);
    }
    let mut sizes = common_sizes(operands, limits.len());
    sizes[at] = Some(end);
    Ok(vec![Padded { data, sizes }])
}

pub fn slice<'c>(
    _: &mut Padder<'c>,
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let limits = result_limits(op)?;
    let operand = &operands[0];
    let spans = match op.cast::<stablehlo::SliceOp>() {
        Some(op) => {
            [op.start_indices(), op.limit_indices(), op.strides()].map(|values| numbers(b, &values))
        }
        None => [1, 2, 3].map(|number| elements(b, operands[number].data)),
    };
    let [starts, ends, strides] = spans;
    let (starts, ends, strides) = (starts?, ends?, strides?);
    let (none, one) = (number(b, 0)?, number(b, 1)?);
    let (mut data, mut sizes) = (operand.data, Vec::new());
    for (at, limit) in limits.iter().enumerate() {
        let steps = stablehlo::multiply(b, count(b, *limit), repeated(b, strides[at], &[*limit]));
        let indices = stablehlo::add(b, steps, repeated(b, starts[at], &[*limit]));
        data = take(b, data, at, indices);
        let end = stablehlo::minimum(b, ends[at], operand.size(b, at)?);
        let span = stablehlo::subtract(b, end, starts[at]);
        let rounded = stablehlo::add(b, span, stablehlo::subtract(b, strides[at], one));
        let size = stablehlo::divide(b, rounded, strides[at]);
        sizes.push(Some(stablehlo::maximum(b, size, none)));
    }
    Ok(vec![Padded { data, sizes }])
}

/// Distinguishes elements and padding by index, dimension by dimension.
pub fn pad<'c>(
    _: &mut Padder<'c>,
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let limits = result_limits(op)?;
    let amounts = match op.cast::<stablehlo::PadOp>() {
        Some(op) => [
            op.edge_padding_low(),
            op.edge_padding_high(),
            op.interior_padding(),
        ]
        .map(|values| numbers(b, &values)),
        None => [2, 3, 4].map(|number| elements(b, operands[number].data)),
    };
    let [low, high, interior] = amounts;
    let (low, high, interior) = (low?, high?, interior?);
    let operand = &operands[0];
    let (none, one) = (number(b, 0)?, number(b, 1)?);
    let (mut data, mut sizes) = (operand.data, Vec::new());
    let mut is_element: Option<Value> = None;
    for (at, limit) in limits.iter().enumerate() {
        let own = operand.size(b, at)?;
        let step = stablehlo::add(b, interior[at], one);
        let spread = |value| repeated(b, value, &[*limit]);
        let position = stablehlo::subtract(b, count(b, *limit), spread(low[at]));
        let index = stablehlo::divide(b, position, spread(step));
        let between = stablehlo::remainder(b, position, spread(step));
        let mut within = stablehlo::compare(b, index, spread(own), ComparisonDirection::Lt);
        for (value, direction) in [
            (position, ComparisonDirection::Ge),
            (between, ComparisonDirection::Eq),
        ] {
            let holds = stablehlo::compare(b, value, spread(none), direction);
            within = stablehlo::and(b, within, holds);
        }
        let ty = tensor_type(&limits, within.ty().element_type());
        let within = stablehlo::broadcast_in_dim(b, within, &[at as i64], ty);
        is_element = Some(match is_element {
            Some(others) => stablehlo::and(b, others, within),
            None => within,
        });
        data = take(b, data, at, index);
        let gaps = stablehlo::maximum(b, stablehlo::subtract(b, own, one), none);
        let gaps = stablehlo::multiply(b, gaps, interior[at]);
        let edges = stablehlo::add(b, low[at], high[at]);
        let size = stablehlo::add(b, stablehlo::add(b, own, gaps), edges);
        sizes.push(Some(stablehlo::maximum(b, size, none)));
    }
    if let Some(is_element) = is_element {
        let padding = repeated(b, operands[1].data, &limits);
        data = stablehlo::select(b, is_element, data, padding);
    }
    Ok(vec![Padded { data, sizes }])
}

/// Returns true if the elements of a value precede its padding, in row-major order.
fn is_prefix(limits: &[i64], sizes: &[Option<Value>]) -> bool {
    let leading = limits.iter().take_while(|limit| **limit == 1).count();
    sizes.iter().skip(leading + 1).all(Option::is_none)
}

pub fn reshape<'c>(
    _: &mut Padder<'c>,
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Padded<'c>],
) -> Result<Vec<Padded<'c>>, Failure> {
    let operand = &operands[0];
    let (result, limits, own) = (
        op.result_types()[0],
        limits_of(op.result_types()[0])?,
        operand.limits()?,
    );
    let sizes = match op.cast::<stablehlo::DynamicReshapeOp>() {
        Some(_) => elements(b, operands[1].data)?.into_iter().map(Some).collect(),
        None => open_sizes(b, operand, result)?,
    };
    let total = |limits: &[i64]| limits.iter().product::<i64>();
    let element = operand.data.ty().element_type();
    let flat = stablehlo::reshape(b, operand.data, tensor_type(&[total(&own)], element));
    let bounded = crate::semantics::dims_of(result).unwrap_or_default();
    let bounded = sizes
        .iter()
        .zip(&bounded)
        .map(|(size, dim)| size.filter(|_| dim.size().is_none()));
    let sizes: Vec<Option<Value>> = bounded.collect();
    let flat = if is_prefix(&own, &operand.sizes) && is_prefix(&limits, &sizes) {
        fit(b, flat, &[total(&limits)])?
    } else {
        let target = Padded {
            data: operand.data,
            sizes: sizes.clone(),
        };
        let indices = flat_indices(b, operand, (&limits, &target.sizes))?;
        take(b, flat, 0, indices)
    };
    let data = stablehlo::reshape(b, flat, tensor_type(&limits, element));
    Ok(vec![Padded { data, sizes }])
}

/// The sizes of the result of a static reshape, of which at most one is dynamic, or the operand's.
fn open_sizes<'c>(
    b: &Builder<'c>,
    operand: &Padded<'c>,
    result: halo_ir::Type<'c>,
) -> Result<Vec<Option<Value<'c>>>, Failure> {
    let dims = crate::semantics::dims_of(result).unwrap_or_default();
    let open: Vec<usize> = (0..dims.len()).filter(|at| dims[*at].size().is_none()).collect();
    let mut sizes = vec![None; dims.len()];
    match open[..] {
        [] => {}
        [only] => {
            let others: i64 = dims.iter().filter_map(|dim| dim.size()).product();
            let mut count = number(b, 1)?;
            for at in 0..operand.sizes.len() {
                count = stablehlo::multiply(b, count, operand.size(b, at)?);
            }
            sizes[only] = Some(stablehlo::divide(b, count, number(b, others.max(1))?));
        }
        _ if operand.sizes.len() == dims.len() => sizes.clone_from(&operand.sizes),
        _ => return Err(no_match("several sizes of a reshape are open")),
    }
    Ok(sizes)
}

/// For each element of a reshape's padded result, its position in the padded operand.
fn flat_indices<'c>(
    b: &Builder<'c>,
    operand: &Padded<'c>,
    (limits, sizes): (&[i64], &[Option<Value<'c>>]),
) -> Result<Value<'c>, Failure> {
    let ty = tensor_type(limits, integer(b));
    let mut left = repeated(b, number(b, 0)?, limits);
    let mut stride = number(b, 1)?;
    for at in (0..limits.len()).rev() {
        let index = stablehlo::iota(b, at as i64, ty);
        let step = stablehlo::multiply(b, index, repeated(b, stride, limits));
        left = stablehlo::add(b, left, step);
        let size = match sizes[at] {
            Some(size) => size,
            None => number(b, limits[at])?,
        };
        stride = stablehlo::multiply(b, stride, size);
    }
    let own = operand.limits()?;
    let mut position = repeated(b, number(b, 0)?, limits);
    let mut stride = 1;
    for at in (0..own.len()).rev() {
        let size = stablehlo::maximum(b, operand.size(b, at)?, number(b, 1)?);
        let size = repeated(b, size, limits);
        let index = stablehlo::remainder(b, left, size);
        left = stablehlo::divide(b, left, size);
        let step = repeated(b, number(b, stride)?, limits);
        position = stablehlo::add(b, position, stablehlo::multiply(b, index, step));
        stride *= own[at];
    }
    let count = limits.iter().product();
    Ok(stablehlo::reshape(
        b,
        position,
        tensor_type(&[count], integer(b)),
    ))
}
