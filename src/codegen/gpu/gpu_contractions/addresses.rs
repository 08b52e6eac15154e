//! Addresses of a contraction's operands: the offset of an operand at an index of one group of
//! loops.

use super::super::buffers::both;
use crate::loops::{contraction::Loop, prelude::*};
use halo_ir::prelude::*;

/// An index in a group of loops.
pub struct Spot<'c> {
    /// The index of each loop of the group.
    indices: Vec<Value<'c>>,
    /// The condition that the index is in bounds; `None` if it always is.
    pub is_inside: Option<Value<'c>>,
}

impl<'c> Spot<'c> {
    /// The index of the innermost loop, if there is one.
    pub fn index(&self) -> Option<Value<'c>> {
        self.indices.last().copied()
    }
}

impl<'c> Contraction<'c> {
    /// The index for a linear row-major index, with a bounds check if it may be out of bounds
    /// (`beyond`).
    pub fn spot(
        &self,
        builder: &Builder<'c>,
        group: Group,
        number: Value<'c>,
        may_be_beyond: bool,
    ) -> Spot<'c> {
        let is_inside = may_be_beyond.then(|| index::below(builder, number, self.size(group)));
        let loops = self.loops(group);
        let mut indices = vec![number; loops.len()];
        let mut rest = number;
        for (position, l) in loops.iter().enumerate().skip(1).rev() {
            let (quotient, remainder) = index::divide(builder, rest, l.size);
            indices[position] = remainder;
            rest = quotient;
        }
        if let Some(first) = indices.first_mut() {
            *first = rest;
        }
        Spot { indices, is_inside }
    }

    /// The offset of an operand at an index.
    pub fn offset(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        group: Group,
        spot: &Spot<'c>,
    ) -> Value<'c> {
        self.sum(builder, (group, spot), |inner| inner.strides[operand])
    }

    /// The sum of the products of a group's loop indices with strides.
    fn sum(
        &self,
        builder: &Builder<'c>,
        (group, spot): (Group, &Spot<'c>),
        stride_of: impl Fn(&Loop) -> i64,
    ) -> Value<'c> {
        let mut sum = index::constant(builder, 0);
        for (inner, index) in self.loops(group).iter().zip(&spot.indices) {
            let stride = stride_of(inner);
            if stride != 0 {
                let term = index::mul(builder, *index, stride);
                sum = index::add(builder, sum, term);
            }
        }
        sum
    }

    /// The increments of an operand's bounded indices at an index of a group.
    pub fn steps(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        group: Group,
        spot: &Spot<'c>,
    ) -> Vec<Value<'c>> {
        self.bounds_of(operand)
            .map(|number| self.sum(builder, (group, spot), |inner| inner.steps[number]))
            .collect()
    }

    /// The bounded indices of an operand at the start of one product of the batch.
    pub fn bounded_indices(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        batch: &Spot<'c>,
    ) -> Vec<Value<'c>> {
        let steps = self.steps(builder, operand, Group::Batch, batch);
        self.bounds_of(operand)
            .zip(steps)
            .map(|(number, step)| index::add(builder, self.bounds[number].start, step))
            .collect()
    }

    /// The condition that the bounded indices of an operand, each the sum of two values, are in
    /// bounds; `None` if it has none.
    pub fn is_inside(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        parts: (&[Value<'c>], &[Value<'c>]),
    ) -> Option<Value<'c>> {
        let mut all = None;
        for ((number, one), other) in self.bounds_of(operand).zip(parts.0).zip(parts.1) {
            let index = index::add(builder, *one, *other);
            // A negative index is large as an unsigned number.
            let inside =
                index::compare(builder, CmpIPredicate::Ult, index, self.bounds[number].size);
            all = both(builder, all, Some(inside));
        }
        all
    }

    /// The numbers of the bounds of an operand.
    fn bounds_of(&self, operand: usize) -> impl Iterator<Item = usize> {
        self.bounds
            .iter()
            .enumerate()
            .filter(move |(_, bound)| bound.operand == operand)
            .map(|(number, _)| number)
    }

    /// The offset of an operand at the start of one product of the batch.
    pub fn base(&self, builder: &Builder<'c>, operand: usize, batch: &Spot<'c>) -> Value<'c> {
        let offset = self.offset(builder, operand, Group::Batch, batch);
        index::add(builder, offset, self.operands[operand].start)
    }
}
