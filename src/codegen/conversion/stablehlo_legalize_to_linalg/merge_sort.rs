//! Merge sort of a row: insertion sort of short runs, then merges of pairs of runs, back and forth
//! between the result and scratch memory.
//!
//! ```mlir
//! scf.for %k = %low to %high step %c1 iter_args(%i = %low, %j = %middle) {
//!   %left, %right = load %from[%i], load %from[%j]
//!   %later = comparator(%right, %left)
//!   %take = %j < %high && (%i >= %middle || %later)
//!   store (select %take, %right, %left), %to[%k]
//!   scf.yield (select %take, %i, %i + 1), (select %take, %j + 1, %j)
//! }
//! ```
//!
//! A merge has no branches, since the order of two elements cannot be predicted. Among equal
//! elements the left one is first, so that the sort is stable.

use super::{
    rows::{Rows, for_rows, insert_sorted, scratch},
    sort::Before,
};
use halo_ir::{ops::index::Index, prelude::*};

/// The longest run that is sorted by insertion.
const LONGEST_RUN: i64 = 24;

/// The number of times that the length of runs must be multiplied by four to reach `count`.
fn rounds_for<'c>(b: &Builder<'c>, count: Value<'c>) -> RewriteResult<Value<'c>> {
    let start = [index::constant(b, LONGEST_RUN), index::constant(b, 0)];
    let found = scf::while_(
        b,
        &start,
        |b, values| {
            let is_shorter = arith::cmpi(b, CmpIPredicate::Slt, values[0], count);
            Ok::<_, RewriteError>((is_shorter, values.to_vec()))
        },
        |b, values| {
            Ok(vec![
                index::mul(b, values[0], 4),
                index::add(b, values[1], 1),
            ])
        },
    )?;
    let rounds = found.results().get(1).copied();
    rounds.ok_or_else(|| no_match("a loop returns nothing"))
}

/// A merge sort of rows of one length.
pub struct MergeSort<'c> {
    count: Size<'c>,
    /// The length of the runs that are sorted by insertion.
    run: i64,
    /// Half of the number of merge passes.
    rounds: Size<'c>,
    /// A buffer for each operand, for merged runs.
    scratch: Vec<Value<'c>>,
}

impl<'c> MergeSort<'c> {
    /// Allocates the scratch memory for sorting `rows` rows.
    pub fn new(
        b: &Builder<'c>,
        rows: Size<'c>,
        count: Size<'c>,
        elements: impl Iterator<Item = Type<'c>>,
    ) -> RewriteResult<Self> {
        // An even number of merge passes leaves the sorted rows in the original buffer.
        let (run, rounds) = match count {
            Size::Static(count) => {
                let (mut run, mut rounds) = (count, 0);
                while run > LONGEST_RUN {
                    run = (run + 3) / 4;
                    rounds += 1;
                }
                (run, rounds.into())
            }
            Size::Dynamic(count) => (LONGEST_RUN, Size::Dynamic(rounds_for(b, count)?)),
        };
        let scratch = elements
            .filter(|_| rounds != Size::Static(0))
            .map(|element| scratch(b, &[rows, count], element))
            .collect::<_>();
        Ok(Self {
            count,
            run,
            rounds,
            scratch,
        })
    }

