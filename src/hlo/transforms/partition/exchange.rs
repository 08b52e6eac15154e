//! Windows of a dimension that lie across tiles, and the padding of tiles.
//!
//! Each partition needs elements that its neighbours have: the window of a convolution at the
//! edge of a tile, or a slice that begins within one. Neighbours send what is needed of their
//! tiles, and the parts are joined:
//!
//! ```text
//! tiles of 4, each result needs one element more on both sides
//!   partition 1 has 4 5 6 7, gets 3 from partition 0 and 8 from partition 2: 3 4 5 6 7 8
//! ```
//!
//! Where the tiles of most partitions are needed, all of the dimension is gathered. Positions
//! that the tensor does not have are filled.

use super::collectives::sizes;
use super::reshard::{self, own_start, slice_at, tile_size, truncate};
use super::tiles::Tiler;
use crate::sharding::grid::{AxisNumber, Grid};
use crate::sharding::rules::Window;
use crate::transforms::stablehlo_ops as emit;
use halo_ir::ops::stablehlo;
use halo_ir::stablehlo::attributes::ComparisonDirection;
use halo_ir::{Builder, RewriteError, Value, integer_type, tensor_type};
use melior::ir::ValueLike;

type Made<'c> = Result<Value<'c>, RewriteError>;

/// What the partitions along axes need of a dimension.
#[derive(Clone, Debug)]
pub struct Needs {
    /// Of how many partitions, and the size of their tiles.
    count: i64,
    tile: i64,
    /// The size of the dimension.
    size: i64,
    /// Partition `p` needs `p * step + first ..`, as many as `length`.
    step: i64,
    first: i64,
    pub length: i64,
}

impl Needs {
    /// Those of a window, for results of a size along the same axes.
    pub fn of(grid: &Grid, axes: &[AxisNumber], window: Window, size: i64, result: i64) -> Self {
        let rows = tile_size(grid, result, axes);
        Self {
            count: grid.count(axes) as i64,
            tile: tile_size(grid, size, axes),
            size,
            step: rows * window.stride,
            first: window.offset,
            length: (rows - 1) * window.stride + window.extent,
        }
    }

    fn start(&self, part: i64) -> i64 {
        part * self.step + self.first
    }

    /// What a partition needs of the elements that there are.
    fn range(&self, part: i64) -> Option<(i64, i64)> {
        let start = self.start(part).max(0);
        let end = (self.start(part) + self.length).min(self.size);
        (start < end).then_some((start, end))
    }

    /// The first and the last neighbour, by distance, of which some partition needs a part.
    fn neighbours(&self) -> (i64, i64) {
        let ranges = (0..self.count).filter_map(|part| Some((part, self.range(part)?)));
        let pairs = ranges
            .map(|(part, (start, end))| (start / self.tile - part, (end - 1) / self.tile - part));
        let joined = pairs.reduce(|(low, high), (first, last)| (low.min(first), high.max(last)));
        joined.unwrap_or((0, 0))
    }

    /// Whether some partition needs positions that there are not.
    fn is_filled(&self) -> bool {
        (0..self.count)
            .any(|part| self.start(part) < 0 || self.start(part) + self.length > self.size)
    }

    /// How many elements of the dimension a partition receives.
    pub fn received(&self) -> i64 {
        let (low, high) = self.neighbours();
        let own = i64::from(low <= 0 && high >= 0);
        let parts = (high - low + 1 - own).min(self.count - 1);
        let needed =
            (self.length - self.tile).max(0) + (self.step - self.tile).abs() * self.count / 2;
        (parts * self.tile).min(needed.max(parts))
    }

    /// What partitions need of the tile of a neighbour: its first and last elements.
    fn of_tile(&self, distance: i64) -> (i64, i64) {
        let of = |part: i64| {
            let (start, end) = self.range(part)?;
            let begin = (part + distance) * self.tile;
            let (start, end) = ((start - begin).max(0), (end - begin).min(self.tile));
            (start < end).then_some((start, end))
        };
        let all = (0..self.count).filter_map(of);
        let joined = all.reduce(|(low, high), (start, end)| (low.min(start), high.max(end)));
        joined.unwrap_or((0, self.tile))
    }
}

/// A dimension of a tile, and the axes that divide it.
#[derive(Clone, Copy)]
pub struct Divided<'a> {
    pub dimension: usize,
    pub axes: &'a [AxisNumber],
}

