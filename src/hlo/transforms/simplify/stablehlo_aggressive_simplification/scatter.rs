//! Scatters: additions to their results.

use crate::matchers::{defined_by, ensure, is_integral, is_zero};
use halo_ir::prelude::*;

pub(super) fn patterns() -> Vec<Pattern<'static>> {
    vec![Pattern::new::<stablehlo::AddOp>(sum_of_scatter)]
}

/// For integers: `add(x, scatter(0, indices, updates))` with addition -> `scatter(x, indices,
/// updates)`
///
/// Floats would be rounded differently: small updates whose sum is large would be lost in a large
/// `x`.
fn sum_of_scatter<'c>(b: &Builder<'c>, op: stablehlo::AddOp<'c>) -> RewriteResult {
    let (lhs, rhs) = (op.lhs(), op.rhs());
    ensure(is_integral(lhs), "the elements are not integers")?;
    let (scatter, start) = of_zeros(lhs)
        .map(|scatter| (scatter, rhs))
        .or_else(|| of_zeros(rhs).map(|scatter| (scatter, lhs)))
        .ok_or_else(|| no_match("no operand is a sum of updates to zeros"))?;
    let new = b.clone_op(scatter.operation(), &mut Default::default());
    new.set_operand(0, start);
    b.replace(op.operation(), &new.results());
    Ok(())
}

/// The scatter that defines a value as its only result, if it adds updates to zeros, and the value
/// has no other use.
fn of_zeros<'c>(value: Value<'c>) -> Option<stablehlo::ScatterOp<'c>> {
    let scatter = defined_by::<stablehlo::ScatterOp>(value).ok()?;
    let [input] = scatter.inputs()[..] else {
        return None;
    };
    let body = scatter.operation().body(0)?;
    let [add, end] = body.operations()[..] else {
        return None;
    };
    let mut addends = add.operands();
    let is_sum = add.isa::<stablehlo::AddOp>()
        && (addends == body.arguments() || {
            addends.reverse();
            addends == body.arguments()
        })
        && end.operands() == add.results();
    let broadcast = defined_by::<stablehlo::BroadcastInDimOp>(input);
    let start = broadcast.map_or(input, |broadcast| broadcast.operand());
    (is_sum && value.has_one_use() && is_zero(start)).then_some(scatter)
}
