//! Products of 8-bit integers in groups of four along k.
//!
//! | instructions | lhs x rhs |
//! |---|---|
//! | `vpdpbusd` (AVX-VNNI, AVX512-VNNI) | of different signs |
//! | also `vpdpbssd`, `vpdpbuud` (AVX-VNNI-INT8, AVX10.2) | all |
//! | `sdot`, `udot` (ARM64: NEON and SVE) | of the same sign |
//!
//! If the target has no instruction for the signedness of a product, lhs changes its signedness
//! when it is packed: flipping the sign bit adds 128 to signed numbers and subtracts 128 from
//! unsigned ones. This adds or subtracts 128 times the sum of each column of rhs, which does not
//! depend on lhs. Each block of rhs stores the negated correction after its groups, and the
//! accumulators of a tile start from it. The arithmetic is modulo 2^32.

use super::{IntegerProducts, intrinsic, sve};
use crate::contraction::{
    pack::Panel,
    vectors::{load_vector, store_vector, zero_vector},
};
use halo_ir::prelude::*;

/// Flips the sign bit of a number.
const SIGN: i64 = -128;
/// Independent partial sums per column, to hide the latency of additions.
const CHAINS: i64 = 4;
/// The 32-bit sums of a NEON register.
const NEON_LANES: i64 = 4;

/// The product of groups of four bytes, as packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteProduct {
    products: IntegerProducts,
    /// Whether lhs, as packed, and rhs are signed.
    is_signed: [bool; 2],
    /// Whether packing flips the signedness of lhs.
    is_flipped: bool,
}

impl ByteProduct {
    /// The product for the given signedness of lhs and rhs, if the target has an instruction for
    /// vectors of `lanes` sums.
    pub fn of(products: IntegerProducts, is_signed: [bool; 2], lanes: i64) -> Option<Self> {
        let as_stored = Self {
            products,
            is_signed,
            is_flipped: false,
        };
        let [lhs, rhs] = is_signed;
        let flipped = Self {
            is_signed: [!lhs, rhs],
            is_flipped: true,
            ..as_stored
        };
        let has_instruction = |product: &Self| product.intrinsic(product.lanes(lanes)).is_some();
        [as_stored, flipped].into_iter().find(has_instruction)
    }

    /// The accumulators per vector, if a vector of numbers has `lanes` lanes.
    pub(super) fn lanes(self, lanes: i64) -> i64 {
        match self.products {
            IntegerProducts::Sdot | IntegerProducts::Smmla => lanes.min(NEON_LANES),
            _ => lanes,
        }
    }

    /// The product by tiles of AMX or SME, which support all combinations of signs.
    pub(super) fn of_tiles(is_signed: [bool; 2]) -> Self {
        Self {
            products: IntegerProducts::Amx,
            is_signed,
            is_flipped: false,
        }
    }

    /// The product of matrices of groups of eight, if ARM64 has an instruction for the signs.
    pub(super) fn of_squares(is_signed: [bool; 2]) -> Option<Self> {
        let product = Self {
            products: IntegerProducts::Smmla,
            is_signed,
            is_flipped: false,
        };
        (is_signed != [true, false]).then_some(product)
    }

    /// Whether lhs, as packed, and rhs are signed.
    pub(super) fn is_signed(self) -> [bool; 2] {
        self.is_signed
    }

    /// Whether packing flips the signedness of lhs.
    pub fn is_flipped(self) -> bool {
        self.is_flipped
    }

    /// The intrinsic, and whether its first operand is rhs.
    fn intrinsic(self, lanes: i64) -> Option<(String, bool)> {
        let bits = lanes * 32;
        let word = |is_signed| if is_signed { 's' } else { 'u' };
        let [lhs, rhs] = self.is_signed;
        let is_mixed = lhs != rhs;
        match self.products {
            IntegerProducts::Vpdpbusd | IntegerProducts::Vpdpbssd | IntegerProducts::Amx
                if is_mixed && matches!(bits, 128 | 256 | 512) =>
            {
                Some((format!("llvm.x86.avx512.vpdpbusd.{bits}"), lhs))
            }
            IntegerProducts::Vpdpbssd if !is_mixed => {
                let set = match bits {
                    128 | 256 => "avx2",
                    512 => "avx10",
                    _ => return None,
                };
                let signs = word(lhs);
                Some((format!("llvm.x86.{set}.vpdpb{signs}{signs}d.{bits}"), false))
            }
            IntegerProducts::Sdot | IntegerProducts::Smmla
                if !is_mixed && matches!(bits, 64 | 128) =>
            {
                let numbers = 4 * lanes;
                let name = format!(
                    "llvm.aarch64.neon.{}dot.v{lanes}i32.v{numbers}i8",
                    word(lhs)
                );
                Some((name, false))
            }
            IntegerProducts::SveDot if !is_mixed && matches!(bits, 128 | 256 | 512) => {
                Some((format!("{}dot", word(lhs)), false))
            }
            _ => None,
        }
    }

