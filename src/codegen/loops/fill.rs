//! Folding of fills into contractions and reductions.

use super::{
    aliases::{ancestor_in, users_of_memory},
    captures::may_overlap,
};
use halo_ir::{
    ops::{complex, memref::view_source},
    prelude::*,
};

/// Erases the op that sets a contraction's output to zero; see [`zero_fill_of`]. Returns whether it
/// existed.
pub fn fold_zero_fill<'c>(builder: &Builder<'c>, contraction: Operation<'c>) -> bool {
    let fill = zero_fill_of(contraction);
    if let Some(fill) = fill {
        builder.erase(fill);
    }
    fill.is_some()
}

/// The `linalg.fill` of a contraction's output with zero, or the copy of zeros into it, if no op in
/// between could read or write it.
pub fn zero_fill_of(contraction: Operation<'_>) -> Option<Operation<'_>> {
    let output = contraction.operands().last().copied()?;
    last_write(contraction, output).filter(|fill| writes_zeros(*fill))
}

/// Clones a `linalg.fill` for another buffer.
pub fn clone_fill<'c>(builder: &Builder<'c>, fill: Operation<'c>, buffer: Value<'c>) {
    let filled = fill.operands().last().copied();
    let mut map = filled.map(|filled| (filled.key(), buffer)).into_iter().collect();
    builder.clone_op(fill, &mut map);
}

/// The op that fills an output of an op, and the fill value, if no op in between could read or
/// write the output, and the op itself has no other operand that reads it.
pub fn fill_of<'c>(
    operation: Operation<'c>,
    output: Value<'c>,
) -> Option<(Operation<'c>, Value<'c>)> {
    let others = operation.operands().into_iter();
    let mut others = others.filter(|other| *other != output && other.ty().is_memref());
    let uses = operation.operands().into_iter();
    if uses.filter(|operand| *operand == output).count() > 1
        || others.any(|other| may_overlap(other, output))
    {
        return None;
    }
    let fill = last_write(operation, output)?;
    Some((fill, filled_with(fill)?))
}

/// The fill value of an op that writes the same value to every element of its only output.
pub fn filled_with(operation: Operation<'_>) -> Option<Value<'_>> {
    if operation.isa::<linalg::FillOp>() {
        return operation.operands().first().copied();
    }
    let generic = operation.cast::<linalg::GenericOp>()?;
    let body = operation.body(0)?;
    let [value] = body.terminator()?.operands()[..] else {
        return None;
    };
    let is_inside = value
        .as_block_argument()
        .and_then(|(block, _)| block.parent())
        .is_some_and(|owner| owner == operation);
    let covers = |map: &AffineMap| map.is_identity();
    (body.operations().len() == 1
        && generic.inputs().is_empty()
        && body.arguments().len() == 1
        && !is_inside
        && operation.indexing_maps()?.iter().all(covers))
    .then_some(value)
}

/// The last op before another one that writes to a buffer, if no op in between could read or write
/// it.
pub(super) fn last_write<'c>(operation: Operation<'c>, output: Value<'c>) -> Option<Operation<'c>> {
    let last = output
        .uses()
        .into_iter()
        .map(|(user, _)| user)
        .filter(|user| user.is_before(operation) && writes_memory_of(*user, output))
        .reduce(|last, user| if last.is_before(user) { user } else { last })?;
    is_untouched(output, last, operation).then_some(last)
}

/// Whether no op between two ops of a block could read or write a buffer.
pub fn is_untouched<'c>(buffer: Value<'c>, first: Operation<'c>, last: Operation<'c>) -> bool {
    if let Some(aliases) = users_of_memory(buffer) {
        let block = first.block();
        let between = |user: &Operation<'c>| {
            let around = block.and_then(|block| ancestor_in(block, *user));
            around.is_some_and(|around| first.is_before(around) && around.is_before(last))
        };
        return !(aliases.users.iter()).any(|user| view_source(*user).is_none() && between(user));
    }
    let mut next = first.next_in_block();
    while let Some(between) = next.filter(|between| *between != last) {
        if touches_operands_only(between) {
            if between
                .operands()
                .iter()
                .any(|other| other.ty().is_memref() && may_overlap(*other, buffer))
            {
                return false;
            }
        } else if !is_pure(between) {
            return false;
        }
        next = between.next_in_block();
    }
    true
}

/// Whether a buffer has the same elements at two ops of a block, if the first does not write to it.
pub fn is_unchanged_between(buffer: Value, from: Operation, to: Operation) -> bool {
    let mut next = from.next_in_block();
    while let Some(operation) = next.filter(|operation| *operation != to) {
        let may_write = if operation.isa::<memref::CopyOp>() {
            operation.operands().last().is_some_and(|target| may_overlap(*target, buffer))
        } else if operation.is_structured() {
            operation
                .operands()
                .iter()
                .skip(input_count(operation))
                .any(|output| !output.ty().is_memref() || may_overlap(*output, buffer))
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

/// Whether an op accesses no memory other than its operands.
fn touches_operands_only(operation: Operation) -> bool {
    operation.is_structured() || operation.isa::<memref::CopyOp>()
}

/// Whether an op writes to this buffer only.
fn writes_memory_of(operation: Operation, buffer: Value) -> bool {
    touches_operands_only(operation) && operation.operands().last() == Some(&buffer)
}

/// Whether an op only writes zeros to its last operand.
fn writes_zeros(operation: Operation) -> bool {
    let operands = operation.operands();
    let Some(source) = operands.first().copied() else {
        return false;
    };
    match operation.name() {
        linalg::FillOp::NAME => is_zero(source),
        memref::CopyOp::NAME => is_buffer_of_zeros(source, operation),
        _ => false,
    }
}

/// Whether a buffer is filled with zeros and then only read, until `reader` in the same block.
fn is_buffer_of_zeros(buffer: Value, reader: Operation) -> bool {
    let Some(alloc) = buffer.defining_op() else {
        return false;
    };
    if !alloc.isa::<memref::AllocOp>() {
        return false;
    }
    let runs_once = alloc.block() == reader.block();
    let mut fills = 0;
    for (user, number) in buffer.uses() {
        // Users after the reader are irrelevant.
        if runs_once && reader.is_before(user) {
            continue;
        }
        match user.name() {
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
    generic
        .body(0)
        .and_then(Block::terminator)
        .map(|terminator| terminator.operands().len())
        .and_then(|outputs| generic.operands().len().checked_sub(outputs))
        .unwrap_or_default()
}

/// Whether an op accesses no memory that exists before it.
fn is_pure(operation: Operation) -> bool {
    let name = operation.name();
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
pub fn is_zero(value: Value) -> bool {
    let Some(operation) = value.defining_op() else {
        return false;
    };
    if !operation.isa::<arith::ConstantOp>() || operation.results().len() != 1 {
        return false;
    }
    let Some(attribute) = operation.attribute("value") else {
        return false;
    };
    if let Some(number) = attribute.integer_value() {
        return number == 0;
    }
    attribute.float_value() == Some(0.0)
}
