//! Double-double arithmetic: numbers as unevaluated sums of two floats.
//!
//! 53 bits are too few for the reduced argument of an elementary function of
//! f64, and for a logarithm that is multiplied before it is exponentiated. The
//! second float of a [`Pair`] is the rounding error of the first. (Dekker, "A
//! floating-point technique for extending the available precision", 1971.)

use crate::formula::Number;
use std::ops;

/// The sum of two floats. The second is the rounding error of the first.
#[derive(Clone, Copy)]
pub struct Pair<'f, 'c> {
    pub high: Number<'f, 'c>,
    pub low: Number<'f, 'c>,
}

impl<'f, 'c> Pair<'f, 'c> {
    /// A constant as a pair of the type of `like`.
    pub fn constant(like: Number<'f, 'c>, [high, low]: [f64; 2]) -> Self {
        let (high, low) = (like.constant(high), like.constant(low));
        Self { high, low }
    }

    /// A float that is exact.
    pub fn exact(high: Number<'f, 'c>) -> Self {
        let low = high.constant(0.0);
        Self { high, low }
    }

    /// The exact sum of two floats. The first must have the larger magnitude, or be zero.
    pub fn quick_sum(larger: Number<'f, 'c>, smaller: Number<'f, 'c>) -> Self {
        let high = larger + smaller;
        let low = larger - high + smaller;
        Self { high, low }
    }

    /// The exact sum of two floats.
    pub fn sum(lhs: Number<'f, 'c>, rhs: Number<'f, 'c>) -> Self {
        let high = lhs + rhs;
        let right = high - lhs;
        let left = high - right;
        let low = (lhs - left) + (rhs - right);
        Self { high, low }
    }

    /// The exact product of two floats.
    pub fn product(lhs: Number<'f, 'c>, rhs: Number<'f, 'c>) -> Self {
        let high = lhs * rhs;
        let low = lhs.fma(rhs, -high);
        Self { high, low }
    }

    /// `yes` if a condition holds, else `no`.
    pub fn select(condition: Number<'f, 'c>, yes: Self, no: Self) -> Self {
        Self {
            high: condition.select(yes.high, no.high),
            low: condition.select(yes.low, no.low),
        }
    }
}

/// The sum of two pairs. The first must have the larger magnitude, or be zero.
impl ops::Add for Pair<'_, '_> {
    type Output = Self;

    fn add(self, smaller: Self) -> Self {
        let sum = Pair::quick_sum(self.high, smaller.high);
        Pair::quick_sum(sum.high, sum.low + (self.low + smaller.low))
    }
}

impl ops::Mul for Pair<'_, '_> {
    type Output = Self;

    fn mul(self, rhs: Self) -> Self {
        let exact = Pair::product(self.high, rhs.high);
        let low = self.high.fma(rhs.low, exact.low);
        Pair::quick_sum(exact.high, self.low.fma(rhs.high, low))
    }
}

/// The product with a constant pair.
impl ops::Mul<[f64; 2]> for Pair<'_, '_> {
    type Output = Self;

    fn mul(self, rhs: [f64; 2]) -> Self {
        self * Pair::constant(self.high, rhs)
    }
}

impl ops::Div for Pair<'_, '_> {
    type Output = Self;

    fn div(self, rhs: Self) -> Self {
        let high = self.high / rhs.high;
        let negated = -high;
        let rest = negated.fma(rhs.high, self.high) + self.low;
        Pair::quick_sum(high, negated.fma(rhs.low, rest) / rhs.high)
    }
}

/// A constant pair minus a smaller pair.
impl<'f, 'c> ops::Sub<Pair<'f, 'c>> for [f64; 2] {
    type Output = Pair<'f, 'c>;

    fn sub(self, rhs: Pair<'f, 'c>) -> Pair<'f, 'c> {
        let negated = Pair {
            high: -rhs.high,
            low: -rhs.low,
        };
        ops::Add::add(Pair::constant(rhs.high, self), negated)
    }
}
