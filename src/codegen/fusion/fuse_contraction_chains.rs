//! `--halo-fuse-contraction-chains`: fuses dependent matrix products, tile by tile of rows.
//!
//! Attention is a product, a softmax of each row of its result, and another product. The matrix of
//! scores between them has a row for each query and a column for each key: it is much larger than
//! inputs and results, and is written and read several times. A tile of its rows stays in a cache.
//!
//! A *chain* is a last product with the ops that compute one of its operands from earlier products:
//! elementwise ops, broadcasts, reductions and reshapes. All of them share the loops over the batch
//! and the rows. These become one parallel loop over tiles of rows. Elementwise ops on the result
//! of the last product, such as a conversion, are in the loop too.
//!
//! ```mlir
//! %0 = linalg.generic (b, s, t, d) ins(%q, %k) outs(%scores : tensor<12x2048x2048xf32>)
//! %1 = linalg.generic (b, s, t) ins(%0) outs(%full : tensor<12x2048x2048xf32>) { exp }
//! %2 = linalg.generic (b, s, d, t) ins(%1, %v) outs(%zeros : tensor<12x2048x64xf32>)
//! ```
//!
//! becomes
//!
//! ```mlir
//! %2 = scf.forall (%i) in (192) shared_outs(%out = %empty) -> (tensor<12x2048x64xf32>) {
//!   %b, %s = ...                                   // a product of the batch, its first row
//!   %rows = tensor.extract_slice %q[%b, %s, 0] [1, 128, 64] [1, 1, 1]
//!   %keys = tensor.extract_slice %k[%b, 0, 0] [1, 2048, 64] [1, 1, 1]
//!   %3 = linalg.generic (s, t, d) ins(%rows, %keys) outs(... : tensor<128x2048xf32>)
//!   %4 = linalg.generic (s, t) ins(%3) outs(... : tensor<128x2048xf32>) { exp }
//!   %5 = linalg.generic (s, d, t) ins(%4, %values) outs(... : tensor<128x64xf32>)
//!   scf.forall.in_parallel {
//!     tensor.parallel_insert_slice %5 into %out[%b, %s, 0] [1, 128, 64] [1, 1, 1]
//!   }
//! }
//! ```
//!
//! Tiles omit dimensions with one element. The rows of a tile divide all rows if possible; else a
//! second loop computes the remainder. Reductions of rows in a tile are grouped at once
//! (`--halo-form-fusion-groups`), because that pass skips ops in parallel loops.
//!
//! The CPU pipeline has the pass only for vectors of at least 256 bits: with narrower vectors, the
//! loops of both products need too many registers.
//!
//! Every tile packs the other factor of each product again, such as the keys and the values of a
//! head. This must cost less than the saved memory traffic: therefore a chain is fused if the tile
//! is as large as the factors, as in attention, but not for layers with large weight matrices. The
//! option `explain` emits a remark with the reason why two products are not fused.
//!
//! If a cache holds few of the rows, a tile computes blocks of columns one after the other, with the
//! maximum and the sum of a softmax for the columns so far (`stream.rs`), and reads transposed
//! factors from their sources.

mod chain;
mod emit;
mod layout;
mod registers;
mod stream;
mod streamed;

use super::{blocks_around_loops, form_fusion_groups};
use crate::{
    explain::{Outcome, Reason},
    loops::aliases::is_in_parallel_loop,
};
use chain::{Chain, Kind, Member, product_before};
use halo_ir::prelude::*;
use layout::tile_size;
use stream::Stream;
use streamed::Blocks;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Report why two products are not fused
        explain: bool = false,
        /// The maximal rows of a tile
        most_rows: i64 = 128,
        /// The maximal bytes of the intermediate values of a tile
        tile_bytes: i64 = 1048576,
        /// The minimal bytes of an intermediate matrix; smaller ones stay in the caches
        fewest_bytes: i64 = 1048576,
        /// The minimal tiles of a chain, to occupy all threads
        fewest_tiles: i64 = 8,
        /// The minimal columns of a block, if the columns of a tile are computed in blocks
        fewest_columns: i64 = 256,
        /// Keep tiles in the registers of a GPU's warps. With fewer tiles than `fewest-tiles`, they
        /// have fewer rows; limits of rows, bytes and columns do not apply
        registers: bool = false,
        /// Keep tiles of f32 in registers, too: products are three of TF32
        registers_f32: bool = true,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-fuse-contraction-chains",
    "Fuse dependent matrix products, tile by tile of rows",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "linalg", "scf", "tensor"])
