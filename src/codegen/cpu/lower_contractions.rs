//! `--halo-lower-contractions`: matrix products on buffers as packed panels and
//! a register-tiled kernel.
//!
//! What decides the speed of a matrix product is that the innermost loop does
//! nothing but multiply and add on registers. So the vectors are written here
//! rather than left to a vectorizer: a tile of C is held in registers over a
//! range of k, A and B are read from copies that lie in the order of the reads,
//! and what is read again lies in the cache by then.
//!
//! ```mlir
//! linalg.matmul ins(%a, %b : memref<256x64xf32>, memref<64x512xf32>)
//!               outs(%c : memref<256x512xf32>)
//! ```
//!
//! becomes, for vectors of 512 bits and tiles of 8 rows by 2 vectors,
//!
//! ```mlir
//! %bp = memref.alloc() : memref<1x16x64x32xf32>     // B as [N/32][K][32]
//! scf.parallel (%j) = (%c0) to (%c16) step (%c1) { pack a panel of B }
//! %ap = memref.alloc() : memref<...x16x64x8xf32>    // A as [M/8][K][8]
//! scf.parallel (%task) = ... {                      // blocks of C
//!   scf.for %k0 = ... {                             // blocks of K
//!     pack the rows of A of this block
//!     scf.for %j = ... {                            // tiles of C
//!       scf.for %i = ... {
//!         %acc:16 = scf.for %k = ... iter_args(...) -> (vector<16xf32>, ...) {
//!           // 2 vector.load of B, 8 broadcasts of A, 16 vector.fma
//!         }
//!         C tile += %acc
//! ```
//!
//! Nothing is packed that is read once: A is read where it lies if C has few
//! columns; and if C has few rows, so that B decides, it is streamed through
//! ([`super::row_stream`]). Left to `--halo-linalg-to-loops` are products
//! too small for any of this, and those that are dot products along contiguous
//! rows, which its row reductions already do at the speed of memory.

use super::{
    micro_kernel::{MicroKernel, Source, Tile},
    normalize_contraction::normalize_contraction,
    packing::Panel,
    row_stream::RowStream,
};
use crate::loops::{
    contraction::Contraction,
    emit::{self, Emitted},
    fill,
    loop_nest::Expr,
};
use halo_ir::pass::{
    OptionKind, PassDeclaration, PassFailure, PassInvocation, PassOption, emit_error,
};
use halo_ir::{
    Builder, FloatKind, Operation, Value, bits_of, collect_operations, element_type, float_kind,
    is_structured,
    ops::{
        Op,
        arith::{self, CmpIPredicate},
        func, scf,
    },
    with_builder,
};
use melior::ir::{ValueLike, operation::OperationLike};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "halo-lower-contractions",
    summary: "Lower matrix products on buffers to packed panels and register tiles",
    anchor: func::FuncOp::NAME,
    dependent_dialects: &["arith", "linalg", "memref", "scf", "vector"],
    options: &[PassOption {
        name: "vector-bits",
        description: "Width of a vector register: 128, 256 or 512",
        default: "512",
        kind: OptionKind::Integer,
    }],
    run,
};

/// Products of fewer multiplications are left to plain loops.
const SMALL: i64 = 4096;
/// Rows of C that a task does at least, if there are as many.
const BLOCK_ROWS: i64 = 128;
/// The longest range of k that is done at once.
const BLOCK_K: i64 = 512;
/// Of a product with this many rows or fewer, B is streamed through.
const STREAMED_ROWS: i64 = 8;
/// Tasks that there should be at least.
const TASKS: i64 = 16;
/// Products of a batch are done whole, one task for several, from this many.
const BATCH: i64 = 4;
/// Tasks that a batch is divided into at most. Each has scratch of its own.
const BATCH_TASKS: i64 = 32;

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    let bits = invocation.integer("vector-bits");
    if !matches!(bits, 128 | 256 | 512) {
        emit_error(
            invocation.operation().location(),
            "vector-bits must be 128, 256 or 512",
        );
        return Err(PassFailure);
    }
    for operation in collect_operations(invocation.operation(), is_structured) {
        let lowered = with_builder(operation, |builder| lower(builder, operation, bits));
        if let Err(error) = lowered {
            emit_error(operation.location(), &format!("internal error: {error}"));
            return Err(PassFailure);
        }
    }
    Ok(())
}

