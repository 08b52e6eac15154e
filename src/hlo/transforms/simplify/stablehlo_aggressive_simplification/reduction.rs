//! Reductions and sorts: unused operands and trivial reductions.

use crate::{
    interpreter::scalar::integer_range,
    literals::literal_of,
    matchers::{ZeroSign, constant_of, ensure, is_zero_of_sign, static_shape},
};
use halo_core::{Complex, Scalar};
use halo_ir::prelude::*;
use std::collections::HashSet;

pub(super) fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::ReduceOp>(of_one_element),
        Pattern::new::<stablehlo::ReduceOp>(body_returns_outer_values),
        Pattern::new::<stablehlo::ReduceOp>(of_nothing),
        Pattern::new::<stablehlo::ReduceOp>(unused_results),
        Pattern::new::<stablehlo::SortOp>(sort_of_unused),
        Pattern::new::<stablehlo::SortOp>(sort_with_default_dimension),
    ]
}

/// `reduce(x, init: neutral)` along no dimensions, or along dimensions of size 1
/// -> `reshape(x)`, with `init` added where the sum of floats starts from `0.0`
///
/// The specification lets a reduction use an initial value any number of times, including zero,
/// because it must be neutral. Programs with another initial value are left unchanged.
fn of_one_element<'c>(b: &Builder<'c>, op: stablehlo::ReduceOp<'c>) -> RewriteResult {
    let dimensions = op.dimensions();
    let inputs = op.inputs();
    for (input, result) in inputs.iter().zip(op.results()) {
        let shape = input.ty().shape().unwrap_or_default();
        let is_one = |dimension: &i64| {
            let size = usize::try_from(*dimension).ok().and_then(|at| shape.get(at));
            size == Some(&Some(1))
        };
        ensure(dimensions.iter().all(is_one), "it reduces several elements")?;
        let is_same = if dimensions.is_empty() {
            input.ty() == result.ty()
        } else {
            input.ty().element_type() == result.ty().element_type()
                && result.ty().static_shape().is_some()
        };
        ensure(is_same, "the types of the operand and the result differ")?;
    }
    let body = op.operation().body(0).ok_or_else(|| no_match("a region is empty"))?;
    let ([input], [initial], [result]) = (&inputs[..], &op.init_values()[..], &op.results()[..])
    else {
        return Err(no_match("it reduces more than one tensor"));
    };
    ensure(
        is_neutral(body, *initial),
        "the initial value is not neutral",
    )?;
    let mut value = if dimensions.is_empty() {
        *input
    } else {
        stablehlo::reshape(b, *input, result.ty())
    };
    if !keeps_zeros(body, *initial) && !is_sum_from_zero(*input) {
        static_shape(result.ty())?;
        let zeros = stablehlo::broadcast_in_dim(b, *initial, &[], result.ty());
        value = stablehlo::add(b, value, zeros);
    }
    b.replace(op.operation(), &[value]);
    Ok(())
}

/// Returns true if combining a negative zero with a neutral value by a single-op body gives the
/// zero.
fn keeps_zeros(body: Block, neutral: Value) -> bool {
    let is_sum = body.operations().first().is_some_and(|op| op.isa::<stablehlo::AddOp>());
    !is_sum || is_zero_of_sign(neutral, ZeroSign::Negative)
}

/// Returns true if a value is a sum that starts from 0.0, so it is never a negative zero.
fn is_sum_from_zero(value: Value) -> bool {
    if let Some(reshape) = value.defined_by::<stablehlo::ReshapeOp>() {
        return is_sum_from_zero(reshape.operand());
    }
    value.defined_by::<stablehlo::ReduceOp>().is_some_and(|sum| {
        let body = sum.operation().body(0);
        matches!(sum.init_values()[..], [initial] if is_zero_of_sign(initial, ZeroSign::Positive)
            && body.is_some_and(|body| is_neutral(body, initial) && !keeps_zeros(body, initial)))
    })
}

