//! Broadcasts, reshapes, transpositions, reversals, iotas.

use crate::matchers::{constant_of, defined_by, ensure, is_iota, static_shape};
use halo_ir::prelude::*;

pub(super) fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::BroadcastInDimOp>(broadcast_is_identity),
        Pattern::new::<stablehlo::BroadcastInDimOp>(broadcast_is_transpose),
        Pattern::new::<stablehlo::BroadcastInDimOp>(broadcast_is_reshape).benefit(2),
        // One broadcast is preferred to a reshaped one.
        Pattern::new::<stablehlo::BroadcastInDimOp>(broadcast_of_broadcast).benefit(3),
        Pattern::new::<stablehlo::IotaOp>(iota_along_one_dimension),
        Pattern::new::<stablehlo::IotaOp>(iota_is_zero).benefit(2),
        Pattern::new::<stablehlo::ReshapeOp>(reshape_is_identity),
        Pattern::new::<stablehlo::ReshapeOp>(reshape_of_reshape),
        Pattern::new::<stablehlo::ReverseOp>(reverse_is_identity),
        Pattern::new::<stablehlo::TransposeOp>(transpose_is_identity),
        Pattern::new::<stablehlo::TransposeOp>(transpose_is_reshape),
        Pattern::new::<stablehlo::TransposeOp>(transpose_of_transpose),
    ]
}

/// `broadcast_in_dim(x, [0, 1, ...])` to the type of `x` -> `x`
fn broadcast_is_identity<'c>(
    b: &Builder<'c>,
    op: stablehlo::BroadcastInDimOp<'c>,
) -> RewriteResult {
    let operand = op.operand();
    ensure(
        operand.ty() == op.result().ty(),
        "the types of the operand and the result differ",
    )?;
    ensure(is_iota(&op.broadcast_dimensions()), "it moves dimensions")?;
    b.replace_merged(op.operation(), operand)
}

/// Returns true if a broadcast with sorted dimensions repeats no element.
fn only_adds_ones(operand: Type, result: Type, dimensions: &[i64]) -> bool {
    dimensions.is_sorted()
        && operand.static_shape().is_some()
        && result.static_shape().is_some()
        && operand.element_count() == result.element_count()
}

/// `broadcast_in_dim(x, sorted)` with as many elements as `x` -> `reshape(x)`
fn broadcast_is_reshape<'c>(b: &Builder<'c>, op: stablehlo::BroadcastInDimOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let result = op.result().ty();
    let dimensions = op.broadcast_dimensions();
    ensure(operand.ty() != result, "it changes no type")?;
    ensure(
        only_adds_ones(operand.ty(), result, &dimensions),
        "it does not only add dimensions of size one",
    )?;
    let new = stablehlo::reshape(b, operand, result);
    b.replace_merged(op.operation(), new)
}

/// `broadcast_in_dim(x, permutation)` with the rank and as many elements as `x`
/// -> `transpose(x)`
fn broadcast_is_transpose<'c>(
    b: &Builder<'c>,
    op: stablehlo::BroadcastInDimOp<'c>,
) -> RewriteResult {
    let operand = op.operand();
    let result = op.result().ty();
    let dimensions = op.broadcast_dimensions();
    let rank = static_shape(operand.ty())?.len();
    ensure(
        static_shape(result)?.len() == rank && !is_iota(&dimensions),
        "it does not only move dimensions",
    )?;
    ensure(
        operand.ty().element_count() == result.element_count(),
        "it repeats elements",
    )?;
    let mut permutation = vec![0; rank];
    for (index, dimension) in dimensions.iter().enumerate() {
        match usize::try_from(*dimension)
            .ok()
            .and_then(|dimension| permutation.get_mut(dimension))
        {
            Some(entry) => *entry = index as i64,
            None => return Err(no_match("a dimension is out of range")),
        }
    }
    let new = stablehlo::TransposeOp::build(b, operand, &permutation)
        .result_types(&[result])
        .value();
    b.replace_merged(op.operation(), new)
}

/// `broadcast(broadcast(x, inner), outer)` -> `broadcast(x, outer . inner)`, unless the inner one
/// will become a reshape.
fn broadcast_of_broadcast<'c>(
    b: &Builder<'c>,
    op: stablehlo::BroadcastInDimOp<'c>,
) -> RewriteResult {
    let operand = op.operand();
    let inner = defined_by::<stablehlo::BroadcastInDimOp>(operand)?;
    let source = inner.operand();
    let inner_dims = inner.broadcast_dimensions();
    let outer_dims = op.broadcast_dimensions();
    ensure(
        !only_adds_ones(source.ty(), operand.ty(), &inner_dims),
        "the inner broadcast only adds dimensions of size one",
    )?;
    let merged = compose(&outer_dims, &inner_dims)?;
    let new = stablehlo::broadcast_in_dim(b, source, &merged, op.result().ty());
    b.replace_merged(op.operation(), new)
}

