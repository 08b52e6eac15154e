//! Elementwise ops whose reads and writes are contiguous along different
//! dimensions.
//!
//! In every loop order one side is strided, and a cache line is fetched again
//! for each of its elements. So the two dimensions are tiled with blocks whose
//! lines stay in the cache. If the op only moves elements, square blocks are
//! transposed in vector registers: rows are loaded, interleaved log2(n) times,
//! and stored as columns.

use super::linalg_to_loops::piece_bounds;
use crate::loops::{
    body,
    loop_nest::{Extent, LoopNest, contiguous_dim},
    loop_ops::{self, Emitted},
};
use halo_ir::{
    Builder, Value, arguments_of, bits_of, element_type, operands_of,
    ops::{arith, vector},
    terminator_of, vector_type,
};
use melior::ir::ValueLike;

/// Blocks of this many rows are one iteration of the parallel loop.
const ROWS: i64 = 32;
/// Columns that are visited before the next row.
const COLUMNS: i64 = 32;
/// Shorter dimensions are not tiled.
const SHORTEST: i64 = 8;

/// The two dimensions of a loop nest that are transposed.
struct Transpose {
    /// Contiguous in the outputs.
    column: usize,
    /// Contiguous in an input.
    row: usize,
    outer: Vec<usize>,
}

/// Lowers an op that transposes; returns whether the op is one.
pub fn lower<'c>(builder: &Builder<'c>, nest: &LoopNest<'c>) -> Emitted<bool> {
    let Some(plan) = plan(nest) else {
        return Ok(false);
    };
    let size = |dim: usize| nest.dims[dim].extent.estimate();
    let (rows, columns) = (size(plan.row), size(plan.column));
    let blocks = (rows + ROWS - 1) / ROWS;
    let outer: i64 = plan.outer.iter().map(|dim| size(*dim)).product();
    let count = loop_ops::index(builder, outer * blocks)?;
    let lanes = lanes_of(nest);
    loop_ops::parallel(builder, count, |builder, iv| {
        let zero = loop_ops::index(builder, 0)?;
        let mut ivs = vec![zero; nest.dims.len()];
        let block_count = loop_ops::index(builder, blocks)?;
        let block = loop_ops::rem(builder, iv, block_count)?;
        let rest = loop_ops::div(builder, iv, block_count)?;
        let sizes: Vec<i64> = plan.outer.iter().map(|dim| size(*dim)).collect();
        for (dim, index) in plan
            .outer
            .iter()
            .zip(loop_ops::delinearize(builder, rest, &sizes)?)
        {
            ivs[*dim] = index;
        }
        let (lower, upper) = piece_bounds(builder, block, rows, ROWS)?;
        let Some(lanes) = lanes else {
            return emit_scalar_blocks(builder, nest, &plan, &mut ivs, (lower, upper), columns);
        };
        let (full_rows, full_columns) = (rows - rows % lanes, columns - columns % lanes);
        let end = loop_ops::index(builder, full_rows)?;
        let full_upper = if full_rows == rows {
            upper
        } else {
            arith::minsi(builder, upper, end)?
        };
        let step = loop_ops::index(builder, lanes)?;
        loop_ops::for_range(builder, full_columns, lanes, |builder, column| {
            ivs[plan.column] = column;
            loop_ops::for_loop(
                builder,
                (lower, full_upper, step),
                &[],
                |builder, row, _| {
                    ivs[plan.row] = row;
                    emit_square(builder, nest, &plan, &ivs, lanes)?;
                    Ok(Vec::new())
                },
            )?;
            Ok(())
        })?;
        let one = loop_ops::index(builder, 1)?;
        let column_end = loop_ops::index(builder, columns)?;
        if full_columns != columns {
            let start = loop_ops::index(builder, full_columns)?;
            let (rows, columns) = ((lower, full_upper, one), (start, column_end, one));
            emit_scalar(builder, nest, &plan, &mut ivs, rows, columns)?;
        }
        if full_rows != rows {
            let start = arith::maxsi(builder, lower, end)?;
            let (rows, columns) = ((start, upper, one), (zero, column_end, one));
            emit_scalar(builder, nest, &plan, &mut ivs, rows, columns)?;
        }
        Ok(())
    })?;
    Ok(true)
}

