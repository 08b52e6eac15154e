//! Arithmetic, logic, conversions and complex numbers.

use crate::matchers::{
    ZeroSign, constant_of, defined_by, ensure, float_format, is_all_ones, is_integral, is_one,
    is_zero, is_zero_of_sign, operands, result_type,
};
use halo_ir::prelude::*;

pub(super) fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::named(stablehlo::AddOp::NAME, constant_to_rhs),
        Pattern::named(stablehlo::AddOp::NAME, zero_on_the_right),
        Pattern::new::<stablehlo::AndOp>(all_ones_on_the_right),
        Pattern::named(stablehlo::AndOp::NAME, constant_to_rhs),
        Pattern::named(stablehlo::AndOp::NAME, same_operands),
        Pattern::named(stablehlo::AndOp::NAME, zero_absorbs),
        Pattern::new::<stablehlo::ComplexOp>(parts_of_one_number),
        Pattern::new::<stablehlo::ConvertOp>(no_change_of_type),
        Pattern::named(stablehlo::DivOp::NAME, one_on_the_right),
        Pattern::named(stablehlo::ImagOp::NAME, part_of_complex),
        Pattern::named(stablehlo::ImagOp::NAME, part_of_real),
        Pattern::named(stablehlo::MaxOp::NAME, constant_to_rhs),
        Pattern::named(stablehlo::MaxOp::NAME, same_operands),
        Pattern::named(stablehlo::MinOp::NAME, constant_to_rhs),
        Pattern::named(stablehlo::MinOp::NAME, same_operands),
        Pattern::named(stablehlo::MulOp::NAME, constant_to_rhs),
        Pattern::named(stablehlo::MulOp::NAME, one_on_the_right),
        Pattern::named(stablehlo::MulOp::NAME, zero_absorbs),
        Pattern::named(stablehlo::NegOp::NAME, twice),
        Pattern::named(stablehlo::NotOp::NAME, twice),
        Pattern::new::<stablehlo::OrOp>(all_ones_absorb),
        Pattern::named(stablehlo::OrOp::NAME, constant_to_rhs),
        Pattern::named(stablehlo::OrOp::NAME, same_operands),
        Pattern::named(stablehlo::OrOp::NAME, zero_on_the_right),
        Pattern::named(stablehlo::RealOp::NAME, part_of_complex),
        Pattern::named(stablehlo::RealOp::NAME, part_of_real),
        Pattern::named(stablehlo::ShiftLeftOp::NAME, zero_on_the_right),
        Pattern::named(stablehlo::ShiftRightArithmeticOp::NAME, zero_on_the_right),
        Pattern::named(stablehlo::ShiftRightLogicalOp::NAME, zero_on_the_right),
        Pattern::named(stablehlo::SubtractOp::NAME, cancels_to_zero),
        Pattern::named(stablehlo::SubtractOp::NAME, zero_on_the_right),
        Pattern::named(stablehlo::XorOp::NAME, cancels_to_zero),
        Pattern::named(stablehlo::XorOp::NAME, constant_to_rhs),
        Pattern::named(stablehlo::XorOp::NAME, zero_on_the_right),
    ]
}

/// `op(constant, x)` -> `op(x, constant)`, for commutative ops.
fn constant_to_rhs<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    ensure(
        constant_of(lhs).is_some() && constant_of(rhs).is_none(),
        "the left operand is not the only constant",
    )?;
    let new = b.with_operands(op, &[rhs, lhs]);
    b.replace_with(op, new)
}

/// `x + 0`, `x - 0`, `x | 0`, `x ^ 0`, `x << 0`, `x >> 0` -> `x`; of floats, `x + -0.0` and
/// `x - 0.0` -> `x`, since `-0.0 + 0.0` is `0.0`.
fn zero_on_the_right<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    let sign = if op.isa::<stablehlo::AddOp>() {
        ZeroSign::Negative
    } else {
        ZeroSign::Positive
    };
    ensure(
        is_zero_of_sign(rhs, sign) && lhs.ty() == result_type(op)?,
        "the right operand is not the neutral zero, or the types differ",
    )?;
    b.replace_merged(op, lhs)
}

/// `x * 1`, `x / 1` -> `x`, except for complex numbers: an infinite part times the imaginary part
/// of 1 is NaN.
fn one_on_the_right<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    ensure(
        is_one(rhs) && !lhs.ty().element_type().is_complex() && lhs.ty() == result_type(op)?,
        "the right operand is not a real one, or the types differ",
    )?;
    b.replace_merged(op, lhs)
}