fn lower<'c>(builder: &Builder<'c>, operation: Operation<'c>, bits: i64) -> Emitted<()> {
    let operation = normalize_contraction(builder, operation, SMALL)?;
    let Some(contraction) = Contraction::of(builder, operation)? else {
        return Ok(());
    };
    let Some(plan) = Plan::of(&contraction, bits) else {
        return Ok(());
    };
    if plan.pack_b == Packing::None && !contraction.is_promoted() {
        let lanes = plan.tile.lanes;
        RowStream {
            contraction: &contraction,
            lanes,
        }
        .emit(builder)?;
        builder.erase(operation)?;
        return Ok(());
    }
    let overwrite = fill::fold_zero_fill(builder, operation)?;
    let product = Product {
        contraction: &contraction,
        plan,
        overwrite,
    };
    product.emit(builder)?;
    builder.erase(operation)?;
    Ok(())
}

/// How a product is divided.
#[derive(Clone, Copy, Debug)]
struct Plan {
    tile: Tile,
    /// Elements of k done at once.
    block_k: i64,
    /// Tiles below each other in a block of C.
    block_rows: i64,
    /// Whole tiles side by side in a block of C.
    block_columns: i64,
    pack_a: bool,
    pack_b: Packing,
}

/// Where the packed form of B is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    /// Nowhere: B is read as it is.
    None,
    /// By the task that reads it, a panel at a time, in scratch that stays in
    /// the cache: right if no other task reads the same panel.
    InTask,
    /// Before all tasks, as a whole.
    Whole,
}

impl Plan {
    fn of(contraction: &Contraction, bits: i64) -> Option<Self> {
        let (rows, columns, inner) = (
            contraction.rows(),
            contraction.size(contraction.n),
            contraction.size(contraction.k),
        );
        let work = rows.saturating_mul(columns).saturating_mul(inner);
        let empty = contraction.nest.is_empty();
        if empty || work < SMALL {
            return None;
        }
        let b = &contraction.b.access;
        let rows_of_b =
            b.stride(contraction.n) == 1 && b.indices.last() == Some(&Expr::Dim(contraction.n));
        if rows == 1 && !rows_of_b {
            return None;
        }
        let register = bits / i64::from(bits_of(contraction.accumulator)?);
        let lanes = register.min((columns as u64).next_power_of_two() as i64);
        let wide = bits == 512;
        let registers = if wide { 16 } else { 12 };
        let needed = (columns + lanes - 1) / lanes;
        // Few rows leave registers for more columns.
        let most_rows = if wide { 8 } else { 4 };
        let tile_rows = rows.min(most_rows);
        let vectors = (registers / tile_rows).min(needed).min(8);
        // Few columns leave registers for more rows, which a packed panel of A
        // has as a power of two.
        let tile = Tile {
            rows: tile_rows,
            vectors,
            lanes,
            columns: vectors * lanes,
        };
        let pack_a = rows > tile_rows && columns > 2 * tile.columns;
        let narrow = matches!(
            float_kind(element_type(contraction.c.value.r#type())),
            Some(FloatKind::BF16 | FloatKind::F16)
        );
        // Sums that C would round between the blocks are made in one.
        let blocks = if narrow {
            1
        } else {
            (inner + BLOCK_K - 1) / BLOCK_K
        };
        let block_k = (((inner + blocks - 1) / blocks + 15) / 16 * 16).min(inner);
        let panels = (rows + tile_rows - 1) / tile_rows;
        let block_rows = (BLOCK_ROWS / tile_rows).clamp(1, panels);
        let row_blocks = (panels + block_rows - 1) / block_rows;
        let pack_b = if rows_of_b && rows <= STREAMED_ROWS {
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
            pack_a,
            pack_b,
        })
    }
}

/// A product on its way to code.
struct Product<'a, 'c> {
    contraction: &'a Contraction<'c>,
    plan: Plan,
    overwrite: bool,
}

/// Where a task finds its scratch: packed A and B, and the index of its part.
#[derive(Clone, Copy)]
struct Scratch<'c> {
    a: Option<Value<'c>>,
    b: Option<Value<'c>>,
}

