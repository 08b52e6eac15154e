//! The ops of `scf`, with functions for the bodies of their regions.
//!
//! A body returns the operands of its terminator, so that the terminator cannot be missing.

super::generated! { "scf" }

use super::index::Index;
use crate::{
    builder::Builder,
    handles::{Type, Value},
    outcome::Outcome,
    region::Region,
    value::{ValueExt, ValuesExt},
};

/// `scf.for` over `(lower, upper, step)`. The body gets the index and the
/// carried values, and returns the next ones.
#[track_caller]
pub fn for_<'c, R: Outcome<Vec<Value<'c>>>>(
    builder: &Builder<'c>,
    (lower, upper, step): (impl Index<'c>, impl Index<'c>, impl Index<'c>),
    inits: &[Value<'c>],
    body: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> R,
) -> R::Of<ForOp<'c>> {
    let mut body = Some(body);
    let mut body = |builder: &Builder<'c>, index: Value<'c>, carried: &[Value<'c>]| {
        let body = body.take();
        body.map_or_else(
            || Ok(Vec::new()),
            |body| body(builder, index, carried).into_result(),
        )
    };
    let bounds = (
        lower.value(builder),
        upper.value(builder),
        step.value(builder),
    );
    R::of(for_of(builder, bounds, inits, &mut body))
}

/// [`for_`] without carried values.
#[track_caller]
pub fn for_each<'c, R: Outcome<()>>(
    builder: &Builder<'c>,
    bounds: (impl Index<'c>, impl Index<'c>, impl Index<'c>),
    body: impl FnOnce(&Builder<'c>, Value<'c>) -> R,
) -> R::Of<()> {
    let body = |builder: &Builder<'c>, index: Value<'c>, _: &[Value<'c>]| {
        body(builder, index).into_result().map(|()| Vec::new())
    };
    R::of(for_(builder, bounds, &[], body).map(|_| ()))
}

/// [`for_each`] from 0 to a constant in steps of a constant.
#[track_caller]
pub fn for_range<'c, R: Outcome<()>>(
    builder: &Builder<'c>,
    upper: i64,
    step: i64,
    body: impl FnOnce(&Builder<'c>, Value<'c>) -> R,
) -> R::Of<()> {
    for_each(builder, (0, upper, step), body)
}