    /// Sorts a row of `source` into `outputs`.
    pub fn sort(
        &self,
        b: &Builder<'c>,
        row: Value<'c>,
        source: &Rows<'c>,
        outputs: &Rows<'c>,
        before: &Before<'_, 'c>,
    ) -> RewriteResult<Rows<'c>> {
        let sorted = self.sort_runs(b, source, outputs, before)?;
        if self.rounds == Size::Static(0) {
            return Ok(sorted);
        }
        let between = Rows::of(&self.scratch, row);
        let bounds = (index::constant(b, 0), self.rounds.value(b));
        let width = index::constant(b, self.run);
        let (sorted, _) = for_rows(b, bounds, &sorted, &[width], |b, _, sorted, width| {
            let two = index::constant(b, 2);
            let double = arith::muli(b, width[0], two);
            self.merge_runs(b, width[0], sorted, &between, before)?;
            let sorted = self.merge_runs(b, double, &between, sorted, before)?;
            let next = arith::muli(b, double, two);
            Ok((sorted, vec![next]))
        })?;
        Ok(sorted)
    }

    /// Sorts each run by insertion.
    fn sort_runs(
        &self,
        b: &Builder<'c>,
        source: &Rows<'c>,
        outputs: &Rows<'c>,
        before: &Before<'_, 'c>,
    ) -> RewriteResult<Rows<'c>> {
        let runs = self.count.divided_up(b, self.run);
        let bounds = (index::constant(b, 0), runs.value(b));
        let (sorted, _) = for_rows(b, bounds, outputs, &[], |b, number, outputs, _| {
            let run = index::constant(b, self.run);
            let low = arith::muli(b, number, run);
            let high = self.limited(b, low, run);
            for_rows(b, (low, high), outputs, &[], |b, at, outputs, _| {
                let elements = source.load(b, at)?;
                let outputs = insert_sorted(b, outputs, (low, at), &elements, before)?;
                Ok((outputs, Vec::new()))
            })
        })?;
        Ok(sorted)
    }

    /// The end of a run with a given start.
    fn limited(&self, b: &Builder<'c>, start: Value<'c>, length: Value<'c>) -> Value<'c> {
        let end = arith::addi(b, start, length);
        let count = self.count.value(b);
        arith::minsi(b, end, count)
    }

    /// Merges each pair of adjacent runs of a width.
    fn merge_runs(
        &self,
        b: &Builder<'c>,
        width: Value<'c>,
        from: &Rows<'c>,
        to: &Rows<'c>,
        before: &Before<'_, 'c>,
    ) -> RewriteResult<Rows<'c>> {
        let count = self.count.value(b);
        let double = arith::addi(b, width, width);
        // Rounded up.
        let last = arith::subi(b, double, index::constant(b, 1));
        let pairs = arith::divui(b, arith::addi(b, count, last), double);
        let zero = index::constant(b, 0);
        let (merged, _) = for_rows(b, (zero, pairs), to, &[], |b, pair, to, _| {
            let low = arith::muli(b, pair, double);
            let middle = self.limited(b, low, width);
            let high = self.limited(b, low, double);
            let heads = [low, middle];
            let (to, _) = for_rows(b, (low, high), to, &heads, |b, at, to, heads| {
                self.merge_step(b, from, (middle, high), (at, to), heads, before)
            })?;
            Ok((to, Vec::new()))
        })?;
        Ok(merged)
    }

    /// Moves the smaller of the first elements of two runs.
    fn merge_step(
        &self,
        b: &Builder<'c>,
        from: &Rows<'c>,
        (middle, high): (Value<'c>, Value<'c>),
        (at, to): (Value<'c>, &Rows<'c>),
        heads: &[Value<'c>],
        before: &Before<'_, 'c>,
    ) -> RewriteResult<(Rows<'c>, Vec<Value<'c>>)> {
        let &[i, j] = heads else {
            return Err(no_match("two positions are expected"));
        };
        let one = index::constant(b, 1);
        let last = self.count.minus(b, 1).value(b);
        // The element after the end of a run may be out of bounds.
        let readable = |head| arith::minsi(b, head, last);
        let left = from.load(b, readable(i))?;
        let right = from.load(b, readable(j))?;
        let earlier = before(b, &right, &left)?;
        let no_left = arith::cmpi(b, CmpIPredicate::Sge, i, middle);
        let some_right = arith::cmpi(b, CmpIPredicate::Slt, j, high);
        let wanted = arith::ori(b, no_left, earlier);
        let take = arith::andi(b, some_right, wanted);
        let taken = right
            .iter()
            .zip(&left)
            .map(|(right, left)| Ok(arith::select(b, take, *right, *left)))
            .collect::<RewriteResult<Vec<_>>>()?;
        let to = to.store(b, at, &taken);
        let next_i = arith::addi(b, i, one);
        let next_j = arith::addi(b, j, one);
        let i = arith::select(b, take, i, next_i);
        let j = arith::select(b, take, next_j, j);
        Ok((to, vec![i, j]))
    }
}
