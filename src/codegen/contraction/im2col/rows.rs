//! Patches of an image whose channels are its last dimension: the rows of lhs.
//!
//! A range of k is packed in runs that are contiguous in the image, such as the channels at one
//! position of the window. One check per run decides whether it is padding: then a select replaces
//! the elements, which are read from the start of the image. Groups along k are adjacent in a run,
//! or begin in one run and end in the next ([`crate::contraction::pack`]). If a panel stores the
//! elements of one k contiguously, squares of rows are transposed in registers.

use super::patches::Patches;
use crate::contraction::pack::{Panel, for_each_vector, lanes_of_run, transpose::columns};
use halo_ir::prelude::*;

/// With shorter runs, a padded copy of the image is as fast; lines of the window are then runs.
pub(super) const LONG_RUN: i64 = 8;

/// Rows with at most this many short runs are packed without a loop: the positions in the window
/// are then constants, whose computation would otherwise dominate.
const FEW_RUNS: i64 = 9;

/// A row of a panel at a position of the window.
pub(super) struct Row<'c> {
    /// The start of the run in the flat view.
    start: Value<'c>,
    /// Whether the run is in bounds; `None` if it always is.
    is_inside: Option<Value<'c>>,
}

impl<'c> Patches<'c> {
    /// Packs a panel of rows over a range of k.
    pub(super) fn pack_rows(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        block_k: i64,
    ) {
        if let Some(lines) = self.lines(panel.width).filter(|_| panel.group.is_none()) {
            return self.pack_lines(builder, panel, lines, (lower, upper));
        }
        if !panel.has_rows {
            return self.pack_squares(builder, panel, (lower, upper), block_k);
        }
        let k_sizes = &self.sizes[self.k.clone()];
        // A block of k consists of whole runs, or a run of whole blocks.
        let length = self.run.length.min(block_k);
        let end = panel.end_in_operand(builder, upper);
        scf::for_range(builder, panel.width, 1, |builder, number| {
            let row = panel.lane_at(builder, number);
            let place = self.place_of_row(builder, panel, row);
            let pack = |builder: &Builder<'c>, k: Value<'c>| {
                let window = index::delinearize(builder, k, k_sizes);
                let row = self.row(builder, &place, &window);
                let first = panel.position(builder, k, lower);
                self.pack_run(builder, panel, &row, length, |builder, offset| {
                    let at = index::add(builder, first, offset);
                    [&panel.indices[..], &[number, at]].concat()
                })
            };
            let depth = panel.matmul.depth();
            let are_short = panel.has_numbers || length < LONG_RUN;
            if are_short && block_k >= depth && depth / length <= FEW_RUNS {
                for k in (0..depth).step_by(length as usize) {
                    pack(builder, index::constant(builder, k));
                }
            } else {
                scf::for_each(builder, (lower, end, length), pack);
            }
            panel.fill_last_group(builder, number, (lower, upper))
        })
    }

    /// Packs a panel whose rows hold the elements of one k.
    fn pack_squares(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        block_k: i64,
    ) {
        let k_sizes = &self.sizes[self.k.clone()];
        let length = self.run.length.min(block_k);
        let (elements, side) = (length / panel.unit(), panel.lanes);
        let at_once = panel.columns_at_once(side);
        scf::for_range(builder, panel.width, side, |builder, first| {
            let place = |number: i64| {
                let row = panel.lane_at(builder, index::add(builder, first, number));
                self.place_of_row(builder, panel, row)
            };
            let places = (0..side).map(place).collect::<Vec<_>>();
            scf::for_each(builder, (lower, upper, length), |builder, k| {
                let window = index::delinearize(builder, k, k_sizes);
                let rows = places.iter().map(|place| self.row(builder, place, &window));
                let rows = rows.collect::<Vec<_>>();
                let position = panel.position(builder, k, lower);
                for_each_vector(builder, elements, at_once, |builder, offset| {
                    let across = columns(builder, (side, at_once), |row| {
                        let row = &rows[row as usize];
                        self.load_elements(builder, panel, row, (offset, at_once))
                    });
                    let at = index::add(builder, position, offset);
                    for (number, across) in (0..).zip(across) {
                        let at = index::add(builder, at, number);
                        let indices = [&panel.indices[..], &[at, first]].concat();
                        vector::store(builder, across, panel.target, &indices);
                    }
                })
            })
        })
    }

    /// The row of a panel at given indices of the patches.
    pub(super) fn row(
        &self,
        builder: &Builder<'c>,
        place: &[Value<'c>],
        window: &[Value<'c>],
    ) -> Row<'c> {
        let address = self.address(builder, &[place, window].concat());
        let mut is_inside: Option<Value<'c>> = None;
        for (index, size) in address.bounded {
            let fits = index::compare(builder, CmpIPredicate::Ult, index, size);
            is_inside = Some(match is_inside {
                Some(others) => arith::andi(builder, others, fits),
                None => fits,
            });
        }
        let mut start = address.start;
        if let Some(is_inside) = is_inside {
            // The offset in the run is kept, so that the whole run can be read.
            let mut safe = index::constant(builder, 0);
            let mut weight = 1;
            for (dim, index) in self.k.clone().zip(window).rev() {
                if weight >= self.run.length {
                    break;
                }
                let offset = index::mul(builder, *index, weight);
                safe = index::add(builder, safe, offset);
                weight *= self.sizes[dim];
            }
            start = arith::select(builder, is_inside, start, safe);
        }
        Row { start, is_inside }
    }

    /// Packs one run of a row; `target` maps its elements to positions in the panel.
    pub(super) fn pack_run(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        row: &Row<'c>,
        length: i64,
        target: impl Fn(&Builder<'c>, Value<'c>) -> Vec<Value<'c>>,
    ) {
        let unit = panel.stored_unit();
        let elements = length / unit;
        let lanes = lanes_of_run(panel.lanes * panel.unit() / unit, elements);
        for_each_vector(builder, elements, lanes, |builder, offset| {
            let value = self.load_elements(builder, panel, row, (offset, lanes));
            let indices = target(builder, offset);
            vector::store(builder, value, panel.target, &indices);
        })
    }

    /// Loads elements of a run of a row from an offset, in the format of the panel.
    fn load_elements(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        row: &Row<'c>,
        (offset, lanes): (Value<'c>, i64),
    ) -> Value<'c> {
        let unit = panel.stored_unit();
        let numbers = vector_type(&[lanes * unit], self.flat.ty().element_type());
        let at = index::mul(builder, offset, unit);
        let at = index::add(builder, row.start, at);
        let value = vector::load(builder, self.flat, &[at], numbers);
        let value = self.padded(builder, panel, value, row.is_inside);
        match panel.group {
            Some(group) if !panel.has_numbers => group.of_vector(builder, value),
            _ => value,
        }
    }
}
