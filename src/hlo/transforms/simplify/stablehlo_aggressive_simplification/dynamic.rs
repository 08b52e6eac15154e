//! Dynamic ops with static shapes, and chains of dynamic ops.

use super::shape::compose;
use crate::matchers::{
    ELEMENTWISE, constant_of, defined_by, dim_size, ensure, i64s_of, is_iota, result_type,
    static_shape,
};
use halo_ir::{ops::shape, prelude::*};
use melior::ir::r#type::RankedTensorType;

pub(super) fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<shape::ShapeOfOp>(shape_of_dynamic_reshape),
        Pattern::new::<stablehlo::DynamicBroadcastInDimOp>(broadcast_is_identity),
        Pattern::new::<stablehlo::DynamicBroadcastInDimOp>(broadcast_is_static),
        Pattern::new::<stablehlo::DynamicBroadcastInDimOp>(broadcast_of_broadcast),
        Pattern::new::<stablehlo::DynamicBroadcastInDimOp>(broadcast_of_reshape),
        Pattern::new::<stablehlo::DynamicGatherOp>(gather_is_static),
        Pattern::new::<stablehlo::DynamicIotaOp>(iota_is_static).benefit(2),
        Pattern::new::<stablehlo::DynamicIotaOp>(iota_along_one_dimension),
        Pattern::new::<stablehlo::DynamicPadOp>(pad_is_static),
        Pattern::new::<stablehlo::DynamicReshapeOp>(reshape_back),
        Pattern::new::<stablehlo::DynamicReshapeOp>(reshape_is_static),
        Pattern::new::<stablehlo::DynamicReshapeOp>(reshape_of_reshape),
        Pattern::new::<stablehlo::GetDimensionSizeOp>(dimension_is_static),
        Pattern::new::<stablehlo::RealDynamicSliceOp>(slice_is_static),
        Pattern::new::<stablehlo::RealDynamicSliceOp>(slice_of_fixed_size),
    ]
}

/// A tensor type with these dimensions, `None` for dynamic ones.
fn ranked<'c>(shape: &[Option<i64>], element: Type<'c>) -> Type<'c> {
    // The C interface takes the number that represents a dynamic size.
    let sizes: Vec<u64> = shape.iter().map(|size| size.unwrap_or(i64::MIN) as u64).collect();
    RankedTensorType::new(&sizes, element, None).into()
}

/// Replaces an op by a value with a more static shape. Ops of other dialects, such as
/// `func.return`, require the old type.
fn replace_refined<'c>(b: &Builder<'c>, op: Operation<'c>, value: Value<'c>) -> RewriteResult {
    let result = result_type(op)?;
    let foreign = op
        .results()
        .into_iter()
        .flat_map(Value::uses)
        .any(|(user, _)| !user.name().starts_with("stablehlo."));
    let value = if foreign && value.ty() != result {
        stablehlo::convert(b, value, result)
    } else {
        value
    };
    b.replace(op, &[value]);
    Ok(())
}

/// `shape_of(dynamic_reshape(x, shape))` -> `shape`
fn shape_of_dynamic_reshape<'c>(b: &Builder<'c>, op: shape::ShapeOfOp<'c>) -> RewriteResult {
    let operand = op.arg();
    let shape = defined_by::<stablehlo::DynamicReshapeOp>(operand)?.output_shape();
    ensure(
        shape.ty() == op.result().ty(),
        "the types of the operand and the result differ",
    )?;
    b.replace_merged(op.operation(), shape)
}

/// A broadcast to the shape of its operand, or one that expands no dimension -> the operand
fn broadcast_is_identity<'c>(
    b: &Builder<'c>,
    op: stablehlo::DynamicBroadcastInDimOp<'c>,
) -> RewriteResult {
    let (operand, shape) = (op.operand(), op.output_dimensions());
    let result = op.result().ty();
    ensure(is_iota(&op.broadcast_dimensions()), "it moves dimensions")?;
    if let Ok(shape_op) = defined_by::<shape::ShapeOfOp>(shape)
        && shape_op.arg() == operand
        && operand.ty() == result
    {
        return b.replace_merged(op.operation(), operand);
    }
    let rank = result.shape().ok_or_else(|| no_match("a tensor is unranked"))?.len();
    let staying = op.known_nonexpanding_dimensions();
    ensure(
        staying.is_some_and(|staying| staying.len() == rank),
        "not every dimension stays",
    )?;
    if operand.ty() == result {
        return b.replace_merged(op.operation(), operand);
    }
    // The type of the result may have another shape.
    let new = stablehlo::convert(b, operand, result);
    b.replace_merged(op.operation(), new)
}

/// `dynamic_broadcast_in_dim` to a known shape -> `broadcast_in_dim`
fn broadcast_is_static<'c>(
    b: &Builder<'c>,
    op: stablehlo::DynamicBroadcastInDimOp<'c>,
) -> RewriteResult {
    let (operand, shape) = (op.operand(), op.output_dimensions());
    static_shape(operand.ty())?;
    let dimensions = op.broadcast_dimensions();
    let result = op.result().ty();
    let known = if result.static_shape().is_some() {
        result
    } else {
        let sizes = i64s_of(shape).ok_or_else(|| no_match("the shape is not constant"))?;
        tensor_type(&sizes, result.element_type())
    };
    let new = stablehlo::broadcast_in_dim(b, operand, &dimensions, known);
    replace_refined(b, op.operation(), new)
}

