//! Slices, updates of slices, and padding.

use super::rule::{Build, Draft, Kind, Tensor, Window};
use halo_ir::prelude::*;

pub(super) const RULES: &[(&str, Build)] = &[
    (stablehlo::DynamicSliceOp::NAME, dynamic_slice),
    (stablehlo::DynamicUpdateSliceOp::NAME, dynamic_update_slice),
    (stablehlo::PadOp::NAME, pad),
    (stablehlo::SliceOp::NAME, slice),
];

const OPERAND: Tensor = Tensor::Operand(0);
const RESULT: Tensor = Tensor::Result(0);

fn slice(op: Operation, draft: &mut Draft) -> Option<()> {
    let op = op.cast::<stablehlo::SliceOp>()?;
    let (starts, strides) = (op.start_indices(), op.strides());
    for dimension in 0..draft.rank(RESULT) {
        let is_all = draft.sizes(OPERAND).get(dimension) == draft.sizes(RESULT).get(dimension);
        let window = Window {
            stride: strides[dimension],
            offset: starts[dimension],
            extent: 1,
        };
        let kind = if is_all {
            Kind::Parallel
        } else {
            Kind::Window(window)
        };
        draft.dimensions(kind, &[(OPERAND, dimension), (RESULT, dimension)]);
    }
    Some(())
}

fn pad(op: Operation, draft: &mut Draft) -> Option<()> {
    let op = op.cast::<stablehlo::PadOp>()?;
    let (low, high) = (op.edge_padding_low(), op.edge_padding_high());
    let interior = op.interior_padding();
    for dimension in 0..draft.rank(RESULT) {
        let window = Window {
            stride: 1,
            offset: -low[dimension],
            extent: 1,
        };
        let kind = match (low[dimension], high[dimension], interior[dimension]) {
            (0, 0, 0) => Kind::Parallel,
            (_, _, 0) => Kind::Window(window),
            _ => Kind::Whole,
        };
        draft.dimensions(kind, &[(OPERAND, dimension), (RESULT, dimension)]);
    }
    Some(())
}

/// Dimensions that are taken completely; others are whole.
fn dynamic_slice(_: Operation, draft: &mut Draft) -> Option<()> {
    for dimension in 0..draft.rank(RESULT) {
        let is_all = draft.sizes(OPERAND).get(dimension) == draft.sizes(RESULT).get(dimension);
        let kind = if is_all { Kind::Parallel } else { Kind::Whole };
        draft.dimensions(kind, &[(OPERAND, dimension), (RESULT, dimension)]);
    }
    Some(())
}

/// Dimensions that are replaced completely; others are whole.
fn dynamic_update_slice(_: Operation, draft: &mut Draft) -> Option<()> {
    let update = Tensor::Operand(1);
    for dimension in 0..draft.rank(RESULT) {
        let (own, result) = ((OPERAND, dimension), (RESULT, dimension));
        if draft.sizes(OPERAND).get(dimension) == draft.sizes(update).get(dimension) {
            draft.parallel(&[own, (update, dimension), result])
        } else {
            draft.dimensions(Kind::Whole, &[own, result])
        }
    }
    Some(())
}
