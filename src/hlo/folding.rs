//! What ops fold to: the values that MLIR's canonicalizer, constant propagation
//! and inliner put in their place.
//!
//! Folding is cheap and always right. An op that changes nothing is its operand,
//! a branch on a constant is what the branch returns, and an op on small
//! constants is what the interpreter computes, unless the result would be much
//! larger than what it is computed from; a module may say that less is to be
//! computed, or nothing. What costs more, or says less than the
//! program did, is for the passes.

pub mod constants;

use crate::interpreter;
use constants::Limits;
use halo_ir::semantics::FoldResult;
use halo_ir::{
    Attribute, Operation, Value, attribute_of, body_of, context_of, defining_operation,
    dense_from_integers, element_count, i64_array_value, integer_attribute_value, name_of,
    operands_of, operations_of, parent_operation, result_types_of, results_of, shape_of,
    splat_attribute, splat_integer,
};
use melior::ir::{ValueLike, operation::OperationLike};

/// How much the folder computes.
const LIMITS: Limits = Limits {
    elements: 1024,
    growth: 16,
};

/// The attribute of a module that says how many elements a constant that is
/// computed, and those it is computed from, may have. With 0 nothing is
/// computed; what follows from a program's structure still folds.
pub const ELEMENT_LIMIT: &str = "halo.fold_element_limit";

/// How much may be computed for an op.
fn limits_of(op: Operation) -> Option<Limits> {
    let mut outermost = op;
    while let Some(parent) = parent_operation(outermost) {
        outermost = parent;
    }
    let limit = attribute_of(outermost, ELEMENT_LIMIT).and_then(integer_attribute_value);
    match limit {
        None => Some(LIMITS),
        Some(elements) => (elements > 0).then_some(Limits { elements, ..LIMITS }),
    }
}

type Folded<'c> = Option<Vec<FoldResult<'c, 'c>>>;

/// Whether ops of a name are ever folded.
pub fn folds(name: &str) -> bool {
    let structural = [
        "chlo.constant_like",
        "stablehlo.case",
        "stablehlo.get_tuple_element",
        "stablehlo.if",
        "stablehlo.while",
    ];
    structural.contains(&name) || (name != "stablehlo.constant" && interpreter::is_pure(name))
}

/// What an op folds to, given those of its operands that are constants.
pub fn fold<'c>(op: Operation<'c>, constants: &[Option<Attribute<'c>>]) -> Folded<'c> {
    let name = name_of(op);
    if name == "chlo.constant_like" {
        return constant_like(op);
    }
    let short = name.strip_prefix("stablehlo.")?;
    let structural = match short {
        "bitcast_convert" | "convert" | "reshape" => identity(op),
        "broadcast_in_dim" => identity_along(op, "broadcast_dimensions"),
        "case" | "if" => branch(op, constants),
        "concatenate" if op.operand_count() == 1 => identity(op),
        "get_dimension_size" => dimension_size(op),
        "get_tuple_element" => tuple_element(op),
        "pad" => pad(op),
        "reverse" if dims(op, "dimensions").is_some_and(|dims| dims.is_empty()) => identity(op),
        "select" => select(op, constants),
        "slice" => whole_slice(op),
        "transpose" => identity_along(op, "permutation"),
        "while" => loop_without_iteration(op),
        _ => None,
    };
    if structural.is_some() {
        return structural;
    }
    let operands = constants.iter().copied().collect::<Option<Vec<_>>>()?;
    if operands.is_empty() {
        return None;
    }
    let results = constants::evaluate(op, &operands, limits_of(op)?)?;
    Some(results.into_iter().map(FoldResult::Attribute).collect())
}

fn dims(op: Operation, name: &str) -> Option<Vec<i64>> {
    attribute_of(op, name).and_then(i64_array_value)
}

fn first<'c>(op: Operation<'c>) -> Option<Value<'c>> {
    operands_of(op).first().copied()
}

/// The first operand, if it has the type of the result.
fn identity<'c>(op: Operation<'c>) -> Folded<'c> {
    let operand = first(op)?;
    (result_types_of(op) == [operand.r#type()]).then(|| vec![FoldResult::Value(operand)])
}

/// The operand, if its dimensions stay where they are.
fn identity_along<'c>(op: Operation<'c>, attribute: &str) -> Folded<'c> {
    let in_order = dims(op, attribute)?
        .iter()
        .enumerate()
        .all(|(index, dimension)| index as i64 == *dimension);
    in_order.then(|| identity(op))?
}

