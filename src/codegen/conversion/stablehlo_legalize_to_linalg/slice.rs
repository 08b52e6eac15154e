//! Ops on slices of tensors: slice, concatenate, pad, and dynamic slices.

use super::{Lowered, Lowering};
use halo_ir::prelude::*;

/// A static offset, or a value of index type.
#[derive(Clone, Copy)]
pub enum Offset<'c> {
    /// A constant.
    Static(i64),
    /// A value at run time.
    Dynamic(Value<'c>),
}

/// The offsets, sizes and strides of a slice.
pub struct Part<'c> {
    /// The offset of each dimension.
    pub offsets: Vec<Offset<'c>>,
    /// The number of elements in each dimension.
    pub sizes: Vec<i64>,
    /// The strides of the elements.
    pub strides: Vec<i64>,
}

impl<'c> Part<'c> {
    /// A slice of adjacent elements at static offsets.
    pub fn contiguous(offsets: &[i64], sizes: &[i64]) -> Self {
        Self {
            offsets: offsets.iter().copied().map(Offset::Static).collect(),
            sizes: sizes.to_vec(),
            strides: vec![1; sizes.len()],
        }
    }

    fn dynamic_offsets(&self) -> Vec<Value<'c>> {
        self.offsets
            .iter()
            .filter_map(|offset| match offset {
                Offset::Static(_) => None,
                Offset::Dynamic(value) => Some(*value),
            })
            .collect()
    }

    fn static_offsets(&self) -> Vec<i64> {
        self.offsets
            .iter()
            .map(|offset| match offset {
                Offset::Static(value) => *value,
                Offset::Dynamic(_) => i64::MIN,
            })
            .collect()
    }
}

/// Reads a slice of a tensor.
pub fn extract<'c>(b: &Builder<'c>, source: Value<'c>, part: &Part<'c>) -> Value<'c> {
    extract_as(b, source, part, &part.sizes)
}

/// Reads a slice of a tensor with a reduced rank: without some dimensions of size 1.
pub fn extract_as<'c>(
    b: &Builder<'c>,
    source: Value<'c>,
    part: &Part<'c>,
    sizes: &[i64],
) -> Value<'c> {
    tensor::extract_slice(
        b,
        source,
        &part.dynamic_offsets(),
        &[],
        &[],
        &part.static_offsets(),
        &part.sizes,
        &part.strides,
        tensor_type(sizes, source.ty().element_type()),
    )
}

/// Writes a slice of a tensor that the iterations of an `scf.forall` share.
pub fn insert_in_parallel<'c>(
    b: &Builder<'c>,
    source: Value<'c>,
    shared: Value<'c>,
    part: &Part<'c>,
) {
    tensor::parallel_insert_slice(
        b,
        source,
        shared,
        &part.dynamic_offsets(),
        &[],
        &[],
        &part.static_offsets(),
        &part.sizes,
        &part.strides,
    );
}

/// A tensor with a slice replaced.
pub fn insert<'c>(
    b: &Builder<'c>,
    source: Value<'c>,
    destination: Value<'c>,
    part: &Part<'c>,
) -> Value<'c> {
    tensor::insert_slice(
        b,
        source,
        destination,
        &part.dynamic_offsets(),
        &[],
        &[],
        &part.static_offsets(),
        &part.sizes,
        &part.strides,
    )
}

/// A tensor of the sizes `target` with the elements of another tensor, with interior padding
/// `interior`, from the position `low` on. A fill with a scalar comes first, then the elements are
/// inserted. Negative padding crops the tensor.
pub fn padded<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
    scalar: Value<'c>,
    (low, interior): (&[i64], &[i64]),
    target: &[i64],
) -> Value<'c> {
    let sizes = operand.ty().sizes();
    // Element `i` of a dimension is at `low + i * stride`; elements from `first` up to `last` are
    // in the result.
    let mut offsets = Vec::new();
    let mut first = Vec::new();
    let mut count = Vec::new();
    let mut strides = Vec::new();
    for dimension in 0..sizes.len() {
        let stride = interior[dimension] + 1;
        let start = if low[dimension] < 0 {
            (-low[dimension] + stride - 1) / stride
        } else {
            0
        };
        let room = target[dimension] - low[dimension];
        let end = if room <= 0 {
            0
        } else {
            ((room + stride - 1) / stride).min(sizes[dimension])
        };
        first.push(start);
        count.push((end - start).max(0));
        offsets.push(low[dimension] + start * stride);
        strides.push(stride);
    }
    let result = tensor_type(target, operand.ty().element_type());
    if count.contains(&0) {
        return structured::filled(b, scalar, result);
    }
    let inside = if count == sizes {
        operand
    } else {
        extract(b, operand, &Part::contiguous(&first, &count))
    };
    if count == target {
        return inside;
    }
    let part = Part {
        strides,
        ..Part::contiguous(&offsets, &count)
    };
    insert(b, inside, structured::filled(b, scalar, result), &part)
}

