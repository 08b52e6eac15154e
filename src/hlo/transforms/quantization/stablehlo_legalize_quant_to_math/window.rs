//! The padding and the dilation gaps of a convolution's left operand.

use super::products::Factor;
use crate::matchers::ensure;
use halo_ir::{dense_from_integers, prelude::*, stablehlo::attributes::ConvDimensionNumbers};

/// The padding of a convolution's lhs, by dimension.
pub struct Window {
    low: Vec<i64>,
    high: Vec<i64>,
    interior: Vec<i64>,
}

impl Window {
    pub fn of(
        op: stablehlo::ConvolutionOp,
        numbers: &ConvDimensionNumbers,
        rank: usize,
    ) -> RewriteResult<Self> {
        let spatial = &numbers.input_spatial_dimensions;
        let padding = match op.padding() {
            Some(padding) => padding
                .dense_i64s()
                .ok_or_else(|| no_match("the padding is no dense constant"))?,
            None => vec![0; 2 * spatial.len()],
        };
        let dilation = op.lhs_dilation().unwrap_or(vec![1; spatial.len()]);
        let mut window = Self {
            low: vec![0; rank],
            high: vec![0; rank],
            interior: vec![0; rank],
        };
        for (number, dimension) in spatial.iter().enumerate() {
            let entry =
                usize::try_from(*dimension).map_err(|_| no_match("a dimension is out of range"))?;
            let at = |list: &[i64], index: usize| {
                list.get(index).copied().ok_or_else(|| no_match("a dimension is out of range"))
            };
            ensure(entry < rank, "a dimension is out of range")?;
            window.low[entry] = at(&padding, 2 * number)?;
            window.high[entry] = at(&padding, 2 * number + 1)?;
            window.interior[entry] = at(&dilation, number)? - 1;
        }
        Ok(window)
    }

    /// Returns true if there is no padding or dilation.
    pub fn is_plain(&self) -> bool {
        [&self.low, &self.high, &self.interior]
            .into_iter()
            .all(|list| list.iter().all(|amount| *amount == 0))
    }

    /// The stored integers, padded with the zero point.
    pub fn pad<'c>(&self, b: &Builder<'c>, factor: &Factor<'c>) -> RewriteResult<Value<'c>> {
        let element = factor.stored.ty().element_type();
        let zero = stablehlo::integers(b, tensor_type(&[], element), &[factor.zero])?;
        let (low, high, interior) = (&self.low, &self.high, &self.interior);
        Ok(stablehlo::pad(b, factor.stored, zero, low, high, interior))
    }
}

/// Removes padding and dilation of the left operand from a convolution.
pub fn remove(op: stablehlo::ConvolutionOp) -> RewriteResult {
    if let Some(padding) = op.padding() {
        let count = padding.dense_i64s().unwrap_or_default().len();
        let zeros = dense_from_integers(padding.ty(), &vec![0; count]);
        op.set_padding(zeros.ok_or_else(|| no_match("there are no windows to pad"))?);
    }
    if let Some(dilation) = op.lhs_dilation() {
        op.set_lhs_dilation(&vec![1; dilation.len()]);
    }
    Ok(())
}
