//! `--halo-lower-contractions`: lowers contractions on buffers to packed panels
//! and a register-tiled kernel.
//!
//! A contraction is fast if its innermost loop only multiplies and adds in
//! registers. So the vectors are emitted here rather than by LLVM's vectorizer:
//! registers hold a tile of the result over a range of k, lhs and rhs are read
//! sequentially from packed copies, and elements that are read again are in the
//! cache.
//!
//! ```mlir
//! linalg.matmul ins(%a, %b : memref<256x64xf32>, memref<64x512xf32>)
//!               outs(%c : memref<256x512xf32>)
//! ```
//!
//! becomes, for vectors of 512 bits and tiles of 8 rows by 2 vectors,
//!
//! ```mlir
//! %bp = memref.alloc() : memref<1x16x64x32xf32>     // rhs as [N/32][K][32]
//! scf.parallel (%j) = (%c0) to (%c16) step (%c1) { pack a panel of rhs }
//! %ap = memref.alloc() : memref<...x16x64x8xf32>    // lhs as [M/8][K][8]
//! scf.parallel (%task) = ... {                      // blocks of the result
//!   scf.for %k0 = ... {                             // blocks of K
//!     pack the rows of lhs of this block
//!     scf.for %j = ... {                            // tiles of the result
//!       scf.for %i = ... {
//!         %acc:16 = scf.for %k = ... iter_args(...) -> (vector<16xf32>, ...) {
//!           // 2 vector.load of rhs, 8 broadcasts of lhs, 16 vector.fma
//!         }
//!         tile of the result += %acc
//! ```
//!
//! An operand that is read once is not packed: lhs is read directly if the
//! result has few columns; if it has few rows, so that rhs bounds the speed,
//! rhs is streamed ([`super::row_stream`]). Contractions that are too small,
//! and dot products along contiguous rows, are left to
//! `--halo-linalg-to-loops`, whose row reductions run at memory bandwidth.
//! [`super::tiling`] decides.

use super::{
    linalg_to_loops::piece_bounds,
    matmul::Matmul,
    micro_kernel::{MicroKernel, Source, Tile},
    normalize_contraction::normalize_contraction,
    packing::{self, Panel},
    row_stream::RowStream,
    tiling::{Packing, SMALL, Tiling},
};
use crate::loops::{
    contraction::{LHS, RHS},
    fill,
    loop_ops::{self, Emitted},
};
use halo_ir::{
    Builder, Operation, Value, is_structured,
    ops::{
        arith::{self, CmpIPredicate},
        func, scf,
    },
    pass::{PassDeclaration, PassFailure, PassInvocation, emit_error},
    pass_options,
};
use melior::ir::operation::OperationLike;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Width of a vector register: 128, 256 or 512
        vector_bits: i64 = 512,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-lower-contractions",
    "Lower contractions on buffers to packed panels and register tiles",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "linalg", "memref", "scf", "vector"])
.options::<Options>();

/// From this many on, the products of a batch are not divided, and a task
/// computes several.
const BATCH: i64 = 4;
/// Maximum number of tasks of a batch. Each has its own scratch.
const BATCH_TASKS: i64 = 32;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let bits = pass.options::<Options>().vector_bits;
    if !matches!(bits, 128 | 256 | 512) {
        emit_error(
            pass.operation().location(),
            "vector-bits must be 128, 256 or 512",
        );
        return Err(PassFailure);
    }
    pass.for_each(is_structured, |builder, operation| {
        lower(builder, operation, bits)
    })
}

fn lower<'c>(builder: &Builder<'c>, operation: Operation<'c>, bits: i64) -> Emitted<()> {
    let operation = normalize_contraction(builder, operation, SMALL)?;
    let Some(mut matmul) = Matmul::of(operation) else {
        return Ok(());
    };
    let Some(tiling) = Tiling::of(&matmul, bits) else {
        return Ok(());
    };
    matmul.build_views(builder)?;
    if tiling.pack_rhs == Packing::None && !matmul.contraction.is_promoted() {
        let lanes = tiling.tile.lanes;
        let matmul = &matmul;
        RowStream { matmul, lanes }.emit(builder)?;
        builder.erase(operation)?;
        return Ok(());
    }
    let tiled = TiledMatmul {
        matmul: &matmul,
        tiling,
        overwrite: fill::fold_zero_fill(builder, operation)?,
    };
    tiled.emit(builder)?;
    builder.erase(operation)?;
    Ok(())
}

