//! The tiling of a contraction for CPUs: register tiles, blocks that stay in the
//! caches, and where operands are packed.
//!
//! Packed operands are temporary memory of bounded size. A task packs on its stack: one operand a
//! panel at a time, the other a block at a time, which is multiplied by all these panels. A block
//! that many tasks would pack again is packed before them by all threads, at most 2 MB at a time.
//! With many rows that is rhs, and a task packs a block of lhs, for all of whose rows a panel of rhs
//! stays in the L1 cache.
//!
//! A plan is data: it depends on the [`Shape`] of a product, on the [`Machine`] and on its
//! [`Instructions`](super::isa::Instructions), and contains no IR.
//!
//! Cache sizes, rates and core counts are from the machine model. The constants here are the same
//! for all machines: the reuse that packing needs, the length of sums, and bounds of temporary
//! memory.

use super::{
    isa::{
        MatrixTiles, amx,
        dot::{self, Group},
        neon, sme,
    },
    shape::{Lines, Shape},
};
use crate::{
    bufferize::buffer_assignment::LARGEST_STACK,
    loops::prelude::{LHS, RESULT, RHS},
};
use accumulators::{Sums, is_nearly_multiple, prefers_two_vectors};
use even_division::{ceil_div, least_tasks, part_length};
use halo_core::machine::Machine;
use halo_ir::FloatKind;
use num_integer::{gcd, lcm};

mod accumulators;
mod choices;
pub mod even_division;
mod small_tiles;

pub use choices::{Knob, Loops, Plan, Plans, Product};

/// Smaller contractions, in multiplications, are lowered to plain loops.
pub const SMALL: i64 = 4096;
/// Up to this number of rows each task reads all of them, if there are enough columns.
const BLOCK_ROWS: i64 = 128;
/// The same, if all of them stay in half of the L2 cache.
const CACHED_ROWS: i64 = 512;
/// Minimum rows of the result per task, if each packs the columns.
const PACKED_ROWS: i64 = 64;
/// Minimum columns of the result per task, if each reads all of lhs.
const BLOCK_COLUMNS: i64 = 64;
/// The longest range of k that is summed up at once, in elements of panels, and the one of
/// a task that packs both operands.
const BLOCK_K: i64 = 512;
const TASK_BLOCK_K: i64 = 256;
/// Up to this number of rows, rhs is streamed.
pub const STREAMED_ROWS: i64 = 8;
/// The minimum number of products in a batch, and the maximum time of each in nanoseconds of a
/// core. Products are not divided if the batch has at least as many as there are cores.
const BATCH: i64 = 4;
const BATCH_TIME: f64 = 0.5e6;

/// Maximum bytes of a panel in the second cache, of which it takes at most an eighth.
const PANEL: i64 = 64 << 10;
/// Bytes that a task packs on its stack, with a margin below what buffer
/// assignment places there.
const TASK_BYTES: i64 = LARGEST_STACK as i64 - (16 << 10);
/// The longest range of k of a panel that stays in the L1 cache. With longer ones, hardware is late
/// to fetch the next panel.
const HELD_K: i64 = 256;
/// The least panels of lhs that a panel of rhs is held for, if there are as many.
const LEAST_HELD: i64 = 8;
/// Bytes of a block of lhs that every task packs again.
const REPEATED_BYTES: i64 = 32 << 10;
/// Bytes that are packed before the tasks.
pub const SHARED_BYTES: i64 = 2 << 20;
/// The longest range of k that is packed before the tasks.
const SHARED_K: i64 = 2048;