/// Returns true if a value is neutral for a single-op body.
fn is_neutral(body: Block, value: Value) -> bool {
    let [combination, _] = body.operations()[..] else {
        return false;
    };
    let is_real = !value.ty().element_type().is_complex();
    let mut arguments: Vec<usize> = combination.operands().into_iter().map(Value::key).collect();
    let mut parameters: Vec<usize> = body.arguments().into_iter().map(Value::key).collect();
    arguments.sort_unstable();
    parameters.sort_unstable();
    let literal = constant_of(value).and_then(|value| literal_of(value).ok());
    let Some(literal) = literal.filter(|_| arguments == parameters) else {
        return false;
    };
    let element = literal.element_type();
    let (number, is_integer) = (literal.get(0), element.is_integer());
    let is = |float: f64, integer: i128| {
        if is_integer {
            number.to_i128() == integer
        } else {
            !element.is_complex() && number.to_f64() == float
        }
    };
    // Complex numbers have no order, and another width.
    let (minimum, maximum) = if element.is_complex() {
        (0, 0)
    } else {
        integer_range(element)
    };
    match combination.name() {
        stablehlo::AddOp::NAME | stablehlo::OrOp::NAME | stablehlo::XorOp::NAME => {
            !number.to_bool()
        }
        stablehlo::MulOp::NAME => is_real && number.to_complex() == Complex::new(1.0, 0.0),
        stablehlo::AndOp::NAME => {
            if is_integer {
                number == Scalar::Int(-1).stored_as(element)
            } else {
                number.to_bool()
            }
        }
        stablehlo::MaxOp::NAME => is(f64::NEG_INFINITY, minimum),
        stablehlo::MinOp::NAME => is(f64::INFINITY, maximum),
        _ => false,
    }
}

/// Returns true if a value is an argument or a result of an op of a block.
fn is_local(value: Value, block: Block) -> bool {
    match (value.as_block_argument(), value.defining_op()) {
        (Some((owner, _)), _) => owner == block,
        (_, Some(definition)) => definition.block() == Some(block),
        _ => false,
    }
}

/// Fails if the body may never run, so that the results are the initial values.
fn ensure_elements(op: stablehlo::ReduceOp) -> RewriteResult {
    let inputs = op.inputs();
    let count = inputs.first().and_then(|input| input.ty().element_count());
    ensure(
        count.is_some_and(|count| count > 0),
        "the input may have no elements",
    )
}

/// `reduce` of elements whose body returns captured values -> these
fn body_returns_outer_values<'c>(b: &Builder<'c>, op: stablehlo::ReduceOp<'c>) -> RewriteResult {
    let body = op.operation().body(0).ok_or_else(|| no_match("a region is empty"))?;
    let returned =
        (body.terminator().ok_or_else(|| no_match("a block has no terminator"))?).operands();
    ensure_elements(op)?;
    for (value, result) in returned.iter().zip(op.operation().results()) {
        ensure(
            !is_local(*value, body) && value.ty() == result.ty(),
            "it returns a value that it computes, or of another type",
        )?;
    }
    b.replace(op.operation(), &returned);
    Ok(())
}

/// `reduce` of tensors without elements -> the broadcast of the initial values
fn of_nothing<'c>(b: &Builder<'c>, op: stablehlo::ReduceOp<'c>) -> RewriteResult {
    let first = *op.inputs().first().ok_or_else(|| no_match("it has no input"))?;
    ensure(
        first.ty().static_shape().is_some_and(|shape| shape.contains(&0)),
        "the input has elements",
    )?;
    let values = (op.init_values().into_iter().zip(op.results()))
        .map(|(initial, result)| stablehlo::broadcast_in_dim(b, initial, &[], result.ty()))
        .collect::<Vec<_>>();
    b.replace(op.operation(), &values);
    Ok(())
}

