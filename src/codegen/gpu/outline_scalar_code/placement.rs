//! Classifies the ops of the host code.

use crate::loops::prelude::*;
use halo_ir::{ops::halo, prelude::*};
use std::collections::HashSet;

/// The class of an op of the host code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// An op that the host runs.
    Host,
    /// A loop or conditional around ops that the host runs.
    Control,
    /// A view, buffer or constant, without computation.
    View,
    /// Arithmetic on constants and loop counters, and loads of rank-0 buffers, which each user
    /// clones.
    Cloned,
    /// Scalar code.
    Device,
}

/// The classes of the ops of a function.
pub struct Placements {
    /// The loads that each user may clone, by key.
    buffer_reads: HashSet<usize>,
}

impl Placements {
    /// Analyzes a function before its ops are moved.
    pub fn of(function: Operation) -> Self {
        let loads = function.collect_nested(reads_rank0_buffer);
        Self {
            buffer_reads: loads.into_iter().map(Operation::key).collect(),
        }
    }

    pub fn of_op(&self, operation: Operation) -> Placement {
        let name = operation.name();
        if matches!(
            name,
            arith::ConstantOp::NAME
                | memref::AllocOp::NAME
                | memref::GetGlobalOp::NAME
                | memref::DeallocOp::NAME
        ) || view_source(operation).is_some()
        {
            return Placement::View;
        }
        if self.is_host_op(operation) {
            return Placement::Host;
        }
        if matches!(
            name,
            scf::ForOp::NAME | scf::WhileOp::NAME | scf::IfOp::NAME | scf::IndexSwitchOp::NAME
        ) {
            let is_done_by_host = |nested: Operation| self.is_host_op(nested) && !is_yield(nested);
            return if operation.collect_nested(is_done_by_host).is_empty() {
                Placement::Device
            } else {
                Placement::Control
            };
        }
        if is_cloned(operation) || self.is_buffer_read(operation) {
            return Placement::Cloned;
        }
        Placement::Device
    }

    /// Returns true if an op loads a rank-0 buffer that keeps its value until the last use.
    pub fn is_buffer_read(&self, operation: Operation) -> bool {
        self.buffer_reads.contains(&operation.key())
    }

    fn is_host_op(&self, operation: Operation) -> bool {
        is_yield(operation)
            || matches!(
                operation.name(),
                gpu::LaunchOp::NAME
                    | memref::CopyOp::NAME
                    | halo::CustomCallOp::NAME
                    | halo::GemmOp::NAME
                    | func::ReturnOp::NAME
            )
            || self.is_condition(operation)
    }

    /// Returns true if an op loads the condition of the loop or conditional that follows it, which
    /// the host reads.
    fn is_condition(&self, operation: Operation) -> bool {
        if !operation.isa::<memref::LoadOp>() || operation.operands().len() != 1 {
            return false;
        }
        let uses = operation.results().first().map(|value| value.uses()).unwrap_or_default();
        let [(user, 0)] = uses[..] else {
            return false;
        };
        let mut next = next_of(operation);
        while let Some(between) = next.filter(|next| self.of_op(*next) == Placement::View) {
            next = next_of(between);
        }
        let waits = match user.name() {
            scf::ConditionOp::NAME => true,
            scf::IfOp::NAME => self.of_op(user) == Placement::Control,
            _ => false,
        };
        waits && next == Some(user)
    }
}

fn is_yield(operation: Operation) -> bool {
    matches!(
        operation.name(),
        scf::YieldOp::NAME
            | scf::ConditionOp::NAME
            | scf::ReduceOp::NAME
            | linalg::YieldOp::NAME
            | memref::AtomicYieldOp::NAME
    )
}

fn next_of(operation: Operation<'_>) -> Option<Operation<'_>> {
    let operations = operation.block()?.operations();
    let position = operations.iter().position(|other| *other == operation)?;
    operations.get(position + 1).copied()
}

/// Returns true if an op depends only on constants and loop counters.
fn is_cloned(operation: Operation) -> bool {
    let name = operation.name();
    let arithmetic = name.starts_with("arith.") && operation.region_count() == 0;
    arithmetic
        && operation.operands().into_iter().all(|operand| match operand.defining_op() {
            Some(definition) => definition.isa::<arith::ConstantOp>() || is_cloned(definition),
            None => is_counter(operand),
        })
}

/// Returns true if an op loads from a rank-0 buffer that keeps its value until the last use of the
/// load.
fn reads_rank0_buffer(operation: Operation) -> bool {
    let operands = operation.operands();
    let [buffer] = operands[..] else {
        return false;
    };
    let is_buffer = match buffer.defining_op() {
        Some(alloc) => alloc.isa::<memref::AllocOp>(),
        None => true,
    };
    let is_rank0_load = operation.isa::<memref::LoadOp>() && is_buffer;
    let Some(block) = operation.block().filter(|_| is_rank0_load) else {
        return false;
    };
    let mut writes = buffer
        .uses()
        .into_iter()
        .map(|(user, _)| user)
        .filter(|user| !user.isa::<memref::LoadOp>())
        .filter_map(|user| within(user, block))
        .filter(|write| operation.is_before(*write));
    let uses: Vec<Operation> = insertion_points(operation)
        .into_iter()
        .filter_map(|user| within(user, block))
        .collect();
    writes.all(|write| uses.iter().all(|user| user.is_before(write)))
}

/// The users of an op's results, directly or through views, which are cloned too.
fn insertion_points(operation: Operation<'_>) -> Vec<Operation<'_>> {
    let mut found = Vec::new();
    let mut pending = vec![operation];
    while let Some(next) = pending.pop() {
        for user in next.results().into_iter().flat_map(Value::uses) {
            found.push(user.0);
            if view_source(user.0).is_some() {
                pending.push(user.0);
            }
        }
    }
    found
}

/// The ancestor of an op in a block, or the op itself.
fn within<'c>(operation: Operation<'c>, block: Block<'c>) -> Option<Operation<'c>> {
    let mut inner = Some(operation);
    while let Some(op) = inner {
        if op.block() == Some(block) {
            return Some(op);
        }
        inner = op.parent();
    }
    None
}

fn is_counter(value: Value) -> bool {
    value.as_block_argument().is_some_and(|(block, number)| {
        number == 0 && block.parent().is_some_and(|owner| owner.isa::<scf::ForOp>())
    })
}
