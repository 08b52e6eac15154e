//! Outer products by the tiles of SME.
//!
//! A tile has one row and one column per lane of a vector of sums: 16 on 512 bits for 32-bit sums,
//! 8 for f64. One instruction adds the outer product of a vector of lhs and a vector of rhs to it.
//! So panels of both operands store the elements of one k contiguously, and four tiles need two
//! vectors of each:
//!
//! | elements | sums | instruction |
//! |---|---|---|
//! | f32, f64 | the same | `fmopa` |
//! | two of bf16, of f16 | f32 | `bfmopa`, `fmopa` |
//! | four of 8 bits | i32 | `smopa`, `umopa`, `sumopa`, `usmopa` |
//!
//! ```mlir
//! scf.for %k = %c0 to %length step %c1 {
//!   %a0 = vector.load %lhs[%panel, %k, %c0] : memref<1x512x32xf32>, vector<16xf32>
//!   %a1 = vector.load %lhs[%panel, %k, %c16] : ...
//!   %b0 = vector.load %rhs[%panel, %k, %c0] : memref<4x512x32xf32>, vector<16xf32>
//!   %b1 = vector.load %rhs[%panel, %k, %c16] : ...
//!   llvm.call_intrinsic "llvm.aarch64.sme.mopa.nxv4f32"(%tile0, %all, %all, %a0, %b0) : ...
//!   // ... the other three
//! }
//! ```
//!
//! In f32 and f64, each product and sum is rounded once. `bfmopa` adds the products of a pair
//! before it accumulates them, rounds to odd as `bfmmla` does, and flushes subnormal numbers: tiles
//! whose sums may be subnormal use f32 multiply-adds at half the speed ([`super::exponents`]). No
//! product of two f16 numbers is subnormal in f32.

use super::{Group, Instructions, bytes::ByteProduct, exponents, sme, sve, unit};
use crate::contraction::{
    kernel::{MicroKernel, Present},
    pack::if_else,
    plan::even_division::ceil_div,
    shape::Shape,
    vectors::load_vector,
};
use halo_ir::prelude::*;

pass_options! {
    /// The SME outer-product instructions of a target.
    pub enum OuterProducts {
        /// None.
        None = "none",
        /// Outer products with 32-bit sums.
        Sme = "sme",
        /// Outer products with 32-bit and f64 sums.
        SmeF64 = "sme-f64f64",
    }
}

/// The minimum element size of the squares in which rows are transposed.
const SQUARE_BITS: i64 = 32;

/// The tiles of accumulators of a kernel.
const TILES: i64 = 4;

/// The elements of panels, groups or single numbers, if the target has outer products for a matrix
/// product.
pub fn elements(shape: &Shape, instructions: Instructions) -> Option<Option<Group>> {
    if instructions.outer_products == OuterProducts::None {
        return None;
    }
    let bytes = shape
        .signs_of_integers(8)
        .map(|signs| Group::ByteQuad(ByteProduct::of_tiles(signs)));
    let groups = [
        shape.is_of(FloatKind::BF16).then_some(Group::Bf16Pair),
        shape.is_of(FloatKind::F16).then_some(Group::F16Pair),
        bytes,
    ];
    // Rows of patches are packed in squares.
    let fits_patches = |size: i64| {
        let side = instructions.machine.vector_bits / SQUARE_BITS;
        shape.has_groups_of(size * side)
    };
    let fits = |group: &Group| shape.depth % group.size() == 0 && fits_patches(group.size());
    let group = groups.into_iter().flatten().find(fits);
    let has_numbers = match shape.accumulator.float {
        Some(FloatKind::F32) => true,
        Some(FloatKind::F64) => instructions.outer_products == OuterProducts::SmeF64,
        _ => false,
    };
    (group.is_some() || has_numbers && fits_patches(1)).then_some(group)
}

/// The sums in a row of a tile.
pub fn lanes(shape: &Shape, instructions: Instructions) -> Option<i64> {
    Some(instructions.streaming_bits / shape.accumulator.bits?)
}

/// The rows and vectors of the kernel's tile for a part of the result of the given size.
pub fn shape(rows: i64, columns: i64, lanes: i64) -> (i64, i64) {
    let [rows, columns] = [rows, columns].map(|size| ceil_div(size, lanes));
    let (rows, vectors) = match (rows, columns) {
        (1, _) => (1, columns.min(TILES)),
        (_, 1) => (rows.min(TILES), 1),
        _ => (2, 2),
    };
    (rows * lanes, vectors)
}

/// The instruction that adds products of elements to tiles.
#[derive(Clone, Copy)]
enum Instruction<'c> {
    /// An intrinsic with vector operands of this type.
    One(&'static str, Type<'c>),
    /// Products of pairs of bf16, in f32.
    MultiplyAdd,
}