/// The tiling of a contraction.
#[derive(Clone, Copy, Debug)]
pub struct Tiling {
    /// The product.
    pub shape: Shape,
    /// The loops around the tiles.
    pub loops: Loops,
    pub tile: Tile,
    /// The depth, including the padding of the last group.
    pub depth: i64,
    /// Elements of k per pass.
    pub block_k: i64,
    /// Tiles of a block of the result along m and along n.
    pub block_rows: i64,
    pub block_columns: i64,
    pub lhs: Packing,
    pub rhs: Packing,
    /// The elements of k and the panels that are packed at a time before the tasks.
    pub shared_k: i64,
    pub shared_panels: i64,
    /// The groups along k that are elements of panels; `None` for single numbers.
    pub group: Option<Group>,
    /// The matrix tiles that hold the sums, if any, instead of registers.
    pub matrix_tiles: Option<MatrixTiles>,
    /// Whether panels of lhs store the numbers of groups contiguously, as the operand does: its
    /// runs along k are not whole groups.
    pub has_lhs_numbers: bool,
    /// The number of elements per vector when packing.
    pub packed_lanes: i64,
    /// Whether vectors are SVE registers.
    pub sve: bool,
    /// Whether masked stores are as fast as whole ones.
    pub has_masks: bool,
    /// The minimum number of tasks that pack an operand or compute the result.
    pub least_tasks: i64,
    /// Whether a task computes whole products, so that nothing is shared.
    pub is_whole: bool,
}

/// The shape of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    pub rows: i64,
    pub vectors: i64,
    pub lanes: i64,
    /// The stored columns: fewer than the tile's at the edge of the result.
    pub columns: i64,
}

impl Tile {
    /// The columns of a whole tile.
    pub fn width(&self) -> i64 {
        self.vectors * self.lanes
    }
}

/// Where an operand is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not packed: it is read directly.
    None,
    /// In the task, each panel before it is read.
    Panel,
    /// In the task, all panels of a block.
    Block,
    /// Before the tasks, by all threads.
    Shared,
    /// As a whole, at compile time or before a loop in which it is invariant.
    Invariant,
}

/// The sizes that determine the tiling.
struct Sizes {
    shape: Shape,
    machine: Machine,
    /// Whether the L1 cache holds a panel of rhs rather than one of lhs.
    holds_rhs: bool,
    tile: Tile,
    row_panels: i64,
    column_panels: i64,
    depth: i64,
    /// Bytes of a number of a packed operand, and the numbers along k per element.
    bytes: i64,
    unit: i64,
    /// The size of parts of a run is a multiple of this many numbers along k.
    step: i64,
    /// Whether stored sums are rounded, so that k must not be divided.
    is_rounded: bool,
    /// The length of runs along k: blocks are multiples of runs, or runs are multiples of blocks.
    run: i64,
    /// Whether a block has at least one whole run even if it is long: lines of an image, or runs
    /// that begin at a group boundary.
    has_whole_runs: bool,
    /// The maximum size of a panel of lhs in bytes.
    lhs_panel: i64,
    /// The longest range of k, in elements. It does not depend on the number of cores, so that the
    /// order of sums does not either.
    longest_k: i64,
    /// The longest range of k of a [`Plan`], in place of the model's.
    chosen_k: Option<i64>,
}

impl Sizes {
    /// The length of about equal blocks of k, at most `most`, or the whole depth if it is little
    /// more: each block loads the sums again and adds code.
    fn block_k(&self, most: i64) -> i64 {
        let most = self.chosen_k.unwrap_or(most);
        if self.is_rounded || 4 * self.depth <= 5 * most {
            return self.depth;
        }
        let most = if self.has_whole_runs {
            most.max(self.run)
        } else {
            most.max(16)
        };
        if self.run > most {
            let mut parts = ceil_div(self.run, most)..=self.run;
            let parts = parts.find(|parts| self.run % (parts * self.step) == 0);
            return self.run / parts.unwrap_or(1);
        }
        let blocks = ceil_div(self.depth, most);
        let runs = ceil_div(ceil_div(self.depth, blocks), self.run).min(most / self.run);
        (runs * self.run).min(self.depth)
    }

    /// The longest range of k whose panels are small enough.
    fn most_k(&self) -> i64 {
        (self.longest_k * self.unit)
            .min(self.lhs_panel / (self.tile.rows * self.bytes))
            .min(panel(&self.machine) / (self.tile.columns * self.bytes))
    }

