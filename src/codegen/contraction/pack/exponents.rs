//! Minimum exponents of bf16 panels, which prove that products of groups are exact.
//!
//! `vdpbf16ps` of AVX512-BF16 adds the products of two pairs of bf16 to each of 16 sums, so it
//! multiplies twice as many numbers as an f32 instruction.
//!
//! The instruction rounds each sum once, as an f32 multiply-add does, but flushes subnormal inputs
//! and results to zero. Results must not depend on the processor. So each packed panel stores its
//! minimum exponent after the groups: the exponent of the nonzero number with the least magnitude.
//! All sums are multiples of the product of the last bits of these numbers, so if it is normal, no
//! sum is subnormal. Tiles for which this is not proven use f32 multiply-adds. `tdpbf16ps`,
//! `bfmmla` and `bfmopa` flush the same numbers.

use super::{Panel, groups::with_element};
use crate::contraction::{isa::dot::Group, vectors::load_vector};
use halo_ir::{ops::vector::CombiningKind, prelude::*};

/// Lanes of f32 sums in 512 bits.
const LANES: i64 = 16;

/// The least sum of two panels' biased exponents that excludes subnormal sums of products: two
/// biases, plus the exponent of the least normal number, plus the 7 mantissa bits of each.
const LEAST_EXPONENTS: i64 = 2 * 127 - 126 + 2 * 7;

/// Rows of a panel that are processed together.
const ROWS: i64 = 8;

/// The exponent of a panel with subnormal numbers: below the threshold for any sum.
const SUBNORMAL: i64 = -1024;

/// Stores the minimum exponent of a panel after its pairs of a range of k.
pub fn store_least_exponent<'c>(
    builder: &Builder<'c>,
    group: Group,
    panel: &Panel<'_, 'c>,
    (lower, upper): (Value<'c>, Value<'c>),
) {
    let [zero, one, size] = [0, 1, group.size()].map(|value| index::constant(builder, value));
    let (zero, one, size) = (zero, one, size);
    let length = index::sub(builder, upper, lower);
    let length = index::div(builder, length, size);
    let target = panel.target;
    let i16 = integer_type(builder.context(), 16);
    let has_rows = panel.has_rows;
    let lanes = if has_rows {
        LANES
    } else {
        panel.width.min(LANES)
    };
    let halves = vector_type(&[group.size() * lanes], i16);
    let load = |builder: &Builder<'c>, k: Value<'c>, lane: Value<'c>, lanes: i64| {
        let inner = if has_rows { [lane, k] } else { [k, lane] };
        load_vector(
            builder,
            target,
            &[&panel.indices[..], &inner].concat(),
            lanes,
            None,
        )
    };
    // The magnitude minus one, so that zeros become the maximum.
    let lower_bound = |builder: &Builder<'c>, least: Value<'c>, groups: Value<'c>| {
        let bits = vector::bitcast(builder, groups, halves);
        let magnitude = arith::constant(builder, halves, 0x7fff);
        let magnitude = arith::andi(builder, bits, magnitude);
        let minus_one = arith::constant(builder, halves, -1);
        let before = arith::addi(builder, magnitude, minus_one);
        arith::minui(builder, least, before)
    };
    let mut least = vec![arith::constant(builder, halves, -1)];
    if has_rows {
        let rows = panel.width.min(ROWS);
        let step = index::constant(builder, lanes);
        let vectors = index::div(builder, length, step);
        let whole = index::mul(builder, vectors, step);
        let bounds = [0, panel.width, rows].map(|value| index::constant(builder, value));
        let [first, end, distance] = bounds;
        let bounds = (first, end, distance);
        least = scf::for_(builder, bounds, &least, |builder, first, carried| {
            let mut least = carried.to_vec();
            for (bounds, at_once) in [((zero, whole, step), lanes), ((whole, length, one), 1)] {
                least = scf::for_(builder, bounds, &least, |builder, k, carried| {
                    let mut least = carried[0];
                    for row in 0..rows {
                        let row = index::constant(builder, row);
                        let row = index::add(builder, first, row);
                        let mut groups = load(builder, k, row, at_once);
                        if at_once == 1 {
                            groups = vector::extract(builder, groups, &[], &[0]);
                            let ty = vector_type(&[lanes], group.ty(builder));
                            groups = vector::broadcast(builder, groups, ty);
                        }
                        least = lower_bound(builder, least, groups);
                    }
                    vec![least]
                })
                .results();
            }
            least
        })
        .results();
    } else {
        least = scf::for_(
            builder,
            (zero, length, one),
            &least,
            |builder, k, carried| {
                let mut least = carried[0];
                for start in (0..panel.width).step_by(lanes as usize) {
                    let lane = index::constant(builder, start);
                    let groups = load(builder, k, lane, lanes);
                    least = lower_bound(builder, least, groups);
                }
                vec![least]
            },
        )
        .results();
    }
    let least = vector::reduction(builder, CombiningKind::Minui, least[0], i16);
    let mut exponent = exponent_after(builder, least);
    if group.bits() > 32 {
        exponent = arith::extsi(builder, exponent, group.ty(builder));
    }
    let indices = indices(builder, target, &panel.indices, has_rows);
    memref::store(builder, exponent, target, &indices);
}

