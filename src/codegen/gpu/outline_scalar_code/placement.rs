//! Classifies the ops of the host's code.

use crate::loops::prelude::*;
use halo_ir::{is_before, ops::halo, prelude::*};
use std::collections::HashSet;

/// The class of an op of the host's code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// An op that the host runs.
    Host,
    /// A loop or conditional around ops that the host runs.
    Control,
    /// A view, buffer or constant, which computes nothing.
    View,
    /// Arithmetic on constants and loop counters, and loads of rank-0 buffers,
    /// cloned where they are used.
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
        let loads = collect_operations(function, reads_rank0_buffer);
        Self {
            buffer_reads: loads.into_iter().map(operation_key).collect(),
        }
    }

    pub fn of_op(&self, operation: Operation) -> Placement {
        let name = name_of(operation);
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
            return if collect_operations(operation, is_done_by_host).is_empty() {
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

    /// Whether an op loads a rank-0 buffer that keeps its value until the last
    /// use.
    pub fn is_buffer_read(&self, operation: Operation) -> bool {
        self.buffer_reads.contains(&operation_key(operation))
    }

    fn is_host_op(&self, operation: Operation) -> bool {
        is_yield(operation)
            || matches!(
                name_of(operation),
                gpu::LaunchOp::NAME
                    | memref::CopyOp::NAME
                    | halo::CustomCallOp::NAME
                    | halo::GemmOp::NAME
                    | func::ReturnOp::NAME
            )
            || self.is_condition(operation)
    }

    /// Whether an op loads the condition of the loop or conditional that
    /// follows it, which the host reads itself.
    fn is_condition(&self, operation: Operation) -> bool {
        if !operation.isa::<memref::LoadOp>() || operands_of(operation).len() != 1 {
            return false;
        }
        let uses = results_of(operation).first().map(|value| uses_of(*value)).unwrap_or_default();
        let [(user, 0)] = uses[..] else {
            return false;
        };
        let mut next = next_of(operation);
        while let Some(between) = next.filter(|next| self.of_op(*next) == Placement::View) {
            next = next_of(between);
        }
        let waits = match name_of(user) {
            scf::ConditionOp::NAME => true,
            scf::IfOp::NAME => self.of_op(user) == Placement::Control,
            _ => false,
        };
        waits && next == Some(user)
    }
}

fn is_yield(operation: Operation) -> bool {
    matches!(
        name_of(operation),
        scf::YieldOp::NAME
            | scf::ConditionOp::NAME
            | scf::ReduceOp::NAME
            | linalg::YieldOp::NAME
            | memref::AtomicYieldOp::NAME
    )
}

fn next_of(operation: Operation<'_>) -> Option<Operation<'_>> {
    let operations = operations_of(parent_block(operation)?);
    let position = operations.iter().position(|other| *other == operation)?;
    operations.get(position + 1).copied()
}

/// Whether an op depends only on constants and loop counters.
fn is_cloned(operation: Operation) -> bool {
    let name = name_of(operation);
    let arithmetic = name.starts_with("arith.") && operation.region_count() == 0;
    arithmetic
        && operands_of(operation)
            .into_iter()
            .all(|operand| match defining_operation(operand) {
                Some((definition, _)) => {
                    definition.isa::<arith::ConstantOp>() || is_cloned(definition)
                }
                None => is_counter(operand),
            })
}

/// Whether an op loads from a rank-0 buffer that keeps its value until the last
/// use of the load.
fn reads_rank0_buffer(operation: Operation) -> bool {
    let operands = operands_of(operation);
    let [buffer] = operands[..] else {
        return false;
    };
    let is_buffer = match defining_operation(buffer) {
        Some((alloc, _)) => alloc.isa::<memref::AllocOp>(),
        None => true,
    };
    let is_rank0_load = operation.isa::<memref::LoadOp>() && is_buffer;
    let Some(block) = parent_block(operation).filter(|_| is_rank0_load) else {
        return false;
    };
    let mut writes = (uses_of(buffer).into_iter())
        .map(|(user, _)| user)
        .filter(|user| !user.isa::<memref::LoadOp>())
        .filter_map(|user| within(user, block))
        .filter(|write| is_before(operation, *write));
    let uses: Vec<Operation> = (insertion_points(operation).into_iter())
        .filter_map(|user| within(user, block))
        .collect();
    writes.all(|write| uses.iter().all(|user| is_before(*user, write)))
}

/// The users of an op's results, directly or through views, which are cloned as
/// well.
fn insertion_points(operation: Operation<'_>) -> Vec<Operation<'_>> {
    let mut found = Vec::new();
    let mut pending = vec![operation];
    while let Some(next) = pending.pop() {
        for user in results_of(next).into_iter().flat_map(uses_of) {
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
        if parent_block(op) == Some(block) {
            return Some(op);
        }
        inner = parent_operation(op);
    }
    None
}

fn is_counter(value: Value) -> bool {
    block_argument(value).is_some_and(|(block, number)| {
        number == 0 && owner_of(block).is_some_and(|owner| owner.isa::<scf::ForOp>())
    })
}
