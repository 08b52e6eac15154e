//! Slices, concatenations, padding, gathers and scatters.

use super::Options;
use crate::{
    matchers::{
        defined_by, dim_size, dims, ensure, has_one_use, integer, integers_of, is_zero, operands,
        result_type, static_shape,
    },
    transforms::emit,
};
use halo_ir::{
    Builder, Operation, OptionPattern, RewriteError, RewriteResult, Value, attribute_of,
    element_type, operands_of, results_of, tensor_type,
};
use halo_ir::{
    element_count,
    stablehlo::attributes::{GatherDimensionNumbers, ScatterDimensionNumbers},
    static_shape_of,
};
use melior::ir::ValueLike;

type Pattern = OptionPattern<Options>;

pub(super) static PATTERNS: &[Pattern] = &[
    Pattern::new("stablehlo.concatenate", concatenate_flattens),
    Pattern::new("stablehlo.concatenate", concatenate_is_identity),
    Pattern::new("stablehlo.concatenate", concatenate_without_empty_inputs),
    Pattern::new("stablehlo.dynamic_slice", dynamic_slice_is_slice),
    Pattern::new("stablehlo.dynamic_update_slice", update_is_empty),
    Pattern::new("stablehlo.dynamic_update_slice", update_is_whole),
    Pattern::new("stablehlo.gather", gather_is_slice),
    Pattern::new("stablehlo.pad", pad_is_identity),
    Pattern::new("stablehlo.pad", pad_of_nothing),
    Pattern::new("stablehlo.scatter", scatter_of_nothing),
    Pattern::new("stablehlo.slice", slice_is_identity),
    Pattern::new("stablehlo.slice", slice_of_concatenate),
];

/// `concatenate(x)` -> `x`
fn concatenate_is_identity<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand] = operands(op)?;
    ensure(operand.r#type() == result_type(op)?)?;
    b.replace(op, &[operand])?;
    Ok(())
}

