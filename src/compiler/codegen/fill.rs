//! Folding of the zeros that a matrix product starts from.

use super::aliases::view_source;
use crate::ir::{
    Builder, Operation, Value, attribute_of, defining_operation, name_of, operands_of, results_of,
};
use melior::ir::operation::OperationLike;

/// Erases the `linalg.fill` with zero of a product's output, where nothing that
/// could read or write it stands between the two. Returns whether there was one.
pub fn fold_zero_fill<'c>(builder: &Builder<'c>, product: Operation<'c>) -> bool {
    let Some(output) = operands_of(product).last().copied() else {
        return false;
    };
    let mut previous = previous_of(product);
    while let Some(operation) = previous {
        if name_of(operation) == "linalg.fill" {
            let operands = operands_of(operation);
            if operands.get(1) == Some(&output) {
                let zero = operands.first().is_some_and(|value| is_zero(*value));
                if zero {
                    builder.erase(operation);
                }
                return zero;
            }
            if !operands
                .get(1)
                .is_some_and(|other| are_distinct(*other, output))
            {
                return false;
            }
        } else if !is_pure(operation) {
            return false;
        }
        previous = previous_of(operation);
    }
    false
}

fn previous_of<'c>(operation: Operation<'c>) -> Option<Operation<'c>> {
    let block = crate::ir::parent_block(operation)?;
    let operations = crate::ir::operations_of(block);
    let position = operations.iter().position(|other| *other == operation)?;
    position.checked_sub(1).map(|position| operations[position])
}

/// Whether an op touches no memory that exists before it.
fn is_pure(operation: Operation) -> bool {
    let name = name_of(operation);
    operation.region_count() == 0
        && (name.starts_with("arith.")
            || name.starts_with("math.")
            || matches!(
                name,
                "memref.alloc" | "memref.get_global" | "memref.dim" | "complex.constant"
            )
            || view_source(operation).is_some())
}

/// Whether two memrefs are views of two different allocations.
fn are_distinct(one: Value, other: Value) -> bool {
    match (allocation_of(one), allocation_of(other)) {
        (Some(one), Some(other)) => one != other,
        _ => false,
    }
}

fn allocation_of<'c>(value: Value<'c>) -> Option<Operation<'c>> {
    let (operation, _) = defining_operation(value)?;
    if name_of(operation) == "memref.alloc" {
        return Some(operation);
    }
    allocation_of(view_source(operation)?)
}

/// Whether a value is the constant zero of a number type.
fn is_zero(value: Value) -> bool {
    let Some((operation, _)) = defining_operation(value) else {
        return false;
    };
    if name_of(operation) != "arith.constant" || results_of(operation).len() != 1 {
        return false;
    }
    let Some(attribute) = attribute_of(operation, "value") else {
        return false;
    };
    if let Some(number) = crate::ir::integer_attribute_value(attribute) {
        return number == 0;
    }
    melior::ir::attribute::FloatAttribute::try_from(attribute)
        .is_ok_and(|number| number.value() == 0.0)
}
