//! Copies of lhs and rhs in the order in which the micro-kernel reads them.
//!
//! A panel holds, for each k, the elements of one tile's rows (of lhs) or
//! columns (of rhs), converted to the type of the sums. The kernel then reads
//! both sequentially, whatever the layout of the operands. Rows of lhs that are
//! contiguous along k are copied as they are: the kernel broadcasts one element
//! after the other, and can as well read a few rows side by side. At the edge of an
//! operand the last row or column is repeated, or zeros are stored: the sums are not.
//! Tiles of AMX want rows of any lhs.
//!
//! Rows that are far apart cost time: panels side by side that are packed before the tasks take
//! some rows in turn, and while the products of a panel of lhs are computed, the next one is
//! prefetched.
//!
//! For dot products ([`super::dot_product`]), an element of a panel is a group of
//! neighbours along k, as they are in the operand. Of integers the last group may be a part
//! (`partial_groups.rs`).

use super::{
    dot_product::{self, Group},
    im2col::Patches,
    matmul::Matmul,
    micro_kernel::{constant_mask, store_vector, zero_vector},
    tiling::ceil_div,
    transpose::{columns, columns_at_once},
};
use crate::loops::prelude::*;
use halo_ir::{ops::halo::REMAINDER, prelude::*};

mod partial_groups;

/// Rows so many bytes apart are not prefetched by the processor.
const FAR_BYTES: i64 = 1024;
/// How many rows, or groups of rows, ahead lines are prefetched, into the second cache: rows that
/// are powers of two apart share few sets of the first.
const ROWS_AHEAD: i64 = 32;
const LINE_BYTES: i64 = 64;
/// Fewer tiles than these take too little time for a panel to be prefetched.
const LEAST_TILES: i64 = 4;
/// Rows of rhs, or groups of rows, of which neighbouring panels are packed in turn.
const ROWS_IN_TURN: i64 = 32;
/// The bytes of a row that neighbouring panels have together, at most.
const ROW_BYTES: i64 = 256;

/// One panel to be packed, or some side by side.
#[derive(Clone)]
pub struct Panel<'a, 'c> {
    pub matmul: &'a Matmul<'c>,
    /// The operand that is packed: lhs or rhs.
    pub operand: usize,
    /// The loop across the panel, `m` for lhs and `n` for rhs.
    pub across: Option<usize>,
    /// The number of elements across the panel, and across the whole operand.
    pub width: i64,
    pub limit: i64,
    /// The first of them.
    pub first: Value<'c>,
    /// The loop indices of the nest; those of the batch are read.
    pub ivs: &'a [Value<'c>],
    /// The packed memref: `[panel.., lane, k]` for rows, else `[panel.., k, lane]`.
    pub target: Value<'c>,
    pub indices: Vec<Value<'c>>,
    /// How many panels, from this one on, are packed together ([`neighbours`]); their places in
    /// the packed memref follow one another.
    pub neighbours: i64,
    /// Lanes of a vector register, and whether it is one of SVE.
    pub lanes: i64,
    pub sve: bool,
    /// The groups along k that are elements of the panel; single numbers if nothing.
    pub group: Option<Group>,
    /// What the lengths of all ranges of k are multiples of.
    pub divisor: i64,
    /// Whether the panel has rows of lhs, each along k.
    pub has_rows: bool,
    /// Whether these have the numbers of groups one after the other.
    pub has_numbers: bool,
}

