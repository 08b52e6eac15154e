//! Products of groups by the instructions of ARM64 that multiply matrices.
//!
//! `bfmmla` and `smmla` multiply two rows of lhs by two columns of rhs, each a 64-bit group along
//! k, and add the products to the 2 x 2 accumulators. Panels of both operands store the groups of
//! one k contiguously, so that one load fills a register with two groups. After the loop, shuffles
//! turn the squares into rows:
//!
//! ```mlir
//! %s:16 = scf.for %k = ... iter_args(%s0, ...) -> (vector<4xi32>, ...) {
//!   // 4 vector.load of rhs, and 4 of lhs, as vector<2xi64>
//!   %n0 = llvm.call_intrinsic "llvm.aarch64.neon.smmla.v4i32.v16i8"(%s0, %lhs0, %rhs0) : ...
//! }
//! %first = vector.shuffle %s#0, %s#1 [0, 1, 4, 5] : vector<4xi32>, vector<4xi32>
//! %second = vector.shuffle %s#0, %s#1 [2, 3, 6, 7] : vector<4xi32>, vector<4xi32>
//! ```
//!
//! The registers are NEON registers even on 256-bit SVE: Neoverse V1 executes four NEON or two SVE
//! multiplications per cycle (Arm Neoverse V1 Software Optimization Guide, "ASIMD integer
//! instructions", "SVE integer instructions").
//!
//! `bfmmla` rounds to odd if it does not round once, which at most doubles the rounding error of an
//! f32 addition (Arm Architecture Reference Manual, `BFMatMulAdd`).

use super::{
    Bf16Products, Group, Instructions, IntegerProducts, Range, bytes::ByteProduct, intrinsic,
};
use crate::contraction::{
    kernel::MicroKernel,
    shape::Shape,
    vectors::{load_vector, zero_vector},
};
use halo_ir::prelude::*;

/// Rows of a kernel's tile.
pub const ROWS: i64 = 8;
/// Rows and columns of a square, and accumulators per register.
const SIDE: i64 = 2;
pub const LANES: i64 = 4;

impl Group {
    /// The groups of a bf16 and of a byte product for matrix-multiply instructions.
    pub(super) fn in_squares(
        shape: &Shape,
        instructions: Instructions,
        lanes: i64,
    ) -> [Option<Self>; 2] {
        let has_bf16 = instructions.bf16_products == Bf16Products::Bfmmla;
        let has_bytes = instructions.integer_products == IntegerProducts::Smmla;
        let bf16 = (has_bf16 && shape.is_of(FloatKind::BF16)).then_some(Self::Bf16Quad);
        let bytes = shape.signs_of_integers(8).filter(|_| has_bytes);
        let bytes = bytes.and_then(ByteProduct::of_squares).map(Self::ByteOctet);
        [bf16, bytes].map(|group| group.filter(|_| lanes >= LANES))
    }

    /// The intrinsic that multiplies matrices of groups, and the number type of its operands.
    fn square_product<'c>(self, builder: &Builder<'c>) -> (&'static str, Type<'c>) {
        let context = builder.context();
        match self {
            Self::Bf16Quad => ("llvm.aarch64.neon.bfmmla", Type::bfloat16(context)),
            Self::ByteOctet(product) => {
                let name = match product.is_signed() {
                    [true, _] => "llvm.aarch64.neon.smmla.v4i32.v16i8",
                    [false, false] => "llvm.aarch64.neon.ummla.v4i32.v16i8",
                    [false, true] => "llvm.aarch64.neon.usmmla.v4i32.v16i8",
                };
                (name, integer_type(context, 8))
            }
            _ => bug("no instruction multiplies matrices of these"),
        }
    }
}

impl<'c> MicroKernel<'_, 'c> {
    /// The accumulators, row by row, after a range of k.
    pub(super) fn accumulate_squares(
        &self,
        builder: &Builder<'c>,
        group: Group,
        (lhs, rhs, length): Range<'_, 'c>,
    ) -> Vec<Value<'c>> {
        let (name, number) = group.square_product(builder);
        let numbers = vector_type(&[SIDE * group.size()], number);
        let rows: Vec<i64> = (0..self.tile.rows).step_by(SIDE as usize).collect();
        let columns: Vec<i64> = (0..self.tile.width()).step_by(SIDE as usize).collect();
        let zero = zero_vector(builder, self.matmul.accumulator(), LANES);
        let sums_type = vector_type(&[LANES], self.matmul.accumulator());
        let initial = vec![zero; rows.len() * columns.len()];
        let bounds = (0, length, 1);
        let squares = scf::for_(builder, bounds, &initial, |builder, place, sums| {
            let load = |operand: &super::Groups<'_, 'c>, lanes: &[i64]| {
                let k = index::add(builder, operand.first, place);
                let load = |lane: &i64| {
                    let indices = [operand.panel, &[k, index::constant(builder, *lane)]].concat();
                    let groups = load_vector(builder, operand.memref, &indices, SIDE, None);
                    vector::bitcast(builder, groups, numbers)
                };
                lanes.iter().map(load).collect::<Vec<_>>()
            };
            let rhs = load(rhs, &columns);
            let lhs = load(lhs, &rows);
            let pairs = lhs.iter().flat_map(|lhs| rhs.iter().map(move |rhs| (lhs, rhs)));
            pairs
                .zip(sums)
                .map(|((lhs, rhs), sum)| intrinsic(builder, name, &[*sum, *lhs, *rhs], sums_type))
                .collect::<Vec<_>>()
        })
        .results();
        let mut result = Vec::new();
        for row in squares.chunks(columns.len()) {
            for lanes in [[0, 1, 4, 5], [2, 3, 6, 7]] {
                for pair in row.chunks(2) {
                    let [left, right] = pair else {
                        bug("a vector of sums has one square");
                    };
                    result.push(vector::shuffle(builder, *left, *right, &lanes));
                }
            }
        }
        result
    }
}
