//! Ops that move elements without arithmetic: broadcast, reshape, transpose, reverse,
//! bitcast_convert between widths.

use super::{Lowered, Lowering, result_shapes::dimension_of_operand};
use crate::conversion::scalar::storage;
use halo_ir::{
    ops::{cf, index::Index},
    prelude::*,
};
use melior::ir::AffineExpr;

impl<'c> Lowering<'_, 'c> {
    pub(super) fn broadcast_in_dim(&mut self) -> Lowered<'c> {
        let dimensions = self.op_as::<stablehlo::BroadcastInDimOp>()?.broadcast_dimensions();
        self.broadcast_along(&dimensions, self.result()?.into(), &[])
    }

    /// `dynamic_broadcast_in_dim`: an operand is the shape of the result. The attributes list some
    /// dimensions that are repeated, and some that are not.
    pub(super) fn dynamic_broadcast_in_dim(&mut self) -> Lowered<'c> {
        let op = self.op_as::<stablehlo::DynamicBroadcastInDimOp>()?;
        let sizes = self.shape_operand(1)?;
        let shape = self.result_shape(0, &sizes)?;
        let expanding = op.known_expanding_dimensions().unwrap_or_default();
        let nonexpanding = op.known_nonexpanding_dimensions().unwrap_or_default();
        let repeats: Vec<Option<bool>> = (0..op.broadcast_dimensions().len() as i64)
            .map(|dimension| {
                let is_listed = |list: &[i64]| list.contains(&dimension);
                is_listed(&expanding)
                    .then_some(true)
                    .or(is_listed(&nonexpanding).then_some(false))
            })
            .collect();
        self.broadcast_along(&op.broadcast_dimensions(), shape, &repeats)
    }

    /// `broadcast`: the operand's dimensions are the last ones of the result.
    pub(super) fn broadcast(&mut self) -> Lowered<'c> {
        let rank = self.operand(0)?.ty().shape().map_or(0, |shape| shape.len());
        let total = self.result()?.shape().map_or(0, |shape| shape.len());
        let dimensions: Vec<i64> = (total - rank..total).map(|index| index as i64).collect();
        self.broadcast_along(&dimensions, self.result()?.into(), &[])
    }

    /// Repeats the operand along its dimensions of size 1. `repeats` has for each of its
    /// dimensions whether the op lists it as one.
    fn broadcast_along(
        &mut self,
        dimensions: &[i64],
        result: Shape<'c>,
        repeats: &[Option<bool>],
    ) -> Lowered<'c> {
        let b = self.builder;
        let operand = self.operand(0)?;
        let rank = result.sizes.len();
        let from = self.sizes(0)?;
        let mut indices = Vec::new();
        // Dimensions that only a run determines to be repeated.
        let mut undetermined = Vec::new();
        for (position, (size, dimension)) in from.iter().zip(dimensions).enumerate() {
            let target = result.sizes.get(*dimension as usize).copied();
            let target = target.ok_or_else(|| no_match("a dimension is out of range"))?;
            let is_repeated = match (size.known(), target.known()) {
                (Some(1), target) => Some(target != Some(1)),
                (Some(_), _) => Some(false),
                (None, _) if size.equals(target) => Some(false),
                _ => repeats.get(position).copied().flatten(),
            };
            let demanded = if is_repeated == Some(true) {
                1.into()
            } else {
                target
            };
            let name = dimension_of_operand(position, 0);
            let of = format!("dimension {dimension} of the result");
            match is_repeated {
                Some(_) => self.expect_equal(*size, &name, demanded, &of),
                None => {
                    let is_one = self.expect_broadcastable(*size, target, (&name, &of));
                    undetermined.push((position, is_one));
                }
            }
            indices.push(if is_repeated == Some(true) {
                AffineExpr::constant(b.context(), 0)
            } else {
                AffineExpr::dim(b.context(), *dimension as usize)
            });
        }
        if !undetermined.is_empty() {
            let value = structured::computed(&b, result, |b, loops| {
                let position = indices.iter().enumerate().map(|(position, index)| {
                    let at = dimensions[position] as usize;
                    let undetermined = undetermined.iter().find(|(number, _)| *number == position);
                    let zero = index::constant(b, 0);
                    match undetermined {
                        Some((_, is_one)) => arith::select(b, *is_one, zero, loops[at]),
                        None if *index == AffineExpr::dim(b.context(), at) => loops[at],
                        None => zero,
                    }
                });
                tensor::extract(b, operand, &position.collect::<Vec<_>>())
            });
            return Ok(vec![value]);
        }
        let map = structured::map(&b, rank, &indices);
        let value =
            structured::gather_elements(&b, vec![(operand, map)], result, |_, arguments| {
                arguments[0]
            });
        Ok(vec![value])
    }

    /// Checks that a size is 1 or the one of the result. Returns whether it is 1.
    fn expect_broadcastable(
        &self,
        size: Size<'c>,
        target: Size<'c>,
        (name, of): (&str, &str),
    ) -> Value<'c> {
        let b = self.builder;
        let (size, target) = (size.value(&b), target.value(&b));
        let is_one = index::compare(&b, CmpIPredicate::Eq, size, 1);
        let is_equal = arith::cmpi(&b, CmpIPredicate::Eq, size, target);
        let is_either = arith::ori(&b, is_one, is_equal);
        let op = self.op.name();
        cf::assert(
            &b,
            is_either,
            &format!("'{op}' op expected {name} to equal 1 or {of}"),
        );
        is_one
    }

    pub(super) fn reshape(&mut self) -> Lowered<'c> {
        self.reshape_into(self.result()?.into())
    }

    /// `dynamic_reshape`: an operand is the shape of the result.
    pub(super) fn dynamic_reshape(&mut self) -> Lowered<'c> {
        let shape = self.result_shape(0, &self.shape_operand(1)?)?;
        self.reshape_into(shape)
    }

    fn reshape_into(&self, shape: Shape<'c>) -> Lowered<'c> {
        let b = self.builder;
        let from = self.sizes(0)?;
        if !sizes::Product::of(&from).equals(&sizes::Product::of(&shape.sizes)) {
            let (before, after) = (sizes::product(&b, &from), sizes::product(&b, &shape.sizes));
            let (name, of) = ("the number of elements", "that of the result");
            self.expect_equal(before, name, after, of);
        }
        let value = structured::reshape_to(&b, self.operand(0)?, &shape.sizes);
        Ok(vec![value])
    }

    pub(super) fn transpose(&mut self) -> Lowered<'c> {
        let permutation = self.op_as::<stablehlo::TransposeOp>()?.permutation();
        let value = structured::transpose(&self.builder, self.operand(0)?, &permutation);
        Ok(vec![value])
    }

    pub(super) fn reverse(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let reversed = self.op_as::<stablehlo::ReverseOp>()?.dimensions();
        let value = structured::reverse(&b, self.operand(0)?, &reversed);
        Ok(vec![value])
    }

    /// Reinterprets bits between different widths: the shape gains or loses a last dimension for
    /// the narrow elements of a wide one, lowest bits first.
    pub(super) fn bitcast_convert(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let operand = self.operand(0)?;
        let to = self.op.result_types()[0].element_type();
        let from = self.original_elements()[0];
        let unknown = || {
            RewriteError::Invalid(format!(
                "the CPU backend has no bitcast between {from} and {to}"
            ))
        };
        let width = |element: Type<'c>| match element.complex_element() {
            Some(part) => part.bit_width().map(|bits| 2 * bits),
            None => element.bit_width(),
        };
        let from_bits = width(from).ok_or_else(unknown)?;
        let to_bits = width(to).ok_or_else(unknown)?;
        let mut sizes = self.sizes(0)?;
        if from_bits > to_bits {
            sizes.push(i64::from(from_bits / to_bits).into());
        } else if let Some(last) = sizes.pop() {
            let parts = Size::Static(i64::from(to_bits / from_bits));
            self.expect_equal(last, "the last dimension of operand 0", parts, "");
        }
        let result = self.result_shape(0, &sizes)?;
        if from_bits > to_bits {
            let narrow = integer_type(b.context(), to_bits);
            let wide = integer_type(b.context(), from_bits);
            let rank = result.sizes.len();
            let positions: Vec<usize> = (0..rank - 1).collect();
            let map = structured::projection(&b, rank, &positions);
            let value =
                structured::gather_elements(&b, vec![(operand, map)], result, |b, arguments| {
                    let bits = storage::bits(b, arguments[0], from)?;
                    let shift = self.bit_offset(b, rank - 1, to_bits, wide);
                    let shifted = arith::shrui(b, bits, shift);
                    let part = arith::cast(b, arith::trunci, shifted, narrow);
                    storage::from_bits(b, part, to)
                })?;
            return Ok(vec![value]);
        }
        // Narrow to wide: each narrow element is shifted to its position and combined by `or`.
        let wide = integer_type(b.context(), to_bits);
        let sizes = result.sizes.clone();
        let loops = sizes.len() + 1;
        let whole: Vec<usize> = (0..loops).collect();
        let zero = arith::constant(&b, wide, 0);
        let start = structured::filled(&b, zero, result.with_element(wide));
        let mut iterators = vec![IteratorType::Parallel; loops];
        iterators[loops - 1] = IteratorType::Reduction;
        let generic = structured::Generic {
            inputs: vec![(operand, structured::projection(&b, loops, &whole))],
            outputs: vec![(
                start,
                structured::projection(&b, loops, &whole[..loops - 1]),
            )],
            iterators,
        };
        let bits = generic.build(&b, |b, arguments| {
            let part = storage::bits(b, arguments[0], from)?;
            let part = arith::cast(b, arith::extui, part, wide);
            let shift = self.bit_offset(b, loops - 1, from_bits, wide);
            let shifted = arith::shli(b, part, shift);
            Ok::<_, RewriteError>(vec![arith::ori(b, arguments[1], shifted)])
        })?;
        let identity = structured::projection(&b, sizes.len(), &whole[..sizes.len()]);
        let value =
            structured::gather_elements(&b, vec![(bits[0], identity)], result, |b, arguments| {
                storage::from_bits(b, arguments[0], to)
            })?;
        Ok(vec![value])
    }

    /// The index of a loop times a width, as an integer.
    fn bit_offset(&self, b: &Builder<'c>, position: usize, width: u32, ty: Type<'c>) -> Value<'c> {
        let index = linalg::index(b, position as i64);
        let number = arith::cast(b, arith::index_cast, index, ty);
        let width = arith::constant(b, ty, i64::from(width));
        arith::muli(b, number, width)
    }
}
