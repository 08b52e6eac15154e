//! Products of groups by the tiles of AMX.
//!
//! Four tiles of accumulators need as many tiles of operands ([`crate::contraction::isa::amx`]):
//!
//! ```mlir
//! %s:4 = scf.for %k = ... step 16 iter_args(%s0, %s1, %s2, %s3) -> (!amx.tile<16x16xf32>, ...) {
//!   %a0 = amx.tile_load %lhs[%panel, %c0, %k] : memref<1x32x272xi32> into !amx.tile<16x32xbf16>
//!   %a1 = amx.tile_load %lhs[%panel, %c16, %k] : ...
//!   %b0 = amx.tile_load %rhs[%panel, %k, %c0] : memref<2x257x32xi32> into !amx.tile<16x32xbf16>
//!   %b1 = amx.tile_load %rhs[%panel, %k, %c16] : ...
//!   %n0 = amx.tile_mulf %a0, %b0, %s0 : ...
//! ```
//!
//! The accumulators are loaded from and stored to the result if it has whole tiles of the
//! accumulator type. Otherwise they use a scratch buffer of the task.

use super::{MicroKernel, Present, groups::Range};
use crate::{
    contraction::{
        isa::{
            amx::{SIZE, tile_types},
            dot::{Group, Number},
        },
        pack::if_else,
        vectors::zero_vector,
    },
    loops::prelude::*,
};
use halo_ir::{ops::amx, prelude::*};
use std::collections::BTreeMap;

/// Rows per step of the exact computation, which replaces tiles that would flush sums.
const EXACT_ROWS: i64 = 8;

