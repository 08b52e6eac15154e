//! Transposition of two contiguous dimensions: a block of 32 by 8 threads reads
//! a tile of 32 by 32 along one dimension and writes it along the other. The
//! tile is stored in shared memory, with rows padded by one element, so that a
//! column spans 32 different banks.

use super::{kernel::Kernel, nests::zeros};
use crate::{
    gpu::{
        buffers::shared_type,
        launch::{Dimensions, WARP, launch},
    },
    loops::{body, loop_nest::contiguous_dim, prelude::*},
};
use halo_ir::prelude::*;

/// Rows of threads of a block.
const ROWS: i64 = 8;
/// Shorter dimensions are not tiled.
const SHORTEST: i64 = 16;

/// The two dimensions that are transposed.
struct Plan {
    /// Contiguous in the outputs.
    column: usize,
    /// Contiguous in the inputs that are transposed.
    row: usize,
    outer: Vec<usize>,
    /// The inputs that go through shared memory.
    moved: Vec<usize>,
}

/// Lowers an elementwise op that transposes; returns false if the op is not one.
pub(super) fn lower<'c>(builder: &Builder<'c>, kernel: &Kernel<'c>) -> bool {
    let Some(plan) = plan(kernel) else {
        return false;
    };
    let nest = &kernel.nest;
    let (rows, columns) = (kernel.size(plan.row), kernel.size(plan.column));
    let tiles = |size: i64| (size + WARP - 1) / WARP;
    let dimensions = Dimensions {
        grid: [
            tiles(rows) * tiles(columns) * kernel.product(&plan.outer),
            1,
            1,
        ],
        block: [WARP, ROWS, 1],
    };
    let shared: Vec<_> = plan
        .moved
        .iter()
        .map(|input| {
            let element = nest.accesses[*input].value.ty().element_type();
            shared_type(builder, &[WARP, WARP + 1], element)
        })
        .collect();
    launch(
        builder,
        "transpose",
        dimensions,
        &shared,
        |builder, ids, shared| {
            let mut ivs = zeros(builder, nest);
            let mut sizes = kernel.sizes(&plan.outer);
            sizes.extend([tiles(rows), tiles(columns)]);
            let mut blocks = index::delinearize(builder, ids.block[0], &sizes);
            let mut base =
                || -> Value<'c> { index::mul(builder, blocks.pop().unwrap_or(ids.block[0]), WARP) };
            let (first_column, first_row) = (base(), base());
            for (dim, iv) in plan.outer.iter().zip(blocks) {
                ivs[*dim] = iv;
            }
            let [x, y, _] = ids.thread;
            let bounds = [(plan.row, rows), (plan.column, columns)];
            // Read: x runs along rows.
            for step in 0..WARP / ROWS {
                let line = index::add(builder, y, step * ROWS);
                let mut ivs = ivs.clone();
                ivs[plan.row] = index::add(builder, first_row, x);
                ivs[plan.column] = index::add(builder, first_column, line);
                inside(builder, &ivs, bounds, |builder, ivs| {
                    for (input, shared) in plan.moved.iter().zip(shared) {
                        let value = nest.accesses[*input].load(builder, ivs);
                        memref::store(builder, value, *shared, &[line, x]);
                    }
                });
            }
            gpu::barrier(builder);
            // Write: x runs along columns.
            for step in 0..WARP / ROWS {
                let line = index::add(builder, y, step * ROWS);
                let mut ivs = ivs.clone();
                ivs[plan.row] = index::add(builder, first_row, line);
                ivs[plan.column] = index::add(builder, first_column, x);
                inside(builder, &ivs, bounds, |builder, ivs| {
                    let moved = plan.moved.iter().zip(shared).map(|(input, shared)| {
                        (*input, memref::load(builder, *shared, &[x, line]))
                    });
                    let moved = moved.collect::<Vec<_>>();
                    write(builder, nest, ivs, &moved)
                });
            }
        },
    );
    true
}

fn plan(kernel: &Kernel) -> Option<Plan> {
    let nest = &kernel.nest;
    let column = contiguous_dim(nest, nest.outputs().first()?)?;
    if !(nest.outputs().iter()).all(|access| contiguous_dim(nest, access) == Some(column)) {
        return None;
    }
    let arguments = nest.body.arguments();
    let mut row = None;
    let mut moved = Vec::new();
    for (number, access) in nest.inputs().iter().enumerate() {
        let across = |access: &Access| contiguous_dim(nest, access).filter(|dim| *dim != column);
        if arguments[number].is_unused() || matches!(access.stride(column), 0 | 1) {
            continue;
        }
        if let Some(dim) = across(access)
            && row.is_none_or(|row| row == dim)
            && number < nest.input_count
            && access.value.ty().element_type().bit_width().is_some_and(|bits| bits >= 8)
        {
            row = Some(dim);
            moved.push(number);
        }
    }
    let row = row?;
    if kernel.size(row) < SHORTEST || kernel.size(column) < SHORTEST || moved.len() > 4 {
        return None;
    }
    // The body may read elements that other iterations write.
    let outer = (0..nest.dims.len()).filter(|dim| *dim != row && *dim != column).collect();
    Some(Plan {
        column,
        row,
        outer,
        moved,
    })
}

/// Emits the body under the condition that both dimensions are in bounds.
fn inside<'c>(
    builder: &Builder<'c>,
    ivs: &[Value<'c>],
    bounds: [(usize, i64); 2],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]),
) {
    let mut condition = None;
    for (dim, size) in bounds {
        if size % WARP == 0 {
            continue;
        }
        let below = index::compare(builder, CmpIPredicate::Ult, ivs[dim], size);
        condition = Some(match condition {
            Some(other) => arith::andi(builder, other, below),
            None => below,
        });
    }
    match condition {
        Some(condition) => scf::when(builder, condition, |builder| body(builder, ivs)),
        None => body(builder, ivs),
    }
}

/// Emits one iteration, with the given values of the transposed inputs.
fn write<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    ivs: &[Value<'c>],
    moved: &[(usize, Value<'c>)],
) {
    let mut map = ValueMap::new();
    for (number, argument) in nest.body.arguments().into_iter().enumerate() {
        let given = moved.iter().find(|(input, _)| *input == number);
        let value = match given {
            Some((_, value)) => *value,
            None if argument.is_unused() => continue,
            None => nest.accesses[number].load(builder, ivs),
        };
        map.insert(argument.key(), value);
    }
    let values = body::clone(builder, nest, ivs, &mut map);
    for (access, value) in nest.outputs().iter().zip(values) {
        access.store(builder, ivs, value);
    }
}
