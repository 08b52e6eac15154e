//! The body of a structured op for one iteration of its loop nest.

use super::loop_nest::{LoopNest, index_dimension};
use halo_ir::prelude::*;

/// Clones the body at the insertion point. Inputs are loaded. An output starts from the given
/// value; if there is none, it is loaded if the body reads it. Returns the yielded values.
pub fn emit<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    ivs: &[Value<'c>],
    outputs: &[Option<Value<'c>>],
) -> Vec<Value<'c>> {
    let mut map = ValueMap::new();
    for (number, argument) in nest.body.arguments().into_iter().enumerate() {
        let given = number
            .checked_sub(nest.input_count)
            .and_then(|output| outputs.get(output).copied().flatten());
        let value = match given {
            Some(value) => value,
            None if argument.is_unused() => continue,
            None => nest.accesses[number].load(builder, ivs),
        };
        map.insert(argument.key(), value);
    }
    clone(builder, nest, ivs, &mut map)
}

/// One iteration. Outputs that are `carried` start from the given values, in order, and their next
/// values are returned; other outputs are loaded and stored.
pub fn emit_iteration<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    ivs: &[Value<'c>],
    carried: &[bool],
    values: &[Value<'c>],
) -> Vec<Value<'c>> {
    let mut values = values.iter().copied();
    let outputs: Vec<_> = carried
        .iter()
        .map(|carried| if *carried { values.next() } else { None })
        .collect();
    let results = emit(builder, nest, ivs, &outputs);
    let mut next = Vec::new();
    for ((output, carried), value) in nest.outputs().iter().zip(carried).zip(results) {
        if *carried {
            next.push(value)
        } else {
            output.store(builder, ivs, value)
        }
    }
    next
}

/// One iteration with all outputs in memory.
pub fn emit_iteration_in_memory<'c>(builder: &Builder<'c>, nest: &LoopNest<'c>, ivs: &[Value<'c>]) {
    let carried = vec![false; nest.outputs().len()];
    emit_iteration(builder, nest, ivs, &carried, &[]);
}

/// Clones the body with its arguments already mapped.
pub fn clone<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    ivs: &[Value<'c>],
    map: &mut ValueMap<'c>,
) -> Vec<Value<'c>> {
    let terminator = nest.body.terminator();
    for operation in nest.body.operations() {
        if Some(operation) == terminator {
            break;
        }
        if let Some(dim) = index_dimension(operation) {
            let value = nest.origin[dim].emit(builder, ivs);
            map.insert(operation.results()[0].key(), value);
            continue;
        }
        let copy = builder.clone_op(operation, map);
        let mut nested = Vec::new();
        copy.visit(&mut |inner| {
            if index_dimension(inner).is_some() {
                nested.push(inner);
            }
        });
        for inner in nested {
            let dim = index_dimension(inner).unwrap_or_default();
            let value = builder.with_insertion_point(|builder| {
                builder.set_before(copy);
                nest.origin[dim].emit(builder, ivs)
            });
            inner.results()[0].replace_uses_with(value);
            builder.erase(inner);
        }
    }
    terminator
        .map(Operation::operands)
        .unwrap_or_default()
        .into_iter()
        .map(|value| mapped(map, value))
        .collect()
}
