//! Loop-invariant buffers, whose uses can be hoisted.

use super::{
    aliases::{is_loop, is_parallel_loop},
    captures::{may_overlap, only_reads},
    fill::input_count,
    order::is_defined_inside,
};
use halo_ir::{ops::memref::view_source, prelude::*};

/// The outermost loop around an op that neither allocates a buffer nor writes to it, without a
/// parallel loop in between.
pub fn invariant_loop<'c>(buffer: Value<'c>, operation: Operation<'c>) -> Option<Operation<'c>> {
    let mut outermost = None;
    let mut parent = operation.parent();
    while let Some(around) = parent {
        if is_parallel_loop(around) || is_defined_inside(buffer, around) {
            break;
        }
        if is_loop(around) {
            if may_write(around, buffer) {
                break;
            }
            outermost = Some(around);
        }
        parent = around.parent();
    }
    outermost
}

/// Whether an op inside a loop may write to a buffer.
fn may_write(around: Operation, buffer: Value) -> bool {
    let mut found = false;
    around.visit(&mut |operation| {
        if found || view_source(operation).is_some() || operation.name() == memref::AllocOp::NAME {
            return;
        }
        let inputs = if operation.is_structured() {
            input_count(operation)
        } else {
            0
        };
        let mut operands = operation.operands().into_iter().enumerate().skip(inputs);
        found = operands.any(|(number, operand)| {
            operand.ty().is_memref()
                && !only_reads(operation, number)
                && may_overlap(operand, buffer)
        });
    });
    found
}