    /// The longest range of k whose panel of rhs stays in the L1 cache.
    fn held_k(&self) -> i64 {
        let most = self.machine.caches[0].share() / (self.tile.columns * self.bytes);
        self.longest_k.min(HELD_K).min(most.max(1))
    }

    /// Whether all rows of lhs, along k, stay in half of the L2 cache: tasks of columns, which read
    /// all of them, are then faster than tasks of both, which need rhs packed before them.
    fn keeps_rows(&self) -> bool {
        let bytes = self.row_panels * self.tile.rows * self.depth * self.bytes;
        let is_few = self.shape.rows <= CACHED_ROWS && bytes <= self.machine.caches[1].share() / 2;
        self.holds_rhs && is_few && self.shape.has_lhs_rows && !self.shape.has_patches(LHS)
    }

    /// The elements of k and the panels of rhs that are packed at a time before the tasks.
    fn shared_columns(&self, block_k: i64) -> (i64, i64) {
        let k = match self.column_panels {
            1 => self.depth,
            _ => whole_blocks(self.depth, SHARED_K.max(block_k), block_k),
        };
        let most = SHARED_BYTES / (k * self.tile.columns * self.bytes);
        (k, even_part(self.column_panels, most.max(1)))
    }

    /// The panels of a task, at most so many and no less than half of that.
    fn block(&self, panels: i64, most: i64) -> i64 {
        part_length(panels, ceil_div(most, 2)..=most, &self.machine)
    }
}

impl Tiling {
    /// The numbers along k per element of a panel: one, or the size of the group.
    pub fn unit(&self) -> i64 {
        dot::unit(self.group)
    }

    /// The elements per group in rows of lhs: one, or its numbers.
    pub fn lhs_elements(&self) -> i64 {
        if self.has_lhs_numbers { self.unit() } else { 1 }
    }

