//! Elementwise ops on integers and booleans.
//!
//! Where the specification leaves a value to the implementation, Halo agrees
//! with XLA: division by zero gives all ones, a remainder by zero gives the
//! dividend, the quotient of the least number by -1 wraps, and shifts by the
//! width or more shift everything out.

use super::Scalar;
use halo_ir::{
    ops::{BinaryFn, math},
    prelude::*,
    template,
};

/// Lowers an op, or returns `None` where the op has no meaning on integers.
pub fn lower<'c>(
    b: &Builder<'c>,
    name: &str,
    unsigned: bool,
    operands: &[Value<'c>],
) -> Option<Scalar<'c>> {
    let boolean = integer_width(operands.first()?.r#type())? == 1;
    Some(match *operands {
        [value] => unary(b, name, unsigned, value)?,
        [left, right] => match name {
            stablehlo::DivOp::NAME => divide(b, unsigned, left, right),
            stablehlo::RemOp::NAME => remainder(b, unsigned, left, right),
            stablehlo::PowOp::NAME => power(b, unsigned, left, right),
            stablehlo::ShiftLeftOp::NAME => shift(b, arith::shli, left, right),
            stablehlo::ShiftRightLogicalOp::NAME => shift(b, arith::shrui, left, right),
            stablehlo::ShiftRightArithmeticOp::NAME => shift_right_arithmetic(b, left, right),
            _ => binary_op(name, unsigned, boolean)?(b, left, right).map_err(Into::into),
        },
        _ => return None,
    })
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

fn unary<'c>(b: &Builder<'c>, name: &str, unsigned: bool, value: Value<'c>) -> Option<Scalar<'c>> {
    Some(match name {
        stablehlo::AbsOp::NAME if unsigned => Ok(value),
        stablehlo::AbsOp::NAME => absolute(b, value),
        stablehlo::ClzOp::NAME => math::ctlz(b, value).map_err(Into::into),
        stablehlo::NegOp::NAME => negate(b, value),
        stablehlo::NotOp::NAME => not(b, value),
        stablehlo::PopulationCountOp::NAME => math::ctpop(b, value).map_err(Into::into),
        stablehlo::SignOp::NAME => sign(b, unsigned, value),
        chlo::SquareOp::NAME => arith::muli(b, value, value).map_err(Into::into),
        _ => return None,
    })
}

fn constant<'c>(b: &Builder<'c>, like: Value<'c>, value: i64) -> Scalar<'c> {
    Ok(arith::constant(b, like.r#type(), value)?)
}

/// The least number of a signed type.
fn least<'c>(b: &Builder<'c>, like: Value<'c>) -> Scalar<'c> {
    let width = integer_width(like.r#type()).unwrap_or(64).min(64);
    constant(b, like, i64::MIN >> (64 - width))
}

fn negate<'c>(b: &Builder<'c>, value: Value<'c>) -> Scalar<'c> {
    let zero = constant(b, value, 0)?;
    Ok(arith::subi(b, zero, value)?)
}

fn not<'c>(b: &Builder<'c>, value: Value<'c>) -> Scalar<'c> {
    let ones = constant(b, value, -1)?;
    Ok(arith::xori(b, value, ones)?)
}

fn absolute<'c>(b: &Builder<'c>, value: Value<'c>) -> Scalar<'c> {
    let zero = constant(b, value, 0)?;
    let negative = arith::cmpi(b, CmpIPredicate::Slt, value, zero)?;
    let negated = negate(b, value)?;
    Ok(arith::select(b, negative, negated, value)?)
}

fn sign<'c>(b: &Builder<'c>, unsigned: bool, value: Value<'c>) -> Scalar<'c> {
    let zero = constant(b, value, 0)?;
    let one = constant(b, value, 1)?;
    let is_zero = arith::cmpi(b, CmpIPredicate::Eq, value, zero)?;
    let nonzero = if unsigned {
        one
    } else {
        let minus_one = constant(b, value, -1)?;
        let negative = arith::cmpi(b, CmpIPredicate::Slt, value, zero)?;
        arith::select(b, negative, minus_one, one)?
    };
    Ok(arith::select(b, is_zero, zero, nonzero)?)
}

/// Makes a divisor on which the machine does not trap, and says where it was
/// zero.
fn safe_divisor<'c>(
    b: &Builder<'c>,
    unsigned: bool,
    left: Value<'c>,
    right: Value<'c>,
) -> Result<(Value<'c>, Value<'c>), halo_ir::RewriteError> {
    let zero = constant(b, right, 0)?;
    let one = constant(b, right, 1)?;
    let by_zero = arith::cmpi(b, CmpIPredicate::Eq, right, zero)?;
    let mut divisor = arith::select(b, by_zero, one, right)?;
    if unsigned {
        return Ok((divisor, by_zero));
    }
    let least = least(b, left)?;
    let minus_one = constant(b, right, -1)?;
    let is_least = arith::cmpi(b, CmpIPredicate::Eq, left, least)?;
    let by_minus_one = arith::cmpi(b, CmpIPredicate::Eq, right, minus_one)?;
    let overflow = arith::andi(b, is_least, by_minus_one)?;
    divisor = arith::select(b, overflow, one, divisor)?;
    Ok((divisor, by_zero))
}

fn divide<'c>(b: &Builder<'c>, unsigned: bool, left: Value<'c>, right: Value<'c>) -> Scalar<'c> {
    // With a divisor of 1, the least number divided by -1 is itself, which is
    // the wrapped quotient.
    let (divisor, by_zero) = safe_divisor(b, unsigned, left, right)?;
    let op: BinaryFn = if unsigned { arith::divui } else { arith::divsi };
    let quotient = op(b, left, divisor)?;
    let ones = constant(b, left, -1)?;
    Ok(arith::select(b, by_zero, ones, quotient)?)
}

fn remainder<'c>(b: &Builder<'c>, unsigned: bool, left: Value<'c>, right: Value<'c>) -> Scalar<'c> {
    // With a divisor of 1, the least number modulo -1 is 0.
    let (divisor, by_zero) = safe_divisor(b, unsigned, left, right)?;
    let op: BinaryFn = if unsigned { arith::remui } else { arith::remsi };
    let rest = op(b, left, divisor)?;
    Ok(arith::select(b, by_zero, left, rest)?)
}

