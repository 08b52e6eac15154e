//! Windows that extend across tiles (halo exchange), and the padding of tiles.
//!
//! A partition may need elements of adjacent tiles: for the window of a convolution at the edge of
//! a tile, or for a slice that begins within one. Adjacent partitions send the needed parts of
//! their tiles, which are concatenated:
//!
//! ```text
//! tiles of 4, each result needs one element more on both sides
//!   partition 1 has 4 5 6 7, gets 3 from partition 0 and 8 from partition 2: 3 4 5 6 7 8
//! ```
//!
//! If partitions need tiles at different distances, as for a concatenation, each tile is sent to
//! the partition that needs it:
//!
//! ```text
//! tiles of 2, of which partition 0 needs 0 and 1, and partition 1 needs 2 and 3
//!   permute 0 -> 0, 2 -> 1   permute 1 -> 0, 3 -> 1
//! ```
//!
//! If the tiles of most partitions are needed, the dimension is gathered. Positions outside of the
//! tensor are filled.

use super::collectives::sizes;
use super::reshard::{self, own_start, slice_at, tile_size, truncate};
use super::tiles::Tiler;
use crate::sharding::grid::{AxisNumber, Grid};
use crate::sharding::rules::Window;
use halo_ir::prelude::*;

/// The elements of a dimension that partitions along axes need.
#[derive(Clone, Debug)]
pub struct Needs {
    /// The number of partitions, and the size of their tiles.
    count: i64,
    tile: i64,
    /// The size of the dimension.
    size: i64,
    /// Partition `p` needs `length` elements from `p * step + first` on.
    step: i64,
    first: i64,
    pub length: i64,
}

impl Needs {
    /// The needs of a window, for results of a size along the same axes.
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

    /// The existing elements that a partition needs.
    fn range(&self, part: i64) -> Option<(i64, i64)> {
        let start = self.start(part).max(0);
        let end = (self.start(part) + self.length).min(self.size);
        (start < end).then_some((start, end))
    }

    /// The range of distances of tiles that some partition needs a part of.
    fn neighbours(&self) -> (i64, i64) {
        let ranges = (0..self.count).filter_map(|part| Some((part, self.range(part)?)));
        let pairs = ranges
            .map(|(part, (start, end))| (start / self.tile - part, (end - 1) / self.tile - part));
        let joined = pairs.reduce(|(low, high), (first, last)| (low.min(first), high.max(last)));
        joined.unwrap_or((0, 0))
    }

    /// The tile of the first element that a partition needs.
    fn first_tile(&self, part: i64) -> Option<i64> {
        self.range(part).map(|(start, _)| start / self.tile)
    }

    /// The number of tiles that a partition needs, if that is less than the range of distances, and
    /// each tile is sent to one partition.
    fn tiles(&self) -> Option<i64> {
        let parts = || (0..self.count).filter_map(|part| Some((part, self.first_tile(part)?)));
        let firsts: Vec<i64> = parts().map(|(_, first)| first).collect();
        let last = |(part, first): (i64, i64)| Some((self.range(part)?.1 - 1) / self.tile - first);
        let count = parts().filter_map(last).max()? + 1;
        let (low, high) = self.neighbours();
        let is_less = count < (high - low + 1).min(self.count);
        let are_apart = firsts.windows(2).all(|pair| pair[0] < pair[1]);
        (is_less && are_apart).then_some(count)
    }

    /// Returns true if some partition needs positions outside of the tensor.
    fn is_filled(&self) -> bool {
        (0..self.count)
            .any(|part| self.start(part) < 0 || self.start(part) + self.length > self.size)
    }

    /// The number of elements of the dimension that a partition receives.
    pub fn received(&self) -> i64 {
        if let Some(tiles) = self.tiles() {
            return tiles * self.tile;
        }
        let (low, high) = self.neighbours();
        let own = i64::from(low <= 0 && high >= 0);
        let parts = (high - low + 1 - own).min(self.count - 1);
        let needed =
            (self.length - self.tile).max(0) + (self.step - self.tile).abs() * self.count / 2;
        (parts * self.tile).min(needed.max(parts))
    }

