//! Blocks that long sums are divided into.

/// The block length for a range: among the divisors from a quarter of `most` to `most`, the longest
/// multiple of `unit`, or else the longest; without a divisor `most`.
pub fn block_length(size: i64, most: i64, unit: i64) -> i64 {
    let divisors = || {
        let lengths = (most / 4).max(1)..=most;
        lengths.rev().filter(|length| size % length == 0)
    };
    let whole_units = divisors().find(|length| length % unit == 0);
    whole_units.or_else(|| divisors().next()).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::block_length;

    #[test]
    fn blocks_divide_a_range_if_they_can() {
        assert_eq!(block_length(1_000_000, 256, 1), 250);
        assert_eq!(block_length(4096, 256, 1), 256);
        assert_eq!(block_length(999_983, 256, 1), 256);
        assert_eq!(block_length(56, 4, 1), 4);
    }

    #[test]
    fn blocks_are_whole_units_if_these_divide_a_range() {
        assert_eq!(block_length(100_000, 16384, 64), 12500);
        assert_eq!(block_length(999_983, 16384, 64), 16384);
        assert_eq!(block_length(1_000_000, 16384, 64), 8000);
    }
}
