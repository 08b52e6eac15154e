//! Products on tensor cores: fragments of registers and of workgroup memory.

use super::{
    code::{Code, HALVES, factor_of},
    elements::{Loops, Spot},
    factor::Factor,
    roles::{Product, Role},
};
use crate::{
    gpu::gpu_contractions::tensor_core::mma,
    loops::{contraction::Precision, prelude::*},
};
use halo_ir::prelude::*;

impl<'c> Code<'_, 'c> {
    /// Multiplies the rows of a factor by a factor in workgroup memory.
    pub(super) fn emit_product(
        &mut self,
        builder: &Builder<'c>,
        product: &Product<'c>,
        slot: usize,
    ) {
        let factor = factor_of(product);
        let result = product.op.operands()[RESULT];
        let ty = vector_type(&[2, 2], result.ty().element_type());
        let before = self.elements(result).to_vec();
        // The elements of 8 columns: rows by columns.
        let mut sums: Vec<Value> = before
            .chunks(4)
            .map(|elements| {
                let order = [0, 2, 1, 3].map(|at| elements[at]);
                self.vector(builder, ty, &order)
            })
            .collect();
        let multiply =
            |builder: &Builder<'c>, (lhs, step): (Value<'c>, Value<'c>), sums: &mut [Value<'c>]| {
                let fragments = factor.fragments(builder, (self.slots[slot], self.lane), step);
                let splits = !self.tf32 && Precision::of(product.op) == Precision::Split;
                multiply(builder, (lhs, &fragments), sums, splits)
            };
        let kept = self.kept.filter(|_| self.kept_factor == Some(product.row_factor.key()));
        if let Some(kept) = kept {
            let bounds = (0, factor.steps(), 1);
            sums = scf::for_(builder, bounds, &sums, |builder, step, sums| {
                let first = index::mul(builder, step, 4 * self.threads);
                let elements = [0, 1, 2, 3].map(|at| {
                    let at = self.kept_index(builder, at);
                    let at = index::add(builder, at, first);
                    memref::load(builder, kept, &[at])
                });
                let lhs = self.row_fragment(builder, &factor, &elements, 0);
                let mut sums = sums.to_vec();
                multiply(builder, (lhs, step), &mut sums);
                sums
            })
            .results();
        } else {
            let elements = self.row_factor(builder, product);
            for step in 0..factor.steps() {
                let lhs = self.row_fragment(builder, &factor, &elements, step);
                let step = index::constant(builder, step);
                multiply(builder, (lhs, step), &mut sums);
            }
        }
        let mut elements = Vec::new();
        for sum in sums {
            for (row, column) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                elements.push(vector::extract(builder, sum, &[], &[row, column]));
            }
        }
        elements.truncate(before.len());
        self.tiles.insert(result.key(), elements);
    }

    /// The elements of a product's factor with the rows; zero where its depth ends.
    pub(super) fn row_factor(
        &self,
        builder: &Builder<'c>,
        product: &Product<'c>,
    ) -> Vec<Value<'c>> {
        let roles = if product.row_factor_depth == 0 {
            vec![Role::Column, Role::Row]
        } else {
            vec![Role::Row, Role::Column]
        };
        let nest = Loops::of_buffer(builder, product.row_factor, roles);
        let mut elements = Vec::new();
        for column in 0..nest.columns_of_lane() {
            let is_inside = self.is_inside(builder, &nest, column);
            for half in 0..HALVES {
                let value = self.operand(builder, &nest, 0, Spot { half, column });
                elements.push(match is_inside {
                    Some(is_inside) => {
                        let zero = arith::constant(builder, value.ty(), 0);
                        arith::select(builder, is_inside, value, zero)
                    }
                    None => value,
                });
            }
        }
        elements
    }

    /// The fragment of a factor with the rows for a step along its depth: the first eight columns
    /// of both rows, then the others. Of 32 bits, the first columns of each pair, then the second
    /// ones: products add up in any order that both factors have.
    fn row_fragment(
        &self,
        builder: &Builder<'c>,
        factor: &Factor<'c>,
        elements: &[Value<'c>],
        step: i64,
    ) -> Value<'c> {
        let element = elements[0].ty();
        let (order, shape): (&[usize], [i64; 2]) = if factor.is_f32() {
            (&[0, 1, 2, 3], [4, 1])
        } else {
            (&[0, 2, 1, 3, 4, 6, 5, 7], [4, 2])
        };
        let first = step as usize * order.len();
        let zero = |builder: &Builder<'c>| arith::constant(builder, element, 0);
        let values: Vec<Value> = order
            .iter()
            .map(|at| elements.get(first + at).copied().unwrap_or_else(|| zero(builder)))
            .collect();
        self.vector(builder, vector_type(&shape, element), &values)
    }

    /// A matrix of elements, row by row.
    fn vector(&self, builder: &Builder<'c>, ty: Type<'c>, elements: &[Value<'c>]) -> Value<'c> {
        let columns = ty.static_shape().and_then(|shape| shape.last().copied()).unwrap_or(1);
        let mut vector = arith::constant(builder, ty, 0);
        for (at, element) in (0..).zip(elements) {
            let position = [at / columns, at % columns];
            vector = vector::insert(builder, *element, vector, &[], &position);
        }
        vector
    }
}

/// Adds the products of fragments with the rows and with the columns to sums.
fn multiply<'c>(
    builder: &Builder<'c>,
    (lhs, fragments): (Value<'c>, &[Value<'c>]),
    sums: &mut [Value<'c>],
    splits: bool,
) {
    if lhs.ty().element_type().bit_width() != Some(32) {
        for (sum, rhs) in sums.iter_mut().zip(fragments) {
            *sum = mma(builder, (lhs, *rhs), *sum, 16);
        }
        return;
    }
    let lhs = split(builder, lhs);
    for (sum, rhs) in sums.iter_mut().zip(fragments) {
        let rhs = split(builder, *rhs);
        *sum = if splits {
            let product = split_product(builder, lhs, rhs, sum.ty());
            arith::addf(builder, *sum, product)
        } else {
            mma(builder, (lhs.0, rhs.0), *sum, 8)
        };
    }
}

