//! Elementwise ops on integers and booleans.
//!
//! Implementation-defined values agree with XLA: a quotient by zero has all bits set, a remainder
//! by zero is the dividend, the quotient of the least number by -1 wraps, and shifts by the width
//! or more shift out all bits.

use crate::formula::{Formula, Number};
use halo_ir::{
    ops::{BinaryFn, math},
    prelude::*,
    template,
};

/// Lowers an op, or returns `None` if it is not defined on integers.
pub fn lower<'c>(
    b: &Builder<'c>,
    name: &str,
    unsigned: bool,
    operands: &[Value<'c>],
) -> Option<RewriteResult<Value<'c>>> {
    let boolean = operands.first()?.ty().integer_width()? == 1;
    let formula = Formula::new(b);
    let number = |value| formula.number(value);
    let result = match *operands {
        [value] => unary(name, unsigned, number(value))?,
        [left, right] if name == stablehlo::PowOp::NAME => {
            return Some(Ok(power(b, unsigned, left, right)));
        }
        [left, right] => {
            let (left, right) = (number(left), number(right));
            match name {
                stablehlo::DivOp::NAME => divide(unsigned, left, right),
                stablehlo::RemOp::NAME => remainder(unsigned, left, right),
                stablehlo::ShiftLeftOp::NAME => shift(arith::shli, left, right),
                stablehlo::ShiftRightLogicalOp::NAME => shift(arith::shrui, left, right),
                stablehlo::ShiftRightArithmeticOp::NAME => shift_right_arithmetic(left, right),
                _ => left.binary(binary_op(name, unsigned, boolean)?, right),
            }
        }
        _ => return None,
    };
    Some(Ok(formula.finish(result)))
}

fn binary_op(name: &str, unsigned: bool, boolean: bool) -> Option<BinaryFn> {
    Some(match name {
        stablehlo::AddOp::NAME if boolean => arith::ori,
        stablehlo::MulOp::NAME if boolean => arith::andi,
        stablehlo::MaxOp::NAME if boolean => arith::ori,
        stablehlo::MinOp::NAME if boolean => arith::andi,
        stablehlo::AddOp::NAME => arith::addi,
        stablehlo::SubtractOp::NAME => arith::subi,
        stablehlo::MulOp::NAME => arith::muli,
        stablehlo::MaxOp::NAME if unsigned => arith::maxui,
        stablehlo::MaxOp::NAME => arith::maxsi,
        stablehlo::MinOp::NAME if unsigned => arith::minui,
        stablehlo::MinOp::NAME => arith::minsi,
        stablehlo::AndOp::NAME => arith::andi,
        stablehlo::OrOp::NAME => arith::ori,
        stablehlo::XorOp::NAME => arith::xori,
        _ => return None,
    })
}

fn unary<'f, 'c>(name: &str, unsigned: bool, value: Number<'f, 'c>) -> Option<Number<'f, 'c>> {
    Some(match name {
        stablehlo::AbsOp::NAME if unsigned => value,
        stablehlo::AbsOp::NAME => value.replaced_where(value.lt(0), negate(value)),
        stablehlo::ClzOp::NAME => value.unary(math::ctlz),
        stablehlo::NegOp::NAME => negate(value),
        stablehlo::NotOp::NAME => value ^ -1,
        stablehlo::PopulationCountOp::NAME => value.unary(math::ctpop),
        stablehlo::SignOp::NAME => sign(unsigned, value),
        chlo::SquareOp::NAME => value * value,
        _ => return None,
    })
}

fn negate<'f, 'c>(value: Number<'f, 'c>) -> Number<'f, 'c> {
    value.constant(0) - value
}

fn sign<'f, 'c>(unsigned: bool, value: Number<'f, 'c>) -> Number<'f, 'c> {
    let one = value.constant(1);
    let nonzero = if unsigned {
        one
    } else {
        one.replaced_where(value.lt(0), -1)
    };
    nonzero.replaced_where(value.eq(0), 0)
}

