//! Numbers as unevaluated sums of two floats, which doubles their digits.
//!
//! 53 bits are too few for the reduced argument of an elementary function of
//! f64, and for a logarithm that is multiplied before it is exponentiated. The
//! second float of a [`Pair`] is the rounding error of the first. (Dekker, "A
//! floating-point technique for extending the available precision", 1971.)

use super::code::Code;
use crate::loops::loop_ops::Emitted;
use halo_ir::prelude::*;

/// The sum of two floats, of which the second is a rounding error of the first.
#[derive(Clone, Copy)]
pub struct Pair<'c> {
    pub high: Value<'c>,
    pub low: Value<'c>,
}

/// A constant in two parts.
pub fn constant<'c>(code: &Code<'_, 'c>, [high, low]: [f64; 2]) -> Emitted<Pair<'c>> {
    Ok(Pair {
        high: code.float(high)?,
        low: code.float(low)?,
    })
}

/// The exact sum of two floats, of which the first is larger, or zero.
pub fn quick_sum<'c>(
    code: &Code<'_, 'c>,
    larger: Value<'c>,
    smaller: Value<'c>,
) -> Emitted<Pair<'c>> {
    let high = code.add(larger, smaller)?;
    let lost = code.sub(larger, high)?;
    let low = code.add(lost, smaller)?;
    Ok(Pair { high, low })
}

/// The exact sum of two floats.
pub fn sum<'c>(code: &Code<'_, 'c>, lhs: Value<'c>, rhs: Value<'c>) -> Emitted<Pair<'c>> {
    let high = code.add(lhs, rhs)?;
    let right = code.sub(high, lhs)?;
    let left = code.sub(high, right)?;
    let (left, right) = (code.sub(lhs, left)?, code.sub(rhs, right)?);
    let low = code.add(left, right)?;
    Ok(Pair { high, low })
}

/// The exact product of two floats.
pub fn product<'c>(code: &Code<'_, 'c>, lhs: Value<'c>, rhs: Value<'c>) -> Emitted<Pair<'c>> {
    let high = code.mul(lhs, rhs)?;
    let negated = code.neg(high)?;
    let low = code.fma(lhs, rhs, negated)?;
    Ok(Pair { high, low })
}

/// The sum of two pairs, of which the first is larger, or zero.
pub fn add<'c>(code: &Code<'_, 'c>, larger: Pair<'c>, smaller: Pair<'c>) -> Emitted<Pair<'c>> {
    let sum = quick_sum(code, larger.high, smaller.high)?;
    let low = code.add(larger.low, smaller.low)?;
    let low = code.add(sum.low, low)?;
    quick_sum(code, sum.high, low)
}

/// The product of two pairs.
pub fn multiply<'c>(code: &Code<'_, 'c>, lhs: Pair<'c>, rhs: Pair<'c>) -> Emitted<Pair<'c>> {
    let exact = product(code, lhs.high, rhs.high)?;
    let low = code.fma(lhs.high, rhs.low, exact.low)?;
    let low = code.fma(lhs.low, rhs.high, low)?;
    quick_sum(code, exact.high, low)
}

/// The quotient of two pairs.
pub fn quotient<'c>(code: &Code<'_, 'c>, lhs: Pair<'c>, rhs: Pair<'c>) -> Emitted<Pair<'c>> {
    let high = code.div(lhs.high, rhs.high)?;
    let negated = code.neg(high)?;
    let rest = code.fma(negated, rhs.high, lhs.high)?;
    let rest = code.add(rest, lhs.low)?;
    let rest = code.fma(negated, rhs.low, rest)?;
    let low = code.div(rest, rhs.high)?;
    quick_sum(code, high, low)
}

/// The pair of two that a condition chooses.
pub fn select<'c>(
    code: &Code<'_, 'c>,
    condition: Value<'c>,
    yes: Pair<'c>,
    no: Pair<'c>,
) -> Emitted<Pair<'c>> {
    Ok(Pair {
        high: code.select(condition, yes.high, no.high)?,
        low: code.select(condition, yes.low, no.low)?,
    })
}
