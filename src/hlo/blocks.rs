//! Blocks that long sums are divided into.

/// The length of the blocks of a range: of those up to `most` that divide it, the longest that is
/// at least a quarter of `most`; else `most`.
pub fn block_length(size: i64, most: i64) -> i64 {
    let mut divisors = ((most / 4).max(1)..=most).rev();
    divisors.find(|length| size % length == 0).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::block_length;

    #[test]
    fn blocks_divide_a_range_if_they_can() {
        assert_eq!(block_length(1_000_000, 256), 250);
        assert_eq!(block_length(4096, 256), 256);
        assert_eq!(block_length(999_983, 256), 256);
        assert_eq!(block_length(56, 4), 4);
    }
}