    /// The tiling of a product, by the model or, as far as it chooses, by a plan; `None` if plain
    /// loops are as fast.
    fn of(product: &Product, plan: &Plan) -> Option<Self> {
        let Product {
            ref shape,
            instructions,
            is_nested,
            invariant_bytes,
        } = *product;
        let machine = instructions.machine;
        let bits = machine.vector_bits;
        let Shape {
            rows,
            columns,
            depth,
            batch,
            ..
        } = *shape;
        let work = rows.saturating_mul(columns).saturating_mul(depth);
        if batch == 0 || work < SMALL {
            return None;
        }
        if rows == 1 && !shape.has_rhs_rows {
            return None;
        }
        let element_bits = shape.accumulator.bits?;
        let lanes = shape.lanes(bits)?;
        // With few rows, operands are read without packing.
        let is_streamed = rows <= STREAMED_ROWS;
        let in_tiles = MatrixTiles::of(shape, instructions, lanes).filter(|_| !is_streamed);
        let matrix_tiles = in_tiles.map(|(tiles, _)| tiles);
        let group = match in_tiles {
            Some((_, group)) => group,
            None => Group::of(shape, instructions, lanes).filter(|_| !is_streamed),
        };
        let packed_lanes = match (matrix_tiles, group) {
            // A vector of sums of another width has as many groups.
            (Some(MatrixTiles::Sme), Some(group)) => (bits / group.bits()).min(lanes),
            (_, group) => group.map_or(lanes, |group| group.lanes(lanes)),
        };
        let lanes = match matrix_tiles {
            Some(MatrixTiles::Sme) => instructions.streaming_bits / element_bits,
            _ => packed_lanes,
        };
        let sums = match (group, instructions.sve, shape.has_lhs_rows) {
            (None, true, true) if bits < 512 => Sums::SVE_FOUR_ROWS,
            (None, true, true) => Sums::SVE_ROWS,
            (None, true, false) => Sums::SVE_COLUMNS,
            (None, false, _) => Sums::of(instructions, work),
            (Some(_), ..) => Sums::of(instructions, 0),
        };
        let needed = ceil_div(columns, lanes);
        // The rows of a tile are in one line of an image if possible.
        let most_rows = sums.most_rows(needed);
        let has_lines = group.is_none() && matrix_tiles.is_none();
        let mut counts = (most_rows / 2 + 1..=most_rows).rev();
        let mut in_line = counts.find(|count| has_lines && shape.lines(*count).is_some());
        if let Some((rows, _)) = plan.tile {
            in_line = Some(rows).filter(|rows| has_lines && shape.lines(*rows).is_some());
        }
        let most_rows = if sums == Sums::TWELVE && prefers_two_vectors(rows, columns, lanes) {
            6
        } else {
            most_rows
        };
        // With few rows, registers are free for more columns.
        let (tile_rows, vectors) = match (matrix_tiles, group) {
            _ if let Some(tile) = plan.tile => tile,
            (Some(MatrixTiles::Amx), _) => amx::shape(rows, columns),
            (Some(MatrixTiles::Sme), _) => sme::shape(rows, columns, lanes),
            (None, Some(group)) if group.is_in_squares() => (neon::ROWS, needed.min(2)),
            _ => {
                let of_few = if group.is_none() {
                    sums.rows_of(rows, most_rows)
                } else {
                    rows.min(most_rows)
                };
                let tile_rows = in_line.unwrap_or(of_few);
                (tile_rows, sums.vectors_of(tile_rows.min(most_rows), needed))
            }
        };
        let tile = Tile {
            rows: tile_rows,
            vectors,
            lanes,
            columns: vectors * lanes,
        };
        let of_amx = group.filter(|_| matrix_tiles == Some(MatrixTiles::Amx));
        let has_lhs_numbers = matrix_tiles.is_none() && has_lhs_numbers(shape, group);
        let unit = dot::unit(group);
        let rates = match matrix_tiles {
            // Each number of a vector of streaming mode is multiplied by a whole vector.
            Some(MatrixTiles::Sme) => Machine {
                vector_bits: instructions.streaming_bits,
                ..machine
            },
            _ => machine,
        };
        let is_batch = batch >= BATCH && work <= rates.multiplications_in(BATCH_TIME);
        let is_one_task =
            is_batch && batch >= machine.cores || work <= rates.multiplications_in(machine.awake);
        let first_cache = machine.caches[0].share();
        // Unpacked operands are only supported in vector registers.
        let is_packed = group.is_some() || matrix_tiles.is_some();
        let sizes = Sizes {
            shape: *shape,
            machine,
            holds_rhs: !is_packed && tile.rows < tile.columns,
            tile,
            row_panels: ceil_div(rows, tile.rows),
            column_panels: ceil_div(columns, tile.columns),
            depth: dot::padded(depth, group),
            bytes: ceil_div(group.map_or(element_bits, Group::bits), 8) / unit,
            unit,
            step: match (matrix_tiles, group) {
                (Some(MatrixTiles::Amx), Some(group)) => amx::numbers_along_k(group),
                (Some(MatrixTiles::Sme), _) => unit * packed_lanes,
                _ => unit,
            },
            is_rounded: matches!(
                shape.operands[RESULT].element.float,
                Some(FloatKind::BF16 | FloatKind::F16)
            ),
            run: {
                let run = match in_line {
                    Some(rows) => shape.lines(rows).map(|lines| lines.run()),
                    None => shape.patches.and_then(|patches| patches.run).map(|run| lcm(run, unit)),
                };
                run.unwrap_or(match of_amx {
                    Some(group) => amx::numbers_along_k(group),
                    None => 16,
                })
            },
            has_whole_runs: in_line.is_some() || has_lhs_numbers && shape.has_patches(LHS),
            // Tiles read rhs from the L2 cache, and also lhs if this results in fewer ranges of k,
            // after each of which the result is stored.
            lhs_panel: match matrix_tiles {
                Some(_) => panel(&machine),
                None if sums == Sums::TWENTY_FOUR => first_cache * 3 / 4,
                None => first_cache / 2,
            },
            longest_k: if is_batch { TASK_BLOCK_K } else { BLOCK_K },
            chosen_k: plan.k,
        };
        // Tasks that are columns are about even, and need not share the columns that they pack.
        let has_even_columns =
            sizes.column_panels >= (least_tasks(&machine) / 2).min(sizes.row_panels);
        let is_one_panel = sizes.row_panels == 1 && !is_packed;
        let of_model = if shape.has_rhs_rows && is_streamed || is_one_panel {
            Loops::FewRows
        } else if is_nested || is_one_task {
            Loops::Task
        } else if has_even_columns && (rows <= BLOCK_ROWS || sizes.keeps_rows()) {
            Loops::RowBlock
        } else if sizes.holds_rhs && sizes.column_panels > 1 {
            Loops::HeldPanels
        } else {
            Loops::Blocks
        };
        let loops = plan.loops.unwrap_or(of_model);
        let mut tiling = match loops {
            Loops::FewRows => Self::of_few_rows(&sizes),
            Loops::Task => Self::of_task(&sizes),
            Loops::RowBlock => Self::of_row_block(&sizes),
            Loops::HeldPanels => Self::of_held_panels(&sizes),
            Loops::Blocks => Self::of_blocks(&sizes, machine.caches[1].share() / 2),
        };
        tiling.loops = loops;
        tiling.block_rows = plan.block_rows.unwrap_or(tiling.block_rows);
        tiling.block_columns = plan.block_columns.unwrap_or(tiling.block_columns);
        tiling.group = group;
        tiling.matrix_tiles = matrix_tiles;
        tiling.has_lhs_numbers = has_lhs_numbers;
        tiling.packed_lanes = packed_lanes;
        tiling.sve = instructions.sve;
        tiling.has_masks = instructions.has_masks();
        tiling.is_whole = match plan.loops {
            Some(loops) => loops == Loops::Task,
            None => is_nested || is_one_task,
        };
        let is_read_little = columns <= 2 * tile.columns
            && tiling.lhs != Packing::Block
            && !shape.operands[LHS].is_computed;
        let is_read_directly = is_read_little || shape.has_cached_rows && !tiling.holds_rhs();
        if is_read_directly && !shape.has_patches(LHS) && !is_packed {
            tiling.lhs = Packing::None;
        }
        let rhs_bytes = sizes.column_panels * tile.columns * sizes.depth * sizes.bytes;
        if tiling.rhs != Packing::None && rhs_bytes <= invariant_bytes {
            tiling.rhs = Packing::Invariant;
            if tiling.lhs != Packing::Shared {
                tiling.shared_k = sizes.depth;
            }
        }
        Some(tiling)
    }