/// A nest of `scf.for` from 0 to each of the sizes, outermost first. The body gets the
/// indices and the carried values, and returns the next ones.
#[track_caller]
pub fn nest<'c, R: Outcome<Vec<Value<'c>>>>(
    builder: &Builder<'c>,
    sizes: &[impl Index<'c> + Copy],
    carried: &[Value<'c>],
    mut body: impl FnMut(&Builder<'c>, &[Value<'c>], &[Value<'c>]) -> R,
) -> R::Of<Vec<Value<'c>>> {
    let mut body = |builder: &Builder<'c>, indices: &[Value<'c>], carried: &[Value<'c>]| {
        body(builder, indices, carried).into_result()
    };
    R::of(nest_of(
        builder,
        (sizes, &mut Vec::new()),
        carried,
        &mut body,
    ))
}

/// The next values from the indices of a nest and the carried values.
type NestBody<'a, 'c, E> = dyn FnMut(&Builder<'c>, &[Value<'c>], &[Value<'c>]) -> Next<'c, E> + 'a;

#[track_caller]
fn nest_of<'c, E>(
    builder: &Builder<'c>,
    (sizes, indices): (&[impl Index<'c> + Copy], &mut Vec<Value<'c>>),
    carried: &[Value<'c>],
    body: &mut NestBody<'_, 'c, E>,
) -> Next<'c, E> {
    let Some((size, rest)) = sizes.split_first() else {
        return body(builder, indices, carried);
    };
    let nest = for_(
        builder,
        (0, *size, 1),
        carried,
        |builder, index, carried| {
            indices.push(index);
            let next = nest_of(builder, (rest, indices), carried, body);
            indices.pop();
            next
        },
    );
    Ok(nest?.results())
}

/// The carried values of the next iteration.
type Next<'c, E> = Result<Vec<Value<'c>>, E>;
/// These from the index and the values of an iteration.
type Body<'a, 'c, E> = dyn FnMut(&Builder<'c>, Value<'c>, &[Value<'c>]) -> Next<'c, E> + 'a;

/// [`for_`], which is compiled once per error type, not once per function.
#[track_caller]
fn for_of<'c, E>(
    builder: &Builder<'c>,
    (lower, upper, step): (Value<'c>, Value<'c>, Value<'c>),
    inits: &[Value<'c>],
    body: &mut Body<'_, 'c, E>,
) -> Result<ForOp<'c>, E> {
    let types = inits.types();
    let arguments = [&[lower.ty()], &types[..]].concat();
    let region = builder.region(&arguments, |builder, arguments| {
        let next = body(builder, arguments[0], &arguments[1..])?;
        yield_(builder, &next);
        Ok(())
    })?;
    Ok(ForOp::build(builder, lower, upper, step, inits, &types, region).insert())
}

/// `scf.if` without results and without an else.
#[track_caller]
pub fn if_<'c, R: Outcome<()>>(
    builder: &Builder<'c>,
    condition: Value<'c>,
    then: impl FnOnce(&Builder<'c>) -> R,
) -> R::Of<IfOp<'c>> {
    let then = builder.region(&[], |builder, _| {
        then(builder).into_result()?;
        yield_(builder, &[]);
        Ok(())
    });
    R::of(then.map(|then| {
        let op = IfOp::build(builder, condition, then, Region::new());
        op.result_types(&[]).insert()
    }))
}

/// [`if_`], or only its body if there is no condition.
#[track_caller]
pub fn when<'c>(
    builder: &Builder<'c>,
    condition: impl Into<Option<Value<'c>>>,
    then: impl FnOnce(&Builder<'c>),
) {
    match condition.into() {
        Some(condition) => {
            if_(builder, condition, then);
        }
        None => then(builder),
    }
}

/// `scf.if` with the results of one branch or the other.
#[track_caller]
pub fn if_else<'c, R: Outcome<Vec<Value<'c>>>>(
    builder: &Builder<'c>,
    condition: Value<'c>,
    then: impl FnOnce(&Builder<'c>) -> R,
    otherwise: impl FnOnce(&Builder<'c>) -> R,
) -> R::Of<IfOp<'c>> {
    let mut types = Vec::new();
    let then = builder.region(&[], |builder, _| {
        let values = then(builder).into_result()?;
        types = values.types();
        yield_(builder, &values);
        Ok(())
    });
    let branches = then.and_then(|then| {
        let otherwise = builder.region(&[], |builder, _| {
            yield_(builder, &otherwise(builder).into_result()?);
            Ok(())
        });
        Ok((then, otherwise?))
    });
    R::of(branches.map(|(then, otherwise)| {
        let op = IfOp::build(builder, condition, then, otherwise);
        op.result_types(&types).insert()
    }))
}

/// `scf.while`. `before` gets the carried values and returns the condition and the values to
/// forward; `after` gets these and returns the next carried values. The results are the last
/// forwarded values.
#[track_caller]
pub fn while_<'c, B, A>(
    builder: &Builder<'c>,
    inits: &[Value<'c>],
    before: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> B,
    after: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> A,
) -> A::Of<WhileOp<'c>>
where
    B: Outcome<(Value<'c>, Vec<Value<'c>>), Failure = A::Failure>,
    A: Outcome<Vec<Value<'c>>>,
{
    let types = inits.types();
    let mut handed_on = Vec::new();
    let before = builder.region(&types, |builder, arguments| {
        let (goes_on, values) = before(builder, arguments).into_result()?;
        handed_on = values.types();
        condition(builder, goes_on, &values);
        Ok(())
    });
    let regions = before.and_then(|before| {
        let after = builder.region(&handed_on, |builder, arguments| {
            yield_(builder, &after(builder, arguments).into_result()?);
            Ok(())
        });
        Ok((before, after?))
    });
    A::of(
        regions.map(|(before, after)| {
            WhileOp::build(builder, inits, &handed_on, before, after).insert()
        }),
    )
}

/// A one-dimensional [`parallel()`] from 0 in steps of 1.
#[track_caller]
pub fn parallel_range<'c, R: Outcome<()>>(
    builder: &Builder<'c>,
    count: impl Index<'c>,
    body: impl FnOnce(&Builder<'c>, Value<'c>) -> R,
) -> R::Of<ParallelOp<'c>> {
    let range = (0.value(builder), count.value(builder), 1.value(builder));
    parallel(builder, &[range], |builder, indices| {
        body(builder, indices[0])
    })
}

/// `scf.parallel` without reductions, one `(lower, upper, step)` a dimension.
#[track_caller]
pub fn parallel<'c, R: Outcome<()>>(
    builder: &Builder<'c>,
    ranges: &[(Value<'c>, Value<'c>, Value<'c>)],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> R,
) -> R::Of<ParallelOp<'c>> {
    let arguments = vec![Type::index(builder.context()); ranges.len()];
    let region = builder.region(&arguments, |builder, indices| {
        body(builder, indices).into_result()?;
        reduce(builder, &[], Vec::new());
        Ok(())
    });
    R::of(region.map(|region| parallel_over(builder, ranges, region)))
}

#[track_caller]
fn parallel_over<'c>(
    builder: &Builder<'c>,
    ranges: &[(Value<'c>, Value<'c>, Value<'c>)],
    region: Region<'c>,
) -> ParallelOp<'c> {
    let lower: Vec<_> = ranges.iter().map(|range| range.0).collect();
    let upper: Vec<_> = ranges.iter().map(|range| range.1).collect();
    let step: Vec<_> = ranges.iter().map(|range| range.2).collect();
    ParallelOp::build(builder, &lower, &upper, &step, &[], &[], region).insert()
}
