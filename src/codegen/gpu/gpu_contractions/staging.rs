//! Copies of tiles of lhs and rhs to workgroup memory.
//!
//! A tile has the layout of its operand: rows run along k if the operand is contiguous along k,
//! else along m or n. Rows consist of chunks of 16 bytes, the unit of copies and of `ldmatrix`. The
//! threads of a warp read the same chunk of several rows at once; unswizzled chunks would conflict
//! in the memory banks. Therefore the index of a chunk is xored with a key of its row.
//!
//! Elements outside the operand become zero, so that kernels multiply whole tiles, and read images
//! without padding.

use super::{
    super::buffers::{both, copy_async},
    addresses::Spot,
};
use crate::loops::prelude::*;
use halo_ir::prelude::*;

/// The access pattern of threads on a tile in workgroup memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Chunks of 8 rows at once.
    Chunks,
    /// Pairs of chunks of 4 rows at once.
    ChunkPairs,
}

/// A tile of lhs or rhs, and its copy to workgroup memory.
#[derive(Clone, Debug)]
pub struct Staging<'c> {
    pub operand: usize,
    /// The group of loops that the operand shares with the result: m or n.
    pub outer: Group,
    pub element: Type<'c>,
    /// True if the rows of the tile run along k.
    pub along_k: bool,
    pub rows: i64,
    pub columns: i64,
    /// Elements of a chunk.
    pub chunk: i64,
    /// Elements per copy.
    pub width: i64,
    pub threads: i64,
    pub reader: Reader,
}

/// The address terms that are invariant along k.
pub struct Fixed<'c> {
    /// For each unit that the thread copies: the offset along the outer group with its bounds
    /// check, the bounded indices of the operand, the index along k in a tile and in workgroup
    /// memory, and the condition that the unit exists.
    units: Vec<Unit<'c>>,
}

struct Unit<'c> {
    outer: Value<'c>,
    is_inside: Option<Value<'c>>,
    bounded: Vec<Value<'c>>,
    along_k: Value<'c>,
    tile_offset: Value<'c>,
    exists: Option<Value<'c>>,
}

impl<'c> Staging<'c> {
    /// The staging of tiles of `outer_size` by `k_size`.
    pub fn new(
        contraction: &Contraction<'c>,
        (operand, outer): (usize, Group),
        (outer_size, k_size): (i64, i64),
        threads: i64,
    ) -> Self {
        let element = contraction.operands[operand].element();
        let bytes = i64::from(element.bit_width().unwrap_or(8).div_ceil(8));
        // Tiles may be narrower than 16 elements of a byte.
        let chunk = (16 / bytes).clamp(1, outer_size.min(k_size));
        let of_outer = contraction.run_length(operand, outer, chunk);
        let of_k = contraction.run_length(operand, Group::K, chunk);
        let is_contiguous = |group: Group| {
            let innermost = contraction.loops(group).last();
            innermost.is_some_and(|l| l.strides[operand] == 1)
        };
        // Adjacent threads should read adjacent elements even for copies of single elements.
        let along_k = if of_outer == of_k {
            !is_contiguous(outer)
        } else {
            of_k > of_outer
        };
        let (rows, columns) = if along_k {
            (outer_size, k_size)
        } else {
            (k_size, outer_size)
        };
        let reader = match bytes {
            4.. if !along_k => Reader::ChunkPairs,
            _ => Reader::Chunks,
        };
        Self {
            operand,
            outer,
            element,
            along_k,
            rows,
            columns,
            chunk,
            width: if along_k { of_k } else { of_outer },
            threads,
            reader,
        }
    }

    /// The elements of a tile.
    pub fn elements(&self) -> i64 {
        self.rows * self.columns
    }

    /// Whether copies are asynchronous: copies of 4, 8 or 16 bytes.
    pub fn is_async(&self) -> bool {
        let bytes = i64::from(self.element.bit_width().unwrap_or(8).div_ceil(8));
        matches!(bytes * self.width, 4 | 8 | 16)
    }

