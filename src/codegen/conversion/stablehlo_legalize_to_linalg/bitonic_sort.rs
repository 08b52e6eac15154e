//! Sorting for devices of many threads by a sorting network, whose comparisons within a stage are
//! independent.
//!
//! Batcher's bitonic network, with all comparisons in one direction: two sorted
//! runs of `k` elements are merged by comparing element `i` with `2k - 1 - i`,
//! and then with the elements `k/2`, `k/4`, ... away. Elements after the end of
//! a row compare as larger than all others and never move, so a row may have
//! any length. (K. E. Batcher, Sorting networks and their applications, 1968.)
//!
//! A row is divided into tiles, each of which a block of threads sorts in scratch memory. To merge
//! longer runs, a pass over the row compares at two distances of at least a tile, with four elements
//! per thread, and the last pass compares at all smaller distances within each tile.
//!
//! ```mlir
//! %sorted = scf.for %tile = %c0 to %c512 step %c1 iter_args(%x = %empty) -> tensor<1x1048576xf32> {
//!   %scratch = memref.alloc() : memref<2048xf32>
//!   scf.for %i = ... { memref.store ..., %scratch[%i] } {halo.parallel}
//!   scf.for %log_run = %c0 to %c11 step %c1 {
//!     scf.for %step = ... {
//!       scf.for %pair = %c0 to %c1024 step %c1 { /* compares and swaps */ } {halo.parallel}
//!     }
//!   }
//!   %tiles = scf.for %i = ... iter_args(%y = %x) { tensor.insert ... into %y } {halo.parallel}
//!   scf.yield %tiles : tensor<1x1048576xf32>
//! } {halo.parallel}
//! ```
//!
//! Swaps make the result a permutation even if the comparator is not an order. For a stable sort,
//! the indices of equal elements are compared as well.

use super::{
    rows::{Rows, scratch},
    sort::Before,
};
use halo_ir::{
    ops::{halo, index::Index},
    prelude::*,
};

/// The maximal elements of a tile, and the bytes of its scratch memory.
const LONGEST_TILE: i64 = 4096;
const TILE_BYTES: i64 = 32 << 10;

/// A sort of the rows of tensors of two dimensions.
pub struct Sort<'a, 'b, 'c> {
    pub operands: &'a [Value<'c>],
    pub is_stable: bool,
    /// The operand whose elements are the positions in their rows.
    pub positions: Option<usize>,
    pub before: &'a Before<'b, 'c>,
}

impl<'c> Sort<'_, '_, 'c> {
    /// The sorted rows.
    pub fn sort(&self, b: &Builder<'c>) -> RewriteResult<Vec<Value<'c>>> {
        let first = *self.operands.first().ok_or_else(|| no_match("it has no operand"))?;
        let [rows, count] = first.ty().sizes()[..] else {
            return Err(no_match("its operands have no rows"));
        };
        let mut elements: Vec<Type> =
            self.operands.iter().map(|operand| operand.ty().element_type()).collect();
        let mut positions = self.positions.filter(|_| self.is_stable);
        if self.is_stable && positions.is_none() {
            positions = Some(elements.len());
            elements.push(integer_type(
                b.context(),
                if count <= 1 << 31 { 32 } else { 64 },
            ));
        }
        let bytes: i64 = elements.iter().map(|element| bytes_of(*element)).sum();
        let log_padded = i64::from((count as u64).next_power_of_two().ilog2());
        let longest = (TILE_BYTES / bytes.max(1)).clamp(2, LONGEST_TILE);
        let network = Network {
            sort: self,
            rows,
            count,
            log_padded,
            log_tile: i64::from(longest.ilog2()).min(log_padded),
            elements,
            positions,
        };
        let mut sorted = network.emit(b)?;
        sorted.truncate(self.operands.len());
        Ok(sorted)
    }
}

fn bytes_of(element: Type) -> i64 {
    let (part, parts) = match element.complex_element() {
        Some(part) => (part, 2),
        None => (element, 1),
    };
    parts * i64::from(part.bit_width().unwrap_or(64).div_ceil(8))
}

/// A loop of independent iterations, which carries tensors that they write.
pub fn parallel<'c>(
    b: &Builder<'c>,
    upper: impl Index<'c>,
    tensors: &[Value<'c>],
    body: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> RewriteResult<Vec<Value<'c>>>,
) -> RewriteResult<Vec<Value<'c>>> {
    let op = scf::for_(b, (0, upper, 1), tensors, body)?;
    op.operation().set_attribute(halo::PARALLEL, unit_attribute(b.context()));
    Ok(op.results())
}

