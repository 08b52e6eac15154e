//! Ops on slices of tensors: slice, concatenate, pad, and dynamic slices.

use super::{
    Lowered, Lowering,
    result_shapes::{Relation, Required, dimension_of_operand},
};
use halo_ir::prelude::*;

/// The offsets, sizes and strides of a slice.
pub struct Part<'c> {
    /// The offset of each dimension.
    pub offsets: Vec<Size<'c>>,
    /// The number of elements in each dimension.
    pub sizes: Vec<Size<'c>>,
    /// The strides of the elements.
    pub strides: Vec<Size<'c>>,
}

impl<'c> Part<'c> {
    /// A slice of adjacent elements at static offsets.
    pub fn contiguous(offsets: &[i64], sizes: &[i64]) -> Self {
        Self::adjacent(sizes::fixed(offsets), sizes::fixed(sizes))
    }

    /// A slice of adjacent elements.
    pub fn adjacent(offsets: Vec<Size<'c>>, sizes: Vec<Size<'c>>) -> Self {
        Self {
            strides: sizes::fixed(&vec![1; sizes.len()]),
            offsets,
            sizes,
        }
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
    sizes: &[Size<'c>],
) -> Value<'c> {
    tensor::extract_slice(
        b,
        source,
        &sizes::values(&part.offsets),
        &sizes::values(&part.sizes),
        &sizes::values(&part.strides),
        &sizes::numbers(&part.offsets),
        &sizes::numbers(&part.sizes),
        &sizes::numbers(&part.strides),
        tensor_type(&sizes::numbers(sizes), source.ty().element_type()),
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
        &sizes::values(&part.offsets),
        &sizes::values(&part.sizes),
        &sizes::values(&part.strides),
        &sizes::numbers(&part.offsets),
        &sizes::numbers(&part.sizes),
        &sizes::numbers(&part.strides),
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
        &sizes::values(&part.offsets),
        &sizes::values(&part.sizes),
        &sizes::values(&part.strides),
        &sizes::numbers(&part.offsets),
        &sizes::numbers(&part.sizes),
        &sizes::numbers(&part.strides),
    )
}

/// The position of the elements of a tensor in a padded one, along one dimension.
#[derive(Clone, Copy)]
pub struct Padding<'c> {
    /// The position of the first element; negative padding crops the tensor.
    pub low: Size<'c>,
    /// The number of padding elements between two elements.
    pub interior: Size<'c>,
    /// The size of the padded tensor.
    pub target: Size<'c>,
}

impl<'c> Padding<'c> {
    /// The padding of a dimension of `size` elements by `low`, `interior` and `high` elements.
    pub fn around(b: &Builder<'c>, size: Size<'c>, [low, interior, high]: [Size<'c>; 3]) -> Self {
        let between = size.minus(b, 1).max(b, 0).times(b, interior);
        let target = size.plus(b, between).plus(b, low).plus(b, high);
        Self {
            low,
            interior,
            target,
        }
    }

    /// The stride of the elements in the padded tensor.
    fn stride(&self, b: &Builder<'c>) -> Size<'c> {
        self.interior.plus(b, 1)
    }

    /// The first element in the padded tensor, and the number of its elements.
    fn inside(&self, b: &Builder<'c>, size: Size<'c>) -> (Size<'c>, Size<'c>) {
        let stride = self.stride(b);
        let zero = Size::Static(0);
        let cropped = zero.minus(b, self.low).max(b, 0);
        let first = cropped.divided_up(b, stride);
        let high = self.high(size);
        if let (Some(0), Some(0..)) = (first.known(), high) {
            return (first, size);
        }
        let room = self.target.minus(b, self.low).max(b, 0);
        let end = room.divided_up(b, stride).min(b, size);
        (first, end.minus(b, first).max(b, 0))
    }

    /// The padding after the last element, if it is known.
    fn high(&self, size: Size<'c>) -> Option<i64> {
        if let (Some(size), Some(target)) = (size.known(), self.target.known()) {
            let (low, interior) = (self.low.known()?, self.interior.known()?);
            let between = (size - 1).max(0).saturating_mul(interior);
            let end = size.saturating_add(between).saturating_add(low);
            return Some(target.saturating_sub(end));
        }
        let is_unpadded = self.low.known() == Some(0) && self.interior.known() == Some(0);
        (is_unpadded && self.target.equals(size)).then_some(0)
    }
}

/// A tensor with padding around and between its elements. A fill with a scalar comes first, then
/// the elements are inserted.
pub fn padded<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
    scalar: Value<'c>,
    padding: &[Padding<'c>],
) -> Value<'c> {
    let sizes = Size::all(b, operand);
    // Element `i` of a dimension is at `low + i * stride`; `count` elements from `first` on are in
    // the result.
    let (mut first, mut count, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
    let (mut strides, mut target) = (Vec::new(), Vec::new());
    for (padding, size) in padding.iter().zip(&sizes) {
        let (start, inside) = padding.inside(b, *size);
        let stride = padding.stride(b);
        offsets.push(padding.low.plus(b, start.times(b, stride)));
        first.push(start);
        count.push(inside);
        strides.push(stride);
        target.push(padding.target);
    }
    let result = Shape::new(target.clone(), operand.ty().element_type());
    if count.contains(&Size::Static(0)) {
        return structured::filled(b, scalar, result);
    }
    let same = |left: &[Size<'c>], right: &[Size<'c>]| {
        left.iter().zip(right).all(|(left, right)| left.equals(*right))
    };
    let inside = if same(&count, &sizes) {
        operand
    } else {
        extract(b, operand, &Part::adjacent(first, count.clone()))
    };
    if same(&count, &target) {
        return inside;
    }
    let part = Part {
        offsets,
        sizes: count,
        strides,
    };
    insert(b, inside, structured::filled(b, scalar, result), &part)
}

impl<'c> Lowering<'_, 'c> {
    /// `slice`; its limits are within the operand.
    pub(super) fn slice(&mut self) -> Lowered<'c> {
        let slice = self.op_as::<stablehlo::SliceOp>()?;
        let sizes = self.sizes(0)?;
        for (dimension, (limit, size)) in slice.limit_indices().iter().zip(sizes).enumerate() {
            self.expect_room((*limit).into(), "the limit", (dimension, size));
        }
        let strides = slice.strides();
        let range = slice.start_indices().into_iter().zip(slice.limit_indices()).zip(&strides);
        let sizes = range.map(|((start, limit), stride)| {
            Size::Static(limit - start).divided_up(&self.builder, *stride)
        });
        let part = Part {
            sizes: sizes.collect(),
            offsets: sizes::fixed(&slice.start_indices()),
            strides: sizes::fixed(&strides),
        };
        Ok(vec![extract(&self.builder, self.operand(0)?, &part)])
    }

