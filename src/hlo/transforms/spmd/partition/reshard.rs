//! Resharding: from one layout of a tensor to another.
//!
//! The steps are planned before they are emitted, so that their bytes can be compared:
//!
//! | from | to | step | bytes that a partition receives |
//! |---|---|---|---|
//! | `[{}]` | `[{"x"}]` | slice | none |
//! | `[{"x"}, {}]` | `[{}, {"x"}]` | all_to_all | (n - 1) / n of a tile |
//! | `[{"x"}, {"y"}]` | `[{"y"}, {"x"}]` | collective_permute | a tile |
//! | `[{"x"}]` | `[{}]` | all_gather | n - 1 tiles |
//!
//! Steps are tried in this order until the layout is the desired one. Tiles of an indivisible
//! dimension are not aligned with larger tiles, so the dimension is gathered completely, and sliced
//! again.

use super::{collectives::sizes, tiles::Tiler};
use crate::sharding::grid::{AxisNumber, Grid, Layout};
use halo_ir::prelude::*;

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Each partition keeps its part of a dimension along more axes.
    Slice(usize, Vec<AxisNumber>),
    /// The last axes of a dimension move to another one.
    AllToAll {
        from: usize,
        to: usize,
        axes: Vec<AxisNumber>,
    },
    /// Each partition gets another tile.
    Permute(Layout),
    /// A dimension loses its last axes.
    Gather(usize, Vec<AxisNumber>),
}

/// The steps of a resharding, and the bytes that each partition receives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    pub steps: Vec<Step>,
    pub bytes: i64,
}

/// The size of a tile of a dimension, including padding.
pub fn tile_size(grid: &Grid, size: i64, axes: &[AxisNumber]) -> i64 {
    let count = grid.count(axes) as i64;
    (size + count - 1) / count
}

/// The sizes of the tiles of a tensor, including padding.
pub fn tile_sizes(grid: &Grid, sizes: &[i64], layout: &Layout) -> Vec<i64> {
    let pairs = sizes.iter().zip(&layout.dims);
    pairs.map(|(size, axes)| tile_size(grid, *size, axes)).collect()
}

/// Plans a resharding.
pub fn plan(grid: &Grid, sizes: &[i64], bytes: i64, from: &Layout, to: &Layout) -> Way {
    let mut way = Way::default();
    let mut at = from.clone();
    while at != *to {
        let tile: i64 = tile_sizes(grid, sizes, &at).iter().product();
        let step = next_step(grid, sizes, &at, to);
        way.bytes += bytes
            * match &step {
                Step::Slice(..) => 0,
                Step::AllToAll { axes, .. } => tile - tile / grid.count(axes) as i64,
                Step::Permute(_) => tile,
                Step::Gather(_, axes) => tile * (grid.count(axes) as i64 - 1),
            };
        at = after(&at, &step);
        way.steps.push(step);
    }
    way
}

fn after(at: &Layout, step: &Step) -> Layout {
    let mut next = at.clone();
    let drop = |axes: &mut Vec<AxisNumber>, last: &[AxisNumber]| {
        axes.truncate(axes.len() - last.len());
    };
    match step {
        Step::Slice(dimension, axes) => next.dims[*dimension].extend(axes),
        Step::AllToAll { from, to, axes } => {
            drop(&mut next.dims[*from], axes);
            next.dims[*to].extend(axes);
        }
        Step::Permute(to) => next = to.clone(),
        Step::Gather(dimension, axes) => drop(&mut next.dims[*dimension], axes),
    }
    next
}

fn next_step(grid: &Grid, sizes: &[i64], at: &Layout, to: &Layout) -> Step {
    let divides =
        |dimension: usize, axes: &[AxisNumber]| sizes[dimension] % grid.count(axes) as i64 == 0;
    let is_even = |dimension: usize| {
        divides(dimension, &at.dims[dimension]) && divides(dimension, &to.dims[dimension])
    };
    // The axes of a dimension that must be removed.
    let surplus = |dimension: usize| {
        let (own, wanted) = (&at.dims[dimension], &to.dims[dimension]);
        if own == wanted {
            return &own[own.len()..];
        }
        if !is_even(dimension) {
            return &own[..];
        }
        let common = own.iter().zip(wanted).take_while(|(a, b)| a == b).count();
        &own[common..]
    };
    let dimensions = || 0..at.dims.len();
    for dimension in dimensions().filter(|one| surplus(*one).is_empty()) {
        let new = &to.dims[dimension][at.dims[dimension].len()..];
        let free = new.iter().take_while(|axis| !at.uses(**axis)).count();
        if free > 0 && (is_even(dimension) || free == new.len()) {
            return Step::Slice(dimension, new[..free].to_vec());
        }
    }
    for (from, other) in dimensions().flat_map(|from| dimensions().map(move |to| (from, to))) {
        let tail = surplus(from);
        if from == other || !is_even(from) || !is_even(other) || !surplus(other).is_empty() {
            continue;
        }
        let wanted = &to.dims[other][at.dims[other].len()..];
        let moved = (0..tail.len()).map(|begin| &tail[begin..]);
        if let Some(axes) = moved.into_iter().find(|axes| wanted.starts_with(axes)) {
            return Step::AllToAll {
                from,
                to: other,
                axes: axes.to_vec(),
            };
        }
    }
    let counts = |layout: &Layout| -> Vec<usize> {
        layout.dims.iter().map(|axes| grid.count(axes)).collect()
    };
    if counts(at) == counts(to) {
        return Step::Permute(to.clone());
    }
    let gathered = dimensions().find(|one| !surplus(*one).is_empty());
    let gathered = gathered.map(|one| Step::Gather(one, surplus(one).to_vec()));
    gathered.unwrap_or_else(|| {
        // A desired axis is used by another dimension: start there.
        let differs = |one: &usize| at.dims[*one] != to.dims[*one] && !at.dims[*one].is_empty();
        let dimension = dimensions().find(differs).unwrap_or(0);
        Step::Gather(dimension, at.dims[dimension].clone())
    })
}

