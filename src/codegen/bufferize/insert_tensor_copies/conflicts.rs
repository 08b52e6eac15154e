//! Finds the reads of a tensor that follow a write to its memory.
//!
//! A use is an interval in program order: its op, or the outermost loop around
//! it that is inside the tensor's scope, since the next iteration reads it
//! again. A write conflicts with each use that follows it, or whose loop
//! contains it. Uses in another branch of a conditional are never reached.

use super::{
    super::{destination_passing::destination_operand, reads_where_written},
    buffers::{Buffer, Buffers},
};
use crate::loops::{
    aliases::{is_loop, is_parallel_loop},
    order::{Order, outermost_within, scope_of},
};
use halo_ir::{ops::bufferization, prelude::*};

/// A read of a value that a write would overwrite.
#[derive(Clone, Copy)]
pub struct Conflict<'c> {
    pub value: Value<'c>,
    /// The op that reads the value, and the operand's index.
    pub user: Operation<'c>,
    pub operand: usize,
    /// The loop that reads it again in each iteration, or the user itself.
    pub interval: Operation<'c>,
}

/// The number of the last op that may read a value.
pub fn last_use(order: &Order, value: Value) -> usize {
    let scope = scope_of(value);
    let end = |(user, _)| {
        let around = outermost_within(user, scope, is_loop);
        order.span(around.unwrap_or(user)).1
    };
    uses_of(value).into_iter().map(end).max().unwrap_or(0)
}

/// Whether a tensor is not written yet.
pub fn is_undefined(value: Value) -> bool {
    defining_operation(value).is_some_and(|(op, _)| match name_of(op) {
        tensor::EmptyOp::NAME => true,
        bufferization::AllocTensorOp::NAME => {
            !operands_of(op).iter().any(|operand| is_tensor(operand.r#type()))
        }
        _ => false,
    })
}

/// Whether an op reads the elements of an operand. Other uses may read them
/// later.
pub fn reads(op: Operation, operand: usize) -> bool {
    match name_of(op) {
        tensor::DimOp::NAME => false,
        bufferization::MaterializeInDestinationOp::NAME => operand == 0,
        name if name.starts_with("linalg.") => body_of(op, 0)
            .and_then(|body| arguments_of(body).get(operand).copied())
            .is_none_or(|argument| !is_unused(argument)),
        _ => true,
    }
}

/// Whether iterations of a parallel loop around an op would all write to a
/// tensor of theirs, or to slices of it, which may overlap. What the loop itself
/// carries is not such a tensor: its iterations insert disjoint slices.
pub fn is_shared_by_iterations(op: Operation, tensor: Value) -> bool {
    let mut root = tensor;
    loop {
        if outermost_within(op, scope_of(root), is_parallel_loop).is_some() {
            return true;
        }
        let view = defining_operation(root).filter(|(definition, _)| {
            matches!(
                name_of(*definition),
                tensor::ExtractSliceOp::NAME
                    | tensor::CollapseShapeOp::NAME
                    | tensor::ExpandShapeOp::NAME
                    | tensor::CastOp::NAME
            )
        });
        match view.and_then(|(definition, _)| operands_of(definition).first().copied()) {
            Some(source) => root = source,
            None => return false,
        }
    }
}

/// Whether two ops are in different branches of one conditional.
pub fn are_exclusive<'c>(one: Operation<'c>, other: Operation<'c>) -> bool {
    let region = |op: Operation<'c>, around: Operation<'c>| {
        let mut inner = op;
        while let Some(parent) = parent_operation(inner) {
            if parent == around {
                return (0..around.region_count())
                    .find(|region| body_of(around, *region) == inner.block());
            }
            inner = parent;
        }
        None
    };
    let mut parent = parent_operation(one);
    while let Some(around) = parent {
        if is_inside(other, around) {
            return matches!(name_of(around), scf::IfOp::NAME | scf::IndexSwitchOp::NAME)
                && region(one, around) != region(other, around);
        }
        parent = parent_operation(around);
    }
    false
}

/// Whether an op after a conditional, or in the next iteration of a loop around
/// it, reads the value that a buffer has before it.
pub fn is_read_behind<'c>(
    order: &Order<'c>,
    buffers: &mut Buffers<'c>,
    buffer: Buffer,
    (conditional, kept): (Operation<'c>, usize),
) -> bool {
    let now = order.span(conditional).0;
    buffers.live(buffer, now, kept).into_iter().any(|value| {
        let scope = scope_of(value);
        !is_undefined(value)
            && uses_of(value).into_iter().any(|(user, number)| {
                let interval = outermost_within(user, scope, is_loop);
                reads(user, number)
                    && match interval {
                        Some(around) if is_inside(conditional, around) => true,
                        _ => is_after(order, user, conditional) && !is_inside(user, conditional),
                    }
            })
    })
}

/// The reads that follow a write over operand `operand` of `writer`. Tensors
/// without reads from the number `kept` on are dropped.
pub fn conflicts<'c>(
    order: &Order<'c>,
    buffers: &mut Buffers<'c>,
    (writer, operand): (Operation<'c>, usize),
    kept: usize,
) -> Vec<Conflict<'c>> {
    let Some(destination) = operands_of(writer).get(operand).copied() else {
        return Vec::new();
    };
    let buffer = buffers.of(destination);
    let now = order.span(writer).0;
    let mut found = Vec::new();
    for value in buffers.live(buffer, now, kept) {
        if is_undefined(value) {
            continue;
        }
        let scope = scope_of(value);
        for (user, number) in uses_of(value) {
            if !reads(user, number) {
                continue;
            }
            let interval = outermost_within(user, scope, is_loop);
            let conflicting = match interval {
                Some(around) => {
                    around == writer || is_inside(writer, around) || is_after(order, around, writer)
                }
                None if user == writer => {
                    number != operand
                        && !reads_same_element(buffers, writer, number, operand)
                        && !inserts_back(buffers, user, number, value, destination)
                }
                None => {
                    is_inside(user, writer)
                        || (is_after(order, user, writer)
                            && !inserts_back(buffers, user, number, value, destination))
                }
            };
            if conflicting {
                found.push(Conflict {
                    value,
                    user,
                    operand: number,
                    interval: interval.unwrap_or(user),
                });
            }
        }
    }
    found
}