/// Inputs of size 0 along the dimension add nothing.
fn concatenate_without_empty_inputs<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    _: &Options,
) -> RewriteResult {
    let dimension = integer(op, "dimension")?;
    let inputs = operands_of(op);
    let kept: Vec<Value> = inputs
        .iter()
        .copied()
        .filter(|input| dim_size(input.r#type(), dimension) != Some(0))
        .collect();
    ensure(!kept.is_empty() && kept.len() < inputs.len())?;
    let new = emit::with_operands(b, op, &kept)?;
    emit::replace_with(b, op, new)?;
    Ok(())
}

/// `concatenate(concatenate(x, y), z)` -> `concatenate(x, y, z)`, where nothing
/// else needs the inner one.
fn concatenate_flattens<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let dimension = integer(op, "dimension")?;
    let inputs = operands_of(op);
    let flattened: Vec<Value> = inputs
        .iter()
        .flat_map(|input| match defined_by(*input, "stablehlo.concatenate") {
            Ok(inner) if has_one_use(*input) && integer(inner, "dimension") == Ok(dimension) => {
                operands_of(inner)
            }
            _ => vec![*input],
        })
        .collect();
    ensure(flattened != inputs)?;
    let new = emit::with_operands(b, op, &flattened)?;
    emit::replace_with(b, op, new)?;
    Ok(())
}

/// A start moved back to where a slice of this size fits.
fn clamped(start: i64, size: i64, slice: i64) -> i64 {
    start.clamp(0, (size - slice).max(0))
}

/// `dynamic_slice` at constant positions -> `slice`
fn dynamic_slice_is_slice<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let all = operands_of(op);
    let (operand, starts) = all.split_first().ok_or(RewriteError::NoMatch)?;
    let shape = static_shape(operand.r#type())?;
    let sizes = dims(op, "slice_sizes")?;
    ensure(starts.len() == shape.len() && sizes.len() == shape.len())?;
    let start = starts
        .iter()
        .zip(shape.iter().zip(&sizes))
        .map(|(start, (size, slice))| {
            let number = *integers_of(*start)?.first()?;
            // An unsigned 64-bit start may be larger than any signed one.
            let unsigned = halo_ir::is_unsigned(element_type(start.r#type()));
            let number = if unsigned && number < 0 {
                i64::MAX
            } else {
                number
            };
            Some(clamped(number, *size, *slice))
        })
        .collect::<Option<Vec<i64>>>()
        .ok_or(RewriteError::NoMatch)?;
    let limit: Vec<i64> = start
        .iter()
        .zip(&sizes)
        .map(|(at, size)| at + size)
        .collect();
    let strides = vec![1; start.len()];
    let new = emit::slice(b, *operand, &start, &limit, &strides, result_type(op)?)?;
    emit::replace_merged(b, op, new)?;
    Ok(())
}

/// `dynamic_update_slice(x, nothing, ...)` -> `x`
fn update_is_empty<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, update, ..] = operands_of(op)[..] else {
        return Err(RewriteError::NoMatch);
    };
    ensure(element_count(update.r#type()) == Some(0) && operand.r#type() == result_type(op)?)?;
    emit::replace_merged(b, op, operand)?;
    Ok(())
}

/// `dynamic_update_slice(x, all, 0, ...)` -> `all`
fn update_is_whole<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, update, ref starts @ ..] = operands_of(op)[..] else {
        return Err(RewriteError::NoMatch);
    };
    static_shape(operand.r#type())?;
    ensure(operand.r#type() == update.r#type() && update.r#type() == result_type(op)?)?;
    ensure(starts.iter().all(|start| is_zero(*start)))?;
    emit::replace_merged(b, op, update)?;
    Ok(())
}

/// `gather` of one slice at a constant position -> `slice`, reshaped
fn gather_is_slice<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, indices] = operands(op)?;
    let numbers = attribute_of(op, "dimension_numbers")
        .and_then(GatherDimensionNumbers::from_attribute)
        .ok_or(RewriteError::NoMatch)?;
    ensure(
        numbers.index_vector_dim == 0
            && numbers.operand_batching_dims.is_empty()
            && static_shape(indices.r#type())?.len() <= 1,
    )?;
    let shape = static_shape(operand.r#type())?;
    let sizes = dims(op, "slice_sizes")?;
    let index = integers_of(indices).ok_or(RewriteError::NoMatch)?;
    ensure(index.len() == numbers.start_index_map.len() && sizes.len() == shape.len())?;
    let mut start = vec![0; shape.len()];
    for (dimension, position) in numbers.start_index_map.iter().zip(index) {
        let dimension = *dimension as usize;
        match (
            start.get_mut(dimension),
            shape.get(dimension),
            sizes.get(dimension),
        ) {
            (Some(entry), Some(size), Some(slice)) => *entry = clamped(position, *size, *slice),
            _ => return Err(RewriteError::NoMatch),
        }
    }
    let limit: Vec<i64> = start
        .iter()
        .zip(&sizes)
        .map(|(at, size)| at + size)
        .collect();
    let strides = vec![1; start.len()];
    let element = element_type(operand.r#type());
    let part = tensor_type(&sizes, element);
    let mut result = emit::slice(b, operand, &start, &limit, &strides, part)?;
    if result.r#type() != result_type(op)? {
        result = emit::reshape(b, result, result_type(op)?)?;
    }
    b.replace(op, &[result])?;
    Ok(())
}

/// `pad` by nothing -> its operand
fn pad_is_identity<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, _] = operands(op)?;
    ensure(operand.r#type() == result_type(op)?)?;
    for name in ["edge_padding_low", "edge_padding_high", "interior_padding"] {
        ensure(dims(op, name)?.iter().all(|amount| *amount == 0))?;
    }
    b.replace(op, &[operand])?;
    Ok(())
}

/// `pad` of a tensor without elements -> the broadcast of the padding
fn pad_of_nothing<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, padding] = operands(op)?;
    let result = result_type(op)?;
    static_shape(result)?;
    ensure(element_count(operand.r#type()) == Some(0))?;
    let new = emit::broadcast_in_dim(b, padding, &[], result)?;
    b.replace(op, &[new])?;
    Ok(())
}

/// `scatter` of no updates -> its inputs
fn scatter_of_nothing<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let all = operands_of(op);
    let count = results_of(op).len();
    let (Some(inputs), Some(indices), Some(updates)) =
        (all.get(..count), all.get(count), all.get(count + 1..))
    else {
        return Err(RewriteError::NoMatch);
    };
    let numbers = attribute_of(op, "scatter_dimension_numbers")
        .and_then(ScatterDimensionNumbers::from_attribute)
        .ok_or(RewriteError::NoMatch)?;
    let no_index = static_shape_of(indices.r#type()).is_some_and(|shape| {
        shape
            .iter()
            .enumerate()
            .any(|(dimension, size)| *size == 0 && dimension as i64 != numbers.index_vector_dim)
    });
    let no_update = updates
        .iter()
        .all(|update| element_count(update.r#type()) == Some(0));
    ensure(no_index || no_update)?;
    for (input, result) in inputs.iter().zip(results_of(op)) {
        ensure(input.r#type() == result.r#type())?;
    }
    b.replace(op, inputs)?;
    Ok(())
}

/// `slice` of everything -> its operand
fn slice_is_identity<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand] = operands(op)?;
    static_shape(operand.r#type())?;
    ensure(operand.r#type() == result_type(op)?)?;
    emit::replace_merged(b, op, operand)?;
    Ok(())
}

/// `slice(concatenate(x, y, z))` -> the slice of those inputs that it reaches
fn slice_of_concatenate<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand] = operands(op)?;
    let concat = defined_by(operand, "stablehlo.concatenate")?;
    let dimension = integer(concat, "dimension")?;
    let at = usize::try_from(dimension).map_err(|_| RewriteError::NoMatch)?;
    static_shape(result_type(op)?)?;
    let mut start = dims(op, "start_indices")?;
    let mut limit = dims(op, "limit_indices")?;
    let strides = dims(op, "strides")?;
    let (Some(from), Some(to)) = (start.get(at).copied(), limit.get(at).copied()) else {
        return Err(RewriteError::NoMatch);
    };
    let inputs = operands_of(concat);
    let mut offset = 0;
    let mut reached: Vec<Value> = Vec::new();
    let mut front = 0;
    for input in &inputs {
        let size = dim_size(input.r#type(), dimension).ok_or(RewriteError::NoMatch)?;
        if offset + size > from && offset < to {
            if reached.is_empty() {
                front = offset;
            }
            reached.push(*input);
        }
        offset += size;
    }
    ensure(!reached.is_empty() && reached.len() < inputs.len())?;
    ensure(reached.len() == 1 || has_one_use(operand))?;
    let source = match reached[..] {
        [single] => single,
        _ => {
            let mut shape = static_shape(operand.r#type())?;
            let size: Option<i64> = reached
                .iter()
                .map(|input| dim_size(input.r#type(), dimension))
                .sum();
            match (shape.get_mut(at), size) {
                (Some(entry), Some(size)) => *entry = size,
                _ => return Err(RewriteError::NoMatch),
            }
            let r#type = tensor_type(&shape, element_type(operand.r#type()));
            emit::concatenate(b, &reached, dimension, r#type)?
        }
    };
    start[at] -= front;
    limit[at] -= front;
    let new = emit::slice(b, source, &start, &limit, &strides, result_type(op)?)?;
    b.replace(op, &[new])?;
    Ok(())
}
