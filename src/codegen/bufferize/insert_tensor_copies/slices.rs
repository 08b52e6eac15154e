//! Computes inserted tensors directly in the slice of their destination.
//!
//! ```mlir
//! %0 = linalg.generic ins(%a) outs(%empty : tensor<4xf32>)
//! %1 = tensor.insert_slice %0 into %t[4] [4] [1]
//! ```
//!
//! becomes
//!
//! ```mlir
//! %slice = tensor.extract_slice %t[4] [4] [1]
//! %0 = linalg.generic ins(%a) outs(%slice : tensor<4xf32>)
//! %1 = tensor.insert_slice %0 into %t[4] [4] [1]
//! ```
//!
//! The slice shares the buffer of the tensor, so that no copy is needed. If the old contents are
//! still needed, the op gets a separate buffer again. Tensors that are inserted into padding are
//! computed separately: products and windows read them directly, and need no padded buffer. The
//! option `explain` of the pass emits a remark with the reason for each other op that is not
//! computed in its slice.

use super::super::destination_passing::destination_operand;
use crate::{
    explain::Reason,
    loops::{fill::filled_with, order::is_defined_before},
};
use halo_ir::prelude::*;

/// Makes ops of a function write to the slices that their results are inserted into. `explain` gets
/// each op that does not, with the reason.
pub fn compute_in_slices<'c>(function: Operation<'c>, explain: &dyn Fn(Operation<'c>, Reason)) {
    for op in function.collect_nested(|op| op.isa::<tensor::InsertSliceOp>()) {
        let insertion = op.cast::<tensor::InsertSliceOp>();
        let is_padding = |insertion: &tensor::InsertSliceOp| {
            insertion.dest().defining_op().is_some_and(|op| filled_with(op).is_some())
        };
        if let Some(insertion) = insertion.filter(|insertion| !is_padding(insertion)) {
            compute_in_slice(op, insertion, explain);
        }
    }
}

fn compute_in_slice<'c>(
    op: Operation<'c>,
    insertion: tensor::InsertSliceOp<'c>,
    explain: &dyn Fn(Operation<'c>, Reason),
) {
    let source = without_unit_dims(insertion.source());
    let place = match place_of(source, op) {
        Some((_, Ok(place))) => place,
        Some((computed, Err(reason))) => {
            explain(computed, reason);
            return;
        }
        None => return,
    };
    // An op with several results is not moved.
    let is_moved = place.0.results().len() == 1;
    with_builder(if is_moved { op } else { place.0 }, |b| {
        let mut target = insertion.dest();
        // Each tensor has a separate buffer.
        let is_new = target.defining_op().is_some_and(|op| op.isa::<tensor::EmptyOp>());
        if is_new && !target.has_one_use() && target.ty().static_shape().is_some() {
            target = tensor::empty(b, &[], target.ty());
            op.set_operand(1, target);
        }
        let slice = tensor::extract_slice(
            b,
            target,
            &insertion.offsets(),
            &insertion.sizes(),
            &insertion.strides(),
            &insertion.static_offsets(),
            &insertion.static_sizes(),
            &insertion.static_strides(),
            source.ty(),
        );
        if is_moved {
            place.0.move_before(op);
        }
        place.0.set_operand(place.1, slice);
        if source != insertion.source() {
            let reshape = insertion.source().defining_op();
            op.set_operand(0, source);
            if let Some(reshape) = reshape {
                b.erase(reshape);
            }
        }
    })
}

/// The value before reshapes that only add dimensions of size 1.
fn without_unit_dims(value: Value) -> Value {
    let long = |value: Value| {
        let shape = value.ty().static_shape()?;
        Some(shape.into_iter().filter(|size| *size != 1).collect::<Vec<_>>())
    };
    let expand = value.defining_op().and_then(|op| op.cast::<tensor::ExpandShapeOp>());
    match expand.map(tensor::ExpandShapeOp::src) {
        Some(source)
            if value.has_one_use() && long(source).is_some() && long(source) == long(value) =>
        {
            source
        }
        _ => value,
    }
}

/// An op, and the number of its destination operand.
type Place<'c> = (Operation<'c>, usize);

/// The op that computes a value, with its destination operand if that can become the slice that the
/// value is inserted into.
fn place_of<'c>(
    value: Value<'c>,
    insertion: Operation<'c>,
) -> Option<(Operation<'c>, Result<Place<'c>, Reason>)> {
    let (op, number) = value.as_result()?;
    if !op.isa::<linalg::GenericOp>() || !op.is_structured() {
        return None;
    }
    let place = destination_operand(op, linalg::GenericOp::NAME, number)?;
    let start = *op.operands().get(place)?;
    let is_new = start.defining_op().is_some_and(|op| op.isa::<tensor::EmptyOp>());
    let can_be_there = op.results().len() == 1
        || insertion.operands()[1..].iter().all(|at| is_defined_before(*at, op));
    let place = if op.block() != insertion.block() {
        Err(Reason::ComputedOutside)
    } else if !value.has_one_use() {
        Err(Reason::ResultUsedElsewhere)
    } else if !is_new {
        Err(Reason::OverwritesTensor)
    } else if !can_be_there {
        Err(Reason::SliceComputedLater)
    } else {
        Ok((op, place))
    };
    Some((op, place))
}