impl<'c> Lowering<'_, 'c> {
    pub(super) fn slice(&mut self) -> Lowered<'c> {
        let slice = self.op_as::<stablehlo::SliceOp>()?;
        let part = Part {
            offsets: slice.start_indices().into_iter().map(Offset::Static).collect(),
            sizes: self.result()?.sizes(),
            strides: slice.strides(),
        };
        Ok(vec![extract(&self.builder, self.operand(0)?, &part)])
    }

    pub(super) fn concatenate(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let dimension = self.op_as::<stablehlo::ConcatenateOp>()?.dimension() as usize;
        let mut value = structured::empty(&b, self.result()?);
        let mut position = 0;
        for operand in self.operands.clone() {
            let sizes = operand.ty().sizes();
            let mut offsets = vec![0; sizes.len()];
            offsets[dimension] = position;
            position += sizes[dimension];
            if sizes.contains(&0) {
                continue;
            }
            value = insert(&b, operand, value, &Part::contiguous(&offsets, &sizes));
        }
        Ok(vec![value])
    }

    pub(super) fn pad(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let scalar = tensor::extract(&b, self.operand(1)?, &[]);
        let pad = self.op_as::<stablehlo::PadOp>()?;
        let (low, interior) = (pad.edge_padding_low(), pad.interior_padding());
        let target = self.result()?.sizes();
        let value = padded(&b, self.operand(0)?, scalar, (&low, &interior), &target);
        Ok(vec![value])
    }

    /// Start indices, clamped as in the specification, so that the slice is in the operand.
    fn clamped_starts(
        &self,
        b: &Builder<'c>,
        starts: &[Value<'c>],
        whole: &[i64],
        sizes: &[i64],
    ) -> RewriteResult<Vec<Offset<'c>>> {
        use halo_ir::integer_type;
        starts
            .iter()
            .zip(whole.iter().zip(sizes))
            .enumerate()
            .map(|(position, (start, (whole, size)))| {
                let room = whole - size;
                if room == 0 {
                    return Ok(Offset::Static(0));
                }
                let scalar = tensor::extract(b, *start, &[]);
                let original = self
                    .op_operand_type(self.operands.len() - starts.len() + position)
                    .map(Type::element_type);
                let unsigned = original.is_some_and(Type::is_unsigned);
                let wide = integer_type(b.context(), 64);
                let scalar = arith::resize_integer(b, scalar, wide, !unsigned);
                let zero = arith::constant(b, wide, 0);
                let limit = arith::constant(b, wide, room);
                let clamped = if unsigned {
                    arith::minui(b, scalar, limit)
                } else {
                    let raised = arith::maxsi(b, scalar, zero);
                    arith::minsi(b, raised, limit)
                };
                let index = arith::cast(b, arith::index_cast, clamped, Type::index(b.context()));
                Ok(Offset::Dynamic(index))
            })
            .collect()
    }

    /// The type of an operand in HLO.
    pub(super) fn op_operand_type(&self, index: usize) -> Option<Type<'c>> {
        self.op.operand(index).map(|operand| operand.ty())
    }

    pub(super) fn dynamic_slice(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let operand = self.operand(0)?;
        let sizes = self.op_as::<stablehlo::DynamicSliceOp>()?.slice_sizes();
        let starts = self.operands[1..].to_vec();
        let part = Part {
            offsets: self.clamped_starts(&b, &starts, &operand.ty().sizes(), &sizes)?,
            strides: vec![1; sizes.len()],
            sizes,
        };
        Ok(vec![extract(&b, operand, &part)])
    }

    pub(super) fn dynamic_update_slice(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let (operand, update) = (self.operand(0)?, self.operand(1)?);
        let sizes = update.ty().sizes();
        if sizes.contains(&0) {
            return Ok(vec![operand]);
        }
        let starts = self.operands[2..].to_vec();
        let part = Part {
            offsets: self.clamped_starts(&b, &starts, &operand.ty().sizes(), &sizes)?,
            strides: vec![1; sizes.len()],
            sizes,
        };
        Ok(vec![insert(&b, update, operand, &part)])
    }
}
