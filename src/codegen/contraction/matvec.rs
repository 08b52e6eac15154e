//! Products of a matrix with one or a few vectors, all contiguous along k. Each row of the matrix is
//! read once, so memory bandwidth bounds the speed.
//!
//! Row by row, a core has only one stream of addresses, and memory latency dominates. Here several
//! rows are read in parallel, one cache line of each in turn, and later lines are prefetched. The
//! sums of the rows stay in registers.

use super::{
    matmul::{LINE_BYTES, Matmul},
    vectors::{multiply_add, zero_vector},
};
use crate::loops::prelude::*;
use halo_core::machine::Machine;
use halo_ir::{ops::vector::CombiningKind, prelude::*};

/// Rows that are read in parallel, at most and with several vectors at least: each row and vector
/// have a sum in a register.
const ROWS: i64 = 8;
const LEAST_ROWS: i64 = 2;
/// The prefetch distance in bytes.
const AHEAD: i64 = 512;
/// Vectors of a row that are multiplied together.
const MOST_VECTORS: i64 = 4;
/// The minimum length of a row in cache lines.
const LEAST_LINES: i64 = 16;

/// The product of a matrix, rhs, and a vector or a few, the rows of lhs.
pub struct Matvec<'a, 'c> {
    matmul: &'a Matmul<'c>,
    /// Lanes per vector register, and registers per cache line.
    lanes: i64,
    vectors: i64,
    /// The rows of the matrix that are read in parallel.
    rows: i64,
}

impl<'a, 'c> Matvec<'a, 'c> {
    /// The matrix-vector form of a product, if it has few rows and its operands are contiguous along
    /// k.
    pub fn of(matmul: &'a Matmul<'c>, machine: &Machine) -> Option<Self> {
        let vector_bits = machine.vector_bits;
        let bits = i64::from(matmul.accumulator().bit_width()?);
        let line = LINE_BYTES * 8 / bits;
        let is_float = matmul.accumulator().is_float();
        let rows = match matmul.rows() {
            1 => ROWS,
            // Half of the registers have sums.
            vectors => {
                1 << (machine.vector_registers / 2 / vectors).checked_ilog2()?.min(ROWS.ilog2())
            }
        };
        (is_float
            && !matmul.contraction.is_promoted()
            && rows >= LEAST_ROWS
            && matmul.columns() % rows == 0
            && matmul.depth() >= LEAST_LINES * line
            && matmul.is_contiguous(LHS, matmul.k)
            && matmul.is_contiguous(RHS, matmul.k))
        .then(|| {
            let lanes = vector_bits / bits;
            let vectors = matmul.elements_in_line(RHS) / lanes;
            Self {
                matmul,
                lanes,
                vectors: vectors.clamp(1, MOST_VECTORS.max(LINE_BYTES * 8 / vector_bits)),
                rows,
            }
        })
    }

    /// Emits `result += lhs * rhs`, or with `overwrite`, `result = lhs * rhs`.
    pub fn emit(&self, builder: &Builder<'c>, overwrite: bool) {
        let groups = self.matmul.columns() / self.rows;
        scf::parallel_range(
            builder,
            self.matmul.batch_size() * groups,
            |builder, task| {
                let number = index::div(builder, task, groups);
                let group = index::rem(builder, task, groups);
                let ivs = self.matmul.ivs_of_batch(builder, number);
                let first = index::mul(builder, group, self.rows);
                let rows = (0..self.rows).map(|row| index::add(builder, first, row));
                let rows = rows.collect::<Vec<_>>();
                let sums = self.sums(builder, &ivs, &rows);
                for (vector, sums) in (0..).zip(sums.chunks(rows.len())) {
                    let ivs = self.ivs_of_vector(builder, &ivs, vector);
                    for (row, sum) in rows.iter().zip(sums) {
                        self.store(builder, &ivs, (*row, *sum), overwrite);
                    }
                }
            },
        );
    }