    /// Nothing is packed, and the result is one block.
    fn unpacked(sizes: &Sizes, block_k: i64) -> Self {
        Self {
            shape: sizes.shape,
            loops: Loops::FewRows,
            tile: sizes.tile,
            depth: sizes.depth,
            block_k,
            block_rows: sizes.row_panels,
            block_columns: sizes.column_panels,
            lhs: Packing::None,
            rhs: Packing::None,
            shared_k: sizes.depth,
            shared_panels: sizes.column_panels,
            group: None,
            matrix_tiles: None,
            has_lhs_numbers: false,
            packed_lanes: sizes.tile.lanes,
            sve: false,
            has_masks: false,
            least_tasks: least_tasks(&sizes.machine),
            is_whole: false,
        }
    }

    /// Few rows: each element of rhs is read once, and lhs is small.
    fn of_few_rows(sizes: &Sizes) -> Self {
        let unpacked = Self::unpacked(sizes, sizes.block_k(sizes.most_k()));
        let least = (4 * BLOCK_COLUMNS / sizes.tile.columns).max(1);
        Self {
            block_columns: sizes.block(
                sizes.column_panels,
                ceil_div(sizes.column_panels, unpacked.least_tasks).max(least),
            ),
            rhs: if sizes.shape.has_rhs_rows {
                Packing::None
            } else {
                Packing::Panel
            },
            ..Self::unpacked(sizes, sizes.block_k(sizes.most_k()))
        }
    }

