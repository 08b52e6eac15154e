//! Ops of StableHLO as the passes write them.
//!
//! Each function creates one op and returns its result, so that a rewrite reads
//! like the formula that it is.

use halo_ir::{
    Attribute, BuildError, Builder, Operation, RewriteError, Type, Value, attributes_of,
    dense_from_floats, dense_from_integers, dense_number, element_type, i64_array_attribute,
    integer_attribute, integer_type, merge_discardable, result_types_of, tensor_type,
    with_element_type,
};
use melior::ir::{ValueLike, operation::OperationLike};

/// The result of a new op.
pub type Built<'c> = Result<Value<'c>, BuildError>;

/// `stablehlo.constant`
pub fn constant<'c>(b: &Builder<'c>, value: Attribute<'c>, result: Type<'c>) -> Built<'c> {
    b.op("stablehlo.constant")
        .attribute("value", value)
        .result(result)
        .value()
}

/// A constant that is the same number everywhere.
pub fn number<'c>(
    b: &Builder<'c>,
    r#type: Type<'c>,
    value: f64,
) -> Result<Value<'c>, RewriteError> {
    let value = dense_number(r#type, value).ok_or(RewriteError::NoMatch)?;
    Ok(constant(b, value, r#type)?)
}

/// A constant of integers.
pub fn integers<'c>(
    b: &Builder<'c>,
    r#type: Type<'c>,
    values: &[i64],
) -> Result<Value<'c>, RewriteError> {
    let value = dense_from_integers(r#type, values).ok_or(RewriteError::NoMatch)?;
    Ok(constant(b, value, r#type)?)
}

/// A constant of floats.
pub fn floats<'c>(
    b: &Builder<'c>,
    r#type: Type<'c>,
    values: &[f64],
) -> Result<Value<'c>, RewriteError> {
    let value = dense_from_floats(r#type, values).ok_or(RewriteError::NoMatch)?;
    Ok(constant(b, value, r#type)?)
}

/// An op of one operand and the operand's type.
pub fn unary<'c>(b: &Builder<'c>, name: &str, operand: Value<'c>) -> Built<'c> {
    b.value(name, &[operand], operand.r#type())
}

/// An op of two operands and the type of the first.
pub fn binary<'c>(b: &Builder<'c>, name: &str, lhs: Value<'c>, rhs: Value<'c>) -> Built<'c> {
    b.value(name, &[lhs, rhs], lhs.r#type())
}

/// `stablehlo.convert` to another element type, left out where it is the same.
pub fn convert<'c>(b: &Builder<'c>, operand: Value<'c>, element: Type<'c>) -> Built<'c> {
    if element_type(operand.r#type()) == element {
        return Ok(operand);
    }
    let result = with_element_type(operand.r#type(), element);
    b.value("stablehlo.convert", &[operand], result)
}

/// `stablehlo.reshape`
pub fn reshape<'c>(b: &Builder<'c>, operand: Value<'c>, result: Type<'c>) -> Built<'c> {
    b.value("stablehlo.reshape", &[operand], result)
}

/// `stablehlo.transpose`
pub fn transpose<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
    permutation: &[i64],
    result: Type<'c>,
) -> Built<'c> {
    b.op("stablehlo.transpose")
        .operands(&[operand])
        .attribute("permutation", i64_array_attribute(b.context(), permutation))
        .result(result)
        .value()
}

/// `stablehlo.broadcast_in_dim`
pub fn broadcast_in_dim<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
    dimensions: &[i64],
    result: Type<'c>,
) -> Built<'c> {
    b.op("stablehlo.broadcast_in_dim")
        .operands(&[operand])
        .attribute(
            "broadcast_dimensions",
            i64_array_attribute(b.context(), dimensions),
        )
        .result(result)
        .value()
}

/// `stablehlo.dynamic_broadcast_in_dim`
pub fn dynamic_broadcast_in_dim<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
    shape: Value<'c>,
    dimensions: &[i64],
    result: Type<'c>,
) -> Built<'c> {
    b.op("stablehlo.dynamic_broadcast_in_dim")
        .operands(&[operand, shape])
        .attribute(
            "broadcast_dimensions",
            i64_array_attribute(b.context(), dimensions),
        )
        .result(result)
        .value()
}

