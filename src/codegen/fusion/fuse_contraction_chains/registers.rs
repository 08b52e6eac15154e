//! Tiles for GPUs: a warp has 16 rows of a tile in registers, a block stages the factors of a block
//! of columns in workgroup memory.

use super::{
    Options, Tiles,
    chain::{Chain, Kind, Member},
    layout::{Axes, tile_size},
    stream::Stream,
    streamed::Blocks,
};
use crate::{
    explain::Reason,
    loops::contraction::{DirectBody, Precision},
};
use halo_ir::prelude::*;

/// The rows of a warp, and of an `mma` instruction.
const WARP_ROWS: i64 = 16;
/// The maximal rows of a tile.
const MOST_ROWS: i64 = 64;
/// The maximal columns of a block.
const MOST_COLUMNS: i64 = 32;
/// The maximal bytes of workgroup memory of a block.
const WORKGROUP_BYTES: i64 = 48 << 10;
/// The maximal registers of a thread for the values of a tile, of 255.
const REGISTERS: i64 = 208;

impl Tiles {
    /// The tiles of a chain in registers.
    pub(super) fn in_registers(chain: &mut Chain, options: &Options) -> Result<Self, Reason> {
        let stream = Stream::of(chain).ok_or(Reason::NotBlockByBlock)?;
        let products: Vec<&Member> = chain.of_kind(Kind::Contraction).collect();
        let [first, last] = products[..] else {
            return Err(Reason::NotBlockByBlock);
        };
        let element = element_of(first).filter(|element| element_of(last) == Some(*element));
        let element = element.ok_or(Reason::NoMatrixInstruction)?;
        let element_bytes = i64::from(element.bit_width().unwrap_or(64)) / 8;
        if element_bytes == 4 && !options.registers_f32 {
            return Err(Reason::NoMatrixInstruction);
        }
        let axes = &chain.axes;
        let rows = chain.rows.iter().copied();
        let axis = rows.max_by_key(|axis| axes.size(*axis)).ok_or(Reason::OneRow)?;
        let size = axes.size(axis);
        if size < WARP_ROWS {
            return Err(Reason::FewRows);
        }
        let mut extents = chain.row_extents();
        // The elements that the factors have for each column.
        let width = last.result_elements(axes, &extents);
        let depth = first.operands[..2]
            .iter()
            .filter(|dims| !chain.has_axis(dims, stream.axis))
            .map(|dims| Member::tile_elements(dims, axes, &extents))
            .max()
            .ok_or(Reason::NotBlockByBlock)?;
        let mut columns = axes.size(stream.axis).min(MOST_COLUMNS);
        let line = staged(depth, element_bytes) + staged(width, element_bytes);
        // The other factor of the first product, if it is not in registers.
        let kept = if element_bytes == 4 {
            MOST_ROWS * depth * 4
        } else {
            0
        };
        while columns >= WARP_ROWS && columns * line * element_bytes + kept > WORKGROUP_BYTES {
            columns /= 2;
        }
        let columns = without_single_rest(axes.size(stream.axis), columns);
        let kept_registers = if kept == 0 {
            depth * element_bytes / 8
        } else {
            0
        };
        let registers = width / 2 + kept_registers + columns / 2;
        if columns < WARP_ROWS || registers > REGISTERS {
            return Err(Reason::ExceedsRegisters);
        }
        let others = chain.batch.iter().chain(&chain.rows).filter(|other| **other != axis);
        let others = others.fold(1, |count: i64, other| {
            count.saturating_mul(axes.size(*other))
        });
        let mut most = MOST_ROWS;
        while most > WARP_ROWS && others.saturating_mul(size / most) < options.fewest_tiles {
            most /= 2;
        }
        let rows = without_single_rest(size, super::rows_of_tile(size, most));
        // Without reductions between the products, the matrix between them is written and read once.
        let reduces = chain.members.iter().any(|member| !member.is_prologue && member.reduces());
        if !reduces && 2 * rows < depth + width {
            return Err(Reason::PackingExceedsSavings);
        }
        extents[axis] = rows;
        extents[stream.axis] = columns;
        if !chain
            .members
            .iter()
            .all(|member| is_of_rows_and_columns(member, axes, &extents))
        {
            return Err(Reason::NotBlockByBlock);
        }
        chain.read_sources();
        if !chain.has_regular_tiles(&extents) {
            return Err(Reason::IrregularTileStride);
        }
        Ok(Self {
            axis,
            rows,
            blocks: Some(Blocks { stream, columns }),
        })
    }
}

/// A tile size of at most `tile` that leaves other than one element: tiles have no dimensions of
/// one element.
fn without_single_rest(size: i64, tile: i64) -> i64 {
    let mut sizes = std::iter::once(tile).chain((8..tile).rev().filter(|size| size % 8 == 0));
    sizes.find(|tile| size % tile != 1).unwrap_or(tile)
}

/// The elements of a row in workgroup memory, which is padded for `mma` and for the swizzle of
/// chunks of 16 bytes.
fn staged(elements: i64, element_bytes: i64) -> i64 {
    let chunks = (elements + 15) / 16 * element_bytes;
    let chunks = if chunks > 8 {
        (chunks + 7) / 8 * 8
    } else {
        chunks.max(1).unsigned_abs().next_power_of_two() as i64
    };
    chunks * 16 / element_bytes
}

/// The element type of both factors of a product that tensor cores compute.
fn element_of<'c>(product: &Member<'c>) -> Option<Type<'c>> {
    let body = DirectBody::of(product.op.body(0)?)?;
    let elements = [0, 1].map(|number| product.op.operands()[number].ty().element_type());
    let is_exact = Precision::of(product.op) == Precision::Highest;
    let is_known = match elements[0].float_kind()? {
        FloatKind::BF16 | FloatKind::F16 => true,
        FloatKind::F32 => !is_exact,
        _ => false,
    };
    let is_supported = is_known
        && elements[0] == elements[1]
        && body.accumulator.float_kind() == Some(FloatKind::F32)
        && product.op.results()[0].ty().element_type() == body.accumulator;
    is_supported.then_some(elements[0])
}

/// Whether the loops over a tile are over rows and columns, and the columns of the other product.
fn is_of_rows_and_columns(member: &Member, axes: &Axes, extents: &[i64]) -> bool {
    let loops = member.loops.iter().filter(|dim| tile_size(&axes.resolve(dim), extents) != 1);
    match member.kind {
        Kind::Contraction => loops.count() == 3,
        Kind::Elements if member.is_prologue && member.reduces() => false,
        Kind::Elements => loops.count() <= 2 && member.op.results().len() == 1,
        Kind::Fill | Kind::Reshape => true,
    }
}
