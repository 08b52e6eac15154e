//! Register tiles for SVE with multiply-add by element.
//!
//! `fmla` by element takes a lane from each 128-bit unit of a register, and `ld1rq` loads one unit
//! and replicates it. So one load provides four f32 or two f64 numbers of lhs, instead of one load
//! per broadcast number. A64FX issues four instructions per cycle, of which two can be
//! multiply-adds: 16 of 37 instructions multiply with broadcasts, and 72 of 95 by element. On
//! Neoverse V1, broadcasts of floats also compete with multiply-adds.
//!
//! The numbers of a unit are adjacent along k if lhs or its panels have rows along k:
//!
//! ```mlir
//! scf.for %k = ... step %c4 iter_args(%s0, ...) -> (vector<[4]xf32>, ...) {
//!   %four = vector.load %lhs[%panel, %row, %k] : memref<?x8x512xf32>, vector<4xf32>
//!   ... // in all units: %x
//!   %n0 = llvm.call_intrinsic "llvm.aarch64.sve.fmla.lane.nxv4f32"(%s0, %rhs0, %x, %lane0)
//!   ... // all lanes of all rows
//! }
//! ```
//!
//! Otherwise they are adjacent in a column of the panel. Only the first eight registers can be the
//! indexed operand for f32. To avoid spills of units, vectors of rhs for a whole unit are loaded
//! first if enough registers are free, followed by the units of four rows at a time. Each sum adds
//! its products in the order of k, rounded once, as with broadcasts.

use super::{MicroKernel, Source, relative, row_of};
use crate::{
    contraction::{
        isa::sve,
        vectors::{load_vector, zero_vector},
    },
    loops::prelude::*,
};
use halo_ir::prelude::*;

/// The number of SVE registers, and the rows whose units are loaded together.
const REGISTERS: i64 = 32;
const ROWS_AT_ONCE: i64 = 4;

/// The units of lhs that a tile loads.
#[derive(Clone, Copy)]
pub(super) struct Units {
    /// The numbers per unit.
    size: i64,
    /// Whether the numbers are adjacent along k, in one row.
    are_along_k: bool,
}

impl Units {
    /// The rows with a number in the unit at row `first`, for a position along k, and their lanes.
    fn rows(self, first: i64, place: i64) -> impl Iterator<Item = (i64, i64)> {
        let lanes = if self.are_along_k { 1 } else { self.size };
        (0..lanes).map(move |lane| (first + lane, place.max(lane)))
    }
}

