//! Slices, concatenations, padding, gathers and scatters.

use crate::matchers::{defined_by, dim_size, ensure, integers_of, is_zero, static_shape};
use halo_ir::prelude::*;

pub(super) fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::ConcatenateOp>(concatenate_flattens),
        Pattern::new::<stablehlo::ConcatenateOp>(concatenate_is_identity),
        Pattern::new::<stablehlo::ConcatenateOp>(concatenate_without_empty_inputs),
        Pattern::new::<stablehlo::DynamicSliceOp>(dynamic_slice_is_slice),
        Pattern::new::<stablehlo::DynamicUpdateSliceOp>(update_is_empty),
        Pattern::new::<stablehlo::DynamicUpdateSliceOp>(update_is_whole),
        Pattern::new::<stablehlo::GatherOp>(gather_is_slice),
        Pattern::new::<stablehlo::PadOp>(pad_is_identity),
        Pattern::new::<stablehlo::PadOp>(pad_of_nothing),
        Pattern::new::<stablehlo::ScatterOp>(scatter_of_nothing),
        Pattern::new::<stablehlo::SliceOp>(slice_is_identity),
        Pattern::new::<stablehlo::SliceOp>(slice_of_concatenate),
    ]
}

/// `concatenate(x)` -> `x`
fn concatenate_is_identity<'c>(b: &Builder<'c>, op: stablehlo::ConcatenateOp<'c>) -> RewriteResult {
    let [operand] = op.inputs()[..] else {
        return Err(no_match("it joins several tensors"));
    };
    ensure(
        operand.ty() == op.result().ty(),
        "the types of the operand and the result differ",
    )?;
    b.replace(op.operation(), &[operand]);
    Ok(())
}

/// Removes inputs of size 0 along the dimension.
fn concatenate_without_empty_inputs<'c>(
    b: &Builder<'c>,
    op: stablehlo::ConcatenateOp<'c>,
) -> RewriteResult {
    let dimension = op.dimension();
    let inputs = op.inputs();
    let kept: Vec<Value> = inputs
        .iter()
        .copied()
        .filter(|input| dim_size(input.ty(), dimension) != Some(0))
        .collect();
    ensure(
        !kept.is_empty() && kept.len() < inputs.len(),
        "no operand is empty, or all are",
    )?;
    let new = b.with_operands(op.operation(), &kept);
    b.replace_with(op.operation(), new)
}

/// `concatenate(concatenate(x, y), z)` -> `concatenate(x, y, z)`, if the inner one has no other
/// use.
fn concatenate_flattens<'c>(b: &Builder<'c>, op: stablehlo::ConcatenateOp<'c>) -> RewriteResult {
    let dimension = op.dimension();
    let inputs = op.inputs();
    let flattened: Vec<Value> = inputs
        .iter()
        .flat_map(
            |input| match defined_by::<stablehlo::ConcatenateOp>(*input) {
                Ok(inner) if input.has_one_use() && inner.dimension() == dimension => {
                    inner.inputs()
                }
                _ => vec![*input],
            },
        )
        .collect();
    ensure(flattened != inputs, "no operand is a concatenation")?;
    let new = b.with_operands(op.operation(), &flattened);
    b.replace_with(op.operation(), new)
}

/// A start, clamped so that a slice of this size is in bounds.
fn clamped(start: i128, size: i64, slice: i64) -> i64 {
    let last = (size - slice).max(0);
    i64::try_from(start.max(0)).map_or(last, |start| start.min(last))
}

