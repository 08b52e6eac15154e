//! Reductions of windows.

use super::rule::{Build, Draft, Kind, Tensor, Window};
use halo_ir::prelude::*;

pub(super) const RULES: &[(&str, Build)] = &[
    (stablehlo::ReduceWindowOp::NAME, reduce_window),
    (stablehlo::SelectAndScatterOp::NAME, select_and_scatter),
];

fn reduce_window(op: Operation, draft: &mut Draft) -> Option<()> {
    let op = op.cast::<stablehlo::ReduceWindowOp>()?;
    let inputs = op.inputs().len();
    let windows = op.window_dimensions();
    let or = |own: Option<Vec<i64>>| own.unwrap_or_else(|| vec![1; windows.len()]);
    let (strides, base) = (or(op.window_strides()), or(op.base_dilations()));
    let dilations = or(op.window_dilations());
    let padding = op.padding().map(Attribute::dense_i64s);
    let padding = padding.unwrap_or_else(|| Some(vec![0; 2 * windows.len()]))?;
    for (dimension, size) in windows.iter().enumerate() {
        let window = Window {
            stride: strides[dimension],
            offset: -padding[2 * dimension],
            extent: (size - 1) * dilations[dimension] + 1,
        };
        let padding = (padding[2 * dimension], padding[2 * dimension + 1]);
        let kind = match (size, strides[dimension], base[dimension], padding) {
            (1, 1, 1, (0, 0)) => Kind::Parallel,
            (1.., _, 1, _) => Kind::Window(window),
            _ => Kind::Whole,
        };
        let operands = (0..inputs).map(|one| (Tensor::Operand(one), dimension));
        let results = (0..inputs).map(|one| (Tensor::Result(one), dimension));
        draft.dimensions(kind, &operands.chain(results).collect::<Vec<_>>());
    }
    Some(())
}

/// Dimensions without windows; others are whole.
fn select_and_scatter(op: Operation, draft: &mut Draft) -> Option<()> {
    let op = op.cast::<stablehlo::SelectAndScatterOp>()?;
    let (operand, source, result) = (Tensor::Operand(0), Tensor::Operand(1), Tensor::Result(0));
    let rank = draft.rank(result);
    let or = |own: Option<Vec<i64>>| own.unwrap_or_else(|| vec![1; rank]);
    let (windows, strides) = (or(op.window_dimensions()), or(op.window_strides()));
    let padding = op.padding().map(Attribute::dense_i64s);
    let padding = padding.unwrap_or_else(|| Some(vec![0; 2 * rank]))?;
    for dimension in 0..rank {
        let (own, to) = ((operand, dimension), (result, dimension));
        let padding = &padding[2 * dimension..2 * dimension + 2];
        match (windows[dimension], strides[dimension], padding) {
            (1, 1, [0, 0]) => draft.parallel(&[own, (source, dimension), to]),
            _ => draft.dimensions(Kind::Whole, &[own, to]),
        }
    }
    Some(())
}