/// The bits of a vector of f32, and those without the sign.
fn bits<'c>(builder: &Builder<'c>, value: Value<'c>) -> (Value<'c>, Value<'c>) {
    let word = integer_type(builder.context(), 32);
    let ty = vector_type(&value.ty().static_shape().unwrap_or_default(), word);
    let bits = arith::bitcast(builder, value, ty);
    let sign = arith::constant(builder, ty, 0x7fff_ffff);
    (bits, arith::andi(builder, bits, sign))
}

/// f32 as the sum of two TF32 numbers: the nearest one and the rest.
fn split<'c>(builder: &Builder<'c>, value: Value<'c>) -> (Value<'c>, Value<'c>) {
    let (bits, magnitude) = bits(builder, value);
    let splat = |number: i64| arith::constant(builder, bits.ty(), number);
    // Half of the last bit of TF32 is added, then the bits that it lacks are truncated; numbers that
    // would become infinite are only truncated.
    let is_small = arith::cmpi(builder, CmpIPredicate::Ult, magnitude, splat(0x7f7f_f000));
    let half = arith::select(builder, is_small, splat(0x1000), splat(0));
    let rounded = arith::addi(builder, bits, half);
    let first = arith::andi(builder, rounded, splat(-0x2000));
    let first = arith::bitcast(builder, first, value.ty());
    (first, arith::subf(builder, value, first))
}

/// The product of two fragments of f32 by three of TF32. The parts of an infinite number are not
/// its sum, but their first product is the result.
fn split_product<'c>(
    builder: &Builder<'c>,
    (lhs, lhs_rest): (Value<'c>, Value<'c>),
    (rhs, rhs_rest): (Value<'c>, Value<'c>),
    ty: Type<'c>,
) -> Value<'c> {
    let zeros = arith::constant(builder, ty, 0);
    let rest = mma(builder, (lhs_rest, rhs), zeros, 8);
    let rest = mma(builder, (lhs, rhs_rest), rest, 8);
    let product = mma(builder, (lhs, rhs), zeros, 8);
    let (_, magnitude) = bits(builder, product);
    let infinity = arith::constant(builder, magnitude.ty(), 0x7f80_0000);
    let is_finite = arith::cmpi(builder, CmpIPredicate::Ult, magnitude, infinity);
    let sum = arith::addf(builder, product, rest);
    arith::select(builder, is_finite, sum, product)
}
