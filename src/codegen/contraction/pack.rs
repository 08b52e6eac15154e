//! Packs lhs and rhs in the order in which the micro-kernel reads them.
//!
//! For each k, a panel stores the elements of one tile's rows (of lhs) or columns (of rhs), in the
//! accumulator type. The kernel then reads both sequentially, whatever the layout of the operands.
//! Rows of lhs that are contiguous along k are copied without transposition: the kernel broadcasts
//! single elements, and can read several rows in parallel. At the edge of an operand the last row
//! or column is repeated, or zeros are stored; these sums are not stored. Tiles of AMX use rows of
//! any lhs.
//!
//! Rows with a large stride are slow. So adjacent panels that are packed before the tasks take
//! turns after a few rows, and while the products of a panel of lhs are computed, the next panel is
//! prefetched.
//!
//! For dot products ([`super::isa`]), an element of a panel is a group of adjacent numbers
//! along k. The last group of integers may be partial (`partial_groups.rs`).

use super::{
    im2col::patches::Patches,
    isa::dot::{self, Group},
    matmul::{LINE_BYTES, Matmul},
    plan::even_division::ceil_div,
    vectors::{constant_mask, store_vector, zero_vector},
};
use crate::loops::prelude::*;
use halo_ir::{ops::halo::REMAINDER, prelude::*};
use transpose::{columns, columns_at_once};

pub mod constants;
pub mod exponents;
pub mod extra_rows;
pub mod groups;
mod partial_groups;
pub mod transpose;

/// Hardware prefetchers do not follow rows with this stride in bytes.
const FAR_BYTES: i64 = 1024;
/// The prefetch distance in rows, or groups of rows, into the L2 cache: rows with a power-of-two
/// stride share few sets of the L1 cache.
const ROWS_AHEAD: i64 = 32;
/// A panel is prefetched if it has at least this many tiles; fewer take too little time.
const LEAST_TILES: i64 = 4;
/// Adjacent panels take turns after this many rows of rhs, or groups of rows.
const ROWS_IN_TURN: i64 = 32;
/// The maximum bytes per row of adjacent panels that are packed together.
const ROW_BYTES: i64 = 256;

/// A panel of an operand, or several adjacent panels.
#[derive(Clone)]
pub struct Panel<'a, 'c> {
    pub matmul: &'a Matmul<'c>,
    /// The packed operand: lhs or rhs.
    pub operand: usize,
    /// The loop across the panel, `m` for lhs and `n` for rhs.
    pub across: Option<usize>,
    /// The number of elements across the panel, and across the whole operand.
    pub width: i64,
    pub limit: i64,
    /// The index of the first element across the panel.
    pub first: Value<'c>,
    /// The loop indices of the nest; only the batch indices are used.
    pub ivs: &'a [Value<'c>],
    /// The packed memref: `[panel.., lane, k]` for rows, else `[panel.., k, lane]`.
    pub target: Value<'c>,
    pub indices: Vec<Value<'c>>,
    /// The number of adjacent panels that are packed together ([`neighbours`]), from this one on;
    /// they are consecutive in the packed memref.
    pub neighbours: i64,
    /// Lanes of a vector register, and whether it is an SVE register.
    pub lanes: i64,
    pub sve: bool,
    /// The groups along k that are elements of the panel; `None` for single numbers.
    pub group: Option<Group>,
    /// A divisor of the lengths of all ranges of k.
    pub divisor: i64,
    /// Whether the panel has rows of lhs, each along k.
    pub has_rows: bool,
    /// Whether the rows store the numbers of groups contiguously.
    pub has_numbers: bool,
}

