//! `constant` and `iota`.

use super::{Lowered, Lowering, dims, structured};
use crate::conversion::{
    arithmetic,
    scalar::{self, storage},
};
use halo_ir::{dense_splat, prelude::*};

fn value_of<'c>(context: &'c Context, op: Operation<'c>) -> RewriteResult<Attribute<'c>> {
    let attribute = op
        .attribute("value")
        .map_err(|_| RewriteError::Invalid(format!("'{}' lacks its value", name_of(op))))?;
    storage::stored_attribute(context, attribute).ok_or_else(|| {
        RewriteError::Invalid(format!("'{}' has a value of unknown form", name_of(op)))
    })
}

/// The value of a constant of rank 0.
pub fn scalar_value<'c>(context: &'c Context, op: Operation<'c>) -> RewriteResult<Attribute<'c>> {
    dense_splat(value_of(context, op)?).ok_or_else(|| {
        RewriteError::Invalid(format!("'{}' has a value that is not a splat", name_of(op)))
    })
}

impl<'c> Lowering<'_, 'c> {
    pub(super) fn constant(&mut self) -> Lowered<'c> {
        let attribute = value_of(self.builder.context(), self.op)?;
        let result = self.result()?;
        Ok(vec![arithmetic::constant(
            &self.builder,
            attribute,
            result,
        )?])
    }

    pub(super) fn iota(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let result = self.result()?;
        let dimension = self.op_as::<stablehlo::IotaOp>()?.iota_dimension();
        let original = element_type(halo_ir::result_types_of(self.op)[0]);
        let lowered = element_type(result);
        let value = structured::gather_elements(&b, Vec::new(), result, |b, _| {
            iota_element(b, dimension, original, lowered)
        })?;
        Ok(vec![value])
    }
}

/// The element of an `iota` in the body of a `linalg.generic` with its dimensions.
/// `original` is its type in HLO, and `lowered` the one that it becomes.
pub(super) fn iota_element<'c>(
    b: &Builder<'c>,
    dimension: i64,
    original: Type<'c>,
    lowered: Type<'c>,
) -> RewriteResult<Value<'c>> {
    let position = linalg::index(b, dimension)?;
    let wide = integer_type(b.context(), 64);
    let number = arithmetic::cast(b, arith::index_cast, position, wide)?;
    scalar::convert(b, number, wide, original, lowered)
}

/// The dimension along which a tensor counts, be it an `iota` or the broadcast of one.
pub(super) fn counted_dimension(value: Value) -> Option<i64> {
    if let Some(iota) = value.defined_by::<stablehlo::IotaOp>() {
        return Some(iota.iota_dimension());
    }
    let broadcast = value.defined_by::<stablehlo::BroadcastInDimOp>()?;
    let counted = usize::try_from(counted_dimension(broadcast.operand())?).ok()?;
    let (from, to) = (dims(broadcast.operand()).ok()?, dims(value).ok()?);
    let dimension = *broadcast.broadcast_dimensions().get(counted)?;
    // A dimension of size 1 may be repeated.
    let size = to.get(usize::try_from(dimension).ok()?)?;
    (from.get(counted) == Some(size)).then_some(dimension)
}