/// `outer[inner[i]]` for every `i`.
pub(super) fn compose(outer: &[i64], inner: &[i64]) -> RewriteResult<Vec<i64>> {
    inner
        .iter()
        .map(|index| outer.get(usize::try_from(*index).ok()?).copied())
        .collect::<Option<_>>()
        .ok_or_else(|| no_match("a dimension is out of range"))
}

/// `iota` along a dimension of size 1 -> `0`
fn iota_is_zero<'c>(b: &Builder<'c>, op: stablehlo::IotaOp<'c>) -> RewriteResult {
    let result = op.output().ty();
    let dimension = op.iota_dimension();
    ensure(
        static_shape(result)?.get(dimension as usize) == Some(&1),
        "the dimension is not of size one",
    )?;
    let zero = stablehlo::number(b, result, 0.0)?;
    b.replace(op.operation(), &[zero]);
    Ok(())
}

/// `iota` of several dimensions -> the broadcast of a one-dimensional one
fn iota_along_one_dimension<'c>(b: &Builder<'c>, op: stablehlo::IotaOp<'c>) -> RewriteResult {
    let result = op.output().ty();
    let dimension = op.iota_dimension();
    let shape = static_shape(result)?;
    ensure(
        shape.len() >= 2 && !result.element_type().is_quantized(),
        "it is of one dimension, or quantized",
    )?;
    let size = *shape
        .get(dimension as usize)
        .ok_or_else(|| no_match("a dimension is out of range"))?;
    let vector = stablehlo::iota(b, 0, tensor_type(&[size], result.element_type()));
    let new = stablehlo::broadcast_in_dim(b, vector, &[dimension], result);
    b.replace(op.operation(), &[new]);
    Ok(())
}

/// `reshape(x)` to the type of `x` -> `x`
fn reshape_is_identity<'c>(b: &Builder<'c>, op: stablehlo::ReshapeOp<'c>) -> RewriteResult {
    let operand = op.operand();
    ensure(
        operand.ty() == op.result().ty(),
        "the types of the operand and the result differ",
    )?;
    b.replace_merged(op.operation(), operand)
}

/// `reshape(reshape(x))` -> `reshape(x)`
fn reshape_of_reshape<'c>(b: &Builder<'c>, op: stablehlo::ReshapeOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let source = defined_by::<stablehlo::ReshapeOp>(operand)?.operand();
    let new = stablehlo::reshape(b, source, op.result().ty());
    b.replace_merged(op.operation(), new)
}

/// `reverse` along no dimension, of no elements, along dimensions of size 1, or of a splat -> its
/// operand
fn reverse_is_identity<'c>(b: &Builder<'c>, op: stablehlo::ReverseOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let dimensions = op.dimensions();
    ensure(operand.ty() == op.result().ty(), "the types differ")?;
    let sizes = operand.ty().shape().ok_or_else(|| no_match("a tensor is unranked"))?;
    let is_static = sizes.iter().all(Option::is_some);
    let all_one = dimensions
        .iter()
        .all(|dimension| sizes.get(*dimension as usize) == Some(&Some(1)));
    let equal = constant_of(operand).is_some_and(Attribute::is_splat);
    ensure(
        dimensions.is_empty() || equal || is_static && (all_one || sizes.contains(&Some(0))),
        "reversing it changes it",
    )?;
    b.replace(op.operation(), &[operand]);
    Ok(())
}

/// `transpose(x, [0, 1, ...])` -> `x`
fn transpose_is_identity<'c>(b: &Builder<'c>, op: stablehlo::TransposeOp<'c>) -> RewriteResult {
    let operand = op.operand();
    ensure(
        is_iota(&op.permutation()) && operand.ty() == op.result().ty(),
        "it moves dimensions, or the types differ",
    )?;
    b.replace_merged(op.operation(), operand)
}

/// `transpose(transpose(x))` -> one transposition
fn transpose_of_transpose<'c>(b: &Builder<'c>, op: stablehlo::TransposeOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let inner = defined_by::<stablehlo::TransposeOp>(operand)?;
    let source = inner.operand();
    let merged = compose(&inner.permutation(), &op.permutation())?;
    let new = stablehlo::TransposeOp::build(b, source, &merged)
        .result_types(&[op.result().ty()])
        .value();
    b.replace_merged(op.operation(), new)
}

/// `transpose(x)` that moves only dimensions of size 1 -> `reshape(x)`
fn transpose_is_reshape<'c>(b: &Builder<'c>, op: stablehlo::TransposeOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let result = op.result().ty();
    let shape = static_shape(operand.ty())?;
    static_shape(result)?;
    let permutation = op.permutation();
    ensure(!is_iota(&permutation), "it moves no dimension")?;
    let moved: Vec<i64> = permutation
        .into_iter()
        .filter(|dimension| shape.get(*dimension as usize) != Some(&1))
        .collect();
    ensure(
        moved.is_sorted(),
        "it moves dimensions that are not of size one",
    )?;
    let new = stablehlo::reshape(b, operand, result);
    b.replace(op.operation(), &[new]);
    Ok(())
}
