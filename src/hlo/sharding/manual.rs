//! Values that differ between partitions by the program's semantics.
//!
//! A manual computation, between `@SPMDFullToShardShape` and `@SPMDShardToFullShape`, is written
//! for one partition; results of collectives and of the partition id also differ. Such values have
//! no sharding: each partition computes its own.

use super::manual_axes;
use crate::communication::is_collective;
use halo_ir::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// The beginning and the end of a manual computation.
pub const FULL_TO_SHARD: &str = "SPMDFullToShardShape";
pub const SHARD_TO_FULL: &str = "SPMDShardToFullShape";

/// The axes along which a value differs.
type Axes = BTreeSet<String>;

/// Values that differ outside of manual computations, or in one without named axes.
const ANY: &str = "";

/// The manual values of an entry.
#[derive(Debug, Default)]
pub struct ManualValues {
    axes: HashMap<usize, Axes>,
    changed: bool,
}

/// Returns true if the results of an op differ for any operands.
fn differs(name: &str) -> bool {
    let reads_place = matches!(
        name,
        stablehlo::InfeedOp::NAME
            | stablehlo::PartitionIdOp::NAME
            | stablehlo::RecvOp::NAME
            | stablehlo::ReplicaIdOp::NAME
    );
    reads_place || is_collective(name)
}

impl ManualValues {
    pub fn of(entry: Operation) -> Self {
        let mut found = Self::default();
        let Some(body) = entry.body(0) else {
            return found;
        };
        // Loop-carried values may be found to differ at the end of an iteration.
        loop {
            found.changed = false;
            found.block(body, &Axes::new());
            if !found.changed {
                return found;
            }
        }
    }

    pub fn contains(&self, value: Value) -> bool {
        self.axes.contains_key(&value.key())
    }

    /// Returns true if an op is part of a manual computation.
    pub fn has_part_in(&self, op: Operation) -> bool {
        let values = op.operands().into_iter().chain(op.results());
        values.into_iter().any(|value| self.contains(value))
    }

    fn of_values(&self, values: Vec<Value>) -> Axes {
        let own = values.into_iter().filter_map(|value| self.axes.get(&value.key()));
        own.flatten().cloned().collect()
    }

    fn add(&mut self, value: Value, axes: &Axes) {
        if axes.is_empty() {
            return;
        }
        let own = self.axes.entry(value.key()).or_default();
        let before = own.len();
        own.extend(axes.iter().cloned());
        self.changed |= own.len() > before;
    }

    fn block(&mut self, block: Block, context: &Axes) {
        for op in block.operations() {
            self.operation(op, context);
        }
    }

    fn operation(&mut self, op: Operation, context: &Axes) {
        let mut axes = self.of_values(op.operands());
        axes.extend(context.iter().cloned());
        if op.isa::<stablehlo::WhileOp>() {
            return self.r#while(op, axes);
        }
        if op.isa::<stablehlo::IfOp>() || op.isa::<stablehlo::CaseOp>() {
            return self.branches(op, &axes);
        }
        op.visit(&mut |nested| {
            if nested != op {
                axes.extend(self.of_values(nested.operands()));
            }
        });
        let call = op.cast::<stablehlo::CustomCallOp>();
        match call.map(|call| call.call_target_name()) {
            Some(FULL_TO_SHARD) => axes.extend(own_axes(op)),
            Some(SHARD_TO_FULL) => {
                let own = own_axes(op);
                axes.retain(|axis| !own.contains(axis));
                // Only the marker of a difference is left.
                if axes.iter().all(|axis| axis == ANY) {
                    axes = context.clone();
                }
            }
            _ if differs(op.name()) => {
                axes.insert(ANY.to_owned());
            }
            _ => {}
        }
        for result in op.results() {
            self.add(result, &axes);
        }
    }

    /// If one carried value of a loop differs, all do.
    fn r#while(&mut self, op: Operation, mut axes: Axes) {
        let bodies: Vec<Block> = (0..2).filter_map(|region| op.body(region)).collect();
        for body in &bodies {
            let returned = body.terminator().map(Operation::operands).unwrap_or_default();
            axes.extend(self.of_values(returned));
        }
        for body in bodies {
            for argument in body.arguments() {
                self.add(argument, &axes);
            }
            self.block(body, &axes);
        }
        for result in op.results() {
            self.add(result, &axes);
        }
    }

    /// If the predicate differs, so do all values in the branches.
    fn branches(&mut self, op: Operation, axes: &Axes) {
        for region in 0..op.region_count() {
            let Some(body) = op.body(region) else {
                continue;
            };
            self.block(body, axes);
            let returned = body.terminator().map(Operation::operands).unwrap_or_default();
            for (result, value) in op.results().into_iter().zip(returned) {
                let mut own = self.of_values(vec![value]);
                own.extend(axes.iter().cloned());
                self.add(result, &own);
            }
        }
    }
}

/// The axes named in a manual computation.
fn own_axes(call: Operation) -> Axes {
    let axes = call.attribute("sdy.manual_axes").and_then(|axes| manual_axes(axes).ok());
    match axes {
        Some(axes) => axes.into_iter().collect(),
        None => [ANY.to_owned()].into(),
    }
}