/// [`parallel`] without tensors.
pub fn parallel_each<'c>(
    b: &Builder<'c>,
    upper: i64,
    body: impl FnOnce(&Builder<'c>, Value<'c>) -> RewriteResult<()>,
) -> RewriteResult<()> {
    parallel(b, upper, &[], |b, index, _| {
        body(b, index).map(|()| Vec::new())
    })
    .map(drop)
}

/// `2^exponent`
pub fn power<'c>(b: &Builder<'c>, exponent: Value<'c>) -> Value<'c> {
    arith::shli(b, index::constant(b, 1), exponent)
}

/// The number with `bits` zeros inserted at a position of its binary representation.
pub fn spread<'c>(b: &Builder<'c>, number: Value<'c>, position: Value<'c>, bits: i64) -> Value<'c> {
    let mask = index::sub(b, power(b, position), 1);
    let low = arith::andi(b, number, mask);
    let high = arith::shrui(b, number, position);
    let high = arith::shli(b, high, index::add(b, position, bits));
    arith::ori(b, high, low)
}

fn select_all<'c>(
    b: &Builder<'c>,
    condition: Value<'c>,
    one: &[Value<'c>],
    other: &[Value<'c>],
) -> Vec<Value<'c>> {
    let pairs = one.iter().zip(other);
    pairs.map(|(one, other)| arith::select(b, condition, *one, *other)).collect()
}

/// The division of a sort.
struct Network<'a, 'b, 'c> {
    sort: &'a Sort<'a, 'b, 'c>,
    rows: i64,
    count: i64,
    /// The logarithm of the padded length of a row, and of the length of a tile.
    log_padded: i64,
    log_tile: i64,
    /// The types of the operands, and of the positions if no operand has them.
    elements: Vec<Type<'c>>,
    /// The list of positions of a stable sort.
    positions: Option<usize>,
}

