//! Tests for infinities.
//!
//! They are computed in f32 or f64: a narrow format may lack infinities, and so the constant to
//! compare with.

use crate::matchers::{operands, result_type};
use crate::transforms::legalize::formula::{Expression, Formula};
use halo_ir::prelude::*;

/// `|x| = inf`
pub fn is_inf<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    test(b, op, |x| x.abs().eq(f64::INFINITY))
}

/// `x = inf`
pub fn is_pos_inf<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    test(b, op, |x| x.eq(f64::INFINITY))
}

/// `x = -inf`
pub fn is_neg_inf<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    test(b, op, |x| x.eq(f64::NEG_INFINITY))
}

fn test<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    predicate: for<'f> fn(Expression<'f, 'c>) -> Expression<'f, 'c>,
) -> RewriteResult {
    let [operand] = operands(op)?;
    let formula = Formula::new(b, operand);
    let value = predicate(formula.value(operand).widened());
    let result = formula.finish(value, result_type(op)?)?;
    b.replace(op, &[result]);
    Ok(())
}