    /// One task computes the whole product. It packs one operand a panel at a time, the one with
    /// fewer repeated elements, and the other operand in blocks.
    fn of_task(sizes: &Sizes) -> Self {
        let Sizes {
            tile,
            row_panels,
            column_panels,
            ..
        } = *sizes;
        let block_k = sizes.block_k(sizes.most_k().min(TASK_BLOCK_K * sizes.unit));
        let across = TASK_BYTES / (block_k * sizes.bytes);
        let most_rows = ((across - tile.columns) / tile.rows).max(1);
        let most_columns = ((across - tile.rows) / tile.columns).max(1);
        let (rows, columns) = (row_panels * tile.rows, column_panels * tile.columns);
        let (row_blocks, column_blocks) = (
            ceil_div(row_panels, most_rows),
            ceil_div(column_panels, most_columns),
        );
        let unpacked = Self::unpacked(sizes, block_k);
        if rows + columns * row_blocks <= columns + rows * column_blocks {
            Self {
                lhs: Packing::Block,
                rhs: Packing::Panel,
                block_rows: ceil_div(row_panels, row_blocks),
                ..unpacked
            }
        } else {
            Self {
                lhs: Packing::Panel,
                rhs: Packing::Block,
                block_columns: ceil_div(column_panels, column_blocks),
                ..unpacked
            }
        }
    }

    /// One block of rows: each task reads all of lhs, and its own panels of rhs.
    fn of_row_block(sizes: &Sizes) -> Self {
        let Sizes {
            tile,
            row_panels,
            column_panels,
            ..
        } = *sizes;
        let block_k = sizes.block_k(if sizes.holds_rhs {
            sizes.held_k()
        } else {
            sizes.most_k()
        });
        let row_bytes = row_panels * tile.rows * sizes.bytes;
        let columns = column_panels * tile.columns;
        let tasks = least_tasks(&sizes.machine);
        let least = if column_panels >= tasks && columns >= 6 * BLOCK_COLUMNS {
            (BLOCK_COLUMNS / tile.columns).max(1)
        } else {
            1
        };
        let most_k = (SHARED_BYTES / row_bytes).max(block_k);
        Self {
            lhs: if row_bytes * block_k <= REPEATED_BYTES {
                Packing::Block
            } else {
                Packing::Shared
            },
            rhs: Packing::Panel,
            block_columns: sizes.block(column_panels, ceil_div(column_panels, tasks).max(least)),
            shared_k: whole_blocks(sizes.depth, most_k, block_k),
            shared_panels: row_panels,
            ..Self::unpacked(sizes, block_k)
        }
    }

    /// Many rows: rhs is packed once, in parts that stay in the caches. A task packs a panel of lhs
    /// for the columns that fit in half of the L2 cache, which the next tasks reuse.
    fn of_blocks(sizes: &Sizes, cached_bytes: i64) -> Self {
        let Sizes {
            tile,
            row_panels,
            column_panels,
            ..
        } = *sizes;
        let block_k = sizes.block_k(sizes.most_k());
        let column_bytes = tile.columns * sizes.bytes;
        let (shared_k, shared_panels) = sizes.shared_columns(block_k);
        // A task with several ranges of k reads the first columns again.
        let cached_bytes = if block_k < shared_k {
            cached_bytes / 2
        } else {
            cached_bytes
        };
        let most_columns = (cached_bytes / (block_k * column_bytes)).max(1);
        let column_blocks = ceil_div(shared_panels, most_columns);
        let block_rows = match column_panels {
            1 => {
                let most = row_panels / ceil_div(PACKED_ROWS, tile.rows);
                let most = most.clamp(1, 4 * least_tasks(&sizes.machine));
                sizes.block(row_panels, ceil_div(row_panels, most))
            }
            _ => 1,
        };
        Self {
            lhs: Packing::Panel,
            rhs: match column_panels {
                1 => Packing::Block,
                _ => Packing::Shared,
            },
            block_rows,
            block_columns: ceil_div(shared_panels, column_blocks),
            shared_k,
            shared_panels,
            ..Self::unpacked(sizes, block_k)
        }
    }