/// Drops pairs of operands that no used result depends on, with their results, if one pair per
/// result remains.
fn unused_results<'c>(b: &Builder<'c>, op: stablehlo::ReduceOp<'c>) -> RewriteResult {
    let (inputs, initial, results) = (op.inputs(), op.init_values(), op.results());
    let count = results.len();
    let used: Vec<usize> = (0..count).filter(|index| !results[*index].is_unused()).collect();
    ensure(
        !used.is_empty() && used.len() < count,
        "all results are used, or none",
    )?;
    let body = op.operation().body(0).ok_or_else(|| no_match("a region is empty"))?;
    let terminator = body.terminator().ok_or_else(|| no_match("a block has no terminator"))?;
    let returned = terminator.operands();
    ensure(
        returned.len() == count,
        "the region returns another number of values",
    )?;

    // The operands of the used results.
    let mut pairs = HashSet::new();
    let mut needed = HashSet::new();
    let mut pending: Vec<Value> = used.iter().map(|index| returned[*index]).collect();
    while let Some(value) = pending.pop() {
        if !is_local(value, body) {
            continue;
        }
        if let Some((_, number)) = value.as_block_argument() {
            pairs.insert(number % count);
        } else if let Some(definition) = value.defining_op() {
            // A nested body may use any value.
            ensure(
                definition.region_count() == 0,
                "an op in the region has regions",
            )?;
            if needed.insert(definition.key()) {
                pending.extend(definition.operands());
            }
        }
    }
    ensure(
        pairs.len() == used.len(),
        "a result depends on an unused one",
    )?;
    let mut pairs: Vec<usize> = pairs.into_iter().collect();
    pairs.sort_unstable();

    let arguments = body.arguments();
    ensure(
        arguments.len() == 2 * count,
        "the region takes another number of values",
    )?;
    let kept: Vec<usize> =
        pairs.iter().copied().chain(pairs.iter().map(|pair| pair + count)).collect();
    let types: Vec<_> = kept.iter().map(|index| arguments[*index].ty()).collect();
    let region = stablehlo::region(b, &types, |b, new_arguments| {
        let mut map = ValueMap::new();
        for (index, argument) in kept.iter().zip(new_arguments) {
            map.insert(arguments[*index].key(), *argument);
        }
        for operation in body.operations() {
            if needed.contains(&operation.key()) {
                b.clone_op(operation, &mut map);
            }
        }
        let values = used.iter().map(|index| mapped(&map, returned[*index]));
        values.collect::<Vec<_>>()
    });
    let of_pairs = |values: &[Value<'c>]| -> Vec<Value<'c>> {
        pairs.iter().map(|pair| values[*pair]).collect()
    };
    let types: Vec<_> = used.iter().map(|index| results[*index].ty()).collect();
    let (inputs, initial) = (of_pairs(&inputs), of_pairs(&initial));
    let new = stablehlo::ReduceOp::build(b, &inputs, &initial, &op.dimensions(), region)
        .attributes_of(op)
        .result_types(&types)
        .insert();
    for (index, value) in used.iter().zip(new.results()) {
        b.replace_uses(results[*index], value);
    }
    b.erase(op.operation());
    Ok(())
}

/// Inputs that the comparator does not use and whose results are unused need not be sorted.
fn sort_of_unused<'c>(b: &Builder<'c>, op: stablehlo::SortOp<'c>) -> RewriteResult {
    let body = op.operation().body(0).ok_or_else(|| no_match("a region is empty"))?;
    let arguments = body.arguments();
    let (inputs, results) = (op.inputs(), op.results());
    ensure(
        arguments.len() == 2 * results.len(),
        "the comparator takes another number of values",
    )?;
    let (dropped, kept): (Vec<usize>, Vec<usize>) = (0..results.len()).partition(|index| {
        results[*index].is_unused()
            && arguments[2 * index].is_unused()
            && arguments[2 * index + 1].is_unused()
    });
    ensure(
        !dropped.is_empty() && !kept.is_empty(),
        "all operands are used, or none",
    )?;
    for index in dropped.iter().rev() {
        body.erase_argument(2 * index + 1);
        body.erase_argument(2 * index);
    }
    let comparator = op.take_region(0).ok_or_else(|| no_match("its region is absent"))?;
    let inputs: Vec<Value> = kept.iter().map(|index| inputs[*index]).collect();
    let types: Vec<_> = kept.iter().map(|index| results[*index].ty()).collect();
    let new = stablehlo::SortOp::build(b, &inputs, comparator)
        .attributes_of(op)
        .result_types(&types)
        .insert();
    for (index, value) in kept.iter().zip(new.results()) {
        results[*index].replace_uses_with(value);
    }
    b.erase(op.operation());
    Ok(())
}

/// The dimension -1 is the last one.
fn sort_with_default_dimension<'c>(b: &Builder<'c>, op: stablehlo::SortOp<'c>) -> RewriteResult {
    ensure(op.dimension() == -1, "it has a dimension")?;
    let first = *op.results().first().ok_or_else(|| no_match("it has no result"))?;
    let rank = first.ty().shape().ok_or_else(|| no_match("a tensor is unranked"))?.len();
    ensure(rank > 0, "it sorts scalars")?;
    b.modify(op.operation(), || op.set_dimension(rank as i64 - 1));
    Ok(())
}
