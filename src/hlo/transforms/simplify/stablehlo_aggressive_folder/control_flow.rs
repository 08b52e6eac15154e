//! Branches on constants, and loops without iterations.

use super::Options;
use crate::communication::is_collective;
use crate::custom_calls::may_have_effects;
use crate::matchers::{constant_of, ensure, operands};
use halo_ir::prelude::*;

pub(super) fn patterns(options: Options) -> Vec<Pattern<'static>> {
    vec![
        Pattern::named(stablehlo::CaseOp::NAME, branch),
        Pattern::named(stablehlo::IfOp::NAME, branch),
        Pattern::new::<stablehlo::WhileOp>(move |b, op| dead_loop(b, op, options)),
        Pattern::new::<stablehlo::WhileOp>(loop_without_iteration),
    ]
}

/// Replaces the op by the branch that a constant selects.
fn branch<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [index] = operands(op)?;
    let number = constant_of(index)
        .and_then(Attribute::splat_integer)
        .ok_or_else(|| no_match("the index is not constant"))?;
    let count = op.region_count();
    ensure(count > 0, "there is no branch")?;
    let chosen = if op.isa::<stablehlo::IfOp>() {
        usize::from(number == 0)
    } else {
        // An index out of range selects the last branch.
        usize::try_from(number)
            .ok()
            .filter(|number| *number < count)
            .unwrap_or(count - 1)
    };
    let body = op.body(chosen).ok_or_else(|| no_match("the region is empty"))?;
    let returned =
        (body.terminator().ok_or_else(|| no_match("a block has no terminator"))?).operands();
    let results = op.results();
    ensure(
        returned.len() == results.len(),
        "the branch returns another number of values",
    )?;
    for (value, result) in returned.iter().zip(&results) {
        ensure(
            value.ty() == result.ty(),
            "the types of the branch and the result differ",
        )?;
    }
    let values = b.inline_before(body, op, &[]);
    b.replace(op, &values);
    Ok(())
}

/// Fails unless the condition of a loop is the constant false.
fn expect_never_entered(op: stablehlo::WhileOp) -> RewriteResult {
    let condition = op.operation().body(0).ok_or_else(|| no_match("a region is empty"))?;
    let terminator = condition.terminator().ok_or_else(|| no_match("a block has no terminator"))?;
    let [holds] = operands(terminator)?;
    ensure(
        constant_of(holds).and_then(Attribute::splat_integer) == Some(0),
        "the condition is not the constant false",
    )
}

/// A loop that is never entered returns its operands.
fn loop_without_iteration<'c>(b: &Builder<'c>, op: stablehlo::WhileOp<'c>) -> RewriteResult {
    expect_never_entered(op)?;
    let (carried, results) = (op.operand(), op.results());
    ensure(
        carried.len() == results.len() && results.iter().any(|result| !result.is_unused()),
        "another number of values is carried, or no result is used",
    )?;
    for (value, result) in carried.iter().zip(&results) {
        ensure(
            value.ty() == result.ty(),
            "the types of an operand and its result differ",
        )?;
    }
    for (value, result) in carried.into_iter().zip(results) {
        b.replace_uses(result, value);
    }
    Ok(())
}

/// Removes a loop that is never entered and has no uses, if ops without declared effects are
/// assumed to have none.
fn dead_loop<'c>(b: &Builder<'c>, op: stablehlo::WhileOp<'c>, options: Options) -> RewriteResult {
    ensure(
        options.no_undeclared_effects,
        "functions that are called may have effects",
    )?;
    expect_never_entered(op)?;
    ensure(
        op.results().into_iter().all(Value::is_unused),
        "a result is used",
    )?;
    let mut declared = false;
    op.visit(&mut |nested| declared |= declares_effects(nested));
    ensure(!declared, "an op in the loop has effects")?;
    b.erase(op.operation());
    Ok(())
}

/// Returns true if an op itself declares effects.
fn declares_effects(op: Operation) -> bool {
    if let Some(call) = op.cast::<stablehlo::CustomCallOp>() {
        return may_have_effects(call);
    }
    let name = op.name();
    is_collective(name)
        || matches!(
            name,
            stablehlo::AsyncDoneOp::NAME
                | stablehlo::AsyncStartOp::NAME
                | stablehlo::InfeedOp::NAME
                | stablehlo::OutfeedOp::NAME
                | stablehlo::RecvOp::NAME
                | stablehlo::RngOp::NAME
                | stablehlo::SendOp::NAME
        )
}
