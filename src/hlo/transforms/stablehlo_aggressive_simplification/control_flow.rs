//! Loops, tuples and custom calls.

use super::Options;
use crate::matchers::{defined_by, ensure, integer, operands, result_type};
use halo_ir::stablehlo::attributes::CustomCallApiVersion;
use halo_ir::{
    Builder, Operation, OptionPattern, RewriteError, RewriteResult, Value, arguments_of,
    attribute_of, attributes_of, body_of, erase_argument, operands_of, remove_attribute,
    replace_uses, results_of, set_attribute, string_value, take_region, terminator_of,
};
use melior::ir::ValueLike;

type Pattern = OptionPattern<Options>;

pub(super) static PATTERNS: &[Pattern] = &[
    Pattern::new("stablehlo.custom_call", backend_config_of_mhlo),
    Pattern::new("stablehlo.get_tuple_element", element_of_new_tuple),
    Pattern::new("stablehlo.tuple", tuple_of_all_elements),
    Pattern::new("stablehlo.while", invariants_are_captured),
];

/// `get_tuple_element(tuple(x, y), 1)` -> `y`
fn element_of_new_tuple<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand] = operands(op)?;
    let values = operands_of(defined_by(operand, "stablehlo.tuple")?);
    let index = usize::try_from(integer(op, "index")?).map_err(|_| RewriteError::NoMatch)?;
    let value = *values.get(index).ok_or(RewriteError::NoMatch)?;
    ensure(value.r#type() == result_type(op)?)?;
    b.replace(op, &[value])?;
    Ok(())
}

/// `tuple(x[0], x[1], ...)` of all elements of `x` -> `x`
fn tuple_of_all_elements<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let mut whole = None;
    for (index, value) in operands_of(op).into_iter().enumerate() {
        let element = defined_by(value, "stablehlo.get_tuple_element")?;
        let [tuple] = operands(element)?;
        ensure(integer(element, "index")? == index as i64)?;
        ensure(*whole.get_or_insert(tuple) == tuple)?;
    }
    let whole = whole.ok_or(RewriteError::NoMatch)?;
    ensure(whole.r#type() == result_type(op)?)?;
    b.replace(op, &[whole])?;
    Ok(())
}

/// Values that a loop carries unchanged are read from outside.
fn invariants_are_captured<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let (Some(cond), Some(body)) = (body_of(op, 0), body_of(op, 1)) else {
        return Err(RewriteError::NoMatch);
    };
    let terminator = terminator_of(body).ok_or(RewriteError::NoMatch)?;
    let (carried, returned, results) = (operands_of(op), operands_of(terminator), results_of(op));
    let (cond_arguments, body_arguments) = (arguments_of(cond), arguments_of(body));
    let count = carried.len();
    ensure(
        [
            returned.len(),
            results.len(),
            cond_arguments.len(),
            body_arguments.len(),
        ] == [count; 4],
    )?;
    let (invariant, kept): (Vec<usize>, Vec<usize>) = (0..count).partition(|index| {
        (returned[*index] == body_arguments[*index] || returned[*index] == carried[*index])
            && results[*index].r#type() == carried[*index].r#type()
            && body_arguments[*index].r#type() == carried[*index].r#type()
            && cond_arguments[*index].r#type() == carried[*index].r#type()
    });
    ensure(!invariant.is_empty())?;

    b.with_insertion_point(|b| -> RewriteResult {
        b.set_before(terminator);
        let values: Vec<Value> = kept.iter().map(|index| returned[*index]).collect();
        b.op("stablehlo.return").operands(&values).insert()?;
        Ok(())
    })?;
    b.erase(terminator)?;
    for index in invariant.iter().rev() {
        let value = carried[*index];
        for argument in [cond_arguments[*index], body_arguments[*index]] {
            b.replace_uses(argument, value);
        }
        replace_uses(results[*index], value);
        erase_argument(cond, *index);
        erase_argument(body, *index);
    }
    let (Some(cond), Some(body)) = (take_region(op, 0), take_region(op, 1)) else {
        return Err(RewriteError::NoMatch);
    };
    let operands: Vec<Value> = kept.iter().map(|index| carried[*index]).collect();
    let types: Vec<_> = kept.iter().map(|index| results[*index].r#type()).collect();
    let mut spec = b
        .op("stablehlo.while")
        .operands(&operands)
        .results(&types)
        .region(cond)
        .region(body);
    for (name, attribute) in attributes_of(op) {
        spec = spec.attribute(name, attribute);
    }
    let new = results_of(spec.insert()?);
    for (index, value) in kept.iter().zip(new) {
        b.replace_uses(results[*index], value);
    }
    b.erase(op)?;
    Ok(())
}

/// A dictionary in `mhlo.backend_config` is what typed calls take as their
/// configuration.
fn backend_config_of_mhlo<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    const NAME: &str = "mhlo.backend_config";
    let version = attribute_of(op, "api_version").map_or(
        Some(CustomCallApiVersion::Original),
        CustomCallApiVersion::from_attribute,
    );
    ensure(version == Some(CustomCallApiVersion::Original))?;
    let config = attribute_of(op, NAME).ok_or(RewriteError::NoMatch)?;
    ensure(
        attribute_of(op, "backend_config").is_none_or(|present| string_value(present) == Some("")),
    )?;
    b.modify(op, || {
        set_attribute(op, "backend_config", config);
        let typed = CustomCallApiVersion::TypedFfi.to_attribute(b.context());
        set_attribute(op, "api_version", typed);
        remove_attribute(op, NAME);
    });
    Ok(())
}
