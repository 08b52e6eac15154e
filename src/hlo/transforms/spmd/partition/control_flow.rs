//! Loops and branches, which every partition executes alike.
//!
//! A loop-carried value has one layout: operands, region arguments and results of the body are
//! resharded to it. So are branch results.

use super::reshard::tile_sizes;
use super::{Partition, Problem};
use crate::sharding::grid::Layout;
use crate::sharding::rules::sizes_of;
use halo_ir::prelude::*;

/// For each carried value, its sizes and its layout; `None` if it is not divided.
type Flow = Vec<Option<(Vec<i64>, Layout)>>;

impl<'c> Partition<'c> {
    pub fn control_flow(&mut self, op: Operation<'c>, is_manual: bool) -> Result<(), Problem<'c>> {
        let results = op.results();
        let flow = results.iter().map(|result| {
            let sizes =
                sizes_of(*result).filter(|_| !is_manual || !self.manual.contains(*result))?;
            let layout = self.layouts.of(*result).cloned();
            let layout = layout.unwrap_or_else(|| Layout::whole(sizes.len()));
            Some((sizes, layout))
        });
        let flow: Flow = flow.collect();
        if is_manual {
            // A branch that only some partitions take must not communicate.
            self.gather_captured(op)?;
        }
        let is_loop = op.isa::<stablehlo::WhileOp>();
        if is_loop {
            self.bring(op, op, &flow)?;
        } else {
            let whole = vec![None; op.operands().len()];
            self.bring(op, op, &whole)?;
        }
        for region in 0..op.region_count() {
            let Some(body) = op.body(region) else {
                continue;
            };
            let beginning = self.tensors.enter();
            if is_loop {
                self.values(&body.arguments(), &flow);
            }
            self.block(body)?;
            let end = body.terminator();
            if let Some(end) = end {
                if is_loop && region == 0 {
                    // The condition is a scalar.
                    self.bring(end, end, &[None])?
                } else {
                    self.bring(end, end, &flow)?
                }
            }
            self.tensors.leave(beginning);
        }
        self.values(&results, &flow);
        Ok(())
    }

    /// Records values as tiles.
    fn values(&mut self, values: &[Value<'c>], flow: &Flow) {
        for (value, flow) in values.iter().zip(flow) {
            let Some((sizes, layout)) = flow else {
                continue;
            };
            let tile = tile_sizes(&self.grid, sizes, layout);
            value.set_type(tensor_type(&tile, value.ty().element_type()));
            self.tensors.add(*value, sizes, layout.clone(), *value);
        }
    }

    /// Reshards the operands of an op to layouts, and replicates others.
    fn bring(
        &mut self,
        op: Operation<'c>,
        before: Operation<'c>,
        flow: &[Option<(Vec<i64>, Layout)>],
    ) -> Result<(), Problem<'c>> {
        for (number, operand) in op.operands().into_iter().enumerate() {
            let layout = flow.get(number).and_then(Option::as_ref);
            let tile = with_builder(before, |b| match layout {
                Some((_, layout)) => self.tensors.tile(b, &self.tiler, &self.grid, operand, layout),
                None => self.whole(b, operand),
            });
            let tile = tile.map_err(|error| Problem(op, error.to_string()))?;
            op.set_operand(number, tile);
        }
        Ok(())
    }

    /// Replicates captured values before an op with regions.
    fn gather_captured(&mut self, op: Operation<'c>) -> Result<(), Problem<'c>> {
        let mut captured: Vec<Value<'c>> = Vec::new();
        op.visit(&mut |nested| captured.extend(nested.operands()));
        captured.retain(|value| self.tensors.contains(*value));
        for value in captured {
            let whole = with_builder(op, |b| self.whole(b, value));
            whole.map_err(|error| Problem(op, error.to_string()))?;
        }
        Ok(())
    }
}