    /// The elements of the tile at a distance that are needed: first and last.
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

/// Gives each partition its needed elements of a dimension, filled outside of the tensor.
pub fn window<'c>(
    b: &Builder<'c>,
    tiler: &Tiler,
    grid: &Grid,
    Divided { dimension, axes }: Divided,
    needs: &Needs,
    tile: Value<'c>,
    fill: Value<'c>,
) -> RewriteResult<Value<'c>> {
    let (low, high) = needs.neighbours();
    let all: Vec<i64> = (0..needs.count).collect();
    // The concatenated parts, and their start for each partition.
    let (joined, begins): (Value, Vec<i64>) = if let Some(tiles) = needs.tiles() {
        let first = |part: &i64| needs.first_tile(*part);
        let mut parts = Vec::new();
        for number in 0..tiles {
            let source = |part: i64| {
                let source = first(&part)? + number;
                (source < needs.count).then_some(source)
            };
            parts.push(tiler.permute(b, tile, &sources(grid, axes, source)));
        }
        let joined = match parts[..] {
            [part] => part,
            _ => stablehlo::concatenate(b, &parts, dimension as i64),
        };
        // If nothing is needed, all is filled.
        let begin = |part: &i64| first(part).map_or(needs.start(*part), |one| one * needs.tile);
        (joined, all.iter().map(begin).collect())
    } else if high - low + 1 >= needs.count && needs.count > 1 {
        let gathered = tiler.all_gather(b, tile, dimension, &grid.groups(axes))?;
        (gathered, vec![0; all.len()])
    } else {
        let mut parts = Vec::new();
        let mut base = low * needs.tile;
        for distance in low..=high {
            let (mut start, mut end) = needs.of_tile(distance);
            // Only the outer tiles are needed partially.
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
                _ => tiler.permute(b, part, &sources(grid, axes, |part| Some(part + distance))),
            });
        }
        let joined = match parts[..] {
            [part] => part,
            _ => stablehlo::concatenate(b, &parts, dimension as i64),
        };
        let begin = |part: &i64| part * needs.tile + base;
        (joined, all.iter().map(begin).collect())
    };
    let pairs = all.iter().zip(&begins);
    let starts: Vec<i64> = pairs.map(|(part, begin)| needs.start(*part) - begin).collect();
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
        let start = tiler.own_number(b, Tiler::partition(b), &own)?;
        slice_at(b, padded, dimension, start, needs.length)?
    };
    if !needs.is_filled() {
        return Ok(window);
    }
    let own = grid.parts(axes).into_iter();
    let own: Vec<i64> = own.map(|part| needs.start(part as i64)).collect();
    let start = tiler.own_number(b, Tiler::partition(b), &own)?;
    fill_outside(b, window, dimension, start, needs.size, fill)
}

/// Pairs of partitions: each part along axes receives from its source, if there is one.
pub fn sources(
    grid: &Grid,
    axes: &[AxisNumber],
    source: impl Fn(i64) -> Option<i64>,
) -> Vec<(usize, usize)> {
    let groups = grid.groups(axes);
    let pair = |group: &[usize], part: usize| {
        let source = usize::try_from(source(part as i64)?).ok()?;
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
) -> RewriteResult<Value<'c>> {
    if size % grid.count(axes) as i64 == 0 {
        return Ok(tile);
    }
    let own = sizes(tile)?[dimension];
    let start = own_start(b, tiler, grid, axes, own)?;
    fill_outside(b, tile, dimension, start, size, fill)
}

/// Fills positions before 0 and from a size on, in a part with a given start.
fn fill_outside<'c>(
    b: &Builder<'c>,
    part: Value<'c>,
    dimension: usize,
    start: Value<'c>,
    size: i64,
    fill: Value<'c>,
) -> RewriteResult<Value<'c>> {
    let dims = sizes(part)?;
    let number = integer_type(b.context(), 64);
    let line = tensor_type(&[dims[dimension]], number);
    let position = stablehlo::iota(b, 0, line);
    let start = stablehlo::broadcast_in_dim(b, start, &[], line);
    let position = stablehlo::add(b, position, start);
    let compare = |bound: i64, direction| -> RewriteResult<Value<'c>> {
        let bound = stablehlo::number(b, line, bound as f64)?;
        Ok(stablehlo::compare(b, position, bound, direction))
    };
    let inside = stablehlo::and(
        b,
        compare(0, ComparisonDirection::Ge)?,
        compare(size, ComparisonDirection::Lt)?,
    );
    let everywhere = tensor_type(&dims, integer_type(b.context(), 1));
    let inside = stablehlo::broadcast_in_dim(b, inside, &[dimension as i64], everywhere);
    let filled = stablehlo::broadcast_in_dim(b, fill, &[], part.ty());
    Ok(stablehlo::select(b, inside, part, filled))
}
