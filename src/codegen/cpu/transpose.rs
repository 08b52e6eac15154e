//! Elementwise ops whose reads and writes are contiguous along different
//! dimensions.
//!
//! In every loop order one side is strided, and a cache line is fetched again for each of its
//! elements. So the two dimensions are tiled in blocks whose lines stay in the cache. Square blocks
//! are transposed in vector registers: rows are loaded, interleaved log2(n) times, and stored as
//! columns ([`crate::contraction::pack::transpose`]). A block has many rows and the columns of one square at a time, so that
//! whole columns are stored, in whole lines and few pages. A result that exceeds the caches uses
//! non-temporal stores.
//!
//! An op that computes uses vectors along the rows of its operands, whose results are transposed
//! through a small buffer, or along the rows of its results, for which strided operands are
//! transposed first:
//!
//! ```mlir
//! scf.for %j = %c0 to %c16 step %c1 {
//!   %x = vector.load %a[%column_plus_j, %row] : memref<256x128xf32>, vector<16xf32>
//!   %y = vector.load %b[%column_plus_j, %row] : memref<256x128xf32>, vector<16xf32>
//!   %0 = arith.addf %x, %y : vector<16xf32>
//!   vector.store %0, %square[%j, %c0] : memref<16x16xf32>, vector<16xf32>
//! }
//! ```
//!
//! This reads whole cache lines. Strided scalar loads with a power-of-two stride map to one set of
//! each cache, so that every load is a cache miss.

mod squares;

use super::linalg_to_loops::Vectors;
use crate::loops::{body, bounds::piece_bounds, loop_nest::contiguous_dim, prelude::*};
use halo_core::machine::Machine;
use halo_ir::prelude::*;
use squares::Squares;

/// The rows and columns of a block whose squares are transposed in vector registers. A block is one
/// iteration of the parallel loop. Long columns are faster at all sizes, down to matrices that fit
/// into the first cache.
const SQUARES: (i64, i64) = (64, 512);
/// The rows and columns of a block of single elements: its lines stay in the first cache.
const ELEMENTS: (i64, i64) = (32, 32);
/// Shorter dimensions are not tiled.
const SHORTEST: i64 = 8;

/// The two transposed dimensions of a loop nest.
struct Transpose {
    /// The dimension along which the outputs are contiguous.
    column: usize,
    /// The dimension along which an input is contiguous.
    row: usize,
    outer: Vec<usize>,
}

/// Lowers a transposing op, with vectors if they are given; returns whether the op transposes.
pub fn lower<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    vectors: Option<Vectors>,
    machine: &Machine,
) -> bool {
    let Some(plan) = plan(nest) else {
        return false;
    };
    let size = |dim: usize| nest.dims[dim].extent.estimate();
    let (rows, columns) = (size(plan.row), size(plan.column));
    let squares = vectors.and_then(|vectors| Squares::of(nest, &plan, vectors, machine));
    let (block_rows, block_columns) = match &squares {
        Some(_) => (SQUARES.0.min(rows), SQUARES.1.min(columns)),
        None => (ELEMENTS.0, columns),
    };
    let mut sizes: Vec<i64> = plan.outer.iter().map(|dim| size(*dim)).collect();
    sizes.push((columns + block_columns - 1) / block_columns);
    sizes.push((rows + block_rows - 1) / block_rows);
    scf::parallel_range(builder, sizes.iter().product::<i64>(), |builder, iv| {
        let zero = index::constant(builder, 0);
        let mut ivs = vec![zero; nest.dims.len()];
        let mut indices = index::delinearize(builder, iv, &sizes);
        for (index, size) in indices.iter_mut().zip(&sizes) {
            if *size == 1 {
                *index = zero;
            }
        }
        for (dim, index) in plan.outer.iter().zip(&indices) {
            ivs[*dim] = *index;
        }
        let numbers = &indices[plan.outer.len()..];
        let column_range = piece_bounds(builder, numbers[0], columns, block_columns);
        let row_range = piece_bounds(builder, numbers[1], rows, block_rows);
        match &squares {
            Some(squares) => {
                let sizes = (rows, columns);
                let ranges = (row_range, column_range);
                emit_block(builder, (nest, &plan, squares), &mut ivs, sizes, ranges)
            }
            None => emit_scalar_blocks(builder, nest, &plan, &mut ivs, row_range, columns),
        }
    });
    true
}

