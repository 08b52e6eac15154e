//! Vectorized accesses of up to 128 bits to operands of a loop nest.

use crate::loops::prelude::*;
use halo_ir::prelude::*;

/// Bytes of the widest access.
const WIDEST: i64 = 16;

/// The number of adjacent iterations of a loop per thread, such that accesses to contiguous
/// operands have at most 128 bits, and rows begin at a multiple of this number.
pub fn width(nest: &LoopNest, dim: usize) -> i64 {
    let extent = nest.dims[dim].extent.estimate();
    let mut bytes = 0;
    let mut strided_output = false;
    for (number, access) in nest.accesses.iter().enumerate() {
        let output = number >= nest.input_count;
        match access.stride(dim) {
            1 => bytes = bytes.max(element_bytes(access).unwrap_or(WIDEST)),
            0 => {}
            _ => strided_output |= output,
        }
    }
    if bytes == 0 || strided_output {
        return 1;
    }
    let mut width = (WIDEST / bytes).max(1);
    while width > 1 && extent % width != 0 {
        width /= 2;
    }
    width
}

fn element_bytes(access: &Access) -> Option<i64> {
    let element = access.value.ty().element_type();
    let bits = element.bit_width()?;
    // Booleans are bytes in memory, but bits in a vector.
    (bits >= 8 && bits % 8 == 0).then(|| i64::from(bits / 8))
}

/// Returns true if `width` elements from any multiple of `width` along a loop can be accessed at
/// once: they are contiguous and aligned to their size.
pub fn is_wide(nest: &LoopNest, access: &Access, dim: usize, width: i64) -> bool {
    if width == 1
        || is_padded_along(access, dim)
        || access.scalar
        || access.indices.last() != Some(&Expr::Dim(dim))
        || element_bytes(access).is_none()
        || access.value.ty().element_type().is_complex()
        || access.value.ty().element_type().is_index()
    {
        return false;
    }
    let Some((strides, _)) = access.ty().strides() else {
        return false;
    };
    let rows_aligned = access.indices.iter().zip(&strides).rev().skip(1).all(|(index, stride)| {
        match (index, stride) {
            (Expr::Constant(0), _) => true,
            (_, Some(stride)) => stride % width == 0,
            _ => false,
        }
    });
    strides.last() == Some(&Some(1))
        && rows_aligned
        && starts_at_multiple(access.value, width)
        && nest.dims[dim].extent.estimate() % width == 0
        && has_aligned_base(access.value)
}

/// Returns true if some elements along a loop are padding and others are not.
fn is_padded_along(access: &Access, dim: usize) -> bool {
    let mut bounds = access.padding.iter().flat_map(|padding| &padding.bounds);
    bounds.any(|(index, _)| index.mentions(dim))
}

/// Returns true if the offset of a view, in elements, is a multiple of a number for all values of
/// dynamic indices.
fn starts_at_multiple(view: Value, number: i64) -> bool {
    if let Some((_, Some(offset))) = view.ty().strides() {
        return offset % number == 0;
    }
    let Some(operation) = view.defining_op() else {
        return false;
    };
    let Some(source) = view_source(operation) else {
        return false;
    };
    let moves_by_multiples = match operation.cast::<memref::SubViewOp>() {
        None => !operation.isa::<memref::ReinterpretCastOp>() && !operation.isa::<memref::ViewOp>(),
        Some(subview) => source.ty().strides().is_some_and(|(strides, _)| {
            subview.static_offsets().iter().zip(strides).all(|(offset, stride)| {
                // `i64::MIN` marks a dynamic offset.
                let by = match *offset {
                    i64::MIN => stride,
                    offset => stride.and_then(|stride| stride.checked_mul(offset)),
                };
                by.is_some_and(|by| by % number == 0)
            })
        }),
    };
    moves_by_multiples && starts_at_multiple(source, number)
}

/// Returns true if the base of a view, without its offset in elements, is aligned to 16 bytes: for
/// buffers and for views with constant byte offsets.
fn has_aligned_base(value: Value) -> bool {
    if value
        .as_block_argument()
        .is_some_and(|(block, _)| block.parent().is_some_and(|owner| owner.isa::<func::FuncOp>()))
    {
        return true;
    }
    let Some(operation) = value.defining_op() else {
        return false;
    };
    match operation.name() {
        memref::AllocOp::NAME | memref::GetGlobalOp::NAME => true,
        memref::ExpandShapeOp::NAME
        | memref::CollapseShapeOp::NAME
        | memref::SubViewOp::NAME
        | memref::CastOp::NAME
        | memref::TransposeOp::NAME
        | memref::ReinterpretCastOp::NAME => {
            operation.operands().first().copied().is_some_and(has_aligned_base)
        }
        _ => false,
    }
}

/// Loads the elements of `width` adjacent iterations, by one load if possible.
pub fn load<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    access: &Access<'c>,
    (ivs, dim, width): (&[Value<'c>], usize, i64),
) -> Vec<Value<'c>> {
    let is_one = access.scalar || access.stride(dim) == 0 && !is_padded_along(access, dim);
    if is_one || access.start.is_some() {
        let value = access.load(builder, ivs);
        return vec![value; width as usize];
    }
    if is_wide(nest, access, dim, width) {
        let element = access.value.ty().element_type();
        let (indices, is_inside) = access.indices_inside(builder, ivs);
        let ty = vector_type(&[width], element);
        let vector = vector::LoadOp::build(builder, access.view(builder), &indices, ty)
            .alignment(vector::bytes(element, width))
            .value();
        return (0..width)
            .map(|lane| {
                let element = vector::extract(builder, vector, &[], &[lane]);
                access.padded(builder, element, is_inside)
            })
            .collect();
    }
    (0..width)
        .map(|lane| access.load(builder, &shifted(builder, ivs, dim, lane)))
        .collect()
}

/// Stores the elements of `width` adjacent iterations.
pub fn store<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    access: &Access<'c>,
    (ivs, dim): (&[Value<'c>], usize),
    values: &[Value<'c>],
) {
    let width = values.len() as i64;
    if is_wide(nest, access, dim, width) {
        let element = access.value.ty().element_type();
        let vector = vector::from_elements(builder, values, vector_type(&[width], element));
        let indices = access.indices_at(builder, ivs);
        vector::StoreOp::build(builder, vector, access.view(builder), &indices)
            .alignment(vector::bytes(element, width))
            .insert();
        return;
    }
    for (lane, value) in values.iter().enumerate() {
        let ivs = shifted(builder, ivs, dim, lane as i64);
        access.store(builder, &ivs, *value);
    }
}

/// Loop indices, one of them incremented.
pub fn shifted<'c>(
    builder: &Builder<'c>,
    ivs: &[Value<'c>],
    dim: usize,
    by: i64,
) -> Vec<Value<'c>> {
    let mut ivs = ivs.to_vec();
    ivs[dim] = index::add(builder, ivs[dim], by);
    ivs
}