impl<'c> Panel<'_, 'c> {
    /// Packs a range of k, of one block of this length or of several.
    pub fn pack(
        &self,
        builder: &Builder<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        block_k: i64,
    ) {
        match self.patches() {
            Some(patches) => patches.pack(builder, self, (lower, upper), block_k),
            None if self.has_numbers => {
                self.pack_number_rows(builder, (lower, upper), block_k);
            }
            None => self.pack_with_last_group(builder, (lower, upper)),
        }
        let Some(group) = self.group else {
            return;
        };
        self.for_each_neighbour(builder, 1, |builder, panel| {
            group.store_beside(builder, panel, (lower, upper), block_k)
        })
    }

    /// The patches of an image that the operand is.
    fn patches(&self) -> Option<&Patches<'c>> {
        let patches = self.matmul.patches.as_ref();
        patches.filter(|patches| patches.is_operand(self.operand))
    }

    /// Whether the panel has rows of lhs as the operand has them.
    fn has_rows_of_operand(&self) -> bool {
        self.has_rows && self.matmul.is_contiguous(self.operand, self.matmul.k)
    }

    /// Code for this panel and those that are packed together with it, so many at a time.
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

    /// Prefetches a part of the panel behind this one, if its rows are along k as those of the
    /// operand: that of the numbered one of so many tiles, whose products are computed meanwhile.
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
        let line = (LINE_BYTES * 8 / self.matmul.element_bits(self.operand)).max(1);
        let part = ceil_div(ceil_div(block_k, tiles), line) * line;
        let first = index::mul(builder, tile, part);
        let first = index::add(builder, lower, first);
        let end = index::add(builder, first, part);
        let end = arith::minsi(builder, end, upper);
        let next = index::constant(builder, self.width);
        let next = index::add(builder, self.first, next);
        scf::for_range(builder, self.width, 1, |builder, number| {
            let row = index::add(builder, next, number);
            let row = index::min(builder, row, self.limit - 1);
            scf::for_each(builder, (first, end, line), |builder, k| {
                let indices = access.indices_at(builder, &self.ivs_at(k, row));
                memref::prefetch(builder, view, &indices, false, 2, true);
            })
        })
    }

    /// The numbers along k that are an element of the panel: one, or those of a group.
    pub fn unit(&self) -> i64 {
        dot_product::unit(self.group)
    }

    /// The numbers of what is packed at an index along k.
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

    /// Code for a panel, and for one that is partly out of bounds.
    fn if_whole(
        &self,
        builder: &Builder<'c>,
        whole: impl FnOnce(&Builder<'c>),
        partial: impl FnOnce(&Builder<'c>),
    ) {
        if self.limit % self.width == 0 {
            return whole(builder);
        }
        let end = index::add(builder, self.first, self.width);
        let inside = index::compare(builder, CmpIPredicate::Slt, end, self.limit + 1);
        if_else(builder, inside, whole, partial)
    }

    /// The operand is contiguous across the panel, which has rows along k: squares are
    /// transposed in registers. The range is a multiple of them.
    fn transpose_rows(
        &self,
        builder: &Builder<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        square: i64,
    ) {
        // Groups are joined from numbers of several rows, which is less work on whole vectors.
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

    /// How many columns of a square of the operand are transposed together.
    pub fn columns_at_once(&self, square: i64) -> i64 {
        if self.sve {
            square
        } else {
            columns_at_once(square, self.target.ty().element_type())
        }
    }

    /// The operand is contiguous across the panel: vectors are copied. Panels that are packed
    /// together take some rows in turn, so that their neighbours find the pages, and those that
    /// have a line of the cache together take the same row.
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

    /// Whether vectors of a panel that is partly out of bounds are loaded with masks: processors
    /// have those for numbers of 32 and 64 bits, if they have any.
    fn is_loaded_with_masks(&self) -> bool {
        let bits = self.matmul.element_bits(self.operand);
        !self.has_rows && self.group.is_none() && matches!(bits, 32 | 64)
    }

    /// Copies the rows of the last panel, with zeros where they are out of bounds.
    fn copy_rest(&self, builder: &Builder<'c>, (lower, upper): (Value<'c>, Value<'c>), step: i64) {
        let (matmul, one) = (self.matmul, index::constant(builder, 1));
        scf::for_each(builder, (lower, upper, one), |builder, k| {
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

    /// How many of the panels that are packed together have a line of a row.
    fn neighbours_in_line(&self) -> i64 {
        let bytes = (self.width * self.matmul.element_bits(self.operand) / 8).max(1);
        match LINE_BYTES / bytes {
            panels if panels > 1 && self.neighbours % panels == 0 => panels,
            _ => 1,
        }
    }

    /// Copies the rows of a range of k of the panel, or of some side by side, which are packed
    /// from the first k on.
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
                    // LLVM takes long to find instructions that interleave the rows of groups.
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

    /// Whether the rows along k are so far apart that the processor does not look ahead.
    fn has_far_rows(&self) -> bool {
        has_far_rows(self.matmul, self.operand)
    }

    /// Prefetches the lines of the panel some rows behind k.
    fn prefetch(&self, builder: &Builder<'c>, k: Value<'c>) {
        let access = self.matmul.access(self.operand);
        let view = access.view(builder);
        let line = (LINE_BYTES * 8 / self.matmul.element_bits(self.operand)).max(1);
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

    /// Lhs is contiguous along k: each row is copied.
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

    /// Copies what each row of lhs has at a k, which is packed from the first on.
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

    /// The operand is contiguous along k: squares are transposed in registers.
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

    /// Any layout: one element after the other. Returns the loop over those at a k.
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
        if self.limit % self.width == 0 {
            return lane;
        }
        index::min(builder, lane, self.limit - 1)
    }

    fn ivs_at(&self, k: Value<'c>, lane: Value<'c>) -> Vec<Value<'c>> {
        let mut ivs = self.ivs.to_vec();
        ivs[self.matmul.k] = k;
        if let Some(across) = self.across {
            ivs[across] = lane;
        }
        ivs
    }

    /// The element of the panel at some k of the operand.
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

    /// Elements of the panel that are neighbours across it.
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

    /// What is loaded at some k, joined with what follows it in a group.
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

    /// Elements of the panel that are neighbours along k.
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

/// How many panels of rhs, of this many, are best packed together: rows that are far apart
/// cost a line and a page each, which panels of few bytes share with their neighbours. At least
/// `tasks` are left.
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

/// Code for each vector of so many elements of a run, and for what is left over a vector that
/// has some elements of the last one again.
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

/// The lanes of vectors of a run of so many elements: the most of a register that it has.
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
