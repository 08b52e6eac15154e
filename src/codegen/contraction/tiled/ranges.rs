//! Ranges of panels and of k, and their blocks.

use crate::contraction::plan::even_division::ceil_div;
use halo_ir::prelude::*;

/// The first index of a range, and the index after its last one.
pub type Range<'c> = (Value<'c>, Value<'c>);

/// Blocks of a range.
#[derive(Clone, Copy)]
pub struct Blocks<'c> {
    range: Range<'c>,
    pub count: Value<'c>,
    length: Value<'c>,
    /// Whether the last block is as long as the others.
    is_even: bool,
}

impl<'c> Blocks<'c> {
    /// The blocks of a range that has a known size.
    pub fn of_constant(
        builder: &Builder<'c>,
        range: Range<'c>,
        (size, length): (i64, i64),
    ) -> Self {
        Self {
            range,
            count: index::constant(builder, ceil_div(size, length)),
            length: index::constant(builder, length),
            is_even: size % length == 0,
        }
    }

    /// The blocks of a range of dynamic size, about equal and at most `length` long.
    pub fn of_unknown(builder: &Builder<'c>, range: Range<'c>, length: i64) -> Self {
        let size = index::sub(builder, range.1, range.0);
        let count = arith::ceildivui(builder, size, index::constant(builder, length));
        Self {
            range,
            count,
            length: arith::ceildivui(builder, size, count),
            is_even: false,
        }
    }

    /// Whether the number of blocks is the constant 1.
    pub fn is_one(&self) -> bool {
        arith::constant_index(self.count) == Some(1)
    }

    /// One of the blocks.
    pub fn at(&self, builder: &Builder<'c>, number: Value<'c>) -> Range<'c> {
        if self.is_one() {
            return self.range;
        }
        let offset = index::mul(builder, number, self.length);
        let first = index::add(builder, self.range.0, offset);
        let end = index::end_of_range(builder, first, self.length);
        if self.is_even {
            (first, end)
        } else {
            (first, arith::minsi(builder, end, self.range.1))
        }
    }
}

/// The range of a constant number of indices.
pub fn whole<'c>(builder: &Builder<'c>, size: i64) -> Range<'c> {
    (index::constant(builder, 0), index::constant(builder, size))
}

/// Emits code for each index in a range.
pub fn for_each<'c>(
    builder: &Builder<'c>,
    (lower, upper): Range<'c>,
    body: impl FnOnce(&Builder<'c>, Value<'c>),
) {
    scf::for_each(builder, (lower, upper, 1), body)
}

/// Emits code for each piece of a static range.
pub fn for_pieces<'c>(
    builder: &Builder<'c>,
    size: i64,
    length: i64,
    body: impl FnOnce(&Builder<'c>, Range<'c>),
) {
    if length >= size {
        let range = whole(builder, size);
        return body(builder, range);
    }
    scf::for_range(builder, size, length, |builder, lower| {
        let mut upper = index::end_of_range(builder, lower, length);
        if size % length != 0 {
            upper = index::min(builder, upper, size);
        }
        body(builder, (lower, upper))
    })
}
