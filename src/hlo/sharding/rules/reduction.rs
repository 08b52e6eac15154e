//! Reductions, sorts and `top_k`.

use super::rule::{Build, Combiner, Draft, Kind, Tensor, contains, index};
use crate::reordering::reads_from_outside;
use halo_ir::prelude::*;

pub(super) const RULES: &[(&str, Build)] = &[
    (stablehlo::ReduceOp::NAME, reduce),
    (stablehlo::SortOp::NAME, sort),
    (chlo::TopKOp::NAME, top_k),
];

fn reduce(op: Operation, draft: &mut Draft) -> Option<()> {
    let reduced = op.cast::<stablehlo::ReduceOp>()?.dimensions();
    let inputs = op.results().len();
    let reduction = match combiner_of(op) {
        Some(combiner) => Kind::Reduced(combiner),
        None if !reads_from_outside(op) => Kind::Reduced(Combiner::Body),
        None => Kind::Whole,
    };
    let mut next = 0;
    for dimension in 0..draft.rank(Tensor::Operand(0)) {
        let own = (0..inputs).map(|one| (Tensor::Operand(one), dimension));
        if contains(&reduced, dimension) {
            draft.dimensions(reduction, &own.collect::<Vec<_>>());
            continue;
        }
        let results = (0..inputs).map(|one| (Tensor::Result(one), next));
        draft.parallel(&own.chain(results).collect::<Vec<_>>());
        next += 1;
    }
    Some(())
}

/// The combiner of a reduction of one input, if its body is a single op on both arguments.
pub fn combiner_of(op: Operation) -> Option<Combiner> {
    let body = op.body(0).filter(|_| op.results().len() == 1)?;
    let [combine, _] = body.operations()[..] else {
        return None;
    };
    let keys = |values: Vec<Value>| -> Vec<usize> { values.into_iter().map(Value::key).collect() };
    let mut both = keys(combine.operands());
    let returned = keys(body.terminator()?.operands());
    let mut arguments = keys(body.arguments());
    both.sort_unstable();
    arguments.sort_unstable();
    if both != arguments || returned != keys(combine.results()) {
        return None;
    }
    [
        Combiner::Add,
        Combiner::Multiply,
        Combiner::Maximum,
        Combiner::Minimum,
        Combiner::And,
        Combiner::Or,
    ]
    .into_iter()
    .find(|combiner| combiner.op_name() == Some(combine.name()))
}

fn sort(op: Operation, draft: &mut Draft) -> Option<()> {
    let count = op.operands().len();
    let rank = draft.rank(Tensor::Operand(0));
    let dimension = op.cast::<stablehlo::SortOp>()?.dimension();
    let sorted = if dimension < 0 {
        index(dimension + rank as i64)
    } else {
        index(dimension)
    };
    for dimension in (0..rank).filter(|one| *one != sorted) {
        let operands = (0..count).map(|one| (Tensor::Operand(one), dimension));
        let results = (0..count).map(|one| (Tensor::Result(one), dimension));
        draft.parallel(&operands.chain(results).collect::<Vec<_>>());
    }
    Some(())
}

fn top_k(_: Operation, draft: &mut Draft) -> Option<()> {
    for dimension in 0..draft.rank(Tensor::Operand(0)).saturating_sub(1) {
        let tensors = [Tensor::Operand(0), Tensor::Result(0), Tensor::Result(1)];
        draft.parallel(&tensors.map(|one| (one, dimension)));
    }
    Some(())
}
