//! `--halo-asynchronous-collectives`: computes while messages move.
//!
//! A collective becomes a pair of `async_start`, which brings its operands and goes on, and
//! `async_done`, which waits. The start stands where the last operand is computed, the end before
//! the first op that reads a result, and ops that do not need the results come in between, until
//! they take as long as the collective by the cost model, for messages as the attribute `halo.link`
//! of the module has them. A collective that has nothing to do
//! beside it stays as it is.
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
//! Collectives start in the order of the program and end in that order, and what a process waits
//! for was started by the others before they wait for anything behind it; so a program that ends
//! still does. All processes get the same order: ops move only in blocks that all run alike
//! ([`uniform_blocks`]). An op with effects stays between the
//! collectives that it was between.
//!
//! An op that comes earlier keeps its result for longer, so there is a limit, the option
//! `memory-percent`: what lives at once in the block may be that part of what lived at once
//! before, and no op comes earlier that would exceed it.

mod schedule;

use crate::reordering::uniform_blocks;
use crate::topology::Level;
use halo_ir::prelude::*;
use schedule::{Event, Schedule};
use std::collections::HashMap;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// What may live at once in a block, in percent of what does in the order of the program
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

/// Brings the ops of a block into the order of a schedule.
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

/// The future of a collective that is started before an op. It stays where it is.
fn start<'c>(op: Operation<'c>, before: Operation<'c>) -> RewriteResult<Value<'c>> {
    let operands = op.operands();
    let types = operands.types();
    with_builder(before, |b| {
        let b = &b.at(op.location());
        let body = stablehlo::region(b, &types, |b, arguments| {
            let pairs = operands.iter().zip(arguments);
            let mut map: ValueMap = pairs.map(|(old, new)| (old.key(), *new)).collect();
            let copy = b.clone_op(op, &mut map);
            // An operand that is there twice has two arguments.
            for (number, argument) in arguments.iter().enumerate() {
                copy.set_operand(number, *argument);
            }
            copy.results()
        });
        Ok(stablehlo::async_start(b, &operands, body).result())
    })
}
