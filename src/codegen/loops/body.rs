//! The body of a structured op for one iteration of its loop nest.

use super::{
    emit::Emitted,
    loop_nest::{LoopNest, index_dimension},
};
use halo_ir::{
    Builder, Value, ValueMap, arguments_of, clone_operation, is_unused, mapped, operands_of,
    operations_of, replace_uses, results_of, terminator_of, value_key, visit,
};

/// Copies the body to the insertion point. Inputs are loaded; an output starts
/// from the given value, or from memory where none is given and the body reads
/// it. Returns the values that the body yields.
pub fn emit<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    ivs: &[Value<'c>],
    outputs: &[Option<Value<'c>>],
) -> Emitted<Vec<Value<'c>>> {
    let mut map = ValueMap::new();
    for (number, argument) in arguments_of(nest.body).into_iter().enumerate() {
        let given = number
            .checked_sub(nest.input_count)
            .and_then(|output| outputs.get(output).copied().flatten());
        let value = match given {
            Some(value) => value,
            None if is_unused(argument) => continue,
            None => nest.accesses[number].load(builder, ivs)?,
        };
        map.insert(value_key(argument), value);
    }
    clone(builder, nest, ivs, &mut map)
}

/// Copies the body with its arguments already mapped.
pub fn clone<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    ivs: &[Value<'c>],
    map: &mut ValueMap<'c>,
) -> Emitted<Vec<Value<'c>>> {
    let terminator = terminator_of(nest.body);
    for operation in operations_of(nest.body) {
        if Some(operation) == terminator {
            break;
        }
        if let Some(dim) = index_dimension(operation) {
            let value = nest.origin[dim].emit(builder, ivs)?;
            map.insert(value_key(results_of(operation)[0]), value);
            continue;
        }
        let copy = clone_operation(builder, operation, map);
        let mut nested = Vec::new();
        visit(copy, &mut |inner| {
            if index_dimension(inner).is_some() {
                nested.push(inner);
            }
        });
        for inner in nested {
            let dim = index_dimension(inner).unwrap_or_default();
            let value = builder.with_insertion_point(|builder| {
                builder.set_before(copy);
                nest.origin[dim].emit(builder, ivs)
            })?;
            replace_uses(results_of(inner)[0], value);
            builder.erase(inner)?;
        }
    }
    Ok(terminator
        .map(operands_of)
        .unwrap_or_default()
        .into_iter()
        .map(|value| mapped(map, value))
        .collect())
}
