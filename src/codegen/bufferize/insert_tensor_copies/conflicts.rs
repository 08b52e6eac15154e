//! Finds the reads of a tensor that follow a write to its memory.
//!
//! A use is an interval in program order: its op, or the outermost loop around it that is inside
//! the tensor's scope, since the next iteration reads it again. A write conflicts with each use
//! that follows it, or whose loop contains it. Uses in another branch of a conditional do not
//! conflict.

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
    /// The loop that reads it again in each iteration, or the user.
    pub interval: Operation<'c>,
}

/// The number of the last op that may read a value.
pub fn last_use(order: &Order, value: Value) -> usize {
    let scope = scope_of(value);
    let end = |(user, _)| {
        let around = outermost_within(user, scope, is_loop);
        order.span(around.unwrap_or(user)).1
    };
    value.uses().into_iter().map(end).max().unwrap_or(0)
}

/// Returns true if a tensor is not written yet.
pub fn is_undefined(value: Value) -> bool {
    value.defining_op().is_some_and(|op| match op.name() {
        tensor::EmptyOp::NAME => true,
        bufferization::AllocTensorOp::NAME => {
            !op.operands().iter().any(|operand| operand.ty().is_tensor())
        }
        _ => false,
    })
}

/// Returns true if an op reads the elements of an operand. Other uses may read them later.
pub fn reads(op: Operation, operand: usize) -> bool {
    match op.name() {
        tensor::DimOp::NAME => false,
        bufferization::MaterializeInDestinationOp::NAME => operand == 0,
        name if name.starts_with("linalg.") => op
            .body(0)
            .and_then(|body| body.arguments().get(operand).copied())
            .is_none_or(|argument| !argument.is_unused()),
        _ => true,
    }
}

/// Returns true if an op in a parallel loop would write to a tensor, or to a slice of it, that all
/// iterations share. Tensors that the loop carries are not shared: its iterations insert disjoint
/// slices.
pub fn is_shared_by_iterations(op: Operation, tensor: Value) -> bool {
    let mut root = tensor;
    loop {
        if outermost_within(op, scope_of(root), is_parallel_loop).is_some() {
            return true;
        }
        let view = root.defining_op().filter(|definition| {
            matches!(
                definition.name(),
                tensor::ExtractSliceOp::NAME
                    | tensor::CollapseShapeOp::NAME
                    | tensor::ExpandShapeOp::NAME
                    | tensor::CastOp::NAME
            )
        });
        match view.and_then(|definition| definition.operands().first().copied()) {
            Some(source) => root = source,
            None => return false,
        }
    }
}

/// Returns true if two ops are in different branches of one conditional.
pub fn are_exclusive<'c>(one: Operation<'c>, other: Operation<'c>) -> bool {
    let region = |op: Operation<'c>, around: Operation<'c>| {
        let mut inner = op;
        while let Some(parent) = inner.parent() {
            if parent == around {
                return (0..around.region_count())
                    .find(|region| around.body(*region) == inner.block());
            }
            inner = parent;
        }
        None
    };
    let mut parent = one.parent();
    while let Some(around) = parent {
        if other.is_inside(around) {
            return matches!(around.name(), scf::IfOp::NAME | scf::IndexSwitchOp::NAME)
                && region(one, around) != region(other, around);
        }
        parent = around.parent();
    }
    false
}

/// Returns true if an op after a conditional, or in the next iteration of a loop around it, reads
/// the value that a buffer has before it.
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
            && value.uses().into_iter().any(|(user, number)| {
                let interval = outermost_within(user, scope, is_loop);
                reads(user, number)
                    && match interval {
                        Some(around) if conditional.is_inside(around) => true,
                        _ => is_after(order, user, conditional) && !user.is_inside(conditional),
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
    let Some(destination) = writer.operands().get(operand).copied() else {
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
        for (user, number) in value.uses() {
            if !reads(user, number) {
                continue;
            }
            let interval = outermost_within(user, scope, is_loop);
            let conflicting = match interval {
                Some(around) => {
                    around == writer || writer.is_inside(around) || is_after(order, around, writer)
                }
                None if user == writer => {
                    number != operand
                        && !reads_same_element(buffers, writer, number, operand)
                        && !inserts_back(buffers, user, number, value, destination)
                }
                None => {
                    user.is_inside(writer)
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
        && !writer.is_inside(user)
        && !are_exclusive(user, writer)
}

/// Returns true if an elementwise op reads only the element of an operand that it overwrites.
fn reads_same_element<'c>(
    buffers: &mut Buffers<'c>,
    op: Operation<'c>,
    input: usize,
    output: usize,
) -> bool {
    let operands = op.operands();
    reads_where_written(op, input, output) && buffers.same(operands[input], operands[output])
}

/// Returns true if a use of a tensor inserts the slice `destination` of it again after the write.
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
        user.name(),
        tensor::InsertSliceOp::NAME | tensor::ParallelInsertSliceOp::NAME
    );
    let operands = user.operands();
    let [source, target, ..] = operands[..] else {
        return false;
    };
    if !is_insertion {
        return false;
    }
    let Some(slice) = written_slice(source) else {
        return false;
    };
    let Some(extraction) = slice.defining_op() else {
        return false;
    };
    let same_part = extraction.operands()[1..] == operands[2..]
        && ["static_offsets", "static_sizes", "static_strides"]
            .into_iter()
            .all(|name| extraction.attribute(name) == user.attribute(name));
    // The source is in its destination; the other elements of the tensor do not change.
    let own = operand == 0 && buffers.same(extraction.operands()[0], target);
    let written = buffers.of(destination);
    let puts_back = operand == 1
        && value == target
        && extraction.operands()[0] == target
        && buffers.is_slice(written, slice);
    same_part && (own || puts_back)
}

/// Returns true if an op inserts a slice of a tensor that was computed in the tensor's buffer.
pub fn puts_back<'c>(buffers: &mut Buffers<'c>, op: Operation<'c>, tensor: Value<'c>) -> bool {
    inserts_back(buffers, op, 0, tensor, tensor)
}

/// The slice that a value overwrites.
fn written_slice(value: Value) -> Option<Value> {
    let mut value = value;
    loop {
        let (op, number) = value.as_result()?;
        let operand = match op.name() {
            tensor::ExtractSliceOp::NAME => return Some(value),
            tensor::CollapseShapeOp::NAME | tensor::ExpandShapeOp::NAME | tensor::CastOp::NAME => 0,
            tensor::InsertOp::NAME
            | tensor::InsertSliceOp::NAME
            | bufferization::MaterializeInDestinationOp::NAME => 1,
            scf::WhileOp::NAME => number,
            scf::IfOp::NAME | scf::IndexSwitchOp::NAME => {
                let end = op.body(0).and_then(Block::terminator)?;
                value = end.operands().get(number).copied()?;
                continue;
            }
            name => destination_operand(op, name, number)?,
        };
        value = op.operands().get(operand).copied()?;
    }
}
