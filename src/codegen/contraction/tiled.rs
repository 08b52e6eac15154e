//! The loops of a matrix product around its register tiles: packing before the tasks, the tasks,
//! and the blocks of each task.
//!
//! ```text
//! for parts of k and panels of the shared operand:   // if there is one
//!   parallel: pack them
//!   parallel over blocks of the result:
//!     for blocks of k:
//!       pack a block of one operand                  // or it is shared
//!       for panels of the other:
//!         pack the panel
//!         for panels of the block:
//!           register tile
//! ```
//!
//! [`super::plan`] selects the operands.

use super::{
    epilogue::Epilogue,
    isa::{MatrixTiles, dot::Group, sme},
    kernel::{MicroKernel, Present, Source},
    matmul::Matmul,
    pack::{self, Panel},
    plan::{Packing, Tile, Tiling, even_division::ceil_div},
};
use crate::loops::{bounds::piece_bounds, prelude::*};
use halo_ir::{ops::halo, prelude::*};
pub use packed::{Operands, Packed};
use ranges::{Blocks, Range, for_each, for_pieces, whole};

mod packed;
mod ranges;

/// Packed rows of lhs whose length is a multiple of this period are padded by the gap.
const ROW_PERIOD: i64 = 128;
const ROW_GAP: i64 = 16;

/// A matrix product and its tiling.
pub struct TiledMatmul<'a, 'c> {
    pub matmul: &'a Matmul<'c>,
    pub tiling: Tiling,
    /// Whether the result starts from zeros that are not stored.
    pub overwrite: bool,
    /// Whether the product is nested in a parallel loop.
    pub is_nested: bool,
    /// The epilogue that the same tasks compute.
    pub epilogue: Option<&'a Epilogue<'c>>,
    /// Lhs and rhs, if they were packed at compile time or before a loop around the product.
    pub invariant: Operands<Packed<'c>>,
}

/// The scratch memory of a task.
#[derive(Clone, Copy)]
struct Scratch<'c> {
    /// The buffers for packed lhs and rhs.
    operands: Operands<Value<'c>>,
    /// The sums of a tile over a range of k.
    sums: Option<Value<'c>>,
}

/// A part of the result over a range of k: panels of rows and of columns.
#[derive(Clone, Copy)]
struct Part<'a, 'c> {
    /// The loop indices of the nest; only the batch indices are used.
    ivs: &'a [Value<'c>],
    rows: Range<'c>,
    columns: Range<'c>,
    k: Range<'c>,
}