impl<'c> Product<'_, 'c> {
    fn columns(&self) -> i64 {
        self.contraction.size(self.contraction.n)
    }

    fn inner(&self) -> i64 {
        self.contraction.size(self.contraction.k)
    }

    /// Tiles below each other in C.
    fn row_panels(&self) -> i64 {
        (self.contraction.rows() + self.plan.tile.rows - 1) / self.plan.tile.rows
    }

    /// Tiles side by side in C, a partial one at the edge included.
    fn column_panels(&self) -> i64 {
        (self.columns() + self.plan.tile.columns - 1) / self.plan.tile.columns
    }

    fn row_blocks(&self) -> i64 {
        (self.row_panels() + self.plan.block_rows - 1) / self.plan.block_rows
    }

    fn column_blocks(&self) -> i64 {
        let whole = self.columns() / self.plan.tile.columns;
        ((whole + self.plan.block_columns - 1) / self.plan.block_columns).max(1)
    }

    fn emit(&self, builder: &Builder<'c>) -> Emitted<()> {
        let batch: i64 = self
            .contraction
            .batch
            .iter()
            .map(|dim| self.contraction.size(*dim))
            .product();
        if batch >= BATCH {
            self.emit_batch(builder, batch)
        } else {
            self.emit_one_by_one(builder, batch)
        }
    }

    fn scratch(&self, builder: &Builder<'c>, of_a: i64, of_b: i64) -> Emitted<Scratch<'c>> {
        let Plan {
            tile,
            block_k,
            block_rows,
            pack_a,
            pack_b,
            ..
        } = self.plan;
        let element = self.contraction.accumulator;
        let a_dims = [of_a, block_rows, block_k, tile.rows];
        let b_dims = match pack_b {
            Packing::InTask => [of_a, 1, block_k, tile.columns],
            _ => [of_b, self.column_panels(), self.inner(), tile.columns],
        };
        Ok(Scratch {
            a: pack_a
                .then(|| emit::alloc(builder, &a_dims, element))
                .transpose()?,
            b: (pack_b != Packing::None)
                .then(|| emit::alloc(builder, &b_dims, element))
                .transpose()?,
        })
    }

    /// Few products: each is divided among the threads.
    fn emit_one_by_one(&self, builder: &Builder<'c>, batch: i64) -> Emitted<()> {
        let tasks = self.row_blocks() * self.column_blocks();
        let scratch = self.scratch(builder, tasks, 1)?;
        emit::for_range(builder, batch, 1, |builder, number| {
            let ivs = self.contraction.ivs_of_batch(builder, number)?;
            let zero = emit::index(builder, 0)?;
            if let (Some(packed), Packing::Whole) = (scratch.b, self.plan.pack_b) {
                let panels = emit::index(builder, self.column_panels())?;
                emit::parallel(builder, panels, |builder, panel| {
                    self.pack_b(builder, &ivs, packed, vec![zero, panel], panel, None)
                })?;
            }
            let count = emit::index(builder, tasks)?;
            emit::parallel(builder, count, |builder, task| {
                self.emit_block(builder, &ivs, scratch, (task, zero), task)
            })?;
            Ok(())
        })
    }

    /// Many products: each is done by one thread.
    fn emit_batch(&self, builder: &Builder<'c>, batch: i64) -> Emitted<()> {
        let share = (batch + BATCH_TASKS - 1) / BATCH_TASKS;
        let tasks = (batch + share - 1) / share;
        let scratch = self.scratch(builder, tasks, tasks)?;
        let count = emit::index(builder, tasks)?;
        emit::parallel(builder, count, |builder, task| {
            let (lower, upper) = super::linalg_to_loops::piece_bounds(builder, task, batch, share)?;
            let one = emit::index(builder, 1)?;
            emit::for_loop(builder, (lower, upper, one), &[], |builder, number, _| {
                let ivs = self.contraction.ivs_of_batch(builder, number)?;
                if let (Some(packed), Packing::Whole) = (scratch.b, self.plan.pack_b) {
                    emit::for_range(builder, self.column_panels(), 1, |builder, panel| {
                        self.pack_b(builder, &ivs, packed, vec![task, panel], panel, None)
                    })?;
                }
                let blocks = self.row_blocks() * self.column_blocks();
                emit::for_range(builder, blocks, 1, |builder, block| {
                    self.emit_block(builder, &ivs, scratch, (task, task), block)
                })?;
                Ok(Vec::new())
            })?;
            Ok(())
        })?;
        Ok(())
    }

    fn pack_b(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        target: Value<'c>,
        place: Vec<Value<'c>>,
        panel: Value<'c>,
        range: Option<(Value<'c>, Value<'c>)>,
    ) -> Emitted<()> {
        let tile = self.plan.tile;
        let range = match range {
            Some(range) => range,
            None => (
                emit::index(builder, 0)?,
                emit::index(builder, self.inner())?,
            ),
        };
        Panel {
            contraction: self.contraction,
            factor: &self.contraction.b,
            across: Some(self.contraction.n),
            width: tile.columns,
            limit: self.columns(),
            first: emit::scale(builder, panel, tile.columns)?,
            ivs,
            target,
            place,
            lanes: tile.lanes,
        }
        .pack(builder, range)
    }

    /// One block of C, over the whole of k.
    fn emit_block(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        scratch: Scratch<'c>,
        slots: (Value<'c>, Value<'c>),
        block: Value<'c>,
    ) -> Emitted<()> {
        let column_blocks = emit::index(builder, self.column_blocks())?;
        let row_block = emit::div(builder, block, column_blocks)?;
        let column_block = emit::rem(builder, block, column_blocks)?;
        let inner = self.inner();
        if self.plan.block_k >= inner {
            let bounds = (emit::index(builder, 0)?, emit::index(builder, inner)?);
            return self.emit_range(
                builder,
                ivs,
                scratch,
                slots,
                (row_block, column_block),
                bounds,
            );
        }
        emit::for_range(builder, inner, self.plan.block_k, |builder, lower| {
            let length = emit::index(builder, self.plan.block_k)?;
            let mut upper = emit::add(builder, lower, length)?;
            if inner % self.plan.block_k != 0 {
                let end = emit::index(builder, inner)?;
                upper = arith::minsi(builder, upper, end)?;
            }
            let blocks = (row_block, column_block);
            self.emit_range(builder, ivs, scratch, slots, blocks, (lower, upper))
        })
    }

    /// One block of C, over a range of k.
    fn emit_range(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        scratch: Scratch<'c>,
        slots: (Value<'c>, Value<'c>),
        (row_block, column_block): (Value<'c>, Value<'c>),
        range: (Value<'c>, Value<'c>),
    ) -> Emitted<()> {
        let Plan {
            tile,
            block_rows,
            block_columns,
            ..
        } = self.plan;
        let (first_row, row_end) = super::linalg_to_loops::piece_bounds(
            builder,
            row_block,
            self.row_panels(),
            block_rows,
        )?;
        let one = emit::index(builder, 1)?;
        if let Some(target) = scratch.a {
            emit::for_loop(
                builder,
                (first_row, row_end, one),
                &[],
                |builder, panel, _| {
                    let number = emit::sub(builder, panel, first_row)?;
                    Panel {
                        contraction: self.contraction,
                        factor: &self.contraction.a,
                        across: self.contraction.m,
                        width: tile.rows,
                        limit: self.contraction.rows(),
                        first: emit::scale(builder, panel, tile.rows)?,
                        ivs,
                        target,
                        place: vec![slots.0, number],
                        lanes: tile.lanes,
                    }
                    .pack(builder, range)?;
                    Ok(Vec::new())
                },
            )?;
        }
        let zero = emit::index(builder, 0)?;
        let tiles = |builder: &Builder<'c>, column_panel: Value<'c>, tile: Tile| {
            if let (Some(packed), Packing::InTask) = (scratch.b, self.plan.pack_b) {
                let place = vec![slots.0, zero];
                self.pack_b(builder, ivs, packed, place, column_panel, Some(range))?;
            }
            emit::for_loop(
                builder,
                (first_row, row_end, one),
                &[],
                |builder, panel, _| {
                    let place = (first_row, panel, column_panel);
                    self.emit_tile(builder, ivs, scratch, slots, place, tile, range)?;
                    Ok(Vec::new())
                },
            )?;
            Ok(())
        };
        let whole = self.columns() / tile.columns;
        if whole > 0 {
            let (lower, upper) =
                super::linalg_to_loops::piece_bounds(builder, column_block, whole, block_columns)?;
            emit::for_loop(builder, (lower, upper, one), &[], |builder, panel, _| {
                tiles(builder, panel, tile)?;
                Ok(Vec::new())
            })?;
        }
        let rest = self.columns() % tile.columns;
        if rest == 0 {
            return Ok(());
        }
        let edge = Tile {
            vectors: (rest + tile.lanes - 1) / tile.lanes,
            columns: rest,
            ..tile
        };
        let edge_panel = |builder: &Builder<'c>| {
            let panel = emit::index(builder, whole)?;
            tiles(builder, panel, edge)
        };
        if self.column_blocks() == 1 {
            return edge_panel(builder);
        }
        // The last block has the partial tiles too.
        let last = emit::index(builder, self.column_blocks() - 2)?;
        let is_last = arith::cmpi(builder, CmpIPredicate::Slt, last, column_block)?;
        scf::if_(builder, is_last, edge_panel).map(drop)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the place of a tile is all of these"
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
        let number = emit::sub(builder, row_panel, first_panel)?;
        let kernel = MicroKernel {
            contraction: self.contraction,
            tile,
            ivs,
            row: emit::scale(builder, row_panel, tile.rows)?,
            column: emit::scale(builder, column_panel, self.plan.tile.columns)?,
            a: scratch.a.map_or(Source::Direct, |memref| Source::Packed {
                memref,
                panel: vec![slots.0, number],
                first_k: Some(range.0),
            }),
            b: match (scratch.b, self.plan.pack_b) {
                (Some(memref), Packing::Whole) => Source::Packed {
                    memref,
                    panel: vec![slots.1, column_panel],
                    first_k: None,
                },
                (Some(memref), Packing::InTask) => Source::Packed {
                    memref,
                    panel: vec![slots.0, emit::index(builder, 0)?],
                    first_k: Some(range.0),
                },
                _ => Source::Direct,
            },
        };
        let sums = kernel.accumulate(builder, range)?;
        if !self.overwrite || self.plan.block_k >= self.inner() {
            return kernel.write_back(builder, &sums, self.overwrite);
        }
        // What C holds counts from the second range of k on.
        let one = emit::index(builder, 1)?;
        let is_first = arith::cmpi(builder, CmpIPredicate::Slt, range.0, one)?;
        super::packing::if_else(
            builder,
            is_first,
            |builder| kernel.write_back(builder, &sums, true),
            |builder| kernel.write_back(builder, &sums, false),
        )
    }
}
