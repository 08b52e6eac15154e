//! Ranges of indices relative to values that a call fixes.

use std::collections::BTreeMap;

/// The range of an index: a sum of fixed values, plus an inclusive range of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The fixed values with their factors.
    pub fixed: BTreeMap<usize, i64>,
    pub low: i64,
    pub high: i64,
}

impl Range {
    pub fn between(low: i64, high: i64) -> Self {
        Self {
            fixed: BTreeMap::new(),
            low,
            high: high.max(low),
        }
    }

    pub fn fixed(key: usize) -> Self {
        Self {
            fixed: BTreeMap::from([(key, 1)]),
            low: 0,
            high: 0,
        }
    }

    /// The value of a range with a single number.
    pub fn constant(&self) -> Option<i64> {
        (self.fixed.is_empty() && self.low == self.high).then_some(self.low)
    }

    pub fn plus(&self, other: &Self, sign: i64) -> Option<Self> {
        let mut fixed = self.fixed.clone();
        for (key, factor) in &other.fixed {
            let own = fixed.entry(*key).or_insert(0);
            *own = own.checked_add(factor.checked_mul(sign)?)?;
            if *own == 0 {
                fixed.remove(key);
            }
        }
        let (low, high) = if sign > 0 {
            (other.low, other.high)
        } else {
            (other.high.checked_neg()?, other.low.checked_neg()?)
        };
        Some(Self {
            fixed,
            low: self.low.checked_add(low)?,
            high: self.high.checked_add(high)?,
        })
    }

    pub fn times(&self, factor: i64) -> Option<Self> {
        let mut fixed = BTreeMap::new();
        for (key, own) in self.fixed.iter().filter(|_| factor != 0) {
            fixed.insert(*key, own.checked_mul(factor)?);
        }
        let ends = [
            self.low.checked_mul(factor)?,
            self.high.checked_mul(factor)?,
        ];
        Some(Self {
            fixed,
            low: ends[0].min(ends[1]),
            high: ends[0].max(ends[1]),
        })
    }

    /// The smallest range that contains both, if they have the same fixed values.
    pub fn around(&self, other: &Self) -> Option<Self> {
        (self.fixed == other.fixed).then(|| Self {
            fixed: self.fixed.clone(),
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        })
    }

    /// The number of integers in the range.
    pub fn count(&self) -> u64 {
        u64::try_from(self.high.saturating_sub(self.low).saturating_add(1)).unwrap_or(u64::MAX)
    }
}

/// The range of the minimum or the maximum of two values.
///
/// If only one of them has fixed values, such as a bound at the edge of a matrix, the result is its
/// range: clamping to a constant does not widen it.
pub fn limited(one: Range, other: Range, choose: fn(i64, i64) -> i64) -> Option<Range> {
    match (one.fixed == other.fixed, one.constant(), other.constant()) {
        (true, ..) => Some(Range {
            fixed: one.fixed,
            low: choose(one.low, other.low),
            high: choose(one.high, other.high),
        }),
        (_, Some(_), _) => Some(other),
        (_, _, Some(_)) => Some(one),
        _ => None,
    }
}

/// The range of a quotient that is rounded down. Fixed values that the divisor does not divide
/// become a new fixed value.
pub fn quotient(of: &Range, divisor: i64, definition: usize) -> Range {
    if of.fixed.values().all(|factor| factor % divisor == 0) {
        return Range {
            fixed: of.fixed.iter().map(|(key, factor)| (*key, factor / divisor)).collect(),
            low: of.low.div_euclid(divisor),
            high: of.high.div_euclid(divisor),
        };
    }
    let length = of.high.saturating_sub(of.low);
    Range {
        high: length / divisor + i64::from(length % divisor > 0),
        ..Range::fixed(definition)
    }
}

/// The range of a remainder.
pub fn remainder(of: &Range, divisor: i64) -> Range {
    let same = of.low.div_euclid(divisor) == of.high.div_euclid(divisor);
    if of.fixed.is_empty() && same {
        return Range::between(of.low.rem_euclid(divisor), of.high.rem_euclid(divisor));
    }
    // The range may wrap around.
    Range::between(0, divisor - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(fixed: &[(usize, i64)], low: i64, high: i64) -> Range {
        Range {
            fixed: fixed.iter().copied().collect(),
            low,
            high,
        }
    }

    #[test]
    fn what_is_fixed_cancels_out() {
        // k + [0, 9], without k.
        let (sum, fixed) = (range(&[(1, 1)], 0, 9), Range::fixed(1));
        assert_eq!(sum.plus(&fixed, -1), Some(range(&[], 0, 9)));
        assert_eq!(sum.plus(&sum, 1), Some(range(&[(1, 2)], 0, 18)));
        assert_eq!(sum.plus(&sum, -1), Some(range(&[], -9, 9)));
        assert_eq!(sum.times(-2), Some(range(&[(1, -2)], -18, 0)));
        assert_eq!(
            sum.around(&range(&[(1, 1)], -3, 4)),
            Some(range(&[(1, 1)], -3, 9))
        );
        assert_eq!(sum.around(&fixed.times(2).unwrap()), None);
        assert_eq!((sum.count(), range(&[], 5, 5).constant()), (10, Some(5)));
        assert_eq!(
            range(&[], i64::MAX, i64::MAX).plus(&range(&[], 1, 1), 1),
            None
        );
    }

    #[test]
    fn quotients_and_remainders_are_rounded_down() {
        let of = |low, high| range(&[], low, high);
        assert_eq!(quotient(&of(-1, 15), 8, 7), of(-1, 1));
        // 8 k + [0, 15] by 8, and k + [0, 15] by 8, which is [0, 2] above a new fixed value.
        assert_eq!(
            quotient(&range(&[(1, 8)], 0, 15), 8, 7),
            range(&[(1, 1)], 0, 1)
        );
        assert_eq!(
            quotient(&range(&[(1, 1)], 0, 15), 8, 7),
            range(&[(7, 1)], 0, 2)
        );
        assert_eq!(remainder(&of(9, 12), 8), of(1, 4));
        assert_eq!(remainder(&of(6, 9), 8), of(0, 7));
        assert_eq!(remainder(&range(&[(1, 1)], 0, 1), 8), of(0, 7));
    }

    #[test]
    fn bounds_at_edges_leave_what_they_limit() {
        let block = range(&[(1, 1)], 8, 8);
        let edge = range(&[], 24, 24);
        assert_eq!(
            limited(block.clone(), edge.clone(), i64::min),
            Some(block.clone())
        );
        assert_eq!(limited(edge, block.clone(), i64::min), Some(block.clone()));
        assert_eq!(
            limited(range(&[], 0, 40), range(&[], 24, 24), i64::min),
            Some(range(&[], 0, 24))
        );
        assert_eq!(limited(block, range(&[(2, 1)], 0, 0), i64::min), None);
    }
}
