//! Annotation calls: constraints, groups, inspections, and the boundaries of manual computations.

use super::{Partition, Problem, tile_type};
use crate::sharding::Tiling;
use crate::sharding::analysis::{
    INSPECT_SHARDING, SHARDING_CONSTRAINT, SHARDING_GROUP, annotation, manual_tilings,
};
use crate::sharding::grid::Layout;
use crate::sharding::manual::FULL_TO_SHARD;
use crate::sharding::rules::sizes_of;
use halo_ir::prelude::*;

impl<'c> Partition<'c> {
    pub fn annotation(&mut self, call: Operation<'c>) -> Result<(), Problem<'c>> {
        let at = |message: String| Problem(call, message);
        let (operands, results) = (call.operands(), call.results());
        match annotation(call) {
            Some(SHARDING_GROUP) => {
                self.replaced.push((call, Vec::new()));
                Ok(())
            }
            Some(SHARDING_CONSTRAINT) => {
                let mut new = Vec::with_capacity(results.len());
                for (operand, result) in operands.into_iter().zip(&results) {
                    let layout = self.layouts.of(*result).cloned();
                    let (Some(layout), true) = (layout, self.tensors.contains(operand)) else {
                        new.push(operand);
                        continue;
                    };
                    let tile = with_builder(call, |b| {
                        self.tensors.tile(b, &self.tiler, &self.grid, operand, &layout)
                    });
                    new.push(tile.map_err(|error| at(error.to_string()))?);
                    self.tensors.add_alias(*result, operand, layout);
                }
                self.replaced.push((call, new));
                Ok(())
            }
            Some(INSPECT_SHARDING) => {
                // The analysis has already reported the sharding.
                for (operand, result) in operands.iter().zip(&results) {
                    if let Some(layout) = self.tensors.layout(*operand).cloned() {
                        self.tensors.add_alias(*result, *operand, layout);
                    }
                }
                self.replaced.push((call, operands));
                Ok(())
            }
            Some(FULL_TO_SHARD) => self.begin(call).map_err(at),
            _ => self.end(call).map_err(at),
        }
    }

    /// Operands become the tiles of a manual computation.
    fn begin(&mut self, call: Operation<'c>) -> Result<(), String> {
        let (operands, results) = (call.operands(), call.results());
        let tilings = self.tilings(call)?;
        let mut new = Vec::with_capacity(results.len());
        for ((operand, result), tiling) in operands.into_iter().zip(&results).zip(tilings) {
            let full = match self.tensors.sizes(operand) {
                Some(sizes) => halo_ir::tensor_type(sizes, result.ty().element_type()),
                None => operand.ty(),
            };
            expect_tile(even_tile_type(full, &tiling)?, full, result.ty())?;
            new.push(self.own_tile(call, operand, &tiling)?);
        }
        self.replaced.push((call, new));
        Ok(())
    }

    /// Operands are tiles of the results.
    fn end(&mut self, call: Operation<'c>) -> Result<(), String> {
        let (operands, results) = (call.operands(), call.results());
        let tilings = self.tilings(call)?;
        let mut new = Vec::with_capacity(results.len());
        for ((operand, result), tiling) in operands.into_iter().zip(&results).zip(tilings) {
            let full = result.ty();
            let operand = with_builder(call, |b| self.whole(b, operand));
            let operand = operand.map_err(|error| error.to_string())?;
            expect_tile(even_tile_type(full, &tiling)?, full, operand.ty())?;
            // In another manual computation, the result has no layout.
            let sizes = sizes_of(*result).filter(|_| !self.manual.contains(*result));
            let layout = self.grid.layout(&tiling);
            match (layout, sizes) {
                (Some(layout), Some(sizes)) if tiling.terms.is_empty() => {
                    self.tensors.add(*result, &sizes, layout, operand);
                    new.push(operand);
                }
                (_, sizes) => {
                    let whole =
                        with_builder(call, |b| self.tiler.gather(b, operand, full, &tiling));
                    let whole = whole.map_err(|error| error.to_string())?;
                    if let Some(sizes) = sizes {
                        let layout = Layout::whole(sizes.len());
                        self.tensors.add(*result, &sizes, layout, whole);
                    }
                    new.push(whole);
                }
            }
        }
        self.replaced.push((call, new));
        Ok(())
    }

    fn tilings(&self, call: Operation<'c>) -> Result<Vec<Tiling>, String> {
        let (operands, results) = (call.operands().len(), call.results().len());
        let tilings = manual_tilings(&self.meshes, call)?;
        if operands == results && operands == tilings.len() {
            Ok(tilings)
        } else {
            Err(format!(
                "{operands} operands, {results} results and {} shardings are given",
                tilings.len()
            ))
        }
    }

    /// Erases the calls, from last to first.
    pub fn erase_replaced(&mut self) {
        for (call, values) in std::mem::take(&mut self.replaced).into_iter().rev() {
            with_builder(call, |b| {
                for (result, value) in call.results().into_iter().zip(values) {
                    b.replace_uses(result, value);
                }
                b.erase(call)
            });
        }
    }
}

/// The type of a tile in a manual computation, where padding is not allowed.
fn even_tile_type<'c>(
    full: halo_ir::Type<'c>,
    tiling: &Tiling,
) -> Result<halo_ir::Type<'c>, String> {
    if let Some(sizes) = full.static_shape().filter(|_| tiling.tile_count() > 1) {
        tiling.even_tile_sizes(&sizes)?;
    }
    tile_type(full, tiling)
}

fn expect_tile<'c>(
    expected: halo_ir::Type<'c>,
    full: halo_ir::Type<'c>,
    found: halo_ir::Type<'c>,
) -> Result<(), String> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("'{expected}' is a tile of '{full}', not '{found}'"))
    }
}