impl<'c> Network<'_, '_, 'c> {
    fn emit(&self, b: &Builder<'c>) -> RewriteResult<Vec<Value<'c>>> {
        let levels = self.log_padded - self.log_tile;
        // One tile needs its positions in scratch memory only.
        let lists = if levels == 0 {
            self.sort.operands.len()
        } else {
            self.elements.len()
        };
        let elements = self.elements.iter().take(lists);
        let empty: Vec<_> = elements
            .map(|element| structured::empty(b, tensor_type(&[self.rows, self.count], *element)))
            .collect();
        let mut lists = self.tiles(b, &empty, true)?;
        // Two merges have the same number of passes.
        for level in (0..levels).step_by(2) {
            let merges = (levels - level).min(2);
            lists = scf::for_(b, (0, merges, 1), &lists, |b, merge, lists| {
                let log_run = index::add(b, merge, self.log_tile + level);
                let passes = (0, level / 2 + 1, 1);
                let lists = scf::for_(b, passes, lists, |b, pass, lists| {
                    self.compare_fours(b, (log_run, pass), lists)
                })?
                .results();
                self.tiles(b, &lists, false)
            })?
            .results();
        }
        Ok(lists)
    }

    /// Sorts the operands' tiles, or merges the runs of each tile of the lists.
    fn tiles(
        &self,
        b: &Builder<'c>,
        lists: &[Value<'c>],
        is_first: bool,
    ) -> RewriteResult<Vec<Value<'c>>> {
        let length = 1 << self.log_tile;
        let tiles = (self.count + length - 1) / length;
        // Canonicalization would inline a loop of one iteration: the second tile has no elements.
        parallel(b, (self.rows * tiles).max(2), lists, |b, tile, lists| {
            let (row, tile) = match self.rows {
                1 => (index::constant(b, 0), tile),
                _ => (index::div(b, tile, tiles), index::rem(b, tile, tiles)),
            };
            let base = index::mul(b, tile, length);
            let buffers = self.elements.iter().map(|element| scratch(b, &[length], *element));
            let buffers = Rows::whole(&buffers.collect::<Vec<_>>());
            parallel_each(b, length, |b, number| {
                let column = index::add(b, base, number);
                let present = index::below(b, column, self.count);
                scf::if_(b, present, |b| {
                    let loaded = if is_first {
                        self.operands_at(b, row, column)?
                    } else {
                        Rows::of(lists, row).load(b, column)?
                    };
                    buffers.store(b, number, &loaded);
                    Ok::<_, RewriteError>(())
                })
                .map(drop)
            })?;
            let first_run = if is_first { 0 } else { self.log_tile - 1 };
            scf::for_each(b, (first_run, self.log_tile, 1), |b, log_run| {
                let steps = index::add(b, log_run, 1);
                scf::for_each(b, (0, steps, 1), |b, step| {
                    let log_distance = index::sub(b, log_run, step);
                    let mut mask = power(b, log_distance);
                    if is_first {
                        let is_merge = index::compare(b, CmpIPredicate::Eq, step, 0);
                        let double = index::sub(b, index::mul(b, mask, 2), 1);
                        mask = arith::select(b, is_merge, double, mask);
                    }
                    self.compare_in_tile(b, &buffers, (base, log_distance, mask))
                })
            })?;
            let rest = index::sub(b, index::constant(b, self.count), base);
            let rest = index::min(b, rest, length);
            let lists = Rows::of(lists, row);
            parallel(b, rest, &lists.carried(), |b, number, lists| {
                let column = index::add(b, base, number);
                let sorted = buffers.load(b, number)?;
                Ok(Rows::of(lists, row).store(b, column, &sorted).carried())
            })
        })
    }

    /// The elements of the operands and the position.
    fn operands_at(
        &self,
        b: &Builder<'c>,
        row: Value<'c>,
        column: Value<'c>,
    ) -> RewriteResult<Vec<Value<'c>>> {
        let mut loaded = Rows::of(self.sort.operands, row).load(b, column)?;
        if let Some(positions) = self.positions {
            let position = arith::cast(b, arith::index_cast, column, self.elements[positions]);
            loaded.resize(self.elements.len(), position);
            loaded[positions] = position;
        }
        Ok(loaded)
    }

