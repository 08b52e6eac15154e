//! `gather` and `dynamic_gather`: slices of a tensor at listed positions.
//!
//! The result is one `linalg.generic`. Its inputs are the components of the index vectors; its body
//! clamps the start of the slice to the operand and reads one element:
//!
//! ```mlir
//! %0 = "stablehlo.gather"(%rows, %numbers) <{dimension_numbers = #stablehlo.gather<
//!     offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
//!     index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}>
//!     : (tensor<100x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]}
//!     ins(%numbers : tensor<4xi32>) outs(%empty : tensor<4x8xf32>) {
//! ^bb0(%number: i32, %out: f32):
//!   %row = ... // clamped to [0, 99]
//!   %column = linalg.index 1 : index
//!   %element = tensor.extract %rows[%row, %column] : tensor<100x8xf32>
//!   linalg.yield %element : f32
//! }
//! ```
//!
//! The start is invariant along a slice, so that it is hoisted out of the innermost loop, which
//! then copies adjacent elements.

use super::{
    Lowered, Lowering,
    result_shapes::{Relation, Required, dimension_of_operand},
    slice::wide_size,
};
use halo_ir::{ops::index::Index, prelude::*, stablehlo::attributes::GatherDimensionNumbers};
use melior::ir::AffineExpr;

impl<'c> Lowering<'_, 'c> {
    pub(super) fn gather(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let numbers = match self.op.cast::<stablehlo::GatherOp>() {
            Some(gather) => gather.dimension_numbers(),
            None => self.op_as::<stablehlo::DynamicGatherOp>()?.dimension_numbers(),
        };
        let (operand, indices) = (self.operand(0)?, self.operand(1)?);
        let index_element = self.original_element(1)?;
        let sizes = self.sizes(0)?;
        let result = self.gathered_shape(&numbers)?;
        let target = result.sizes.clone();
        if sizes.contains(&Size::Static(0)) {
            // The operand is empty, so that any elements of the result are arbitrary.
            let zero = arith::number(&b, result.element, 0);
            return Ok(vec![structured::filled(&b, zero, result)]);
        }

        let vector_dim = numbers.index_vector_dim;
        let batch_dims = others(target.len(), &[&numbers.offset_dims]);
        let sliced = others(
            sizes.len(),
            &[
                &numbers.collapsed_slice_dims,
                &numbers.operand_batching_dims,
            ],
        );
        // The loop over each dimension of the slice.
        let mut offset_loops = vec![None; sizes.len()];
        for (dim, offset) in sliced.iter().zip(&numbers.offset_dims) {
            offset_loops[*dim] = Some(*offset as usize);
        }
        for (dim, of_indices) in
            numbers.operand_batching_dims.iter().zip(&numbers.start_indices_batching_dims)
        {
            let number = of_indices - i64::from(vector_dim < *of_indices);
            offset_loops[*dim as usize] = batch_dims.get(number as usize).copied();
        }

        let batching = &numbers.operand_batching_dims;
        let rooms: Vec<Size> = (0..sizes.len())
            .map(|dim| {
                let is_indexed = numbers.start_index_map.contains(&(dim as i64));
                let slice = match offset_loops[dim] {
                    Some(offset) if !batching.contains(&(dim as i64)) => target[offset],
                    _ => 1.into(),
                };
                if !is_indexed {
                    return 0.into();
                }
                self.expect_slice_within(dim, slice, sizes[dim]);
                sizes[dim].minus(&b, slice).max(&b, 0)
            })
            .collect();
        let rank = indices.ty().shape().map_or(0, |shape| shape.len());
        let components = (0..numbers.start_index_map.len())
            .map(|component| {
                let part = part_of(indices, vector_dim, component as i64);
                let (indices, component) = part.map_or((indices, component), |part| (part, 0));
                let (indices, kept) = before_unit_dims(indices, rank);
                let mut batch = batch_dims.iter();
                let results = (0..rank)
                    .map(|dim| {
                        if dim as i64 == vector_dim {
                            Some(AffineExpr::constant(b.context(), component as i64))
                        } else {
                            let number = batch.next()?;
                            Some(AffineExpr::dim(b.context(), *number))
                        }
                    })
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(|| no_match("a dimension is out of range"))?;
                let results: Vec<_> = kept.iter().map(|dim| results[*dim]).collect();
                Ok((indices, structured::map(&b, target.len(), &results)))
            })
            .collect::<RewriteResult<Vec<_>>>()?;

        let value = structured::gather_elements(&b, components, result, |b, arguments| {
            let position = (0..sizes.len())
                .map(|dim| {
                    let mut position = None;
                    let component =
                        numbers.start_index_map.iter().position(|mapped| *mapped == dim as i64);
                    if let Some(component) = component {
                        let start = arguments[component];
                        let range = (0.into(), rooms[dim]);
                        position = Some(clamp(b, start, index_element, range));
                    }
                    if let Some(offset) = offset_loops[dim] {
                        let offset = loop_index(b, offset);
                        position = Some(match position {
                            Some(start) => arith::addi(b, start, offset),
                            None => offset,
                        });
                    }
                    match position {
                        Some(position) => Ok(position),
                        None => Ok(index::constant(b, 0)),
                    }
                })
                .collect::<RewriteResult<Vec<_>>>()?;
            Ok::<_, RewriteError>(tensor::extract(b, operand, &position))
        })?;
        Ok(vec![value])
    }

    /// The shape of the result: the sizes of slices, and the sizes of the indices.
    fn gathered_shape(&self, numbers: &GatherDimensionNumbers) -> RewriteResult<Shape<'c>> {
        let slices: Vec<Size> = match self.op.cast::<stablehlo::GatherOp>() {
            Some(gather) => sizes::fixed(&gather.slice_sizes()),
            None => self.shape_operand(2)?,
        };
        let omitted = [
            &numbers.collapsed_slice_dims[..],
            &numbers.operand_batching_dims,
        ];
        let mut offsets = others(slices.len(), &omitted).into_iter().map(|dim| slices[dim]);
        let batch = self.sizes(1)?.into_iter().enumerate();
        let mut batch = batch
            .filter(|(dim, _)| *dim as i64 != numbers.index_vector_dim)
            .map(|(_, size)| size);
        let rank = self.result()?.shape().map_or(0, |shape| shape.len());
        let sizes = (0..rank as i64).map(|dim| {
            let size = if numbers.offset_dims.contains(&dim) {
                offsets.next()
            } else {
                batch.next()
            };
            size.ok_or_else(|| no_match("a dimension is out of range"))
        });
        self.result_shape(0, &sizes.collect::<RewriteResult<Vec<_>>>()?)
    }

    /// Checks that a slice of the operand is not larger than the operand.
    fn expect_slice_within(&self, dim: usize, slice: Size<'c>, size: Size<'c>) {
        let required = Required {
            relation: Relation::AtMost,
            size,
            name: &dimension_of_operand(dim, 0),
        };
        self.expect(
            slice,
            &format!("the slice size in dimension {dim}"),
            required,
        );
    }

    /// The element type of an operand in HLO.
    pub(super) fn original_element(&self, operand: usize) -> RewriteResult<Type<'c>> {
        self.op_operand_type(operand)
            .map(Type::element_type)
            .ok_or_else(|| RewriteError::Invalid(format!("operand {operand} is missing")))
    }
}

