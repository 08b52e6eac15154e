//! Sorting within the cache: insertion sort, or LSD radix sort.

use super::{Element, Order, Tag};

/// The most elements that are sorted by insertion.
const FEW: usize = 24;
/// The number of elements from which a digit has more than eight bits.
const MANY: usize = 2048;
/// The maximum number of digits of a key, and of bits and values of a digit.
const MOST_DIGITS: usize = 8;
const MOST_BITS: u32 = 11;
const MOST_VALUES: usize = 1 << MOST_BITS;

/// Memory that sorting needs, which is used again.
#[derive(Default)]
pub struct Scratch<T, G> {
    keys: Vec<T>,
    tags: Vec<G>,
    counts: Vec<[u32; MOST_VALUES]>,
}

impl<T: Element, G: Tag> Scratch<T, G> {
    /// Sorts encoded elements and their tags, and decodes the elements.
    pub fn sort<O: Order<T>>(&mut self, order: O, keys: &mut [T], tags: &mut [G]) {
        self.sort_forms(order, keys, tags);
        decode(order, keys);
    }

    fn sort_forms<O: Order<T>>(&mut self, order: O, keys: &mut [T], tags: &mut [G]) {
        if keys.len() <= FEW {
            return insert(order, keys, tags);
        }
        let first = order.key(keys[0]);
        let differing = keys.iter().fold(T::zero(), |differing, form| {
            differing | (order.key(*form) ^ first)
        });
        if differing == T::zero() {
            return;
        }
        let most = if keys.len() < MANY { 8 } else { MOST_BITS };
        let span = T::BITS - differing.leading_zeros() - differing.trailing_zeros();
        let bits = span.div_ceil(span.div_ceil(most));
        let values = 1_usize << bits;
        let mut shifts = [0; MOST_DIGITS];
        let shifts = digits(differing, bits, &mut shifts);
        self.count(order, keys, (shifts, values));
        if self.keys.len() < keys.len() {
            self.keys.resize(keys.len(), T::zero());
            self.tags.resize(keys.len(), G::default());
        }
        let (keys_aside, tags_aside) = (&mut self.keys[..keys.len()], &mut self.tags[..keys.len()]);
        let (mut from, mut to) = ((keys, tags), (keys_aside, tags_aside));
        if shifts.len() % 2 == 1 {
            to.0.copy_from_slice(from.0);
            to.1.copy_from_slice(from.1);
            std::mem::swap(&mut from, &mut to);
        }
        for (shift, positions) in shifts.iter().zip(&mut self.counts) {
            for (form, tag) in from.0.iter().zip(&*from.1) {
                let digit = order.key(*form).digit(*shift) & (values - 1);
                let position = positions[digit % MOST_VALUES];
                positions[digit % MOST_VALUES] = position + 1;
                to.0[position as usize] = *form;
                if size_of::<G>() > 0 {
                    to.1[position as usize] = *tag;
                }
            }
            std::mem::swap(&mut from, &mut to);
        }
    }

    /// The positions of the first elements with each digit.
    fn count<O: Order<T>>(&mut self, order: O, keys: &[T], (shifts, values): (&[u32], usize)) {
        if self.counts.len() < shifts.len() {
            self.counts.resize(shifts.len(), [0; MOST_VALUES]);
        }
        let all = &mut self.counts[..shifts.len()];
        for counts in &mut *all {
            counts[..values].fill(0);
        }
        for form in keys {
            let key = order.key(*form);
            for (shift, counts) in shifts.iter().zip(&mut *all) {
                let digit = key.digit(*shift) & (values - 1);
                counts[digit % MOST_VALUES] += 1;
            }
        }
        for counts in all {
            let mut sum = 0;
            for count in &mut counts[..values] {
                sum += std::mem::replace(count, sum);
            }
        }
    }
}

/// Decodes elements in place.
pub fn decode<T: Element, O: Order<T>>(order: O, forms: &mut [T]) {
    for form in forms {
        *form = order.decoded(*form);
    }
}

/// The positions of digits with a number of bits that together cover the bits of a mask.
fn digits<T: Element>(mut mask: T, bits: u32, shifts: &mut [u32; MOST_DIGITS]) -> &[u32] {
    let mut count = 0;
    while mask != T::zero() && count < MOST_DIGITS {
        let shift = mask.trailing_zeros();
        shifts[count] = shift;
        count += 1;
        let next = shift + bits;
        mask = if next < T::BITS {
            mask & (T::max_value() << next as usize)
        } else {
            T::zero()
        };
    }
    &shifts[..count]
}

/// Sorts by insertion.
fn insert<T: Element, G: Tag, O: Order<T>>(order: O, keys: &mut [T], tags: &mut [G]) {
    for end in 1..keys.len() {
        let (form, tag) = (keys[end], tags[end]);
        let key = order.key(form);
        let mut at = end;
        while at > 0 && order.key(keys[at - 1]) > key {
            keys[at] = keys[at - 1];
            tags[at] = tags[at - 1];
            at -= 1;
        }
        keys[at] = form;
        tags[at] = tag;
    }
}
