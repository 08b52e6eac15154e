//! `chlo.top_k`: the largest elements of each row with their indices.
//!
//! Sorting a row for its few largest elements would move all other elements. For a small `k`, one
//! pass over a row maintains a sorted list of the largest elements so far. Few elements of a long
//! row enter the list, so that a vectorized reduction first computes the largest key of each block
//! of the row:
//!
//! ```mlir
//! %largest = scf.for %j = %c0 to %c64 step %c1 iter_args(%m = %lowest) -> i32 { maxsi (key ...) }
//! %reaches = arith.cmpi sge, %largest, %least : i32
//! scf.if %reaches { /* each element with at least that key into the list */ }
//! ```
//!
//! While the list is not full, its least key is the lowest possible key, so that the same code
//! inserts the first `k` elements.
//!
//! On devices of many threads, a network finds the elements (`top_k_network`).
//!
//! Keys follow the total order, in which NaN is greater than infinity. Among equal elements, the
//! one with the lower index is first.

use super::{
    Lowered, Lowering,
    bitonic_sort::Sort,
    result_shapes::{Relation, Required, dimension_of_operand},
    row_loops,
    rows::{self, Rows, for_rows, insert_sorted},
    slice::{self, Part},
    sort::{Before, sort_rows},
    sort_key::SortKey,
    top_k_network,
};
use halo_ir::prelude::*;

/// The longest list that elements are inserted into for any length of the rows, and for long rows.
/// Of a row in random order, `k * ln(count / k)` elements enter the list, and each moves half of it;
/// sorting moves all elements of the row several times.
const SHORT_LIST: i64 = 32;
const LONGEST_LIST: i64 = 128;
/// The elements of a block.
const BLOCK: i64 = 64;

/// The largest elements of rows of one length.
pub struct TopK<'c> {
    pub operand: Value<'c>,
    pub key: SortKey<'c>,
    /// The type of the element indices.
    pub number: Type<'c>,
    pub count: i64,
    pub k: i64,
}

impl<'c> Lowering<'_, 'c> {
    pub(super) fn top_k(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let operand = self.operand(0)?;
        if self.results.iter().any(|ty| ty.static_shape().is_none())
            || operand.ty().static_shape().is_none()
        {
            return self.top_k_of_any_size();
        }
        let sizes = operand.ty().sizes();
        let &[values, numbers] = &self.results[..] else {
            return Err(RewriteError::Invalid("'chlo.top_k' has two results".into()));
        };
        let target = values.sizes();
        let (Some(count), Some(k)) = (sizes.last().copied(), target.last().copied()) else {
            return Err(RewriteError::Invalid(
                "'chlo.top_k' of a scalar has no dimension to look through".into(),
            ));
        };
        if target.contains(&0) {
            return Ok([values, numbers].map(|ty| structured::empty(&b, ty)).to_vec());
        }
        let rows = sizes.iter().product::<i64>() / count;
        let operand = structured::reshape(&b, operand, &[rows, count]);
        let top_k = TopK {
            operand,
            key: SortKey::element(0, self.original_element(0)?, true),
            number: numbers.element_type(),
            count,
            k,
        };
        let is_short = k <= SHORT_LIST || k <= LONGEST_LIST && k * k <= count;
        let found = if self.options.parallel_sort && k <= top_k_network::LONGEST_LIST {
            top_k_network::largest(&b, &top_k, rows)?
        } else if is_short && (k < count || k == 1) {
            top_k.by_insertion(&b, rows)?
        } else {
            let element = self.original_element(0)?;
            top_k.by_sorting(self, element, rows)?
        };
        let found = found.into_iter();
        Ok(found.map(|value| structured::reshape(&b, value, &target)).collect())
    }
}

impl<'c> Lowering<'_, 'c> {
    /// Sorts whole rows and slices their starts, for rows of which number or length are dynamic.
    fn top_k_of_any_size(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let k = Size::Static(self.op_as::<chlo::TopKOp>()?.k());
        let operand = self.operand(0)?;
        let sizes = self.sizes(0)?;
        let Some((count, others)) = sizes.split_last() else {
            return Err(no_match("a scalar has no dimension to look through"));
        };
        let of = dimension_of_operand(others.len(), 0);
        let required = Required {
            relation: Relation::AtMost,
            size: *count,
            name: &of,
        };
        self.expect(k, "the number of elements to find", required);
        let rows = sizes::product(&b, others);
        let number = self.results.get(1).map(|ty| ty.element_type());
        let number = number.ok_or_else(|| no_match("it has no result"))?;
        let numbers = Shape::new(vec![rows, *count], number);
        let numbers = structured::gather_elements(&b, Vec::new(), numbers, |b, _| {
            let column = linalg::index(b, 1);
            arith::cast(b, arith::index_cast, column, number)
        });
        let operand = structured::reshape_to(&b, operand, &[rows, *count]);
        let key = SortKey::element(0, self.original_element(0)?, true);
        let before: &Before<'_, 'c> = &|b, left, right| {
            let (left, right) = (key.signed(b, left[0])?, key.signed(b, right[0])?);
            Ok(arith::cmpi(b, CmpIPredicate::Sgt, left, right))
        };
        let sorted = sort_rows(&b, &[operand, numbers], Some(&key), before)?;
        let part = Part::adjacent(sizes::fixed(&[0, 0]), vec![rows, k]);
        let target = [others, &[k]].concat();
        let found = sorted.into_iter().map(|value| {
            let first = slice::extract(&b, value, &part);
            structured::reshape_to(&b, first, &target)
        });
        Ok(found.collect())
    }
}