/// The operand of a concatenation that has one component of all index vectors, as in `x[i, j]`: an
/// op that reads it fuses with its producer.
fn part_of(indices: Value<'_>, vector_dim: i64, component: i64) -> Option<Value<'_>> {
    let dim = usize::try_from(vector_dim).ok()?;
    let mut whole = indices;
    while let Some(insert) = whole.defined_by::<tensor::InsertSliceOp>() {
        let (source, offsets) = (insert.source(), insert.static_offsets());
        let mut sizes = whole.ty().static_shape()?;
        *sizes.get_mut(dim)? = 1;
        if source.ty().static_shape()? != sizes {
            return None;
        }
        match *offsets.get(dim)? {
            offset if offset == component => return Some(source),
            // The offset is dynamic.
            ..0 => return None,
            _ => {}
        }
        whole = insert.dest();
    }
    None
}

/// The dimensions below `rank` that are not listed.
pub fn others(rank: usize, listed: &[&[i64]]) -> Vec<usize> {
    (0..rank)
        .filter(|dim| !listed.iter().any(|list| list.contains(&(*dim as i64))))
        .collect()
}

/// Clamps an integer of the given HLO type to a range, as an index.
pub fn clamp<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    original: Type<'c>,
    (least, most): (Size<'c>, Size<'c>),
) -> Value<'c> {
    if least == most {
        return least.value(b);
    }
    let wide = integer_type(b.context(), 64);
    let unsigned = original.is_unsigned() || original.integer_width() == Some(1);
    let value = arith::resize_integer(b, value, wide, !unsigned);
    let most = wide_size(b, most);
    let clamped = if unsigned {
        arith::minui(b, value, most)
    } else {
        let least = wide_size(b, least);
        let raised = arith::maxsi(b, value, least);
        arith::minsi(b, raised, most)
    };
    arith::cast(b, arith::index_cast, clamped, Type::index(b.context()))
}

/// `linalg.index`
fn loop_index<'c>(b: &Builder<'c>, dim: usize) -> Value<'c> {
    linalg::index(b, dim as i64)
}

/// The source of a reshape that adds dimensions of size 1, and the dimensions of the result that the
/// source has: an op that reads the source with fewer indices fuses with its producer. Any other
/// tensor is returned with all of `rank` dimensions.
fn before_unit_dims(value: Value<'_>, rank: usize) -> (Value<'_>, Vec<usize>) {
    let whole = (value, (0..rank).collect());
    let Some(expand) = value.defined_by::<tensor::ExpandShapeOp>() else {
        return whole;
    };
    let shapes = (expand.src().ty().static_shape(), value.ty().static_shape());
    let (Some(from), Some(to)) = shapes else {
        return whole;
    };
    let groups = expand.reassociation();
    let own = groups.iter().zip(&from).map(|(group, size)| {
        let mut group = group.iter().filter_map(|dim| usize::try_from(*dim).ok());
        group.find(|dim| to.get(*dim) == Some(size))
    });
    match own.collect::<Option<Vec<_>>>() {
        Some(own) => (expand.src(), own),
        None => whole,
    }
}