fn in_range<'c>(b: &Builder<'c>, amount: Value<'c>) -> Scalar<'c> {
    let width = i64::from(integer_width(amount.r#type()).unwrap_or(64));
    // A width of 2 has no 2 of its own type: compare against width - 1.
    let last = constant(b, amount, width - 1)?;
    Ok(arith::cmpi(b, CmpIPredicate::Ule, amount, last)?)
}

fn shift<'c>(b: &Builder<'c>, op: BinaryFn, value: Value<'c>, amount: Value<'c>) -> Scalar<'c> {
    let zero = constant(b, value, 0)?;
    let fits = in_range(b, amount)?;
    let safe = arith::select(b, fits, amount, zero)?;
    let shifted = op(b, value, safe)?;
    Ok(arith::select(b, fits, shifted, zero)?)
}

fn shift_right_arithmetic<'c>(b: &Builder<'c>, value: Value<'c>, amount: Value<'c>) -> Scalar<'c> {
    let width = i64::from(integer_width(amount.r#type()).unwrap_or(64));
    let last = constant(b, amount, width - 1)?;
    let fits = in_range(b, amount)?;
    let safe = arith::select(b, fits, amount, last)?;
    Ok(arith::shrsi(b, value, safe)?)
}

/// Exponentiation by squaring, in a loop over the bits of the exponent. A
/// negative exponent gives the integer part of the reciprocal: nonzero only for
/// a base of 1 or -1.
fn power<'c>(b: &Builder<'c>, unsigned: bool, base: Value<'c>, exponent: Value<'c>) -> Scalar<'c> {
    let ty = base.r#type();
    let one = constant(b, base, 1)?;
    let zero = constant(b, base, 0)?;
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
    )?;
    let power = powers[0];
    if unsigned {
        return Ok(power);
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
    )?;
    Ok(power[0])
}
