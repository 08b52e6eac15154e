//! Tiles of products of groups, by the dot-product instructions of the target.

use super::{MicroKernel, Source};
use crate::contraction::{
    isa::dot::{Group, Number, padded},
    pack::{exponents, extra_rows::correction_row},
    vectors::{load_vector, zero_vector},
};
use halo_ir::{ops::halo::UNROLL, prelude::*};

/// The unroll factor (`halo.unroll`) of the loop over groups, if the loop overhead would dominate.
const UNROLLED: i64 = 4;

/// A packed operand of a tile, starting at some k.
pub(super) struct Groups<'a, 'c> {
    pub(super) memref: Value<'c>,
    pub(super) panel: &'a [Value<'c>],
    /// The offset from the start of the panel, in numbers and in groups.
    offset: Value<'c>,
    pub(super) first: Value<'c>,
}

/// Two packed operands from the start of a range of k, and the number of groups in the range.
pub(super) type Range<'a, 'c> = (&'a Groups<'a, 'c>, &'a Groups<'a, 'c>, Value<'c>);

impl<'c> MicroKernel<'_, 'c> {
    /// The accumulators, row by row, after a range of k of two operands that are packed in groups
    /// and in blocks of k.
    pub fn accumulate_groups(
        &self,
        builder: &Builder<'c>,
        (group, block_k): (Group, i64),
        range: (Value<'c>, Value<'c>),
    ) -> Vec<Value<'c>> {
        let (lhs, rhs, length) = self.operands(builder, group.size(), range);
        let range = (&lhs, &rhs, length);
        let rows = (index::constant(builder, 0), self.tile.rows);
        let with = |builder: &Builder<'c>, is_exact: bool| {
            let initial = self.initial_sums(builder, &rhs, (group, block_k));
            let depth = padded(self.matmul.depth(), Some(group));
            let instruction = (is_exact, initial, unrolled(group, depth, block_k));
            self.accumulate_with(builder, group, range, rows, instruction)
        };
        let of_instruction = |builder: &Builder<'c>| {
            if group.is_in_squares() {
                self.accumulate_squares(builder, group, range)
            } else {
                with(builder, false)
            }
        };
        if group.dot.number != Number::Bf16 {
            return of_instruction(builder);
        }
        let is_normal = self.are_sums_normal(builder, &lhs, &rhs);
        let exactly = |builder: &Builder<'c>| with(builder, true);
        scf::if_else(builder, is_normal, of_instruction, exactly).results()
    }

    /// Both operands from the start of a range of k, and its number of groups.
    pub(super) fn operands(
        &self,
        builder: &Builder<'c>,
        size: i64,
        (lower, upper): (Value<'c>, Value<'c>),
    ) -> (Groups<'_, 'c>, Groups<'_, 'c>, Value<'c>) {
        let lhs = groups_at(builder, &self.lhs, size, lower);
        let rhs = groups_at(builder, &self.rhs, size, lower);
        let length = index::sub(builder, upper, lower);
        let length = index::div(builder, length, size);
        (lhs, rhs, length)
    }

    /// Whether no sum of pairs of bf16 is subnormal.
    pub(super) fn are_sums_normal(
        &self,
        builder: &Builder<'c>,
        lhs: &Groups<'_, 'c>,
        rhs: &Groups<'_, 'c>,
    ) -> Value<'c> {
        let panels = [
            (lhs.memref, lhs.panel, self.has_lhs_rows),
            (rhs.memref, rhs.panel, false),
        ];
        exponents::are_sums_normal(builder, panels)
    }

    /// The initial accumulators.
    fn initial_sums(
        &self,
        builder: &Builder<'c>,
        rhs: &Groups<'_, 'c>,
        (group, block_k): (Group, i64),
    ) -> Vec<Value<'c>> {
        let (vectors, lanes) = (self.tile.vectors, self.tile.lanes);
        let row = if group.is_flipped {
            let row = correction_row(builder, rhs.memref, (rhs.offset, block_k));
            let load = |vector: i64| {
                let column = index::constant(builder, vector * lanes);
                let indices = [rhs.panel, &[row, column]].concat();
                load_vector(builder, rhs.memref, &indices, lanes, None)
            };
            (0..vectors).map(load).collect::<Vec<_>>()
        } else {
            let zero = zero_vector(builder, self.matmul.accumulator(), lanes);
            vec![zero; vectors as usize]
        };
        row.repeat(self.tile.rows as usize)
    }

    /// Accumulates some rows of the tile, exactly in f32 or by the instruction of the group.
    pub(super) fn accumulate_with(
        &self,
        builder: &Builder<'c>,
        group: Group,
        (lhs, rhs, length): Range<'_, 'c>,
        (first_row, rows): (Value<'c>, i64),
        (is_exact, initial, unrolled): (bool, Vec<Value<'c>>, i64),
    ) -> Vec<Value<'c>> {
        let (vectors, lanes) = (self.tile.vectors, self.tile.lanes);
        let multiply = |builder: &Builder<'c>, place: Value<'c>, carried: &[Value<'c>]| {
            let k = index::add(builder, rhs.first, place);
            let mut rhs_row = Vec::new();
            for vector in 0..vectors {
                let column = index::constant(builder, vector * lanes);
                let indices = [rhs.panel, &[k, column]].concat();
                rhs_row.push(load_vector(builder, rhs.memref, &indices, lanes, None));
            }
            let k = index::add(builder, lhs.first, place);
            let mut next = Vec::new();
            for number in 0..rows {
                let lane = index::constant(builder, number);
                let lane = index::add(builder, first_row, lane);
                let inner = if self.has_lhs_rows {
                    [lane, k]
                } else {
                    [k, lane]
                };
                let element = self.load_group(builder, group, lhs, inner);
                let spread = vector_type(&[lanes], group.ty(builder));
                let spread = vector::broadcast(builder, element, spread);
                for (vector, rhs) in rhs_row.iter().enumerate() {
                    let sum = carried[(number * vectors) as usize + vector];
                    let factors = [spread, *rhs];
                    next.push(if is_exact {
                        exponents::multiply_add(builder, group, factors, sum)
                    } else {
                        add(builder, group, factors, sum)
                    });
                }
            }
            next
        };
        let sums = scf::for_(builder, (0, length, 1), &initial, multiply);
        if unrolled > 1 {
            let unrolled = integer_attribute(Type::index(builder.context()), unrolled);
            sums.set_attribute(UNROLL, unrolled);
        }
        sums.results()
    }

    /// Loads a group of lhs.
    fn load_group(
        &self,
        builder: &Builder<'c>,
        group: Group,
        lhs: &Groups<'_, 'c>,
        [row, k]: [Value<'c>; 2],
    ) -> Value<'c> {
        if !self.has_lhs_numbers {
            return memref::load(builder, lhs.memref, &[lhs.panel, &[row, k]].concat());
        }
        let k = index::mul(builder, k, group.size());
        let indices = [lhs.panel, &[row, k]].concat();
        let numbers = load_vector(builder, lhs.memref, &indices, group.size(), None);
        let groups = group.of_vector(builder, numbers);
        vector::extract(builder, groups, &[], &[0])
    }
}

