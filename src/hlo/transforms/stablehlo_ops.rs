//! Shorthands of passes beyond single ops of StableHLO: constants, ops that are
//! omitted if they would change nothing, and replacements of ops.

use halo_ir::{dense_from_floats, dense_from_integers, dense_number, prelude::*};

/// A constant that is the same number everywhere.
pub fn number<'c>(b: &Builder<'c>, ty: Type<'c>, value: f64) -> RewriteResult<Value<'c>> {
    let value = dense_number(ty, value).ok_or_else(|| no_match("a type takes no such constant"))?;
    Ok(stablehlo::constant(b, value))
}

/// A constant of integers.
pub fn integers<'c>(b: &Builder<'c>, ty: Type<'c>, values: &[i64]) -> RewriteResult<Value<'c>> {
    let value =
        dense_from_integers(ty, values).ok_or_else(|| no_match("a type takes no such constant"))?;
    Ok(stablehlo::constant(b, value))
}

/// A constant of floats.
pub fn floats<'c>(b: &Builder<'c>, ty: Type<'c>, values: &[f64]) -> RewriteResult<Value<'c>> {
    let value =
        dense_from_floats(ty, values).ok_or_else(|| no_match("a type takes no such constant"))?;
    Ok(stablehlo::constant(b, value))
}

/// `stablehlo.convert` to another element type, left out where it is the same.
pub fn convert<'c>(b: &Builder<'c>, operand: Value<'c>, element: Type<'c>) -> Value<'c> {
    if operand.ty().element_type() == element {
        return operand;
    }
    let result = operand.ty().with_element_type(element);
    stablehlo::convert(b, operand, result)
}

/// `stablehlo.reduce` that adds, over some dimensions.
pub fn sum<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
    dimensions: &[i64],
) -> RewriteResult<Value<'c>> {
    let scalar = tensor_type(&[], operand.ty().element_type());
    let zero = number(b, scalar, 0.0)?;
    let sum = stablehlo::reduce(b, &[operand], &[zero], dimensions, |b, sum, element| {
        vec![stablehlo::add(b, sum[0], element[0])]
    });
    Ok(sum.results()[0])
}

/// The part `start..limit` of a vector.
pub fn vector_part<'c>(b: &Builder<'c>, vector: Value<'c>, start: i64, limit: i64) -> Value<'c> {
    stablehlo::slice(b, vector, &[start], &[limit], &[1])
}

/// A `gather` in the place of a `dynamic_gather` whose slices have these sizes.
pub fn static_gather<'c>(
    b: &Builder<'c>,
    op: stablehlo::DynamicGatherOp<'c>,
    sizes: &[i64],
) -> Value<'c> {
    let (operand, indices, numbers) = (op.operand(), op.start_indices(), op.dimension_numbers());
    let is_sorted = op.attribute("indices_are_sorted");
    let is_sorted = is_sorted.map(|_| op.indices_are_sorted());
    stablehlo::GatherOp::build(b, operand, indices, &numbers, sizes)
        .maybe(is_sorted, |gather, is_sorted| {
            gather.indices_are_sorted(is_sorted)
        })
        .discardable_attributes_of(op.operation())
        .result_types(&[op.result().ty()])
        .value()
}

/// An op like another one, all attributes kept, without regions.
pub fn rebuild<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    name: &str,
    operands: &[Value<'c>],
    results: &[Type<'c>],
) -> Operation<'c> {
    let mut spec = b.op(name).operands(operands).results(results);
    for (name, attribute) in op.attributes() {
        spec = spec.attribute(name, attribute);
    }
    spec.insert()
}

/// The same op with other operands; the result types stay.
pub fn with_operands<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Value<'c>],
) -> Operation<'c> {
    rebuild(b, op, op.name(), operands, &op.result_types())
}

/// Replaces an op of one result with a value that takes over its discardable
/// attributes.
pub fn replace_merged<'c>(b: &Builder<'c>, op: Operation<'c>, value: Value<'c>) -> RewriteResult {
    if let Some(definition) = value.defining_op() {
        definition.merge_discardable(op);
    }
    b.replace(op, &[value]);
    Ok(())
}

/// Replaces an op with another one that takes over its discardable attributes.
pub fn replace_with<'c>(b: &Builder<'c>, op: Operation<'c>, new: Operation<'c>) -> RewriteResult {
    new.merge_discardable(op);
    b.replace(op, &new.results());
    Ok(())
}