fn pad<'c>(op: Operation<'c>) -> Folded<'c> {
    let nothing = ["edge_padding_low", "edge_padding_high", "interior_padding"]
        .iter()
        .all(|name| dims(op, name).is_some_and(|dims| dims.iter().all(|amount| *amount == 0)));
    nothing.then(|| identity(op))?
}

fn whole_slice<'c>(op: Operation<'c>) -> Folded<'c> {
    element_count(first(op)?.r#type())?;
    identity(op)
}

fn tuple_element<'c>(op: Operation<'c>) -> Folded<'c> {
    let (tuple, _) = defining_operation(first(op)?)?;
    if name_of(tuple) != "stablehlo.tuple" {
        return None;
    }
    let index = attribute_of(op, "index").and_then(integer_attribute_value)?;
    let value = *operands_of(tuple).get(usize::try_from(index).ok()?)?;
    (result_types_of(op) == [value.r#type()]).then(|| vec![FoldResult::Value(value)])
}

fn dimension_size<'c>(op: Operation<'c>) -> Folded<'c> {
    let dimension = attribute_of(op, "dimension").and_then(integer_attribute_value)?;
    let shape = shape_of(first(op)?.r#type())?;
    let size = (*shape.get(usize::try_from(dimension).ok()?)?)?;
    let r#type = *result_types_of(op).first()?;
    let value = dense_from_integers(r#type, &[size])?;
    Some(vec![FoldResult::Attribute(value)])
}

fn select<'c>(op: Operation<'c>, constants: &[Option<Attribute<'c>>]) -> Folded<'c> {
    let [_, on_true, on_false] = operands_of(op)[..] else {
        return None;
    };
    let chosen = if on_true == on_false || splat_integer((*constants.first()?)?)? != 0 {
        on_true
    } else {
        on_false
    };
    (result_types_of(op) == [chosen.r#type()]).then(|| vec![FoldResult::Value(chosen)])
}

/// A branch on a constant that only returns values from around it. The true
/// branch of `if` is the first; an index out of range means the last.
fn branch<'c>(op: Operation<'c>, constants: &[Option<Attribute<'c>>]) -> Folded<'c> {
    let number = splat_integer((*constants.first()?)?)?;
    let count = op.region_count();
    let chosen = match name_of(op) {
        "stablehlo.if" => usize::from(number == 0),
        _ => usize::try_from(number)
            .ok()
            .filter(|number| *number < count)
            .unwrap_or(count.checked_sub(1)?),
    };
    let body = body_of(op, chosen)?;
    let [terminator] = operations_of(body)[..] else {
        return None;
    };
    let values = operands_of(terminator);
    let agree = values.len() == op.result_count()
        && values
            .iter()
            .zip(results_of(op))
            .all(|(value, result)| value.r#type() == result.r#type());
    agree.then(|| values.into_iter().map(FoldResult::Value).collect())
}

/// A loop whose condition is the constant false.
fn loop_without_iteration<'c>(op: Operation<'c>) -> Folded<'c> {
    let condition = body_of(op, 0)?;
    let operations = operations_of(condition);
    let (terminator, before) = operations.split_last()?;
    let value = *operands_of(*terminator).first()?;
    let (constant, _) = defining_operation(value)?;
    if name_of(constant) != "stablehlo.constant"
        || before.iter().any(|op| name_of(*op) != "stablehlo.constant")
        || splat_integer(attribute_of(constant, "value")?)? != 0
    {
        return None;
    }
    let operands = operands_of(op);
    let agree = operands.len() == op.result_count()
        && operands
            .iter()
            .zip(results_of(op))
            .all(|(operand, result)| operand.r#type() == result.r#type());
    agree.then(|| operands.into_iter().map(FoldResult::Value).collect())
}

/// `chlo.constant_like` of a known shape.
fn constant_like<'c>(op: Operation<'c>) -> Folded<'c> {
    let r#type = *result_types_of(op).first()?;
    element_count(r#type)?;
    let value = attribute_of(op, "value")?;
    let element = halo_ir::element_type(r#type);
    let number = constants::element_of(context_of(op), value, element)?;
    let constant = splat_attribute(r#type, number);
    Some(vec![FoldResult::Attribute(constant)])
}
