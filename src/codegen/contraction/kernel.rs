//! The micro-kernel of a contraction: a tile of the result in vector registers.
//!
//! A tile has `rows` rows of `vectors` vectors. For each k the kernel loads one row of rhs into
//! `vectors` registers, broadcasts the elements of lhs in turn, and multiplies and adds. The loop
//! over k carries each accumulator separately, so that LLVM keeps it in a register.

mod by_element;
mod groups;
mod outer_products;
mod squares;
mod tiles;

use super::{
    matmul::Matmul,
    plan::Tile,
    shape::Lines,
    vectors::{constant_mask, load_vector, multiply_add, store_vector, zero_vector},
};
use crate::loops::prelude::*;
use halo_ir::prelude::*;

/// The source of lhs or rhs.
pub enum Source<'c> {
    /// Packed by [`super::pack`], with the panel's indices and the first k of the packed range.
    Packed {
        memref: Value<'c>,
        panel: Vec<Value<'c>>,
        first_k: Option<Value<'c>>,
    },
    /// Unpacked, at the tile's position.
    Direct,
}

/// The position of an element of lhs along k.
#[derive(Clone, Copy)]
enum Place<'c> {
    /// At an index.
    At(Value<'c>),
    /// In a line of the panel, at an offset from the start of the row.
    InLine(Lines, Value<'c>, Value<'c>),
}

/// One tile.
pub struct MicroKernel<'a, 'c> {
    pub matmul: &'a Matmul<'c>,
    pub tile: Tile,
    /// The loop indices of the nest; only the batch indices are used.
    pub ivs: &'a [Value<'c>],
    /// The row and the column of the tile.
    pub row: Value<'c>,
    pub column: Value<'c>,
    /// Whether packed lhs has rows along k.
    pub has_lhs_rows: bool,
    /// Whether packed rows of lhs store the numbers of groups contiguously.
    pub has_lhs_numbers: bool,
    /// Whether vectors are SVE registers.
    pub sve: bool,
    /// Whether columns of the tile may be out of bounds, and must not be stored.
    pub has_masked_edge: bool,
    /// A divisor of the length of each range of k.
    pub divisor: i64,
    pub lhs: Source<'c>,
    pub rhs: Source<'c>,
}