/// `dynamic_slice` at constant positions -> `slice`
fn dynamic_slice_is_slice<'c>(b: &Builder<'c>, op: stablehlo::DynamicSliceOp<'c>) -> RewriteResult {
    let (operand, starts) = (op.operand(), op.start_indices());
    let shape = static_shape(operand.ty())?;
    let sizes = op.slice_sizes();
    ensure(
        starts.len() == shape.len() && sizes.len() == shape.len(),
        "the indices or sizes are of another rank",
    )?;
    let start = starts
        .iter()
        .zip(shape.iter().zip(&sizes))
        .map(|(start, (size, slice))| Some(clamped(*integers_of(*start)?.first()?, *size, *slice)))
        .collect::<Option<Vec<i64>>>()
        .ok_or_else(|| no_match("a start index is not constant"))?;
    let limit: Vec<i64> = start.iter().zip(&sizes).map(|(at, size)| at + size).collect();
    let strides = vec![1; start.len()];
    let new = stablehlo::SliceOp::build(b, operand, &start, &limit, &strides)
        .result_types(&[op.result().ty()])
        .value();
    b.replace_merged(op.operation(), new)
}

/// `dynamic_update_slice(x, nothing, ...)` -> `x`
fn update_is_empty<'c>(b: &Builder<'c>, op: stablehlo::DynamicUpdateSliceOp<'c>) -> RewriteResult {
    let (operand, update) = (op.operand(), op.update());
    ensure(
        update.ty().element_count() == Some(0) && operand.ty() == op.result().ty(),
        "the update has elements, or the types differ",
    )?;
    b.replace_merged(op.operation(), operand)
}

/// `dynamic_update_slice(x, all, 0, ...)` -> `all`
fn update_is_whole<'c>(b: &Builder<'c>, op: stablehlo::DynamicUpdateSliceOp<'c>) -> RewriteResult {
    let (operand, update) = (op.operand(), op.update());
    static_shape(operand.ty())?;
    ensure(
        operand.ty() == update.ty() && update.ty() == op.result().ty(),
        "the update is not of the type of the operand",
    )?;
    ensure(
        op.start_indices().into_iter().all(is_zero),
        "a start index is not zero",
    )?;
    b.replace_merged(op.operation(), update)
}

/// `gather` of one slice at a constant position -> `slice`, reshaped
fn gather_is_slice<'c>(b: &Builder<'c>, op: stablehlo::GatherOp<'c>) -> RewriteResult {
    let (operand, indices) = (op.operand(), op.start_indices());
    let numbers = op.dimension_numbers();
    ensure(
        numbers.index_vector_dim == 0
            && numbers.operand_batching_dims.is_empty()
            && static_shape(indices.ty())?.len() <= 1,
        "the gather is of several slices",
    )?;
    let shape = static_shape(operand.ty())?;
    let sizes = op.slice_sizes();
    let index = integers_of(indices).ok_or_else(|| no_match("the indices are not constant"))?;
    ensure(
        index.len() == numbers.start_index_map.len() && sizes.len() == shape.len(),
        "the indices are not one for each dimension",
    )?;
    let mut start = vec![0; shape.len()];
    for (dimension, position) in numbers.start_index_map.iter().zip(index) {
        let dimension = *dimension as usize;
        match (
            start.get_mut(dimension),
            shape.get(dimension),
            sizes.get(dimension),
        ) {
            (Some(entry), Some(size), Some(slice)) => *entry = clamped(position, *size, *slice),
            _ => return Err(no_match("a dimension is out of range")),
        }
    }
    let limit: Vec<i64> = start.iter().zip(&sizes).map(|(at, size)| at + size).collect();
    let strides = vec![1; start.len()];
    let mut result = stablehlo::slice(b, operand, &start, &limit, &strides);
    if result.ty() != op.result().ty() {
        result = stablehlo::reshape(b, result, op.result().ty());
    }
    b.replace(op.operation(), &[result]);
    Ok(())
}

/// `pad` by nothing -> its operand
fn pad_is_identity<'c>(b: &Builder<'c>, op: stablehlo::PadOp<'c>) -> RewriteResult {
    let operand = op.operand();
    ensure(
        operand.ty() == op.result().ty(),
        "the types of the operand and the result differ",
    )?;
    let amounts = [
        op.edge_padding_low(),
        op.edge_padding_high(),
        op.interior_padding(),
    ];
    ensure(
        amounts.iter().flatten().all(|amount| *amount == 0),
        "it pads",
    )?;
    b.replace(op.operation(), &[operand]);
    Ok(())
}

