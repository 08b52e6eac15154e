//! Sections `batch_norm_training`, `batch_norm_inference` and
//! `batch_norm_grad`.
//!
//! Statistics are computed over all dimensions except the features, in `f64`.

use super::{indexing::for_each_index, prelude::*};
use halo_core::{Literal, Shape};
use halo_ir::{Attribute, AttributeExt};

/// A tensor with a feature dimension.
struct Features<'a> {
    operand: &'a Literal,
    dimension: usize,
    epsilon: f64,
}

impl<'a> Features<'a> {
    fn read(call: &Call<'a, '_, '_>) -> Result<Self, Failure> {
        let operand = call.tensor(0)?;
        Ok(Self {
            dimension: call.dimension("feature_index", operand.shape().rank())?,
            epsilon: call
                .op
                .attribute("epsilon")
                .and_then(Attribute::float_value)
                .ok_or("has no attribute 'epsilon'")?,
            operand,
        })
    }

    fn count(&self) -> usize {
        self.operand.dims()[self.dimension]
    }

    /// The number of elements of each feature.
    fn elements(&self) -> f64 {
        (self.operand.element_count() / self.count().max(1)) as f64
    }

    /// The sum over each feature of a function of position and feature.
    fn sum(&self, term: impl Fn(usize, usize) -> f64) -> Result<Vec<f64>, Failure> {
        let mut sums = vec![0.0; self.count()];
        for_each_index(self.operand.dims(), |position, index| {
            let feature = index[self.dimension];
            sums[feature] += term(position, feature);
            Ok(())
        })?;
        Ok(sums)
    }

    /// A tensor of the operand's shape from a function of position and feature.
    fn map(&self, shape: Shape, element: impl Fn(usize, usize) -> f64) -> Result<Literal, Failure> {
        let mut result = Literal::try_zeros(shape)?;
        for_each_index(self.operand.dims(), |position, index| {
            result.set(position, element(position, index[self.dimension]));
            Ok(())
        })?;
        Ok(result)
    }

    fn vector(&self, call: &Call, number: usize, values: &[f64]) -> Result<Literal, Failure> {
        let mut result = Literal::try_zeros(call.result_of(number, &[self.count()])?)?;
        for (position, value) in values.iter().enumerate() {
            result.set(position, *value);
        }
        Ok(result)
    }
}

/// The numbers in a vector operand.
fn numbers(call: &Call, number: usize) -> Result<Vec<f64>, Failure> {
    let tensor = call.tensor(number)?;
    Ok((0..tensor.element_count()).map(|position| tensor.get_f64(position)).collect())
}

/// Section `batch_norm_training`: the normalized operand, mean and variance.
pub fn batch_norm_training(call: &Call) -> Evaluated {
    let features = Features::read(call)?;
    let operand = features.operand;
    let (scale, offset) = (numbers(call, 1)?, numbers(call, 2)?);
    let count = features.elements();
    let sums = features.sum(|position, _| operand.get_f64(position))?;
    let mean: Vec<f64> = sums.iter().map(|sum| sum / count).collect();
    let squares =
        features.sum(|position, feature| (operand.get_f64(position) - mean[feature]).powi(2))?;
    let variance: Vec<f64> = squares.iter().map(|sum| sum / count).collect();
    let shape = call.result_of(0, operand.dims())?;
    let output = features.map(shape, |position, feature| {
        (operand.get_f64(position) - mean[feature]) / (variance[feature] + features.epsilon).sqrt()
            * scale[feature]
            + offset[feature]
    })?;
    Ok(vec![
        output.into(),
        features.vector(call, 1, &mean)?.into(),
        features.vector(call, 2, &variance)?.into(),
    ])
}

/// Section `batch_norm_inference`.
pub fn batch_norm_inference(call: &Call) -> Evaluated {
    let features = Features::read(call)?;
    let (scale, offset) = (numbers(call, 1)?, numbers(call, 2)?);
    let (mean, variance) = (numbers(call, 3)?, numbers(call, 4)?);
    let shape = call.result_of(0, features.operand.dims())?;
    let output = features.map(shape, |position, feature| {
        (features.operand.get_f64(position) - mean[feature])
            / (variance[feature] + features.epsilon).sqrt()
            * scale[feature]
            + offset[feature]
    })?;
    Ok(vec![output.into()])
}

/// Section `batch_norm_grad`: the gradients of operand, scale and offset.
pub fn batch_norm_grad(call: &Call) -> Evaluated {
    let features = Features::read(call)?;
    let operand = features.operand;
    let (scale, mean, variance) = (numbers(call, 1)?, numbers(call, 2)?, numbers(call, 3)?);
    let grad = call.tensor(4)?;
    let count = features.elements();
    let deviation = |feature: usize| (variance[feature] + features.epsilon).sqrt();
    let centered = |position: usize, feature: usize| operand.get_f64(position) - mean[feature];
    let grad_offset = features.sum(|position, _| grad.get_f64(position))?;
    let products =
        features.sum(|position, feature| grad.get_f64(position) * centered(position, feature))?;
    let shape = call.result_of(0, operand.dims())?;
    let grad_operand = features.map(shape, |position, feature| {
        let spread = variance[feature] + features.epsilon;
        let along = products[feature] * centered(position, feature) / spread;
        scale[feature] / deviation(feature) / count
            * (count * grad.get_f64(position) - grad_offset[feature] - along)
    })?;
    let grad_scale: Vec<f64> = products
        .iter()
        .enumerate()
        .map(|(feature, product)| product / deviation(feature))
        .collect();
    Ok(vec![
        grad_operand.into(),
        features.vector(call, 1, &grad_scale)?.into(),
        features.vector(call, 2, &grad_offset)?.into(),
    ])
}