/// A matrix product and its tiling.
struct TiledMatmul<'a, 'c> {
    matmul: &'a Matmul<'c>,
    tiling: Tiling,
    /// Whether the result starts from zeros that are not stored.
    overwrite: bool,
}

/// The scratch of a task: lhs and rhs, if they are packed.
#[derive(Clone, Copy)]
struct Scratch<'c> {
    lhs: Option<Value<'c>>,
    rhs: Option<Value<'c>>,
}

impl<'c> TiledMatmul<'_, 'c> {
    /// Tiles of the result along m.
    fn row_panels(&self) -> i64 {
        (self.matmul.rows() + self.tiling.tile.rows - 1) / self.tiling.tile.rows
    }

    /// Tiles of the result along n, including a partial one at the edge.
    fn column_panels(&self) -> i64 {
        (self.matmul.columns() + self.tiling.tile.columns - 1) / self.tiling.tile.columns
    }

    fn row_blocks(&self) -> i64 {
        (self.row_panels() + self.tiling.block_rows - 1) / self.tiling.block_rows
    }

    fn column_blocks(&self) -> i64 {
        let whole = self.matmul.columns() / self.tiling.tile.columns;
        ((whole + self.tiling.block_columns - 1) / self.tiling.block_columns).max(1)
    }

    fn emit(&self, builder: &Builder<'c>) -> Emitted<()> {
        let batch = self.matmul.batch_size();
        if batch >= BATCH {
            self.emit_batch(builder, batch)
        } else {
            self.emit_one_by_one(builder, batch)
        }
    }

    fn scratch(
        &self,
        builder: &Builder<'c>,
        lhs_count: i64,
        rhs_count: i64,
    ) -> Emitted<Scratch<'c>> {
        let Tiling {
            tile,
            block_k,
            block_rows,
            pack_lhs,
            pack_rhs,
            ..
        } = self.tiling;
        let element = self.matmul.accumulator();
        let lhs_dims = [lhs_count, block_rows, block_k, tile.rows];
        let rhs_dims = match pack_rhs {
            Packing::InTask => [lhs_count, 1, block_k, tile.columns],
            _ => [
                rhs_count,
                self.column_panels(),
                self.matmul.depth(),
                tile.columns,
            ],
        };
        Ok(Scratch {
            lhs: pack_lhs
                .then(|| loop_ops::alloc(builder, &lhs_dims, element))
                .transpose()?,
            rhs: (pack_rhs != Packing::None)
                .then(|| loop_ops::alloc(builder, &rhs_dims, element))
                .transpose()?,
        })
    }

    /// Few products: each is divided among the threads.
    fn emit_one_by_one(&self, builder: &Builder<'c>, batch: i64) -> Emitted<()> {
        let tasks = self.row_blocks() * self.column_blocks();
        let scratch = self.scratch(builder, tasks, 1)?;
        loop_ops::for_range(builder, batch, 1, |builder, number| {
            let ivs = self.matmul.ivs_of_batch(builder, number)?;
            let zero = loop_ops::index(builder, 0)?;
            if let (Some(packed), Packing::Whole) = (scratch.rhs, self.tiling.pack_rhs) {
                let panels = loop_ops::index(builder, self.column_panels())?;
                loop_ops::parallel(builder, panels, |builder, panel| {
                    self.pack_rhs(builder, &ivs, packed, vec![zero, panel], panel, None)
                })?;
            }
            let count = loop_ops::index(builder, tasks)?;
            loop_ops::parallel(builder, count, |builder, task| {
                self.emit_block(builder, &ivs, scratch, (task, zero), task)
            })?;
            Ok(())
        })
    }

    /// Many products: each is computed by one thread.
    fn emit_batch(&self, builder: &Builder<'c>, batch: i64) -> Emitted<()> {
        let share = (batch + BATCH_TASKS - 1) / BATCH_TASKS;
        let tasks = (batch + share - 1) / share;
        let scratch = self.scratch(builder, tasks, tasks)?;
        let count = loop_ops::index(builder, tasks)?;
        loop_ops::parallel(builder, count, |builder, task| {
            let (lower, upper) = piece_bounds(builder, task, batch, share)?;
            let one = loop_ops::index(builder, 1)?;
            loop_ops::for_loop(builder, (lower, upper, one), &[], |builder, number, _| {
                let ivs = self.matmul.ivs_of_batch(builder, number)?;
                if let (Some(packed), Packing::Whole) = (scratch.rhs, self.tiling.pack_rhs) {
                    loop_ops::for_range(builder, self.column_panels(), 1, |builder, panel| {
                        self.pack_rhs(builder, &ivs, packed, vec![task, panel], panel, None)
                    })?;
                }
                let blocks = self.row_blocks() * self.column_blocks();
                loop_ops::for_range(builder, blocks, 1, |builder, block| {
                    self.emit_block(builder, &ivs, scratch, (task, task), block)
                })?;
                Ok(Vec::new())
            })?;
            Ok(())
        })?;
        Ok(())
    }

    fn pack_rhs(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        target: Value<'c>,
        indices: Vec<Value<'c>>,
        panel: Value<'c>,
        range: Option<(Value<'c>, Value<'c>)>,
    ) -> Emitted<()> {
        let tile = self.tiling.tile;
        let range = match range {
            Some(range) => range,
            None => (
                loop_ops::index(builder, 0)?,
                loop_ops::index(builder, self.matmul.depth())?,
            ),
        };
        Panel {
            matmul: self.matmul,
            operand: RHS,
            across: Some(self.matmul.n),
            width: tile.columns,
            limit: self.matmul.columns(),
            first: loop_ops::scale(builder, panel, tile.columns)?,
            ivs,
            target,
            indices,
            lanes: tile.lanes,
        }
        .pack(builder, range)
    }

    /// One block of the result, over the whole of k.
    fn emit_block(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        scratch: Scratch<'c>,
        slots: (Value<'c>, Value<'c>),
        block: Value<'c>,
    ) -> Emitted<()> {
        let column_blocks = loop_ops::index(builder, self.column_blocks())?;
        let row_block = loop_ops::div(builder, block, column_blocks)?;
        let column_block = loop_ops::rem(builder, block, column_blocks)?;
        let depth = self.matmul.depth();
        if self.tiling.block_k >= depth {
            let bounds = (
                loop_ops::index(builder, 0)?,
                loop_ops::index(builder, depth)?,
            );
            return self.emit_range(
                builder,
                ivs,
                scratch,
                slots,
                (row_block, column_block),
                bounds,
            );
        }
        loop_ops::for_range(builder, depth, self.tiling.block_k, |builder, lower| {
            let length = loop_ops::index(builder, self.tiling.block_k)?;
            let mut upper = loop_ops::add(builder, lower, length)?;
            if depth % self.tiling.block_k != 0 {
                let end = loop_ops::index(builder, depth)?;
                upper = arith::minsi(builder, upper, end)?;
            }
            let blocks = (row_block, column_block);
            self.emit_range(builder, ivs, scratch, slots, blocks, (lower, upper))
        })
    }

    /// One block of the result, over a range of k.
    fn emit_range(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        scratch: Scratch<'c>,
        slots: (Value<'c>, Value<'c>),
        (row_block, column_block): (Value<'c>, Value<'c>),
        range: (Value<'c>, Value<'c>),
    ) -> Emitted<()> {
        let Tiling {
            tile,
            block_rows,
            block_columns,
            ..
        } = self.tiling;
        let (first_row, row_end) = piece_bounds(builder, row_block, self.row_panels(), block_rows)?;
        let one = loop_ops::index(builder, 1)?;
        if let Some(target) = scratch.lhs {
            loop_ops::for_loop(
                builder,
                (first_row, row_end, one),
                &[],
                |builder, panel, _| {
                    let number = loop_ops::sub(builder, panel, first_row)?;
                    Panel {
                        matmul: self.matmul,
                        operand: LHS,
                        across: self.matmul.m,
                        width: tile.rows,
                        limit: self.matmul.rows(),
                        first: loop_ops::scale(builder, panel, tile.rows)?,
                        ivs,
                        target,
                        indices: vec![slots.0, number],
                        lanes: tile.lanes,
                    }
                    .pack(builder, range)?;
                    Ok(Vec::new())
                },
            )?;
        }
        let zero = loop_ops::index(builder, 0)?;
        let tiles = |builder: &Builder<'c>, column_panel: Value<'c>, tile: Tile| {
            if let (Some(packed), Packing::InTask) = (scratch.rhs, self.tiling.pack_rhs) {
                let indices = vec![slots.0, zero];
                self.pack_rhs(builder, ivs, packed, indices, column_panel, Some(range))?;
            }
            loop_ops::for_loop(
                builder,
                (first_row, row_end, one),
                &[],
                |builder, panel, _| {
                    let position = (first_row, panel, column_panel);
                    self.emit_tile(builder, ivs, scratch, slots, position, tile, range)?;
                    Ok(Vec::new())
                },
            )?;
            Ok(())
        };
        let whole = self.matmul.columns() / tile.columns;
        if whole > 0 {
            let (lower, upper) = piece_bounds(builder, column_block, whole, block_columns)?;
            loop_ops::for_loop(builder, (lower, upper, one), &[], |builder, panel, _| {
                tiles(builder, panel, tile)?;
                Ok(Vec::new())
            })?;
        }
        let rest = self.matmul.columns() % tile.columns;
        if rest == 0 {
            return Ok(());
        }
        let edge = Tile {
            vectors: (rest + tile.lanes - 1) / tile.lanes,
            columns: rest,
            ..tile
        };
        let edge_panel = |builder: &Builder<'c>| {
            let panel = loop_ops::index(builder, whole)?;
            tiles(builder, panel, edge)
        };
        if self.column_blocks() == 1 {
            return edge_panel(builder);
        }
        // The last block includes the partial tiles.
        let last = loop_ops::index(builder, self.column_blocks() - 2)?;
        let is_last = arith::cmpi(builder, CmpIPredicate::Slt, last, column_block)?;
        scf::if_(builder, is_last, edge_panel).map(drop)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "all of these make the position of a tile"
    )]
    fn emit_tile(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        scratch: Scratch<'c>,
        slots: (Value<'c>, Value<'c>),
        (first_panel, row_panel, column_panel): (Value<'c>, Value<'c>, Value<'c>),
        tile: Tile,
        range: (Value<'c>, Value<'c>),
    ) -> Emitted<()> {
        let number = loop_ops::sub(builder, row_panel, first_panel)?;
        let kernel = MicroKernel {
            matmul: self.matmul,
            tile,
            ivs,
            row: loop_ops::scale(builder, row_panel, tile.rows)?,
            column: loop_ops::scale(builder, column_panel, self.tiling.tile.columns)?,
            lhs: scratch.lhs.map_or(Source::Direct, |memref| Source::Packed {
                memref,
                panel: vec![slots.0, number],
                first_k: Some(range.0),
            }),
            rhs: match (scratch.rhs, self.tiling.pack_rhs) {
                (Some(memref), Packing::Whole) => Source::Packed {
                    memref,
                    panel: vec![slots.1, column_panel],
                    first_k: None,
                },
                (Some(memref), Packing::InTask) => Source::Packed {
                    memref,
                    panel: vec![slots.0, loop_ops::index(builder, 0)?],
                    first_k: Some(range.0),
                },
                _ => Source::Direct,
            },
        };
        let sums = kernel.accumulate(builder, range)?;
        if !self.overwrite || self.tiling.block_k >= self.matmul.depth() {
            return kernel.write_back(builder, &sums, self.overwrite);
        }
        // From the second range of k on, the sums are added to the result.
        let one = loop_ops::index(builder, 1)?;
        let is_first = arith::cmpi(builder, CmpIPredicate::Slt, range.0, one)?;
        packing::if_else(
            builder,
            is_first,
            |builder| kernel.write_back(builder, &sums, true),
            |builder| kernel.write_back(builder, &sums, false),
        )
    }
}
