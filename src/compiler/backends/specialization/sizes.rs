//! Which inputs of a program decide sizes.
//!
//! The operands that say sizes, as of `dynamic_reshape`, are followed back to
//! the arguments. What only looks at the size of a value does not depend on the
//! value.

use crate::ir::{
    Operation, Value, arguments_of, block_argument, body_of, collect_operations,
    defining_operation, name_of, operands_of, owner_of, value_key, visit,
};
use std::collections::HashSet;

/// The operands of an op that say sizes.
fn size_operands(name: &str) -> std::ops::Range<usize> {
    match name {
        "stablehlo.dynamic_iota" => 0..1,
        "stablehlo.dynamic_reshape"
        | "stablehlo.dynamic_broadcast_in_dim"
        | "stablehlo.set_dimension_size" => 1..2,
        "stablehlo.dynamic_pad" => 2..5,
        "stablehlo.real_dynamic_slice" => 1..4,
        "stablehlo.dynamic_gather" | "stablehlo.dynamic_conv" => 2..3,
        "chlo.dynamic_reshape" => 1..2,
        _ => 0..0,
    }
}

/// For each argument of the entry, which must hold all of the program's ops,
/// whether sizes depend on its value.
pub fn sized_by(entry: Operation) -> Vec<bool> {
    let arguments = body_of(entry, 0).map(arguments_of).unwrap_or_default();
    let mut seen = HashSet::new();
    let mut pending: Vec<Value> =
        collect_operations(entry, |op| !size_operands(name_of(op)).is_empty())
            .into_iter()
            .flat_map(|op| {
                let operands = operands_of(op);
                size_operands(name_of(op)).filter_map(move |index| operands.get(index).copied())
            })
            .collect();
    while let Some(value) = pending.pop() {
        if !seen.insert(value_key(value)) {
            continue;
        }
        // An argument of a region stands for any operand of the op around it.
        let around = block_argument(value).and_then(|(block, _)| owner_of(block));
        let source = defining_operation(value).map(|(op, _)| op).or(around);
        let Some(source) = source.filter(|op| *op != entry) else {
            continue;
        };
        if matches!(
            name_of(source),
            "stablehlo.get_dimension_size" | "shape.shape_of"
        ) {
            continue;
        }
        // What regions use counts as well.
        visit(source, &mut |op| pending.extend(operands_of(op)));
    }
    arguments
        .into_iter()
        .map(|argument| seen.contains(&value_key(argument)))
        .collect()
}
