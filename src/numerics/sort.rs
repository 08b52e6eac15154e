//! Stable sorting of long rows by the digits of their keys.
//!
//! The most significant digit in which the keys differ comes first: its values are counted, and the
//! elements of the source are moved into the result, to the bucket of their value. Then each bucket
//! is sorted by its other digits, the least significant one first, alternating between the result
//! and scratch memory that fits into a cache (`in_cache`). A bucket that is larger than the scratch
//! is filled again from the source, by the next digit; digits in which all keys agree are skipped.
//! So the scratch is bounded for any keys.
//!
//! Threads count and move chunks of the source, and share the buckets. The sort is stable, and the
//! result does not depend on the number of threads.

mod element;
mod in_cache;
mod order;

pub use element::{Element, Tag};
pub use order::{Floats, Integers, NormalizedFloats, Order};

use crate::ParallelFor;
use in_cache::Scratch;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The bits and values of the digit by which elements are moved from the source: enough to
/// distribute the exponents of ordinary floats.
const DIGIT: u32 = 11;
const VALUES: usize = 1 << DIGIT;
/// The number of chunks of the source that are counted and moved separately, and of chunks of the
/// result whose buckets are sorted separately.
const PARTS: usize = 16;
/// The longest row that is sorted in cache, without buckets.
const LONGEST_IN_CACHE: usize = 1 << 14;
/// The most elements of small buckets that are sorted together.
const GROUP: usize = 1 << 12;
/// The bytes of scratch memory of a thread.
const SCRATCH_BYTES: usize = 1 << 20;

/// Writes the elements of `source` into `keys`, sorted, and into `tags` the index of each of them
/// in the source. Elements with equal keys keep their order.
///
/// # Panics
/// Panics if the lengths differ, or there are more elements than numbers of 32 bits.
pub fn sort<T: Element, G: Tag, O: Order<T>>(
    parallel_for: ParallelFor<'_>,
    order: O,
    source: &[T],
    (keys, tags): (&mut [T], &mut [G]),
) {
    assert!(source.len() == keys.len() && source.len() == tags.len());
    assert!(u32::try_from(source.len()).is_ok());
    if source.len() <= LONGEST_IN_CACHE {
        for (number, (form, tag)) in keys.iter_mut().zip(tags.iter_mut()).enumerate() {
            *form = order.encoded(source[number]);
            *tag = G::of(number);
        }
        return Scratch::default().sort(order, keys, tags);
    }
    let sort = Sort {
        parallel_for,
        order,
        source,
    };
    sort.distribute(None, keys, tags);
}

/// Keys that agree with a key in the bits of a mask.
#[derive(Clone, Copy)]
struct Agreement<T> {
    key: T,
    mask: T,
}

impl<T: Element> Agreement<T> {
    fn contains(self, key: T) -> bool {
        (self.key ^ key) & self.mask == T::zero()
    }
}

/// The histogram of a digit in a chunk of the source, and later the positions.
type Counts = [u32; VALUES];

struct Sort<'a, T, O> {
    parallel_for: ParallelFor<'a>,
    order: O,
    source: &'a [T],
}

