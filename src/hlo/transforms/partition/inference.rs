//! The tiles of a value that no sharding is given for: those that follow from the tiles of what
//! it is computed of, and from constraints.
//!
//! ```text
//! %a                                      argument, rows in 2 tiles
//! %0 = transpose %a, dims = [1, 0]        columns in 2 tiles
//! %1 = @Sharding(%0) {[{}, {}]}           whole: a closed constraint
//! %2 = add %0, %1                         columns in 2 tiles
//! ```
//!
//! Values in between are computed as a whole all the same: the result of the entry is cut.

use super::{
    SHARD_TO_FULL, SHARDING_CONSTRAINT, SHARDING_GROUP, annotation, boundaries::manual_tilings,
    rules,
};
use crate::sharding::{Meshes, SHARDING, Sharding, Tiling};
use halo_ir::ops::{OperationExt, stablehlo};
use halo_ir::{
    Operation, Value, attribute_of, block_argument, body_of, collect_operations,
    defining_operation, operands_of, owner_of, static_shape_of, terminator_of, value_key,
};
use melior::ir::{ValueLike, operation::OperationLike};
use std::collections::{HashMap, HashSet};

/// Finds the tiles of values, each once.
pub struct Inference<'a, 'c> {
    meshes: &'a Meshes,
    /// By value; `None` for one that is whole, or of which nothing is known.
    known: HashMap<usize, Option<Tiling>>,
    /// The values that are to be divided alike, by each of them.
    alike: HashMap<usize, Vec<Value<'c>>>,
}

impl<'a, 'c> Inference<'a, 'c> {
    /// For the values of an entry with these arguments.
    pub fn new(
        meshes: &'a Meshes,
        entry: Operation<'c>,
        arguments: &[Value<'c>],
        tilings: &[Option<Tiling>],
    ) -> Self {
        let keys = arguments.iter().map(|value| value_key(*value));
        let mut groups: HashMap<String, Vec<Value>> = HashMap::new();
        for call in collect_operations(entry, |op| annotation(op) == Some(SHARDING_GROUP)) {
            let group = attribute_of(call, SHARDING_GROUP_ID);
            let group = group.map(|group| group.to_string()).unwrap_or_default();
            groups.entry(group).or_default().extend(operands_of(call));
        }
        let mut alike = HashMap::new();
        for group in groups.into_values() {
            for value in &group {
                alike.insert(value_key(*value), group.clone());
            }
        }
        Self {
            meshes,
            known: keys.zip(tilings.iter().cloned()).collect(),
            alike,
        }
    }

    /// The tiles of a value; `None` for one that is whole.
    ///
    /// # Errors
    /// A message if an attribute is not a sharding, or contradicts the meshes.
    pub fn tiling(&mut self, value: Value<'c>) -> Result<Option<Tiling>, String> {
        let mut begun = HashSet::new();
        // A value, and whether those that decide on it were pushed before.
        let mut stack = vec![(value, false)];
        while let Some((value, is_ready)) = stack.pop() {
            let known = self.known.get(&value_key(value));
            // The other values of a group may have been undecided.
            if known.is_some_and(|tiling| tiling.is_some() || self.alike.is_empty()) {
                continue;
            }
            if is_ready {
                let tiling = self.decide(value)?;
                self.known.insert(value_key(value), tiling);
            } else if begun.insert(value_key(value)) {
                stack.push((value, true));
                let before = sources(value).into_iter().chain(self.mates(value)).rev();
                stack.extend(before.map(|source| (source, false)).collect::<Vec<_>>());
            }
        }
        Ok(self.of(value).cloned())
    }

    fn of(&self, value: Value) -> Option<&Tiling> {
        self.known.get(&value_key(value))?.as_ref()
    }

    /// The other values of the group of a value.
    fn mates(&self, value: Value) -> Vec<Value<'c>> {
        self.alike
            .get(&value_key(value))
            .cloned()
            .unwrap_or_default()
    }

    /// The tiles of a value, where those of its sources are known.
    fn decide(&self, value: Value<'c>) -> Result<Option<Tiling>, String> {
        let Some(sizes) = static_shape_of(value.r#type()) else {
            return Ok(None);
        };
        let mut tiling = Tiling::whole(sizes.len(), self.meshes.partitions);
        let mut is_open = true;
        // What does not divide stays whole: results have even tiles.
        let divide = |tiling: &mut Tiling, other: &Tiling| {
            for dimension in 0..sizes.len().min(other.counts.len()) {
                tiling.divide(&sizes, dimension, other, dimension);
            }
        };
        if let Some((op, number)) = defining_operation(value) {
            match annotation(op) {
                Some(SHARDING_CONSTRAINT) => {
                    if let Some(sharding) = constraint(op, number)? {
                        divide(&mut tiling, &self.meshes.tiling(&sharding, |_| true)?);
                        is_open = sharding.is_open;
                    }
                }
                Some(SHARD_TO_FULL) => {
                    let own = manual_tilings(self.meshes, op)?.into_iter().nth(number);
                    tiling = own.unwrap_or(tiling);
                }
                _ => {
                    let operands = operands_of(op);
                    for along in rules::along(op, number) {
                        if let Some(source) =
                            operands.get(along.operand).and_then(|one| self.of(*one))
                        {
                            tiling.divide(&sizes, along.to, source, along.from);
                        }
                    }
                }
            }
        }
        let alike = sources_alike(value).into_iter().chain(self.mates(value));
        for source in alike
            .filter(|_| is_open)
            .filter_map(|source| self.of(source))
        {
            divide(&mut tiling, source);
        }
        Ok(Some(tiling).filter(|tiling| !tiling.is_whole()))
    }
}

/// The number of the group in a call that says which values are divided alike.
const SHARDING_GROUP_ID: &str = "sdy.sharding_group_id";

/// The values that decide on the tiles of a value.
fn sources(value: Value<'_>) -> Vec<Value<'_>> {
    let operands = defining_operation(value).map(|(op, _)| operands_of(op));
    let mut sources = operands.unwrap_or_default();
    sources.extend(sources_alike(value));
    sources
}

/// The values that a value is one of: it is passed through, or chosen.
fn sources_alike(value: Value<'_>) -> Vec<Value<'_>> {
    if let Some((block, number)) = block_argument(value) {
        // The first arguments of a loop's regions are the operands of the loop.
        let owner = owner_of(block).filter(|owner| owner.isa::<stablehlo::WhileOp>());
        let operands = owner.map(operands_of).unwrap_or_default();
        return operands.get(number).copied().into_iter().collect();
    }
    let Some((op, number)) = defining_operation(value) else {
        return Vec::new();
    };
    let is_passed = matches!(annotation(op), Some(SHARDING_CONSTRAINT));
    if is_passed {
        return operands_of(op).get(number).copied().into_iter().collect();
    }
    let regions = match () {
        () if op.isa::<stablehlo::WhileOp>() => 1..2,
        () if op.isa::<stablehlo::IfOp>() || op.isa::<stablehlo::CaseOp>() => {
            0..op.regions().count()
        }
        () => return Vec::new(),
    };
    let returned = |region: usize| {
        let end = body_of(op, region).and_then(terminator_of)?;
        operands_of(end).get(number).copied()
    };
    regions.filter_map(returned).collect()
}

/// The sharding that a constraint asks for.
fn constraint(call: Operation, number: usize) -> Result<Option<Sharding>, String> {
    let Some(shardings) = attribute_of(call, SHARDING) else {
        return Ok(None);
    };
    Ok(Sharding::per_value(shardings)?.into_iter().nth(number))
}