impl<'c> Panel<'_, 'c> {
    /// Packs a range of k: one block of length `block_k`, or several. Patches are packed by
    /// [`super::im2col`].
    pub fn pack(&self, builder: &Builder<'c>, range: (Value<'c>, Value<'c>), block_k: i64) {
        if self.has_numbers {
            self.pack_number_rows(builder, range, block_k);
        } else {
            self.pack_with_last_group(builder, range);
        }
    }

    /// The patches that the operand is, if any.
    pub fn patches(&self) -> Option<&Patches<'c>> {
        let patches = self.matmul.patches.as_ref();
        patches.filter(|patches| patches.is_operand(self.operand))
    }

    /// Whether the panel has rows of lhs in their original layout.
    fn has_rows_of_operand(&self) -> bool {
        self.has_rows && self.matmul.is_contiguous(self.operand, self.matmul.k)
    }

    /// Emits code for this panel and the panels packed with it, `count` at a time.
    fn for_each_neighbour(
        &self,
        builder: &Builder<'c>,
        count: i64,
        body: impl FnOnce(&Builder<'c>, &Self),
    ) {
        if self.neighbours == count {
            return body(builder, self);
        }
        scf::for_range(builder, self.neighbours, count, |builder, number| {
            let offset = index::mul(builder, number, self.width);
            let mut panel = Self {
                first: index::add(builder, self.first, offset),
                neighbours: count,
                ..self.clone()
            };
            panel.indices[0] = index::add(builder, self.indices[0], number);
            body(builder, &panel)
        })
    }

    /// Prefetches a part of the next panel while the products of a tile are computed, if both the
    /// operand and the panel have rows along k. Each of the `tiles` tiles prefetches its share.
    pub fn prefetch_next(
        &self,
        builder: &Builder<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        block_k: i64,
        (tile, tiles): (Value<'c>, i64),
    ) {
        let is_copied = self.patches().is_none() && self.has_rows_of_operand();
        if !is_copied || self.limit <= self.width || tiles < LEAST_TILES {
            return;
        }
        let access = self.matmul.access(self.operand);
        let view = access.view(builder);
        let line = self.matmul.stored_in_line(self.operand);
        let part = ceil_div(ceil_div(block_k, tiles), line) * line;
        let first = index::mul(builder, tile, part);
        let first = index::add(builder, lower, first);
        let end = index::add(builder, first, part);
        let end = arith::minsi(builder, end, upper);
        let next = index::constant(builder, self.width);
        let next = index::add(builder, self.first, next);
        scf::for_range(builder, self.width, 1, |builder, number| {
            let row = index::add(builder, next, number);
            let row = index::min(builder, row, self.last(builder));
            scf::for_each(builder, (first, end, line), |builder, k| {
                let indices = access.indices_at(builder, &self.ivs_at(k, row));
                memref::prefetch(builder, view, &indices, false, 2, true);
            })
        })
    }

    /// The numbers along k per element of the panel: one, or the size of the group.
    pub fn unit(&self) -> i64 {
        dot::unit(self.group)
    }

    /// The numbers per stored index along k.
    pub fn stored_unit(&self) -> i64 {
        if self.has_numbers { 1 } else { self.unit() }
    }

    fn pack_operand(&self, builder: &Builder<'c>, (lower, upper): (Value<'c>, Value<'c>)) {
        let range = (lower, upper);
        let is_contiguous = |dim: usize| self.matmul.is_contiguous(self.operand, dim);
        if self.has_rows_of_operand() {
            return self.pack_lanes(builder, range);
        }
        let step = self.width.min(self.lanes);
        if self.across.is_some_and(is_contiguous) && self.width % step == 0 {
            let rest = |builder: &Builder<'c>| {
                if self.is_loaded_with_masks() {
                    self.copy_rest(builder, range, step)
                } else {
                    self.pack_elements(builder, range)
                }
            };
            if self.limit < self.width {
                return rest(builder);
            }
            let whole = |builder: &Builder<'c>| {
                if self.has_rows {
                    self.transpose_rows(builder, range, step)
                } else {
                    self.copy_rows(builder, range, step)
                }
            };
            return self.if_whole(builder, whole, rest);
        }
        let square = self.lanes.min(self.width);
        if is_contiguous(self.matmul.k) && square.count_ones() == 1 && self.width % square == 0 {
            return self.pack_squares(builder, (lower, upper), square);
        }
        self.pack_elements(builder, (lower, upper))
    }

    /// Emits code for whole panels, and for a panel that is partly out of bounds.
    fn if_whole(
        &self,
        builder: &Builder<'c>,
        whole: impl FnOnce(&Builder<'c>),
        partial: impl FnOnce(&Builder<'c>),
    ) {
        if self.has_whole_panels() {
            return whole(builder);
        }
        let end = index::add(builder, self.first, self.width - 1);
        let inside = arith::cmpi(builder, CmpIPredicate::Sle, end, self.last(builder));
        if_else(builder, inside, whole, partial)
    }

    /// Packs an operand that is contiguous across the panel into rows along k: squares are
    /// transposed in registers. The range consists of whole squares.
    fn transpose_rows(
        &self,
        builder: &Builder<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        square: i64,
    ) {
        // Joining groups from numbers of several rows is cheaper on whole vectors.
        let at_once = match self.group {
            None => self.columns_at_once(square),
            Some(_) => square,
        };
        scf::for_each(
            builder,
            (lower, upper, square * self.unit()),
            |builder, k| {
                let position = self.position(builder, k, lower);
                scf::for_range(builder, self.width, at_once, |builder, start| {
                    let lane = index::add(builder, self.first, start);
                    let rows = columns(builder, (square, at_once), |number| {
                        let k = index::add(builder, k, number * self.unit());
                        self.load_across(builder, k, lane, at_once)
                    });
                    for (number, row) in (0..).zip(rows) {
                        let lane = index::add(builder, start, number);
                        let indices = [&self.indices[..], &[lane, position]].concat();
                        store_vector(builder, row, self.target, &indices, None);
                    }
                })
            },
        )
    }

    /// The number of columns of a square that are transposed together.
    pub fn columns_at_once(&self, square: i64) -> i64 {
        if self.sve {
            square
        } else {
            columns_at_once(square, self.target.ty().element_type())
        }
    }

    /// Packs an operand that is contiguous across the panel by vector copies. Panels that are
    /// packed together take turns after a few rows, which reuses TLB entries; panels that share a
    /// cache line copy the same row.
    fn copy_rows(&self, builder: &Builder<'c>, (lower, upper): (Value<'c>, Value<'c>), step: i64) {
        let in_line = self.neighbours_in_line();
        if self.neighbours == in_line {
            return self.copy_some_rows(builder, (lower, upper), lower, step);
        }
        let turn = index::constant(builder, ROWS_IN_TURN * self.unit());
        scf::for_each(builder, (lower, upper, turn), |builder, k| {
            let end = index::add(builder, k, turn);
            let end = arith::minsi(builder, end, upper);
            self.for_each_neighbour(builder, in_line, |builder, panel| {
                panel.copy_some_rows(builder, (k, end), lower, step)
            });
        })
    }

    /// Whether vectors of a partly out-of-bounds panel use masked loads, which processors support
    /// for 32-bit and 64-bit numbers, if at all.
    fn is_loaded_with_masks(&self) -> bool {
        let bits = self.matmul.element_bits(self.operand);
        !self.has_rows && self.group.is_none() && matches!(bits, 32 | 64) && !self.is_dynamic()
    }

    /// Copies the rows of the last panel, with zeros out of bounds.
    fn copy_rest(&self, builder: &Builder<'c>, (lower, upper): (Value<'c>, Value<'c>), step: i64) {
        let matmul = self.matmul;
        scf::for_each(builder, (lower, upper, 1), |builder, k| {
            for start in (0..self.width).step_by(step as usize) {
                let inside = (self.limit % self.width - start).clamp(0, step);
                let offset = index::constant(builder, start);
                let ivs = self.ivs_at(k, index::add(builder, self.first, offset));
                let vector = match inside {
                    0 => zero_vector(builder, self.target.ty().element_type(), step),
                    _ => {
                        let mask = (inside < step).then(|| constant_mask(builder, inside, step));
                        matmul.load_vector(builder, self.operand, &ivs, step, mask)
                    }
                };
                self.store(builder, (k, lower), offset, vector);
            }
        })
    }

    /// The number of panels packed together that share a cache line of a row.
    fn neighbours_in_line(&self) -> i64 {
        let bytes = (self.width * self.matmul.element_bits(self.operand) / 8).max(1);
        match LINE_BYTES / bytes {
            panels if panels > 1 && self.neighbours % panels == 0 => panels,
            _ => 1,
        }
    }

    /// Copies the rows of a range of k of one or several adjacent panels, whose packed ranges start
    /// at `first_k`.
    fn copy_some_rows(
        &self,
        builder: &Builder<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        first_k: Value<'c>,
        step: i64,
    ) {
        let is_far = self.has_far_rows();
        scf::for_each(builder, (lower, upper, self.unit()), |builder, k| {
            if is_far {
                self.prefetch(builder, k);
            }
            for number in 0..self.neighbours {
                let mut panel = self.clone();
                panel.indices[0] = index::add(builder, self.indices[0], number);
                let first = number * self.width;
                let copy = |builder: &Builder<'c>, offset: Value<'c>, column: Value<'c>| {
                    let lane = index::add(builder, self.first, offset);
                    let value = self.load_across(builder, k, lane, step);
                    panel.store(builder, (k, first_k), column, value)
                };
                if self.group.is_some() {
                    // LLVM is slow to select instructions that interleave the rows of groups.
                    scf::for_range(builder, self.width, step, |builder, column| {
                        copy(builder, index::add(builder, first, column), column)
                    });
                    continue;
                }
                for column in (0..self.width).step_by(step as usize) {
                    let offset = index::constant(builder, first + column);
                    copy(builder, offset, index::constant(builder, column));
                }
            }
        })
    }

    /// Whether the stride of rows along k defeats the hardware prefetcher.
    fn has_far_rows(&self) -> bool {
        has_far_rows(self.matmul, self.operand)
    }

    /// Prefetches cache lines of the panel [`ROWS_AHEAD`] rows after k.
    fn prefetch(&self, builder: &Builder<'c>, k: Value<'c>) {
        let access = self.matmul.access(self.operand);
        let view = access.view(builder);
        let line = self.matmul.stored_in_line(self.operand);
        let width = self.neighbours * self.width;
        for number in 0..self.unit() {
            let row = index::add(builder, k, ROWS_AHEAD * self.unit() + number);
            let row = index::min(builder, row, self.matmul.depth() - 1);
            for start in (0..width).step_by(line as usize) {
                let lane = index::add(builder, self.first, start);
                let indices = access.indices_at(builder, &self.ivs_at(row, lane));
                memref::prefetch(builder, view, &indices, false, 2, true);
            }
        }
    }

    /// Packs lhs that is contiguous along k: each row is copied.
    fn pack_lanes(&self, builder: &Builder<'c>, (lower, upper): (Value<'c>, Value<'c>)) {
        let step = index::constant(builder, self.lanes * self.unit());
        let whole = index::end_of_whole_steps(builder, (lower, upper), step);
        scf::for_each(builder, (lower, whole, step), |builder, k| {
            self.pack_each_lane(builder, (k, lower), |builder, row, indices| {
                let value = self.load_along(builder, k, row, self.lanes);
                store_vector(builder, value, self.target, indices, None)
            })
        });
        if self.divisor % (self.lanes * self.unit()) == 0 {
            return;
        }
        scf::for_each(builder, (whole, upper, self.unit()), |builder, k| {
            self.pack_each_lane(builder, (k, lower), |builder, row, indices| {
                let value = self.load_element(builder, k, row);
                memref::store(builder, value, self.target, indices);
            })
        })
    }

    /// Copies the elements of each row of lhs at k; the packed range starts at `first_k`.
    fn pack_each_lane(
        &self,
        builder: &Builder<'c>,
        (k, first_k): (Value<'c>, Value<'c>),
        copy: impl Fn(&Builder<'c>, Value<'c>, &[Value<'c>]),
    ) {
        let offset = self.position(builder, k, first_k);
        scf::for_range(builder, self.width, 1, |builder, number| {
            let row = self.lane_at(builder, number);
            let indices = [&self.indices[..], &[number, offset]].concat();
            copy(builder, row, &indices)
        })
    }

    /// Packs an operand that is contiguous along k: squares are transposed in registers.
    fn pack_squares(
        &self,
        builder: &Builder<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        square: i64,
    ) {
        let at_once = self.columns_at_once(square);
        let step = index::constant(builder, at_once * self.unit());
        let whole = index::end_of_whole_steps(builder, (lower, upper), step);
        scf::for_range(builder, self.width, square, |builder, start| {
            scf::for_each(builder, (lower, whole, step), |builder, k| {
                let across = columns(builder, (square, at_once), |number| {
                    let number = index::constant(builder, number);
                    let number = index::add(builder, start, number);
                    let lane = self.lane_at(builder, number);
                    self.load_along(builder, k, lane, at_once)
                });
                for (number, vector) in (0..).zip(across) {
                    let k = index::add(builder, k, number * self.unit());
                    self.store(builder, (k, lower), start, vector);
                }
            })
        });
        if self.divisor % (at_once * self.unit()) == 0 {
            return;
        }
        let elements = self.pack_elements_from(builder, (whole, upper), lower);
        if !self.sve {
            let marker = unit_attribute(builder.context());
            elements.set_attribute(REMAINDER, marker);
        }
    }

    fn pack_elements(&self, builder: &Builder<'c>, (lower, upper): (Value<'c>, Value<'c>)) {
        self.pack_elements_from(builder, (lower, upper), lower);
    }

    /// Packs an operand of any layout element by element. Returns the inner loop.
    fn pack_elements_from(
        &self,
        builder: &Builder<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        first_k: Value<'c>,
    ) -> scf::ForOp<'c> {
        let number = |value: i64| index::constant(builder, value);
        let across = (number(0), number(self.width), number(1));
        let mut elements = None;
        let range = (lower, upper, number(self.unit()));
        scf::for_each(builder, range, |builder, k| {
            let inner = scf::for_(builder, across, &[], |builder, number, _| {
                let lane = self.lane_at(builder, number);
                let value = self.load_element(builder, k, lane);
                let position = self.position(builder, k, first_k);
                let inner = if self.has_rows {
                    [number, position]
                } else {
                    [position, number]
                };
                let indices = [&self.indices[..], &inner].concat();
                memref::store(builder, value, self.target, &indices);
                Vec::new()
            });
            elements = Some(inner);
        });
        elements.unwrap_or_else(|| bug("a loop has no body"))
    }

    /// The index of an element across the operand, clamped to its size.
    pub fn lane_at(&self, builder: &Builder<'c>, number: Value<'c>) -> Value<'c> {
        let lane = index::add(builder, self.first, number);
        if self.has_whole_panels() {
            return lane;
        }
        index::min(builder, lane, self.last(builder))
    }

    /// Whether the size across the panel is known only at run time.
    fn is_dynamic(&self) -> bool {
        self.operand == LHS && self.matmul.has_dynamic_rows()
    }

    /// Whether no panel is partly out of bounds.
    fn has_whole_panels(&self) -> bool {
        !self.is_dynamic() && self.limit % self.width == 0
    }

    /// The last index across the operand.
    fn last(&self, builder: &Builder<'c>) -> Value<'c> {
        if self.is_dynamic() {
            index::sub(builder, self.matmul.row_count(builder), 1)
        } else {
            index::constant(builder, self.limit - 1)
        }
    }

    fn ivs_at(&self, k: Value<'c>, lane: Value<'c>) -> Vec<Value<'c>> {
        let mut ivs = self.ivs.to_vec();
        ivs[self.matmul.k] = k;
        if let Some(across) = self.across {
            ivs[across] = lane;
        }
        ivs
    }

    /// The element of the panel at a k of the operand.
    fn load_element(&self, builder: &Builder<'c>, k: Value<'c>, lane: Value<'c>) -> Value<'c> {
        let load = |k| {
            let ivs = self.ivs_at(k, lane);
            let Some(group) = self.group else {
                return self.matmul.load(builder, self.operand, &ivs);
            };
            let stored = self.matmul.load_stored(builder, self.operand, &ivs);
            group.numbers(builder, self.matmul, self.operand, stored)
        };
        self.of_unit(builder, k, load)
    }

    /// Loads adjacent elements across the panel.
    fn load_across(
        &self,
        builder: &Builder<'c>,
        k: Value<'c>,
        lane: Value<'c>,
        lanes: i64,
    ) -> Value<'c> {
        let load = |k| {
            let (ivs, matmul) = (self.ivs_at(k, lane), self.matmul);
            let Some(group) = self.group else {
                return matmul.load_vector(builder, self.operand, &ivs, lanes, None);
            };
            let stored = matmul.load_stored_vector(builder, self.operand, &ivs, lanes, None);
            group.numbers(builder, matmul, self.operand, stored)
        };
        self.of_unit(builder, k, load)
    }

    /// Joins the values loaded for each number of the group at k.
    fn of_unit(
        &self,
        builder: &Builder<'c>,
        k: Value<'c>,
        load: impl Fn(Value<'c>) -> Value<'c>,
    ) -> Value<'c> {
        let Some(group) = self.group else {
            return load(k);
        };
        let number = |place: i64| load(index::add(builder, k, place));
        let numbers = (0..group.size()).map(number);
        group.join(builder, &numbers.collect::<Vec<_>>())
    }

    /// Loads adjacent elements along k.
    fn load_along(
        &self,
        builder: &Builder<'c>,
        k: Value<'c>,
        lane: Value<'c>,
        lanes: i64,
    ) -> Value<'c> {
        let (ivs, matmul) = (self.ivs_at(k, lane), self.matmul);
        let Some(group) = self.group else {
            return matmul.load_vector(builder, self.operand, &ivs, lanes, None);
        };
        let lanes = lanes * group.size();
        let stored = matmul.load_stored_vector(builder, self.operand, &ivs, lanes, None);
        let numbers = group.numbers(builder, matmul, self.operand, stored);
        group.of_vector(builder, numbers)
    }

    /// The index of an element along k in the packed memref.
    pub fn position(&self, builder: &Builder<'c>, k: Value<'c>, first_k: Value<'c>) -> Value<'c> {
        let offset = index::sub(builder, k, first_k);
        index::div(builder, offset, self.stored_unit())
    }

    fn store(
        &self,
        builder: &Builder<'c>,
        (k, first_k): (Value<'c>, Value<'c>),
        lane: Value<'c>,
        value: Value<'c>,
    ) {
        debug_assert!(value.ty().shape().is_some());
        let mut indices = self.indices.clone();
        indices.push(self.position(builder, k, first_k));
        indices.push(lane);
        store_vector(builder, value, self.target, &indices, None)
    }
}