impl<'c> TopK<'c> {
    pub fn types(&self, rows: i64, count: i64) -> [Type<'c>; 2] {
        let element = self.operand.ty().element_type();
        [element, self.number].map(|element| tensor_type(&[rows, count], element))
    }

    /// The condition that the first elements come before the second ones.
    fn before(
        &self,
        b: &Builder<'c>,
        left: &[Value<'c>],
        right: &[Value<'c>],
    ) -> RewriteResult<Value<'c>> {
        let (left, right) = (self.key.signed(b, left[0])?, self.key.signed(b, right[0])?);
        Ok(arith::cmpi(b, CmpIPredicate::Sgt, left, right))
    }

    /// Sorts whole rows and slices their starts.
    fn by_sorting(
        &self,
        lowering: &Lowering<'_, 'c>,
        element: Type<'c>,
        rows: i64,
    ) -> RewriteResult<Vec<Value<'c>>> {
        let b = &lowering.builder;
        let [_, numbers] = self.types(rows, self.count);
        let numbers = structured::gather_elements(b, Vec::new(), numbers, |b, _| {
            let column = linalg::index(b, 1);
            arith::cast(b, arith::index_cast, column, self.number)
        });
        let before: &Before<'_, 'c> = &|b, left, right| self.before(b, left, right);
        let operands = [self.operand, numbers];
        let original = [element, self.number];
        let sorted = match lowering.sort_by_runtime(&operands, &original, Some(&self.key)) {
            Some(sorted) => sorted,
            None if lowering.options.parallel_sort => Sort {
                operands: &operands,
                is_stable: true,
                positions: (self.number.bit_width() >= Some(32)).then_some(1),
                before,
            }
            .sort(b)?,
            None => sort_rows(b, &operands, Some(&self.key), before)?,
        };
        let part = Part::contiguous(&[0, 0], &[rows, self.k]);
        Ok(sorted.into_iter().map(|value| slice::extract(b, value, &part)).collect())
    }

