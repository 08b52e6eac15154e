//! Addresses of a contraction's operands: an operand's offset at an index of
//! one group of loops.

use super::super::kernel::{below, divide};
use crate::loops::{
    contraction::{Contraction, Group},
    loop_ops::{self, Emitted},
};
use halo_ir::{Builder, Value};

/// An index in a group of loops.
pub struct Spot<'c> {
    /// The index of each loop of the group.
    indices: Vec<Value<'c>>,
    /// Whether the index is in bounds; `None` if it always is.
    pub is_inside: Option<Value<'c>>,
}

impl<'c> Contraction<'c> {
    /// The index for a row-major number. A number that may be out of bounds
    /// (`beyond`) is checked.
    pub fn spot(
        &self,
        builder: &Builder<'c>,
        group: Group,
        number: Value<'c>,
        may_be_beyond: bool,
    ) -> Emitted<Spot<'c>> {
        let is_inside = may_be_beyond
            .then(|| below(builder, number, self.size(group)))
            .transpose()?;
        let loops = self.loops(group);
        let mut indices = vec![number; loops.len()];
        let mut rest = number;
        for (position, l) in loops.iter().enumerate().skip(1).rev() {
            let (quotient, remainder) = divide(builder, rest, l.size)?;
            indices[position] = remainder;
            rest = quotient;
        }
        if let Some(first) = indices.first_mut() {
            *first = rest;
        }
        Ok(Spot { indices, is_inside })
    }

    /// The offset of an operand at an index.
    pub fn offset(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        group: Group,
        spot: &Spot<'c>,
    ) -> Emitted<Value<'c>> {
        let mut sum = loop_ops::index(builder, 0)?;
        for (l, index) in self.loops(group).iter().zip(&spot.indices) {
            let stride = l.strides[operand];
            if stride != 0 {
                let term = loop_ops::scale(builder, *index, stride)?;
                sum = loop_ops::add(builder, sum, term)?;
            }
        }
        Ok(sum)
    }

    /// The offset of an operand at the start of one product of the batch.
    pub fn base(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        batch: &Spot<'c>,
    ) -> Emitted<Value<'c>> {
        let offset = self.offset(builder, operand, Group::Batch, batch)?;
        let start = loop_ops::index(builder, self.operands[operand].start)?;
        loop_ops::add(builder, offset, start)
    }
}
