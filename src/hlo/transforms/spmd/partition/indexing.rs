//! Gathers and scatters whose indexed dimensions are divided.
//!
//! Partitions have rows of a table, and indices become relative to the first row of each:
//!
//! ```text
//! tiles of 4: partition 1 has rows 4 5 6 7
//!   indices 1 6 4 9   local -3 2 0 5   inside 0 1 1 0
//! ```
//!
//! A scatter skips updates outside of the tile, so that each partition updates its rows. A gather
//! reads the rows in the tile, and uses minus zero for others, which is neutral in addition: the
//! results of all partitions are added.

use super::Partition;
use super::choice::{Division, layout_of};
use super::collectives::sizes;
use super::reshard::{own_start, tile_size};
use crate::sharding::grid::AxisNumber;
use crate::sharding::rules::{Kind, Rule};
use halo_ir::prelude::*;

/// An index relative to the start of a tile.
struct Local {
    /// The index of the component in an index vector.
    component: usize,
    axes: Vec<AxisNumber>,
    tile: i64,
}

/// The indices of an op.
struct Indices {
    operand: usize,
    /// The dimension of the index vectors.
    vector: usize,
    /// The dimension of the table for each component.
    dimensions: Vec<i64>,
}

impl Indices {
    fn of(op: Operation) -> Option<Self> {
        if let Some(gather) = op.cast::<stablehlo::GatherOp>() {
            let numbers = gather.dimension_numbers();
            return Some(Self {
                operand: 1,
                vector: numbers.index_vector_dim as usize,
                dimensions: numbers.start_index_map,
            });
        }
        let scatter = op.cast::<stablehlo::ScatterOp>()?;
        let numbers = scatter.scatter_dimension_numbers();
        Some(Self {
            operand: scatter.inputs().len(),
            vector: numbers.index_vector_dim as usize,
            dimensions: numbers.scatter_dims_to_operand_dims,
        })
    }
}

impl<'c> Partition<'c> {
    /// Makes indices relative to the tile of each partition. For a gather, also returns a mask of
    /// the positions inside.
    pub fn local_indices(
        &self,
        b: &Builder<'c>,
        op: Operation<'c>,
        rule: &Rule,
        division: &Division,
        whole: &[i64],
    ) -> RewriteResult<Option<Value<'c>>> {
        let Some(indices) = Indices::of(op) else {
            return Ok(None);
        };
        let table = layout_of(rule, &rule.operands[0], division);
        let gather = op.cast::<stablehlo::GatherOp>();
        let is_local = |dimension: usize| match (gather, &rule.operands[0][dimension][..]) {
            // Other dimensions are read completely, from index 0.
            (Some(_), [factor]) => matches!(rule.factors[*factor].kind, Kind::Reduced(_)),
            _ => true,
        };
        let components = indices.dimensions.iter().enumerate();
        let local: Vec<Local> = components
            .map(|(component, dimension)| (component, *dimension as usize))
            .filter(|(_, dimension)| !table.dims[*dimension].is_empty() && is_local(*dimension))
            .map(|(component, dimension)| Local {
                component,
                tile: tile_size(&self.grid, whole[dimension], &table.dims[dimension]),
                axes: table.dims[dimension].clone(),
            })
            .collect();
        if local.is_empty() {
            return Ok(None);
        }
        let given = op.operands()[indices.operand];
        let mut value = signed(b, given)?;
        let ty = value.ty();
        let along = |numbers: &[i64]| along_components(b, &indices, ty, numbers);
        if let Some(gather) = gather {
            // Out-of-bounds indices are clamped.
            let slices = gather.slice_sizes();
            let last = indices.dimensions.iter().map(|dimension| {
                let dimension = *dimension as usize;
                whole[dimension] - slices[dimension]
            });
            let last = along(&last.collect::<Vec<_>>())?;
            let first = along(&vec![0; indices.dimensions.len()])?;
            value = stablehlo::clamp(b, first, value, last);
            gather.set_indices_are_sorted(false);
        }
        for Local {
            component,
            axes,
            tile,
        } in &local
        {
            let start = own_start(b, &self.tiler, &self.grid, axes, *tile)?;
            let start = stablehlo::broadcast_in_dim(b, start, &[], ty);
            let mut is_own = vec![0; indices.dimensions.len()];
            is_own[*component] = 1;
            let start = stablehlo::multiply(b, start, along(&is_own)?);
            value = stablehlo::subtract(b, value, start);
        }
        op.set_operand(indices.operand, value);
        if gather.is_none() {
            return Ok(None);
        }
        let mut inside: Option<Value> = None;
        for local in &local {
            let own = component(b, &indices, value, local.component)?;
            let compare = |bound: i64, direction| {
                let bound = stablehlo::number(b, own.ty(), bound as f64)?;
                Ok::<_, RewriteError>(stablehlo::compare(b, own, bound, direction))
            };
            let begins = compare(0, ComparisonDirection::Ge)?;
            let ends = compare(local.tile, ComparisonDirection::Lt)?;
            let both = stablehlo::and(b, begins, ends);
            inside = Some(match inside {
                Some(others) => stablehlo::and(b, others, both),
                None => both,
            });
        }
        Ok(inside)
    }
}

