//! `--halo-hoist-collectives`: hoists loop-invariant collectives.
//!
//! A sharded parameter that a loop gathers in each iteration is gathered once before the loop. So
//! is every collective whose operands are defined outside of the loop, or carried by it unchanged,
//! together with the effect-free ops in the body that compute its operands.
//!
//! ```mlir
//! %0:2 = stablehlo.while(%x = %a, %w = %b) : tensor<8xf32>, tensor<4xf32>
//!   cond { ... } do {
//!     %1 = stablehlo.negate %w : tensor<4xf32>
//!     %2 = "stablehlo.all_gather"(%1) {all_gather_dim = 0 : i64, replica_groups = ...} : (tensor<4xf32>) -> tensor<8xf32>
//!     %3 = stablehlo.add %x, %2 : tensor<8xf32>
//!     stablehlo.return %3, %w : tensor<8xf32>, tensor<4xf32>
//!   }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = stablehlo.negate %b : tensor<4xf32>
//! %2 = "stablehlo.all_gather"(%1) {all_gather_dim = 0 : i64, replica_groups = ...} : (tensor<4xf32>) -> tensor<8xf32>
//! %0:2 = stablehlo.while(%x = %a, %w = %b) : tensor<8xf32>, tensor<4xf32>
//!   cond { ... } do {
//!     %3 = stablehlo.add %x, %2 : tensor<8xf32>
//!     stablehlo.return %3, %w : tensor<8xf32>, tensor<4xf32>
//!   }
//! ```
//!
//! This is valid for loops in blocks that all processes execute alike ([`uniform_blocks`]), with
//! any trip count: all members of a group run the collective equally often, and once before the
//! loop. A loop that provably has no iterations keeps its collectives; one that may have none may
//! execute a collective unnecessarily. Ops that may be undefined outside of the loop
//! ([`speculatability_of`]) stay, with their users.
//!
//! The result then lives as long as the loop, so a result of more than the option `bytes` stays in
//! the loop.

use crate::communication::is_collective;
use crate::loops::trip_count;
use crate::reordering::{is_free_of_effects, uniform_blocks};
use halo_cost::op_cost::bytes_of;
use halo_ir::{
    prelude::*,
    semantics::{Speculatability, speculatability_of},
};
use std::collections::HashSet;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The most bytes of hoisted results
        bytes: i64 = 67108864,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-hoist-collectives",
    "Take collectives out of loops that do not change their operands",
    run,
)
.on::<builtin::ModuleOp>()
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let limit = u64::try_from(pass.options::<Options>().bytes).unwrap_or(0);
    // The blocks of inner loops come before those of outer ones.
    for block in uniform_blocks(pass.operation()) {
        for op in block.operations() {
            if op.isa::<stablehlo::WhileOp>() && trip_count(op) != Some(0) {
                hoist(op, limit);
            }
        }
    }
    Ok(())
}

/// Moves collectives, and the ops that compute their operands, before a loop.
fn hoist(loop_: Operation, limit: u64) {
    let Some(body) = loop_.body(1) else {
        return;
    };
    let carried = unchanged(loop_);
    let mut invariant: HashSet<usize> = HashSet::new();
    let mut needed: HashSet<usize> = HashSet::new();
    let ops = body.operations();
    let mut chosen = Vec::new();
    for op in &ops {
        if !operands_are_invariant(*op, body, &carried, &invariant) {
            continue;
        }
        let is_hoisted = is_collective(op.name()) && is_small(*op, limit);
        if is_hoisted {
            chosen.push(*op);
        }
        if is_hoisted || (is_free_of_effects(*op) && may_run_early(*op)) {
            invariant.insert(op.key());
        }
    }
    let mut open = chosen;
    while let Some(op) = open.pop() {
        if needed.insert(op.key()) {
            let operands = outer_values(op).into_iter().filter_map(Value::defining_op);
            let in_body = |op: &Operation| invariant.contains(&op.key());
            open.extend(operands.filter(in_body));
        }
    }
    for op in ops {
        if needed.contains(&op.key()) {
            replace_operands(op, &carried);
            op.move_before(loop_);
        }
    }
}

/// The body arguments that each iteration yields unchanged, with their initial values.
fn unchanged<'c>(loop_: Operation<'c>) -> ValueMap<'c> {
    let body = loop_.body(1);
    let arguments = body.map(Block::arguments).unwrap_or_default();
    let next = body.and_then(Block::terminator).map(Operation::operands).unwrap_or_default();
    let initial = loop_.operands();
    let all = arguments.into_iter().zip(next).zip(initial);
    all.filter(|((argument, next), _)| argument == next)
        .map(|((argument, _), initial)| (argument.key(), initial))
        .collect()
}

/// The captured values of an op and the ops in its regions.
fn outer_values<'c>(op: Operation<'c>) -> Vec<Value<'c>> {
    let mut values = Vec::new();
    op.visit(&mut |nested| values.extend(nested.operands()));
    values
}

fn operands_are_invariant<'c>(
    op: Operation<'c>,
    body: halo_ir::Block<'c>,
    carried: &ValueMap<'c>,
    invariant: &HashSet<usize>,
) -> bool {
    let of_body: HashSet<usize> = body.operations().into_iter().map(Operation::key).collect();
    outer_values(op).into_iter().all(|value| {
        if let Some((block, _)) = value.as_block_argument() {
            return block != body || carried.contains_key(&value.key());
        }
        let definition = value.defining_op().map(|op| op.key());
        definition.is_some_and(|key| !of_body.contains(&key) || invariant.contains(&key))
    })
}

fn may_run_early(op: Operation) -> bool {
    let mut may = true;
    op.visit(&mut |nested| {
        may &= speculatability_of(nested)
            .is_none_or(|answer| answer != Speculatability::NotSpeculatable);
    });
    may
}

fn is_small(op: Operation, limit: u64) -> bool {
    let bytes = op.result_types().into_iter().map(bytes_of);
    let all = bytes.into_iter().try_fold(0_u64, |sum, bytes| sum.checked_add(bytes?));
    all.is_some_and(|bytes| bytes <= limit)
}

fn replace_operands<'c>(op: Operation<'c>, carried: &ValueMap<'c>) {
    op.visit(&mut |nested| {
        for (number, operand) in nested.operands().into_iter().enumerate() {
            let outside = mapped(carried, operand);
            if outside != operand {
                nested.set_operand(number, outside);
            }
        }
    });
}
