//! The largest elements of rows, for devices of many threads.
//!
//! A block of threads loads tiles of a row to scratch memory. A bitonic network sorts runs of at
//! least `k` elements; then the larger half of each two runs is kept and sorted, until one run is
//! left, which is merged with the run of the tiles before. If there are few rows, blocks share a row,
//! and another kernel finds the largest of their results.
//!
//! Scratch memory has keys and positions: the position, which is greater than all others for absent
//! elements, breaks ties.

use super::{
    bitonic_sort::{parallel, parallel_each, power, spread},
    rows::{Rows, scratch},
    top_k::TopK,
};
use halo_ir::prelude::*;

/// The maximal elements of a tile.
const LONGEST_TILE: i64 = 2048;
/// Canonicalization would inline loops over the pairs of shorter runs.
const LOG_SHORTEST_RUN: i64 = 2;
/// The blocks that occupy a device.
const ENOUGH_BLOCKS: i64 = 256;

/// The longest list that is found by a network.
pub const LONGEST_LIST: i64 = LONGEST_TILE / 2;

/// One kernel, for `count` candidates in each row.
struct Pass<'a, 'c> {
    top_k: &'a TopK<'c>,
    rows: i64,
    /// The positions of the candidates, if they are not all elements.
    candidates: Option<Value<'c>>,
    count: i64,
    /// The type of positions.
    position: Type<'c>,
    /// The logarithms of the lengths of runs and tiles.
    log_run: i64,
    log_tile: i64,
    /// Blocks per row, and tiles per block.
    segments: i64,
    tiles: i64,
}

/// The values and positions of the largest elements.
pub fn largest<'c>(b: &Builder<'c>, top_k: &TopK<'c>, rows: i64) -> RewriteResult<Vec<Value<'c>>> {
    let bits = if top_k.count < 1 << 31 { 32 } else { 64 };
    let position = integer_type(b.context(), bits);
    let (mut candidates, mut count) = (None, top_k.count);
    loop {
        let padded = (count as u64).next_power_of_two();
        let log_list = i64::from((top_k.k as u64).next_power_of_two().ilog2());
        let log_run = log_list.max(LOG_SHORTEST_RUN);
        let log_tile = i64::from(padded.ilog2()).min(i64::from(LONGEST_TILE.ilog2()));
        let tiles = (count + (1 << log_tile) - 1) >> log_tile;
        let segments = (ENOUGH_BLOCKS / rows).clamp(1, tiles);
        let pass = Pass {
            top_k,
            rows,
            candidates,
            count,
            position,
            log_run,
            log_tile: log_tile.max(log_run),
            segments,
            tiles: (tiles + segments - 1) / segments,
        };
        let found = pass.emit(b)?;
        if segments == 1 {
            return Ok(found);
        }
        candidates = found.first().copied();
        count = segments * top_k.k;
    }
}

