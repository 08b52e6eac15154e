//! Operands that are sizes or other indices, such as the shape of a `dynamic_reshape`, and
//! `get_dimension_size`.
//!
//! Frameworks compute them with StableHLO ops on small tensors. Each element is computed by index
//! arithmetic from the sizes of tensors as far as possible, so that equal sizes are equal values:
//!
//! ```mlir
//! %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
//! %1 = stablehlo.multiply %0, %two : tensor<i32>
//! %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
//! %3 = stablehlo.concatenate %2, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
//! %4 = stablehlo.dynamic_iota %3, dim = 0 : (tensor<2xi32>) -> tensor<?x4xf32>
//! ```
//!
//! The sizes of `%4` become
//!
//! ```mlir
//! %n = tensor.dim %x, %c0 : tensor<?x4xf32>
//! %m = arith.muli %n, %c2 : index
//! ```
//!
//! and 4. Sums and products of signed integers do not wrap around at their width, unlike
//! elements of tensors.

use super::{Lowered, Lowering};
use halo_hlo::custom_calls::error_message;
use halo_ir::{
    ops::{cf, index::Index},
    prelude::*,
    stablehlo::attributes::ComparisonDirection,
};
use std::cell::Cell;

/// The most ops between an element and the sizes that it is computed from.
const MOST_OPS: usize = 256;

