//! Exchange of fragments' elements among threads, for stores of 16 bytes.
//!
//! Four threads hold a row of a fragment of a result ([`super::tensor_core`]), two columns each.
//! They exchange the columns of adjacent fragments, so that each thread has a run of adjacent
//! columns. Two threads `a` and `b` with fragments of four columns, for example:
//!
//! ```text
//! before: a0 a1 b0 b1 | a2 a3 b2 b3
//! after:  a0 a1 a2 a3 | b0 b1 b2 b3
//! ```

use super::super::shuffle::shuffle;
use halo_ir::{ops::gpu::ShuffleMode, prelude::*};

/// The runs of adjacent columns that a thread has of a row after an exchange.
pub struct Runs<'c> {
    /// The number of the thread among the four of a row.
    pair: Value<'c>,
    /// The first column of the first run.
    pub first: Value<'c>,
    /// Columns of a run: two for each thread of the exchange.
    pub length: i64,
    pub count: i64,
}

impl<'c> Runs<'c> {
    /// Runs of at most the given length, for a number of adjacent fragments.
    pub fn of(
        builder: &Builder<'c>,
        (pair, column): (Value<'c>, Value<'c>),
        fragments: i64,
        most: i64,
    ) -> Self {
        let mut length = most.clamp(2, 8);
        while fragments % (length / 2) != 0 {
            length /= 2;
        }
        let (skipped, fragment) = index::divide(builder, pair, length / 2);
        let fragment = index::mul(builder, fragment, 8);
        let skipped = index::mul(builder, skipped, length);
        let first = index::add(builder, column, fragment);
        Self {
            pair,
            first: index::add(builder, first, skipped),
            length,
            count: 2 * fragments / length,
        }
    }

    /// Columns from one run to the next.
    pub fn stride(&self) -> i64 {
        8 * self.length / 2
    }

    /// The runs of a row, from the columns that the thread holds of each fragment. Pairs of 16 bits
    /// are exchanged as words.
    pub fn exchange(&self, builder: &Builder<'c>, pairs: Vec<[Value<'c>; 2]>) -> Vec<Value<'c>> {
        let element = pairs.first().map(|[first, _]| first.ty());
        let Some(element) = element.filter(|ty| ty.bit_width() == Some(16) && self.length > 2)
        else {
            return self.exchange_items(builder, pairs).into_iter().flatten().collect();
        };
        let pair_type = vector_type(&[2], element);
        let word_type = vector_type(&[1], integer_type(builder.context(), 32));
        let words = pairs.iter().map(|pair| {
            let pair = vector::from_elements(builder, pair, pair_type);
            let word = vector::bitcast(builder, pair, word_type);
            [vector::extract(builder, word, &[], &[0])]
        });
        let words = self.exchange_items(builder, words.collect());
        let elements = words.into_iter().flat_map(|word| {
            let word = vector::from_elements(builder, &word, word_type);
            let pair = vector::bitcast(builder, word, pair_type);
            [0, 1].map(|number| vector::extract(builder, pair, &[], &[number]))
        });
        elements.collect()
    }

    /// Transposes items among threads: a thread gets its item of each thread.
    fn exchange_items<const PARTS: usize>(
        &self,
        builder: &Builder<'c>,
        mut items: Vec<[Value<'c>; PARTS]>,
    ) -> Vec<[Value<'c>; PARTS]> {
        let threads = (self.length / 2) as usize;
        // In each step, threads whose numbers differ in one bit exchange half of their items.
        for bit in [1, 2].into_iter().filter(|bit| *bit < threads) {
            let (number, _) = index::divide(builder, self.pair, bit as i64);
            let odd = index::rem(builder, number, 2);
            let zero = index::constant(builder, 0);
            let is_upper = arith::cmpi(builder, CmpIPredicate::Ne, odd, zero);
            for group in items.chunks_mut(threads) {
                for low in (0..threads).filter(|low| low & bit == 0) {
                    let (lower, upper) = group.split_at_mut(low | bit);
                    for (first, second) in lower[low].iter_mut().zip(&mut upper[0]) {
                        let sent = arith::select(builder, is_upper, *first, *second);
                        let received = shuffle(builder, ShuffleMode::Xor, sent, bit as i64);
                        *first = arith::select(builder, is_upper, received, *first);
                        *second = arith::select(builder, is_upper, *second, received);
                    }
                }
            }
        }
        items
    }
}