impl<'c> TiledMatmul<'_, 'c> {
    /// Emits the product.
    pub fn emit(&self, builder: &Builder<'c>) {
        if self.tiling.is_whole {
            self.emit_products(builder)
        } else {
            self.emit_divided(builder)
        }
    }

    /// Packs all of rhs.
    pub fn pack_rhs(&self, builder: &Builder<'c>) -> Packed<'c> {
        let dims = self.packed_dims(RHS, self.panels(RHS), self.tiling.depth);
        let (panels, k) = (
            whole(builder, self.panels(RHS)),
            whole(builder, self.tiling.depth),
        );
        let memref = memref::alloc_aligned(builder, &dims, self.packed_type(builder, RHS));
        let packed = Packed::whole(builder, memref);
        let number = index::constant(builder, 0);
        let ivs = self.matmul.ivs_of_batch(builder, number);
        self.pack_shared(builder, &ivs, RHS, (packed, panels, k));
        packed
    }

    /// The number of panels of lhs along m, or of rhs along n, including a partial one at the edge.
    fn panels(&self, operand: usize) -> i64 {
        let size = match operand {
            LHS => self.matmul.rows(),
            _ => self.matmul.columns(),
        };
        ceil_div(size, self.width(operand))
    }

    /// The range of all panels of an operand.
    fn all_panels(&self, builder: &Builder<'c>, operand: usize) -> Range<'c> {
        if operand == RHS || !self.matmul.has_dynamic_rows() {
            return whole(builder, self.panels(operand));
        }
        let rows = self.matmul.row_count(builder);
        let width = index::constant(builder, self.width(operand));
        let zero = index::constant(builder, 0);
        (zero, arith::ceildivui(builder, rows, width))
    }

    /// The elements across a panel.
    fn width(&self, operand: usize) -> i64 {
        match operand {
            LHS => self.tiling.tile.rows,
            _ => self.tiling.tile.columns,
        }
    }

    fn packing(&self, operand: usize) -> Packing {
        match operand {
            LHS => self.tiling.lhs,
            _ => self.tiling.rhs,
        }
    }

    /// The dimensions of packed panels over a range of k. Rows of lhs are padded if their stride is
    /// a multiple of a power of two, which would map them to the same cache sets.
    fn packed_dims(&self, operand: usize, panels: i64, k: i64) -> [i64; 3] {
        let width = self.width(operand);
        let group = self.tiling.group;
        let numbers = k;
        let k = k / self.tiling.unit();
        if operand == LHS
            && let Some(lines) = self.tiling.lines()
        {
            return [panels, ceil_div(k, lines.run()), lines.length()];
        }
        if operand == LHS && self.tiling.has_lhs_rows() {
            let gap = group.is_some() || k % ROW_PERIOD == 0;
            let row = k + if gap { ROW_GAP } else { 0 };
            return [panels, width, row * self.tiling.lhs_elements()];
        }
        let extra = |group: Group| group.extra_rows(operand, numbers, self.tiling.block_k);
        [panels, k + group.map_or(0, extra), width]
    }

    /// The type of the elements of a panel.
    fn packed_type(&self, builder: &Builder<'c>, operand: usize) -> Type<'c> {
        match self.tiling.group {
            None => self.matmul.accumulator(),
            Some(group) if operand == LHS && self.tiling.has_lhs_numbers => {
                group.number_type(builder)
            }
            Some(group) => group.ty(builder),
        }
    }

    /// Allocates the scratch memory of a task.
    fn scratch(&self, builder: &Builder<'c>) -> Scratch<'c> {
        let mut scratch = Scratch {
            operands: [None; 2],
            sums: None,
        };
        for (operand, block) in [
            (LHS, self.tiling.block_rows),
            (RHS, self.tiling.block_columns),
        ] {
            let panels = match self.packing(operand) {
                Packing::None | Packing::Shared | Packing::Invariant => continue,
                Packing::Panel => 1,
                Packing::Block => block.min(self.panels(operand)),
            };
            let dims = self.packed_dims(operand, panels, self.tiling.block_k);
            let element = self.packed_type(builder, operand);
            scratch.operands[operand] = Some(memref::alloc_aligned(builder, &dims, element));
        }
        let has_sums = match self.tiling.matrix_tiles {
            Some(tiles) => tiles == MatrixTiles::Amx,
            None => self.has_ranges(),
        };
        if has_sums {
            let dims = [self.tiling.tile.rows, self.tiling.tile.width()];
            let sums = memref::alloc_aligned(builder, &dims, self.matmul.accumulator());
            scratch.sums = Some(sums);
        }
        scratch
    }

    /// Whether the first range of k overwrites the result, and the others are added.
    fn has_ranges(&self) -> bool {
        self.overwrite && self.tiling.block_k < self.tiling.depth
    }

    /// Emits tasks with scratch memory. In a parallel loop they are a sequential loop, whose
    /// iterations share the scratch memory.
    fn tasks(
        &self,
        builder: &Builder<'c>,
        count: Value<'c>,
        task: impl FnOnce(&Builder<'c>, Value<'c>, Scratch<'c>),
    ) {
        if !self.is_nested {
            scf::parallel_range(builder, count, |builder, number| {
                let scratch = self.scratch(builder);
                task(builder, number, scratch)
            });
            return;
        }
        let scratch = self.scratch(builder);
        let bounds = (0, count, 1);
        scf::for_each(builder, bounds, |builder, number| {
            task(builder, number, scratch);
        })
    }

    /// Few products: threads share each product.
    fn emit_divided(&self, builder: &Builder<'c>) {
        let Tiling {
            shared_k,
            shared_panels,
            ..
        } = self.tiling;
        let shared = self.tiling.shared();
        let memref = shared.map(|operand| {
            let dims = self.packed_dims(operand, shared_panels, shared_k);
            memref::alloc_aligned(builder, &dims, self.packed_type(builder, operand))
        });
        scf::for_range(builder, self.matmul.batch_size(), 1, |builder, number| {
            let ivs = self.matmul.ivs_of_batch(builder, number);
            let all = |builder: &Builder<'c>, operand| self.all_panels(builder, operand);
            let (Some(operand), Some(memref)) = (shared, memref) else {
                let (rows, columns) = (all(builder, LHS), all(builder, RHS));
                let k = whole(builder, self.tiling.depth);
                let ivs = &ivs[..];
                return self.emit_tasks(
                    builder,
                    Part {
                        ivs,
                        rows,
                        columns,
                        k,
                    },
                    self.invariant,
                );
            };
            for_pieces(builder, self.tiling.depth, shared_k, |builder, k| {
                self.for_pieces_of(builder, operand, shared_panels, |builder, panels| {
                    let packed = Packed {
                        memref,
                        first_panel: panels.0,
                        first_k: k.0,
                    };
                    self.pack_shared(builder, &ivs, operand, (packed, panels, k));
                    let (mut rows, mut columns) = (all(builder, LHS), all(builder, RHS));
                    let mut operands = self.invariant;
                    operands[operand] = Some(packed);
                    *match operand {
                        LHS => &mut rows,
                        _ => &mut columns,
                    } = panels;
                    let ivs = &ivs[..];
                    self.emit_tasks(
                        builder,
                        Part {
                            ivs,
                            rows,
                            columns,
                            k,
                        },
                        operands,
                    )
                })
            })
        })
    }

    /// Emits code for each piece of the panels of an operand.
    fn for_pieces_of(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        length: i64,
        body: impl FnOnce(&Builder<'c>, Range<'c>),
    ) {
        if operand == RHS || !self.matmul.has_dynamic_rows() {
            return for_pieces(builder, self.panels(operand), length, body);
        }
        let (first, last) = self.all_panels(builder, operand);
        scf::for_each(builder, (first, last, length), |builder, lower| {
            let upper = index::end_of_range(builder, lower, length);
            let upper = index::min(builder, upper, last);
            body(builder, (lower, upper))
        })
    }

    /// Packs panels before the tasks that read them.
    fn pack_shared(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        operand: usize,
        (packed, panels, k): (Packed<'c>, Range<'c>, Range<'c>),
    ) {
        let neighbours = self.neighbours(operand);
        let count = index::sub(builder, panels.1, panels.0);
        let count = index::div(builder, count, neighbours);
        let packing = scf::parallel_range(builder, count, |builder, number| {
            let number = index::mul(builder, number, neighbours);
            let panel = index::add(builder, panels.0, number);
            let target = (packed.memref, number);
            self.pack(builder, ivs, (operand, panel, neighbours), target, k)
        });
        mark_as_packing(builder, *packing);
    }

    /// The number of panels that are packed together before the tasks.
    fn neighbours(&self, operand: usize) -> i64 {
        let all = self.panels(operand);
        let most = match self.packing(operand) {
            Packing::Shared => self.tiling.shared_panels,
            _ => all,
        };
        if operand == RHS && all % most == 0 {
            pack::neighbours(
                self.matmul,
                self.width(operand),
                most,
                self.tiling.least_tasks,
            )
        } else {
            1
        }
    }

    /// Emits a part of a product; each block is a task.
    fn emit_tasks(&self, builder: &Builder<'c>, part: Part<'_, 'c>, shared: Operands<Packed<'c>>) {
        let row_blocks = self.blocks(builder, LHS, part.rows);
        let column_blocks = self.blocks(builder, RHS, part.columns);
        let count = index::mul(builder, row_blocks.count, column_blocks.count);
        self.tasks(builder, count, |builder, task, scratch| {
            // A thread runs consecutive tasks, which read the same columns, some of which it
            // packed.
            let (row_block, column_block) = if column_blocks.is_one() {
                (task, index::constant(builder, 0))
            } else {
                (
                    index::rem(builder, task, row_blocks.count),
                    index::div(builder, task, row_blocks.count),
                )
            };
            let block = Part {
                rows: row_blocks.at(builder, row_block),
                columns: column_blocks.at(builder, column_block),
                ..part
            };
            self.emit_block(builder, block, shared, scratch)
        })
    }

    /// The blocks of a range of panels: of a whole operand, or of the panels packed at a time.
    fn blocks(&self, builder: &Builder<'c>, operand: usize, range: Range<'c>) -> Blocks<'c> {
        let panels = self.panels(operand);
        let most = match self.packing(operand) {
            Packing::Shared => self.tiling.shared_panels.min(panels),
            _ => panels,
        };
        let length = match operand {
            LHS => self.tiling.block_rows,
            _ => self.tiling.block_columns,
        };
        let is_dynamic = operand == LHS && self.matmul.has_dynamic_rows();
        if !is_dynamic && (most <= length || panels % most == 0) {
            Blocks::of_constant(builder, range, (most, length))
        } else {
            Blocks::of_unknown(builder, range, length)
        }
    }

    /// Many products, or one small product: one task computes each.
    fn emit_products(&self, builder: &Builder<'c>) {
        let batch = self.matmul.batch_size();
        let share = ceil_div(batch, 2 * self.tiling.least_tasks);
        let count = index::constant(builder, ceil_div(batch, share));
        self.tasks(builder, count, |builder, task, scratch| {
            let (lower, upper) = piece_bounds(builder, task, batch, share);
            scf::for_each(builder, (lower, upper, 1), |builder, number| {
                let ivs = &self.matmul.ivs_of_batch(builder, number)[..];
                let k = whole(builder, self.tiling.depth);
                self.for_pieces_of(builder, LHS, self.tiling.block_rows, |builder, rows| {
                    for_pieces(
                        builder,
                        self.panels(RHS),
                        self.tiling.block_columns,
                        |builder, columns| {
                            let block = Part {
                                ivs,
                                rows,
                                columns,
                                k,
                            };
                            self.emit_block(builder, block, self.invariant, scratch)
                        },
                    )
                });
            })
        })
    }

    /// A block of the result over a range of k, in blocks of k. With an epilogue, the range is all
    /// of k.
    fn emit_block(
        &self,
        builder: &Builder<'c>,
        block: Part<'_, 'c>,
        shared: Operands<Packed<'c>>,
        scratch: Scratch<'c>,
    ) {
        self.emit_sums(builder, block, shared, scratch);
        if !self.is_one_range() {
            self.emit_epilogue(builder, block)
        }
    }

    /// Whether a task finishes a tile in one range of k, so that the tile stays in the L1 cache.
    fn is_one_range(&self) -> bool {
        self.tiling.block_k >= self.tiling.shared_k
    }

    /// Emits the epilogue for a part of the result.
    fn emit_epilogue(&self, builder: &Builder<'c>, part: Part<'_, 'c>) {
        let Some(epilogue) = self.epilogue else {
            return;
        };
        let (matmul, tile) = (self.matmul, self.tiling.tile);
        epilogue.emit(builder, matmul, tile, part.ivs, [part.rows, part.columns])
    }

    /// Emits the sums of a block over a range of k.
    fn emit_sums(
        &self,
        builder: &Builder<'c>,
        block: Part<'_, 'c>,
        shared: Operands<Packed<'c>>,
        scratch: Scratch<'c>,
    ) {
        let block_k = self.tiling.block_k;
        if self.is_one_range() {
            return self.emit_range(builder, block, shared, scratch);
        }
        scf::for_(
            builder,
            (block.k.0, block.k.1, block_k),
            &[],
            |builder, lower, _| {
                // A range is not empty, so LLVM need not handle empty ones.
                let mut upper = index::end_of_range(builder, lower, block_k);
                if self.tiling.depth % block_k != 0 {
                    upper = arith::minsi(builder, upper, block.k.1);
                }
                let block = Part {
                    k: (lower, upper),
                    ..block
                };
                self.emit_range(builder, block, shared, scratch);
                Vec::new()
            },
        );
    }

    /// Emits a block of the result over one block of k.
    fn emit_range(
        &self,
        builder: &Builder<'c>,
        block: Part<'_, 'c>,
        shared: Operands<Packed<'c>>,
        scratch: Scratch<'c>,
    ) {
        let mut operands = shared;
        for (operand, panels) in [(LHS, block.rows), (RHS, block.columns)] {
            let (Packing::Block, Some(memref)) = (self.packing(operand), scratch.operands[operand])
            else {
                continue;
            };
            let bounds = (panels.0, panels.1, 1);
            let packing = scf::for_(builder, bounds, &[], |builder, panel, _| {
                let number = index::sub(builder, panel, panels.0);
                let target = (memref, number);
                self.pack(builder, block.ivs, (operand, panel, 1), target, block.k);
                Vec::new()
            });
            mark_as_packing(builder, packing.operation());
            operands[operand] = Some(Packed {
                memref,
                first_panel: panels.0,
                first_k: block.k.0,
            });
        }
        // Each panel of one operand, before all tiles that read it.
        let with_panel = |builder: &Builder<'c>, operand: usize, panel: Value<'c>| {
            let mut operands = operands;
            if let (Packing::Panel, Some(memref)) =
                (self.packing(operand), scratch.operands[operand])
            {
                let zero = index::constant(builder, 0);
                let source = (operand, panel, 1);
                self.pack(builder, block.ivs, source, (memref, zero), block.k);
                operands[operand] = Some(Packed {
                    memref,
                    first_panel: panel,
                    first_k: block.k.0,
                });
            }
            operands
        };
        let is_lhs_held = match self.tiling.rhs {
            _ if self.tiling.holds_rhs() => false,
            Packing::Block | Packing::Shared => true,
            Packing::Invariant => self.tiling.lhs == Packing::Panel,
            Packing::None | Packing::Panel => false,
        };
        if self.tiling.matrix_tiles == Some(MatrixTiles::Sme) {
            return if is_lhs_held {
                for_each(builder, block.rows, |builder, row| {
                    let operands = with_panel(builder, LHS, row);
                    let rows = (row, index::add(builder, row, 1));
                    self.emit_outer_products(builder, Part { rows, ..block }, operands)
                })
            } else {
                for_each(builder, block.columns, |builder, column| {
                    let operands = with_panel(builder, RHS, column);
                    let columns = (column, index::add(builder, column, 1));
                    self.emit_outer_products(builder, Part { columns, ..block }, operands)
                })
            };
        }
        if is_lhs_held {
            return for_each(builder, block.rows, |builder, row| {
                let operands = with_panel(builder, LHS, row);
                self.for_column_panels(builder, block.columns, |builder, column, tile| {
                    if tile == self.tiling.tile
                        && let Some(packed) = operands[LHS]
                        && self.tiling.lhs == Packing::Panel
                    {
                        let target = (packed.memref, row);
                        let panel = self.panel(builder, block.ivs, (LHS, row, 1), target);
                        let number = index::sub(builder, column, block.columns.0);
                        let tiles = (number, self.tiling.block_columns);
                        panel.prefetch_next(builder, block.k, self.tiling.block_k, tiles);
                    }
                    self.emit_tile(builder, block, (operands, scratch), (row, column), tile)
                })
            });
        }
        self.for_column_panels(builder, block.columns, |builder, column, tile| {
            let operands = with_panel(builder, RHS, column);
            for_each(builder, block.rows, |builder, row| {
                self.emit_tile(builder, block, (operands, scratch), (row, column), tile)
            })
        })
    }

    /// Emits code for each panel of columns in a range, and again for a partial panel at the edge
    /// of the result.
    fn for_column_panels(
        &self,
        builder: &Builder<'c>,
        (lower, upper): Range<'c>,
        body: impl Fn(&Builder<'c>, Value<'c>, Tile),
    ) {
        let tile = self.tiling.tile;
        let whole = self.matmul.columns() / tile.columns;
        let rest = self.matmul.columns() % tile.columns;
        if rest == 0 || self.tiling.shares_edge() {
            return for_each(builder, (lower, upper), |builder, panel| {
                body(builder, panel, tile)
            });
        }
        let last = index::constant(builder, whole);
        if whole > 0 {
            let end = arith::minsi(builder, upper, last);
            for_each(builder, (lower, end), |builder, panel| {
                body(builder, panel, tile)
            });
        }
        let edge = Tile {
            vectors: ceil_div(rest, tile.lanes),
            columns: rest,
            ..tile
        };
        let is_last = arith::cmpi(builder, CmpIPredicate::Slt, last, upper);
        scf::if_(builder, is_last, |builder| body(builder, last, edge));
    }

    fn pack(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        (operand, panel, neighbours): (usize, Value<'c>, i64),
        (target, number): (Value<'c>, Value<'c>),
        k: Range<'c>,
    ) {
        let panel = self.panel(builder, ivs, (operand, panel, neighbours), (target, number));
        let block_k = self.tiling.block_k;
        match panel.patches() {
            Some(patches) => patches.pack(builder, &panel, k, block_k),
            None => panel.pack(builder, k, block_k),
        }
        panel.store_extra_rows(builder, k, block_k)
    }

    /// A panel and its position in a packed memref.
    fn panel<'a>(
        &'a self,
        builder: &Builder<'c>,
        ivs: &'a [Value<'c>],
        (operand, panel, neighbours): (usize, Value<'c>, i64),
        (target, number): (Value<'c>, Value<'c>),
    ) -> Panel<'a, 'c> {
        let width = self.width(operand);
        let (across, limit) = match operand {
            LHS => (self.matmul.m, self.matmul.rows()),
            _ => (Some(self.matmul.n), self.matmul.columns()),
        };
        Panel {
            matmul: self.matmul,
            operand,
            across,
            width,
            limit,
            first: index::mul(builder, panel, width),
            ivs,
            target,
            indices: vec![number],
            neighbours,
            lanes: self.tiling.packed_lanes,
            sve: self.tiling.sve,
            group: self.tiling.group,
            divisor: self.tiling.divisor(),
            has_rows: operand == LHS && self.tiling.has_lhs_rows(),
            has_numbers: operand == LHS && self.tiling.has_lhs_numbers,
        }
    }

    fn emit_tile(
        &self,
        builder: &Builder<'c>,
        block: Part<'_, 'c>,
        (operands, scratch): (Operands<Packed<'c>>, Scratch<'c>),
        (row, column): (Value<'c>, Value<'c>),
        tile: Tile,
    ) {
        let kernel = self.micro_kernel(builder, block, operands, (row, column), tile);
        let present = self.present(builder, block);
        // Other ranges of k were summed up since the tile was stored.
        if !self.tiling.has_whole_sums() {
            kernel.prefetch_result(builder);
        }
        let blocks = |group| (group, self.tiling.block_k);
        match (self.tiling.group, scratch.sums) {
            (Some(group), Some(memory)) if self.tiling.matrix_tiles.is_some() => {
                kernel.multiply_tiles(builder, group, block.k, (memory, present));
            }
            (group, memory) => {
                let sums = match group {
                    None => kernel.accumulate(builder, block.k),
                    Some(group) => kernel.accumulate_groups(builder, blocks(group), block.k),
                };
                match memory {
                    Some(memory) => {
                        let first = index::constant(builder, 0);
                        kernel.store_sums(builder, &sums, (memory, first));
                        kernel.write_back_rows(builder, memory, present);
                    }
                    None => kernel.write_back(builder, &sums, present),
                }
            }
        }
        if !self.is_one_range() {
            return;
        }
        let tile = Part {
            rows: (row, index::add(builder, row, 1)),
            columns: (column, index::add(builder, column, 1)),
            ..block
        };
        self.emit_epilogue(builder, tile)
    }

    /// The tiles of a part with packed operands, in SME's streaming mode. Entering and leaving the
    /// mode is slow, and an epilogue may need instructions that are unavailable in it.
    fn emit_outer_products(
        &self,
        builder: &Builder<'c>,
        part: Part<'_, 'c>,
        operands: Operands<Packed<'c>>,
    ) {
        sme::in_streaming_mode(builder, |builder| {
            for_each(builder, part.rows, |builder, row| {
                self.for_column_panels(builder, part.columns, |builder, column, tile| {
                    let place = (row, column);
                    let kernel = self.micro_kernel(builder, part, operands, place, tile);
                    let present = self.present(builder, part);
                    kernel.add_outer_products(builder, self.tiling.group, part.k, present)
                })
            })
        });
        if self.is_one_range() {
            self.emit_epilogue(builder, part)
        }
    }

    /// The kernel of a tile.
    fn micro_kernel<'a>(
        &'a self,
        builder: &Builder<'c>,
        part: Part<'a, 'c>,
        operands: Operands<Packed<'c>>,
        (row, column): (Value<'c>, Value<'c>),
        tile: Tile,
    ) -> MicroKernel<'a, 'c> {
        let source = |operand: usize, panel: Value<'c>| {
            let Some(packed) = operands[operand] else {
                return Source::Direct;
            };
            Source::Packed {
                memref: packed.memref,
                panel: vec![if panel == packed.first_panel {
                    index::constant(builder, 0)
                } else {
                    index::sub(builder, panel, packed.first_panel)
                }],
                first_k: Some(packed.first_k),
            }
        };
        MicroKernel {
            matmul: self.matmul,
            tile,
            ivs: part.ivs,
            row: index::mul(builder, row, tile.rows),
            column: index::mul(builder, column, self.tiling.tile.columns),
            has_lhs_rows: self.tiling.has_lhs_rows(),
            has_lhs_numbers: self.tiling.has_lhs_numbers,
            sve: self.tiling.sve,
            has_masked_edge: self.tiling.shares_edge(),
            divisor: self.tiling.divisor(),
            lhs: source(LHS, row),
            rhs: source(RHS, column),
        }
    }

    /// The treatment of the present elements of the result before the sums of a part.
    fn present(&self, builder: &Builder<'c>, part: Part<'_, 'c>) -> Present<'c> {
        match (self.has_ranges(), self.overwrite) {
            (true, _) => {
                let is_first = index::compare(builder, CmpIPredicate::Slt, part.k.0, 1);
                Present::Unless(is_first)
            }
            (false, true) => Present::Overwritten,
            (false, false) => Present::Added,
        }
    }
}

fn mark_as_packing<'c>(builder: &Builder<'c>, packing: Operation<'c>) {
    packing.set_attribute(halo::PACKING, unit_attribute(builder.context()));
}