/// `pad` of a tensor without elements -> the broadcast of the padding
fn pad_of_nothing<'c>(b: &Builder<'c>, op: stablehlo::PadOp<'c>) -> RewriteResult {
    let (operand, padding) = (op.operand(), op.padding_value());
    let result = op.result().ty();
    static_shape(result)?;
    ensure(
        operand.ty().element_count() == Some(0),
        "the operand has elements",
    )?;
    let new = stablehlo::broadcast_in_dim(b, padding, &[], result);
    b.replace(op.operation(), &[new]);
    Ok(())
}

/// `scatter` of no updates -> its inputs
fn scatter_of_nothing<'c>(b: &Builder<'c>, op: stablehlo::ScatterOp<'c>) -> RewriteResult {
    let (inputs, indices, updates) = (op.inputs(), op.scatter_indices(), op.updates());
    let numbers = op.scatter_dimension_numbers();
    let no_index = indices.ty().static_shape().is_some_and(|shape| {
        shape
            .iter()
            .enumerate()
            .any(|(dimension, size)| *size == 0 && dimension as i64 != numbers.index_vector_dim)
    });
    let no_update = updates.iter().all(|update| update.ty().element_count() == Some(0));
    ensure(no_index || no_update, "there are indices and updates")?;
    for (input, result) in inputs.iter().zip(op.results()) {
        ensure(
            input.ty() == result.ty(),
            "the types of the operand and the result differ",
        )?;
    }
    b.replace(op.operation(), &inputs);
    Ok(())
}

/// `slice` of everything -> its operand
fn slice_is_identity<'c>(b: &Builder<'c>, op: stablehlo::SliceOp<'c>) -> RewriteResult {
    let operand = op.operand();
    static_shape(operand.ty())?;
    ensure(
        operand.ty() == op.result().ty(),
        "the types of the operand and the result differ",
    )?;
    b.replace_merged(op.operation(), operand)
}

/// `slice(concatenate(x, y, z))` -> the slice of the inputs that it covers
fn slice_of_concatenate<'c>(b: &Builder<'c>, op: stablehlo::SliceOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let concat = defined_by::<stablehlo::ConcatenateOp>(operand)?;
    let dimension = concat.dimension();
    let at = usize::try_from(dimension).map_err(|_| no_match("a dimension is out of range"))?;
    static_shape(op.result().ty())?;
    let mut start = op.start_indices();
    let mut limit = op.limit_indices();
    let strides = op.strides();
    let (Some(from), Some(to)) = (start.get(at).copied(), limit.get(at).copied()) else {
        return Err(no_match("a dimension is out of range"));
    };
    let inputs = concat.inputs();
    let mut offset = 0;
    let mut reached: Vec<Value> = Vec::new();
    let mut front = 0;
    for input in &inputs {
        let size = dim_size(input.ty(), dimension).ok_or_else(|| no_match("a size is dynamic"))?;
        if offset + size > from && offset < to {
            if reached.is_empty() {
                front = offset;
            }
            reached.push(*input);
        }
        offset += size;
    }
    ensure(
        !reached.is_empty() && reached.len() < inputs.len(),
        "it reaches all operands, or none",
    )?;
    ensure(
        reached.len() == 1 || operand.has_one_use(),
        "the concatenation has other users, and the slice reaches several operands",
    )?;
    let source = match reached[..] {
        [single] => single,
        _ => {
            static_shape(operand.ty())?;
            stablehlo::concatenate(b, &reached, dimension)
        }
    };
    start[at] -= front;
    limit[at] -= front;
    let new = stablehlo::SliceOp::build(b, source, &start, &limit, &strides)
        .result_types(&[op.result().ty()])
        .value();
    b.replace(op.operation(), &[new]);
    Ok(())
}
