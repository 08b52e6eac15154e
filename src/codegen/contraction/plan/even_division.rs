//! Balanced division of loops among threads.
//!
//! The runtime gives each thread one range of a loop's parts, and all ranges except the last have
//! the same number of parts ([`ThreadPool::range_length`]). So the first thread determines the time
//! of the loop: 28 rows in parts of 19 give two threads 19 and 9 rows, in parts of 14 they give 14
//! each.

use halo_core::machine::Machine;
use halo_runtime::host::ThreadPool;
use std::ops::RangeInclusive;

/// The quotient, rounded up.
pub fn ceil_div(number: i64, divisor: i64) -> i64 {
    (number + divisor - 1) / divisor
}

/// Differences of less than this part of the time of a loop do not count.
const PRECISION: i64 = 32;

/// From this number of parts on, one more or less per thread makes no difference.
pub fn many(machine: &Machine) -> i64 {
    machine.cores * PRECISION
}

/// The minimum number of tasks of a large loop. [`part_length`] makes them even, so two per core
/// suffice; 16 are also even for any smaller power of two of threads.
pub fn least_tasks(machine: &Machine) -> i64 {
    (2 * machine.cores).max(16)
}

/// The part length, within the given range, for dividing a dimension.
///
/// It is the one that the loop takes least time with, on as many threads as the machine has cores
/// rather than on twice as many, and else the longest.
pub fn part_length(length: i64, parts: RangeInclusive<i64>, machine: &Machine) -> i64 {
    let (shortest, longest) = (*parts.start(), (*parts.end()).min(length));
    let fewest = ceil_div(length, longest.max(1));
    if fewest >= many(machine) || shortest >= longest {
        return longest;
    }
    let most = ceil_div(length, shortest.max(1)).min(many(machine));
    let lengths = (fewest..=most).map(|count| ceil_div(length, count));
    let lengths = lengths.filter(|part| *part >= shortest);
    // Candidates are in descending order, so that ties select the longest.
    lengths
        .min_by_key(|part| [1, 2].map(|times| time(length, *part, times * machine.cores)))
        .unwrap_or(longest)
}

/// The time of the busiest thread relative to an even division.
fn time(length: i64, part: i64, threads: i64) -> i128 {
    let longest = ThreadPool::range_length(length, part, threads).min(length);
    i128::from(longest) * i128::from(threads * PRECISION) / i128::from(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_core::machine::X86_64;

    fn part_length(length: i64, parts: RangeInclusive<i64>) -> i64 {
        super::part_length(length, parts, &X86_64)
    }

    #[test]
    fn parts_are_about_equal_and_threads_have_as_many() {
        assert_eq!(part_length(28, 10..=19), 14);
        assert_eq!(part_length(29, 15..=19), 15);
        // Three parts would leave one of two threads with a third.
        assert_eq!(part_length(57, 10..=19), 15);
        assert_eq!(part_length(5, 1..=2), 1);
        assert_eq!(part_length(17, 1..=2), 1);
        // Already even.
        assert_eq!(part_length(32, 1..=2), 2);
        assert_eq!(part_length(50, 7..=13), 13);
        assert_eq!(part_length(24, 1..=2), 2);
    }

    #[test]
    fn all_cores_get_as_many() {
        let machine = Machine { cores: 7, ..X86_64 };
        assert_eq!(part_length(28, 4..=5), 5);
        assert_eq!(super::part_length(28, 4..=5, &machine), 4);
    }

    #[test]
    fn lengths_are_within_their_bounds() {
        for length in 1..200 {
            for longest in 1..40 {
                let shortest = ceil_div(longest, 2);
                let part = part_length(length, shortest..=longest);
                assert!(
                    part <= longest && part <= length,
                    "{length} {longest} {part}"
                );
                assert!(part >= shortest.min(length), "{length} {longest} {part}");
            }
        }
    }

    #[test]
    fn many_parts_are_as_long_as_possible() {
        assert_eq!(part_length(1000, 2..=4), 4);
        assert_eq!(part_length(i64::MAX / 64, 1..=1), 1);
    }
}
