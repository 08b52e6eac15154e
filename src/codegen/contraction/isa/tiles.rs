//! Products of groups by the tiles of AMX.
//!
//! A tile has 16 rows of 64 bytes: 16 groups of lhs or 16 sums, or 16 columns of rhs for each of 16
//! groups along k, as in panels. One instruction multiplies 16 x 16 groups by 16 columns, and four
//! tiles of accumulators need as many tiles of operands:
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
//!
//! `tdpbf16ps` accumulates the first and the second numbers of pairs separately before it adds
//! both, and flushes subnormal numbers as `vdpbf16ps` does ([`super::exponents`]).

use super::{
    Bf16Products, Group, Instruction, Instructions, IntegerProducts, Range, bytes::ByteProduct,
    outer_products,
};
use crate::{
    contraction::{
        kernel::{MicroKernel, Present},
        pack::if_else,
        plan::even_division::ceil_div,
        shape::Shape,
        vectors::zero_vector,
    },
    loops::prelude::*,
};
use halo_ir::{ops::amx, prelude::*};
use std::collections::BTreeMap;

/// Rows of a tile, and groups or sums per row.
const SIZE: i64 = 16;
/// Rows per step of the exact computation, which replaces tiles that would flush sums.
const EXACT_ROWS: i64 = 8;

/// The rows and vectors of the kernel's tile for a part of the result of the given size.
pub fn shape(rows: i64, columns: i64) -> (i64, i64) {
    let tiles = |size: i64| ceil_div(size, SIZE).min(2);
    (SIZE * tiles(rows), tiles(columns))
}

/// The numbers along k of a tile of groups.
pub fn numbers_along_k(group: Group) -> i64 {
    SIZE * group.size()
}

/// Matrix tiles that hold the accumulators instead of vector registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixTiles {
    /// The tiles of AMX.
    Amx,
    /// The tiles of SME.
    Sme,
}

impl MatrixTiles {
    /// The tiles for a matrix product, and their groups, if they do not multiply single numbers.
    pub fn of(
        shape: &Shape,
        instructions: Instructions,
        lanes: i64,
    ) -> Option<(Self, Option<Group>)> {
        let groups = Group::of_tiles(shape, instructions, lanes);
        let of_amx = groups.map(|group| (Self::Amx, Some(group)));
        let of_sme = outer_products::elements(shape, instructions);
        of_amx.or_else(|| of_sme.map(|group| (Self::Sme, group)))
    }
}

impl Group {
    /// The groups of a matrix product that AMX tiles multiply.
    pub fn of_tiles(shape: &Shape, instructions: Instructions, lanes: i64) -> Option<Self> {
        if lanes != SIZE {
            return None;
        }
        let bf16 = Self::bf16_pair(shape, lanes)
            .filter(|_| instructions.bf16_products == Bf16Products::Amx);
        let bytes = shape
            .signs_of_integers(8)
            .filter(|_| instructions.integer_products == IntegerProducts::Amx)
            .map(|signs| Self::ByteQuad(ByteProduct::of_tiles(signs)));
        // Ranges of k are whole runs of a convolution's patches, and whole tiles.
        bf16.or(bytes).filter(|group| {
            let numbers = numbers_along_k(*group);
            shape.depth % numbers == 0 && shape.has_groups_of(numbers)
        })
    }

    /// The types of operand tiles and of accumulator tiles.
    fn tile_types<'c>(self, builder: &Builder<'c>) -> (Type<'c>, Type<'c>) {
        let (number, sum) = match self {
            Self::Bf16Pair => ("bf16", "f32"),
            Self::ByteQuad(_) => ("i8", "i32"),
            _ => {
                bug("no tile has such numbers");
            }
        };
        let parse = |columns: i64, element: &str| {
            let text = format!("!amx.tile<{SIZE}x{columns}x{element}>");
            Type::parse(builder.context(), &text)
                .unwrap_or_else(|| bug("the type of a tile is not known"))
        };
        (parse(SIZE * self.size(), number), parse(SIZE, sum))
    }
}

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
        if group != Group::Bf16Pair {
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
            let from_zero = (Instruction::MultiplyAdd(group), zeros, 1);
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
        let (_, sums_type) = group.tile_types(builder);
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
        self.matmul.rows() % self.tile.rows == 0
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
        let (tile_type, sums_type) = group.tile_types(builder);
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
                sums.push(match group {
                    Group::ByteQuad(product) => {
                        let [is_lhs_signed, is_rhs_signed] = product.is_signed();
                        amx::TileMulIOp::build(builder, lhs, rhs, *sum, sums_type)
                            .is_zext_lhs(!is_lhs_signed)
                            .is_zext_rhs(!is_rhs_signed)
                            .value()
                    }
                    _ => amx::tile_mulf(builder, lhs, rhs, *sum, sums_type),
                });
            }
            sums
        })
        .results()
    }
}
