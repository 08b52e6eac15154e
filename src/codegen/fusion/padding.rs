//! Padding: an insertion into a tensor of one value.

use halo_ir::prelude::*;

/// A tensor whose elements, a stride apart from an offset on, are the elements of another, and
/// otherwise a value.
pub(super) struct Padding<'c> {
    pub(super) source: Value<'c>,
    value: Value<'c>,
    offsets: Vec<i64>,
    pub(super) strides: Vec<i64>,
}

impl<'c> Padding<'c> {
    /// The padding that an insertion computes.
    pub(super) fn of(op: Operation<'c>) -> Option<Self> {
        let insertion = op.cast::<tensor::InsertSliceOp>()?;
        let (source, strides) = (insertion.source(), insertion.static_strides());
        let rank = source.ty().static_shape()?.len();
        let fill = insertion.dest().defined_by::<linalg::FillOp>()?;
        let is_static = rank > 0
            && rank == strides.len()
            && insertion.offsets().is_empty()
            && insertion.result().ty().static_shape().is_some();
        is_static.then(|| Self {
            source,
            value: fill.operation().operands()[0],
            offsets: insertion.static_offsets(),
            strides,
        })
    }

    /// Emits the element at an index. Returns it, and the element of the source.
    pub(super) fn element(
        &self,
        b: &Builder<'c>,
        indices: &[Value<'c>],
    ) -> (Value<'c>, Option<Value<'c>>) {
        let (mut inside, mut of_source) = (Vec::new(), Vec::new());
        let whole = self.source.ty().sizes();
        for (dim, size) in whole.into_iter().enumerate() {
            // Unsigned, so that indices before the first element are too large.
            let distance = index::sub(b, indices[dim], self.offsets[dim]);
            let (at, rest) = index::divide(b, distance, self.strides[dim]);
            inside.push(index::below(b, at, size));
            if self.strides[dim] > 1 {
                inside.push(index::below(b, rest, 1));
            }
            of_source.push(at);
        }
        let Some(inside) = inside.into_iter().reduce(|all, one| arith::andi(b, all, one)) else {
            bug("padding has no dimensions");
        };
        let mut read = None;
        let element = |b: &Builder<'c>| {
            let element = tensor::extract(b, self.source, &of_source);
            read = Some(element);
            vec![element]
        };
        let value = scf::if_else(b, inside, element, |_| vec![self.value]).results()[0];
        (value, read)
    }
}