/// `broadcast(broadcast(x, _, inner), shape, outer)` -> one broadcast
fn broadcast_of_broadcast<'c>(
    b: &Builder<'c>,
    op: stablehlo::DynamicBroadcastInDimOp<'c>,
) -> RewriteResult {
    let (operand, shape) = (op.operand(), op.output_dimensions());
    let inner = defined_by::<stablehlo::DynamicBroadcastInDimOp>(operand)?;
    let source = inner.operand();
    let merged = compose(&op.broadcast_dimensions(), &inner.broadcast_dimensions())?;
    let new = stablehlo::dynamic_broadcast_in_dim(b, source, shape, &merged, op.result().ty());
    b.replace_merged(op.operation(), new)
}

/// A broadcast to the shape of a reshape of its operand -> a reshape to it
fn broadcast_of_reshape<'c>(
    b: &Builder<'c>,
    op: stablehlo::DynamicBroadcastInDimOp<'c>,
) -> RewriteResult {
    let (operand, shape) = (op.operand(), op.output_dimensions());
    ensure(is_iota(&op.broadcast_dimensions()), "it moves dimensions")?;
    let inner = defined_by::<stablehlo::DynamicReshapeOp>(operand)?;
    let (source, given) = (inner.operand(), inner.output_shape());
    ensure(given == shape, "it broadcasts to another shape")?;
    let new = stablehlo::dynamic_reshape(b, source, shape, op.result().ty());
    b.replace_merged(op.operation(), new)
}

/// `dynamic_gather` with constant sizes -> `gather`
fn gather_is_static<'c>(b: &Builder<'c>, op: stablehlo::DynamicGatherOp<'c>) -> RewriteResult {
    let sizes = i64s_of(op.slice_sizes())
        .ok_or_else(|| no_match("the sizes of the slice are not constant"))?;
    let new = stablehlo::static_gather(b, op, &sizes);
    b.replace(op.operation(), &[new]);
    Ok(())
}

/// `dynamic_iota` of a known shape -> `iota`
fn iota_is_static<'c>(b: &Builder<'c>, op: stablehlo::DynamicIotaOp<'c>) -> RewriteResult {
    let result = op.result().ty();
    static_shape(result)?;
    let new = stablehlo::iota(b, op.iota_dimension(), result);
    b.replace(op.operation(), &[new]);
    Ok(())
}

/// `dynamic_iota` of several dimensions -> the broadcast of a one-dimensional one
fn iota_along_one_dimension<'c>(
    b: &Builder<'c>,
    op: stablehlo::DynamicIotaOp<'c>,
) -> RewriteResult {
    let shape = op.output_shape();
    let result = op.result().ty();
    let sizes = result.shape().ok_or_else(|| no_match("a tensor is unranked"))?;
    ensure(sizes.len() >= 2, "the result has fewer than two dimensions")?;
    let dimension = op.iota_dimension();
    let size = *sizes
        .get(dimension as usize)
        .ok_or_else(|| no_match("a dimension is out of range"))?;
    let wide = integer_type(b.context(), 64);
    let wide_shape = if shape.ty().element_type().is_index() {
        let ty = shape.ty().with_element_type(wide);
        arith::index_cast(b, shape, ty)
    } else {
        stablehlo::convert_elements(b, shape, wide)
    };
    let length = stablehlo::vector_part(b, wide_shape, dimension, dimension + 1);
    let line = ranked(&[size], result.element_type());
    let vector = stablehlo::dynamic_iota(b, length, 0, line);
    let new = stablehlo::dynamic_broadcast_in_dim(b, vector, shape, &[dimension], result);
    b.replace(op.operation(), &[new]);
    Ok(())
}

/// `dynamic_pad` by constant amounts -> `pad`
fn pad_is_static<'c>(b: &Builder<'c>, op: stablehlo::DynamicPadOp<'c>) -> RewriteResult {
    let (operand, padding, low, high, interior) = (
        op.operand(),
        op.padding_value(),
        op.edge_padding_low(),
        op.edge_padding_high(),
        op.interior_padding(),
    );
    let (Some(low), Some(high), Some(interior)) = (i64s_of(low), i64s_of(high), i64s_of(interior))
    else {
        return Err(no_match("an amount of padding is not constant"));
    };
    let new = stablehlo::PadOp::build(b, operand, padding, &low, &high, &interior)
        .result_types(&[op.result().ty()])
        .value();
    b.replace_merged(op.operation(), new)
}

/// `dynamic_reshape` to a known shape -> `reshape`
fn reshape_is_static<'c>(b: &Builder<'c>, op: stablehlo::DynamicReshapeOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let result = op.result().ty();
    static_shape(result)?;
    let new = stablehlo::reshape(b, operand, result);
    b.replace(op.operation(), &[new]);
    Ok(())
}

