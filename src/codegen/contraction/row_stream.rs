//! Contractions with few rows: rhs is read once, sequentially.
//!
//! Such a contraction is bound by the memory bandwidth of rhs. A register tile would read rhs in
//! narrow columns, touching a new page in each iteration. Instead, some rows of rhs are read along
//! their whole length, and their products are added to the result in memory, a block of which stays
//! in the L1 cache.
//!
//! If rows are divided among tasks, the next row of a task's part is out of reach of the hardware
//! prefetcher. If rhs comes from memory, the next rows are prefetched.

use super::{
    matmul::Matmul,
    plan::even_division::ceil_div,
    vectors::{constant_mask, load_vector, multiply_add, store_vector},
};
use crate::loops::{
    bounds::piece_bounds, lane_offsets::Unrolled, prelude::*, sizes::argument_bytes,
};
use halo_core::machine::Machine;
use halo_ir::{ops::halo, prelude::*};

/// Products that are summed before the result is stored, and those where the code is to be
/// small.
const TERMS: i64 = 32;
const FEW_TERMS: i64 = 8;
/// Bytes of rhs that are worth a task.
const TASK_BYTES: i64 = 2 << 20;
/// The least columns of a part of the rows: a page of them where nothing is prefetched.
const LEAST_COLUMNS: i64 = 1024;
const LEAST_COLD_COLUMNS: i64 = 256;

/// The contraction as a stream.
pub struct RowStream<'a, 'c> {
    pub matmul: &'a Matmul<'c>,
    /// Lanes of a vector.
    pub lanes: i64,
    /// The machine that code is for.
    pub machine: &'a Machine,
    /// Whether rhs is read from memory rather than from a cache.
    pub is_cold: bool,
    /// Whether to prefer short code to speed.
    pub is_small: bool,
}

/// Whether the arguments of a function exceed the caches, so that they are evicted between calls.
pub fn exceeds_caches(operation: Operation, machine: &Machine) -> bool {
    let Some(function) = operation.enclosing::<func::FuncOp>().map(|function| function.operation())
    else {
        return false;
    };
    let of_caller = function.attribute(halo::CALLER_BYTES).and_then(Attribute::integer_value);
    of_caller.unwrap_or_else(|| argument_bytes(function)) > machine.kept_bytes()
}