    /// Compares the elements of a tile at a distance.
    fn compare_in_tile(
        &self,
        b: &Builder<'c>,
        buffers: &Rows<'c>,
        (base, log_distance, mask): (Value<'c>, Value<'c>, Value<'c>),
    ) -> RewriteResult<()> {
        parallel_each(b, 1 << (self.log_tile - 1), |b, pair| {
            let lower = spread(b, pair, log_distance, 1);
            let upper = arith::xori(b, lower, mask);
            let present = index::below(b, index::add(b, base, upper), self.count);
            scf::if_(b, present, |b| {
                let (low, high) = (buffers.load(b, lower)?, buffers.load(b, upper)?);
                let swaps = self.swaps(b, &low, &high)?;
                scf::when(b, swaps, |b| {
                    buffers.store(b, lower, &high);
                    buffers.store(b, upper, &low);
                });
                Ok::<_, RewriteError>(())
            })
            .map(drop)
        })
    }

    /// One pass of the merge of runs over all rows: compares four elements at two distances.
    fn compare_fours(
        &self,
        b: &Builder<'c>,
        (log_run, pass): (Value<'c>, Value<'c>),
        lists: &[Value<'c>],
    ) -> RewriteResult<Vec<Value<'c>>> {
        let fours = 1 << (self.log_padded - 2);
        parallel(b, self.rows * fours, lists, |b, number, lists| {
            let row = index::div(b, number, fours);
            let four = index::rem(b, number, fours);
            let log_far = index::sub(b, log_run, index::mul(b, pass, 2));
            let log_near = index::sub(b, log_far, 1);
            let (far, near) = (power(b, log_far), power(b, log_near));
            let is_merge = index::compare(b, CmpIPredicate::Eq, pass, 0);
            let double = index::sub(b, index::mul(b, far, 2), 1);
            let mask = arith::select(b, is_merge, double, far);
            let first = spread(b, four, log_near, 2);
            let second = arith::ori(b, first, near);
            let columns = [
                first,
                second,
                arith::xori(b, first, mask),
                arith::xori(b, second, mask),
            ];
            let is_present = |column: &Value<'c>| index::below(b, *column, self.count);
            let present = columns.each_ref().map(is_present);
            let changed = scf::if_else(
                b,
                present[0],
                |b| self.compare_four(b, (row, columns, present), is_merge, lists),
                |_| Ok(lists.to_vec()),
            )?;
            Ok(changed.results())
        })
    }

    /// Compares four elements of a row, of which the first one is present.
    fn compare_four(
        &self,
        b: &Builder<'c>,
        (row, columns, present): (Value<'c>, [Value<'c>; 4], [Value<'c>; 4]),
        is_merge: Value<'c>,
        lists: &[Value<'c>],
    ) -> RewriteResult<Vec<Value<'c>>> {
        // The first element stands for absent ones.
        let mut places = columns;
        for (place, present) in places.iter_mut().zip(present) {
            *place = arith::select(b, present, *place, columns[0]);
        }
        let lists = Rows::of(lists, row);
        let load = |number: usize| lists.load(b, places[number]);
        let (first, third) = self.compare(b, present[2], &load(0)?, &load(2)?)?;
        let (second, fourth) = self.compare(b, present[3], &load(1)?, &load(3)?)?;
        let (first, second) = self.compare(b, present[1], &first, &second)?;
        // The first pass of a merge reverses the order of the others.
        let low = select_all(b, is_merge, &fourth, &third);
        let high = select_all(b, is_merge, &third, &fourth);
        let both = arith::select(b, is_merge, present[2], present[3]);
        let (low, high) = self.compare(b, both, &low, &high)?;
        let third = select_all(b, is_merge, &high, &low);
        let fourth = select_all(b, is_merge, &low, &high);
        let mut lists = lists.store(b, places[3], &fourth);
        lists = lists.store(b, places[2], &third);
        lists = lists.store(b, places[1], &second);
        Ok(lists.store(b, places[0], &first).carried())
    }

    /// Two elements in order, if both are present.
    fn compare(
        &self,
        b: &Builder<'c>,
        present: Value<'c>,
        low: &[Value<'c>],
        high: &[Value<'c>],
    ) -> RewriteResult<(Vec<Value<'c>>, Vec<Value<'c>>)> {
        let swaps = arith::andi(b, present, self.swaps(b, low, high)?);
        Ok((
            select_all(b, swaps, high, low),
            select_all(b, swaps, low, high),
        ))
    }

    /// True if two elements must be swapped: the upper one orders before the lower one.
    fn swaps(
        &self,
        b: &Builder<'c>,
        low: &[Value<'c>],
        high: &[Value<'c>],
    ) -> RewriteResult<Value<'c>> {
        let count = self.sort.operands.len();
        let before = |one: &[Value<'c>], other: &[Value<'c>]| {
            (self.sort.before)(b, &one[..count], &other[..count])
        };
        let above = before(high, low)?;
        let Some(positions) = self.positions else {
            return Ok(above);
        };
        let below = before(low, high)?;
        let (own, other) = (high[positions], low[positions]);
        let earlier = arith::cmpi(b, CmpIPredicate::Ult, own, other);
        // The position breaks ties of the comparator.
        let no = arith::constant(b, below.ty(), 0);
        let tie = arith::select(b, below, no, earlier);
        Ok(arith::select(b, above, above, tie))
    }
}
