//! Control flow, calls, tuples and tokens.

use super::{prelude::*, value::Value};
use halo_ir::prelude::*;

/// Section `optimization_barrier`: the operands.
pub fn identity(call: &Call) -> Evaluated {
    Ok(call.operands.to_vec())
}

/// Sections `after_all` and `create_token`: ops run in order, so every token follows all earlier
/// ops.
pub fn token(_: &Call) -> Evaluated {
    Ok(vec![Value::Token])
}

/// Section `tuple`.
pub fn tuple(call: &Call) -> Evaluated {
    Ok(vec![Value::Tuple(call.operands.into())])
}

/// Section `get_tuple_element`.
pub fn get_tuple_element(call: &Call) -> Evaluated {
    let index = call.op.integer("index")?;
    match call.operand(0)? {
        Value::Tuple(values) => usize::try_from(index)
            .ok()
            .and_then(|index| values.get(index))
            .map(|value| vec![value.clone()])
            .ok_or_else(|| format!("has no element {index}").into()),
        other => Err(format!("expects a tuple, but {} was given", other.kind()).into()),
    }
}

/// Section `if`.
pub fn if_then_else(call: &Call) -> Evaluated {
    call.region(usize::from(!predicate(call.operand(0)?)?), &[])
}

/// Section `case`: an index out of range selects the last branch.
pub fn case(call: &Call) -> Evaluated {
    let last = call.op.region_count().checked_sub(1).ok_or("has no branch")?;
    let index = call.scalars_from(0)?.first().copied().unwrap_or(-1);
    let branch = usize::try_from(index).map_or(last, |index| index.min(last));
    call.region(branch, &[])
}

/// Section `while`.
pub fn while_loop(call: &Call) -> Evaluated {
    let mut values = call.operands.to_vec();
    loop {
        let condition = call.region(0, &values)?;
        let [condition] = &condition[..] else {
            return Err("has a condition that does not return one value".into());
        };
        if !predicate(condition)? {
            return Ok(values);
        }
        values = call.region(1, &values)?;
    }
}

fn predicate(value: &Value) -> Result<bool, Failure> {
    let tensor = value.tensor()?;
    match tensor.element_count() {
        1 => Ok(tensor.get_bool(0)),
        _ => Err(format!("expects a scalar condition, but has {}", tensor.shape()).into()),
    }
}

/// The function in a symbol attribute.
pub fn symbol<'c>(call: &Call<'_, '_, 'c>, name: &str) -> Result<&'c str, Failure> {
    call.op
        .attribute(name)
        .and_then(Attribute::symbol_value)
        .ok_or_else(|| format!("has no attribute '{name}'").into())
}

/// A call of a function of the module.
pub fn call(call: &Call) -> Evaluated {
    invoke(call, symbol(call, "callee")?)
}

/// Section `composite`: calls its decomposition.
pub fn composite(call: &Call) -> Evaluated {
    invoke(call, symbol(call, "decomposition")?)
}

/// Calls a function with the operands of an op.
pub fn invoke(call: &Call, name: &str) -> Evaluated {
    let evaluator = call.evaluator;
    let function = evaluator
        .environment
        .function(name)
        .ok_or_else(|| format!("calls '{name}', which is not a function of the module"))?;
    evaluator.region(function, 0, call.operands, None)
}

/// A string attribute.
pub fn text<'c>(call: &Call<'_, '_, 'c>, name: &str) -> Result<&'c str, Failure> {
    call.op
        .attribute(name)
        .and_then(Attribute::string_value)
        .ok_or_else(|| format!("has no attribute '{name}'").into())
}