    /// Many rows, if a panel of rhs is larger than one of lhs: a task packs a block of lhs, which
    /// stays in the L2 cache, and holds each panel of rhs in the L1 cache for all its rows.
    fn of_held_panels(sizes: &Sizes) -> Self {
        let Sizes {
            tile, row_panels, ..
        } = *sizes;
        let block_k = sizes.block_k(sizes.held_k());
        let (shared_k, shared_panels) = sizes.shared_columns(block_k);
        let cached = TASK_BYTES.min(sizes.machine.caches[1].share() / 2);
        let most = cached / (block_k * tile.rows * sizes.bytes);
        let tasks = least_tasks(&sizes.machine);
        let rows = ceil_div(row_panels, tasks).max(LEAST_HELD).min(most.max(1));
        let block_rows = sizes.block(row_panels, rows);
        let column_blocks = ceil_div(tasks, ceil_div(row_panels, block_rows));
        Self {
            lhs: Packing::Block,
            rhs: Packing::Shared,
            block_rows,
            block_columns: ceil_div(shared_panels, column_blocks.min(shared_panels)),
            shared_k,
            shared_panels,
            ..Self::unpacked(sizes, block_k)
        }
    }

    /// Returns true if a task packs a block of lhs for panels of rhs that were packed before, each
    /// of which all rows of the block read in turn.
    pub fn holds_rhs(&self) -> bool {
        self.lhs == Packing::Block && matches!(self.rhs, Packing::Shared | Packing::Invariant)
    }

    /// The tiling of a product whose tasks have no epilogue: they need not compute whole sums, so
    /// that as many columns as possible are packed at a time, for which a task packs lhs once.
    pub fn without_epilogue(self) -> Self {
        if !self.holds_rhs() || self.rhs != Packing::Shared {
            return self;
        }
        let panels = ceil_div(self.shape.columns, self.tile.columns);
        let bytes = self.shape.accumulator.bits.map_or(1, |bits| ceil_div(bits, 8));
        let most = SHARED_BYTES / (self.block_k * self.tile.columns * bytes);
        let shared_panels = even_part(panels, most.max(1));
        let blocks = ceil_div(self.shared_panels, self.block_columns);
        Self {
            shared_k: self.block_k,
            shared_panels,
            block_columns: ceil_div(shared_panels, blocks),
            ..self
        }
    }

    /// Whether masks let the kernel of whole tiles compute the edge tile. It also computes vectors
    /// that are entirely out of bounds, which must be few.
    pub fn shares_edge(&self) -> bool {
        let (tile, columns) = (self.tile, self.shape.columns);
        self.has_masks
            && self.rhs != Packing::None
            && self.matrix_tiles.is_none()
            && matches!(self.shape.operands[RESULT].element.bits, Some(32 | 64))
            && columns % tile.columns != 0
            && is_nearly_multiple(ceil_div(columns, tile.lanes), tile.vectors)
    }

    /// Whether panels of lhs have rows along k: if lhs does, unless matrices of groups or outer
    /// products need the elements of one k contiguously, or if AMX tiles need rows.
    pub fn has_lhs_rows(&self) -> bool {
        match self.matrix_tiles {
            Some(tiles) => tiles == MatrixTiles::Amx,
            None => self.shape.has_lhs_rows && !self.group.is_some_and(Group::is_in_squares),
        }
    }

    /// The lines that form panels of lhs.
    pub fn lines(&self) -> Option<Lines> {
        let lines = self.shape.lines(self.tile.rows);
        lines.filter(|_| self.group.is_none() && self.matrix_tiles.is_none())
    }

