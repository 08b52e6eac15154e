//! The tiling of a contraction for CPUs: register tiles, blocks for tasks, and
//! packed operands.

use super::{matmul::Matmul, micro_kernel::Tile};
use crate::loops::contraction::{RESULT, RHS};
use halo_ir::{FloatKind, bits_of, float_kind};

/// Smaller contractions, in multiplications, are lowered to plain loops.
pub const SMALL: i64 = 4096;
/// Minimum rows of the result per task, if there are as many.
const BLOCK_ROWS: i64 = 128;
/// The longest range of k that is summed up at once.
const BLOCK_K: i64 = 512;
/// Up to this number of rows, rhs is streamed.
const STREAMED_ROWS: i64 = 8;
/// The minimum number of tasks.
const TASKS: i64 = 16;
/// The tiling of a contraction.
#[derive(Clone, Copy, Debug)]
pub struct Tiling {
    pub tile: Tile,
    /// Elements of k per pass.
    pub block_k: i64,
    /// Tiles of a block of the result along m.
    pub block_rows: i64,
    /// Whole tiles of a block of the result along n.
    pub block_columns: i64,
    pub pack_lhs: bool,
    pub pack_rhs: Packing,
}

/// The packing of rhs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// None: rhs is read directly.
    None,
    /// By the task that reads it, a panel at a time, in scratch that stays in
    /// the cache: for panels that no other task reads.
    InTask,
    /// Before all tasks, as a whole.
    Whole,
}

impl Tiling {
    /// The tiling for vectors of a number of bits; `None` if plain loops are as
    /// fast.
    pub fn of(matmul: &Matmul, bits: i64) -> Option<Self> {
        let (rows, columns, depth) = (matmul.rows(), matmul.columns(), matmul.depth());
        let work = rows.saturating_mul(columns).saturating_mul(depth);
        if matmul.batch_size() == 0 || work < SMALL {
            return None;
        }
        let has_rhs_rows = matmul.is_contiguous(RHS, matmul.n);
        if rows == 1 && !has_rhs_rows {
            return None;
        }
        let register = bits / i64::from(bits_of(matmul.accumulator())?);
        let lanes = register.min((columns as u64).next_power_of_two() as i64);
        let wide = bits == 512;
        let registers = if wide { 16 } else { 12 };
        let needed = (columns + lanes - 1) / lanes;
        // Few rows leave registers for more columns.
        let most_rows = if wide { 8 } else { 4 };
        let tile_rows = rows.min(most_rows);
        let vectors = (registers / tile_rows).min(needed).min(8);
        let tile = Tile {
            rows: tile_rows,
            vectors,
            lanes,
            columns: vectors * lanes,
        };
        let pack_lhs = rows > tile_rows && columns > 2 * tile.columns;
        let narrow = matches!(
            float_kind(matmul.contraction.operands[RESULT].element()),
            Some(FloatKind::BF16 | FloatKind::F16)
        );
        // Sums that would be rounded between the blocks are computed in one.
        let blocks = if narrow {
            1
        } else {
            (depth + BLOCK_K - 1) / BLOCK_K
        };
        let block_k = (((depth + blocks - 1) / blocks + 15) / 16 * 16).min(depth);
        let panels = (rows + tile_rows - 1) / tile_rows;
        let block_rows = (BLOCK_ROWS / tile_rows).clamp(1, panels);
        let row_blocks = (panels + block_rows - 1) / block_rows;
        let pack_rhs = if has_rhs_rows && rows <= STREAMED_ROWS {
            Packing::None
        } else if row_blocks == 1 {
            Packing::InTask
        } else {
            Packing::Whole
        };
        let whole = columns / tile.columns;
        let wanted = (TASKS + row_blocks - 1) / row_blocks;
        let least = (256 / tile.columns).max(1);
        let block_columns = ((whole + wanted - 1) / wanted).max(least).min(whole.max(1));
        Some(Self {
            tile,
            block_k,
            block_rows,
            block_columns,
            pack_lhs,
            pack_rhs,
        })
    }
}