/// `stablehlo.iota`
pub fn iota<'c>(b: &Builder<'c>, dimension: i64, result: Type<'c>) -> Built<'c> {
    b.op("stablehlo.iota")
        .attribute(
            "iota_dimension",
            integer_attribute(integer_type(b.context(), 64), dimension),
        )
        .result(result)
        .value()
}

/// `stablehlo.dynamic_iota`
pub fn dynamic_iota<'c>(
    b: &Builder<'c>,
    shape: Value<'c>,
    dimension: i64,
    result: Type<'c>,
) -> Built<'c> {
    b.op("stablehlo.dynamic_iota")
        .operands(&[shape])
        .attribute(
            "iota_dimension",
            integer_attribute(integer_type(b.context(), 64), dimension),
        )
        .result(result)
        .value()
}

/// `stablehlo.reduce` that adds, over some dimensions.
pub fn sum<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
    dimensions: &[i64],
    result: Type<'c>,
) -> Result<Value<'c>, RewriteError> {
    let scalar = tensor_type(&[], element_type(operand.r#type()));
    let zero = number(b, scalar, 0.0)?;
    let add = b.region(&[scalar, scalar], |b, arguments| {
        let sum = b.value("stablehlo.add", arguments, scalar)?;
        b.op("stablehlo.return").operands(&[sum]).insert()?;
        Ok::<_, RewriteError>(())
    })?;
    Ok(b.op("stablehlo.reduce")
        .operands(&[operand, zero])
        .result(result)
        .attribute("dimensions", i64_array_attribute(b.context(), dimensions))
        .region(add)
        .value()?)
}

/// `stablehlo.slice`
pub fn slice<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
    start: &[i64],
    limit: &[i64],
    strides: &[i64],
    result: Type<'c>,
) -> Built<'c> {
    b.op("stablehlo.slice")
        .operands(&[operand])
        .attribute("start_indices", i64_array_attribute(b.context(), start))
        .attribute("limit_indices", i64_array_attribute(b.context(), limit))
        .attribute("strides", i64_array_attribute(b.context(), strides))
        .result(result)
        .value()
}

/// The part `start..limit` of a vector.
pub fn vector_part<'c>(b: &Builder<'c>, vector: Value<'c>, start: i64, limit: i64) -> Built<'c> {
    let result = tensor_type(&[limit - start], element_type(vector.r#type()));
    slice(b, vector, &[start], &[limit], &[1], result)
}

/// `stablehlo.concatenate`
pub fn concatenate<'c>(
    b: &Builder<'c>,
    inputs: &[Value<'c>],
    dimension: i64,
    result: Type<'c>,
) -> Built<'c> {
    b.op("stablehlo.concatenate")
        .operands(inputs)
        .attribute(
            "dimension",
            integer_attribute(integer_type(b.context(), 64), dimension),
        )
        .result(result)
        .value()
}

/// An op like another one, all attributes kept, without regions.
pub fn rebuild<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    name: &str,
    operands: &[Value<'c>],
    results: &[Type<'c>],
) -> Result<Operation<'c>, BuildError> {
    let mut spec = b.op(name).operands(operands).results(results);
    for (name, attribute) in attributes_of(op) {
        spec = spec.attribute(name, attribute);
    }
    spec.insert()
}

/// The same op with other operands; the result types stay.
pub fn with_operands<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Value<'c>],
) -> Result<Operation<'c>, BuildError> {
    rebuild(b, op, halo_ir::name_of(op), operands, &result_types_of(op))
}

/// Replaces an op of one result with a value that takes over its discardable
/// attributes.
pub fn replace_merged<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    value: Value<'c>,
) -> Result<(), BuildError> {
    if let Some((definition, _)) = halo_ir::defining_operation(value) {
        merge_discardable(b.context(), op, definition);
    }
    b.replace(op, &[value])
}

/// Replaces an op with another one that takes over its discardable attributes.
pub fn replace_with<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    new: Operation<'c>,
) -> Result<(), BuildError> {
    merge_discardable(b.context(), op, new);
    let values: Vec<Value> = new.results().map(Into::into).collect();
    b.replace(op, &values)
}