impl<'c> MicroKernel<'_, 'c> {
    /// Computes the products of a range of k, and adds them to the result or stores them there. The
    /// scratch buffer holds the sums of the kernel's tile.
    pub fn multiply_tiles(
        &self,
        builder: &Builder<'c>,
        group: Group,
        range: (Value<'c>, Value<'c>),
        (memory, present): (Value<'c>, Present<'c>),
    ) {
        let (lhs, rhs, length) = self.operands(builder, group.size(), range);
        let range = (&lhs, &rhs, length);
        let by_tiles =
            |builder: &Builder<'c>| self.sum_tiles(builder, group, range, (memory, present));
        if group.dot.number != Number::Bf16 {
            return by_tiles(builder);
        }
        let is_normal = self.are_sums_normal(builder, &lhs, &rhs);
        if_else(builder, is_normal, by_tiles, |builder| {
            self.sum_rows(builder, group, range, memory);
            self.write_back_rows(builder, memory, present)
        })
    }

    /// Computes the sums in memory, in f32, in the order of `vdpbf16ps`.
    fn sum_rows(
        &self,
        builder: &Builder<'c>,
        group: Group,
        range: Range<'_, 'c>,
        memory: Value<'c>,
    ) {
        let zero = zero_vector(builder, self.matmul.accumulator(), self.tile.lanes);
        let zeros = vec![zero; (EXACT_ROWS * self.tile.vectors) as usize];
        scf::for_range(builder, self.tile.rows, EXACT_ROWS, |builder, row| {
            let from_zero = (true, zeros, 1);
            let rows = (row, EXACT_ROWS);
            let sums = self.accumulate_with(builder, group, range, rows, from_zero);
            self.store_sums(builder, &sums, (memory, row))
        })
    }

    /// Computes the sums with tiles, in the result.
    fn sum_tiles(
        &self,
        builder: &Builder<'c>,
        group: Group,
        range: Range<'_, 'c>,
        (memory, present): (Value<'c>, Present<'c>),
    ) {
        let (_, sums_type) = tile_types(builder, group);
        let zeros = |builder: &Builder<'c>| {
            let zero = |_| amx::tile_zero(builder, sums_type);
            let zeros = self.places().into_iter().map(zero);
            zeros.collect::<Vec<_>>()
        };
        if !self.has_whole_tiles() {
            let sums = self.multiply(builder, group, range, &zeros(builder));
            for ((row, column), sums) in self.places().into_iter().zip(sums) {
                let place = [row, column].map(|index| index::constant(builder, index));
                let [row, column] = place;
                amx::tile_store(builder, memory, &[row, column], sums);
            }
            return self.write_back_rows(builder, memory, present);
        }
        let result = self.matmul.access(RESULT);
        let view = result.view(builder);
        let row_stride = self.matmul.m.map_or(0, |m| result.stride(m));
        let row_stride = index::constant(builder, row_stride);
        let mut places = Vec::new();
        for (row, column) in self.places() {
            let mut ivs = self.ivs.to_vec();
            if let Some(m) = self.matmul.m {
                ivs[m] = index::add(builder, self.row, row);
            }
            ivs[self.matmul.n] = index::add(builder, self.column, column);
            places.push(result.indices_at(builder, &ivs));
        }
        let load = |builder: &Builder<'c>| {
            let load = |place: &Vec<Value<'c>>| {
                amx::TileLoadOp::build(builder, view, place, sums_type)
                    .stride(row_stride)
                    .value()
            };
            places.iter().map(load).collect::<Vec<_>>()
        };
        let initial = match present {
            Present::Overwritten => zeros(builder),
            Present::Added => load(builder),
            Present::Unless(is_first) => scf::if_else(builder, is_first, zeros, load).results(),
        };
        let sums = self.multiply(builder, group, range, &initial);
        for (place, sums) in places.iter().zip(sums) {
            amx::TileStoreOp::build(builder, view, place, sums).stride(row_stride).insert();
        }
    }

    /// Whether the result consists of whole kernel tiles of the accumulator type.
    fn has_whole_tiles(&self) -> bool {
        self.matmul.has_whole_tiles(self.tile.rows)
            && self.tile.columns == self.tile.width()
            && !self.matmul.contraction.is_promoted()
    }

    /// The first row and column of each accumulator tile in the kernel's tile.
    fn places(&self) -> Vec<(i64, i64)> {
        let rows = (0..self.tile.rows).step_by(SIZE as usize);
        let columns = (0..self.tile.width()).step_by(SIZE as usize);
        rows.flat_map(|row| columns.clone().map(move |column| (row, column))).collect()
    }

    /// Adds the products of a range of k to the accumulator tiles.
    fn multiply(
        &self,
        builder: &Builder<'c>,
        group: Group,
        (lhs, rhs, length): Range<'_, 'c>,
        initial: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let (tile_type, _) = tile_types(builder, group);
        let places = self.places();
        let bounds = (0, length, SIZE);
        scf::for_(builder, bounds, initial, |builder, step, carried| {
            let lhs_k = index::add(builder, lhs.first, step);
            let rhs_k = index::add(builder, rhs.first, step);
            // Each operand tile is loaded once, before its first use.
            let (mut rows, mut columns) = (BTreeMap::new(), BTreeMap::new());
            let load = |tiles: &mut BTreeMap<i64, Value<'c>>, place, memref, indices: &[_]| {
                if let Some(tile) = tiles.get(&place) {
                    return *tile;
                }
                let tile = amx::tile_load(builder, memref, indices, tile_type);
                tiles.insert(place, tile);
                tile
            };
            let mut sums = Vec::new();
            for ((row, column), sum) in places.iter().zip(carried) {
                let row_at = index::constant(builder, *row);
                let at = [lhs.panel, &[row_at, lhs_k]].concat();
                let lhs = load(&mut rows, *row, lhs.memref, &at);
                let column_at = index::constant(builder, *column);
                let at = [rhs.panel, &[rhs_k, column_at]].concat();
                let rhs = load(&mut columns, *column, rhs.memref, &at);
                sums.push(group.add(builder, [lhs, rhs], *sum));
            }
            sums
        })
        .results()
    }
}