    /// The index of an element in a tile, by row and column.
    pub fn tile_index(
        &self,
        builder: &Builder<'c>,
        row: Value<'c>,
        column: Value<'c>,
    ) -> Value<'c> {
        let start = index::mul(builder, row, self.columns);
        let key = self.key(builder, row);
        let (chunk, inside) = index::divide(builder, column, self.chunk);
        let chunk = arith::xori(builder, chunk, key);
        let chunk = index::mul(builder, chunk, self.chunk);
        let chunk_start = index::add(builder, start, chunk);
        index::add(builder, chunk_start, inside)
    }

    /// The swizzle of a row.
    fn key(&self, builder: &Builder<'c>, row: Value<'c>) -> Value<'c> {
        let chunks = self.columns / self.chunk;
        // The number of rows that fit in one line of all banks.
        let beside = (8 / chunks).max(1);
        let (row, _) = index::divide(builder, row, beside);
        let (keys, step) = match self.reader {
            Reader::Chunks => (chunks.min(8), 1),
            Reader::ChunkPairs => ((chunks / 2).clamp(1, 4), 2),
        };
        let (_, key) = index::divide(builder, row, keys);
        if keys == 1 {
            return key;
        }
        index::mul(builder, key, step)
    }

    /// The addresses of the units that a thread copies, for the tile whose outer indices start at
    /// `origin`.
    pub fn fix(
        &self,
        builder: &Builder<'c>,
        contraction: &Contraction<'c>,
        (batch, origin): (&Spot<'c>, Value<'c>),
        thread: Value<'c>,
    ) -> Fixed<'c> {
        let base = contraction.base(builder, self.operand, batch);
        let bounded = contraction.bounded_indices(builder, self.operand, batch);
        let in_row = self.columns / self.width;
        let total = self.rows * in_row;
        let outer_tile = if self.along_k {
            self.rows
        } else {
            self.columns
        };
        let is_ragged = contraction.size(self.outer) % outer_tile != 0;
        let mut units = Vec::new();
        let mut last: Option<(Value, Option<Value>, Vec<Value>)> = None;
        for number in 0..(total + self.threads - 1) / self.threads {
            let (row, column) = if self.threads % in_row == 0 {
                let (row, column) = index::divide(builder, thread, in_row);
                (
                    index::add(builder, row, number * (self.threads / in_row)),
                    column,
                )
            } else {
                let unit = index::add(builder, thread, number * self.threads);
                index::divide(builder, unit, in_row)
            };
            let exists = ((number + 1) * self.threads > total).then(|| {
                let unit = index::add(builder, thread, number * self.threads);
                index::below(builder, unit, total)
            });
            let column = index::mul(builder, column, self.width);
            let tile_offset = self.tile_index(builder, row, column);
            let (outer, along_k) = if self.along_k {
                (row, column)
            } else {
                (column, row)
            };
            // If all units of a thread have one column, they share one address.
            let shared = !self.along_k && self.threads % in_row == 0;
            let (offset, is_inside, bounded) = match last {
                Some(same) if shared => same,
                _ => {
                    let number = index::add(builder, origin, outer);
                    let spot = contraction.spot(builder, self.outer, number, is_ragged);
                    let offset = contraction.offset(builder, self.operand, self.outer, &spot);
                    let steps = contraction.steps(builder, self.operand, self.outer, &spot);
                    let bounded = bounded
                        .iter()
                        .zip(steps)
                        .map(|(start, step)| index::add(builder, *start, step))
                        .collect::<Vec<_>>();
                    let offset = index::add(builder, base, offset);
                    (offset, spot.is_inside, bounded)
                }
            };
            last = Some((offset, is_inside, bounded.clone()));
            units.push(Unit {
                outer: offset,
                is_inside,
                bounded,
                along_k,
                tile_offset,
                exists,
            });
        }
        Fixed { units }
    }

    /// Copies the tile at an index along k to a slot of workgroup memory. The copies complete with
    /// their group.
    pub fn bring(
        &self,
        builder: &Builder<'c>,
        contraction: &Contraction<'c>,
        fixed: &Fixed<'c>,
        (source, target): (Value<'c>, Value<'c>),
        (start, slot): (Value<'c>, Value<'c>),
    ) {
        let k_tile = if self.along_k {
            self.columns
        } else {
            self.rows
        };
        let is_ragged = contraction.size(Group::K) % k_tile != 0;
        let in_row = self.columns / self.width;
        let shared = self.along_k && self.threads % in_row == 0;
        let zero = index::constant(builder, 0);
        let mut same: Option<(Value, Option<Value>, Vec<Value>)> = None;
        let mut stores = Vec::new();
        for unit in &fixed.units {
            let (offset, is_inside, steps) = match same {
                Some(same) if shared => same,
                _ => {
                    let number = index::add(builder, start, unit.along_k);
                    let spot: Spot = contraction.spot(builder, Group::K, number, is_ragged);
                    let offset = contraction.offset(builder, self.operand, Group::K, &spot);
                    let steps = contraction.steps(builder, self.operand, Group::K, &spot);
                    (offset, spot.is_inside, steps)
                }
            };
            let mut from = index::add(builder, unit.outer, offset);
            let is_bounded = contraction.is_inside(builder, self.operand, (&unit.bounded, &steps));
            same = Some((offset, is_inside, steps));
            let is_inside = both(builder, unit.is_inside, is_inside);
            let is_inside = both(builder, is_inside, is_bounded);
            // A nonexistent unit must not read.
            let is_readable = both(builder, unit.exists, is_inside);
            if let Some(is_readable) = is_readable {
                from = arith::select(builder, is_readable, from, zero);
            }
            let to = index::add(builder, slot, unit.tile_offset);
            if self.is_async() {
                let read = is_inside.map(|is_inside| {
                    let width = index::constant(builder, self.width);
                    arith::select(builder, is_inside, width, zero)
                });
                scf::when(builder, unit.exists, |builder| {
                    copy_async(builder, (source, from), (target, to), self.width, read)
                });
                continue;
            }
            let mut value = vector::load_elements(builder, source, from, self.width);
            if let Some(is_inside) = is_inside {
                let nothing = vector::zeros(builder, self.element, self.width);
                value = arith::select(builder, is_inside, value, nothing);
            }
            stores.push((unit.exists, value, to));
        }
        for (exists, value, to) in stores {
            scf::when(builder, exists, |builder| {
                vector::store_elements(builder, value, target, to, self.width)
            });
        }
    }
}
