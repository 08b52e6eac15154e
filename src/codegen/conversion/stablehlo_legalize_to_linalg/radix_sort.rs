//! LSD radix sort of a long row.
//!
//! A digit is a byte. One pass over the row computes the histograms of all digits. Then a pass for
//! each digit moves the elements to the positions of their digit, back and forth between the result
//! and scratch memory, so that the last pass writes the result:
//!
//! ```mlir
//! scf.for %i = %c0 to %count step %c1 {
//!   %element = load %from[%i]
//!   %digit = and (shrui (key %element), 8 * pass), 255
//!   %position = memref.load %positions[%row, 256 * pass + %digit] : memref<8x1024xi32>
//!   store %element, %to[%position]
//!   memref.store (%position + 1), %positions[%row, 256 * pass + %digit] : memref<8x1024xi32>
//! }
//! ```
//!
//! Each pass keeps the order of elements with equal digits, so that the sort is stable.

use super::{
    rows::{Rows, for_rows, load, scratch, store},
    sort_key::SortKey,
};
use halo_ir::prelude::*;

/// The number of values of a digit.
const DIGITS: i64 = 256;
/// The shortest row for which radix sort is profitable.
const LONG_ROW: i64 = 1024;

/// Returns true if radix sort is faster than merge sort for rows of a length. Positions have 32
/// bits.
pub fn is_worth_it(count: i64) -> bool {
    (LONG_ROW..i64::from(i32::MAX)).contains(&count)
}

/// A radix sort of rows of one length.
pub struct RadixSort<'a, 'c> {
    key: &'a SortKey<'c>,
    count: i64,
    passes: i64,
    /// The next position of each digit, for each row and pass.
    positions: Value<'c>,
    /// A buffer for each operand.
    scratch: Vec<Value<'c>>,
}

impl<'a, 'c> RadixSort<'a, 'c> {
    /// Allocates the scratch memory for sorting `rows` rows.
    pub fn new(
        b: &Builder<'c>,
        key: &'a SortKey<'c>,
        rows: i64,
        count: i64,
        types: &[Type<'c>],
    ) -> RewriteResult<Self> {
        let passes = i64::from(key.bits() / 8);
        let scratches = types
            .iter()
            .filter(|_| passes > 1)
            .map(|ty| scratch(b, &[rows, count], ty.element_type()))
            .collect::<_>();
        let counter = integer_type(b.context(), 32);
        Ok(Self {
            key,
            count,
            passes,
            positions: scratch(b, &[rows, passes * DIGITS], counter),
            scratch: scratches,
        })
    }

    /// Sorts a row of `source` into `outputs`.
    pub fn sort(
        &self,
        b: &Builder<'c>,
        row: Value<'c>,
        source: &Rows<'c>,
        outputs: &Rows<'c>,
    ) -> RewriteResult<Rows<'c>> {
        self.count_digits(b, row, source)?;
        self.accumulate(b, row)?;
        let scratch = Rows::of(&self.scratch, row);
        let mut result = outputs.clone();
        let mut from = source.clone();
        for pass in 0..self.passes {
            if (self.passes - pass) % 2 == 0 {
                self.move_elements(b, row, pass, &from, &scratch)?;
                from = scratch.clone();
            } else {
                result = self.move_elements(b, row, pass, &from, &result)?;
                from = result.clone();
            }
        }
        Ok(result)
    }

    fn range(&self, b: &Builder<'c>, end: i64) -> (Value<'c>, Value<'c>) {
        (index::constant(b, 0), index::constant(b, end))
    }

    fn counter(&self, b: &Builder<'c>, value: i64) -> Value<'c> {
        let counter = self.positions.ty().element_type();
        arith::constant(b, counter, value)
    }

    /// The index of an element's digit in the positions of a row.
    fn digit(&self, b: &Builder<'c>, key: Value<'c>, pass: i64) -> Value<'c> {
        let mut digit = key;
        if pass > 0 {
            let shift = arith::constant(b, key.ty(), 8 * pass);
            digit = arith::shrui(b, key, shift);
        }
        let byte = integer_type(b.context(), 8);
        let digit = arith::resize_integer(b, digit, byte, false);
        let digit = arith::cast(b, arith::index_castui, digit, Type::index(b.context()));
        let first = index::constant(b, pass * DIGITS);
        arith::addi(b, digit, first)
    }

    fn key_of(&self, b: &Builder<'c>, rows: &Rows<'c>, at: Value<'c>) -> RewriteResult<Value<'c>> {
        let element = rows.load_one(b, self.key.operand, at)?;
        self.key.unsigned(b, element)
    }

    fn count_digits(&self, b: &Builder<'c>, row: Value<'c>, source: &Rows<'c>) -> RewriteResult {
        let nothing = Rows::of(&[], row);
        let digits = self.range(b, self.passes * DIGITS);
        for_rows(b, digits, &nothing, &[], |b, digit, rows, _| {
            store(b, self.counter(b, 0), self.positions, &[row, digit]);
            Ok((rows.clone(), Vec::new()))
        })?;
        let elements = self.range(b, self.count);
        for_rows(b, elements, &nothing, &[], |b, at, rows, _| {
            let key = self.key_of(b, source, at)?;
            let one = self.counter(b, 1);
            for pass in 0..self.passes {
                let indices = [row, self.digit(b, key, pass)];
                let count = load(b, self.positions, &indices);
                let next = arith::addi(b, count, one);
                store(b, next, self.positions, &indices);
            }
            Ok((rows.clone(), Vec::new()))
        })?;
        Ok(())
    }

    /// Computes exclusive prefix sums: replaces the count of each digit by its first position.
    fn accumulate(&self, b: &Builder<'c>, row: Value<'c>) -> RewriteResult {
        let nothing = Rows::of(&[], row);
        for pass in 0..self.passes {
            let bounds = (
                index::constant(b, pass * DIGITS),
                index::constant(b, (pass + 1) * DIGITS),
            );
            let zero = self.counter(b, 0);
            for_rows(b, bounds, &nothing, &[zero], |b, digit, rows, sum| {
                let count = load(b, self.positions, &[row, digit]);
                store(b, sum[0], self.positions, &[row, digit]);
                let next = arith::addi(b, sum[0], count);
                Ok((rows.clone(), vec![next]))
            })?;
        }
        Ok(())
    }

    fn move_elements(
        &self,
        b: &Builder<'c>,
        row: Value<'c>,
        pass: i64,
        from: &Rows<'c>,
        to: &Rows<'c>,
    ) -> RewriteResult<Rows<'c>> {
        let elements = self.range(b, self.count);
        let (to, _) = for_rows(b, elements, to, &[], |b, at, to, _| {
            let elements = from.load(b, at)?;
            let element = elements.get(self.key.operand).copied();
            let key = self.key.unsigned(b, element.ok_or_else(|| no_match("there is no key"))?)?;
            let indices = [row, self.digit(b, key, pass)];
            let position = load(b, self.positions, &indices);
            let one = self.counter(b, 1);
            let next = arith::addi(b, position, one);
            store(b, next, self.positions, &indices);
            let position = arith::cast(b, arith::index_cast, position, Type::index(b.context()));
            let to = to.store(b, position, &elements);
            Ok((to, Vec::new()))
        })?;
        Ok(to)
    }
}
