//! Comparisons and selects.

use super::Options;
use crate::matchers::{
    constant_of, defined_by, ensure, is_all_ones, is_integral, is_zero, static_shape, swapped,
};
use halo_ir::{
    dense_from_integers, prelude::*, stablehlo::attributes::ComparisonDirection as Direction,
};

pub(super) fn patterns(options: Options) -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::CompareOp>(constant_to_rhs),
        Pattern::new::<stablehlo::CompareOp>(same_operands),
        Pattern::new::<stablehlo::CompareOp>(with_boolean_constant),
        Pattern::new::<stablehlo::SelectOp>(by_broadcast_of_not),
        Pattern::new::<stablehlo::SelectOp>(move |b, op| by_constant(b, op, options)),
        Pattern::new::<stablehlo::SelectOp>(by_not),
        Pattern::new::<stablehlo::SelectOp>(same_outcomes),
    ]
}

/// For integers, `compare(constant, x)` -> the swapped comparison.
fn constant_to_rhs<'c>(b: &Builder<'c>, op: stablehlo::CompareOp<'c>) -> RewriteResult {
    let (lhs, rhs) = (op.lhs(), op.rhs());
    ensure(
        is_integral(lhs) && constant_of(lhs).is_some() && constant_of(rhs).is_none(),
        "the left operand is not the only constant, or is not integral",
    )?;
    let direction = swapped(op.comparison_direction());
    let new = b.with_operands(op.operation(), &[rhs, lhs]);
    if let Some(compare) = new.cast::<stablehlo::CompareOp>() {
        compare.set_comparison_direction(direction);
    }
    b.replace_with(op.operation(), new)
}

/// For integers, `x == x`, `x <= x`, `x >= x` -> true; the others -> false.
fn same_operands<'c>(b: &Builder<'c>, op: stablehlo::CompareOp<'c>) -> RewriteResult {
    let (lhs, rhs) = (op.lhs(), op.rhs());
    let ty = op.result().ty();
    ensure(
        lhs == rhs && is_integral(lhs),
        "the operands differ, or are not integral",
    )?;
    static_shape(ty)?;
    let holds = matches!(
        op.comparison_direction(),
        Direction::Eq | Direction::Ge | Direction::Le
    );
    let value = stablehlo::number(b, ty, f64::from(u8::from(holds)))?;
    b.replace(op.operation(), &[value]);
    Ok(())
}

/// For booleans, `x != false`, `x == true` -> `x`; `x == false`, `x != true` ->
/// `not(x)`
fn with_boolean_constant<'c>(b: &Builder<'c>, op: stablehlo::CompareOp<'c>) -> RewriteResult {
    let (lhs, rhs) = (op.lhs(), op.rhs());
    ensure(
        lhs.ty().element_type().integer_width() == Some(1) && lhs.ty() == op.result().ty(),
        "the operands are not boolean, or the types differ",
    )?;
    let constant = match (is_zero(rhs), is_all_ones(rhs)) {
        (true, false) => false,
        (false, true) => true,
        _ => return Err(no_match("no operand is a boolean constant")),
    };
    let result = match (op.comparison_direction(), constant) {
        (Direction::Ne, false) | (Direction::Eq, true) => lhs,
        (Direction::Eq, false) | (Direction::Ne, true) => stablehlo::not(b, lhs),
        _ => return Err(no_match("the direction orders the operands")),
    };
    b.replace(op.operation(), &[result]);
    Ok(())
}

/// `select(p, x, x)` -> `x`
fn same_outcomes<'c>(b: &Builder<'c>, op: stablehlo::SelectOp<'c>) -> RewriteResult {
    let (on_true, on_false) = (op.on_true(), op.on_false());
    ensure(
        on_true == on_false && on_true.ty() == op.result().ty(),
        "the outcomes differ",
    )?;
    b.replace(op.operation(), &[on_true]);
    Ok(())
}

/// `select(constant, t, f)` -> `t` or `f`, or the mixture of two constants.
fn by_constant<'c>(
    b: &Builder<'c>,
    op: stablehlo::SelectOp<'c>,
    options: Options,
) -> RewriteResult {
    let (pred, on_true, on_false) = (op.pred(), op.on_true(), op.on_false());
    let ty = op.result().ty();
    let predicate = constant_of(pred).ok_or_else(|| no_match("the predicate is not constant"))?;
    if let Some(choice) = predicate.splat_integer() {
        let chosen = if choice != 0 { on_true } else { on_false };
        ensure(
            chosen.ty() == ty,
            "the types of the operand and the result differ",
        )?;
        b.replace(op.operation(), &[chosen]);
        return Ok(());
    }
    ensure(
        ty.element_count().is_some_and(|count| count <= options.element_limit),
        "the result has more elements than the limit",
    )?;
    let (Some(on_true), Some(on_false)) = (constant_of(on_true), constant_of(on_false)) else {
        return Err(no_match("an outcome is not constant"));
    };
    ensure(
        on_true.is_dense() && on_false.is_dense(),
        "an outcome is no dense constant",
    )?;
    let choices = predicate
        .dense_integers()
        .ok_or_else(|| no_match("the predicate is no dense constant"))?;
    let (Some(on_true), Some(on_false)) = (on_true.dense_integers(), on_false.dense_integers())
    else {
        return Err(no_match("an outcome is not of integers"));
    };
    let mixed: Vec<i64> = choices
        .iter()
        .zip(on_true.iter().zip(&on_false))
        .map(|(choice, (on_true, on_false))| if *choice != 0 { *on_true } else { *on_false })
        // The bits of unsigned numbers.
        .map(|number| number as i64)
        .collect();
    let value =
        dense_from_integers(ty, &mixed).ok_or_else(|| no_match("a type takes no such constant"))?;
    let result = stablehlo::constant(b, value);
    b.replace(op.operation(), &[result]);
    Ok(())
}

/// `select(not(p), t, f)` -> `select(p, f, t)`
fn by_not<'c>(b: &Builder<'c>, op: stablehlo::SelectOp<'c>) -> RewriteResult {
    let (pred, on_true, on_false) = (op.pred(), op.on_true(), op.on_false());
    let inner = defined_by::<stablehlo::NotOp>(pred)?.operand();
    let new = b.with_operands(op.operation(), &[inner, on_false, on_true]);
    b.replace_with(op.operation(), new)
}

/// `select(broadcast(not(p)), t, f)` -> `select(broadcast(p), f, t)`
fn by_broadcast_of_not<'c>(b: &Builder<'c>, op: stablehlo::SelectOp<'c>) -> RewriteResult {
    let (pred, on_true, on_false) = (op.pred(), op.on_true(), op.on_false());
    let broadcast = defined_by::<stablehlo::BroadcastInDimOp>(pred)?;
    ensure(pred.has_one_use(), "the predicate has other users")?;
    let wide = broadcast.operand();
    let inner = defined_by::<stablehlo::NotOp>(wide)?.operand();
    let dimensions = broadcast.broadcast_dimensions();
    let element = inner.ty().element_type();
    let result = pred.ty().with_element_type(element);
    let pred = stablehlo::broadcast_in_dim(b, inner, &dimensions, result);
    let new = b.with_operands(op.operation(), &[pred, on_false, on_true]);
    b.replace_with(op.operation(), new)
}
