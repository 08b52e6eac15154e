//! Folding of zero fills into contractions.

use super::{aliases::view_source, captures::may_overlap};
use halo_ir::{
    BuildError, Builder, Operation, Value, attribute_of, body_of, defining_operation, is_before,
    is_memref, is_structured, name_of, operands_of,
    ops::{Op, OperationExt, arith, complex, linalg, memref},
    results_of, terminator_of, uses_of,
};
use melior::ir::{ValueLike, operation::OperationLike};

/// Erases the op that sets a contraction's output to zero; see [`zero_fill_of`].
/// Returns whether there was one.
pub fn fold_zero_fill<'c>(
    builder: &Builder<'c>,
    contraction: Operation<'c>,
) -> Result<bool, BuildError> {
    let fill = zero_fill_of(contraction);
    if let Some(fill) = fill {
        builder.erase(fill)?;
    }
    Ok(fill.is_some())
}

/// The `linalg.fill` with zero of a contraction's output, or the copy of zeros
/// into it, if no op in between could read or write it.
pub fn zero_fill_of(contraction: Operation<'_>) -> Option<Operation<'_>> {
    let output = operands_of(contraction).last().copied()?;
    let fill = uses_of(output)
        .into_iter()
        .map(|(user, _)| user)
        .filter(|user| is_before(*user, contraction) && writes_memory_of(*user, output))
        .reduce(|last, user| if is_before(last, user) { user } else { last })?;
    let mut next = fill.next_in_block();
    while let Some(operation) = next.filter(|operation| *operation != contraction) {
        if touches_operands_only(operation) {
            if operands_of(operation)
                .iter()
                .any(|other| is_memref(other.r#type()) && may_overlap(*other, output))
            {
                return None;
            }
        } else if !is_pure(operation) {
            return None;
        }
        next = operation.next_in_block();
    }
    writes_zeros(fill).then_some(fill)
}

/// Whether a buffer has the same elements at two ops of a block, the first of
/// which does not write to it.
pub fn is_unchanged_between(buffer: Value, from: Operation, to: Operation) -> bool {
    let mut next = from.next_in_block();
    while let Some(operation) = next.filter(|operation| *operation != to) {
        let may_write = if operation.isa::<memref::CopyOp>() {
            operands_of(operation)
                .last()
                .is_some_and(|target| may_overlap(*target, buffer))
        } else if is_structured(operation) {
            operands_of(operation)
                .iter()
                .skip(input_count(operation))
                .any(|output| !is_memref(output.r#type()) || may_overlap(*output, buffer))
        } else {
            !is_pure(operation)
        };
        if may_write {
            return false;
        }
        next = operation.next_in_block();
    }
    next.is_some()
}

/// Whether an op accesses no memory except its operands.
fn touches_operands_only(operation: Operation) -> bool {
    is_structured(operation) || operation.isa::<memref::CopyOp>()
}

/// Whether an op writes to this buffer only.
fn writes_memory_of(operation: Operation, buffer: Value) -> bool {
    touches_operands_only(operation) && operands_of(operation).last() == Some(&buffer)
}

/// Whether an op only writes zeros to its last operand.
fn writes_zeros(operation: Operation) -> bool {
    let operands = operands_of(operation);
    let Some(source) = operands.first().copied() else {
        return false;
    };
    match name_of(operation) {
        linalg::FillOp::NAME => is_zero(source),
        memref::CopyOp::NAME => is_buffer_of_zeros(source, operation),
        _ => false,
    }
}

/// Whether a buffer is filled with zeros and then only read, until an op of its
/// block reads it.
fn is_buffer_of_zeros(buffer: Value, reader: Operation) -> bool {
    let Some((alloc, _)) = defining_operation(buffer) else {
        return false;
    };
    if !alloc.isa::<memref::AllocOp>() {
        return false;
    }
    let runs_once = halo_ir::parent_block(alloc) == halo_ir::parent_block(reader);
    let mut fills = 0;
    for (user, number) in uses_of(buffer) {
        // Later users do not matter.
        if runs_once && is_before(reader, user) {
            continue;
        }
        match name_of(user) {
            linalg::FillOp::NAME if writes_zeros(user) => fills += 1,
            memref::DeallocOp::NAME => {}
            memref::CopyOp::NAME if number == 0 => {}
            linalg::GenericOp::NAME if number < input_count(user) => {}
            _ => return false,
        }
    }
    fills == 1
}

/// The inputs of an op of linalg.
pub fn input_count(generic: Operation) -> usize {
    body_of(generic, 0)
        .and_then(terminator_of)
        .map(|terminator| operands_of(terminator).len())
        .and_then(|outputs| operands_of(generic).len().checked_sub(outputs))
        .unwrap_or_default()
}

/// Whether an op accesses no memory that exists before it.
fn is_pure(operation: Operation) -> bool {
    let name = name_of(operation);
    operation.region_count() == 0
        && (name.starts_with("arith.")
            || name.starts_with("math.")
            || matches!(
                name,
                memref::AllocOp::NAME
                    | memref::GetGlobalOp::NAME
                    | memref::DimOp::NAME
                    | complex::ConstantOp::NAME
            )
            || view_source(operation).is_some())
}

/// Whether a value is the constant zero of a number type.
fn is_zero(value: Value) -> bool {
    let Some((operation, _)) = defining_operation(value) else {
        return false;
    };
    if !operation.isa::<arith::ConstantOp>() || results_of(operation).len() != 1 {
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