fn has_far_rows(matmul: &Matmul, operand: usize) -> bool {
    let stride = matmul.access(operand).stride(matmul.k);
    stride.saturating_mul(matmul.element_bits(operand) / 8) >= FAR_BYTES
}

/// The number of panels of rhs to pack together. Rows with a large stride cost a cache line and a
/// TLB entry each, which narrow adjacent panels share. At least `tasks` groups of panels remain.
pub fn neighbours(matmul: &Matmul, width: i64, panels: i64, tasks: i64) -> i64 {
    let is_whole = matmul.columns() % width == 0 && matmul.patches.is_none();
    if !is_whole || !matmul.is_contiguous(RHS, matmul.n) || !has_far_rows(matmul, RHS) {
        return 1;
    }
    let bytes = (width * matmul.element_bits(RHS) / 8).max(1);
    let fits =
        |count: &i64| panels % count == 0 && panels / count >= tasks && count * bytes <= ROW_BYTES;
    [8, 4, 2].into_iter().find(fits).unwrap_or(1)
}

/// Emits code for each vector of a run. The last vector overlaps the one before it.
pub fn for_each_vector<'c>(
    builder: &Builder<'c>,
    elements: i64,
    lanes: i64,
    body: impl Fn(&Builder<'c>, Value<'c>),
) {
    let whole = elements - elements % lanes;
    let parts = [(0, whole), (elements - lanes, elements)];
    for (lower, upper) in parts.into_iter().take(1 + usize::from(whole < elements)) {
        let bounds = (lower, upper, lanes);
        scf::for_each(builder, bounds, &body);
    }
}

/// The widest vector for a run: the lanes of a register, or fewer for a short run.
pub fn lanes_of_run(register: i64, elements: i64) -> i64 {
    let mut lanes = register;
    while lanes > elements {
        lanes /= 2;
    }
    lanes
}

/// `scf.if` without results.
pub fn if_else<'c>(
    builder: &Builder<'c>,
    condition: Value<'c>,
    then: impl FnOnce(&Builder<'c>),
    otherwise: impl FnOnce(&Builder<'c>),
) {
    scf::if_else(
        builder,
        condition,
        |builder| {
            then(builder);
            Vec::new()
        },
        |builder| {
            otherwise(builder);
            Vec::new()
        },
    );
}
