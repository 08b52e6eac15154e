//! Loops, tuples and custom calls.

use crate::matchers::{defined_by, ensure};
use halo_ir::{prelude::*, stablehlo::attributes::CustomCallApiVersion};

pub(super) fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::CustomCallOp>(backend_config_of_mhlo),
        Pattern::new::<stablehlo::GetTupleElementOp>(element_of_new_tuple),
        Pattern::new::<stablehlo::TupleOp>(tuple_of_all_elements),
        Pattern::new::<stablehlo::WhileOp>(invariants_are_captured),
    ]
}

/// `get_tuple_element(tuple(x, y), 1)` -> `y`
fn element_of_new_tuple<'c>(
    b: &Builder<'c>,
    op: stablehlo::GetTupleElementOp<'c>,
) -> RewriteResult {
    let operand = op.operand();
    let values = defined_by::<stablehlo::TupleOp>(operand)?.val();
    let index = usize::try_from(op.index()).map_err(|_| no_match("the index is out of range"))?;
    let value = *values.get(index).ok_or_else(|| no_match("the index is out of range"))?;
    ensure(
        value.ty() == op.result().ty(),
        "the types of the operand and the result differ",
    )?;
    b.replace(op.operation(), &[value]);
    Ok(())
}

/// `tuple(x[0], x[1], ...)` of all elements of `x` -> `x`
fn tuple_of_all_elements<'c>(b: &Builder<'c>, op: stablehlo::TupleOp<'c>) -> RewriteResult {
    let mut whole = None;
    for (index, value) in op.val().into_iter().enumerate() {
        let element = defined_by::<stablehlo::GetTupleElementOp>(value)?;
        let tuple = element.operand();
        ensure(
            element.index() == index as i64,
            "the elements are in another order",
        )?;
        ensure(
            *whole.get_or_insert(tuple) == tuple,
            "the elements are of several tuples",
        )?;
    }
    let whole = whole.ok_or_else(|| no_match("it has no element"))?;
    ensure(
        whole.ty() == op.result().ty(),
        "the types of the operand and the result differ",
    )?;
    b.replace(op.operation(), &[whole]);
    Ok(())
}

/// Loop-invariant carried values are captured instead.
fn invariants_are_captured<'c>(b: &Builder<'c>, op: stablehlo::WhileOp<'c>) -> RewriteResult {
    let (Some(cond), Some(body)) = (op.operation().body(0), op.operation().body(1)) else {
        return Err(no_match("a region is empty"));
    };
    let terminator = body.terminator().ok_or_else(|| no_match("a block has no terminator"))?;
    let (carried, returned, results) = (op.operand(), terminator.operands(), op.results());
    let (cond_arguments, body_arguments) = (cond.arguments(), body.arguments());
    let count = carried.len();
    ensure(
        [
            returned.len(),
            results.len(),
            cond_arguments.len(),
            body_arguments.len(),
        ] == [count; 4],
        "the regions take another number of values",
    )?;
    let (invariant, kept): (Vec<usize>, Vec<usize>) = (0..count).partition(|index| {
        (returned[*index] == body_arguments[*index] || returned[*index] == carried[*index])
            && results[*index].ty() == carried[*index].ty()
            && body_arguments[*index].ty() == carried[*index].ty()
            && cond_arguments[*index].ty() == carried[*index].ty()
    });
    ensure(!invariant.is_empty(), "every value changes")?;

    b.with_insertion_point(|b| -> RewriteResult {
        b.set_before(terminator);
        let values: Vec<Value> = kept.iter().map(|index| returned[*index]).collect();
        stablehlo::return_(b, &values);
        Ok(())
    })?;
    b.erase(terminator);
    for index in invariant.iter().rev() {
        let value = carried[*index];
        for argument in [cond_arguments[*index], body_arguments[*index]] {
            b.replace_uses(argument, value);
        }
        results[*index].replace_uses_with(value);
        cond.erase_argument(*index);
        body.erase_argument(*index);
    }
    let (Some(cond), Some(body)) = (op.take_region(0), op.take_region(1)) else {
        return Err(no_match("a region is absent"));
    };
    let operands: Vec<Value> = kept.iter().map(|index| carried[*index]).collect();
    let types: Vec<_> = kept.iter().map(|index| results[*index].ty()).collect();
    let new = stablehlo::WhileOp::build(b, &operands, cond, body)
        .attributes_of(op)
        .result_types(&types)
        .insert();
    for (index, value) in kept.iter().zip(new.results()) {
        b.replace_uses(results[*index], value);
    }
    b.erase(op.operation());
    Ok(())
}

/// Typed calls take the dictionary in `mhlo.backend_config` as their configuration.
fn backend_config_of_mhlo<'c>(b: &Builder<'c>, op: stablehlo::CustomCallOp<'c>) -> RewriteResult {
    const NAME: &str = "mhlo.backend_config";
    let version = op.api_version();
    ensure(
        version.is_none_or(|version| version == CustomCallApiVersion::Original),
        "it is of a newer version of custom calls",
    )?;
    let config = op
        .operation()
        .attribute(NAME)
        .ok_or_else(|| no_match("it has no backend_config"))?;
    let present = op.backend_config();
    ensure(
        present.is_none_or(|present| present.string_value() == Some("")),
        "it has a backend_config of its own",
    )?;
    b.modify(op.operation(), || {
        op.set_backend_config(config);
        op.set_api_version(CustomCallApiVersion::TypedFfi);
        op.remove_attribute(NAME);
    });
    Ok(())
}
