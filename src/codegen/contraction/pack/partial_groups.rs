//! Partial groups at the end of an operand.
//!
//! The 147 products of a 7 x 7 x 3 window are 36 groups of four and three more numbers. The last
//! group is padded with zeros in one operand or in both: as the products with zero vanish, the
//! other operand may have any numbers there.
//!
//! Runs of an image that are packed as rows of lhs may begin anywhere in a group, such as the 21
//! bytes of a line of that window. Panels then store the numbers contiguously, run after run, and
//! the kernel loads four at a time:
//!
//! ```text
//! runs     0 1 2 .. 20 | 0 1 2 .. 20 | ..
//! groups   0 1 2 3 | .. | 20 0 1 2 | ..
//! ```
//!
//! The same applies to rows that are contiguous as a whole, which are not aligned to groups.

use super::{Panel, for_each_vector, lanes_of_run};
use crate::contraction::{isa::dot::padded, vectors::store_vector};
use halo_ir::prelude::*;

impl<'c> Panel<'_, 'c> {
    /// The depth of the operand along k.
    fn depth(&self) -> i64 {
        self.matmul.depth()
    }

    /// The padding of the last group.
    fn missing(&self) -> i64 {
        padded(self.depth(), self.group) - self.depth()
    }

    /// The end of a range of k, clamped to the operand.
    pub fn end_in_operand(&self, builder: &Builder<'c>, upper: Value<'c>) -> Value<'c> {
        self.at_most(builder, upper, self.depth())
    }

    fn at_most(&self, builder: &Builder<'c>, k: Value<'c>, most: i64) -> Value<'c> {
        let limit = index::constant(builder, most);
        match arith::constant_index(k) {
            _ if self.missing() == 0 => k,
            Some(k) if k <= most => index::constant(builder, k),
            Some(_) => limit,
            None => arith::minsi(builder, k, limit),
        }
    }

    /// A k of the operand, clamped to its last k.
    pub fn k_in_operand(&self, builder: &Builder<'c>, k: Value<'c>) -> Value<'c> {
        self.at_most(builder, k, self.depth() - 1)
    }

    /// Emits code for the range of k that includes the padding.
    fn if_last(&self, builder: &Builder<'c>, upper: Value<'c>, body: impl FnOnce(&Builder<'c>)) {
        match arith::constant_index(upper) {
            _ if self.missing() == 0 => {}
            Some(upper) if upper <= self.depth() => {}
            Some(_) => body(builder),
            None => {
                let is_last = index::compare(builder, CmpIPredicate::Sgt, upper, self.depth());
                scf::if_(builder, is_last, body);
            }
        }
    }

    /// Packs whole groups, and pads the last one with zeros.
    pub(super) fn pack_with_last_group(
        &self,
        builder: &Builder<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
    ) {
        if self.missing() == 0 {
            return self.pack_operand(builder, (lower, upper));
        }
        let whole = self.depth() / self.unit() * self.unit();
        let end = self.at_most(builder, upper, whole);
        let groups = Self {
            divisor: self.unit(),
            ..self.clone()
        };
        groups.pack_operand(builder, (lower, end));
        self.if_last(builder, upper, |builder| {
            let k = index::constant(builder, whole);
            self.for_each_neighbour(builder, 1, |builder, panel| {
                let position = panel.position(builder, k, lower);
                scf::for_range(builder, panel.width, 1, |builder, number| {
                    let lane = panel.lane_at(builder, number);
                    let value = panel.load_last_group(builder, lane);
                    let inner = if panel.has_rows {
                        [number, position]
                    } else {
                        [position, number]
                    };
                    let indices = [&panel.indices[..], &inner].concat();
                    memref::store(builder, value, panel.target, &indices);
                })
            })
        })
    }

    /// Loads the last numbers of the operand, and zeros.
    fn load_last_group(&self, builder: &Builder<'c>, lane: Value<'c>) -> Value<'c> {
        let Some(group) = self.group else {
            bug("a panel has no groups");
        };
        let mut numbers = Vec::new();
        for k in self.depth() / group.size() * group.size()..self.depth() {
            let ivs = self.ivs_at(index::constant(builder, k), lane);
            let stored = self.matmul.load_stored(builder, self.operand, &ivs);
            numbers.push(group.numbers(builder, self.matmul, self.operand, stored));
        }
        numbers.resize(group.size() as usize, self.zero(builder));
        group.join(builder, &numbers)
    }

    /// A zero in the type of the operand's groups.
    fn zero(&self, builder: &Builder<'c>) -> Value<'c> {
        let element = self.matmul.element(self.operand);
        let zero = arith::constant(builder, element, 0);
        match self.group {
            Some(group) => group.numbers(builder, self.matmul, self.operand, zero),
            None => zero,
        }
    }

    /// Packs rows of lhs that are contiguous along k, number by number.
    pub(super) fn pack_number_rows(
        &self,
        builder: &Builder<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        block_k: i64,
    ) {
        let depth = self.depth();
        let end = self.end_in_operand(builder, upper);
        scf::for_range(builder, self.width, 1, |builder, number| {
            let row = self.lane_at(builder, number);
            let copy = |builder: &Builder<'c>, k: Value<'c>, lanes: i64| {
                let ivs = self.ivs_at(k, row);
                let (matmul, operand) = (self.matmul, self.operand);
                let value = matmul.load_stored_vector(builder, operand, &ivs, lanes, None);
                let value = match self.group {
                    Some(group) => group.numbers(builder, matmul, operand, value),
                    None => value,
                };
                let offset = index::sub(builder, k, lower);
                let indices = [&self.indices[..], &[number, offset]].concat();
                store_vector(builder, value, self.target, &indices, None)
            };
            if block_k >= depth {
                let lanes = lanes_of_run(self.lanes * self.unit(), depth);
                for_each_vector(builder, depth, lanes, |builder, k| copy(builder, k, lanes));
            } else {
                // Blocks of k except the last one consist of whole vectors, or many of them.
                let lanes = self.lanes * self.unit();
                let step = index::constant(builder, lanes);
                let whole = index::end_of_whole_steps(builder, (lower, end), step);
                for (from, to, lanes) in [(lower, whole, lanes), (whole, end, 1)] {
                    scf::for_each(builder, (from, to, lanes), |builder, k| {
                        copy(builder, k, lanes)
                    });
                }
            }
            self.fill_last_group(builder, number, (lower, upper))
        })
    }

    /// Stores zeros after the numbers of a row.
    pub fn fill_last_group(
        &self,
        builder: &Builder<'c>,
        number: Value<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
    ) {
        self.if_last(builder, upper, |builder| {
            let zero = self.zero(builder);
            for k in self.depth()..self.depth() + self.missing() {
                let offset = index::sub(builder, k, lower);
                let indices = [&self.indices[..], &[number, offset]].concat();
                memref::store(builder, zero, self.target, &indices);
            }
        })
    }
}