/// The groups of a packed operand from k on.
fn groups_at<'a, 'c>(
    builder: &Builder<'c>,
    source: &'a Source<'c>,
    size: i64,
    k: Value<'c>,
) -> Groups<'a, 'c> {
    let Source::Packed {
        memref,
        panel,
        first_k,
    } = source
    else {
        bug("an operand of groups is not packed");
    };
    let offset = match first_k {
        Some(first) if *first == k => index::constant(builder, 0),
        Some(first) => index::sub(builder, k, *first),
        None => k,
    };
    Groups {
        memref: *memref,
        panel,
        offset,
        first: match arith::constant_index(offset) {
            Some(0) => offset,
            _ => index::div(builder, offset, size),
        },
    }
}

/// The unroll factor of the loop over groups; it divides every range of k in blocks. Loop overhead
/// competes with products of bytes for execution ports: `vpdpbusd` reaches 0.88 of its peak with
/// one group per iteration, and 0.97 with four.
fn unrolled(group: Group, depth: i64, block_k: i64) -> i64 {
    let numbers = UNROLLED * group.size();
    match group.dot.number {
        Number::Byte if depth % numbers == 0 && block_k % numbers == 0 => UNROLLED,
        _ => 1,
    }
}

/// Adds the products of vectors of groups to the accumulators.
fn add<'c>(
    builder: &Builder<'c>,
    group: Group,
    factors: [Value<'c>; 2],
    sums: Value<'c>,
) -> Value<'c> {
    let lanes: i64 = sums.ty().static_shape().iter().flatten().product();
    let numbers = vector_type(&[group.size() * lanes], group.dot.number.ty(builder));
    let factors = factors.map(|groups| vector::bitcast(builder, groups, numbers));
    group.add(builder, factors, sums)
}