impl<'c> Lowering<'_, 'c> {
    /// `get_dimension_size`
    pub(super) fn get_dimension_size(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let dimension = self.op_as::<stablehlo::GetDimensionSizeOp>()?.dimension() as usize;
        let size = Size::of(&b, self.operand(0)?, dimension);
        let result = self.result()?;
        let size = arith::cast(&b, arith::index_cast, size.value(&b), result.element_type());
        Ok(vec![tensor::from_elements(&b, &[size], result)])
    }

    /// Emits a shape assertion whose condition compares sizes as index arithmetic.
    pub(super) fn assert_shape(&self) -> Option<()> {
        let b = &self.builder;
        let compared = self.op.operand(0)?.defined_by::<stablehlo::CompareOp>()?;
        let budget = Cell::new(MOST_OPS);
        if ![compared.lhs(), compared.rhs()]
            .into_iter()
            .all(|value| is_of_sizes(value, &budget))
        {
            return None;
        }
        let [lhs, rhs] = [compared.lhs(), compared.rhs()]
            .map(|operand| self.computed_element(operand, 0, &budget));
        let predicate = match compared.comparison_direction() {
            ComparisonDirection::Eq => CmpIPredicate::Eq,
            ComparisonDirection::Ne => CmpIPredicate::Ne,
            ComparisonDirection::Ge => CmpIPredicate::Sge,
            ComparisonDirection::Gt => CmpIPredicate::Sgt,
            ComparisonDirection::Le => CmpIPredicate::Sle,
            ComparisonDirection::Lt => CmpIPredicate::Slt,
        };
        let holds = arith::cmpi(b, predicate, lhs?.value(b), rhs?.value(b));
        cf::assert(b, holds, &without_places(error_message(self.op)?));
        Some(())
    }

    /// The elements of an operand, a tensor of integers of static shape, as indices.
    pub(super) fn indices(&self, operand: usize) -> RewriteResult<Vec<Size<'c>>> {
        let value = self.op.operand(operand).ok_or_else(|| no_match("it lacks an operand"))?;
        let Some(count) = value.ty().element_count() else {
            return Err(RewriteError::Invalid(format!(
                "expected operand {operand} of '{}' to have a static shape, got {}",
                self.op.name(),
                value.ty()
            )));
        };
        let element = |position| self.element(value, position, &Cell::new(MOST_OPS));
        (0..count).map(element).collect()
    }

    /// The elements of a shape operand: sizes, which are checked not to be negative.
    pub(super) fn shape_operand(&self, operand: usize) -> RewriteResult<Vec<Size<'c>>> {
        let sizes = self.indices(operand)?;
        for (number, size) in sizes.iter().enumerate() {
            self.expect_size(*size, &format!("element {number} of operand {operand}"));
        }
        Ok(sizes)
    }

    /// An element of a tensor of integers, by its position in row-major order.
    fn element(
        &self,
        value: Value<'c>,
        position: i64,
        budget: &Cell<usize>,
    ) -> RewriteResult<Size<'c>> {
        match self.computed_element(value, position, budget) {
            Some(size) => Ok(size),
            None => self.loaded_element(value, position),
        }
    }

    /// An element of a converted tensor.
    fn loaded_element(&self, value: Value<'c>, position: i64) -> RewriteResult<Size<'c>> {
        let b = self.builder;
        let element = value.ty().element_type();
        let tensor = self.lookup(value)?;
        let listed = tensor.defined_by::<tensor::FromElementsOp>();
        let listed = listed.and_then(|list| list.elements().get(position as usize).copied());
        if let Some(listed) = listed.filter(|listed| listed.ty().is_index()) {
            return Ok(Size::from_index(listed));
        }
        let shape = tensor.ty().static_shape().unwrap_or_default();
        let mut indices = Vec::new();
        let mut rest = position;
        for size in shape.iter().rev() {
            indices.push(index::constant(&b, rest % (*size).max(1)));
            rest /= (*size).max(1);
        }
        indices.reverse();
        let loaded = tensor::extract(&b, tensor, &indices);
        if loaded.ty().is_index() {
            return Ok(Size::from_index(loaded));
        }
        let is_unsigned = element.is_unsigned() || element.integer_width() == Some(1);
        let convert = if is_unsigned {
            arith::index_castui
        } else {
            arith::index_cast
        };
        Ok(Size::Dynamic(arith::cast(
            &b,
            convert,
            loaded,
            Type::index(b.context()),
        )))
    }

    /// An element as index arithmetic; `None` if the op that computes it has no such form.
    fn computed_element(
        &self,
        value: Value<'c>,
        position: i64,
        budget: &Cell<usize>,
    ) -> Option<Size<'c>> {
        let b = &self.builder;
        budget.set(budget.get().checked_sub(1)?);
        let op = value.defining_op()?;
        let operand = |number: usize, position: i64| {
            let operand = op.operand(number)?;
            let is_integer = operand.ty().element_type().is_integer();
            is_integer.then(|| self.element(operand, position, budget).ok())?
        };
        if let Some(constant) = op.cast::<stablehlo::ConstantOp>() {
            let numbers = constant.value().dense_integers()?;
            let number = match &numbers[..] {
                [only] => only,
                numbers => numbers.get(usize::try_from(position).ok()?)?,
            };
            return i64::try_from(*number).ok().map(Size::from);
        }
        if let Some(size) = op.cast::<stablehlo::GetDimensionSizeOp>() {
            let tensor = self.lookup(size.operand()).ok()?;
            return Some(Size::of(b, tensor, usize::try_from(size.dimension()).ok()?));
        }
        // Narrow and unsigned integers wrap around.
        let wraps = |ty: Type| {
            let element = ty.element_type();
            element.is_unsigned() || element.integer_width().is_none_or(|width| width < 32)
        };
        if wraps(value.ty()) || value.ty().static_shape().is_none() {
            return None;
        }
        match op.name() {
            stablehlo::ReshapeOp::NAME => operand(0, position),
            stablehlo::ConvertOp::NAME => {
                let from = op.operand(0)?.ty();
                let is_index_like = from.element_type().is_integer() && !wraps(from);
                is_index_like.then(|| operand(0, position))?
            }
            stablehlo::BroadcastInDimOp::NAME => {
                let is_scalar = op.operand(0)?.ty().element_count() == Some(1);
                is_scalar.then(|| operand(0, 0))?
            }
            stablehlo::SliceOp::NAME => {
                let slice = op.cast::<stablehlo::SliceOp>()?;
                let ([start], [stride]) = (&slice.start_indices()[..], &slice.strides()[..]) else {
                    return None;
                };
                operand(0, start + position * stride)
            }
            stablehlo::ConcatenateOp::NAME => {
                let is_vector = value.ty().shape()?.len() == 1;
                let mut first = 0;
                for (number, part) in op.operands().into_iter().enumerate().filter(|_| is_vector) {
                    let count = part.ty().element_count()?;
                    if position < first + count {
                        return operand(number, position - first);
                    }
                    first += count;
                }
                None
            }
            stablehlo::AddOp::NAME => Some(operand(0, position)?.plus(b, operand(1, position)?)),
            stablehlo::SubtractOp::NAME => {
                Some(operand(0, position)?.minus(b, operand(1, position)?))
            }
            stablehlo::MulOp::NAME => Some(operand(0, position)?.times(b, operand(1, position)?)),
            stablehlo::MaxOp::NAME => Some(operand(0, position)?.max(b, operand(1, position)?)),
            stablehlo::MinOp::NAME => Some(operand(0, position)?.min(b, operand(1, position)?)),
            stablehlo::DivOp::NAME | stablehlo::RemOp::NAME => {
                let by = operand(1, position)?.known().filter(|by| *by > 0)?;
                let divided = operand(0, position)?;
                let function = if op.isa::<stablehlo::DivOp>() {
                    arith::divsi
                } else {
                    arith::remsi
                };
                Some(match divided.known() {
                    Some(number) if op.isa::<stablehlo::DivOp>() => (number / by).into(),
                    Some(number) => (number % by).into(),
                    None => Size::Dynamic(function(b, divided.value(b), by.value(b))),
                })
            }
            _ => None,
        }
    }
}

/// Returns true if a tensor is computed from constants and sizes alone.
fn is_of_sizes(value: Value, budget: &Cell<usize>) -> bool {
    let Some((op, left)) = value.defining_op().zip(budget.get().checked_sub(1)) else {
        return false;
    };
    budget.set(left);
    op.isa::<stablehlo::ConstantOp>()
        || op.isa::<stablehlo::GetDimensionSizeOp>()
        || op.region_count() == 0
            && op.operand_count() > 0
            && op.operands().into_iter().all(|operand| is_of_sizes(operand, budget))
}

/// A message without the sizes of a run, for which it has places: `n (= {0})` is `n`, and other
/// sentences with places are left out.
fn without_places(message: &str) -> String {
    let mut parts = message.split(" (= {");
    let first = parts.next().unwrap_or_default().to_owned();
    let text = parts.fold(first, |text, part| {
        text + part.split_once("})").map_or(part, |(_, rest)| rest)
    });
    let sentences = text.split_inclusive(". ").filter(|sentence| !sentence.contains('{'));
    sentences.collect()
}
