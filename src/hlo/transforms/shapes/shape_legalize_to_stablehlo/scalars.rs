//! Ops of arith on scalars other than sums and products, and constants that are tensors.

use super::values::{cast, integer, is_of_index, result_of, to_int};
use crate::matchers::operands;
use halo_ir::prelude::*;

/// The patterns of this file.
pub fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::named(arith::AndIOp::NAME, logic),
        Pattern::named(arith::CeilDivSIOp::NAME, rounded_division),
        Pattern::named(arith::CeilDivUIOp::NAME, rounded_division),
        Pattern::new::<arith::CmpIOp>(compare),
        Pattern::new::<arith::ConstantOp>(constant),
        Pattern::named(arith::FloorDivSIOp::NAME, rounded_division),
        Pattern::named(arith::OrIOp::NAME, logic),
        Pattern::new::<arith::SelectOp>(select),
        Pattern::named(arith::XOrIOp::NAME, logic),
    ]
}

/// A scalar integer, boolean or index as a tensor of rank 0.
fn tensor_of<'c>(b: &Builder<'c>, value: Value<'c>) -> RewriteResult<Value<'c>> {
    match value.ty() {
        ty if ty.is_index() => to_int(b, value),
        ty if ty.is_integer() => integer(b, value, tensor_type(&[], ty)),
        _ => Err(no_match("an operand is no scalar integer")),
    }
}

/// Replaces an op by a tensor of rank 0.
fn replace<'c>(b: &Builder<'c>, op: Operation<'c>, value: Value<'c>) -> RewriteResult {
    let value = cast(b, value, result_of(op)?.ty())?;
    b.replace(op, &[value]);
    Ok(())
}

/// A constant tensor, except for the indices, which its users read.
fn constant<'c>(b: &Builder<'c>, op: arith::ConstantOp<'c>) -> RewriteResult {
    let ty = op.result().ty();
    if !ty.is_tensor() || ty.element_type().is_index() {
        return Err(no_match("it is no tensor, or one of indices"));
    }
    let constant = stablehlo::constant(b, op.value());
    b.replace(op.operation(), &[constant]);
    Ok(())
}

/// A comparison; sizes are not negative, so that signed ones apply to them.
fn compare<'c>(b: &Builder<'c>, op: arith::CmpIOp<'c>) -> RewriteResult {
    let is_signed = op.lhs().ty().is_index();
    let direction = match op.predicate() {
        CmpIPredicate::Eq => ComparisonDirection::Eq,
        CmpIPredicate::Ne => ComparisonDirection::Ne,
        CmpIPredicate::Slt => ComparisonDirection::Lt,
        CmpIPredicate::Sle => ComparisonDirection::Le,
        CmpIPredicate::Sgt => ComparisonDirection::Gt,
        CmpIPredicate::Sge => ComparisonDirection::Ge,
        CmpIPredicate::Ult if is_signed => ComparisonDirection::Lt,
        CmpIPredicate::Ule if is_signed => ComparisonDirection::Le,
        CmpIPredicate::Ugt if is_signed => ComparisonDirection::Gt,
        CmpIPredicate::Uge if is_signed => ComparisonDirection::Ge,
        _ => return Err(no_match("it compares unsigned integers")),
    };
    // StableHLO compares booleans as 0 and 1, arith as 0 and -1.
    let is_boolean = op.lhs().ty().integer_width() == Some(1);
    let orders = !matches!(op.predicate(), CmpIPredicate::Eq | CmpIPredicate::Ne);
    if is_boolean && orders {
        return Err(no_match("it orders booleans"));
    }
    let value = stablehlo::compare(
        b,
        tensor_of(b, op.lhs())?,
        tensor_of(b, op.rhs())?,
        direction,
    );
    replace(b, op.operation(), value)
}

/// A choice between scalars.
fn select<'c>(b: &Builder<'c>, op: arith::SelectOp<'c>) -> RewriteResult {
    let condition = tensor_of(b, op.condition())?;
    let (on_true, on_false) = (op.true_value(), op.false_value());
    let value = stablehlo::select(
        b,
        condition,
        tensor_of(b, on_true)?,
        tensor_of(b, on_false)?,
    );
    replace(b, op.operation(), value)
}

/// `andi`, `ori` and `xori`.
fn logic<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [left, right] = operands(op)?;
    let (left, right) = (tensor_of(b, left)?, tensor_of(b, right)?);
    let value = match op.name() {
        arith::AndIOp::NAME => stablehlo::and(b, left, right),
        arith::OrIOp::NAME => stablehlo::or(b, left, right),
        _ => stablehlo::xor(b, left, right),
    };
    replace(b, op, value)
}

/// A division that rounds up or down: the quotient, plus or minus one if it is not exact and lies on
/// the other side of the rounded one.
fn rounded_division<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [left, right] = operands(op)?;
    if op.isa::<arith::CeilDivUIOp>() && !is_of_index(left) {
        return Err(no_match("it divides unsigned integers"));
    }
    let (left, right) = (tensor_of(b, left)?, tensor_of(b, right)?);
    let ty = left.ty();
    let zero = stablehlo::integers(b, ty, &[0])?;
    let quotient = stablehlo::divide(b, left, right);
    let remainder = stablehlo::remainder(b, left, right);
    let is_inexact = stablehlo::compare(b, remainder, zero, ComparisonDirection::Ne);
    let is_negative =
        [remainder, right].map(|value| stablehlo::compare(b, value, zero, ComparisonDirection::Lt));
    let rounds_up = !op.isa::<arith::FloorDivSIOp>();
    // The exact quotient is greater than the rounded one if remainder and divisor have one sign.
    let direction = if rounds_up {
        ComparisonDirection::Eq
    } else {
        ComparisonDirection::Ne
    };
    let is_beyond = stablehlo::compare(b, is_negative[0], is_negative[1], direction);
    let moves = stablehlo::and(b, is_inexact, is_beyond);
    let step = stablehlo::convert(b, moves, ty);
    let value = if rounds_up {
        stablehlo::add(b, quotient, step)
    } else {
        stablehlo::subtract(b, quotient, step)
    };
    replace(b, op, value)
}