impl<'c> MicroKernel<'_, 'c> {
    /// The accumulators after a range of k, row by row.
    pub fn accumulate(
        &self,
        builder: &Builder<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
    ) -> Vec<Value<'c>> {
        let Tile {
            rows,
            vectors,
            lanes,
            ..
        } = self.tile;
        let zero = zero_vector(builder, self.matmul.accumulator(), lanes);
        let (mut lower, mut initial) = (lower, vec![zero; (rows * vectors) as usize]);
        if let Some(units) = self.units() {
            (initial, lower) = self.accumulate_by_element(builder, units, (lower, upper));
            if lower == upper {
                return initial;
            }
        }
        let lhs_rows = self.lhs_rows(builder);
        let multiply = |builder: &Builder<'c>, k, place: Place<'c>, carried: &[Value<'c>]| {
            let mut rhs_row = Vec::new();
            for vector in 0..vectors {
                rhs_row.push(self.load_rhs(builder, k, vector));
            }
            let mut next = Vec::new();
            for (number, row) in lhs_rows.iter().enumerate() {
                let element = self.load_lhs(builder, place, number as i64, *row);
                let ty = vector_type(&[lanes], self.matmul.accumulator());
                let spread = vector::broadcast(builder, element, ty);
                for (vector, rhs) in rhs_row.iter().enumerate() {
                    let sum = carried[number * vectors as usize + vector];
                    next.push(multiply_add(builder, spread, *rhs, sum));
                }
            }
            next
        };
        let step = index::constant(builder, 1);
        let Some((lines, first_k)) = self.lines() else {
            // The loop counts in the index of lhs: if that is a difference in the loop, LLVM loads
            // the elements of all rows first, and spills sums.
            let first = match self.lhs {
                Source::Packed { first_k, .. } => first_k,
                Source::Direct => None,
            };
            let [start, end] = [lower, upper].map(|k| relative(builder, k, first));
            let range = (start, end, step);
            return scf::for_(builder, range, &initial, |builder, k, carried| {
                let k = first.map_or(k, |first| index::add(builder, first, k));
                multiply(builder, k, Place::At(k), carried)
            })
            .results();
        };
        let run = index::constant(builder, lines.run());
        let range = (lower, upper, run);
        scf::for_(builder, range, &initial, |builder, first, carried| {
            let offset = relative(builder, first, first_k);
            let line = index::div(builder, offset, run);
            let in_line = (index::constant(builder, 0), run, step);
            scf::for_(builder, in_line, carried, |builder, offset, carried| {
                let k = index::add(builder, first, offset);
                multiply(builder, k, Place::InLine(lines, line, offset), carried)
            })
            .results()
        })
        .results()
    }

    /// The lines in which lhs is packed, and their first k.
    fn lines(&self) -> Option<(Lines, Option<Value<'c>>)> {
        let Source::Packed { first_k, .. } = self.lhs else {
            return None;
        };
        let patches = self.matmul.patches.as_ref()?;
        Some((patches.lines(self.tile.rows)?, first_k))
    }

    /// The row of lhs for each row of the tile. At the lower edge, the last row replaces
    /// out-of-bounds rows.
    fn lhs_rows(&self, builder: &Builder<'c>) -> Vec<Value<'c>> {
        (0..self.tile.rows)
            .map(|number| row_of(builder, self.matmul, self.row, number, self.tile.rows))
            .collect()
    }

    fn load_lhs(
        &self,
        builder: &Builder<'c>,
        place: Place<'c>,
        number: i64,
        row: Value<'c>,
    ) -> Value<'c> {
        match (&self.lhs, place) {
            (Source::Packed { memref, panel, .. }, Place::InLine(lines, line, offset)) => {
                let at = index::add(builder, lines.start(number), offset);
                memref::load(builder, *memref, &[&panel[..], &[line, at]].concat())
            }
            (
                Source::Packed {
                    memref,
                    panel,
                    first_k,
                },
                Place::At(k),
            ) => {
                let k = relative(builder, k, *first_k);
                let lane = index::constant(builder, number);
                let inner = if self.has_lhs_rows {
                    [lane, k]
                } else {
                    [k, lane]
                };
                let indices = [&panel[..], &inner].concat();
                memref::load(builder, *memref, &indices)
            }
            (Source::Direct, Place::At(k) | Place::InLine(_, _, k)) => {
                let mut ivs = self.ivs.to_vec();
                ivs[self.matmul.k] = k;
                if let Some(m) = self.matmul.m {
                    ivs[m] = row;
                }
                self.matmul.load(builder, LHS, &ivs)
            }
        }
    }

    fn load_rhs(&self, builder: &Builder<'c>, k: Value<'c>, vector: i64) -> Value<'c> {
        let lanes = self.tile.lanes;
        let offset = index::constant(builder, vector * lanes);
        match &self.rhs {
            Source::Packed {
                memref,
                panel,
                first_k,
            } => {
                let mut indices = panel.clone();
                indices.push(relative(builder, k, *first_k));
                indices.push(offset);
                load_vector(builder, *memref, &indices, lanes, None)
            }
            Source::Direct => {
                let mut ivs = self.ivs.to_vec();
                ivs[self.matmul.k] = k;
                ivs[self.matmul.n] = index::add(builder, self.column, offset);
                let mask = edge_mask(builder, self.tile, vector);
                self.matmul.load_vector(builder, RHS, &ivs, lanes, mask)
            }
        }
    }

    /// Adds the accumulators to the result, or stores them there.
    pub fn write_back(
        &self,
        builder: &Builder<'c>,
        accumulators: &[Value<'c>],
        present: Present<'c>,
    ) {
        let masks = &self.masks(builder)[..];
        // Out-of-bounds rows repeat the last row, so they may be stored there.
        let are_repeated = matches!(present, Present::Overwritten) && self.repeats_last_row();
        for number in 0..self.tile.rows {
            let vectors = self.tile.vectors as usize;
            let first = number as usize * vectors;
            let values = &accumulators[first..first + vectors];
            if self.matmul.has_whole_tiles(self.tile.rows) || number == 0 || are_repeated {
                let row = row_of(builder, self.matmul, self.row, number, self.tile.rows);
                self.write_row(builder, (row, masks), values, present);
                continue;
            }
            let row = index::add(builder, self.row, number);
            let rows = self.matmul.row_count(builder);
            let inside = index::compare(builder, CmpIPredicate::Slt, row, rows);
            scf::if_(builder, inside, |builder| {
                self.write_row(builder, (row, masks), values, present)
            });
        }
    }

    /// Whether the last row of lhs replaces out-of-bounds rows. Packing stores zeros there instead
    /// if it copies vectors across rows.
    fn repeats_last_row(&self) -> bool {
        let is_across = |m: usize| self.matmul.is_contiguous(LHS, m);
        matches!(self.lhs, Source::Direct) || !self.matmul.m.is_some_and(is_across)
    }

    /// Stores accumulators, starting at a row of the tile, in a buffer of the tile's shape.
    pub fn store_sums(
        &self,
        builder: &Builder<'c>,
        accumulators: &[Value<'c>],
        (memory, first_row): (Value<'c>, Value<'c>),
    ) {
        let Tile { vectors, lanes, .. } = self.tile;
        for (number, value) in accumulators.iter().enumerate() {
            let number = number as i64;
            let row = index::constant(builder, number / vectors);
            let row = index::add(builder, first_row, row);
            let column = index::constant(builder, number % vectors * lanes);
            store_vector(builder, *value, memory, &[row, column], None);
        }
    }

    /// Adds the accumulators in a buffer to the result, or stores them there, in a loop over rows.
    ///
    /// The L1 accesses are few compared to a range of k, and the code is a fifth of the unrolled
    /// code for all rows.
    pub fn write_back_rows(&self, builder: &Builder<'c>, memory: Value<'c>, present: Present<'c>) {
        let Tile { vectors, lanes, .. } = self.tile;
        let mut count = index::constant(builder, self.tile.rows);
        if !self.matmul.has_whole_tiles(self.tile.rows) {
            let left = index::sub(builder, self.matmul.row_count(builder), self.row);
            count = arith::minsi(builder, count, left);
        }
        let masks = &self.masks(builder)[..];
        scf::for_each(builder, (0, count, 1), |builder, number| {
            let values = (0..vectors).map(|vector| {
                let column = index::constant(builder, vector * lanes);
                load_vector(builder, memory, &[number, column], lanes, None)
            });
            let values = values.collect::<Vec<_>>();
            let row = index::add(builder, self.row, number);
            self.write_row(builder, (row, masks), &values, present);
        })
    }

    /// Prefetches the tile's elements of the result, which the sums are added to.
    pub fn prefetch_result(&self, builder: &Builder<'c>) {
        let result = self.matmul.access(RESULT);
        let memref = result.view(builder);
        let Tile {
            rows,
            vectors,
            lanes,
            ..
        } = self.tile;
        let line = self.matmul.stored_in_line(RESULT);
        for number in 0..rows {
            let mut ivs = self.ivs.to_vec();
            if let Some(m) = self.matmul.m {
                ivs[m] = row_of(builder, self.matmul, self.row, number, rows);
            }
            for offset in (0..vectors * lanes).step_by(line as usize) {
                ivs[self.matmul.n] = index::add(builder, self.column, offset);
                let indices = result.indices_at(builder, &ivs);
                memref::prefetch(builder, memref, &indices, true, 3, true);
            }
        }
    }

    /// The masks of the vectors of a row that are partly out of bounds.
    pub(super) fn masks(&self, builder: &Builder<'c>) -> Vec<Option<Value<'c>>> {
        let Tile { vectors, lanes, .. } = self.tile;
        let mask = |vector: i64| {
            if !self.has_masked_edge {
                return edge_mask(builder, self.tile, vector);
            }
            let first = index::constant(builder, vector * lanes);
            let first = index::add(builder, self.column, first);
            let columns = self.matmul.columns();
            let mut left = index::sub(builder, columns, first);
            // The lowering of masks compares in 32 bits.
            if i32::try_from(columns).is_err() {
                left = index::min(builder, left, lanes);
            }
            let i1 = halo_ir::integer_type(builder.context(), 1);
            Some(vector::create_mask(
                builder,
                &[left],
                vector_type(&[lanes], i1),
            ))
        };
        (0..vectors).map(mask).collect()
    }

    pub(super) fn write_row(
        &self,
        builder: &Builder<'c>,
        (row, masks): (Value<'c>, &[Option<Value<'c>>]),
        values: &[Value<'c>],
        present: Present<'c>,
    ) {
        let result = self.matmul.access(RESULT);
        let memref = result.view(builder);
        let is_float = self.matmul.accumulator().is_float();
        let mut ivs = self.ivs.to_vec();
        if let Some(m) = self.matmul.m {
            ivs[m] = row;
        }
        let mut places = Vec::new();
        for (number, mask) in (0..values.len() as i64).zip(masks) {
            ivs[self.matmul.n] = index::add(builder, self.column, number * self.tile.lanes);
            places.push((result.indices_at(builder, &ivs), *mask));
        }
        let present = match present {
            Present::Overwritten => None,
            Present::Added => Some(self.load_row(builder, memref, &places)),
            Present::Unless(is_first) => {
                // The neutral value: -0.0 for floats, so that negative zeros are kept.
                let nothing = |builder: &Builder<'c>| {
                    let of = |value: &Value<'c>| {
                        if is_float {
                            arith::constant(builder, value.ty(), -0.0)
                        } else {
                            arith::constant(builder, value.ty(), 0)
                        }
                    };
                    values.iter().map(of).collect::<Vec<_>>()
                };
                let row = |builder: &Builder<'c>| self.load_row(builder, memref, &places);
                Some(scf::if_else(builder, is_first, nothing, row).results())
            }
        };
        for (number, (value, (indices, mask))) in values.iter().zip(&places).enumerate() {
            let mut sum = *value;
            if let Some(present) = present.as_ref().and_then(|row| row.get(number)) {
                sum = if is_float {
                    arith::addf(builder, *present, sum)
                } else {
                    arith::addi(builder, *present, sum)
                };
            }
            if self.matmul.contraction.is_promoted() {
                let narrow = vector_type(&[self.tile.lanes], memref.ty().element_type());
                sum = arith::truncf(builder, sum, narrow);
            }
            store_vector(builder, sum, memref, indices, *mask);
        }
    }

    /// Loads vectors of the result in the accumulator type.
    fn load_row(
        &self,
        builder: &Builder<'c>,
        memref: Value<'c>,
        places: &[(Vec<Value<'c>>, Option<Value<'c>>)],
    ) -> Vec<Value<'c>> {
        let lanes = self.tile.lanes;
        let load = |(indices, mask): &(Vec<Value<'c>>, Option<Value<'c>>)| {
            let present = load_vector(builder, memref, indices, lanes, *mask);
            if !self.matmul.contraction.is_promoted() {
                return present;
            }
            let wide = vector_type(&[lanes], self.matmul.accumulator());
            arith::extf(builder, present, wide)
        };
        places.iter().map(load).collect()
    }
}