/// Replaces divisors that trap by 1. Also returns the condition that the divisor was zero.
fn safe_divisor<'f, 'c>(
    unsigned: bool,
    left: Number<'f, 'c>,
    right: Number<'f, 'c>,
) -> (Number<'f, 'c>, Number<'f, 'c>) {
    let by_zero = right.eq(0);
    let divisor = right.replaced_where(by_zero, 1);
    if unsigned {
        return (divisor, by_zero);
    }
    let least = i64::MIN >> (64 - left.width().min(64));
    let overflows = left.eq(least) & right.eq(-1);
    (divisor.replaced_where(overflows, 1), by_zero)
}

fn divide<'f, 'c>(unsigned: bool, left: Number<'f, 'c>, right: Number<'f, 'c>) -> Number<'f, 'c> {
    // With a divisor of 1, the quotient of the least number is the wrapped quotient by -1.
    let (divisor, by_zero) = safe_divisor(unsigned, left, right);
    let op: BinaryFn = if unsigned { arith::divui } else { arith::divsi };
    left.binary(op, divisor).replaced_where(by_zero, -1)
}

fn remainder<'f, 'c>(
    unsigned: bool,
    left: Number<'f, 'c>,
    right: Number<'f, 'c>,
) -> Number<'f, 'c> {
    // With a divisor of 1, the least number modulo -1 is 0.
    let (divisor, by_zero) = safe_divisor(unsigned, left, right);
    let op: BinaryFn = if unsigned { arith::remui } else { arith::remsi };
    left.binary(op, divisor).replaced_where(by_zero, left)
}

fn is_in_range<'f, 'c>(amount: Number<'f, 'c>) -> Number<'f, 'c> {
    // A signed 2-bit type cannot represent 2: compare with width - 1.
    amount.unordered_le(i64::from(amount.width()) - 1)
}

fn shift<'f, 'c>(op: BinaryFn, value: Number<'f, 'c>, amount: Number<'f, 'c>) -> Number<'f, 'c> {
    let fits = is_in_range(amount);
    fits.select(value.binary(op, fits.select(amount, 0)), 0)
}

fn shift_right_arithmetic<'f, 'c>(value: Number<'f, 'c>, amount: Number<'f, 'c>) -> Number<'f, 'c> {
    let last = i64::from(amount.width()) - 1;
    value.shift_right_arithmetic(is_in_range(amount).select(amount, last))
}

/// Exponentiation by squaring, in a loop over the bits of the exponent. The result for a negative
/// exponent is the truncated reciprocal, which is nonzero only for a base of 1 or -1.
fn power<'c>(b: &Builder<'c>, unsigned: bool, base: Value<'c>, exponent: Value<'c>) -> Value<'c> {
    let ty = base.ty();
    let one = arith::constant(b, ty, 1);
    let zero = arith::constant(b, ty, 0);
    let powers = template!(
        b,
        "
        %powers:3 = scf.while (%power = $one, %square = $base, %rest = $exponent)
            : ($ty, $ty, $ty) -> ($ty, $ty, $ty) {
          %more = arith.cmpi ne, %rest, $zero : $ty
          scf.condition(%more) %power, %square, %rest : $ty, $ty, $ty
        } do {
        ^bb0(%power: $ty, %square: $ty, %rest: $ty):
          %lowest = arith.andi %rest, $one : $ty
          %odd = arith.cmpi ne, %lowest, $zero : $ty
          %product = arith.muli %power, %square : $ty
          %next = arith.select %odd, %product, %power : $ty
          %next_square = arith.muli %square, %square : $ty
          %next_rest = arith.shrui %rest, $one : $ty
          scf.yield %next, %next_square, %next_rest : $ty, $ty, $ty
        }"
    );
    let power = powers[0];
    if unsigned {
        return power;
    }
    let power = template!(
        b,
        "
        %minus_one = arith.constant -1 : $ty
        %negative = arith.cmpi slt, $exponent, $zero : $ty
        %is_one = arith.cmpi eq, $base, $one : $ty
        %is_minus_one = arith.cmpi eq, $base, %minus_one : $ty
        %lowest = arith.andi $exponent, $one : $ty
        %odd = arith.cmpi ne, %lowest, $zero : $ty
        %alternating = arith.select %odd, %minus_one, $one : $ty
        %otherwise = arith.select %is_minus_one, %alternating, $zero : $ty
        %reciprocal = arith.select %is_one, $one, %otherwise : $ty
        %result = arith.select %negative, %reciprocal, $power : $ty"
    );
    power[0]
}