    /// Whether tasks compute complete sums.
    pub fn has_whole_sums(&self) -> bool {
        self.shared().is_none() || self.shared_k >= self.depth
    }

    /// A divisor of the lengths of all ranges of k.
    pub fn divisor(&self) -> i64 {
        let lengths = [self.block_k, self.shared_k].into_iter();
        lengths.filter(|length| *length < self.depth).fold(self.depth, gcd)
    }

    /// The operand that is packed before the tasks.
    pub fn shared(&self) -> Option<usize> {
        [(LHS, self.lhs), (RHS, self.rhs)]
            .into_iter()
            .find_map(|(operand, packing)| (packing == Packing::Shared).then_some(operand))
    }
}

/// The bytes of a panel that is read from the second cache.
fn panel(machine: &Machine) -> i64 {
    PANEL.min(machine.caches[1].share() / 8)
}

/// The length of about equal parts, at most `most`.
fn even_part(length: i64, most: i64) -> i64 {
    ceil_div(length, ceil_div(length, most))
}

/// The length of about equal parts of k, at most `most`, in whole blocks.
fn whole_blocks(depth: i64, most: i64, block: i64) -> i64 {
    let parts = ceil_div(depth, (most / block).max(1) * block);
    (ceil_div(ceil_div(depth, parts), block) * block).min(depth)
}

/// Whether lhs has rows along k whose runs, in an image or of the whole depth, are not whole
/// groups.
fn has_lhs_numbers(shape: &Shape, group: Option<Group>) -> bool {
    let Some(group) = group.filter(|group| !group.is_in_squares()) else {
        return false;
    };
    let has_groups = shape.depth % group.size() == 0 && shape.has_groups_of(group.size());
    shape.has_lhs_rows && !has_groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::contraction::Extension;
    use halo_core::machine::X86_64;

    #[test]
    fn parts_of_k_are_whole_blocks_of_about_equal_length() {
        assert_eq!(whole_blocks(1024, 2048, 512), 1024);
        assert_eq!(whole_blocks(4096, 2048, 512), 2048);
        // Three parts of nine blocks, not two of four and one of one.
        assert_eq!(whole_blocks(4500, 2048, 500), 1500);
        assert_eq!(whole_blocks(100, 2048, 112), 100);
    }

    #[test]
    fn blocks_of_k_are_whole_runs_or_divide_one() {
        let block_k_in = |depth: i64, run: i64, step: i64| {
            let tile = Tile {
                rows: 8,
                vectors: 2,
                lanes: 16,
                columns: 32,
            };
            let sizes = Sizes {
                shape: Shape::of_bytes(depth, [Extension::Signed; 2]),
                machine: X86_64,
                holds_rhs: false,
                tile,
                row_panels: 4,
                column_panels: 2,
                depth,
                bytes: 4,
                unit: 1,
                step,
                is_rounded: false,
                run,
                has_whole_runs: false,
                lhs_panel: 16 << 10,
                longest_k: BLOCK_K,
                chosen_k: None,
            };
            sizes.block_k(sizes.most_k())
        };
        let block_k = |depth: i64, run: i64| block_k_in(depth, run, 1);
        assert_eq!(block_k(1024, 16), 512);
        assert_eq!(block_k(1000, 16), 512);
        assert_eq!(block_k(100, 16), 100);
        // A quarter more than 512 is one block.
        assert_eq!(block_k(600, 16), 600);
        assert_eq!(block_k(9 * 64, 64), 576);
        assert_eq!(block_k(11 * 64, 64), 384);
        // 7 x 7 x 3, in runs of 21.
        assert_eq!(block_k(147, 21), 147);
        assert_eq!(block_k(9 * 1024, 1024), 512);
        // 520 is too long, and two blocks of 260.
        assert_eq!(block_k(9 * 520, 520), 260);
        // Whole groups of eight: five blocks of 104.
        assert_eq!(block_k_in(9 * 520, 520, 8), 104);
    }
}
