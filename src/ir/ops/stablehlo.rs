//! The ops of `stablehlo`, with functions for constants and for the bodies of
//! regions.
//!
//! A body returns what its terminator takes, so that it cannot lack one.

super::generated! { "stablehlo" }

use crate::{ValuesExt, 
    Attribute, AttributeExt, Builder, Outcome, Region, Type, TypeExt, Value, ValueExt, tensor_type,
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

/// `stablehlo.sort`. The comparator gets two elements of the first input, of the
/// second, and so on, and tells whether the first ones come first.
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

/// `stablehlo.while`. Both functions get the carried values; the first tells
/// whether to go on, the second returns the next ones.
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
fn elements<'c>(tensors: &[Value<'c>]) -> Vec<Type<'c>> {
    tensors
        .iter()
        .map(|tensor| tensor_type(&[], tensor.ty().element_type()))
        .collect()
}
