//! Finds loops and branches whose sizes may change while they run.

use super::is_control_flow;
use crate::{
    matchers::constant_of,
    semantics::{Dim, dims_of},
    transforms::shapes::align_bounded_operands::Source,
};
use halo_ir::prelude::*;
use std::collections::HashMap;

/// Returns true if the size of a value in the regions of a loop or branch, or of a result, may
/// change between iterations or branches.
pub fn is_varying(root: Operation) -> bool {
    if !is_control_flow(root) {
        return false;
    }
    let mut values = root.results();
    let mut blocks: Vec<Block> = root.blocks();
    for operation in root.collect_nested(|_| true) {
        values.extend(operation.results());
        blocks.extend(operation.blocks());
    }
    values.extend(blocks.into_iter().flat_map(Block::arguments));
    let mut analysis = Analysis {
        root,
        known: HashMap::new(),
    };
    values.into_iter().any(|value| {
        let dims = dims_of(value.ty()).unwrap_or_default();
        let is_bounded = |(_, dim): &(usize, &Dim)| matches!(dim, Dim::Bounded(_));
        let mut bounded = dims.iter().enumerate().filter(is_bounded);
        bounded.any(|(dimension, _)| !analysis.is_invariant(value, dimension))
    })
}

struct Analysis<'c> {
    root: Operation<'c>,
    /// Results by value and dimension. A dimension being visited is assumed to be invariant.
    known: HashMap<(usize, usize), bool>,
}

impl<'c> Analysis<'c> {
    /// Returns true if a dimension has one size, which is known before the outermost loop or
    /// branch.
    fn is_invariant(&mut self, value: Value<'c>, dimension: usize) -> bool {
        match Source::of(value, dimension) {
            Source::Number(size) => self.is_outside(size) || constant_of(size).is_some(),
            Source::Value(value, dimension) => {
                let key = (value.key(), dimension);
                if let Some(known) = self.known.get(&key) {
                    return *known;
                }
                self.known.insert(key, true);
                let is_invariant = self.is_outside(value) || self.is_carried(value, dimension);
                self.known.insert(key, is_invariant);
                is_invariant
            }
        }
    }

    fn is_outside(&self, value: Value<'c>) -> bool {
        value.owner().is_none_or(|op| !op.is_inside(self.root))
    }

    /// Returns true if a loop carries the size of a value unchanged, or all branches return the
    /// same.
    fn is_carried(&mut self, value: Value<'c>, dimension: usize) -> bool {
        let (op, number) = match (value.as_result(), value.as_block_argument()) {
            (Some((op, number)), _) => (op, number),
            (None, Some((block, number))) => match block.parent() {
                Some(op) => (op, number),
                None => return false,
            },
            (None, None) => return false,
        };
        if !is_control_flow(op) {
            return false;
        }
        let regions = if op.isa::<stablehlo::WhileOp>() {
            1..2
        } else {
            0..op.region_count()
        };
        let mut sources = Vec::new();
        for region in regions {
            let returned = op.body(region).and_then(Block::terminator).map(Operation::operands);
            let Some(returned) = returned.and_then(|values| values.get(number).copied()) else {
                return false;
            };
            sources.push(Source::of(returned, dimension));
        }
        if op.isa::<stablehlo::WhileOp>() {
            let arguments = [0, 1].map(|region| {
                let arguments = op.body(region).map(Block::arguments).unwrap_or_default();
                arguments.get(number).copied()
            });
            let Some(init) = op.operands().get(number).copied() else {
                return false;
            };
            let first = Source::of(init, dimension);
            let is_same = |source: &Source| {
                let carried = arguments.iter().flatten();
                let mut carried = carried.map(|value| Source::Value(*value, dimension));
                *source == first || carried.any(|carried| *source == carried)
            };
            return sources.iter().all(is_same) && self.is_invariant(init, dimension);
        }
        let is_same = sources.windows(2).all(|pair| pair[0] == pair[1]);
        is_same
            && match sources.first() {
                Some(Source::Number(size)) => self.is_outside(*size),
                Some(Source::Value(value, dimension)) => self.is_invariant(*value, *dimension),
                None => false,
            }
    }
}