/// The start of this partition's part along axes: its index times a size.
pub fn own_start<'c>(
    b: &Builder<'c>,
    tiler: &Tiler,
    grid: &Grid,
    axes: &[AxisNumber],
    size: i64,
) -> RewriteResult<Value<'c>> {
    let starts: Vec<i64> = grid.parts(axes).into_iter().map(|part| part as i64 * size).collect();
    tiler.own_number(b, Tiler::partition(b), &starts)
}

/// Slices a dimension.
pub fn slice_at<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    dimension: usize,
    start: Value<'c>,
    size: i64,
) -> RewriteResult<Value<'c>> {
    let mut all = sizes(value)?;
    let zero = stablehlo::integers(b, tensor_type(&[], integer_type(b.context(), 64)), &[0])?;
    let mut starts = vec![zero; all.len()];
    starts[dimension] = start;
    all[dimension] = size;
    Ok(stablehlo::dynamic_slice(b, value, &starts, &all))
}

/// Pads a dimension at both ends.
pub fn pad<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    dimension: usize,
    (low, high): (i64, i64),
) -> RewriteResult<Value<'c>> {
    if (low, high) == (0, 0) {
        return Ok(value);
    }
    let rank = sizes(value)?.len();
    let scalar = tensor_type(&[], value.ty().element_type());
    let zero = stablehlo::number(b, scalar, 0.0)?;
    let along = |size: i64| {
        let mut all = vec![0; rank];
        all[dimension] = size;
        all
    };
    let padded = stablehlo::pad(b, value, zero, &along(low), &along(high), &vec![0; rank]);
    Ok(padded)
}

/// Truncates a dimension.
pub fn truncate<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    dimension: usize,
    (start, limit): (i64, i64),
) -> RewriteResult<Value<'c>> {
    let mut limits = sizes(value)?;
    if (start, limit) == (0, limits[dimension]) {
        return Ok(value);
    }
    let mut starts = vec![0; limits.len()];
    let strides = vec![1; limits.len()];
    (starts[dimension], limits[dimension]) = (start, limit);
    Ok(stablehlo::slice(b, value, &starts, &limits, &strides))
}

/// Emits a step on the tile of a tensor in a layout.
pub fn make<'c>(
    b: &Builder<'c>,
    tiler: &Tiler,
    grid: &Grid,
    whole: &[i64],
    (tile, at): (Value<'c>, &Layout),
    step: &Step,
) -> RewriteResult<(Value<'c>, Layout)> {
    let next = after(at, step);
    let value = match step {
        Step::Slice(dimension, axes) => {
            let size = tile_size(grid, whole[*dimension], &next.dims[*dimension]);
            let own = sizes(tile)?[*dimension];
            let surplus = size * grid.count(axes) as i64 - own;
            let padded = pad(b, tile, *dimension, (0, surplus))?;
            let start = own_start(b, tiler, grid, axes, size)?;
            slice_at(b, padded, *dimension, start, size)?
        }
        Step::AllToAll { from, to, axes } => {
            tiler.all_to_all(b, tile, (*to, *from), &grid.groups(axes))?
        }
        Step::Permute(to) => {
            let pairs = permutation(&grid.tiling(at).owners(), &grid.tiling(to).owners());
            if pairs.iter().all(|(from, to)| from == to) {
                tile
            } else {
                tiler.permute(b, tile, &pairs)
            }
        }
        Step::Gather(dimension, axes) => {
            let all = tiler.all_gather(b, tile, *dimension, &grid.groups(axes))?;
            let size = tile_size(grid, whole[*dimension], &next.dims[*dimension]);
            truncate(b, all, *dimension, (0, size))?
        }
    };
    Ok((value, next))
}

/// Emits all steps from a tile to the tile of another layout.
pub fn follow<'c>(
    b: &Builder<'c>,
    tiler: &Tiler,
    grid: &Grid,
    whole: &[i64],
    (tile, at): (Value<'c>, &Layout),
    to: &Layout,
) -> RewriteResult<Value<'c>> {
    // The cost does not matter here.
    let way = plan(grid, whole, 1, at, to);
    let mut made = (tile, at.clone());
    for step in &way.steps {
        made = make(b, tiler, grid, whole, (made.0, &made.1), step)?;
    }
    Ok(made.0)
}

/// Pairs of source and target partitions. Partitions with the right tile keep it.
fn permutation(have: &[Vec<usize>], need: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (have, need) in have.iter().zip(need) {
        let both = have.iter().copied().filter(|one| need.contains(one));
        pairs.extend(both.map(|one| (one, one)));
        let sources = have.iter().filter(|one| !need.contains(one));
        let targets = need.iter().filter(|one| !have.contains(one));
        pairs.extend(sources.copied().zip(targets.copied()));
    }
    pairs.sort_unstable();
    pairs
}
