//! The ops of `scf`, with functions for the bodies of their regions.
//!
//! A body returns what its terminator takes, so that it cannot lack one.

super::generated! { "scf" }


use crate::{ValueExt};
use crate::{BuildError, Builder, Region, Type, Value, index_type};


/// The types of values.
fn types_of<'c>(values: &[Value<'c>]) -> Vec<Type<'c>> {
    values.iter().map(|value| value.ty()).collect()
}

/// `scf.for` over `(lower, upper, step)`. The body gets the index and the
/// carried values, and returns the next ones.
pub fn for_<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    (lower, upper, step): (Value<'c>, Value<'c>, Value<'c>),
    inits: &[Value<'c>],
    body: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> Result<Vec<Value<'c>>, E>,
) -> Result<ForOp<'c>, E> {
    let mut body = Some(body);
    let mut body = |builder: &Builder<'c>, index: Value<'c>, carried: &[Value<'c>]| {
        let body = body.take();
        body.map_or_else(|| Ok(Vec::new()), |body| body(builder, index, carried))
    };
    for_of(builder, (lower, upper, step), inits, &mut body)
}

/// The values that the next iteration of a loop has.
type Next<'c, E> = Result<Vec<Value<'c>>, E>;
/// These from the index and the values of an iteration.
type Body<'a, 'c, E> = dyn FnMut(&Builder<'c>, Value<'c>, &[Value<'c>]) -> Next<'c, E> + 'a;

/// [`for_`], which is compiled once for a type of errors, not once for each function.
fn for_of<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    (lower, upper, step): (Value<'c>, Value<'c>, Value<'c>),
    inits: &[Value<'c>],
    body: &mut Body<'_, 'c, E>,
) -> Result<ForOp<'c>, E> {
    let types = types_of(inits);
    let arguments = [&[lower.ty()], &types[..]].concat();
    let region = builder.region(&arguments, |builder, arguments| {
        let next = body(builder, arguments[0], &arguments[1..])?;
        yield_(builder, &next)?;
        Ok::<_, E>(())
    })?;
    let inits = ForOp::build(builder, lower, upper, step, inits, &types, region);
    Ok(inits.insert()?)
}

/// `scf.if` without results and without an else.
pub fn if_<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    condition: Value<'c>,
    then: impl FnOnce(&Builder<'c>) -> Result<(), E>,
) -> Result<IfOp<'c>, E> {
    let then = builder.region(&[], |builder, _| {
        then(builder)?;
        yield_(builder, &[])?;
        Ok::<_, E>(())
    })?;
    let op = IfOp::build(builder, condition, then, Region::new());
    Ok(op.result_types(&[]).insert()?)
}

/// `scf.if` whose results are those of one branch or the other.
pub fn if_else<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    condition: Value<'c>,
    then: impl FnOnce(&Builder<'c>) -> Result<Vec<Value<'c>>, E>,
    otherwise: impl FnOnce(&Builder<'c>) -> Result<Vec<Value<'c>>, E>,
) -> Result<IfOp<'c>, E> {
    let mut types = Vec::new();
    let then = builder.region(&[], |builder, _| {
        let values = then(builder)?;
        types = types_of(&values);
        yield_(builder, &values)?;
        Ok::<_, E>(())
    })?;
    let otherwise = builder.region(&[], |builder, _| {
        let values = otherwise(builder)?;
        yield_(builder, &values)?;
        Ok::<_, E>(())
    })?;
    let op = IfOp::build(builder, condition, then, otherwise);
    Ok(op.result_types(&types).insert()?)
}

/// `scf.while`. `before` gets the carried values and returns the condition and
/// the values to pass on; `after` gets these and returns the next carried
/// values. The results are the values that were passed on last.
pub fn while_<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    inits: &[Value<'c>],
    before: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Result<(Value<'c>, Vec<Value<'c>>), E>,
    after: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Result<Vec<Value<'c>>, E>,
) -> Result<WhileOp<'c>, E> {
    let types = types_of(inits);
    let mut handed_on = Vec::new();
    let before = builder.region(&types, |builder, arguments| {
        let (goes_on, values) = before(builder, arguments)?;
        handed_on = types_of(&values);
        condition(builder, goes_on, &values)?;
        Ok::<_, E>(())
    })?;
    let after = builder.region(&handed_on, |builder, arguments| {
        let next = after(builder, arguments)?;
        yield_(builder, &next)?;
        Ok::<_, E>(())
    })?;
    Ok(WhileOp::build(builder, inits, &handed_on, before, after).insert()?)
}

/// `scf.parallel` without reductions, one `(lower, upper, step)` a dimension.
pub fn parallel<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    ranges: &[(Value<'c>, Value<'c>, Value<'c>)],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Result<(), E>,
) -> Result<ParallelOp<'c>, E> {
    let arguments = vec![index_type(builder.context()); ranges.len()];
    let region = builder.region(&arguments, |builder, indices| {
        body(builder, indices)?;
        reduce(builder, &[], Vec::new())?;
        Ok::<_, E>(())
    })?;
    Ok(parallel_over(builder, ranges, region)?)
}

fn parallel_over<'c>(
    builder: &Builder<'c>,
    ranges: &[(Value<'c>, Value<'c>, Value<'c>)],
    region: Region<'c>,
) -> Result<ParallelOp<'c>, BuildError> {
    let lower: Vec<_> = ranges.iter().map(|range| range.0).collect();
    let upper: Vec<_> = ranges.iter().map(|range| range.1).collect();
    let step: Vec<_> = ranges.iter().map(|range| range.2).collect();
    ParallelOp::build(builder, &lower, &upper, &step, &[], &[], region).insert()
}
