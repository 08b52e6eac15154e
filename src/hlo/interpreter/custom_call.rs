//! Section `custom_call`: handlers by name.

use super::{control_flow::text, prelude::*, value::Value};
use crate::custom_calls;
use crate::literals;
use halo_core::{Literal, Shape};
use halo_ir::prelude::*;
use melior::ir::r#type::TupleType;

/// Calls the registered handler of the target. Annotations of sharding and placement are the
/// identity on one device.
pub fn custom_call(call: &Call) -> Evaluated {
    let target = text(call, "call_target_name")?;
    let registry = &call.evaluator.environment.custom_calls;
    if !registry.contains(target) && custom_calls::is_annotation(target) {
        // Annotations have no result.
        let results = call.operation()?.result_types().len();
        return Ok(call.operands.iter().take(results).cloned().collect());
    }
    let mut operands = Vec::new();
    for value in call.operands {
        tensors_in(value, &mut operands)?;
    }
    let operation = call.operation()?;
    let types = operation.result_types();
    let mut results = Vec::new();
    for ty in &types {
        shapes_in(*ty, &mut results)?;
    }
    let shapes: Vec<Shape> = operands.iter().map(|operand| operand.shape().clone()).collect();
    let site = custom_calls::site(operation, target, shapes, results)?;
    let mut results = registry.call(&site, &operands)?.into_iter();
    types.into_iter().map(|ty| value_of(ty, &mut results)).collect()
}

/// Flattens a value to tensors.
fn tensors_in(value: &Value, tensors: &mut Vec<Literal>) -> Result<(), Failure> {
    match value {
        Value::Tensor(literal) => tensors.push(Literal::clone(literal)),
        Value::Tuple(values) => {
            for value in values.iter() {
                tensors_in(value, tensors)?;
            }
        }
        other => return Err(format!("has {} as operand", other.kind()).into()),
    }
    Ok(())
}

/// The shapes of the tensors in a value of a type.
fn shapes_in(ty: Type, shapes: &mut Vec<Shape>) -> Result<(), Failure> {
    match tuple_types(ty) {
        Some(types) => types.into_iter().try_for_each(|ty| shapes_in(ty, shapes)),
        None => {
            shapes.push(literals::shape_of(ty)?);
            Ok(())
        }
    }
}

/// Builds a value of a type from tensors.
fn value_of(ty: Type, tensors: &mut impl Iterator<Item = Literal>) -> Result<Value, Failure> {
    match tuple_types(ty) {
        Some(types) => {
            let values = types.into_iter().map(|ty| value_of(ty, tensors));
            Ok(Value::Tuple(values.collect::<Result<_, _>>()?))
        }
        None => match tensors.next() {
            Some(literal) => Ok(literal.into()),
            None => Err("gave fewer results than it has".into()),
        },
    }
}

/// The element types of a tuple type; `None` for another type.
fn tuple_types(ty: Type<'_>) -> Option<Vec<Type<'_>>> {
    let tuple = ty.cast::<TupleType>()?;
    (0..tuple.type_count()).map(|position| tuple.r#type(position).ok()).collect()
}
