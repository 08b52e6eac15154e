//! Ops with computed shapes whose shapes are known, and chains of them.

use super::{Options, shape::compose};
use crate::{
    matchers::{
        constant_of, defined_by, dim_size, dims, ensure, integer, integers_of, is_iota, operands,
        result_type, static_shape,
    },
    transforms::emit,
};
use halo_ir::{
    Builder, Operation, OptionPattern, RewriteError, RewriteResult, Type, Value, attribute_of,
    element_type, i64_array_attribute, i64_array_value, integer_attribute, integer_type, is_index,
    name_of, operands_of, shape_of, tensor_type, uses_of,
};
use halo_ir::{defining_operation, static_shape_of, with_element_type};
use melior::ir::{ValueLike, r#type::RankedTensorType};

type Pattern = OptionPattern<Options>;

pub(super) static PATTERNS: &[Pattern] = &[
    Pattern::new("shape.shape_of", shape_of_dynamic_reshape),
    Pattern::new("stablehlo.dynamic_broadcast_in_dim", broadcast_is_identity),
    Pattern::new("stablehlo.dynamic_broadcast_in_dim", broadcast_is_static),
    Pattern::new("stablehlo.dynamic_broadcast_in_dim", broadcast_of_broadcast),
    Pattern::new("stablehlo.dynamic_broadcast_in_dim", broadcast_of_reshape),
    Pattern::new("stablehlo.dynamic_gather", gather_is_static),
    Pattern {
        benefit: 2,
        ..Pattern::new("stablehlo.dynamic_iota", iota_is_static)
    },
    Pattern::new("stablehlo.dynamic_iota", iota_along_one_dimension),
    Pattern::new("stablehlo.dynamic_pad", pad_is_static),
    Pattern::new("stablehlo.dynamic_reshape", reshape_back),
    Pattern::new("stablehlo.dynamic_reshape", reshape_is_static),
    Pattern::new("stablehlo.dynamic_reshape", reshape_of_reshape),
    Pattern::new("stablehlo.get_dimension_size", dimension_is_static),
    Pattern::new("stablehlo.real_dynamic_slice", slice_is_static),
    Pattern::new("stablehlo.real_dynamic_slice", slice_of_fixed_size),
];

/// A tensor type of any dimensions, `None` standing for a dynamic one.
fn ranked<'c>(shape: &[Option<i64>], element: Type<'c>) -> Type<'c> {
    // The C interface takes the number that stands for a dynamic size.
    let sizes: Vec<u64> = shape
        .iter()
        .map(|size| size.unwrap_or(i64::MIN) as u64)
        .collect();
    RankedTensorType::new(&sizes, element, None).into()
}

/// Replaces an op with a value that says more about its shape. Ops of other
/// dialects, such as `func.return`, insist on the old type.
fn replace_refined<'c>(b: &Builder<'c>, op: Operation<'c>, value: Value<'c>) -> RewriteResult {
    let result = result_type(op)?;
    let foreign = halo_ir::results_of(op)
        .into_iter()
        .flat_map(uses_of)
        .any(|(user, _)| !name_of(user).starts_with("stablehlo."));
    let value = if foreign && value.r#type() != result {
        b.value("stablehlo.convert", &[value], result)?
    } else {
        value
    };
    b.replace(op, &[value])?;
    Ok(())
}

/// `shape_of(dynamic_reshape(x, shape))` -> `shape`
fn shape_of_dynamic_reshape<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand] = operands(op)?;
    let [_, shape] = operands(defined_by(operand, "stablehlo.dynamic_reshape")?)?;
    ensure(shape.r#type() == result_type(op)?)?;
    emit::replace_merged(b, op, shape)?;
    Ok(())
}

/// A broadcast to the shape of its operand, or one that makes no dimension
/// grow -> the operand
fn broadcast_is_identity<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, shape] = operands(op)?;
    let result = result_type(op)?;
    ensure(is_iota(&dims(op, "broadcast_dimensions")?))?;
    if let Ok(shape_op) = defined_by(shape, "shape.shape_of")
        && operands(shape_op) == Ok([operand])
        && operand.r#type() == result
    {
        emit::replace_merged(b, op, operand)?;
        return Ok(());
    }
    let rank = shape_of(result).ok_or(RewriteError::NoMatch)?.len();
    let staying = attribute_of(op, "known_nonexpanding_dimensions").and_then(i64_array_value);
    ensure(staying.is_some_and(|staying| staying.len() == rank))?;
    if operand.r#type() == result {
        emit::replace_merged(b, op, operand)?;
        return Ok(());
    }
    // The result may be of another shape in its type.
    let new = b.value("stablehlo.convert", &[operand], result)?;
    emit::replace_merged(b, op, new)?;
    Ok(())
}

