//! The ops of `stablehlo`, with functions for constants and for the bodies of
//! regions.
//!
//! A body returns what its terminator takes, so that it cannot lack one.

super::generated! { "stablehlo" }


use crate::{AttributeExt, TypeExt, ValueExt};
use crate::{Attribute, BuildError, Builder, Region, Type, Value,   tensor_type,
};

/// `stablehlo.constant`
pub fn constant<'c>(
    builder: &Builder<'c>,
    value: Attribute<'c>,
) -> Result<Value<'c>, BuildError> {
    ConstantOp::build(builder, value, value.ty()).value()
}

/// A region of one block that ends with `stablehlo.return`. The body gets the
/// arguments and returns the operands of the return op.
pub fn region<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    arguments: &[Type<'c>],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Result<Vec<Value<'c>>, E>,
) -> Result<Region<'c>, E> {
    builder.region(arguments, |builder, arguments| {
        let values = body(builder, arguments)?;
        return_(builder, &values)?;
        Ok::<_, E>(())
    })
}

/// `stablehlo.map` over all dimensions. The body gets an element of each input.
pub fn map<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    inputs: &[Value<'c>],
    dimensions: &[i64],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Result<Value<'c>, E>,
) -> Result<MapOp<'c>, E> {
    let computation = region(builder, &elements(inputs), |builder, elements| {
        Ok::<_, E>(vec![body(builder, elements)?])
    })?;
    Ok(MapOp::build(builder, inputs, dimensions, computation).insert()?)
}

/// `stablehlo.reduce`. The body gets the accumulators and an element of each
/// input, and returns the combinations.
pub fn reduce<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    inputs: &[Value<'c>],
    init_values: &[Value<'c>],
    dimensions: &[i64],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>], &[Value<'c>]) -> Result<Vec<Value<'c>>, E>,
) -> Result<ReduceOp<'c>, E> {
    let arguments = [elements(init_values), elements(init_values)].concat();
    let body = region(builder, &arguments, |builder, arguments| {
        let (combined, elements) = arguments.split_at(init_values.len());
        body(builder, combined, elements)
    })?;
    Ok(ReduceOp::build(builder, inputs, init_values, dimensions, body).insert()?)
}

/// `stablehlo.sort`. The comparator gets two elements of the first input, of the
/// second, and so on, and tells whether the first ones come first.
pub fn sort<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    inputs: &[Value<'c>],
    dimension: i64,
    is_stable: bool,
    comparator: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Result<Value<'c>, E>,
) -> Result<SortOp<'c>, E> {
    let pairs: Vec<_> = elements(inputs)
        .into_iter()
        .flat_map(|element| [element; 2])
        .collect();
    let comparator = region(builder, &pairs, |builder, elements| {
        Ok::<_, E>(vec![comparator(builder, elements)?])
    })?;
    let sort = SortOp::build(builder, inputs, comparator);
    Ok(sort.dimension(dimension).is_stable(is_stable).insert()?)
}

/// `stablehlo.while`. Both functions get the carried values; the first tells
/// whether to go on, the second returns the next ones.
pub fn while_<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    inits: &[Value<'c>],
    condition: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Result<Value<'c>, E>,
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Result<Vec<Value<'c>>, E>,
) -> Result<WhileOp<'c>, E> {
    let types: Vec<_> = inits.iter().map(|value| value.ty()).collect();
    let condition = region(builder, &types, |builder, carried| {
        Ok::<_, E>(vec![condition(builder, carried)?])
    })?;
    let body = region(builder, &types, body)?;
    Ok(WhileOp::build(builder, inits, condition, body).insert()?)
}

/// The types of the elements of tensors, as tensors without dimensions.
fn elements<'c>(tensors: &[Value<'c>]) -> Vec<Type<'c>> {
    tensors
        .iter()
        .map(|tensor| tensor_type(&[], tensor.ty().element_type()))
        .collect()
}