fn is_after<'c>(order: &Order<'c>, user: Operation<'c>, writer: Operation<'c>) -> bool {
    order.span(user).0 > order.span(writer).0
        && !is_inside(writer, user)
        && !are_exclusive(user, writer)
}

/// Whether an elementwise op reads only the element of an operand that it
/// overwrites.
fn reads_same_element<'c>(
    buffers: &mut Buffers<'c>,
    op: Operation<'c>,
    input: usize,
    output: usize,
) -> bool {
    let operands = operands_of(op);
    reads_where_written(op, input, output) && buffers.same(operands[input], operands[output])
}

/// Whether a use of a tensor is an op that puts a slice of it back after it was
/// written to, where `destination` is the slice.
///
/// ```mlir
/// %slice = tensor.extract_slice %value[%i] [4] [1]
/// %new = ... outs(%slice)   // the write
/// tensor.insert_slice %new into %value[%i] [4] [1]   // the use
/// ```
fn inserts_back<'c>(
    buffers: &mut Buffers<'c>,
    user: Operation<'c>,
    operand: usize,
    value: Value<'c>,
    destination: Value<'c>,
) -> bool {
    let is_insertion = matches!(
        name_of(user),
        tensor::InsertSliceOp::NAME | tensor::ParallelInsertSliceOp::NAME
    );
    let operands = operands_of(user);
    let [source, target, ..] = operands[..] else {
        return false;
    };
    if !is_insertion {
        return false;
    }
    let Some(slice) = written_slice(source) else {
        return false;
    };
    let Some((extraction, _)) = defining_operation(slice) else {
        return false;
    };
    let same_part = operands_of(extraction)[1..] == operands[2..]
        && ["static_offsets", "static_sizes", "static_strides"]
            .into_iter()
            .all(|name| attribute_of(extraction, name) == attribute_of(user, name));
    // The source is in its destination; the rest of the tensor is not changed.
    let own = operand == 0 && buffers.same(operands_of(extraction)[0], target);
    let written = buffers.of(destination);
    let puts_back = operand == 1
        && value == target
        && operands_of(extraction)[0] == target
        && buffers.is_slice(written, slice);
    same_part && (own || puts_back)
}

/// Whether an op inserts a slice of a tensor that was computed in the tensor's buffer.
pub fn puts_back<'c>(buffers: &mut Buffers<'c>, op: Operation<'c>, tensor: Value<'c>) -> bool {
    inserts_back(buffers, op, 0, tensor, tensor)
}

/// The slice that a value overwrites.
fn written_slice(value: Value) -> Option<Value> {
    let mut value = value;
    loop {
        let (op, number) = defining_operation(value)?;
        let operand = match name_of(op) {
            tensor::ExtractSliceOp::NAME => return Some(value),
            tensor::CollapseShapeOp::NAME | tensor::ExpandShapeOp::NAME | tensor::CastOp::NAME => 0,
            tensor::InsertOp::NAME
            | tensor::InsertSliceOp::NAME
            | bufferization::MaterializeInDestinationOp::NAME => 1,
            scf::WhileOp::NAME => number,
            scf::IfOp::NAME | scf::IndexSwitchOp::NAME => {
                let end = body_of(op, 0).and_then(halo_ir::terminator_of)?;
                value = operands_of(end).get(number).copied()?;
                continue;
            }
            name => destination_operand(op, name, number)?,
        };
        value = operands_of(op).get(operand).copied()?;
    }
}