/// To a known shape -> `broadcast_in_dim`
fn broadcast_is_static<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, shape] = operands(op)?;
    static_shape(operand.r#type())?;
    let dimensions = dims(op, "broadcast_dimensions")?;
    let result = result_type(op)?;
    let known = if static_shape_of(result).is_some() {
        result
    } else {
        let sizes = integers_of(shape).ok_or(RewriteError::NoMatch)?;
        tensor_type(&sizes, element_type(result))
    };
    let new = emit::broadcast_in_dim(b, operand, &dimensions, known)?;
    replace_refined(b, op, new)
}

/// `broadcast(broadcast(x, _, inner), shape, outer)` -> one broadcast
fn broadcast_of_broadcast<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, shape] = operands(op)?;
    let inner = defined_by(operand, "stablehlo.dynamic_broadcast_in_dim")?;
    let [source, _] = operands(inner)?;
    let merged = compose(
        &dims(op, "broadcast_dimensions")?,
        &dims(inner, "broadcast_dimensions")?,
    )?;
    let new = emit::dynamic_broadcast_in_dim(b, source, shape, &merged, result_type(op)?)?;
    emit::replace_merged(b, op, new)?;
    Ok(())
}

/// A broadcast to the shape that its operand was just given -> a reshape to it
fn broadcast_of_reshape<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, shape] = operands(op)?;
    ensure(is_iota(&dims(op, "broadcast_dimensions")?))?;
    let [source, given] = operands(defined_by(operand, "stablehlo.dynamic_reshape")?)?;
    ensure(given == shape)?;
    let new = b.value(
        "stablehlo.dynamic_reshape",
        &[source, shape],
        result_type(op)?,
    )?;
    emit::replace_merged(b, op, new)?;
    Ok(())
}

/// With constant sizes -> `gather`
fn gather_is_static<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, indices, sizes] = operands(op)?;
    let sizes = integers_of(sizes).ok_or(RewriteError::NoMatch)?;
    let results = [result_type(op)?];
    let mut spec = b
        .op("stablehlo.gather")
        .operands(&[operand, indices])
        .results(&results)
        .attribute("slice_sizes", i64_array_attribute(b.context(), &sizes));
    for (name, attribute) in halo_ir::attributes_of(op) {
        spec = spec.attribute(name, attribute);
    }
    let new = spec.insert()?;
    emit::replace_with(b, op, new)?;
    Ok(())
}

/// Of a known shape -> `iota`
fn iota_is_static<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let result = result_type(op)?;
    static_shape(result)?;
    let new = emit::iota(b, integer(op, "iota_dimension")?, result)?;
    b.replace(op, &[new])?;
    Ok(())
}

/// Of several dimensions -> the broadcast of one of one dimension
fn iota_along_one_dimension<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [shape] = operands(op)?;
    let result = result_type(op)?;
    let sizes = shape_of(result).ok_or(RewriteError::NoMatch)?;
    ensure(sizes.len() >= 2)?;
    let dimension = integer(op, "iota_dimension")?;
    let size = *sizes.get(dimension as usize).ok_or(RewriteError::NoMatch)?;
    let wide = integer_type(b.context(), 64);
    let wide_shape = if is_index(element_type(shape.r#type())) {
        let r#type = with_element_type(shape.r#type(), wide);
        b.value("arith.index_cast", &[shape], r#type)?
    } else {
        emit::convert(b, shape, wide)?
    };
    let length = emit::vector_part(b, wide_shape, dimension, dimension + 1)?;
    let vector = b
        .op("stablehlo.dynamic_iota")
        .operands(&[length])
        .attribute("iota_dimension", integer_attribute(wide, 0))
        .result(ranked(&[size], element_type(result)))
        .value()?;
    let new = emit::dynamic_broadcast_in_dim(b, vector, shape, &[dimension], result)?;
    b.replace(op, &[new])?;
    Ok(())
}

/// By constant amounts -> `pad`
fn pad_is_static<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, padding, low, high, interior] = operands(op)?;
    let (Some(low), Some(high), Some(interior)) =
        (integers_of(low), integers_of(high), integers_of(interior))
    else {
        return Err(RewriteError::NoMatch);
    };
    let new = b
        .op("stablehlo.pad")
        .operands(&[operand, padding])
        .attribute("edge_padding_low", i64_array_attribute(b.context(), &low))
        .attribute("edge_padding_high", i64_array_attribute(b.context(), &high))
        .attribute(
            "interior_padding",
            i64_array_attribute(b.context(), &interior),
        )
        .result(result_type(op)?)
        .insert()?;
    emit::replace_with(b, op, new)?;
    Ok(())
}