    /// Adds the products of vectors of bytes to the accumulators.
    pub(super) fn build<'c>(
        self,
        builder: &Builder<'c>,
        lhs: Value<'c>,
        rhs: Value<'c>,
        sums: Value<'c>,
    ) -> Value<'c> {
        let lanes: i64 = sums.ty().static_shape().iter().flatten().product();
        let (name, is_swapped) = self
            .intrinsic(lanes)
            .unwrap_or_else(|| bug("no instruction multiplies these bytes"));
        let operands = if is_swapped {
            [sums, rhs, lhs]
        } else {
            [sums, lhs, rhs]
        };
        match self.products {
            IntegerProducts::SveDot => sve::call(builder, &name, &operands, None),
            _ => intrinsic(builder, &name, &operands, sums.ty()),
        }
    }

    /// Numbers of lhs with the signedness of the instruction.
    pub(super) fn lhs<'c>(self, builder: &Builder<'c>, numbers: Value<'c>) -> Value<'c> {
        if !self.is_flipped {
            return numbers;
        }
        let sign = arith::constant(builder, numbers.ty(), SIGN);
        arith::xori(builder, numbers, sign)
    }

    /// Stores the initial accumulators for each block of a range of k of rhs.
    pub(super) fn store_corrections<'c>(
        self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        block_k: i64,
    ) {
        let lanes = panel.width.min(panel.lanes);
        let i32 = integer_type(builder.context(), 32);
        let [zero, four] = [0, 4].map(|value| index::constant(builder, value));
        let (zero, four) = (zero, four);
        let chains = match panel.divisor % (4 * CHAINS) {
            0 => CHAINS,
            _ => 1,
        };
        let length = index::sub(builder, upper, lower);
        let at = |k: Value<'c>, lane: Value<'c>| [&panel.indices[..], &[k, lane]].concat();
        scf::for_each(builder, (zero, length, block_k), |builder, first| {
            let end = index::add(builder, first, block_k);
            let end = arith::minsi(builder, end, length);
            let [from, to] = [first, end].map(|k| index::div(builder, k, four));
            let (from, to) = (from, to);
            let row = correction_row(builder, panel.target, (first, block_k));
            let starts: Vec<i64> = (0..panel.width).step_by(lanes as usize).collect();
            let sums = self.sums_of_columns(builder, panel, (from, to, chains), &starts);
            for (start, sum) in starts.iter().zip(sums) {
                let zero = zero_vector(builder, i32, lanes);
                let lane = index::constant(builder, *start);
                let less = arith::subi(builder, zero, sum);
                store_vector(builder, less, panel.target, &at(row, lane), None);
            }
        })
    }

    /// 128 times the sums of columns, starting at some lanes, over a range of groups whose number
    /// is a multiple of `chains`. Each column has `chains` independent partial sums, which hide the
    /// latency of the additions.
    fn sums_of_columns<'c>(
        self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        (from, to, chains): (Value<'c>, Value<'c>, i64),
        starts: &[i64],
    ) -> Vec<Value<'c>> {
        let lanes = panel.width.min(panel.lanes);
        let bytes = vector_type(&[4 * lanes], integer_type(builder.context(), 8));
        let sign = arith::constant(builder, bytes, SIGN);
        let zero = zero_vector(builder, integer_type(builder.context(), 32), lanes);
        let initial = vec![zero; starts.len() * chains as usize];
        let bounds = (from, to, index::constant(builder, chains));
        let sums = scf::for_(builder, bounds, &initial, |builder, group, carried| {
            let mut next = Vec::new();
            for chain in 0..chains {
                let group = index::add(builder, group, chain);
                for start in starts {
                    let lane = index::constant(builder, *start);
                    let indices = [&panel.indices[..], &[group, lane]].concat();
                    let groups = load_vector(builder, panel.target, &indices, lanes, None);
                    let rhs = vector::bitcast(builder, groups, bytes);
                    next.push(self.build(builder, sign, rhs, carried[next.len()]));
                }
            }
            next
        })
        .results();
        let (first, others) = sums.split_at(starts.len());
        let mut total = first.to_vec();
        for chain in others.chunks(starts.len()) {
            for (total, sum) in total.iter_mut().zip(chain) {
                *total = arith::addi(builder, *total, *sum);
            }
        }
        total
    }
}

/// Interleaves four vectors of bytes to groups of four. The words of four bytes move to their
/// 128-bit lanes first, then bytes move within lanes: LLVM selects `vpermt2b`, `vpshufb` or `tbl`.
pub(super) fn interleave<'c>(builder: &Builder<'c>, rows: &[Value<'c>], lanes: i64) -> Value<'c> {
    let [i8, i32] = [8, 32].map(|bits| integer_type(builder.context(), bits));
    let words = vector_type(&[lanes / 4], i32);
    let rows = rows.iter().map(|row| vector::bitcast(builder, *row, words));
    let rows = rows.collect::<Vec<_>>();
    let both: Vec<i64> = (0..lanes / 2).collect();
    let [first, last] = [0, 2].map(|row| vector::shuffle(builder, rows[row], rows[row + 1], &both));
    let words = (0..lanes).map(|place| place % 4 * (lanes / 4) + place / 4);
    let words = vector::shuffle(builder, first, last, &words.collect::<Vec<_>>());
    let bytes = vector::bitcast(builder, words, vector_type(&[4 * lanes], i8));
    let places = (0..4 * lanes).map(|place| place / 16 * 16 + place % 4 * 4 + place % 16 / 4);
    let bytes = vector::shuffle(builder, bytes, bytes, &places.collect::<Vec<_>>());
    vector::bitcast(builder, bytes, vector_type(&[lanes], i32))
}

/// The row of a packed memref with the initial accumulators of a block of k; the first block has
/// the last row.
pub(super) fn correction_row<'c>(
    builder: &Builder<'c>,
    memref: Value<'c>,
    (k, block_k): (Value<'c>, i64),
) -> Value<'c> {
    let dims = memref.ty().static_shape().unwrap_or_default();
    let [.., rows, _] = dims[..] else {
        bug("a packed panel has no rows");
    };
    let number = index::div(builder, k, block_k);
    index::sub(builder, rows - 1, number)
}