/// The result of a gather for positions inside, and minus zero elsewhere.
pub fn gathered<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    result: Value<'c>,
    inside: Value<'c>,
) -> RewriteResult<Value<'c>> {
    let offsets = match op.cast::<stablehlo::GatherOp>() {
        Some(gather) => gather.dimension_numbers().offset_dims,
        None => Vec::new(),
    };
    let all = sizes(result)?;
    let batches = (0..all.len() as i64).filter(|dimension| !offsets.contains(dimension));
    let batches: Vec<i64> = batches.collect();
    let everywhere = tensor_type(&all, integer_type(b.context(), 1));
    let inside = stablehlo::broadcast_in_dim(b, inside, &batches, everywhere);
    let nothing = stablehlo::number(b, result.ty(), -0.0)?;
    Ok(stablehlo::select(b, inside, result, nothing))
}

/// Converts indices to i64. ui64 indices from 2^63 on stay greater than all sizes.
fn signed<'c>(b: &Builder<'c>, indices: Value<'c>) -> RewriteResult<Value<'c>> {
    let element = indices.ty().element_type();
    let mut indices = indices;
    if element.is_unsigned() && element.integer_width() == Some(64) {
        let largest = stablehlo::integers(b, tensor_type(&[], element), &[i64::MAX])?;
        let largest = stablehlo::broadcast_in_dim(b, largest, &[], indices.ty());
        indices = stablehlo::minimum(b, indices, largest);
    }
    Ok(stablehlo::convert_elements(
        b,
        indices,
        integer_type(b.context(), 64),
    ))
}

/// One number for each component of an index vector.
fn along_components<'c>(
    b: &Builder<'c>,
    indices: &Indices,
    ty: Type<'c>,
    numbers: &[i64],
) -> RewriteResult<Value<'c>> {
    let element = ty.element_type();
    let rank = ty.static_shape().unwrap_or_default().len();
    if indices.vector == rank {
        let number = stablehlo::integers(b, tensor_type(&[], element), numbers)?;
        return Ok(stablehlo::broadcast_in_dim(b, number, &[], ty));
    }
    let line = tensor_type(&[numbers.len() as i64], element);
    let line = stablehlo::integers(b, line, numbers)?;
    let vector = indices.vector as i64;
    Ok(stablehlo::broadcast_in_dim(b, line, &[vector], ty))
}

/// One component of all index vectors.
fn component<'c>(
    b: &Builder<'c>,
    indices: &Indices,
    value: Value<'c>,
    component: usize,
) -> RewriteResult<Value<'c>> {
    let mut all = sizes(value)?;
    if indices.vector == all.len() {
        return Ok(value);
    }
    let start = component as i64;
    let own = super::reshard::truncate(b, value, indices.vector, (start, start + 1))?;
    all.remove(indices.vector);
    let ty = tensor_type(&all, integer_type(b.context(), 64));
    Ok(stablehlo::reshape(b, own, ty))
}
