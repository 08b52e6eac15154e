//! The innermost loop of a nest, with its reductions.

use super::{Piece, Schedule};
use crate::loops::{body, folded_writes::is_running, prelude::*};
use halo_ir::prelude::*;

/// Windows of at most this many elements are unrolled in the innermost loop,
const LARGEST_WINDOW: i64 = 32;
/// unless the unrolled bodies exceed this many ops.
pub(super) const MOST_OPS: i64 = 512;

impl<'c> Schedule<'c> {
    /// Emits the reduction loops and the innermost loop.
    pub(super) fn emit_innermost(
        &self,
        builder: &Builder<'c>,
        ivs: &mut [Value<'c>],
        piece: Option<Piece<'c>>,
    ) {
        let Some(innermost) = self.innermost else {
            return self.emit_iteration(builder, ivs);
        };
        if self.nest.dims[innermost].reduction {
            let initial = self.initial(builder, ivs);
            let results = match (self.scan(), self.lanes()) {
                (Some(scan), _) if piece.is_none() => self.emit_scan(builder, &scan, ivs, &initial),
                (_, Some(lanes)) if piece.is_none() => {
                    self.emit_lanes(builder, &lanes, ivs, &initial)
                }
                _ => self.emit_row(builder, ivs, &initial, piece),
            };
            return self.store(builder, ivs, &results);
        }
        if self.reductions.is_empty() || self.unrolls {
            let dims = [innermost];
            self.emit_loops(builder, &dims, ivs, &[], piece, &mut |builder, ivs, _| {
                if self.unrolls {
                    let initial = self.initial(builder, ivs);
                    let values = self.emit_window(builder, ivs, initial);
                    self.store(builder, ivs, &values);
                } else {
                    self.emit_iteration(builder, ivs)
                }
                Vec::new()
            });
            return;
        }
        if self.starts.iter().any(Option::is_some) {
            let dims = [innermost];
            self.emit_loops(builder, &dims, ivs, &[], piece, &mut |builder, ivs, _| {
                self.store_starts(builder, ivs);
                Vec::new()
            });
        }
        let mut dims = self.reductions.clone();
        dims.push(innermost);
        self.emit_loops(builder, &dims, ivs, &[], piece, &mut |builder, ivs, _| {
            body::emit_iteration_in_memory(builder, &self.nest, ivs);
            Vec::new()
        });
    }

    /// Emits one iteration of a nest without reductions.
    pub(super) fn emit_iteration(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) {
        let carried: Vec<bool> = self.starts.iter().map(Option::is_some).collect();
        let starts: Vec<Value> = self.starts.iter().copied().flatten().collect();
        let next = body::emit_iteration(builder, &self.nest, ivs, &carried, &starts);
        let filled = self.nest.outputs().iter().zip(&carried);
        for ((output, _), value) in filled.filter(|(_, carried)| **carried).zip(next) {
            output.store(builder, ivs, value);
        }
    }

    /// Emits the unrolled reductions, and returns the accumulators.
    pub(super) fn emit_window(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        mut values: Vec<Value<'c>>,
    ) -> Vec<Value<'c>> {
        let outputs = self.nest.outputs().iter();
        let carried: Vec<bool> = outputs.map(|output| !self.is_running(output)).collect();
        let sizes: Vec<i64> = self.reductions.iter().map(|dim| self.size(*dim)).collect();
        let mut ivs = ivs.to_vec();
        for number in 0..sizes.iter().product() {
            let mut rest = number;
            for (dim, size) in self.reductions.iter().zip(&sizes).rev() {
                ivs[*dim] = index::constant(builder, rest % size);
                rest /= size;
            }
            values = body::emit_iteration(builder, &self.nest, &ivs, &carried, &values);
        }
        values
    }

    /// The initial accumulators of the reductions.
    pub(super) fn initial(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) -> Vec<Value<'c>> {
        let outputs = self.nest.outputs().iter().zip(&self.starts);
        let accumulators = outputs.filter(|(output, _)| !self.is_running(output));
        accumulators
            .map(|(output, start)| match start {
                Some(start) => *start,
                None => output.load(builder, ivs),
            })
            .collect()
    }

    /// Stores the fill values of the outputs.
    pub(super) fn store_starts(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) {
        for (output, start) in self.nest.outputs().iter().zip(&self.starts) {
            if let Some(start) = start {
                output.store(builder, ivs, *start);
            }
        }
    }

    /// Stores the accumulators after the reductions.
    pub(super) fn store(&self, builder: &Builder<'c>, ivs: &[Value<'c>], values: &[Value<'c>]) {
        let outputs = self.nest.outputs().iter();
        let accumulators = outputs.filter(|output| !self.is_running(output));
        for (output, value) in accumulators.zip(values) {
            output.store(builder, ivs, *value);
        }
    }

    pub(super) fn is_running(&self, output: &Access<'c>) -> bool {
        is_running(&self.nest, output)
    }

    /// Emits the reduction loops with accumulators in registers.
    pub(super) fn emit_row(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        initial: &[Value<'c>],
        piece: Option<Piece<'c>>,
    ) -> Vec<Value<'c>> {
        let mut dims = self.reductions.clone();
        dims.extend(self.innermost);
        let mut ivs = ivs.to_vec();
        let outputs = self.nest.outputs().iter();
        let carried: Vec<bool> = outputs.map(|output| !self.is_running(output)).collect();
        self.emit_loops(
            builder,
            &dims,
            &mut ivs,
            initial,
            piece,
            &mut |builder, ivs, values| {
                body::emit_iteration(builder, &self.nest, ivs, &carried, values)
            },
        )
    }
}

/// Whether an input is read in windows that are short enough to be unrolled: one of its indices
/// depends on a result loop and on a reduction loop.
pub(super) fn has_short_windows(nest: &LoopNest) -> bool {
    let is_reduction = |dim: &usize| nest.dims[*dim].reduction;
    let (reductions, parallel): (Vec<_>, Vec<_>) = (0..nest.dims.len()).partition(is_reduction);
    let mut elements = 1_i64;
    for dim in &reductions {
        match nest.dims[*dim].extent {
            Extent::Fixed(size) => elements = elements.saturating_mul(size),
            Extent::Dynamic { .. } => return false,
        }
    }
    let ops = nest.body.operations().len() as i64;
    let mentions = |access: &Access, dims: &[usize]| {
        let mut indices = access.indices.iter();
        indices.any(|index| {
            dims.iter().any(|dim| index.mentions(*dim))
                && parallel.iter().any(|dim| index.mentions(*dim))
        })
    };
    elements <= LARGEST_WINDOW
        && elements.saturating_mul(ops) <= MOST_OPS
        && nest.inputs().iter().any(|input| mentions(input, &reductions))
}
