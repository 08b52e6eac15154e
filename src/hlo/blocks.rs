//! Blocks that long sums are divided into.

/// The length of the blocks of a range, a multiple of `unit`: of those up to `most` that divide
/// it, the longest that is at least a quarter of `most`; else `most`.
pub fn block_length(size: i64, most: i64, unit: i64) -> i64 {
    let divides = |length: &i64| size % length == 0 && length % unit == 0;
    let mut lengths = ((most / 4).max(1)..=most).rev();
    lengths.find(divides).unwrap_or(most)
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
    fn blocks_are_whole_units() {
        assert_eq!(block_length(100_000, 16384, 64), 16384);
        assert_eq!(block_length(1_000_000, 16384, 64), 8000);
    }
}
