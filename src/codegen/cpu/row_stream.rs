//! Matrix products with few rows: B is read once, from its first byte to its
//! last.
//!
//! Such a product is as fast as B comes out of memory. A tile of C in registers
//! would walk down B in narrow columns, a page of memory for each step. Here
//! instead some rows of B are read along their whole length, and what they add
//! to C goes to memory, where a block of C stays in the first-level cache.

use super::micro_kernel::{convert, load_vector, multiply_add, store_vector};
use crate::loops::{
    contraction::Contraction,
    emit::{self, Emitted},
};
use halo_ir::ops::{
    arith::{self, CmpIPredicate},
    scf, vector,
};
use halo_ir::{Builder, Value, vector_type};
use melior::ir::ValueLike;

/// Elements of C that a task keeps in the cache.
const BLOCK: i64 = 4096;
/// Products that are added to C before it goes back to memory.
const TERMS: i64 = 32;

/// The product as a stream.
pub struct RowStream<'a, 'c> {
    pub contraction: &'a Contraction<'c>,
    /// Lanes of a vector.
    pub lanes: i64,
}

impl<'c> RowStream<'_, 'c> {
    /// Columns of C that one task does.
    fn block(&self) -> i64 {
        let block = (BLOCK / self.contraction.rows()).max(512);
        (block + self.lanes - 1) / self.lanes * self.lanes
    }

    /// Code for `C += A * B`.
    pub fn emit(&self, builder: &Builder<'c>) -> Emitted<()> {
        let contraction = self.contraction;
        let columns = contraction.size(contraction.n);
        let block = self.block();
        let blocks = (columns + block - 1) / block;
        let batch: i64 = contraction
            .batch
            .iter()
            .map(|dim| contraction.size(*dim))
            .product();
        let count = emit::index(builder, batch * blocks)?;
        emit::parallel(builder, count, |builder, task| {
            let block_count = emit::index(builder, blocks)?;
            let number = emit::div(builder, task, block_count)?;
            let position = emit::rem(builder, task, block_count)?;
            let ivs = contraction.ivs_of_batch(builder, number)?;
            let (lower, upper) =
                super::linalg_to_loops::piece_bounds(builder, position, columns, block)?;
            self.emit_block(builder, &ivs, (lower, upper))
        })?;
        Ok(())
    }

    fn emit_block(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        columns: (Value<'c>, Value<'c>),
    ) -> Emitted<()> {
        let inner = self.contraction.size(self.contraction.k);
        let together = (TERMS / self.contraction.rows()).clamp(1, 8);
        let whole = inner - inner % together;
        let bounds = |lower, upper, step| {
            Ok((
                emit::index(builder, lower)?,
                emit::index(builder, upper)?,
                emit::index(builder, step)?,
            ))
        };
        for (lower, upper, step) in [(0, whole, together), (whole, inner, 1)] {
            if lower == upper {
                continue;
            }
            emit::for_loop(
                builder,
                bounds(lower, upper, step)?,
                &[],
                |builder, k, _| {
                    self.emit_rows(builder, ivs, (k, step), columns)?;
                    Ok(Vec::new())
                },
            )?;
        }
        Ok(())
    }

    /// Adds the products with some rows of B.
    fn emit_rows(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        (first, together): (Value<'c>, i64),
        (lower, upper): (Value<'c>, Value<'c>),
    ) -> Emitted<()> {
        let contraction = self.contraction;
        let mut factors = Vec::new();
        let mut rows_of_b = Vec::new();
        for number in 0..together {
            let offset = emit::index(builder, number)?;
            let k = emit::add(builder, first, offset)?;
            rows_of_b.push(k);
            for row in 0..contraction.rows() {
                let mut ivs = ivs.to_vec();
                ivs[contraction.k] = k;
                if let Some(m) = contraction.m {
                    ivs[m] = emit::index(builder, row)?;
                }
                let value = contraction.a.access.load(builder, &ivs)?;
                let accumulator = contraction.accumulator;
                let value = convert(builder, &contraction.a, value, accumulator, None)?;
                let r#type = vector_type(&[self.lanes], accumulator);
                factors.push(vector::broadcast(builder, value, r#type)?);
            }
        }
        let lanes = emit::index(builder, self.lanes)?;
        let columns = contraction.size(contraction.n);
        if columns % self.lanes == 0 {
            emit::for_loop(builder, (lower, upper, lanes), &[], |builder, n, _| {
                self.emit_vector(builder, ivs, &factors, &rows_of_b, n, None)?;
                Ok(Vec::new())
            })?;
            return Ok(());
        }
        // Vectors inside C, then one that sticks out, where there is one.
        let length = emit::sub(builder, upper, lower)?;
        let vectors = emit::div(builder, length, lanes)?;
        let inside = emit::mul(builder, vectors, lanes)?;
        let end = emit::add(builder, lower, inside)?;
        emit::for_loop(builder, (lower, end, lanes), &[], |builder, n, _| {
            self.emit_vector(builder, ivs, &factors, &rows_of_b, n, None)?;
            Ok(Vec::new())
        })?;
        let sticks_out = arith::cmpi(builder, CmpIPredicate::Slt, end, upper)?;
        scf::if_(builder, sticks_out, |builder| {
            let left = columns % self.lanes;
            let mask = super::micro_kernel::constant_mask(builder, left, self.lanes)?;
            self.emit_vector(builder, ivs, &factors, &rows_of_b, end, Some(mask))
        })
        .map(drop)
    }

    /// One vector of each row of C.
    fn emit_vector(
        &self,
        builder: &Builder<'c>,
        ivs: &[Value<'c>],
        factors: &[Value<'c>],
        rows_of_b: &[Value<'c>],
        n: Value<'c>,
        mask: Option<Value<'c>>,
    ) -> Emitted<()> {
        let contraction = self.contraction;
        let rows = contraction.rows();
        let mut ivs = ivs.to_vec();
        ivs[contraction.n] = n;
        let mut places = Vec::new();
        let mut sums = Vec::new();
        for row in 0..rows {
            if let Some(m) = contraction.m {
                ivs[m] = emit::index(builder, row)?;
            }
            let indices = contraction.c.indices_at(builder, &ivs)?;
            let value = contraction.c.value;
            sums.push(load_vector(builder, value, &indices, self.lanes, mask)?);
            places.push(indices);
        }
        for (k, factors) in rows_of_b.iter().zip(factors.chunks(rows as usize)) {
            ivs[contraction.k] = *k;
            let access = &contraction.b.access;
            let indices = access.indices_at(builder, &ivs)?;
            let value = load_vector(builder, access.value, &indices, self.lanes, mask)?;
            let accumulator = contraction.accumulator;
            let value = convert(
                builder,
                &contraction.b,
                value,
                accumulator,
                Some(self.lanes),
            )?;
            for (sum, factor) in sums.iter_mut().zip(factors) {
                *sum = multiply_add(builder, *factor, value, *sum)?;
            }
        }
        for (indices, sum) in places.iter().zip(sums) {
            debug_assert!(halo_ir::shape_of(sum.r#type()).is_some());
            store_vector(builder, sum, contraction.c.value, indices, mask)?;
        }
        Ok(())
    }
}
