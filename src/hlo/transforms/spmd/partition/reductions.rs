//! Reductions by a body of several ops, or of several operands, along divided dimensions.
//!
//! Each partition reduces its part. The partial results of a group are then reduced by the same
//! reduction along a new dimension, in the order of the group:
//!
//! ```text
//! argmax of tensor<64xf32> along 4 partitions
//!   %m, %i = reduce %x, %positions across 0            of tensor<16xf32>, on each partition
//!   %all_m, %all_i = all_gather %m, %i                 tensor<4xf32>
//!   reduce %all_m, %all_i across 0
//! ```
//!
//! If the result is tiled, all_to_all sends each partition only the partial results of its tile. So
//! does a large result, whose tiles are gathered afterwards, like `all_reduce` for single-op
//! combiners.
//!
//! The initial values are combined once for each part and once more, which has no effect:
//! StableHLO's specification requires body and initial values to be a monoid.

use super::Partition;
use super::choice::{Division, layout_of, reduced_axes};
use super::reshard::tile_sizes;
use super::tiles::Tiler;
use crate::sharding::grid::{AxisNumber, Layout};
use crate::sharding::rules::{Rule, sizes_of};
use halo_cost::communication_cost::LARGE_REDUCTION_BYTES;
use halo_ir::prelude::*;

impl<'c> Partition<'c> {
    /// Combines the partial results of an op on tiles whose results still have whole types.
    pub fn combine_by_body(
        &mut self,
        op: Operation<'c>,
        rule: &Rule,
        division: &Division,
    ) -> RewriteResult {
        let results = op.results();
        let first = *results.first().ok_or_else(|| no_match("no results"))?;
        let sizes = sizes_of(first).ok_or_else(|| no_match("no static sizes"))?;
        let layout = layout_of(rule, &rule.results[0], division);
        let reduced = reduced_axes(rule, division);
        let wanted = self.wanted(first).map(|(layout, _)| layout);
        let wanted = wanted.unwrap_or_else(|| layout.clone());
        let tile = tile_sizes(&self.grid, &sizes, &layout);
        for result in &results {
            result.set_type(tensor_type(&tile, result.ty().element_type()));
        }
        let (layout, tiles) = with_builder(op, |b| {
            b.set_after(op);
            self.combine_parts(b, op, (&sizes, layout, &wanted), reduced)
        })?;
        for (result, tile) in results.into_iter().zip(tiles) {
            self.tensors.add(result, &sizes, layout.clone(), tile);
        }
        Ok(())
    }

    fn combine_parts(
        &self,
        b: &Builder<'c>,
        op: Operation<'c>,
        (sizes, mut layout, wanted): (&[i64], Layout, &Layout),
        mut reduced: Vec<AxisNumber>,
    ) -> RewriteResult<(Layout, Vec<Value<'c>>)> {
        let mut parts = op.results();
        let layouts = (sizes, &mut layout, wanted);
        self.scatter(layouts, &mut reduced, |dimension, groups| {
            let exchanged = exchange(b, &self.tiler, &parts, dimension, groups)?;
            parts = reduce(b, op, &exchanged)?;
            Ok(())
        })?;
        if reduced.is_empty() {
            return Ok((layout, parts));
        }
        let groups = self.grid.groups(&reduced);
        let bytes = parts.first().map_or(4, |part| self.bytes_of(*part));
        if let Some(dimension) = self.part_dimension(sizes, &layout, bytes, &reduced) {
            let exchanged = exchange(b, &self.tiler, &parts, dimension, &groups)?;
            let tiles = reduce(b, op, &exchanged)?.into_iter();
            let whole = tiles.map(|tile| self.tiler.all_gather(b, tile, dimension, &groups));
            return Ok((layout, whole.collect::<RewriteResult<Vec<_>>>()?));
        }
        let parts = parts.into_iter().map(|part| {
            let line = in_front(b, part)?;
            self.tiler.all_gather(b, line, 0, &groups)
        });
        let gathered = parts.collect::<RewriteResult<Vec<_>>>()?;
        Ok((layout, reduce(b, op, &gathered)?))
    }

    /// The dimension along which partitions reduce one part each of a large result.
    pub fn part_dimension(
        &self,
        sizes: &[i64],
        layout: &Layout,
        element_bytes: i64,
        reduced: &[AxisNumber],
    ) -> Option<usize> {
        let tile = tile_sizes(&self.grid, sizes, layout);
        let count = self.grid.count(reduced) as i64;
        let bytes = tile.iter().product::<i64>().saturating_mul(element_bytes);
        let is_large = count > 2 && bytes >= LARGE_REDUCTION_BYTES as i64;
        let mut dimensions = tile.iter();
        dimensions.position(|size| size % count == 0).filter(|_| is_large)
    }
}

/// A value with a leading dimension of size 1.
fn in_front<'c>(b: &Builder<'c>, value: Value<'c>) -> RewriteResult<Value<'c>> {
    let ty = value.ty();
    let mut sizes = ty.static_shape().ok_or_else(|| no_match("no static sizes"))?;
    sizes.insert(0, 1);
    let line = tensor_type(&sizes, ty.element_type());
    Ok(stablehlo::reshape(b, value, line))
}

/// This partition's parts of the values of all members, along a new dimension.
fn exchange<'c>(
    b: &Builder<'c>,
    tiler: &Tiler,
    values: &[Value<'c>],
    dimension: usize,
    groups: &[Vec<usize>],
) -> RewriteResult<Vec<Value<'c>>> {
    let exchanged = values.iter().map(|value| {
        let line = in_front(b, *value)?;
        tiler.all_to_all(b, line, (dimension + 1, 0), groups)
    });
    exchanged.collect()
}

/// The reduction of an op along the first dimension of values.
fn reduce<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    values: &[Value<'c>],
) -> RewriteResult<Vec<Value<'c>>> {
    let own = b.copy(op);
    for (number, value) in values.iter().enumerate() {
        own.set_operand(number, *value);
    }
    if let Some(reduce) = own.cast::<stablehlo::ReduceOp>() {
        reduce.set_dimensions(&[0]);
    }
    let results = own.results();
    for (result, value) in results.iter().zip(values) {
        let sizes = value.ty().static_shape().unwrap_or_default();
        let sizes = sizes.get(1..).unwrap_or_default();
        result.set_type(tensor_type(sizes, result.ty().element_type()));
    }
    Ok(results)
}
