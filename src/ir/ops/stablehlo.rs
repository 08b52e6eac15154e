//! The ops of `stablehlo`, with functions for constants and for the bodies of
//! regions.
//!
//! A body returns the operands of its terminator, so that the terminator cannot be missing.

super::generated! { "stablehlo" }

use super::definition::Op as _;
use crate::{
    attributes::AttributeExt,
    builder::Builder,
    elements::{dense_from_floats, dense_from_integers, dense_number},
    handles::{Attribute, Type, Value},
    operation::OperationExt,
    outcome::Outcome,
    region::Region,
    rewrite::{RewriteResult, no_match},
    stablehlo::attributes::DotDimensionNumbers,
    types::{TypeExt, tensor_type},
    value::{ValueExt, ValuesExt},
};

/// `stablehlo.constant`
#[track_caller]
pub fn constant<'c>(builder: &Builder<'c>, value: Attribute<'c>) -> Value<'c> {
    ConstantOp::build(builder, value, value.ty()).value()
}

/// A region of one block that ends with `stablehlo.return`. The body gets the
/// arguments and returns the operands of the return op.
#[track_caller]
pub fn region<'c, R: Outcome<Vec<Value<'c>>>>(
    builder: &Builder<'c>,
    arguments: &[Type<'c>],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> R,
) -> R::Of<Region<'c>> {
    R::of(builder.region(arguments, |builder, arguments| {
        return_(builder, &body(builder, arguments).into_result()?);
        Ok(())
    }))
}

/// `stablehlo.map` over all dimensions. The body gets an element of each input.
#[track_caller]
pub fn map<'c, R: Outcome<Value<'c>>>(
    builder: &Builder<'c>,
    inputs: &[Value<'c>],
    dimensions: &[i64],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> R,
) -> R::Of<MapOp<'c>> {
    let computation = region(builder, &elements(inputs), |builder, elements| {
        Ok(vec![body(builder, elements).into_result()?])
    });
    R::of(
        computation
            .map(|computation| MapOp::build(builder, inputs, dimensions, computation).insert()),
    )
}

/// `stablehlo.reduce`. The body gets the accumulators and an element of each
/// input, and returns the combinations.
#[track_caller]
pub fn reduce<'c, R: Outcome<Vec<Value<'c>>>>(
    builder: &Builder<'c>,
    inputs: &[Value<'c>],
    init_values: &[Value<'c>],
    dimensions: &[i64],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>], &[Value<'c>]) -> R,
) -> R::Of<ReduceOp<'c>> {
    let arguments = [elements(init_values), elements(init_values)].concat();
    let body = region(builder, &arguments, |builder, arguments| {
        let (combined, elements) = arguments.split_at(init_values.len());
        body(builder, combined, elements).into_result()
    });
    R::of(body.map(|body| ReduceOp::build(builder, inputs, init_values, dimensions, body).insert()))
}

/// `stablehlo.sort`. The comparator gets two elements of the first input, of the second, and so on,
/// and returns whether the first ones come first.
#[track_caller]
pub fn sort<'c, R: Outcome<Value<'c>>>(
    builder: &Builder<'c>,
    inputs: &[Value<'c>],
    dimension: i64,
    is_stable: bool,
    comparator: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> R,
) -> R::Of<SortOp<'c>> {
    let pairs: Vec<_> = elements(inputs).into_iter().flat_map(|element| [element; 2]).collect();
    let comparator = region(builder, &pairs, |builder, elements| {
        Ok(vec![comparator(builder, elements).into_result()?])
    });
    R::of(comparator.map(|comparator| {
        let sort = SortOp::build(builder, inputs, comparator);
        sort.dimension(dimension).is_stable(is_stable).insert()
    }))
}

/// `stablehlo.while`. Both functions get the carried values; the first returns whether to continue,
/// the second the next values.
#[track_caller]
pub fn while_<'c, C, R>(
    builder: &Builder<'c>,
    inits: &[Value<'c>],
    condition: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> C,
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> R,
) -> R::Of<WhileOp<'c>>
where
    C: Outcome<Value<'c>, Failure = R::Failure>,
    R: Outcome<Vec<Value<'c>>>,
{
    let types = inits.types();
    let condition = region(builder, &types, |builder, carried| {
        Ok(vec![condition(builder, carried).into_result()?])
    });
    let regions = condition.and_then(|condition| {
        let body = region(builder, &types, |builder, carried| {
            body(builder, carried).into_result()
        });
        Ok((condition, body?))
    });
    R::of(regions.map(|(condition, body)| WhileOp::build(builder, inits, condition, body).insert()))
}

/// The types of the elements of tensors, as tensors without dimensions.
#[track_caller]
fn elements<'c>(tensors: &[Value<'c>]) -> Vec<Type<'c>> {
    tensors
        .iter()
        .map(|tensor| tensor_type(&[], tensor.ty().element_type()))
        .collect()
}

