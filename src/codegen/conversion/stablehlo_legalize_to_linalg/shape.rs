//! Ops that move elements without arithmetic: broadcast, reshape, transpose, reverse,
//! bitcast_convert between widths.

use super::{Lowered, Lowering};
use crate::conversion::scalar::storage;
use halo_ir::prelude::*;
use melior::ir::AffineExpr;

impl<'c> Lowering<'_, 'c> {
    pub(super) fn broadcast_in_dim(&mut self) -> Lowered<'c> {
        let dimensions = self.op_as::<stablehlo::BroadcastInDimOp>()?.broadcast_dimensions();
        self.broadcast_along(&dimensions)
    }

    /// `broadcast`: the operand's dimensions are the last ones of the result.
    pub(super) fn broadcast(&mut self) -> Lowered<'c> {
        let rank = self.operand(0)?.ty().sizes().len();
        let total = self.result()?.sizes().len();
        let dimensions: Vec<i64> = (total - rank..total).map(|index| index as i64).collect();
        self.broadcast_along(&dimensions)
    }

    fn broadcast_along(&mut self, dimensions: &[i64]) -> Lowered<'c> {
        let b = self.builder;
        let operand = self.operand(0)?;
        let result = self.result()?;
        let rank = result.sizes().len();
        let target = result.sizes();
        let indices: Vec<AffineExpr> = operand
            .ty()
            .sizes()
            .iter()
            .zip(dimensions)
            .map(|(size, dimension)| {
                if *size == 1 && target.get(*dimension as usize) != Some(&1) {
                    AffineExpr::constant(b.context(), 0)
                } else {
                    AffineExpr::dim(b.context(), *dimension as usize)
                }
            })
            .collect();
        let map = structured::map(&b, rank, &indices);
        let value =
            structured::gather_elements(&b, vec![(operand, map)], result, |_, arguments| {
                arguments[0]
            });
        Ok(vec![value])
    }

    pub(super) fn reshape(&mut self) -> Lowered<'c> {
        let sizes = self.result()?.sizes();
        let value = structured::reshape(&self.builder, self.operand(0)?, &sizes);
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
        let result = self.result()?;
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
        if from_bits > to_bits {
            let narrow = integer_type(b.context(), to_bits);
            let wide = integer_type(b.context(), from_bits);
            let rank = result.sizes().len();
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
        let sizes = result.sizes();
        let loops = sizes.len() + 1;
        let whole: Vec<usize> = (0..loops).collect();
        let zero = arith::constant(&b, wide, 0);
        let start = structured::filled(&b, zero, tensor_type(&sizes, wide));
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