/// Whether an op transposes; its nest has no loops of one iteration.
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
    if nest
        .outputs()
        .iter()
        .any(|output| output.stride(column) != 1)
    {
        return None;
    }
    let row = nest.inputs().iter().find_map(|input| {
        let row = contiguous_dim(nest, input)?;
        (row != column && input.stride(column) != 0).then_some(row)
    })?;
    let long = |dim: usize| nest.dims[dim].extent.estimate() >= SHORTEST;
    let mut outer: Vec<usize> = (0..nest.dims.len())
        .filter(|dim| *dim != row && *dim != column)
        .collect();
    outer.sort_by_key(|dim| std::cmp::Reverse(nest.outputs()[0].stride(*dim)));
    (long(row) && long(column)).then_some(Transpose { column, row, outer })
}

/// The edge of the squares that are transposed in registers, if the op only
/// moves elements.
fn lanes_of(nest: &LoopNest) -> Option<i64> {
    let ([_], [output]) = (nest.inputs(), nest.outputs()) else {
        return None;
    };
    let yielded = operands_of(terminator_of(nest.body)?);
    if yielded.first() != arguments_of(nest.body).first() {
        return None;
    }
    match bits_of(element_type(output.value.r#type()))? {
        8 | 16 | 32 => Some(16),
        64 => Some(8),
        _ => None,
    }
}

type Range<'c> = (Value<'c>, Value<'c>, Value<'c>);

/// Every iteration of a range of rows and columns.
fn emit_scalar<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    plan: &Transpose,
    ivs: &mut [Value<'c>],
    rows: Range<'c>,
    columns: Range<'c>,
) -> Emitted<()> {
    loop_ops::for_loop(builder, rows, &[], |builder, row, _| {
        ivs[plan.row] = row;
        loop_ops::for_loop(builder, columns, &[], |builder, column, _| {
            ivs[plan.column] = column;
            body::emit_iteration_in_memory(builder, nest, ivs)?;
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    Ok(())
}

/// Every iteration of a range of rows, a block of columns at a time.
fn emit_scalar_blocks<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    plan: &Transpose,
    ivs: &mut [Value<'c>],
    (lower, upper): (Value<'c>, Value<'c>),
    columns: i64,
) -> Emitted<()> {
    let one = loop_ops::index(builder, 1)?;
    loop_ops::for_range(builder, columns, COLUMNS, |builder, start| {
        let length = loop_ops::index(builder, COLUMNS)?;
        let mut end = loop_ops::add(builder, start, length)?;
        if columns % COLUMNS != 0 {
            let limit = loop_ops::index(builder, columns)?;
            end = arith::minsi(builder, end, limit)?;
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

/// One square block, transposed in vector registers.
fn emit_square<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    plan: &Transpose,
    ivs: &[Value<'c>],
    lanes: i64,
) -> Emitted<()> {
    let (input, output) = (&nest.inputs()[0], &nest.outputs()[0]);
    let r#type = vector_type(&[lanes], element_type(output.value.r#type()));
    let at = |dim: usize, number: i64| {
        let mut ivs = ivs.to_vec();
        let offset = loop_ops::index(builder, number)?;
        ivs[dim] = loop_ops::add(builder, ivs[dim], offset)?;
        Ok(ivs)
    };
    let mut rows = Vec::new();
    for number in 0..lanes {
        let indices = input.indices_at(builder, &at(plan.column, number)?)?;
        rows.push(vector::load(
            builder,
            input.view(builder)?,
            &indices,
            r#type,
        )?);
    }
    for (number, vector) in interleave(builder, rows)?.into_iter().enumerate() {
        let indices = output.indices_at(builder, &at(plan.row, number as i64)?)?;
        vector::store(builder, vector, output.view(builder)?, &indices)?;
    }
    Ok(())
}

/// Transposes a square of n vectors of n lanes. Each round interleaves the
/// vectors of the first half with those of the second, which rotates the bits
/// of an element's row and lane by one; log2(n) rounds exchange row and lane.
pub fn interleave<'c>(builder: &Builder<'c>, mut rows: Vec<Value<'c>>) -> Emitted<Vec<Value<'c>>> {
    let lanes = rows.len();
    let masks: Vec<Vec<i64>> = [0, lanes / 2]
        .iter()
        .map(|start| {
            (0..lanes)
                .map(|lane| (start + lane / 2 + (lane % 2) * lanes) as i64)
                .collect()
        })
        .collect();
    for _ in 0..lanes.ilog2() {
        let mut next = Vec::new();
        for number in 0..lanes / 2 {
            let (first, second) = (rows[number], rows[number + lanes / 2]);
            for mask in &masks {
                next.push(vector::shuffle(builder, first, second, mask)?);
            }
        }
        rows = next;
    }
    Ok(rows)
}