/// The treatment of the present elements of the result.
#[derive(Clone, Copy)]
pub enum Present<'c> {
    /// The sums overwrite them.
    Overwritten,
    /// The sums are added to them.
    Added,
    /// The sums overwrite them if the condition holds; otherwise they are added.
    Unless(Value<'c>),
}

fn relative<'c>(builder: &Builder<'c>, k: Value<'c>, first: Option<Value<'c>>) -> Value<'c> {
    first.map_or(k, |first| index::sub(builder, k, first))
}

/// The mask of a vector of a tile that is partly out of bounds.
fn edge_mask<'c>(builder: &Builder<'c>, tile: Tile, vector: i64) -> Option<Value<'c>> {
    let left = tile.columns - vector * tile.lanes;
    (left < tile.lanes).then(|| constant_mask(builder, left.max(0), tile.lanes))
}

/// The row index of a tile, clamped to the result if the tile may be out of bounds.
pub fn row_of<'c>(
    builder: &Builder<'c>,
    matmul: &Matmul<'c>,
    first: Value<'c>,
    number: i64,
    tile_rows: i64,
) -> Value<'c> {
    let row = index::add(builder, first, number);
    if matmul.has_whole_tiles(tile_rows) || number == 0 {
        return row;
    }
    let last = index::sub(builder, matmul.row_count(builder), 1);
    index::min(builder, row, last)
}