/// Emits a block of squares, and the remaining elements.
fn emit_block<'c>(
    builder: &Builder<'c>,
    (nest, plan, squares): (&LoopNest<'c>, &Transpose, &Squares),
    ivs: &mut [Value<'c>],
    (rows, columns): (i64, i64),
    (row_range, column_range): (Bounds<'c>, Bounds<'c>),
) {
    let lanes = squares.lanes;
    let (full_rows, full_columns) = (rows - rows % lanes, columns - columns % lanes);
    let within = |(lower, upper): Bounds<'c>, size: i64, full: i64| {
        let step = index::constant(builder, lanes);
        if full == size {
            return (lower, upper, step);
        }
        (lower, index::min(builder, upper, full), step)
    };
    let of_rows = within(row_range, rows, full_rows);
    let of_columns = within(column_range, columns, full_columns);
    scf::for_each(builder, of_rows, |builder, row| {
        ivs[plan.row] = row;
        scf::for_each(builder, of_columns, |builder, column| {
            ivs[plan.column] = column;
            squares.emit(builder, nest, plan, ivs);
        })
    });
    let one = index::constant(builder, 1);
    if full_columns != columns {
        let start = index::constant(builder, full_columns);
        let start = arith::maxsi(builder, column_range.0, start);
        let rows = (of_rows.0, of_rows.1, one);
        emit_scalar(builder, nest, plan, ivs, rows, (start, column_range.1, one));
    }
    if full_rows != rows {
        let start = index::constant(builder, full_rows);
        let start = arith::maxsi(builder, row_range.0, start);
        let columns = (column_range.0, column_range.1, one);
        emit_scalar(builder, nest, plan, ivs, (start, row_range.1, one), columns);
    }
}

/// Whether an op transposes; its nest has no unit loops.
pub fn applies(nest: &LoopNest) -> bool {
    plan(nest).is_some()
}

fn plan(nest: &LoopNest) -> Option<Transpose> {
    let fixed = |dim: &crate::loops::loop_nest::Dim| {
        matches!(dim.extent, Extent::Fixed(_)) && !dim.reduction
    };
    if !nest.dims.iter().all(fixed) {
        return None;
    }
    let column = contiguous_dim(nest, nest.outputs().first()?)?;
    if nest.outputs().iter().any(|output| output.stride(column) != 1) {
        return None;
    }
    let row = nest.inputs().iter().find_map(|input| {
        let row = contiguous_dim(nest, input)?;
        (row != column && input.stride(column) != 0).then_some(row)
    })?;
    let long = |dim: usize| nest.dims[dim].extent.estimate() >= SHORTEST;
    let mut outer: Vec<usize> =
        (0..nest.dims.len()).filter(|dim| *dim != row && *dim != column).collect();
    outer.sort_by_key(|dim| std::cmp::Reverse(nest.outputs()[0].stride(*dim)));
    (long(row) && long(column)).then_some(Transpose { column, row, outer })
}

type Bounds<'c> = (Value<'c>, Value<'c>);
type Range<'c> = (Value<'c>, Value<'c>, Value<'c>);

/// Emits every iteration of a range of rows and columns.
fn emit_scalar<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    plan: &Transpose,
    ivs: &mut [Value<'c>],
    rows: Range<'c>,
    columns: Range<'c>,
) {
    scf::for_each(builder, rows, |builder, row| {
        ivs[plan.row] = row;
        scf::for_each(builder, columns, |builder, column| {
            ivs[plan.column] = column;
            body::emit_iteration_in_memory(builder, nest, ivs);
        })
    })
}

/// Emits every iteration of a range of rows, a block of columns at a time.
fn emit_scalar_blocks<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    plan: &Transpose,
    ivs: &mut [Value<'c>],
    (lower, upper): Bounds<'c>,
    columns: i64,
) {
    let one = index::constant(builder, 1);
    scf::for_range(builder, columns, ELEMENTS.1, |builder, start| {
        let mut end = index::add(builder, start, ELEMENTS.1);
        if columns % ELEMENTS.1 != 0 {
            end = index::min(builder, end, columns);
        }
        emit_scalar(
            builder,
            nest,
            plan,
            ivs,
            (lower, upper, one),
            (start, end, one),
        )
    })
}
