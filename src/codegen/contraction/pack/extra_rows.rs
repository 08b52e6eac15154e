//! Extra rows of panels, after their groups: exponents of bf16 ([`exponents`]), and corrections for
//! products of bytes.
//!
//! If the target has no instruction for the signedness of a product, lhs changes its signedness
//! when it is packed: flipping the sign bit adds 128 to signed numbers and subtracts 128 from
//! unsigned ones. This adds or subtracts 128 times the sum of each column of rhs, which does not
//! depend on lhs. Each block of rhs stores the negated correction after its groups, and the
//! accumulators of a tile start from it. The arithmetic is modulo 2^32.

use super::{Panel, exponents, groups::SIGN};
use crate::{
    contraction::{
        isa::dot::{Group, Number},
        vectors::{load_vector, store_vector, zero_vector},
    },
    loops::prelude::RHS,
};
use halo_ir::prelude::*;

/// Independent partial sums per column, to hide the latency of additions.
const CHAINS: i64 = 4;

impl<'c> Panel<'_, 'c> {
    /// Stores the extra rows for a range of k, which is packed in blocks of length `block_k`.
    pub fn store_extra_rows(
        &self,
        builder: &Builder<'c>,
        range: (Value<'c>, Value<'c>),
        block_k: i64,
    ) {
        let Some(group) = self.group else {
            return;
        };
        self.for_each_neighbour(builder, 1, |builder, panel| {
            if group.dot.number == Number::Bf16 {
                exponents::store_least_exponent(builder, group, panel, range);
            } else if panel.operand == RHS && group.is_flipped {
                store_corrections(group, builder, panel, range, block_k);
            }
        })
    }
}

/// Stores the initial accumulators for each block of a range of k of rhs.
fn store_corrections<'c>(
    product: Group,
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
        let sums = sums_of_columns(product, builder, panel, (from, to, chains), &starts);
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
    product: Group,
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
                next.push(product.add(builder, [sign, rhs], carried[next.len()]));
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

/// The row of a packed memref with the initial accumulators of a block of k; the first block has
/// the last row.
pub fn correction_row<'c>(
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
