//! Patches of an image with its channels last: the rows of lhs.
//!
//! A range of k is packed in runs that are contiguous in the image, such as the
//! channels at one place of the window. Whether a run lies in the padding is
//! decided once: it reads the start of the image instead, and a select replaces what
//! it read. Groups along k are neighbours in a run.

use super::{Patches, Run};
use crate::{
    cpu::packing::Panel,
    loops::loop_ops::{self, Emitted},
};
use halo_ir::{
    Builder, Value, element_type,
    ops::{
        arith::{self, CmpIPredicate},
        vector,
    },
    vector_type,
};
use melior::ir::ValueLike;

/// Shorter runs are not worth the arithmetic on their addresses.
pub(super) const LEAST_RUN: i64 = 8;

/// A row of a panel at some place of the window.
pub(super) struct Row<'c> {
    /// Where the run starts in the flat view.
    start: Value<'c>,
    /// Whether it lies in the image, if it may not.
    is_inside: Option<Value<'c>>,
}

impl<'c> Patches<'c> {
    /// The most elements of k that are contiguous in the image.
    pub(super) fn run_of_k(&self) -> Option<Run> {
        let mut run = 1;
        for dim in self.k.clone().rev() {
            let size = self.sizes[dim];
            if size == 1 {
                continue;
            }
            if self.stride(dim)? != run || self.crosses_edge(dim) {
                break;
            }
            run *= size;
        }
        Some(Run {
            length: run,
            stride: 1,
        })
    }

    /// Packs a panel of rows over a range of k.
    pub(super) fn pack_rows(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        block_k: i64,
    ) -> Emitted<()> {
        if let Some(lines) = self.lines(panel.width).filter(|_| panel.group.is_none()) {
            return self.pack_lines(builder, panel, lines, (lower, upper));
        }
        let (row_sizes, k_sizes) = self.sizes.split_at(self.k.start);
        // A block of k is some runs, or a run some blocks.
        let length = self.run.length.min(block_k);
        let step = loop_ops::index(builder, length)?;
        loop_ops::for_range(builder, panel.width, 1, |builder, number| {
            let row = panel.lane_at(builder, number)?;
            let place = loop_ops::delinearize(builder, row, row_sizes)?;
            loop_ops::for_loop(builder, (lower, upper, step), &[], |builder, k, _| {
                let window = loop_ops::delinearize(builder, k, k_sizes)?;
                let row = self.row(builder, &place, &window)?;
                let first = panel.position(builder, k, lower)?;
                self.pack_run(builder, panel, &row, length, |builder, offset| {
                    let at = loop_ops::add(builder, first, offset)?;
                    Ok([&panel.indices[..], &[number, at]].concat())
                })?;
                Ok(Vec::new())
            })
            .map(drop)
        })
    }

    /// The row of a panel at given indices of the patches.
    pub(super) fn row(
        &self,
        builder: &Builder<'c>,
        place: &[Value<'c>],
        window: &[Value<'c>],
    ) -> Emitted<Row<'c>> {
        let address = self.address(builder, &[place, window].concat())?;
        let mut is_inside: Option<Value<'c>> = None;
        for (index, size) in address.bounded {
            let size = loop_ops::index(builder, size)?;
            let fits = arith::cmpi(builder, CmpIPredicate::Ult, index, size)?;
            is_inside = Some(match is_inside {
                Some(others) => arith::andi(builder, others, fits)?,
                None => fits,
            });
        }
        let mut start = address.start;
        if let Some(is_inside) = is_inside {
            // The place in the run is the same, so that all of it can be read.
            let mut safe = loop_ops::index(builder, 0)?;
            let mut weight = 1;
            for (dim, index) in self.k.clone().zip(window).rev() {
                if weight >= self.run.length {
                    break;
                }
                let offset = loop_ops::scale(builder, *index, weight)?;
                safe = loop_ops::add(builder, safe, offset)?;
                weight *= self.sizes[dim];
            }
            start = arith::select(builder, is_inside, start, safe)?;
        }
        Ok(Row { start, is_inside })
    }

    /// Packs one run of a row, whose elements go where `target` says: vectors, and for what is
    /// left over a vector that has some elements of the last one again.
    pub(super) fn pack_run(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        row: &Row<'c>,
        length: i64,
        target: impl Fn(&Builder<'c>, Value<'c>) -> Emitted<Vec<Value<'c>>>,
    ) -> Emitted<()> {
        let unit = panel.unit();
        let elements = length / unit;
        let mut lanes = panel.lanes;
        while lanes > elements {
            lanes /= 2;
        }
        let whole = elements - elements % lanes;
        let parts = [(0, whole), (elements - lanes, elements)];
        let numbers = vector_type(&[lanes * unit], element_type(self.flat.r#type()));
        for (lower, upper) in parts.into_iter().take(1 + usize::from(whole < elements)) {
            let bounds = (
                loop_ops::index(builder, lower)?,
                loop_ops::index(builder, upper)?,
                loop_ops::index(builder, lanes)?,
            );
            loop_ops::for_loop(builder, bounds, &[], |builder, offset, _| {
                let at = loop_ops::scale(builder, offset, unit)?;
                let at = loop_ops::add(builder, row.start, at)?;
                let value = vector::load(builder, self.flat, &[at], numbers)?;
                let mut value = self.padded(builder, panel, value, row.is_inside)?;
                if let Some(group) = panel.group {
                    value = group.of_vector(builder, value)?;
                }
                let indices = target(builder, offset)?;
                vector::store(builder, value, panel.target, &indices)?;
                Ok(Vec::new())
            })?;
        }
        Ok(())
    }
}