/// The exponent of a magnitude in the upper bits.
fn exponent_after<'c>(builder: &Builder<'c>, bits: Value<'c>) -> Value<'c> {
    let i32 = integer_type(builder.context(), 32);
    let constant = |value: i64| arith::constant(builder, i32, value);
    let wide = arith::extui(builder, bits, i32);
    let magnitude = arith::addi(builder, wide, constant(1));
    let exponent = arith::shrui(builder, magnitude, constant(7));
    let is_subnormal = arith::cmpi(builder, CmpIPredicate::Eq, exponent, constant(0));
    arith::select(builder, is_subnormal, constant(SUBNORMAL), exponent)
}

/// The position of a panel's exponent in a packed memref: at the end of the panel, or of its first
/// row.
fn indices<'c>(
    builder: &Builder<'c>,
    memref: Value<'c>,
    panel: &[Value<'c>],
    has_rows: bool,
) -> Vec<Value<'c>> {
    let dims = memref.ty().static_shape().unwrap_or_default();
    let zero = index::constant(builder, 0);
    let inner = match (has_rows, &dims[..]) {
        (true, [.., last]) => [zero, index::constant(builder, last - 1)],
        (false, [.., rows, _]) => [index::constant(builder, rows - 1), zero],
        _ => bug("a packed panel has no dimensions"),
    };
    [panel, &inner].concat()
}

/// Whether no sum of the products of two panels is subnormal.
///
/// Each panel is a packed memref, the indices of the panel, and whether it has rows of lhs.
pub fn are_sums_normal<'c>(
    builder: &Builder<'c>,
    panels: [(Value<'c>, &[Value<'c>], bool); 2],
) -> Value<'c> {
    let exponent = |(memref, panel, has_rows): (Value<'c>, &[Value<'c>], bool)| {
        let indices = indices(builder, memref, panel, has_rows);
        memref::load(builder, memref, &indices)
    };
    let [lhs, rhs] = panels.map(exponent);
    let sum = arith::addi(builder, lhs, rhs);
    let least = arith::constant(builder, sum.ty(), LEAST_EXPONENTS);
    arith::cmpi(builder, CmpIPredicate::Sge, sum, least)
}

/// `sums + lhs * rhs` of groups, in f32, starting with the last number of each, as `vdpbf16ps`
/// does.
pub fn multiply_add<'c>(
    builder: &Builder<'c>,
    group: Group,
    [lhs, rhs]: [Value<'c>; 2],
    mut sums: Value<'c>,
) -> Value<'c> {
    for place in (0..group.size()).rev() {
        let lhs = number(builder, lhs, place);
        sums = vector::fma(builder, lhs, number(builder, rhs, place), sums);
    }
    sums
}

/// The numbers at a position of groups, as f32.
pub fn number<'c>(builder: &Builder<'c>, groups: Value<'c>, place: i64) -> Value<'c> {
    let context = builder.context();
    let of = |value, ty| arith::constant(builder, ty, value);
    let mut bits = groups;
    if place > 0 {
        let distance = of(16 * place, groups.ty());
        bits = arith::shrui(builder, bits, distance);
    }
    let i32 = with_element(groups.ty(), integer_type(context, 32));
    if groups.ty() != i32 {
        bits = arith::trunci(builder, bits, i32);
    }
    let bits = arith::shli(builder, bits, of(16, i32));
    arith::bitcast(builder, bits, with_element(i32, Type::float32(context)))
}