    /// The loop indices of a row of lhs.
    fn ivs_of_vector(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        vector: i64,
    ) -> Vec<Value<'c>> {
        let mut ivs = ivs.to_vec();
        if let Some(m) = self.matmul.m {
            ivs[m] = index::constant(builder, vector);
        }
        ivs
    }

    /// The sums of some rows with each vector, vector by vector.
    fn sums(&self, builder: &Builder<'c>, ivs: &[Value<'c>], rows: &[Value<'c>]) -> Vec<Value<'c>> {
        let (matmul, lanes) = (self.matmul, self.lanes);
        let (depth, accumulator) = (matmul.depth(), matmul.accumulator());
        let line = lanes * self.vectors;
        let at = |row: Option<Value<'c>>, k: Value<'c>| {
            let mut ivs = ivs.to_vec();
            ivs[matmul.k] = k;
            if let Some(row) = row {
                ivs[matmul.n] = row;
            }
            ivs
        };
        let bounds = |lower: i64, upper: i64, step: i64| {
            (
                index::constant(builder, lower),
                index::constant(builder, upper),
                index::constant(builder, step),
            )
        };
        let whole = depth - depth % line;
        let zero = zero_vector(builder, accumulator, lanes);
        let counts = (matmul.rows() as usize, rows.len());
        let zeros = vec![zero; counts.0 * counts.1];
        let vector_at = |builder: &Builder<'c>, vector: i64, k: Value<'c>| {
            self.ivs_of_vector(builder, &at(None, k), vector)
        };
        let in_line = bounds(0, whole, line);
        let sums = scf::for_(builder, in_line, &zeros, |builder, k, carried| {
            let next = index::add(builder, k, AHEAD / LINE_BYTES * line);
            let next = index::min(builder, next, depth - 1);
            let access = matmul.access(RHS);
            let memref = access.view(builder);
            for row in rows {
                let indices = access.indices_at(builder, &at(Some(*row), next));
                memref::prefetch(builder, memref, &indices, false, 3, true);
            }
            let mut sums = carried.to_vec();
            for vector in 0..self.vectors {
                let k = index::add(builder, k, vector * lanes);
                let lhs = (0..matmul.rows()).map(|vector| {
                    let ivs = vector_at(builder, vector, k);
                    matmul.load_vector(builder, LHS, &ivs, lanes, None)
                });
                let lhs = lhs.collect::<Vec<_>>();
                for (number, row) in rows.iter().enumerate() {
                    let rhs = matmul.load_vector(builder, RHS, &at(Some(*row), k), lanes, None);
                    for (lhs, sums) in lhs.iter().zip(sums.chunks_mut(counts.1)) {
                        sums[number] = multiply_add(builder, *lhs, rhs, sums[number]);
                    }
                }
            }
            sums
        })
        .results();
        let mut totals = Vec::new();
        for sum in sums {
            totals.push(vector::reduction(
                builder,
                CombiningKind::Add,
                sum,
                accumulator,
            ));
        }
        if whole == depth {
            return totals;
        }
        scf::for_(
            builder,
            bounds(whole, depth, 1),
            &totals,
            |builder, k, carried| {
                let rhs = rows.iter().map(|row| matmul.load(builder, RHS, &at(Some(*row), k)));
                let rhs = rhs.collect::<Vec<_>>();
                let mut sums = Vec::new();
                for (vector, carried) in (0..).zip(carried.chunks(counts.1)) {
                    let lhs = matmul.load(builder, LHS, &vector_at(builder, vector, k));
                    for (sum, rhs) in carried.iter().zip(&rhs) {
                        let product = arith::mulf(builder, lhs, *rhs);
                        sums.push(arith::addf(builder, *sum, product));
                    }
                }
                sums
            },
        )
        .results()
    }

    fn store(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        (row, sum): (Value<'c>, Value<'c>),
        overwrite: bool,
    ) {
        let result = self.matmul.access(RESULT);
        let mut ivs = ivs.to_vec();
        ivs[self.matmul.n] = row;
        let sum = if overwrite {
            sum
        } else {
            arith::addf(builder, result.load(builder, &ivs), sum)
        };
        result.store(builder, &ivs, sum)
    }
}
