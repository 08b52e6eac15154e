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
//! whose sums may be subnormal use f32 multiply-adds at half the speed ([`exponents`]). No
//! product of two f16 numbers is subnormal in f32.

use super::{
    MicroKernel, Present,
    groups::{Groups, Range},
};
use crate::contraction::{
    isa::{
        dot::{Group, Number, Sums, unit},
        sme, sve,
    },
    pack::{exponents, if_else},
    vectors::load_vector,
};
use halo_ir::prelude::*;

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
        match group.map(|group| group.dot.number) {
            Some(Number::Bf16) => {
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
        let Some(Group { dot, is_signed, .. }) = group else {
            return Instruction::One("mopa", self.matmul.accumulator());
        };
        match dot.sums {
            Sums::SmeTiles(name) => Instruction::One(name(is_signed), dot.number.ty(builder)),
            _ => bug("no tile adds up such groups"),
        }
    }

    /// Adds the products of a range of k to the tiles.
    fn add_range(
        &self,
        builder: &Builder<'c>,
        (lhs, rhs, length): Range<'_, 'c>,
        instruction: Instruction<'c>,
    ) {
        let lanes = self.tile.lanes;
        let bounds = (0, length, 1);
        scf::for_each(builder, bounds, |builder, place| {
            let load = |operand: &Groups<'_, 'c>, count: i64| {
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
            if !self.matmul.has_whole_tiles(self.tile.rows) {
                let left = index::sub(builder, self.matmul.row_count(builder), first);
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
            Self::MultiplyAdd => (0..sme::BFMOPA.size).rev().for_each(|place| {
                let [lhs, rhs] = factors.map(|groups| {
                    let numbers = exponents::number(builder, groups, place);
                    sve::register(builder, numbers)
                });
                sme::add_outer_product(builder, "mopa", tile, [lhs, rhs])
            }),
        }
    }
}