/// `reshape(reshape(x, _), shape)` -> `reshape(x, shape)`
fn reshape_of_reshape<'c>(b: &Builder<'c>, op: stablehlo::DynamicReshapeOp<'c>) -> RewriteResult {
    let (operand, shape) = (op.operand(), op.output_shape());
    let source = defined_by::<stablehlo::DynamicReshapeOp>(operand)?.operand();
    let new = stablehlo::dynamic_reshape(b, source, shape, op.result().ty());
    b.replace_merged(op.operation(), new)
}

/// `reshape(f(reshape(x, shape), ...), shape)` -> `f(reshape(x, shape), ...)`,
/// for an elementwise `f`
fn reshape_back<'c>(b: &Builder<'c>, op: stablehlo::DynamicReshapeOp<'c>) -> RewriteResult {
    let (operand, shape) = (op.operand(), op.output_shape());
    let definition = operand.defining_op().ok_or_else(|| no_match("the operand is an argument"))?;
    ensure(
        is_elementwise(definition.name()),
        "the operand is not computed elementwise",
    )?;
    let first = *definition
        .operands()
        .first()
        .ok_or_else(|| no_match("the op that defines the operand has no operands"))?;
    let given = defined_by::<stablehlo::DynamicReshapeOp>(first)?.output_shape();
    ensure(
        given == shape && operand.ty() == op.result().ty(),
        "the shape is not that of the operand",
    )?;
    b.replace(op.operation(), &[operand]);
    Ok(())
}

/// Returns true if an op has one result with the shape of all its operands.
fn is_elementwise(name: &str) -> bool {
    const QUANTIZATION: [&str; 2] = [
        stablehlo::UniformDequantizeOp::NAME,
        stablehlo::UniformQuantizeOp::NAME,
    ];
    ELEMENTWISE.binary_search(&name).is_ok() || QUANTIZATION.contains(&name)
}

/// `get_dimension_size` of a known size -> the size
fn dimension_is_static<'c>(
    b: &Builder<'c>,
    op: stablehlo::GetDimensionSizeOp<'c>,
) -> RewriteResult {
    let operand = op.operand();
    let dimension = op.dimension();
    let size = dim_size(operand.ty(), dimension).ok_or_else(|| no_match("the size is dynamic"))?;
    let new = stablehlo::integers(b, op.result().ty(), &[size])?;
    b.replace(op.operation(), &[new]);
    Ok(())
}

/// `real_dynamic_slice` at constant positions -> `slice`
fn slice_is_static<'c>(b: &Builder<'c>, op: stablehlo::RealDynamicSliceOp<'c>) -> RewriteResult {
    let (operand, start, limit, strides) = (
        op.operand(),
        op.start_indices(),
        op.limit_indices(),
        op.strides(),
    );
    let (Some(start), Some(limit), Some(strides)) =
        (i64s_of(start), i64s_of(limit), i64s_of(strides))
    else {
        return Err(no_match("a bound is not constant"));
    };
    let new = stablehlo::SliceOp::build(b, operand, &start, &limit, &strides)
        .result_types(&[op.result().ty()])
        .value();
    b.replace_merged(op.operation(), new)
}

/// `real_dynamic_slice` from `start` to `start` plus a constant -> `dynamic_slice`
fn slice_of_fixed_size<'c>(
    b: &Builder<'c>,
    op: stablehlo::RealDynamicSliceOp<'c>,
) -> RewriteResult {
    let (operand, start, limit, strides) = (
        op.operand(),
        op.start_indices(),
        op.limit_indices(),
        op.strides(),
    );
    ensure(
        i64s_of(strides).is_some_and(|strides| strides.iter().all(|stride| *stride == 1)),
        "a stride is not one",
    )?;
    ensure(constant_of(start).is_none(), "the start is constant")?;
    let inner = defined_by::<stablehlo::AddOp>(limit)?;
    let (lhs, rhs) = (inner.lhs(), inner.rhs());
    let sizes = if lhs == start {
        i64s_of(rhs)
    } else if rhs == start {
        i64s_of(lhs)
    } else {
        None
    }
    .ok_or_else(|| no_match("a size is dynamic"))?;
    ensure(
        !start.ty().element_type().is_index(),
        "the start is an index",
    )?;
    let scalar = tensor_type(&[], start.ty().element_type());
    let mut starts = Vec::with_capacity(sizes.len());
    for index in 0..sizes.len() as i64 {
        let part = stablehlo::vector_part(b, start, index, index + 1);
        starts.push(stablehlo::reshape(b, part, scalar));
    }
    let new = stablehlo::DynamicSliceOp::build(b, operand, &starts, &sizes)
        .result_types(&[op.result().ty()])
        .value();
    b.replace_merged(op.operation(), new)
}

#[cfg(test)]
mod tests {
    use super::is_elementwise;

    #[test]
    fn elementwise_ops_are_found() {
        for name in ["abs", "compare", "is_finite", "negate", "sine", "xor"] {
            assert!(is_elementwise(&format!("stablehlo.{name}")), "{name}");
        }
        assert!(!is_elementwise("stablehlo.reverse"));
        assert!(!is_elementwise("arith.addf"));
    }
}
