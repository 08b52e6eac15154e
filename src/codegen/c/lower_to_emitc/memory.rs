//! Lowers buffers. A view is a pointer to its first element: sizes and strides are in its type.

use super::super::c_code::{CCode, memory_type, parts};
use crate::loops::prelude::*;
use halo_ir::{
    conversion::{Conversion, Lowered, OpConversion},
    emitc::array,
    ops::emitc::{self, CmpPredicate},
    prelude::*,
};

/// Adds the lowerings of `memref`. [`super::constants`] has the constants.
pub fn add(conversion: Conversion) -> Conversion {
    conversion
        .lowering::<memref::AllocaOp>(0, alloca)
        .lowering::<memref::AssumeAlignmentOp>(0, |op, _| same(&op))
        .lowering::<memref::CastOp>(0, |op, _| same(&op))
        .lowering::<memref::CollapseShapeOp>(0, |op, _| same(&op))
        .lowering::<memref::CopyOp>(0, copy)
        .lowering::<memref::DimOp>(0, dim)
        .lowering::<memref::ExpandShapeOp>(0, |op, _| same(&op))
        .lowering::<memref::ExtractAlignedPointerAsIndexOp>(0, |op, _| {
            let code = CCode(&op.builder);
            Ok(vec![code.cast(op.operand(0)?, op.result()?)?])
        })
        .lowering::<memref::LoadOp>(0, load)
        .lowering::<memref::ReinterpretCastOp>(0, reinterpret_cast)
        .lowering::<memref::StoreOp>(0, store)
        .lowering::<memref::SubViewOp>(0, subview)
        .lowering::<memref::ViewOp>(0, view)
}

/// The strides of a buffer, in elements of its type. A select among buffers whose layouts differ
/// only in their offsets has the strides of its operands.
fn strides(buffer: Value) -> RewriteResult<Vec<i64>> {
    let known = buffer.ty().strides().and_then(|(strides, _)| strides.into_iter().collect());
    if let Some(strides) = known {
        return Ok(strides);
    }
    if let Some(cast) = buffer.defined_by::<memref::CastOp>() {
        return strides(cast.source());
    }
    if let Some(choice) = buffer.defined_by::<arith::SelectOp>() {
        let of_either = strides(choice.true_value())?;
        if of_either == strides(choice.false_value())? {
            return Ok(of_either);
        }
    }
    Err(no_match("the strides of a buffer vary"))
}

fn memory<'c>(op: &OpConversion<'_, 'c>, buffer: Type<'c>) -> RewriteResult<Type<'c>> {
    memory_type(op.builder.context(), buffer.element_type())
        .ok_or_else(|| no_match("C has no type for the elements of a buffer"))
}

/// The sum of a constant and of products with constant factors.
fn dot<'c>(code: CCode<'_, 'c>, constant: i64, terms: &[(Value<'c>, i64)]) -> Option<Value<'c>> {
    let mut sum = None;
    for (value, factor) in terms {
        let product = match factor {
            0 => continue,
            1 => *value,
            factor => code.binary(emitc::mul, *value, code.index(*factor)),
        };
        sum = Some(match sum {
            Some(sum) => code.binary(emitc::add, sum, product),
            None => product,
        });
    }
    match (sum, constant) {
        (sum, 0) => sum,
        (Some(sum), constant) => Some(code.binary(emitc::add, sum, code.index(constant))),
        (None, constant) => Some(code.index(constant)),
    }
}

/// The buffer of a view, advanced by offsets along its dimensions. The static offset of a dynamic
/// one is `i64::MIN`.
fn moved<'c>(
    op: &OpConversion<'_, 'c>,
    (fixed, varying): (&[i64], &[Value<'c>]),
    strides: &[i64],
) -> Lowered<'c> {
    let mut varying = varying.iter();
    let (mut constant, mut terms) = (0, Vec::new());
    for (number, stride) in fixed.iter().zip(strides) {
        match *number {
            i64::MIN => {
                if let Some(value) = varying.next() {
                    terms.push((op.lookup(*value)?, *stride));
                }
            }
            number => constant += number * stride,
        }
    }
    let (code, base) = (CCode(&op.builder), op.operand(0)?);
    Ok(vec![match dot(code, constant, &terms) {
        Some(offset) => code.offset(base, offset),
        None => base,
    }])
}

