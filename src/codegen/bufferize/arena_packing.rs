//! Packs live ranges into one block of memory.
//!
//! Largest first: each buffer goes into the smallest gap that is free for its
//! whole live range, or after all buffers that are live at the same time. XLA's
//! heap simulator calls this "global decreasing size, best fit". The problem is
//! NP-hard, and this comes within a few percent of the largest sum of live
//! sizes on typical programs.

/// A buffer to pack. It is live from `first` to `last`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveRange {
    pub size: u64,
    pub first: usize,
    pub last: usize,
}

impl LiveRange {
    /// Returns true if the buffer is live at a moment.
    pub fn is_live(&self, moment: usize) -> bool {
        (self.first..=self.last).contains(&moment)
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

/// The moment of the peak and its live bytes, a lower bound of every assignment. `None` if there
/// are no buffers.
pub fn peak(ranges: &[LiveRange]) -> Option<(usize, u64)> {
    // The peak is at the beginning of a live range.
    let moments = ranges.iter().map(|range| range.first);
    let live = |moment: usize| {
        let live = ranges.iter().filter(|range| range.is_live(moment));
        live.fold(0_u64, |bytes, range| bytes.saturating_add(range.size))
    };
    // The first moment among equal peaks.
    moments
        .map(|moment| (moment, live(moment)))
        .max_by_key(|(moment, bytes)| (*bytes, std::cmp::Reverse(*moment)))
}

/// The offset of each buffer, and the total size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    pub offsets: Vec<u64>,
    pub total: u64,
}

/// Assigns offsets that are multiples of `alignment`.
pub fn assign(ranges: &[LiveRange], alignment: u64) -> Assignment {
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    // Ties: the longest live range first, then program order, so that the result is deterministic.
    order.sort_by_key(|index| {
        let range = &ranges[*index];
        let length = range.last - range.first;
        (std::cmp::Reverse((range.size, length)), range.first, *index)
    });
    let mut offsets = vec![0; ranges.len()];
    let mut assigned: Vec<usize> = Vec::new();
    let mut total = 0;
    for index in order {
        let range = &ranges[index];
        let mut taken: Vec<(u64, u64)> = assigned
            .iter()
            .filter(|other| ranges[**other].overlaps(range))
            .map(|other| (offsets[*other], offsets[*other] + ranges[*other].size))
            .collect();
        taken.sort_unstable();
        let offset = best_gap(&taken, range.size, alignment);
        offsets[index] = offset;
        total = total.max(offset + range.size);
        assigned.push(index);
    }
    Assignment {
        offsets,
        total: total.next_multiple_of(alignment),
    }
}

/// The start of the smallest sufficient gap between allocated ranges, or the end of the last one.
fn best_gap(taken: &[(u64, u64)], size: u64, alignment: u64) -> u64 {
    let mut free_from = 0_u64;
    let mut best: Option<(u64, u64)> = None;
    for (start, end) in taken {
        let gap = start.saturating_sub(free_from);
        if *start >= free_from && gap >= size && best.is_none_or(|(smallest, _)| gap < smallest) {
            best = Some((gap, free_from));
        }
        free_from = free_from.max(end.next_multiple_of(alignment));
    }
    best.map_or(free_from, |(_, offset)| offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(size: u64, first: usize, last: usize) -> LiveRange {
        LiveRange { size, first, last }
    }

    fn check(ranges: &[LiveRange], assignment: &Assignment) {
        for (index, range) in ranges.iter().enumerate() {
            let start = assignment.offsets[index];
            assert_eq!(start % 64, 0);
            assert!(start + range.size <= assignment.total);
            for (other_index, other) in ranges.iter().enumerate().skip(index + 1) {
                let other_start = assignment.offsets[other_index];
                assert!(
                    !range.overlaps(other)
                        || start + range.size <= other_start
                        || other_start + other.size <= start,
                    "{index} and {other_index} overlap"
                );
            }
        }
    }

    #[test]
    fn nothing_takes_nothing() {
        assert_eq!(assign(&[], 64), Assignment::default());
    }

    #[test]
    fn the_peak_is_where_the_most_is_live() {
        assert_eq!(peak(&[]), None);
        let ranges = [
            range(100, 0, 3),
            range(10, 1, 1),
            range(50, 2, 4),
            range(60, 4, 5),
        ];
        assert_eq!(peak(&ranges), Some((2, 150)));
        assert_eq!(peak(&ranges[1..]), Some((4, 110)));
    }

    #[test]
    fn disjoint_lives_share() {
        let ranges = [range(100, 0, 1), range(100, 2, 3), range(50, 4, 5)];
        let assignment = assign(&ranges, 64);
        assert_eq!(assignment.offsets, [0, 0, 0]);
        assert_eq!(assignment.total, 128);
    }

    #[test]
    fn a_shared_moment_is_an_overlap() {
        let ranges = [range(64, 0, 1), range(64, 1, 2)];
        assert_eq!(assign(&ranges, 64).total, 128);
    }

    #[test]
    fn the_smallest_gap_is_taken() {
        // Three long-lived blocks leave a gap of 256 and one of 128.
        let ranges = [
            range(1024, 0, 9),
            range(512, 0, 2),
            range(500, 0, 9),
            range(256, 0, 2),
            range(200, 0, 9),
            range(200, 3, 9),
        ];
        let assignment = assign(&ranges, 64);
        check(&ranges, &assignment);
        assert_eq!(assignment.offsets[5], assignment.offsets[3]);
    }

    #[test]
    fn random_ranges_never_collide() {
        let mut state = 12345_u64;
        let mut next = |bound: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let ranges: Vec<LiveRange> = (0..200)
            .map(|_| {
                let first = next(100) as usize;
                range(next(5000), first, first + next(20) as usize)
            })
            .collect();
        let assignment = assign(&ranges, 64);
        check(&ranges, &assignment);
        let peak: u64 = (0..120)
            .map(|moment| {
                ranges
                    .iter()
                    .filter(|range| range.first <= moment && moment <= range.last)
                    .map(|range| range.size.next_multiple_of(64))
                    .sum()
            })
            .max()
            .unwrap_or(0);
        assert!(assignment.total <= peak + peak / 4);
    }
}