    /// Computes each row by inserting into a list of the largest elements.
    fn by_insertion(&self, b: &Builder<'c>, rows: i64) -> RewriteResult<Vec<Value<'c>>> {
        // As a tensor, a list would be copied before each conditional write. The entry after the
        // first k takes rejected elements.
        let lists = [self.operand.ty().element_type(), self.number]
            .map(|element| rows::scratch(b, &[rows, self.k + 1], element));
        let lists = lists.into_iter().collect::<Vec<_>>();
        row_loops::for_each_row(
            b,
            &self.types(rows, self.k).map(Shape::from),
            |b, row, outputs| {
                let source = Rows::of(&[self.operand], row);
                let list = self.fill(b, &source, Rows::of(&lists, row))?;
                let results = Rows::whole(outputs);
                let bounds = (index::constant(b, 0), index::constant(b, self.k));
                let (results, _) = for_rows(b, bounds, &results, &[], |b, at, results, _| {
                    let found = list.load(b, at)?;
                    Ok((results.store(b, at, &found), Vec::new()))
                })?;
                let results = results.carried();
                row_loops::mark_parallel(&results);
                Ok(results)
            },
        )
    }

    /// Inserts the elements of a row into the list.
    fn fill(&self, b: &Builder<'c>, source: &Rows<'c>, list: Rows<'c>) -> RewriteResult<Rows<'c>> {
        let least = self.constant_key(b, self.lowest());
        let zero = index::constant(b, 0);
        // Each of the first k blocks most likely has an element that enters the list.
        if self.count <= self.k * BLOCK {
            let bounds = (zero, index::constant(b, self.count));
            let (list, _) = self.scan(b, source, bounds, &list, least)?;
            return Ok(list);
        }
        let bounds = (zero, index::constant(b, (self.count + BLOCK - 1) / BLOCK));
        let (list, _) = for_rows(b, bounds, &list, &[least], |b, block, list, carried| {
            let start = arith::muli(b, block, index::constant(b, BLOCK));
            self.block(b, source, start, list, carried[0])
        })?;
        Ok(list)
    }

    /// The lowest possible key.
    pub fn lowest(&self) -> i64 {
        i64::MIN >> (i64::BITS - self.key.bits())
    }

    pub fn constant_key(&self, b: &Builder<'c>, key: i64) -> Value<'c> {
        let ty = integer_type(b.context(), self.key.bits());
        arith::constant(b, ty, key)
    }

    /// Inserts an element of the row whose key is at least `least` into the list of the k largest
    /// elements before it. Returns the list and the next `least`.
    fn insert(
        &self,
        b: &Builder<'c>,
        source: &Rows<'c>,
        element: Value<'c>,
        list: &Rows<'c>,
        least: Value<'c>,
    ) -> RewriteResult<(Rows<'c>, Value<'c>)> {
        let value = source.load_one(b, 0, element)?;
        let number = arith::cast(b, arith::index_cast, element, self.number);
        let (first, last) = (index::constant(b, 0), index::constant(b, self.k - 1));
        // No key exceeds the highest one, the key of NaNs. Another element with this key stays
        // after the first k.
        let highest = self.constant_key(b, !self.lowest());
        let is_highest = arith::cmpi(b, CmpIPredicate::Eq, least, highest);
        let end = arith::select(b, is_highest, index::constant(b, self.k), last);
        let free = arith::minsi(b, element, end);
        let before: &Before<'_, 'c> = &|b, left, right| self.before(b, left, right);
        let list = insert_sorted(b, list, (first, free), &[value, number], before)?;

        let key = self.key.signed(b, list.load_one(b, 0, last)?)?;
        let below_highest = self.constant_key(b, !self.lowest() - 1);
        let key = arith::minsi(b, key, below_highest);
        let next = arith::addi(b, key, self.constant_key(b, 1));
        let lowest = self.constant_key(b, self.lowest());
        let is_full = arith::cmpi(b, CmpIPredicate::Sge, element, last);
        Ok((list, arith::select(b, is_full, next, lowest)))
    }

    /// Scans the block from an element on if its largest key is high enough. The last block
    /// overlaps the one before it, so that all blocks have the same length.
    fn block(
        &self,
        b: &Builder<'c>,
        source: &Rows<'c>,
        start: Value<'c>,
        list: &Rows<'c>,
        least: Value<'c>,
    ) -> RewriteResult<(Rows<'c>, Vec<Value<'c>>)> {
        let mut first = start;
        if self.count % BLOCK != 0 {
            first = arith::minsi(b, start, index::constant(b, self.count - BLOCK));
        }
        let end = arith::addi(b, first, index::constant(b, BLOCK));
        let lowest = self.constant_key(b, self.lowest());
        let largest = scf::for_(b, (first, end, 1), &[lowest], |b, at, largest| {
            let element = source.load_one(b, 0, at)?;
            let key = self.key.signed(b, element)?;
            Ok::<_, RewriteError>(vec![arith::maxsi(b, largest[0], key)])
        })?
        .results();
        row_loops::mark_parallel(&largest);
        let reaches = arith::cmpi(b, CmpIPredicate::Sge, largest[0], least);
        let mut unchanged = list.carried();
        unchanged.push(least);
        let next = scf::if_else(
            b,
            reaches,
            |b| {
                let (list, least) = self.scan(b, source, (start, end), list, least)?;
                let mut next = list.carried();
                next.extend(least);
                Ok::<_, RewriteError>(next)
            },
            |_| Ok(unchanged.clone()),
        )?
        .results();
        let (list, least) = list.resume(&next);
        Ok((list, least.to_vec()))
    }

    /// Inserts each element whose key is at least `least` into the list, and updates `least`.
    fn scan(
        &self,
        b: &Builder<'c>,
        source: &Rows<'c>,
        bounds: (Value<'c>, Value<'c>),
        list: &Rows<'c>,
        least: Value<'c>,
    ) -> RewriteResult<(Rows<'c>, Vec<Value<'c>>)> {
        for_rows(b, bounds, list, &[least], |b, at, list, carried| {
            let element = source.load_one(b, 0, at)?;
            let key = self.key.signed(b, element)?;
            let reaches = arith::cmpi(b, CmpIPredicate::Sge, key, carried[0]);
            let mut unchanged = list.carried();
            unchanged.extend(carried);
            let next = scf::if_else(
                b,
                reaches,
                |b| {
                    let (list, least) = self.insert(b, source, at, list, carried[0])?;
                    let mut next = list.carried();
                    next.push(least);
                    Ok::<_, RewriteError>(next)
                },
                |_| Ok(unchanged.clone()),
            )?
            .results();
            let (list, least) = list.resume(&next);
            Ok((list, least.to_vec()))
        })
    }
}