fn same<'c>(op: &OpConversion<'_, 'c>) -> Lowered<'c> {
    Ok(vec![op.operand(0)?])
}

/// The offset of the first value in memory of an element of a buffer.
fn element<'c>(
    op: &OpConversion<'_, 'c>,
    buffer: usize,
) -> RewriteResult<(Value<'c>, Value<'c>, Type<'c>)> {
    let old = op.op.operands();
    let value = *old.get(buffer).ok_or_else(|| no_match("the op has no buffer"))?;
    let ty = value.ty();
    let width = parts(ty.element_type());
    let first = op.operands.len() - (old.len() - buffer - 1);
    let indices = op.operands.get(first..).unwrap_or_default();
    let strides = strides(value)?.into_iter().map(|stride| stride * width);
    let terms: Vec<_> = indices.iter().copied().zip(strides).collect();
    let code = CCode(&op.builder);
    let index = dot(code, 0, &terms).unwrap_or_else(|| code.index(0));
    Ok((op.operand(buffer)?, index, ty))
}

fn load<'c>(op: OpConversion<'_, 'c>, _: memref::LoadOp<'c>) -> Lowered<'c> {
    let code = CCode(&op.builder);
    let (base, index, buffer) = element(&op, 0)?;
    let ty = memory(&op, buffer)?;
    let part = |index: Value<'c>| code.load(code.subscript(base, index, ty), ty);
    let first = part(index);
    if buffer.element_type().is_complex() {
        let second = code.binary(emitc::add, index, code.index(1));
        return Ok(vec![first, part(second)]);
    }
    Ok(vec![match buffer.element_type().integer_width() {
        Some(1) => code.compare(CmpPredicate::Ne, first, code.integer(0, ty)),
        _ => first,
    }])
}

fn store<'c>(op: OpConversion<'_, 'c>, _: memref::StoreOp<'c>) -> Lowered<'c> {
    let code = CCode(&op.builder);
    let (base, index, buffer) = element(&op, 1)?;
    let ty = memory(&op, buffer)?;
    for (number, value) in op.parts(0)?.iter().enumerate() {
        let index = match number {
            0 => index,
            _ => code.binary(emitc::add, index, code.index(number as i64)),
        };
        let value = code.cast(*value, ty)?;
        code.assign(code.subscript(base, index, ty), value);
    }
    Ok(Vec::new())
}

/// Lowers an `alloca` to a local array.
fn alloca<'c>(op: OpConversion<'_, 'c>, alloca: memref::AllocaOp<'c>) -> Lowered<'c> {
    let code = CCode(&op.builder);
    let buffer = alloca.memref().ty();
    let count = buffer.element_count().ok_or_else(|| no_match("the size of an array varies"))?;
    let ty = memory(&op, buffer)?;
    let size = (count * parts(buffer.element_type())).max(1);
    let array = code.variable(array(size, ty));
    Ok(vec![code.first(array, ty)])
}

fn view<'c>(op: OpConversion<'_, 'c>, _: memref::ViewOp<'c>) -> Lowered<'c> {
    let code = CCode(&op.builder);
    let start = code.offset(op.operand(0)?, op.operand(1)?);
    Ok(vec![code.cast(start, op.result()?)?])
}

fn subview<'c>(op: OpConversion<'_, 'c>, view: memref::SubViewOp<'c>) -> Lowered<'c> {
    let source = view.source().ty();
    let width = parts(source.element_type());
    let strides = strides(view.source())?.into_iter();
    let strides: Vec<i64> = strides.map(|stride| stride * width).collect();
    moved(&op, (&view.static_offsets(), &view.offsets()), &strides)
}

