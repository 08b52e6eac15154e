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

use super::patches::Patches;
use crate::contraction::{pack::Panel, shape::Lines};
use halo_ir::prelude::*;

impl<'c> Patches<'c> {
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
        let shape = lines.window;
        let length = index::constant(builder, lines.run());
        scf::for_each(builder, (lower, upper, length), |builder, k| {
            let window = index::delinearize(builder, k, k_sizes);
            let offset = index::sub(builder, k, lower);
            let number = index::div(builder, offset, length);
            let (runs, run) = if shape.are_apart {
                (lines.pixels, shape.pixel)
            } else {
                (1, lines.length())
            };
            scf::for_range(builder, runs, 1, |builder, pixel| {
                // The pixels after the last row belong to it.
                let row = index::div(builder, pixel, shape.step);
                let row = index::min(builder, row, panel.width - 1);
                let start = index::mul(builder, row, shape.step);
                let (mut place, mut window) = (first.clone(), window.clone());
                place[shape.place] = index::add(builder, place[shape.place], row);
                window[shape.tap - self.k.start] = index::sub(builder, pixel, start);
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