impl<'c> RowStream<'_, 'c> {
    /// Columns of the result per task.
    fn block(&self) -> i64 {
        let columns = self.matmul.columns();
        let rhs = self.matmul.access(RHS).ty().element_type();
        let bytes = columns * self.matmul.depth() * rhs.byte_width().unwrap_or(1) as i64;
        let least = if self.is_cold {
            LEAST_COLD_COLUMNS
        } else {
            LEAST_COLUMNS
        };
        let cores = self.machine.cores;
        let parts = match (bytes / TASK_BYTES).min(columns / least) {
            tasks if tasks >= cores => (tasks - tasks % cores).min(2 * cores),
            tasks => tasks.max(1),
        };
        // The first cache has the elements of the result, of four bytes or more.
        let most = (self.machine.half_of_first_cache() / 4 / self.matmul.rows()).max(512);
        let block = most.min(ceil_div(columns, parts));
        let step = self.lanes * self.vectors_in_line();
        ceil_div(block, step) * step
    }

    /// The vectors of a row of rhs that are read together: a cache line of narrow elements, which
    /// is prefetched once.
    fn vectors_in_line(&self) -> i64 {
        let elements = self.matmul.elements_in_line(RHS);
        if self.is_cold && elements > self.lanes && self.matmul.columns() % elements == 0 {
            elements / self.lanes
        } else {
            1
        }
    }

    /// Emits `result += lhs * rhs`.
    pub fn emit(&self, builder: &Builder<'c>) {
        let columns = self.matmul.columns();
        let block = self.block();
        let blocks = (columns + block - 1) / block;
        scf::parallel_range(
            builder,
            self.matmul.batch_size() * blocks,
            |builder, task| {
                let number = index::div(builder, task, blocks);
                let position = index::rem(builder, task, blocks);
                let ivs = self.matmul.ivs_of_batch(builder, number);
                let (lower, upper) = piece_bounds(builder, position, columns, block);
                self.emit_block(builder, &ivs, (lower, upper))
            },
        );
    }

    fn emit_block(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        columns: (Value<'c>, Value<'c>),
    ) {
        let inner = self.matmul.depth();
        let (terms, most) = if self.is_small {
            (FEW_TERMS, 2)
        } else {
            (TERMS, 8)
        };
        let together = (terms / self.matmul.rows()).clamp(1, most);
        let whole = inner - inner % together;
        for (lower, upper, step) in [(0, whole, together), (whole, inner, 1)] {
            if lower == upper {
                continue;
            }
            scf::for_each(builder, (lower, upper, step), |builder, k| {
                self.emit_rows(builder, ivs, (k, step), columns);
            });
        }
    }

    /// Adds the products with some rows of rhs.
    fn emit_rows(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        (first, together): (Value<'c>, i64),
        (lower, upper): (Value<'c>, Value<'c>),
    ) {
        let matmul = self.matmul;
        let mut multipliers = Vec::new();
        let mut rhs_rows = Vec::new();
        for number in 0..together {
            let k = index::add(builder, first, number);
            rhs_rows.push(k);
            for row in 0..matmul.rows() {
                let mut ivs = ivs.to_vec();
                ivs[matmul.k] = k;
                if let Some(m) = matmul.m {
                    ivs[m] = index::constant(builder, row);
                }
                let value = matmul.load(builder, LHS, &ivs);
                let ty = vector_type(&[self.lanes], matmul.accumulator());
                multipliers.push(vector::broadcast(builder, value, ty));
            }
        }
        let lanes = index::constant(builder, self.lanes);
        let columns = matmul.columns();
        if columns % self.lanes == 0 {
            let vectors = self.vectors_in_line();
            let step = index::constant(builder, vectors * self.lanes);
            scf::for_each(builder, (lower, upper, step), |builder, n| {
                if self.is_cold {
                    self.prefetch(builder, ivs, &rhs_rows, n);
                }
                for number in 0..vectors {
                    let n = index::add(builder, n, number * self.lanes);
                    self.emit_vector(builder, ivs, &multipliers, &rhs_rows, n, None);
                }
            });
            return;
        }
        // Whole vectors, then a partly out-of-bounds one, if any.
        let end = index::end_of_whole_steps(builder, (lower, upper), lanes);
        scf::for_each(builder, (lower, end, lanes), |builder, n| {
            if self.is_cold {
                self.prefetch(builder, ivs, &rhs_rows, n);
            }
            self.emit_vector(builder, ivs, &multipliers, &rhs_rows, n, None);
        });
        let sticks_out = arith::cmpi(builder, CmpIPredicate::Slt, end, upper);
        scf::if_(builder, sticks_out, |builder| {
            let left = columns % self.lanes;
            let mask = constant_mask(builder, left, self.lanes);
            if self.is_cold {
                self.prefetch(builder, ivs, &rhs_rows, end);
            }
            self.emit_vector(builder, ivs, &multipliers, &rhs_rows, end, Some(mask))
        });
    }

    /// Computes one vector of each row of the result.
    fn emit_vector(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        multipliers: &[Value<'c>],
        rhs_rows: &[Value<'c>],
        n: Value<'c>,
        mask: Option<Value<'c>>,
    ) {
        let matmul = self.matmul;
        let rows = matmul.rows();
        let result = matmul.access(RESULT);
        let memref = result.view(builder);
        let mut ivs = ivs.to_vec();
        ivs[matmul.n] = n;
        let mut targets = Vec::new();
        let mut sums = Vec::new();
        for row in 0..rows {
            if let Some(m) = matmul.m {
                ivs[m] = index::constant(builder, row);
            }
            let indices = result.indices_at(builder, &ivs);
            sums.push(load_vector(builder, memref, &indices, self.lanes, mask));
            targets.push(indices);
        }
        let chunks = rhs_rows.iter().zip(multipliers.chunks(rows as usize));
        for (number, (k, multipliers)) in (0..).zip(chunks) {
            ivs[matmul.k] = *k;
            let unrolled = Unrolled {
                dim: matmul.k,
                first: rhs_rows[0],
                number,
                count: rhs_rows.len() as i64,
            };
            let load = (self.lanes, mask);
            let value = matmul.load_unrolled_vector(builder, RHS, &ivs, load, unrolled);
            for (sum, multiplier) in sums.iter_mut().zip(multipliers) {
                *sum = multiply_add(builder, *multiplier, value, *sum);
            }
        }
        for (indices, sum) in targets.iter().zip(sums) {
            debug_assert!(sum.ty().shape().is_some());
            store_vector(builder, sum, memref, indices, mask);
        }
    }

    /// Prefetches the next rows of rhs at a column into the L2 cache.
    fn prefetch(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        rhs_rows: &[Value<'c>],
        n: Value<'c>,
    ) {
        let mut ivs = ivs.to_vec();
        ivs[self.matmul.n] = n;
        let rhs = self.matmul.access(RHS);
        let view = rhs.view(builder);
        for k in rhs_rows {
            let next = index::add(builder, *k, rhs_rows.len() as i64);
            ivs[self.matmul.k] = index::min(builder, next, self.matmul.depth() - 1);
            let indices = rhs.indices_at(builder, &ivs);
            memref::prefetch(builder, view, &indices, false, 2, true);
        }
    }
}