/// Gives each partition what it needs of a dimension, filled where there is nothing.
pub fn window<'c>(
    b: &Builder<'c>,
    tiler: &Tiler,
    grid: &Grid,
    Divided { dimension, axes }: Divided,
    needs: &Needs,
    tile: Value<'c>,
    fill: Value<'c>,
) -> Made<'c> {
    let (low, high) = needs.neighbours();
    // What is joined begins at `p * stride + base`.
    let (joined, stride, base) = if high - low + 1 >= needs.count && needs.count > 1 {
        let all = tiler.all_gather(b, tile, dimension, &grid.groups(axes))?;
        (all, 0, 0)
    } else {
        let mut parts = Vec::new();
        let mut base = low * needs.tile;
        for distance in low..=high {
            let (mut start, mut end) = needs.of_tile(distance);
            // Only the outer ones are not needed as a whole.
            if distance > low {
                start = 0;
            } else {
                base += start;
            }
            if distance < high {
                end = needs.tile;
            }
            let part = truncate(b, tile, dimension, (start, end))?;
            parts.push(match distance {
                0 => part,
                _ => tiler.permute(b, part, &neighbours(grid, axes, distance))?,
            });
        }
        let joined = match parts[..] {
            [part] => part,
            _ => stablehlo::concatenate(b, &parts, dimension as i64)?,
        };
        (joined, needs.tile, base)
    };
    let relative = |part: i64| needs.start(part) - part * stride - base;
    let starts: Vec<i64> = (0..needs.count).map(relative).collect();
    let own = sizes(joined)?[dimension];
    let first = starts.iter().copied().min().unwrap_or(0);
    let last = starts.iter().copied().max().unwrap_or(0);
    let before = (-first).max(0);
    let after = (last + needs.length - own).max(0);
    let padded = reshard::pad(b, joined, dimension, (before, after))?;
    let window = if first == last {
        let start = first + before;
        truncate(b, padded, dimension, (start, start + needs.length))?
    } else {
        let own = grid.parts(axes).into_iter();
        let own: Vec<i64> = own.map(|part| starts[part] + before).collect();
        let start = tiler.own_number(b, Tiler::partition(b)?, &own)?;
        slice_at(b, padded, dimension, start, needs.length)?
    };
    if !needs.is_filled() {
        return Ok(window);
    }
    let own = grid.parts(axes).into_iter();
    let own: Vec<i64> = own.map(|part| needs.start(part as i64)).collect();
    let start = tiler.own_number(b, Tiler::partition(b)?, &own)?;
    fill_outside(b, window, dimension, start, needs.size, fill)
}

/// Pairs of partitions: each one gets from the one at a distance along axes.
fn neighbours(grid: &Grid, axes: &[AxisNumber], distance: i64) -> Vec<(usize, usize)> {
    let groups = grid.groups(axes);
    let pair = |group: &[usize], part: usize| {
        let source = usize::try_from(part as i64 + distance).ok()?;
        Some((*group.get(source)?, group[part]))
    };
    let pairs = groups.iter();
    pairs
        .flat_map(|group| (0..group.len()).filter_map(move |part| pair(group, part)))
        .collect()
}

/// Fills the padding of a tile, which a reduction would read.
pub fn fill_padding<'c>(
    b: &Builder<'c>,
    tiler: &Tiler,
    grid: &Grid,
    Divided { dimension, axes }: Divided,
    size: i64,
    tile: Value<'c>,
    fill: Value<'c>,
) -> Made<'c> {
    if size % grid.count(axes) as i64 == 0 {
        return Ok(tile);
    }
    let own = sizes(tile)?[dimension];
    let start = own_start(b, tiler, grid, axes, own)?;
    fill_outside(b, tile, dimension, start, size, fill)
}

/// Fills positions before 0 and from a size on, of a part that begins at a start.
fn fill_outside<'c>(
    b: &Builder<'c>,
    part: Value<'c>,
    dimension: usize,
    start: Value<'c>,
    size: i64,
    fill: Value<'c>,
) -> Made<'c> {
    let dims = sizes(part)?;
    let number = integer_type(b.context(), 64);
    let line = tensor_type(&[dims[dimension]], number);
    let position = stablehlo::iota(b, 0, line)?;
    let start = stablehlo::broadcast_in_dim(b, start, &[], line)?;
    let position = stablehlo::add(b, position, start)?;
    let compare = |bound: i64, direction| -> Made<'c> {
        let bound = emit::number(b, line, bound as f64)?;
        Ok(stablehlo::compare(b, position, bound, direction)?)
    };
    let inside = stablehlo::and(
        b,
        compare(0, ComparisonDirection::Ge)?,
        compare(size, ComparisonDirection::Lt)?,
    )?;
    let everywhere = tensor_type(&dims, integer_type(b.context(), 1));
    let inside = stablehlo::broadcast_in_dim(b, inside, &[dimension as i64], everywhere)?;
    let filled = stablehlo::broadcast_in_dim(b, fill, &[], part.r#type())?;
    Ok(stablehlo::select(b, inside, part, filled)?)
}