impl<'c> MicroKernel<'_, 'c> {
    /// The units of lhs, if the tile multiplies by element.
    pub(super) fn units(&self) -> Option<Units> {
        let accumulator = self.matmul.accumulator();
        let has_instruction = matches!(
            accumulator.float_kind(),
            Some(FloatKind::F32 | FloatKind::F64)
        );
        if !self.sve || !has_instruction || self.lines().is_some() {
            return None;
        }
        let size = sve::lanes_of_unit(accumulator);
        let are_along_k = match self.lhs {
            Source::Packed { .. } => self.has_lhs_rows,
            Source::Direct => self.matmul.is_contiguous(LHS, self.matmul.k),
        };
        let are_rows = matches!(self.lhs, Source::Packed { .. }) && self.tile.rows % size == 0;
        (are_along_k || are_rows).then_some(Units { size, are_along_k })
    }

    /// Accumulates products after `initial`. Returns the sums and the end of the processed range of
    /// k, which excludes a partial unit.
    pub(super) fn accumulate_by_element(
        &self,
        builder: &Builder<'c>,
        units: Units,
        (lower, upper): (Value<'c>, Value<'c>),
    ) -> (Vec<Value<'c>>, Value<'c>) {
        let (rows, vectors, lanes) = (self.tile.rows, self.tile.vectors, self.tile.lanes);
        let zero = zero_vector(builder, self.matmul.accumulator(), lanes);
        let zero = sve::register(builder, zero);
        let initial = vec![zero; (rows * vectors) as usize];
        let along_k = if units.are_along_k { units.size } else { 1 };
        let step = index::constant(builder, along_k);
        let mut end = upper;
        if self.divisor % along_k != 0 {
            let length = index::sub(builder, upper, lower);
            let whole = index::div(builder, length, step);
            let whole = index::mul(builder, whole, step);
            end = index::add(builder, lower, whole);
        }
        let bounds = (lower, end, step);
        let at_once = self.units_at_once(units);
        let sums = scf::for_(builder, bounds, &initial, |builder, first, carried| {
            let mut sums = carried.to_vec();
            let all = self.numbers_of_units(units);
            let vectors_at = |place: i64| {
                let k = index::add(builder, first, place);
                let rhs = (0..vectors)
                    .map(|vector| sve::register(builder, self.load_rhs(builder, k, vector)));
                rhs.collect::<Vec<_>>()
            };
            let mut held = Vec::new();
            if all.len() > at_once {
                held = (0..along_k).map(vectors_at).collect::<_>();
            }
            for numbers in all.chunks(at_once) {
                let loaded = self.load_units(builder, units, numbers, first);
                for place in 0..along_k {
                    let rhs = match held.get(place as usize) {
                        Some(rhs) => Vec::clone(rhs),
                        None => vectors_at(place),
                    };
                    for (number, unit) in numbers.iter().zip(&loaded) {
                        for (row, lane) in units.rows(*number, place) {
                            for (vector, rhs) in (row * vectors..).zip(&rhs) {
                                let sum = &mut sums[vector as usize];
                                let factors = (*rhs, *unit);
                                *sum = sve::multiply_add_by_element(builder, factors, lane, *sum);
                            }
                        }
                    }
                }
            }
            sums
        })
        .results();
        let ty = vector_type(&[lanes], self.matmul.accumulator());
        let sums = sums.into_iter().map(|sum| sve::vector(builder, sum, ty));
        (sums.collect::<_>(), end)
    }

    /// The first row of each unit.
    fn numbers_of_units(&self, units: Units) -> Vec<i64> {
        let step = if units.are_along_k { 1 } else { units.size };
        (0..self.tile.rows).step_by(step as usize).collect()
    }

    /// The number of units loaded together: [`ROWS_AT_ONCE`] if enough registers are free for the
    /// vectors of rhs that they multiply, otherwise all.
    fn units_at_once(&self, units: Units) -> usize {
        let (rows, vectors) = (self.tile.rows, self.tile.vectors);
        let held = rows * vectors + units.size * vectors + ROWS_AT_ONCE;
        if units.are_along_k && rows % ROWS_AT_ONCE == 0 && held < REGISTERS {
            ROWS_AT_ONCE as usize
        } else {
            rows as usize
        }
    }

    /// Loads the units that start at some rows at k, replicated.
    fn load_units(
        &self,
        builder: &Builder<'c>,
        units: Units,
        numbers: &[i64],
        k: Value<'c>,
    ) -> Vec<Value<'c>> {
        let load = |number: &i64| {
            let unit = self.load_unit(builder, units, (*number, k));
            sve::in_all_units(builder, unit)
        };
        numbers.iter().map(load).collect()
    }

    /// Loads the unit of a row, or of several rows starting there.
    fn load_unit(
        &self,
        builder: &Builder<'c>,
        units: Units,
        (number, k): (i64, Value<'c>),
    ) -> Value<'c> {
        let Source::Packed {
            memref,
            panel,
            first_k,
        } = &self.lhs
        else {
            let mut ivs = self.ivs.to_vec();
            ivs[self.matmul.k] = k;
            if let Some(m) = self.matmul.m {
                ivs[m] = row_of(builder, self.matmul, self.row, number, self.tile.rows);
            }
            return self.matmul.load_vector(builder, LHS, &ivs, units.size, None);
        };
        let k = relative(builder, k, *first_k);
        let lane = index::constant(builder, number);
        let inner = if units.are_along_k {
            [lane, k]
        } else {
            [k, lane]
        };
        let indices = [&panel[..], &inner].concat();
        load_vector(builder, *memref, &indices, units.size, None)
    }
}
