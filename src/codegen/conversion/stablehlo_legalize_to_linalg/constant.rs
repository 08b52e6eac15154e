//! `constant` and `iota`.

use super::{Lowered, Lowering};
use crate::conversion::scalar::{self, storage};
use halo_ir::prelude::*;

fn value_of<'c>(context: &'c Context, op: Operation<'c>) -> RewriteResult<Attribute<'c>> {
    let attribute = op
        .attribute("value")
        .ok_or_else(|| RewriteError::Invalid(format!("'{}' lacks its value", op.name())))?;
    storage::stored_attribute(context, attribute).ok_or_else(|| {
        RewriteError::Invalid(format!("'{}' has a value of unknown form", op.name()))
    })
}

/// The value of a constant of rank 0.
pub fn scalar_value<'c>(context: &'c Context, op: Operation<'c>) -> RewriteResult<Attribute<'c>> {
    value_of(context, op)?.splat_value().ok_or_else(|| {
        RewriteError::Invalid(format!("'{}' has a value that is not a splat", op.name()))
    })
}

impl<'c> Lowering<'_, 'c> {
    pub(super) fn constant(&mut self) -> Lowered<'c> {
        let attribute = value_of(self.builder.context(), self.op)?;
        let result = self.result()?;
        Ok(vec![arith::constant_of(&self.builder, attribute, result)])
    }

    pub(super) fn iota(&mut self) -> Lowered<'c> {
        let dimension = self.op_as::<stablehlo::IotaOp>()?.iota_dimension();
        self.count_along(dimension, self.result()?.into())
    }

    /// `dynamic_iota`: an `iota` with an operand for its shape.
    pub(super) fn dynamic_iota(&mut self) -> Lowered<'c> {
        let dimension = self.op_as::<stablehlo::DynamicIotaOp>()?.iota_dimension();
        let shape = self.result_shape(0, &self.shape_operand(0)?)?;
        self.count_along(dimension, shape)
    }

    fn count_along(&self, dimension: i64, result: Shape<'c>) -> Lowered<'c> {
        let original = self.op.result_types()[0].element_type();
        let lowered = result.element;
        let value = structured::gather_elements(&self.builder, Vec::new(), result, |b, _| {
            iota_element(b, dimension, original, lowered)
        })?;
        Ok(vec![value])
    }
}

/// The element of an `iota` in the body of a `linalg.generic` over its dimensions. `original` is
/// its type in HLO, `lowered` its converted type.
pub(super) fn iota_element<'c>(
    b: &Builder<'c>,
    dimension: i64,
    original: Type<'c>,
    lowered: Type<'c>,
) -> RewriteResult<Value<'c>> {
    let position = linalg::index(b, dimension);
    let wide = integer_type(b.context(), 64);
    let number = arith::cast(b, arith::index_cast, position, wide);
    scalar::convert(b, number, wide, original, lowered)
}

/// The dimension along which a tensor counts, if it is an `iota` or a broadcast of one.
pub(super) fn counted_dimension(value: Value) -> Option<i64> {
    if let Some(iota) = value.defined_by::<stablehlo::IotaOp>() {
        return Some(iota.iota_dimension());
    }
    let broadcast = value.defined_by::<stablehlo::BroadcastInDimOp>()?;
    let counted = usize::try_from(counted_dimension(broadcast.operand())?).ok()?;
    let (from, to) = (
        broadcast.operand().ty().static_shape()?,
        value.ty().static_shape()?,
    );
    let dimension = *broadcast.broadcast_dimensions().get(counted)?;
    // A dimension of size 1 may be repeated.
    let size = to.get(usize::try_from(dimension).ok()?)?;
    (from.get(counted) == Some(size)).then_some(dimension)
}