impl<'c> MicroKernel<'_, 'c> {
    /// Computes the products of a range of k, and adds them to the result or stores them there.
    /// Runs in streaming mode.
    pub fn add_outer_products(
        &self,
        builder: &Builder<'c>,
        group: Option<Group>,
        range: (Value<'c>, Value<'c>),
        present: Present<'c>,
    ) {
        sme::zero(builder);
        let (lhs, rhs, length) = self.operands(builder, unit(group), range);
        let range = (&lhs, &rhs, length);
        let one = self.instruction(builder, group);
        match group {
            Some(Group::Bf16Pair) => {
                let is_normal = self.are_sums_normal(builder, &lhs, &rhs);
                if_else(
                    builder,
                    is_normal,
                    |builder| self.add_range(builder, range, one),
                    |builder| self.add_range(builder, range, Instruction::MultiplyAdd),
                );
            }
            _ => self.add_range(builder, range, one),
        }
        self.store_tiles(builder, present)
    }

    fn instruction(&self, builder: &Builder<'c>, group: Option<Group>) -> Instruction<'c> {
        let context = builder.context();
        match group {
            None => Instruction::One("mopa", self.matmul.accumulator()),
            Some(Group::Bf16Pair) => Instruction::One("mopa.wide", Type::bfloat16(context)),
            Some(Group::F16Pair) => Instruction::One("mopa.wide", Type::float16(context)),
            Some(Group::ByteQuad(product)) => {
                let name = match product.is_signed() {
                    [true, true] => "smopa.wide",
                    [true, false] => "sumopa.wide",
                    [false, true] => "usmopa.wide",
                    [false, false] => "umopa.wide",
                };
                Instruction::One(name, integer_type(context, 8))
            }
            Some(_) => bug("no tile adds up such groups"),
        }
    }

    /// Adds the products of a range of k to the tiles.
    fn add_range(
        &self,
        builder: &Builder<'c>,
        (lhs, rhs, length): super::Range<'_, 'c>,
        instruction: Instruction<'c>,
    ) {
        let lanes = self.tile.lanes;
        let bounds = (0, length, 1);
        scf::for_each(builder, bounds, |builder, place| {
            let load = |operand: &super::Groups<'_, 'c>, count: i64| {
                let k = index::add(builder, operand.first, place);
                let load = |number: i64| {
                    let lane = index::constant(builder, number * lanes);
                    let indices = [operand.panel, &[k, lane]].concat();
                    load_vector(builder, operand.memref, &indices, lanes, None)
                };
                (0..count).map(load).collect::<Vec<_>>()
            };
            let lhs = load(lhs, self.tile.rows / lanes);
            let rhs = load(rhs, self.tile.vectors);
            let pairs = lhs.iter().flat_map(|lhs| rhs.iter().map(|rhs| [*lhs, *rhs]));
            for (tile, factors) in (0..).zip(pairs) {
                instruction.add(builder, tile, factors);
            }
        })
    }

    /// Adds the rows of the tiles to the result, or stores them.
    fn store_tiles(&self, builder: &Builder<'c>, present: Present<'c>) {
        let (lanes, vectors) = (self.tile.lanes, self.tile.vectors);
        let ty = vector_type(&[lanes], self.matmul.accumulator());
        let side = index::constant(builder, lanes);
        let masks = &self.masks(builder)[..];
        for (number, first) in (0..self.tile.rows).step_by(lanes as usize).enumerate() {
            let first = index::constant(builder, first);
            let first = index::add(builder, self.row, first);
            let mut count = side;
            if self.matmul.rows() % self.tile.rows != 0 {
                let left = index::sub(builder, self.matmul.rows(), first);
                count = arith::minsi(builder, count, left);
            }
            scf::for_each(builder, (0, count, 1), |builder, row| {
                let tiles = number as i64 * vectors..;
                let values = tiles.take(vectors as usize);
                let values = values.map(|tile| sme::row(builder, tile, row, ty));
                let values = values.collect::<Vec<_>>();
                let row = index::add(builder, first, row);
                self.write_row(builder, (row, masks), &values, present);
            });
        }
    }
}

impl<'c> Instruction<'c> {
    /// Adds the products of elements of lhs and rhs to a tile.
    fn add(self, builder: &Builder<'c>, tile: i64, factors: [Value<'c>; 2]) {
        match self {
            Self::One(name, number) => {
                let [lhs, rhs] = factors.map(|groups| {
                    let groups = sve::register(builder, groups);
                    if groups.ty().element_type() == number {
                        groups
                    } else {
                        let numbers = sve::register_type(builder, number);
                        vector::bitcast(builder, groups, numbers)
                    }
                });
                sme::add_outer_product(builder, name, tile, [lhs, rhs])
            }
            // The last number of each pair first, as in other instructions.
            Self::MultiplyAdd => (0..Group::Bf16Pair.size()).rev().for_each(|place| {
                let [lhs, rhs] = factors.map(|groups| {
                    let numbers = exponents::number(builder, groups, place);
                    sve::register(builder, numbers)
                });
                sme::add_outer_product(builder, "mopa", tile, [lhs, rhs])
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_or_columns_have_four_tiles_of_the_others() {
        for (rows, columns, lanes, expected) in [
            (256, 384, 16, (32, 2)),
            (17, 17, 16, (32, 2)),
            (16, 300, 16, (16, 4)),
            (9, 40, 16, (16, 3)),
            (300, 10, 16, (64, 1)),
            (20, 16, 16, (32, 1)),
            (9, 9, 16, (16, 1)),
            (256, 384, 8, (16, 2)),
        ] {
            assert_eq!(shape(rows, columns, lanes), expected, "{rows} {columns}");
        }
    }
}