/// To a known shape -> `reshape`
fn reshape_is_static<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, _] = operands(op)?;
    let result = result_type(op)?;
    static_shape(result)?;
    let new = emit::reshape(b, operand, result)?;
    b.replace(op, &[new])?;
    Ok(())
}

/// `reshape(reshape(x, _), shape)` -> `reshape(x, shape)`
fn reshape_of_reshape<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, shape] = operands(op)?;
    let [source, _] = operands(defined_by(operand, "stablehlo.dynamic_reshape")?)?;
    let new = b.value(
        "stablehlo.dynamic_reshape",
        &[source, shape],
        result_type(op)?,
    )?;
    emit::replace_merged(b, op, new)?;
    Ok(())
}

/// `reshape(f(reshape(x, shape), ...), shape)` -> `f(reshape(x, shape), ...)`,
/// for an elementwise `f`
fn reshape_back<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, shape] = operands(op)?;
    let (definition, _) = defining_operation(operand).ok_or(RewriteError::NoMatch)?;
    ensure(is_elementwise(name_of(definition)))?;
    let first = *operands_of(definition)
        .first()
        .ok_or(RewriteError::NoMatch)?;
    let [_, given] = operands(defined_by(first, "stablehlo.dynamic_reshape")?)?;
    ensure(given == shape && operand.r#type() == result_type(op)?)?;
    b.replace(op, &[operand])?;
    Ok(())
}

/// Whether an op has one result of the shape of all its operands.
fn is_elementwise(name: &str) -> bool {
    static NAMES: &[&str] = &[
        "abs",
        "add",
        "and",
        "atan2",
        "cbrt",
        "ceil",
        "compare",
        "complex",
        "convert",
        "cosine",
        "count_leading_zeros",
        "divide",
        "exponential",
        "exponential_minus_one",
        "floor",
        "imag",
        "is_finite",
        "log",
        "log_plus_one",
        "logistic",
        "maximum",
        "minimum",
        "multiply",
        "negate",
        "not",
        "or",
        "popcnt",
        "power",
        "real",
        "reduce_precision",
        "remainder",
        "round_nearest_afz",
        "round_nearest_even",
        "rsqrt",
        "shift_left",
        "shift_right_arithmetic",
        "shift_right_logical",
        "sign",
        "sine",
        "sqrt",
        "subtract",
        "tan",
        "tanh",
        "uniform_dequantize",
        "uniform_quantize",
        "xor",
    ];
    name.strip_prefix("stablehlo.")
        .is_some_and(|name| NAMES.binary_search(&name).is_ok())
}

/// `get_dimension_size` of a known size -> the size
fn dimension_is_static<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand] = operands(op)?;
    let dimension = integer(op, "dimension")?;
    let size = dim_size(operand.r#type(), dimension).ok_or(RewriteError::NoMatch)?;
    let new = emit::integers(b, result_type(op)?, &[size])?;
    b.replace(op, &[new])?;
    Ok(())
}

/// At constant positions -> `slice`
fn slice_is_static<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, start, limit, strides] = operands(op)?;
    let (Some(start), Some(limit), Some(strides)) =
        (integers_of(start), integers_of(limit), integers_of(strides))
    else {
        return Err(RewriteError::NoMatch);
    };
    let new = emit::slice(b, operand, &start, &limit, &strides, result_type(op)?)?;
    emit::replace_merged(b, op, new)?;
    Ok(())
}

/// From `start` to `start` plus a constant -> `dynamic_slice`
fn slice_of_fixed_size<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand, start, limit, strides] = operands(op)?;
    ensure(integers_of(strides).is_some_and(|strides| strides.iter().all(|stride| *stride == 1)))?;
    ensure(constant_of(start).is_none())?;
    let [lhs, rhs] = operands(defined_by(limit, "stablehlo.add")?)?;
    let sizes = if lhs == start {
        integers_of(rhs)
    } else if rhs == start {
        integers_of(lhs)
    } else {
        None
    }
    .ok_or(RewriteError::NoMatch)?;
    ensure(!is_index(element_type(start.r#type())))?;
    let mut all = vec![operand];
    let scalar = tensor_type(&[], element_type(start.r#type()));
    for index in 0..sizes.len() as i64 {
        let part = emit::vector_part(b, start, index, index + 1)?;
        all.push(emit::reshape(b, part, scalar)?);
    }
    let new = b
        .op("stablehlo.dynamic_slice")
        .operands(&all)
        .attribute("slice_sizes", i64_array_attribute(b.context(), &sizes))
        .result(result_type(op)?)
        .insert()?;
    emit::replace_with(b, op, new)?;
    Ok(())
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
