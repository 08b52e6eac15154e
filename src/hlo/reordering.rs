//! Analyses for passes that reorder ops.
//!
//! Collectives are matched by their order in each process, so a pass must reorder them in the same
//! way on all processes. It may only change blocks that all processes execute alike
//! ([`uniform_blocks`]), and must not depend on anything that differs between them.

use crate::communication::is_collective;
use crate::custom_calls::may_have_effects;
use crate::interpreter::is_pure;
use halo_ir::{ops::interpreter, prelude::*};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The blocks whose ops all processes run in the same order: the bodies of functions, and of loops
/// in these, inner ones first. None if processes run several programs, or nothing communicates.
/// Branches are excluded, because processes may take different ones, and so are called functions,
/// which may be called from different branches.
pub fn uniform_blocks<'c>(module: Operation<'c>) -> Vec<Block<'c>> {
    if module.collect_nested(|op| is_collective(op.name())).is_empty() {
        return Vec::new();
    }
    let mut programs = HashSet::new();
    for run in module.collect_nested(|op| op.isa::<interpreter::RunParallelOp>()) {
        let rows = run.attribute("programs").map(Attribute::array_elements);
        let names = rows.unwrap_or_default().into_iter().flat_map(Attribute::array_elements);
        programs.extend(names.filter_map(Attribute::symbol_value));
    }
    if programs.len() > 1 {
        return Vec::new();
    }
    let calls = module.collect_nested(|op| op.isa::<func::CallOp>());
    let called: HashSet<&str> = calls
        .into_iter()
        .filter_map(|op| op.cast::<func::CallOp>())
        .map(func::CallOp::callee)
        .collect();
    let mut blocks = Vec::new();
    for function in module.collect_nested(|op| op.isa::<func::FuncOp>()) {
        let name = function.attribute("sym_name").and_then(Attribute::string_value);
        if name.is_none_or(|name| called.contains(name)) {
            continue;
        }
        if let Some(body) = function.body(0) {
            add_with_loops(body, &mut blocks);
        }
    }
    blocks
}

/// Adds a block after the blocks of the loops in it.
fn add_with_loops<'c>(block: Block<'c>, blocks: &mut Vec<Block<'c>>) {
    for op in block.operations() {
        if op.isa::<stablehlo::WhileOp>()
            && let Some(body) = op.body(1)
        {
            add_with_loops(body, blocks);
        }
    }
    blocks.push(block);
}

/// Returns true if an op, including its regions, has no effects, so that it may move within its
/// block.
pub fn is_free_of_effects(op: Operation) -> bool {
    let is_free = |op: Operation| match op.name() {
        stablehlo::CustomCallOp::NAME => {
            op.cast::<stablehlo::CustomCallOp>().is_some_and(|call| !may_have_effects(call))
        }
        stablehlo::CaseOp::NAME
        | stablehlo::GetTupleElementOp::NAME
        | stablehlo::IfOp::NAME
        | stablehlo::OptimizationBarrierOp::NAME
        | stablehlo::PartitionIdOp::NAME
        | stablehlo::ReplicaIdOp::NAME
        | stablehlo::ReturnOp::NAME
        | stablehlo::TupleOp::NAME
        | stablehlo::WhileOp::NAME => true,
        name => is_pure(name) || (name.starts_with("chlo.") && !is_collective(name)),
    };
    let mut all = true;
    op.visit(&mut |nested| all &= is_free(nested));
    all
}

/// Returns true if the regions of an op capture values.
pub fn reads_from_outside(op: Operation) -> bool {
    let mut found = false;
    op.visit(&mut |nested| {
        if nested == op {
            return;
        }
        for operand in nested.operands() {
            found |= !operand.owner().is_some_and(|owner| owner.is_inside(op));
        }
    });
    found
}

/// The ops of a block, and their dependences.
pub struct Dependences<'c> {
    /// The ops in order, without the terminator.
    pub ops: Vec<Operation<'c>>,
    /// For each op, the indices of the ops whose results it, or an op in its regions, uses.
    pub reads: Vec<BTreeSet<usize>>,
}

impl<'c> Dependences<'c> {
    pub fn of(block: Block<'c>) -> Self {
        let mut ops = block.operations();
        ops.pop();
        let numbers: HashMap<usize, usize> =
            ops.iter().enumerate().map(|(number, op)| (op.key(), number)).collect();
        let reads = ops.iter().map(|op| {
            let mut reads = BTreeSet::new();
            op.visit(&mut |nested| {
                for operand in nested.operands() {
                    if let Some(definition) = operand.defining_op()
                        && let Some(number) = numbers.get(&definition.key())
                    {
                        reads.insert(*number);
                    }
                }
            });
            reads
        });
        let mut reads: Vec<BTreeSet<usize>> = reads.collect();
        for (number, reads) in reads.iter_mut().enumerate() {
            // An op in a region may use another one there.
            reads.remove(&number);
        }
        Self { ops, reads }
    }
}