/// `x & -1` -> `x`
fn all_ones_on_the_right<'c>(b: &Builder<'c>, op: stablehlo::AndOp<'c>) -> RewriteResult {
    let (lhs, rhs) = (op.lhs(), op.rhs());
    ensure(
        is_all_ones(rhs) && lhs.ty() == op.result().ty(),
        "the right operand is not all ones, or the types differ",
    )?;
    b.replace_merged(op.operation(), lhs)
}

/// `x & 0`, `x * 0` -> `0`, for integers: a float may be infinite or NaN.
fn zero_absorbs<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [_, rhs] = operands(op)?;
    ensure(
        is_integral(rhs) && is_zero(rhs) && rhs.ty() == result_type(op)?,
        "the right operand is no integral zero, or the types differ",
    )?;
    b.replace_merged(op, rhs)
}

/// `x | -1` -> `-1`
fn all_ones_absorb<'c>(b: &Builder<'c>, op: stablehlo::OrOp<'c>) -> RewriteResult {
    let rhs = op.rhs();
    ensure(
        is_all_ones(rhs) && rhs.ty() == op.result().ty(),
        "the right operand is not all ones, or the types differ",
    )?;
    b.replace_merged(op.operation(), rhs)
}

/// `x & x`, `x | x`, `max(x, x)`, `min(x, x)` -> `x`
fn same_operands<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    ensure(
        lhs == rhs && lhs.ty() == result_type(op)?,
        "the operands or the types differ",
    )?;
    b.replace_merged(op, lhs)
}

/// `x - x`, `x ^ x` -> `0`, for integers.
fn cancels_to_zero<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    let ty = result_type(op)?;
    ensure(
        lhs == rhs && is_integral(lhs),
        "the operands differ, or are not integral",
    )?;
    crate::matchers::static_shape(ty)?;
    let zero = stablehlo::number(b, ty, 0.0)?;
    b.replace(op, &[zero]);
    Ok(())
}

/// `-(-x)`, `not(not(x))` -> `x`
fn twice<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [operand] = operands(op)?;
    let inner = operand.defining_op().ok_or_else(|| no_match("the operand is an argument"))?;
    ensure(
        inner.name() == op.name(),
        "the operand is computed by another op",
    )?;
    let [inner] = operands(inner)?;
    // Quantized values are rounded each time, and unsigned floats have no negative numbers.
    let is_signed = float_format(inner).is_some_and(|format| format.sign_bit() != 0);
    ensure(
        is_integral(inner) || is_signed,
        "the op is no inverse of itself on these elements",
    )?;
    ensure(
        inner.ty() == result_type(op)?,
        "the types of the operand and the result differ",
    )?;
    b.replace_merged(op, inner)
}

/// `convert(x)` to the type of `x` -> `x`
fn no_change_of_type<'c>(b: &Builder<'c>, op: stablehlo::ConvertOp<'c>) -> RewriteResult {
    let operand = op.operand();
    ensure(
        operand.ty() == op.result().ty(),
        "the types of the operand and the result differ",
    )?;
    b.replace_merged(op.operation(), operand)
}

/// `complex(real(x), imag(x))` -> `x`
fn parts_of_one_number<'c>(b: &Builder<'c>, op: stablehlo::ComplexOp<'c>) -> RewriteResult {
    let (real, imag) = (op.lhs(), op.rhs());
    let whole = defined_by::<stablehlo::RealOp>(real)?.operand();
    let other = defined_by::<stablehlo::ImagOp>(imag)?.operand();
    ensure(
        whole == other && whole.ty() == op.result().ty(),
        "the parts are of several values, or the types differ",
    )?;
    b.replace(op.operation(), &[whole]);
    Ok(())
}

/// `real(complex(r, i))` -> `r`, `imag(complex(r, i))` -> `i`
fn part_of_complex<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [operand] = operands(op)?;
    let inner = defined_by::<stablehlo::ComplexOp>(operand)?;
    let (real, imag) = (inner.lhs(), inner.rhs());
    let part = if op.isa::<stablehlo::RealOp>() {
        real
    } else {
        imag
    };
    ensure(
        part.ty() == result_type(op)?,
        "the types of the operand and the result differ",
    )?;
    b.replace(op, &[part]);
    Ok(())
}

/// For a real `x`, `real(x)` -> `x`, `imag(x)` -> `0`
fn part_of_real<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [operand] = operands(op)?;
    let ty = result_type(op)?;
    ensure(
        operand.ty().element_type().is_float() && operand.ty() == ty,
        "the elements are no floats, or the types differ",
    )?;
    let part = if op.isa::<stablehlo::RealOp>() {
        operand
    } else {
        crate::matchers::static_shape(ty)?;
        stablehlo::number(b, ty, 0.0)?
    };
    b.replace(op, &[part]);
    Ok(())
}