/// The offset is relative to the beginning of the buffer, to which a buffer without an offset
/// points.
fn reinterpret_cast<'c>(
    op: OpConversion<'_, 'c>,
    cast: memref::ReinterpretCastOp<'c>,
) -> Lowered<'c> {
    let source = cast.source().ty();
    if source.strides().is_none_or(|(_, offset)| offset != Some(0)) {
        return Err(no_match(
            "the buffer does not begin where its pointer points to",
        ));
    }
    let width = parts(source.element_type());
    moved(&op, (&cast.static_offsets(), &cast.offsets()), &[width])
}

/// Lowers the size of a static dimension. A pointer has no dynamic sizes.
fn dim<'c>(op: OpConversion<'_, 'c>, dim: memref::DimOp<'c>) -> Lowered<'c> {
    let code = CCode(&op.builder);
    let number = constant_index(dim.index()).and_then(|number| usize::try_from(number).ok());
    let number = number.ok_or_else(|| no_match("the dimension varies"))?;
    let shape = dim.source().ty().shape().unwrap_or_default();
    match shape.get(number) {
        Some(Some(size)) => Ok(vec![code.index(*size)]),
        _ => Err(no_match("a size of a buffer varies")),
    }
}

/// Copies contiguous elements as bytes, others row by row.
fn copy<'c>(op: OpConversion<'_, 'c>, copy: memref::CopyOp<'c>) -> Lowered<'c> {
    let (source, target) = (copy.source().ty(), copy.target().ty());
    let sizes = source.static_shape().ok_or_else(|| no_match("the sizes of a copy vary"))?;
    let width = parts(source.element_type());
    let ty = memory(&op, source)?;
    if sizes.contains(&0) {
        return Ok(Vec::new());
    }
    // The number of trailing dimensions that are contiguous in both buffers.
    let (from, to) = (strides(copy.source())?, strides(copy.target())?);
    let is_whole = source.has_identity_layout() && target.has_identity_layout();
    let (mut row, mut outer) = (1, sizes.len());
    while outer > 0 && (is_whole || (from[outer - 1] == row && to[outer - 1] == row)) {
        outer -= 1;
        row *= sizes[outer];
    }
    let bytes = row * width * i64::from(ty.bit_width().unwrap_or(64) / 8);
    let rows = Rows {
        sizes: &sizes[..outer],
        from: &from,
        to: &to,
        width,
        bytes,
    };
    rows.copy(
        CCode(&op.builder),
        &mut Vec::new(),
        (op.operand(0)?, op.operand(1)?),
    )?;
    Ok(Vec::new())
}

struct Rows<'a> {
    sizes: &'a [i64],
    from: &'a [i64],
    to: &'a [i64],
    width: i64,
    bytes: i64,
}

impl Rows<'_> {
    fn copy<'c>(
        &self,
        code: CCode<'_, 'c>,
        indices: &mut Vec<Value<'c>>,
        (source, target): (Value<'c>, Value<'c>),
    ) -> RewriteResult {
        if let Some(size) = self.sizes.get(indices.len()) {
            let (zero, one) = (code.index(0), code.index(1));
            let body = code.0.region(&[zero.ty()], |builder, arguments| {
                indices.extend(arguments);
                self.copy(CCode(builder), indices, (source, target))?;
                indices.pop();
                emitc::yield_(builder);
                Ok::<_, RewriteError>(())
            })?;
            emitc::for_(code.0, zero, code.index(*size), one, body);
            return Ok(());
        }
        let row = |base: Value<'c>, strides: &[i64]| {
            let strides = strides.iter().map(|stride| stride * self.width);
            let terms: Vec<_> = indices.iter().copied().zip(strides).collect();
            match dot(code, 0, &terms) {
                Some(offset) => code.offset(base, offset),
                None => base,
            }
        };
        let (from, to) = (row(source, self.from), row(target, self.to));
        code.call_statement("memmove", &[to, from, code.index(self.bytes)]);
        Ok(())
    }
}