.options::<Options>();

/// The minimal rows of a tile for which packing the other factors is profitable.
const FEWEST_ROWS: i64 = 32;
/// The maximal bytes of the factors that each tile reads.
const FACTOR_BYTES: i64 = 8 << 20;
/// The rows of a tile are a multiple of this if they do not divide all rows.
const ROW_UNIT: i64 = 8;

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    let pass = &*invocation;
    let options = pass.options::<Options>();
    for block in blocks_around_loops(pass.operation()) {
        let operations = block.operations();
        if operations.first().is_some_and(|first| is_in_parallel_loop(*first)) {
            continue;
        }
        let products = operations.into_iter();
        let products: Vec<Operation> =
            products.filter(|op| Kind::of(*op) == Some(Kind::Contraction)).collect();
        // Ops of an earlier chain have been erased.
        for product in products.get(1..).unwrap_or_default() {
            fuse(*product, pass, &options)?;
        }
    }
    Ok(())
}

/// Fuses the chain that ends with a product, if it is profitable.
fn fuse(product: Operation, pass: &PassInvocation, options: &Options) -> Result<(), PassFailure> {
    let mut refusal = None;
    let mut found = None;
    for side in [0, 1] {
        match Chain::of(product, side) {
            Ok(mut chain) => match Tiles::of(&mut chain, options) {
                Ok(tiles) => {
                    found = Some((chain, tiles));
                    break;
                }
                Err(reason) => {
                    refusal = refusal.or(Some((None, chain.before(), reason)));
                }
            },
            Err(Some((op, reason))) => {
                refusal = refusal.or(Some((Some(op), product_before(op), reason)));
            }
            Err(None) => {}
        }
    }
    let Some((chain, tiles)) = found else {
        if let Some((op, before, reason)) = refusal.filter(|_| options.explain) {
            let decision = Outcome::NotComputedWithProduct.because(reason);
            let mut remark = decision.remark(pass, product);
            if let Some(before) = before {
                remark = remark.note(before, "the product before it");
            }
            if let Some(op) = op.filter(|op| Some(*op) != before) {
                remark.note(op, "this op");
            }
        }
        return Ok(());
    };
    let loops = chain.emit(&tiles);
    for forall in loops.into_iter().filter(|_| !options.registers) {
        let groups = form_fusion_groups::Options {
            explain: options.explain,
            ..Default::default()
        };
        if let Some(body) = forall.body(0) {
            form_fusion_groups::form_groups(body, pass, &groups)?;
        }
    }
    Ok(())
}

/// The tiles of a chain.
struct Tiles {
    /// The tiled axis of rows. A tile has one iteration of all other axes.
    axis: usize,
    /// The rows of a tile.
    rows: i64,
    /// The blocks of columns, if all columns of a tile exceed its memory.
    blocks: Option<Blocks>,
}

