//! `--halo-asynchronous-collectives`: overlaps communication with computation.
//!
//! A collective becomes a pair of `async_start`, which contributes its operands and continues, and
//! `async_done`, which waits. The start is placed after the last operand, the end before the first
//! use of a result, and independent ops are moved in between, until their time covers the
//! collective by the cost model, with the message costs in the attribute `halo.link` of the module.
//! A collective that cannot overlap is unchanged.
//!
//! ```mlir
//! %0 = stablehlo.negate %a : tensor<4xf32>
//! %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = ...} : (tensor<4xf32>) -> tensor<8xf32>
//! %2 = stablehlo.tanh %1 : tensor<8xf32>
//! %3 = stablehlo.dot_general %b, %c, contracting_dims = [1] x [0] : ...
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.negate %a : tensor<4xf32>
//! %1 = "stablehlo.async_start"(%0) ({
//! ^bb0(%x: tensor<4xf32>):
//!   %4 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = ...} : (tensor<4xf32>) -> tensor<8xf32>
//!   stablehlo.return %4 : tensor<8xf32>
//! }) : (tensor<4xf32>) -> !stablehlo.future<tensor<8xf32>>
//! %3 = stablehlo.dot_general %b, %c, contracting_dims = [1] x [0] : ...
//! %4 = "stablehlo.async_done"(%1) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
//! %2 = stablehlo.tanh %4 : tensor<8xf32>
//! ```
//!
//! Collectives start and end in program order, and every collective that a process waits for was
//! started by the others before they wait for a later one, so no deadlock is introduced. All
//! processes get the same order: ops move only in blocks that all execute alike
//! ([`uniform_blocks`]). An op with effects stays between the same collectives.
//!
//! Moving an op earlier extends the lifetime of its result, so there is a limit, the option
//! `memory-percent`: the peak of live bytes in the block may grow to this percentage, and no op
//! moves earlier that would exceed it.

mod schedule;

use crate::reordering::uniform_blocks;
use halo_cost::topology::Level;
use halo_ir::prelude::*;
use schedule::{Event, Schedule};
use std::collections::HashMap;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The limit of the peak of live bytes in a block, in percent of the peak in program order
        #[range(100..=1000)]
        memory_percent: i64 = 110,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-asynchronous-collectives",
    "Start collectives early, wait for them late, and compute in between",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["stablehlo"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let percent = pass.options::<Options>().memory_percent as u64;
    let link = Level::of_module(module);
    for block in uniform_blocks(module) {
        let schedule = Schedule::of(block, percent, &link);
        if schedule.overlaps() {
            apply(block, &schedule).map_err(|error| PassFailure::internal(module, error))?;
        }
    }
    Ok(())
}

/// Reorders the ops of a block by a schedule.
fn apply<'c>(block: Block<'c>, schedule: &Schedule<'c>) -> RewriteResult {
    let Some(end) = block.terminator() else {
        return Ok(());
    };
    let mut futures = HashMap::new();
    for event in &schedule.events {
        match *event {
            Event::Run(number) => schedule.ops[number].move_before(end),
            Event::Start(number) => {
                let op = schedule.ops[number];
                futures.insert(number, start(op, end)?);
            }
            Event::Finish(number) => {
                let op = schedule.ops[number];
                if let Some(future) = futures.get(&number) {
                    with_builder(end, |b| {
                        let done = stablehlo::async_done(&b.at(op.location()), *future);
                        b.replace(op, &done.results())
                    });
                }
            }
        }
    }
    Ok(())
}

/// The future of a collective that is started before an op. The start is not moved.
fn start<'c>(op: Operation<'c>, before: Operation<'c>) -> RewriteResult<Value<'c>> {
    let operands = op.operands();
    let types = operands.types();
    with_builder(before, |b| {
        let b = &b.at(op.location());
        let body = stablehlo::region(b, &types, |b, arguments| {
            let pairs = operands.iter().zip(arguments);
            let mut map: ValueMap = pairs.map(|(old, new)| (old.key(), *new)).collect();
            let copy = b.clone_op(op, &mut map);
            // A repeated operand has two arguments.
            for (number, argument) in arguments.iter().enumerate() {
                copy.set_operand(number, *argument);
            }
            copy.results()
        });
        Ok(stablehlo::async_start(b, &operands, body).result())
    })
}
