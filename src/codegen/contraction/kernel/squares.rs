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

use super::{
    MicroKernel,
    groups::{Groups, Range},
};
use crate::contraction::{
    isa::{
        dot::Group,
        neon::{LANES, SIDE},
    },
    vectors::{load_vector, zero_vector},
};
use halo_ir::prelude::*;

impl<'c> MicroKernel<'_, 'c> {
    /// The accumulators, row by row, after a range of k.
    pub(super) fn accumulate_squares(
        &self,
        builder: &Builder<'c>,
        group: Group,
        (lhs, rhs, length): Range<'_, 'c>,
    ) -> Vec<Value<'c>> {
        let numbers = vector_type(&[SIDE * group.size()], group.dot.number.ty(builder));
        let rows: Vec<i64> = (0..self.tile.rows).step_by(SIDE as usize).collect();
        let columns: Vec<i64> = (0..self.tile.width()).step_by(SIDE as usize).collect();
        let zero = zero_vector(builder, self.matmul.accumulator(), LANES);
        let initial = vec![zero; rows.len() * columns.len()];
        let bounds = (0, length, 1);
        let squares = scf::for_(builder, bounds, &initial, |builder, place, sums| {
            let load = |operand: &Groups<'_, 'c>, lanes: &[i64]| {
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
                .map(|((lhs, rhs), sum)| group.add(builder, [*lhs, *rhs], *sum))
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
