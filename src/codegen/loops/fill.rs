//! Folding of the zeros that a matrix product starts from.

use super::{aliases::view_source, captures::may_overlap};
use halo_ir::{
    BuildError, Builder, Operation, Value, attribute_of, body_of, defining_operation, is_memref,
    is_structured, name_of, operands_of, results_of, terminator_of, uses_of,
};
use melior::ir::{ValueLike, operation::OperationLike};

/// Erases the op that sets a product's output to zero; see [`zero_fill_of`].
/// Returns whether there was one.
pub fn fold_zero_fill<'c>(
    builder: &Builder<'c>,
    product: Operation<'c>,
) -> Result<bool, BuildError> {
    let fill = zero_fill_of(product);
    if let Some(fill) = fill {
        builder.erase(fill)?;
    }
    Ok(fill.is_some())
}

/// The `linalg.fill` with zero of a product's output, or the copy of zeros into
/// it, where nothing that could read or write it stands between the two.
pub fn zero_fill_of(product: Operation<'_>) -> Option<Operation<'_>> {
    let output = operands_of(product).last().copied()?;
    let mut previous = previous_of(product);
    while let Some(operation) = previous {
        let operands = operands_of(operation);
        let touches_operands_only = is_structured(operation) || name_of(operation) == "memref.copy";
        if touches_operands_only {
            if operands.last() == Some(&output) && writes_zeros(operation) {
                return Some(operation);
            }
            if operands
                .iter()
                .any(|other| is_memref(other.r#type()) && may_overlap(*other, output))
            {
                return None;
            }
        } else if !is_pure(operation) {
            return None;
        }
        previous = previous_of(operation);
    }
    None
}

/// Whether an op does nothing but write zeros to its last operand.
fn writes_zeros(operation: Operation) -> bool {
    let operands = operands_of(operation);
    let Some(source) = operands.first().copied() else {
        return false;
    };
    match name_of(operation) {
        "linalg.fill" => is_zero(source),
        "memref.copy" => is_buffer_of_zeros(source, operation),
        _ => false,
    }
}

/// Whether a buffer is filled with zeros and then only read, until an op of its
/// block reads it.
fn is_buffer_of_zeros(buffer: Value, reader: Operation) -> bool {
    let Some((alloc, _)) = defining_operation(buffer) else {
        return false;
    };
    if name_of(alloc) != "memref.alloc" {
        return false;
    }
    let block = halo_ir::parent_block(reader);
    let behind = match block {
        Some(block) if halo_ir::parent_block(alloc) == Some(block) => {
            let operations = halo_ir::operations_of(block);
            let position = operations.iter().position(|other| *other == reader);
            position.map_or_else(Vec::new, |position| operations[position + 1..].to_vec())
        }
        _ => Vec::new(),
    };
    let mut fills = 0;
    for (user, number) in uses_of(buffer) {
        // What comes later does not matter.
        if behind.contains(&user) {
            continue;
        }
        match name_of(user) {
            "linalg.fill" if writes_zeros(user) => fills += 1,
            "memref.dealloc" => {}
            "memref.copy" if number == 0 => {}
            "linalg.generic" if number < input_count(user) => {}
            _ => return false,
        }
    }
    fills == 1
}

fn input_count(generic: Operation) -> usize {
    body_of(generic, 0)
        .and_then(terminator_of)
        .map(|terminator| operands_of(terminator).len())
        .and_then(|outputs| operands_of(generic).len().checked_sub(outputs))
        .unwrap_or_default()
}

fn previous_of<'c>(operation: Operation<'c>) -> Option<Operation<'c>> {
    let block = halo_ir::parent_block(operation)?;
    let operations = halo_ir::operations_of(block);
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
    if let Some(number) = halo_ir::integer_attribute_value(attribute) {
        return number == 0;
    }
    halo_ir::float_attribute_value(attribute) == Some(0.0)
}