impl<'c> Pass<'_, 'c> {
    /// The values and positions of the results, or only the positions if several blocks share a row.
    fn emit(&self, b: &Builder<'c>) -> RewriteResult<Vec<Value<'c>>> {
        let k = self.top_k.k;
        let outputs = if self.segments == 1 {
            self.top_k.types(self.rows, k).to_vec()
        } else {
            vec![tensor_type(&[self.rows, self.segments * k], self.position)]
        };
        let outputs: Vec<_> = outputs.into_iter().map(|ty| structured::empty(b, ty)).collect();
        let key = integer_type(b.context(), self.top_k.key.bits());
        let (tile, run) = (1 << self.log_tile, 1 << self.log_run);
        let blocks = self.rows * self.segments;
        // Canonicalization would inline a loop of one iteration: the second block has no results.
        parallel(b, blocks.max(2), &outputs, |b, block, outputs| {
            let has_results = index::below(b, block, blocks);
            let (none, all) = (index::constant(b, 0), index::constant(b, k));
            let results = arith::select(b, has_results, all, none);
            let block = arith::minui(b, block, index::constant(b, blocks - 1));
            let row = index::div(b, block, self.segments);
            let segment = index::rem(b, block, self.segments);
            let lists = [key, self.position].map(|ty| scratch(b, &[tile + run], ty));
            let lists = Rows::whole(&lists);
            // The best run follows the tile.
            parallel_each(b, run, |b, number| {
                lists.store(b, index::add(b, number, tile), &self.absent(b));
                Ok(())
            })?;
            scf::for_each(b, (0, self.tiles, 1), |b, number| {
                let number = index::add(b, index::mul(b, segment, self.tiles), number);
                self.load(b, &lists, row, index::mul(b, number, tile))?;
                self.reduce(b, &lists)
            })?;
            parallel(b, results, outputs, |b, number, outputs| {
                let best = lists.load_one(b, 1, index::add(b, number, tile))?;
                let offset = index::mul(b, segment, k);
                let at = index::add(b, offset, number);
                let results = Rows::of(outputs, row);
                if self.segments > 1 {
                    return Ok(results.store(b, at, &[best]).carried());
                }
                let column = arith::cast(b, arith::index_castui, best, Type::index(b.context()));
                let value = self.element(b, row, column)?;
                let number = arith::cast(b, arith::index_cast, column, self.top_k.number);
                Ok(results.store(b, at, &[value, number]).carried())
            })
        })
    }

    fn element(
        &self,
        b: &Builder<'c>,
        row: Value<'c>,
        column: Value<'c>,
    ) -> RewriteResult<Value<'c>> {
        Rows::of(&[self.top_k.operand], row).load_one(b, 0, column)
    }

    /// The key and the position of an absent element.
    fn absent(&self, b: &Builder<'c>) -> Vec<Value<'c>> {
        let lowest = self.top_k.constant_key(b, self.top_k.lowest());
        vec![lowest, arith::constant(b, self.position, -1)]
    }

    /// Loads the candidates of a row from `base` on to the tile.
    fn load(
        &self,
        b: &Builder<'c>,
        lists: &Rows<'c>,
        row: Value<'c>,
        base: Value<'c>,
    ) -> RewriteResult<()> {
        parallel_each(b, 1 << self.log_tile, |b, number| {
            let at = index::add(b, base, number);
            let is_candidate = index::below(b, at, self.count);
            let position = scf::if_else(
                b,
                is_candidate,
                |b| {
                    let position = match self.candidates {
                        Some(candidates) => Rows::of(&[candidates], row).load_one(b, 0, at)?,
                        None => arith::cast(b, arith::index_cast, at, self.position),
                    };
                    Ok::<_, RewriteError>(vec![position])
                },
                |b| Ok(self.absent(b).split_off(1)),
            )?
            .results();
            let column = arith::cast(
                b,
                arith::index_castui,
                position[0],
                Type::index(b.context()),
            );
            let is_present = index::below(b, column, self.top_k.count);
            let key = scf::if_else(
                b,
                is_present,
                |b| {
                    let element = self.element(b, row, column)?;
                    Ok::<_, RewriteError>(vec![self.top_k.key.signed(b, element)?])
                },
                |b| Ok(self.absent(b).drain(..1).collect()),
            )?
            .results();
            lists.store(b, number, &[key[0], position[0]]);
            Ok(())
        })
    }

    /// Merges the largest elements of the tile with the best run.
    fn reduce(&self, b: &Builder<'c>, lists: &Rows<'c>) -> RewriteResult<()> {
        let (tile, run) = (1 << self.log_tile, 1 << self.log_run);
        scf::for_each(b, (0, self.log_run, 1), |b, log_sorted| {
            let steps = index::add(b, log_sorted, 1);
            scf::for_each(b, (0, steps, 1), |b, step| {
                let log_distance = index::sub(b, log_sorted, step);
                let distance = power(b, log_distance);
                let is_merge = index::compare(b, CmpIPredicate::Eq, step, 0);
                let double = index::sub(b, index::mul(b, distance, 2), 1);
                let mask = arith::select(b, is_merge, double, distance);
                parallel_each(b, tile / 2, |b, pair| {
                    let first = spread(b, pair, log_distance, 1);
                    self.order(b, lists, first, arith::xori(b, first, mask))
                })
            })
        })?;
        scf::for_each(b, (0, self.log_tile - self.log_run, 1), |b, level| {
            let stride = arith::shli(b, index::constant(b, run), level);
            let step = index::mul(b, stride, 2);
            let kept = arith::shrui(b, index::constant(b, tile / 2), level);
            let kept_of = |b: &Builder<'c>, number: Value<'c>| {
                let base = arith::muli(b, index::div(b, number, run), step);
                let rest = index::rem(b, number, run);
                let first = arith::addi(b, base, rest);
                let reverse = index::sub(b, index::constant(b, run - 1), rest);
                let second = arith::addi(b, arith::addi(b, base, stride), reverse);
                (first, second)
            };
            parallel(b, kept, &[], |b, number, _| {
                let (first, second) = kept_of(b, number);
                self.order(b, lists, first, second).map(|()| Vec::new())
            })?;
            let pairs = arith::shrui(b, kept, index::constant(b, 1));
            self.merge(b, lists, pairs, |b, number| {
                arith::muli(b, index::div(b, number, run / 2), step)
            })
        })?;
        let best = index::constant(b, tile);
        parallel_each(b, run, |b, number| {
            let first = arith::addi(b, best, number);
            let second = index::sub(b, index::constant(b, run - 1), number);
            self.order(b, lists, first, second)
        })?;
        let pairs = index::constant(b, run / 2);
        self.merge(b, lists, pairs, |_, _| best)
    }

    /// Sorts bitonic runs, the starts of which are a function of the number of a pair of elements.
    fn merge(
        &self,
        b: &Builder<'c>,
        lists: &Rows<'c>,
        pairs: Value<'c>,
        start: impl Fn(&Builder<'c>, Value<'c>) -> Value<'c>,
    ) -> RewriteResult<()> {
        let half = 1 << (self.log_run - 1);
        scf::for_each(b, (0, self.log_run, 1), |b, step| {
            let last = index::constant(b, self.log_run - 1);
            let log_distance = arith::subi(b, last, step);
            parallel(b, pairs, &[], |b, number, _| {
                let pair = index::rem(b, number, half);
                let within = spread(b, pair, log_distance, 1);
                let first = arith::addi(b, start(b, number), within);
                let second = arith::addi(b, first, power(b, log_distance));
                self.order(b, lists, first, second).map(|()| Vec::new())
            })
            .map(drop)
        })
    }

    /// Swaps two elements if the second one is larger.
    fn order(
        &self,
        b: &Builder<'c>,
        lists: &Rows<'c>,
        first: Value<'c>,
        second: Value<'c>,
    ) -> RewriteResult<()> {
        let (one, other) = (lists.load(b, first)?, lists.load(b, second)?);
        let greater = arith::cmpi(b, CmpIPredicate::Sgt, other[0], one[0]);
        let equal = arith::cmpi(b, CmpIPredicate::Eq, other[0], one[0]);
        let earlier = arith::cmpi(b, CmpIPredicate::Ult, other[1], one[1]);
        let swaps = arith::ori(b, greater, arith::andi(b, equal, earlier));
        scf::when(b, swaps, |b| {
            lists.store(b, first, &other);
            lists.store(b, second, &one);
        });
        Ok(())
    }
}
