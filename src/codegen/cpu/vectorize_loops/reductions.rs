//! The carried values of a loop, if each is a separate reduction: each vector lane has a partial
//! result.

use crate::loops::{prelude::*, reduction, vector_body};
use halo_ir::{ops::arith::FastMathFlags, prelude::*};

/// The reductions of a loop, one for each carried value.
pub(super) struct Reductions<'c>(Vec<Combiner<'c>>);

impl<'c> Reductions<'c> {
    /// The reductions of a loop; `None` if it carries another value, or one whose order matters.
    pub(super) fn of(op: scf::ForOp<'c>) -> Option<Self> {
        let block = op.operation().body(0)?;
        let arguments = block.arguments().into_iter().skip(1);
        let yielded = block.terminator().map(Operation::operands).unwrap_or_default();
        let combiners = yielded.into_iter().zip(arguments).map(|(value, argument)| {
            reduction::carried_combiner(value, argument).filter(has_any_order)
        });
        combiners.collect::<Option<_>>().map(Self)
    }

    /// The number of reductions.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Vectors of the neutral values.
    pub(super) fn neutral(&self, builder: &Builder<'c>, count: i64) -> Vec<Value<'c>> {
        let neutral = self.0.iter().map(|combiner| {
            let value = combiner.neutral(builder);
            vector::broadcast(builder, value, vector_type(&[count], value.ty()))
        });
        neutral.collect()
    }

    /// Combines the initial values with the lanes of vectors in a tree.
    pub(super) fn join(
        &self,
        builder: &Builder<'c>,
        init: &[Value<'c>],
        (vectors, count): (Vec<Value<'c>>, i64),
    ) -> Vec<Value<'c>> {
        let all = self.0.iter().zip(init).zip(vectors);
        all.map(|((combiner, init), vector)| {
            let value = join_lanes(builder, combiner, (vector, count));
            combiner.combine(builder, *init, value)
        })
        .collect()
    }
}

/// Whether elements may be combined in any order; floats require the `reassoc` flag.
fn has_any_order(combiner: &Combiner) -> bool {
    let is_sum =
        combiner.operation.isa::<arith::AddFOp>() || combiner.operation.isa::<arith::MulFOp>();
    let flags = arith::fastmath(combiner.operation).unwrap_or(FastMathFlags::NONE);
    !combiner.ty().is_float() || !is_sum || flags.contains(FastMathFlags::REASSOC)
}

fn join_lanes<'c>(
    builder: &Builder<'c>,
    combiner: &Combiner<'c>,
    (mut vector, mut count): (Value<'c>, i64),
) -> Value<'c> {
    while count > 1 {
        let (low, high) = vector_body::halves(builder, vector, count);
        vector = combiner.combine(builder, low, high);
        count /= 2;
    }
    vector::extract(builder, vector, &[], &[0])
}
