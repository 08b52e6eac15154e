//! Random choices.

use halo_core::random::Generator;

/// A source of choices.
pub struct Pick(Generator);

impl Pick {
    pub fn new(seed: u64) -> Self {
        Self(Generator::new(seed))
    }

    /// A number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.0.bits() % limit.max(1) as u64) as usize
    }

    /// A number in a range, inclusive.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// True with probability 1 / `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the items; `items` must not be empty.
    pub fn one<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
