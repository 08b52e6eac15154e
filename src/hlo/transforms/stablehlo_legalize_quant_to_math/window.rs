//! The padding and the gaps of a convolution's left operand.

use super::products::Factor;
use crate::{matchers::ensure, transforms::emit};
use halo_ir::stablehlo::attributes::ConvDimensionNumbers;
use halo_ir::{
    Builder, Operation, RewriteError, Value, attribute_of, attribute_type, dense_from_integers,
    dense_integers, element_type, i64_array_attribute, i64_array_value, set_attribute, tensor_type,
};
use melior::ir::ValueLike;

/// What is around the elements of a convolution's left operand, for each of
/// its dimensions.
pub struct Window {
    low: Vec<i64>,
    high: Vec<i64>,
    interior: Vec<i64>,
}

impl Window {
    pub fn of(
        op: Operation,
        numbers: &ConvDimensionNumbers,
        rank: usize,
    ) -> Result<Self, RewriteError> {
        let spatial = &numbers.input_spatial_dimensions;
        let padding = match attribute_of(op, "padding") {
            Some(padding) => dense_integers(padding).ok_or(RewriteError::NoMatch)?,
            None => vec![0; 2 * spatial.len()],
        };
        let dilation = match attribute_of(op, "lhs_dilation") {
            Some(dilation) => i64_array_value(dilation).ok_or(RewriteError::NoMatch)?,
            None => vec![1; spatial.len()],
        };
        let mut window = Self {
            low: vec![0; rank],
            high: vec![0; rank],
            interior: vec![0; rank],
        };
        for (number, dimension) in spatial.iter().enumerate() {
            let entry = usize::try_from(*dimension).map_err(|_| RewriteError::NoMatch)?;
            let at =
                |list: &[i64], index: usize| list.get(index).copied().ok_or(RewriteError::NoMatch);
            ensure(entry < rank)?;
            window.low[entry] = at(&padding, 2 * number)?;
            window.high[entry] = at(&padding, 2 * number + 1)?;
            window.interior[entry] = at(&dilation, number)? - 1;
        }
        Ok(window)
    }

    /// Whether there is nothing around the elements.
    pub fn is_plain(&self) -> bool {
        [&self.low, &self.high, &self.interior]
            .into_iter()
            .all(|list| list.iter().all(|amount| *amount == 0))
    }

    /// The stored integers with the zero point around them.
    pub fn pad<'c>(&self, b: &Builder<'c>, factor: &Factor<'c>) -> Result<Value<'c>, RewriteError> {
        let element = element_type(factor.stored.r#type());
        let zero = emit::integers(b, tensor_type(&[], element), &[factor.zero])?;
        let array = |list: &[i64]| i64_array_attribute(b.context(), list);
        Ok(b.op("stablehlo.pad")
            .operands(&[factor.stored, zero])
            .attribute("edge_padding_low", array(&self.low))
            .attribute("edge_padding_high", array(&self.high))
            .attribute("interior_padding", array(&self.interior))
            .infer_results()
            .value()?)
    }
}

/// Makes a convolution one without padding and gaps of its left operand.
pub fn remove<'c>(b: &Builder<'c>, op: Operation<'c>) -> Result<(), RewriteError> {
    if let Some(padding) = attribute_of(op, "padding") {
        let count = dense_integers(padding).unwrap_or_default().len();
        let zeros = dense_from_integers(attribute_type(padding), &vec![0; count]);
        set_attribute(op, "padding", zeros.ok_or(RewriteError::NoMatch)?);
    }
    if let Some(dilation) = attribute_of(op, "lhs_dilation").and_then(i64_array_value) {
        let ones = i64_array_attribute(b.context(), &vec![1; dilation.len()]);
        set_attribute(op, "lhs_dilation", ones);
    }
    Ok(())
}
