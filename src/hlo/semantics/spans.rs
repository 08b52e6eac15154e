//! Slices of dynamic starts whose sizes are constants.

use super::op::Op;
use halo_ir::prelude::*;

/// The sizes of a slice with unit strides whose limits are its starts plus constants.
pub fn constant_spans(op: Op) -> Option<Vec<i64>> {
    if op.constant_operand(3)?.iter().any(|stride| *stride != 1) {
        return None;
    }
    let starts = op.operand_value(1)?;
    let sum = op.operand_value(2)?.defining_op()?;
    if !sum.isa::<stablehlo::AddOp>() {
        return None;
    }
    let sum = Op::Built(sum);
    let (left, right) = (sum.operand_value(0)?, sum.operand_value(1)?);
    let spans = if is_same(left, starts, 0) {
        sum.constant_operand(1)
    } else if is_same(right, starts, 0) {
        sum.constant_operand(0)
    } else {
        None
    };
    spans.filter(|spans| spans.iter().all(|span| *span >= 0))
}

/// The maximum depth of comparing two values.
const MAX_DEPTH: usize = 8;

/// Returns true if two values have equal computations: exporters repeat shape computations at each
/// use.
fn is_same(left: Value, right: Value, depth: usize) -> bool {
    if left == right {
        return true;
    }
    let (Some((left, of_left)), Some((right, of_right))) = (left.as_result(), right.as_result())
    else {
        return false;
    };
    let repeatable = matches!(
        left.name(),
        stablehlo::AddOp::NAME
            | stablehlo::ConcatenateOp::NAME
            | stablehlo::ConstantOp::NAME
            | stablehlo::ConvertOp::NAME
            | stablehlo::MulOp::NAME
            | stablehlo::ReshapeOp::NAME
            | stablehlo::SelectOp::NAME
            | stablehlo::SliceOp::NAME
            | stablehlo::SubtractOp::NAME
    );
    depth < MAX_DEPTH
        && repeatable
        && of_left == of_right
        && left.name() == right.name()
        && left.attributes() == right.attributes()
        && left.result_types() == right.result_types()
        && left.operand_count() == right.operand_count()
        && left
            .operands()
            .into_iter()
            .zip(right.operands())
            .all(|(left, right)| is_same(left, right, depth + 1))
}