impl Tiles {
    /// The tiles of a chain, if they are profitable.
    fn of(chain: &mut Chain, options: &Options) -> Result<Self, Reason> {
        if options.registers {
            return Self::in_registers(chain, options);
        }
        let axes = &chain.axes;
        let rows = chain.rows.iter().copied();
        let axis = rows.max_by_key(|axis| axes.size(*axis));
        let axis = axis.ok_or(Reason::OneRow)?;
        let size = axes.size(axis);
        let others = chain.batch.iter().chain(&chain.rows).filter(|other| **other != axis);
        let others = others.fold(1, |count: i64, other| {
            count.saturating_mul(axes.size(*other))
        });

        let mut extents = chain.row_extents();
        let between = chain.between();
        let row_bytes = between.iter().map(|member| member.tile_bytes(axes, &extents));
        let row_bytes = row_bytes.max().unwrap_or(1).max(1);
        if row_bytes.saturating_mul(size).saturating_mul(others) < options.fewest_bytes {
            return Err(Reason::IntermediateCached);
        }
        let mut most_rows = options.most_rows.min(options.tile_bytes / row_bytes);
        let mut blocks = None;
        if most_rows < FEWEST_ROWS {
            let stream = Stream::of(chain).ok_or(Reason::FewRowsCached)?;
            most_rows = options.most_rows;
            let column_bytes = (row_bytes / axes.size(stream.axis)).max(1);
            let columns = options.tile_bytes / most_rows / column_bytes;
            if columns < options.fewest_columns.max(2) {
                return Err(Reason::FewRowsCached);
            }
            extents[stream.axis] = columns;
            blocks = Some(Blocks { stream, columns });
        }
        if size < FEWEST_ROWS {
            return Err(Reason::FewRows);
        }
        let rows = rows_of_tile(size, most_rows);
        if others.saturating_mul(size / rows) < options.fewest_tiles {
            return Err(Reason::TooFewTiles);
        }
        extents[axis] = rows;
        let reduces = between.iter().any(|member| member.reduces());
        let tile = between.iter().map(|member| member.result_elements(axes, &extents));
        let moved = tile.max().unwrap_or(0).saturating_mul(if reduces { 4 } else { 2 });
        let (factors, bytes) = chain.factors(axis, &extents);
        if moved < factors.saturating_mul(2) {
            return Err(Reason::PackingExceedsSavings);
        }
        // The rows of a streamed tile do not depend on the number of columns.
        if blocks.is_none() && bytes > FACTOR_BYTES {
            return Err(Reason::FactorsExceedCache);
        }
        if blocks.is_some() {
            chain.read_sources();
        }
        if chain.has_regular_tiles(&extents) {
            Ok(Self { axis, rows, blocks })
        } else {
            Err(Reason::IrregularTileStride)
        }
    }
}

/// The rows of a tile: the largest divisor of all rows up to `most`, or about equal tiles.
fn rows_of_tile(size: i64, most: i64) -> i64 {
    let most = most.min(size);
    let divisor = (most / 2 + 1..=most).rev().find(|rows| size % rows == 0);
    divisor.unwrap_or_else(|| {
        let tiles = (size + most - 1) / most;
        let rows = (size + tiles - 1) / tiles;
        ((rows + ROW_UNIT - 1) / ROW_UNIT * ROW_UNIT).min(most)
    })
}

impl<'c> Chain<'c> {
    /// The members between the products.
    fn between(&self) -> Vec<&Member<'c>> {
        let mut products = self.of_kind(Kind::Contraction);
        let last = products.next_back().map(|member| member.op);
        let is_between = |member: &&Member<'c>| match member.kind {
            Kind::Contraction => Some(member.op) != last,
            Kind::Elements => {
                !member.is_prologue && last.is_some_and(|last| member.op.is_before(last))
            }
            _ => false,
        };
        self.members.iter().filter(is_between).collect()
    }

    /// The elements and the bytes of the factors that all rows share.
    fn factors(&self, axis: usize, extents: &[i64]) -> (i64, i64) {
        let (mut elements, mut bytes) = (0_i64, 0_i64);
        for product in self.of_kind(Kind::Contraction) {
            for (number, dims) in product.operands[..2].iter().enumerate() {
                let dims: Vec<_> = dims.iter().map(|dim| self.axes.resolve(dim)).collect();
                let has_rows = dims.iter().flatten().any(|factor| factor.axis == Some(axis));
                if !has_rows {
                    let sizes = dims.iter().map(|dim| tile_size(dim, extents));
                    let count = sizes.fold(1, i64::saturating_mul);
                    elements = elements.saturating_add(count);
                    bytes =
                        bytes.saturating_add(count.saturating_mul(product.element_bytes(number)));
                }
            }
        }
        (elements, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_divide_the_rows_or_are_about_equal() {
        assert_eq!(rows_of_tile(2048, 128), 128);
        assert_eq!(rows_of_tile(1000, 128), 125);
        assert_eq!(rows_of_tile(192, 128), 96);
        assert_eq!(rows_of_tile(100, 128), 100);
        // Three equal tiles, instead of two tiles and one row.
        assert_eq!(rows_of_tile(257, 128), 88);
        assert_eq!(rows_of_tile(197, 128), 104);
        assert_eq!(rows_of_tile(1009, 50), 50);
    }
}