/// A constant that is the same number everywhere.
#[track_caller]
pub fn number<'c>(b: &Builder<'c>, ty: Type<'c>, value: f64) -> RewriteResult<Value<'c>> {
    let value = dense_number(ty, value).ok_or_else(|| no_match("a type takes no such constant"))?;
    Ok(constant(b, value))
}

/// A constant of integers.
#[track_caller]
pub fn integers<'c>(b: &Builder<'c>, ty: Type<'c>, values: &[i64]) -> RewriteResult<Value<'c>> {
    let value =
        dense_from_integers(ty, values).ok_or_else(|| no_match("a type takes no such constant"))?;
    Ok(constant(b, value))
}

/// A constant of floats.
#[track_caller]
pub fn floats<'c>(b: &Builder<'c>, ty: Type<'c>, values: &[f64]) -> RewriteResult<Value<'c>> {
    let value =
        dense_from_floats(ty, values).ok_or_else(|| no_match("a type takes no such constant"))?;
    Ok(constant(b, value))
}

/// `stablehlo.convert` to another element type, left out where it is the same.
#[track_caller]
pub fn convert_elements<'c>(b: &Builder<'c>, operand: Value<'c>, element: Type<'c>) -> Value<'c> {
    if operand.ty().element_type() == element {
        return operand;
    }
    let result = operand.ty().with_element_type(element);
    convert(b, operand, result)
}

/// `stablehlo.reduce` that adds, over some dimensions.
#[track_caller]
pub fn sum<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
    dimensions: &[i64],
) -> RewriteResult<Value<'c>> {
    let scalar = tensor_type(&[], operand.ty().element_type());
    let zero = number(b, scalar, 0.0)?;
    let sum = reduce(b, &[operand], &[zero], dimensions, |b, sum, element| {
        vec![add(b, sum[0], element[0])]
    });
    Ok(sum.results()[0])
}

/// `stablehlo.dot_general` with the precision and the algorithm of another one.
#[track_caller]
pub fn dot_like<'c>(
    b: &Builder<'c>,
    op: DotGeneralOp<'c>,
    [lhs, rhs]: [Value<'c>; 2],
    numbers: &DotDimensionNumbers,
    result: Type<'c>,
) -> Value<'c> {
    DotGeneralOp::build(b, lhs, rhs, numbers, result)
        .maybe(op.precision_config().as_deref(), |new, value| {
            new.precision_config(value)
        })
        .maybe(op.algorithm(), |new, value| new.algorithm(value))
        .value()
}

/// The part `start..limit` of a vector.
#[track_caller]
pub fn vector_part<'c>(b: &Builder<'c>, vector: Value<'c>, start: i64, limit: i64) -> Value<'c> {
    slice(b, vector, &[start], &[limit], &[1])
}

/// A `gather` in the place of a `dynamic_gather` whose slices have these sizes.
#[track_caller]
pub fn static_gather<'c>(b: &Builder<'c>, op: DynamicGatherOp<'c>, sizes: &[i64]) -> Value<'c> {
    let (operand, indices, numbers) = (op.operand(), op.start_indices(), op.dimension_numbers());
    let is_sorted = op.attribute("indices_are_sorted");
    let is_sorted = is_sorted.map(|_| op.indices_are_sorted());
    GatherOp::build(b, operand, indices, &numbers, sizes)
        .maybe(is_sorted, |gather, is_sorted| {
            gather.indices_are_sorted(is_sorted)
        })
        .discardable_attributes_of(op.operation())
        .result_types(&[op.result().ty()])
        .value()
}
