//! Elementwise ops: each becomes a `linalg.generic`, for later fusion.

use super::{Lowered, Lowering};
use crate::conversion::scalar::{self, Comparison, Direction, ElementwiseOp};
use halo_ir::{prelude::*, stablehlo::attributes::ComparisonType};

/// The element types and attributes of an elementwise op.
pub struct Description<'c> {
    name: &'c str,
    operand_types: Vec<Type<'c>>,
    result_type: Type<'c>,
    lowered_type: Type<'c>,
    comparison: Option<Comparison>,
    precision: Option<(u32, u32)>,
}

impl<'c> Description<'c> {
    /// Reads an op; `lowered_type` is its result type after conversion.
    pub fn new(op: Operation<'c>, lowered_type: Type<'c>) -> RewriteResult<Self> {
        let result_type = op
            .result_types()
            .first()
            .copied()
            .ok_or_else(|| RewriteError::Invalid(format!("'{}' has no result", op.name())))?;
        let bits = |bits: i64| u32::try_from(bits).ok();
        let precision = op
            .cast::<stablehlo::ReducePrecisionOp>()
            .and_then(|op| bits(op.exponent_bits()).zip(bits(op.mantissa_bits())));
        Ok(Self {
            name: op.name(),
            operand_types: op
                .operands()
                .into_iter()
                .map(|operand| operand.ty().element_type())
                .collect(),
            result_type: result_type.element_type(),
            lowered_type: lowered_type.element_type(),
            comparison: comparison_of(op),
            precision,
        })
    }

    /// Lowers the op on one element.
    pub fn lower(&self, b: &Builder<'c>, operands: &[Value<'c>]) -> RewriteResult<Value<'c>> {
        let op = ElementwiseOp {
            name: self.name,
            operand_types: &self.operand_types,
            result_type: self.result_type,
            lowered_type: self.lowered_type,
            comparison: self.comparison,
            precision: self.precision,
        };
        scalar::lower(b, &op, operands)
    }
}

fn comparison_of(op: Operation) -> Option<Comparison> {
    let compare = op.cast::<stablehlo::CompareOp>()?;
    Some(Comparison {
        direction: Direction::parse(compare.comparison_direction().as_str())?,
        total_order: compare.compare_type() == Some(ComparisonType::TotalOrder),
    })
}

impl<'c> Lowering<'_, 'c> {
    /// Returns true for an op that reinterprets bits between element types of different widths.
    pub(super) fn changes_width(&self) -> bool {
        if !self.op.isa::<stablehlo::BitcastConvertOp>() {
            return false;
        }
        let width = |ty: Type<'c>| {
            let element = ty.element_type();
            element.complex_element().map_or(element.bit_width(), |part| {
                part.bit_width().map(|bits| 2 * bits)
            })
        };
        match (self.original.first(), self.op.result_types().first()) {
            (Some(operand), Some(result)) => width(*operand) != width(*result),
            _ => false,
        }
    }

    /// Lowers an elementwise op. An operand of rank 0 (the predicate of `select`, the bounds of
    /// `clamp`) is broadcast if other operands have a higher rank.
    pub(super) fn elementwise(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let result = self.result()?;
        let is_dynamic = result.static_shape().is_none();
        if is_dynamic && self.op.isa::<stablehlo::ConvertOp>() && self.keeps_elements() {
            return Ok(vec![self.operand(0)?]);
        }
        let description = Description::new(self.op, result)?;
        let result = self.agreed_shape(0..self.operands.len(), result)?;
        let rank = result.sizes.len();
        let inputs = self
            .operands
            .iter()
            .map(|operand| {
                let map = if operand.ty().shape().is_none_or(|shape| shape.is_empty()) {
                    structured::projection(&b, rank, &[])
                } else {
                    AffineMap::multi_dim_identity(b.context(), rank)
                };
                (*operand, map)
            })
            .collect::<Vec<_>>();
        let count = inputs.len();
        let value = structured::gather_elements(&b, inputs, result, |b, arguments| {
            description.lower(b, &arguments[..count])
        })?;
        Ok(vec![value])
    }

    /// Returns true if the element types of the first operand and the result are the same.
    fn keeps_elements(&self) -> bool {
        let result = self.op.result_types().first().map(|ty| ty.element_type());
        result == self.original.first().copied()
    }

    /// `map`: applies the body to each element of the operands.
    pub(super) fn map_op(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let result = self.agreed_shape(0..self.operands.len(), self.result()?)?;
        let rank = result.sizes.len();
        let identity = AffineMap::multi_dim_identity(b.context(), rank);
        let inputs: Vec<_> = self.operands.iter().map(|value| (*value, identity)).collect();
        let count = inputs.len();
        let body = self.body(0)?;
        let value = structured::gather_elements(&b, inputs, result, |b, arguments| {
            let values = self.scalar_region(b, body, &arguments[..count])?;
            values.first().copied().ok_or_else(|| no_match("its region returns nothing"))
        })?;
        Ok(vec![value])
    }
}