    /// Checks that an index or a size in a dimension of the first operand is at most its size.
    fn expect_room(&self, index: Size<'c>, name: &str, (dimension, size): (usize, Size<'c>)) {
        let name = format!("{name} in dimension {dimension}");
        let required = Required {
            relation: Relation::AtMost,
            size,
            name: &dimension_of_operand(dimension, 0),
        };
        self.expect(index, &name, required);
    }

    /// `real_dynamic_slice`: a slice with operands for its limits.
    pub(super) fn real_dynamic_slice(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let (starts, limits, strides) = (self.indices(1)?, self.indices(2)?, self.indices(3)?);
        let mut sizes = Vec::new();
        for (dimension, size) in self.sizes(0)?.into_iter().enumerate() {
            let (start, limit, stride) = (starts[dimension], limits[dimension], strides[dimension]);
            let at_least = |size: Size<'c>, name| Required {
                relation: Relation::AtLeast,
                size,
                name,
            };
            let start_name = format!("the start in dimension {dimension}");
            let limit_name = format!("the limit in dimension {dimension}");
            self.expect(start, &start_name, at_least(0.into(), ""));
            self.expect(limit, &limit_name, at_least(start, &start_name));
            self.expect_room(limit, "the limit", (dimension, size));
            let stride_name = format!("the stride in dimension {dimension}");
            self.expect(stride, &stride_name, at_least(1.into(), ""));
            sizes.push(limit.minus(&b, start).divided_up(&b, stride));
        }
        let sizes = self.result_shape(0, &sizes)?.sizes;
        let part = Part {
            offsets: starts,
            sizes,
            strides,
        };
        Ok(vec![extract(&b, self.operand(0)?, &part)])
    }

    pub(super) fn concatenate(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let dimension = self.op_as::<stablehlo::ConcatenateOp>()?.dimension() as usize;
        let operands = self.operands.clone();
        // The other sizes of the operands agree.
        let rank = self.result()?.shape().map_or(0, |shape| shape.len());
        let mut sizes = Vec::new();
        for other in 0..rank {
            let mut size = Size::of(&b, self.operand(0)?, other);
            for (number, operand) in operands.iter().enumerate().skip(1) {
                if other == dimension {
                    size = size.plus(&b, Size::of(&b, *operand, other));
                } else {
                    let agreed = self.agreed_size((0, other), (number, other))?;
                    if agreed.known().is_some() {
                        size = agreed;
                    }
                }
            }
            sizes.push(size);
        }
        let shape = self.result_shape(0, &sizes)?;
        let mut value = structured::empty(&b, &shape);
        let mut position = Size::Static(0);
        for operand in operands {
            let sizes = Size::all(&b, operand);
            let mut offsets = vec![Size::Static(0); sizes.len()];
            offsets[dimension] = position;
            position = position.plus(&b, sizes[dimension]);
            if sizes.contains(&Size::Static(0)) {
                continue;
            }
            value = insert(&b, operand, value, &Part::adjacent(offsets, sizes));
        }
        Ok(vec![value])
    }

    pub(super) fn pad(&mut self) -> Lowered<'c> {
        let pad = self.op_as::<stablehlo::PadOp>()?;
        let low = sizes::fixed(&pad.edge_padding_low());
        let high = sizes::fixed(&pad.edge_padding_high());
        self.pad_by(&low, &high, &sizes::fixed(&pad.interior_padding()))
    }

    /// `dynamic_pad`: padding by operands.
    pub(super) fn dynamic_pad(&mut self) -> Lowered<'c> {
        let (low, high, interior) = (self.indices(2)?, self.indices(3)?, self.indices(4)?);
        for (dimension, interior) in interior.iter().enumerate() {
            self.expect_size(
                *interior,
                &format!("the interior padding in dimension {dimension}"),
            );
        }
        self.pad_by(&low, &high, &interior)
    }

    fn pad_by(
        &mut self,
        low: &[Size<'c>],
        high: &[Size<'c>],
        interior: &[Size<'c>],
    ) -> Lowered<'c> {
        let b = self.builder;
        let scalar = tensor::extract(&b, self.operand(1)?, &[]);
        let sizes = self.sizes(0)?.into_iter().enumerate();
        let mut padding: Vec<Padding> = sizes
            .map(|(dimension, size)| {
                let around = [low[dimension], interior[dimension], high[dimension]];
                Padding::around(&b, size, around)
            })
            .collect();
        let targets: Vec<Size> = padding.iter().map(|padding| padding.target).collect();
        let targets = self.result_shape(0, &targets)?.sizes;
        for (dimension, (padding, target)) in padding.iter_mut().zip(targets).enumerate() {
            self.expect_size(target, &format!("dimension {dimension} of the result"));
            padding.target = target;
        }
        Ok(vec![padded(&b, self.operand(0)?, scalar, &padding)])
    }

    /// `set_dimension_size`: truncates a dimension, or extends it with zeros.
    pub(super) fn set_dimension_size(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let dimension = self.op_as::<stablehlo::SetDimensionSizeOp>()?.dimension() as usize;
        let size = self.shape_operand(1)?.first().copied();
        let size = size.ok_or_else(|| no_match("it has no size"))?;
        let mut target = self.sizes(0)?;
        target[dimension] = size;
        let target = self.result_shape(0, &target)?.sizes;
        let padding: Vec<Padding> = target
            .into_iter()
            .map(|target| Padding {
                low: 0.into(),
                interior: 0.into(),
                target,
            })
            .collect();
        let operand = self.operand(0)?;
        let zero = arith::number(&b, operand.ty().element_type(), 0);
        Ok(vec![padded(&b, operand, zero, &padding)])
    }

    /// Start indices, clamped as in the specification, so that the slice is in the operand.
    fn clamped_starts(
        &self,
        b: &Builder<'c>,
        starts: &[Value<'c>],
        whole: &[Size<'c>],
        sizes: &[Size<'c>],
    ) -> RewriteResult<Vec<Size<'c>>> {
        use halo_ir::integer_type;
        starts
            .iter()
            .zip(whole.iter().zip(sizes))
            .enumerate()
            .map(|(position, (start, (whole, size)))| {
                self.expect_room(*size, "the size of the slice", (position, *whole));
                let room = whole.minus(b, *size);
                if room.known() == Some(0) {
                    return Ok(room);
                }
                let scalar = tensor::extract(b, *start, &[]);
                let original = self
                    .op_operand_type(self.operands.len() - starts.len() + position)
                    .map(Type::element_type);
                let unsigned = original.is_some_and(Type::is_unsigned);
                let wide = integer_type(b.context(), 64);
                let scalar = arith::resize_integer(b, scalar, wide, !unsigned);
                let zero = arith::constant(b, wide, 0);
                let limit = wide_size(b, room);
                let clamped = if unsigned {
                    arith::minui(b, scalar, limit)
                } else {
                    let raised = arith::maxsi(b, scalar, zero);
                    arith::minsi(b, raised, limit)
                };
                let index = arith::cast(b, arith::index_cast, clamped, Type::index(b.context()));
                Ok(Size::Dynamic(index))
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
        let sizes = sizes::fixed(&self.op_as::<stablehlo::DynamicSliceOp>()?.slice_sizes());
        let starts = self.operands[1..].to_vec();
        let offsets = self.clamped_starts(&b, &starts, &Size::all(&b, operand), &sizes)?;
        Ok(vec![extract(&b, operand, &Part::adjacent(offsets, sizes))])
    }

    pub(super) fn dynamic_update_slice(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let (operand, update) = (self.operand(0)?, self.operand(1)?);
        let sizes = Size::all(&b, update);
        if sizes.contains(&Size::Static(0)) {
            return Ok(vec![operand]);
        }
        let starts = self.operands[2..].to_vec();
        let offsets = self.clamped_starts(&b, &starts, &Size::all(&b, operand), &sizes)?;
        Ok(vec![insert(
            &b,
            update,
            operand,
            &Part::adjacent(offsets, sizes),
        )])
    }
}

/// A size as an integer of 64 bits.
pub fn wide_size<'c>(b: &Builder<'c>, size: Size<'c>) -> Value<'c> {
    let wide = integer_type(b.context(), 64);
    match size {
        Size::Static(size) => arith::constant(b, wide, size),
        Size::Dynamic(size) => arith::cast(b, arith::index_cast, size, wide),
    }
}
