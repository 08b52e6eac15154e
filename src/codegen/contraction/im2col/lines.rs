//! Overlapping patches of rows of lhs that are adjacent in the image.
//!
//! A window of width three at eight adjacent positions reads ten pixels of a row of the image, not
//! twenty-four. A panel of such rows stores these pixels once for each row of the window (called a
//! line), contiguously. Element `k` of row `i` is `i * step + k` of the line, where `step` is the
//! distance of two positions: the rows of the panel are overlapping views of the line.
//!
//! ```text
//! places          0 1 2 3 4 5 6 7
//! pixels        0 1 2 3 4 5 6 7 8 9
//! row 0         k k k
//! row 1           k k k
//! row 7                       k k k
//! ```

use super::{Patches, rows::LEAST_RUN};
use crate::contraction::pack::Panel;
use halo_ir::prelude::*;

/// Longer lines would make blocks of k too long.
const LONGEST: i64 = 1024;

/// The pixels of the image that the rows of a panel share.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// The elements of a pixel: its channels.
    pixel: i64,
    /// The pixels of a row of the window.
    taps: i64,
    /// The pixels between the starts of two rows of the panel.
    step: i64,
    /// The total number of pixels.
    pixels: i64,
    /// Whether pixels are packed one by one, because some are out of bounds or because channels of
    /// other groups are between them.
    are_apart: bool,
    /// The dimension of the patches along which the rows are adjacent.
    place: usize,
    /// The dimension of k along a line of the window.
    tap: usize,
}

impl Lines {
    /// The elements of k in a line of the window.
    pub fn run(&self) -> i64 {
        self.taps * self.pixel
    }

    /// The elements of a panel's line.
    pub fn length(&self) -> i64 {
        self.pixels * self.pixel
    }

    /// The start of a row in a line.
    pub fn start(&self, row: i64) -> i64 {
        row * self.step * self.pixel
    }
}

impl<'c> Patches<'c> {
    /// The lines of a panel with `rows` rows, if each panel is within one row of the image and its
    /// rows overlap.
    pub fn lines(&self, rows: i64) -> Option<Lines> {
        if self.operand != crate::loops::contraction::LHS {
            return None;
        }
        let place = (0..self.k.start).rev().find(|dim| self.sizes[*dim] != 1)?;
        let position = (0..self.indices.len()).find(|at| self.indices[*at].mentions(place))?;
        // The channels, then the dimension along the window.
        let mut dims = self.k.clone().rev().filter(|dim| self.sizes[*dim] != 1);
        let mut pixel = 1;
        let tap = loop {
            let dim = dims.next()?;
            if self.indices[position].mentions(dim) {
                break dim;
            }
            if self.stride(dim)? != pixel || self.crosses_edge(dim) {
                return None;
            }
            pixel *= self.sizes[dim];
        };
        let (taps, distance) = (self.sizes[tap], self.stride(tap)?);
        let step = self.stride(place)?.checked_div(distance)?;
        let pixels = step * (rows - 1) + taps;
        let lines = Lines {
            pixel,
            taps,
            step,
            pixels,
            are_apart: self.is_padded(position) || distance != pixel,
            place,
            tap,
        };
        let contiguous = if lines.are_apart {
            pixel
        } else {
            lines.length()
        };
        (self.sizes[place] % rows == 0
            && distance >= pixel
            && self.stride(place)? == step * distance
            && (1..=taps).contains(&step)
            && pixels < rows * taps
            && contiguous >= LEAST_RUN
            && lines.run() <= LONGEST)
            .then_some(lines)
    }

    /// Packs the lines of a panel over a range of k.
    pub(super) fn pack_lines(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        lines: Lines,
        (lower, upper): (Value<'c>, Value<'c>),
    ) {
        let k_sizes = &self.sizes[self.k.clone()];
        let first = self.place_of_row(builder, panel, panel.first);
        let length = index::constant(builder, lines.run());
        scf::for_each(builder, (lower, upper, length), |builder, k| {
            let window = index::delinearize(builder, k, k_sizes);
            let offset = index::sub(builder, k, lower);
            let number = index::div(builder, offset, length);
            let (runs, run) = if lines.are_apart {
                (lines.pixels, lines.pixel)
            } else {
                (1, lines.length())
            };
            scf::for_range(builder, runs, 1, |builder, pixel| {
                // The pixels after the last row belong to it.
                let row = index::div(builder, pixel, lines.step);
                let row = index::min(builder, row, panel.width - 1);
                let start = index::mul(builder, row, lines.step);
                let (mut place, mut window) = (first.clone(), window.clone());
                place[lines.place] = index::add(builder, place[lines.place], row);
                window[lines.tap - self.k.start] = index::sub(builder, pixel, start);
                let row = self.row(builder, &place, &window);
                let start = index::mul(builder, pixel, run);
                self.pack_run(builder, panel, &row, run, |builder, offset| {
                    let at = index::add(builder, start, offset);
                    [&panel.indices[..], &[number, at]].concat()
                })
            })
        })
    }
}