impl<T: Element, O: Order<T>> Sort<'_, T, O> {
    /// Sorts the elements of the source with agreeing keys into the result. They are already
    /// encoded there, unless these are all elements.
    fn distribute<G: Tag>(&self, agreement: Option<Agreement<T>>, keys: &mut [T], tags: &mut [G]) {
        let differing = match agreement {
            Some(_) => self.differing_bits(keys, |form| self.order.key(form)),
            None => self.differing_bits(self.source, |element| {
                self.order.key(self.order.encoded(element))
            }),
        };
        if differing == T::zero() && agreement.is_some() {
            return in_cache::decode(self.order, keys);
        }
        let bits = T::BITS - differing.leading_zeros();
        let shift = bits.saturating_sub(DIGIT);
        let buckets = match agreement {
            Some(agreement) => self.move_elements(
                |key| agreement.contains(key),
                shift,
                (&mut *keys, &mut *tags),
            ),
            None => self.move_elements(|_| true, shift, (&mut *keys, &mut *tags)),
        };
        if shift == 0 {
            return in_cache::decode(self.order, keys);
        }
        let most = SCRATCH_BYTES / (size_of::<T>() + size_of::<G>());
        self.sort_buckets(&buckets, most, (&mut *keys, &mut *tags));
        let mask = T::max_value() << shift as usize;
        for bucket in buckets.into_iter().filter(|bucket| bucket.len() > most) {
            let (keys, tags) = (&mut keys[bucket.clone()], &mut tags[bucket]);
            let key = self.order.key(keys[0]);
            self.distribute(Some(Agreement { key, mask }), keys, tags);
        }
    }

    /// Calls a function for each chunk of a number of elements.
    fn for_each_part(&self, count: usize, body: impl Fn(usize, Range<usize>) + Sync) {
        let size = count.div_ceil(PARTS);
        (self.parallel_for)(PARTS as i64, 1, &|begin, end| {
            for part in begin as usize..end as usize {
                let begin = (part * size).min(count);
                let end = (begin + size).min(count);
                body(part, begin..end);
            }
        });
    }

    /// The bits in which keys differ.
    fn differing_bits(&self, elements: &[T], key: impl Fn(T) -> T + Sync) -> T {
        let differing = Mutex::new(T::zero());
        let first = elements.first().map_or(T::zero(), |element| key(*element));
        self.for_each_part(elements.len(), |_, range| {
            let own = elements[range].iter().fold(T::zero(), |differing, element| {
                differing | (key(*element) ^ first)
            });
            let mut all = differing.lock().unwrap_or_else(PoisonError::into_inner);
            *all = *all | own;
        });
        differing.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the elements of some keys to the positions of their digits, and returns the
    /// ranges of these.
    fn move_elements<G: Tag>(
        &self,
        is_wanted: impl Fn(T) -> bool + Sync,
        shift: u32,
        (keys, tags): (&mut [T], &mut [G]),
    ) -> Vec<Range<usize>> {
        let positions: Vec<_> = (0..PARTS).map(|_| Mutex::new([0; VALUES])).collect();
        self.for_each_part(self.source.len(), |part, range| {
            let mut counts = positions[part].lock().unwrap_or_else(PoisonError::into_inner);
            for element in &self.source[range] {
                let key = self.order.key(self.order.encoded(*element));
                if is_wanted(key) {
                    counts[key.digit(shift) % VALUES] += 1;
                }
            }
        });
        let buckets = accumulate(&positions);
        let (keys, tags) = (T::shared(keys), G::shared(tags));
        self.for_each_part(self.source.len(), |part, range| {
            let mut positions = positions[part].lock().unwrap_or_else(PoisonError::into_inner);
            for (number, element) in range.clone().zip(&self.source[range]) {
                let form = self.order.encoded(*element);
                let key = self.order.key(form);
                if is_wanted(key) {
                    let digit = key.digit(shift) % VALUES;
                    let position = positions[digit];
                    positions[digit] = position + 1;
                    T::put(keys, position as usize, form);
                    G::put(tags, position as usize, G::of(number));
                }
            }
        });
        buckets
    }

    /// Sorts all buckets up to a size, and decodes the elements.
    fn sort_buckets<G: Tag>(
        &self,
        buckets: &[Range<usize>],
        most: usize,
        (mut keys, mut tags): (&mut [T], &mut [G]),
    ) {
        let size = keys.len().div_ceil(4 * PARTS).max(1);
        let mut parts = Vec::new();
        let mut begin = 0;
        let of_part = |bucket: &Range<usize>| bucket.start / size;
        let groups = group(buckets);
        for buckets in groups.chunk_by(|left, right| of_part(left) == of_part(right)) {
            let end = buckets.last().map_or(begin, |bucket| bucket.end);
            let (own, rest) = keys.split_at_mut(end - begin);
            let (own_tags, rest_tags) = tags.split_at_mut(end - begin);
            (keys, tags) = (rest, rest_tags);
            parts.push(Mutex::new((begin, buckets, own, own_tags)));
            begin = end;
        }
        (self.parallel_for)(parts.len() as i64, 1, &|begin, end| {
            let mut scratch = Scratch::default();
            for part in &parts[begin as usize..end as usize] {
                let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
                let (first, buckets, keys, tags) = &mut *part;
                for bucket in buckets.iter().filter(|bucket| bucket.len() <= most) {
                    let range = bucket.start - *first..bucket.end - *first;
                    let (keys, tags) = (&mut keys[range.clone()], &mut tags[range]);
                    scratch.sort(self.order, keys, tags);
                }
            }
        });
    }
}

/// Merges adjacent small buckets, since sorting each has a fixed cost.
fn group(buckets: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for bucket in buckets {
        match groups.last_mut() {
            Some(group) if group.len() + bucket.len() <= GROUP => group.end = bucket.end,
            _ => groups.push(bucket.clone()),
        }
    }
    groups
}

/// Replaces the histograms of a digit by the positions of the first elements with it. Returns the
/// nonempty buckets.
fn accumulate(counts: &[Mutex<Counts>]) -> Vec<Range<usize>> {
    let mut counts: Vec<_> = counts
        .iter()
        .map(|counts| counts.lock().unwrap_or_else(PoisonError::into_inner))
        .collect();
    let mut buckets = Vec::new();
    let mut sum = 0_u32;
    for digit in 0..VALUES {
        let begin = sum;
        for counts in &mut counts {
            let count = counts[digit];
            counts[digit] = sum;
            sum += count;
        }
        if sum > begin {
            buckets.push(begin as usize..sum as usize);
        }
    }
    buckets
}

#[cfg(test)]
mod tests;
