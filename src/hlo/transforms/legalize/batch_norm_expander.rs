//! `--batch-norm-expander`: batch normalization as arithmetic.
//!
//! The statistics of a feature are sums over all other dimensions, and the other computation is
//! elementwise. Expanding the three ops to the formulas of the specification lets fusion optimize
//! them. The variance is the mean of squared differences, which avoids the cancellation of a
//! difference of squares. Floats narrower than f32 are computed in f32.
//!
//! ```mlir
//! %0 = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance)
//!        <{epsilon = 1.0e-03 : f32, feature_index = 1 : i64}> : (tensor<8x4xf32>, ...)
//! ```
//!
//! becomes
//!
//! ```mlir
//! %e = stablehlo.constant dense<1.0e-03> : tensor<4xf32>
//! %v = stablehlo.add %variance, %e : tensor<4xf32>
//! %d = stablehlo.sqrt %v : tensor<4xf32>
//! %m = stablehlo.broadcast_in_dim %mean, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
//! %c = stablehlo.subtract %x, %m : tensor<8x4xf32>
//! %s = stablehlo.broadcast_in_dim %d, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
//! %n = stablehlo.divide %c, %s : tensor<8x4xf32>
//! // ... times the scale, plus the offset
//! ```

use super::formula::{Expression, Formula};
use crate::transforms::shapes::mixed_sizes::{MixedSize, MixedSizes};
use halo_ir::{apply_greedily, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "batch-norm-expander",
    "Decompose batch normalization into sums and elementwise arithmetic",
    |pass| apply_greedily(pass, &patterns()),
)
.dependent_dialects(&["stablehlo"]);

fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::BatchNormGradOp>(grad),
        Pattern::new::<stablehlo::BatchNormInferenceOp>(inference),
        Pattern::new::<stablehlo::BatchNormTrainingOp>(training),
    ]
}

/// A tensor with a feature dimension.
struct Features<'a, 'c> {
    b: &'a Builder<'c>,
    /// The operands, in the computation type.
    operands: Vec<Value<'c>>,
    /// The sizes of the tensor, and of a vector of features.
    mixed_sizes: MixedSizes<'c>,
    vector: MixedSizes<'c>,
    dimension: i64,
    epsilon: f64,
    element: Type<'c>,
}

impl<'a, 'c> Features<'a, 'c> {
    fn read(
        b: &'a Builder<'c>,
        op: Operation<'c>,
        dimension: i64,
        epsilon: f64,
    ) -> RewriteResult<Self> {
        let originals = op.operands();
        let [operand, scale, ..] = originals[..] else {
            return Err(no_match("it has another number of operands"));
        };
        let element = operand.ty().element_type();
        if !element.is_float() {
            return Err(no_match("the elements are no floats"));
        }
        let element = if element.is_f64() {
            element
        } else {
            Type::float32(b.context())
        };
        Ok(Self {
            b,
            mixed_sizes: MixedSizes::of(b, operand)?,
            vector: MixedSizes::of(b, scale)?,
            operands: originals
                .into_iter()
                .map(|operand| stablehlo::convert_elements(b, operand, element))
                .collect(),
            dimension,
            epsilon,
            element,
        })
    }

    fn x(&self) -> Value<'c> {
        self.operands[0]
    }

    /// A formula on full tensors.
    fn on_tensors(
        &self,
        formula: impl for<'f> FnOnce(&'f Formula<'c>) -> Expression<'f, 'c>,
    ) -> RewriteResult<Value<'c>> {
        let on = Formula::new(self.b, self.x());
        on.finish(formula(&on), self.x().ty())
    }

    /// A formula on one number for each feature.
    fn on_features(
        &self,
        like: Value<'c>,
        formula: impl for<'f> FnOnce(&'f Formula<'c>) -> Expression<'f, 'c>,
    ) -> RewriteResult<Value<'c>> {
        let on = Formula::new(self.b, like);
        on.finish(formula(&on), self.vector.ty(self.element))
    }

    /// Broadcasts a number per feature to all elements.
    fn spread(&self, vector: Value<'c>) -> Value<'c> {
        self.mixed_sizes.broadcast(self.b, vector, &[self.dimension])
    }

    /// The sum of each feature.
    fn sum(&self, tensor: Value<'c>) -> RewriteResult<Value<'c>> {
        let rank = self.mixed_sizes.0.len() as i64;
        let dimensions: Vec<i64> = (0..rank).filter(|other| *other != self.dimension).collect();
        stablehlo::sum(self.b, tensor, &dimensions)
    }

    /// The number of elements of each feature.
    fn count(&self) -> RewriteResult<Value<'c>> {
        let scalar = tensor_type(&[], self.element);
        let others = self
            .mixed_sizes
            .0
            .iter()
            .enumerate()
            .filter(|(dimension, _)| *dimension as i64 != self.dimension);
        let mut known = 1.0;
        let mut computed = Vec::new();
        for (_, mixed_size) in others {
            match mixed_size {
                MixedSize::Static(size) => known *= *size as f64,
                MixedSize::Dynamic(size) => computed.push(*size),
            }
        }
        if computed.is_empty() && self.vector.known().is_some() {
            return stablehlo::number(self.b, self.vector.ty(self.element), known);
        }
        let mut count = stablehlo::number(self.b, scalar, known)?;
        for size in computed {
            let size = stablehlo::convert_elements(self.b, size, self.element);
            count = stablehlo::multiply(self.b, count, size);
        }
        Ok(self.vector.broadcast(self.b, count, &[]))
    }

    fn mean(&self, tensor: Value<'c>) -> RewriteResult<Value<'c>> {
        let (sum, count) = (self.sum(tensor)?, self.count()?);
        self.on_features(sum, |f| f.value(sum) / f.value(count))
    }

    /// The differences from a mean.
    fn centered(&self, mean: Value<'c>) -> RewriteResult<Value<'c>> {
        let mean = self.spread(mean);
        self.on_tensors(|f| f.value(self.x()) - f.value(mean))
    }

    fn deviation(&self, variance: Value<'c>) -> RewriteResult<Value<'c>> {
        self.on_features(variance, |f| (f.value(variance) + self.epsilon).sqrt())
    }

    /// Normalized differences from the mean, scaled and shifted.
    fn normalized(
        &self,
        centered: Value<'c>,
        variance: Value<'c>,
        [scale, offset]: [Value<'c>; 2],
    ) -> RewriteResult<Value<'c>> {
        let deviation = self.spread(self.deviation(variance)?);
        let (scale, offset) = (self.spread(scale), self.spread(offset));
        self.on_tensors(|f| {
            let normalized = f.value(centered) / f.value(deviation);
            normalized * f.value(scale) + f.value(offset)
        })
    }

    /// Replaces an op's results.
    fn replace(&self, op: Operation<'c>, values: &[Value<'c>]) {
        let values = values
            .iter()
            .zip(op.result_types())
            .map(|(value, ty)| {
                if value.ty() == ty {
                    return *value;
                }
                stablehlo::convert(self.b, *value, ty)
            })
            .collect::<Vec<_>>();
        self.b.replace(op, &values);
    }
}

/// Section `batch_norm_training`.
fn training<'c>(b: &Builder<'c>, op: stablehlo::BatchNormTrainingOp<'c>) -> RewriteResult {
    let features = Features::read(b, op.operation(), op.feature_index(), op.epsilon())?;
    let [x, scale, offset] = features.operands[..] else {
        return Err(no_match("it has another number of operands"));
    };
    let mean = features.mean(x)?;
    let centered = features.centered(mean)?;
    let squares = features.on_tensors(|f| f.value(centered) * f.value(centered))?;
    let variance = features.mean(squares)?;
    let output = features.normalized(centered, variance, [scale, offset])?;
    let _: () = features.replace(op.operation(), &[output, mean, variance]);
    Ok(())
}

/// Section `batch_norm_inference`.
fn inference<'c>(b: &Builder<'c>, op: stablehlo::BatchNormInferenceOp<'c>) -> RewriteResult {
    let features = Features::read(b, op.operation(), op.feature_index(), op.epsilon())?;
    let [_, scale, offset, mean, variance] = features.operands[..] else {
        return Err(no_match("it has another number of operands"));
    };
    let centered = features.centered(mean)?;
    let output = features.normalized(centered, variance, [scale, offset])?;
    let _: () = features.replace(op.operation(), &[output]);
    Ok(())
}

/// Section `batch_norm_grad`.
fn grad<'c>(b: &Builder<'c>, op: stablehlo::BatchNormGradOp<'c>) -> RewriteResult {
    let features = Features::read(b, op.operation(), op.feature_index(), op.epsilon())?;
    let [_, scale, mean, variance, grad] = features.operands[..] else {
        return Err(no_match("it has another number of operands"));
    };
    let centered = features.centered(mean)?;
    let deviation = features.deviation(variance)?;
    let along = features.on_tensors(|f| f.value(grad) * f.value(centered))?;
    let (along, grad_offset) = (features.sum(along)?, features.sum(grad)?);
    let grad_scale = features.on_features(along, |f| f.value(along) / f.value(deviation))?;
    // A value per feature is computed once.
    let count = features.count()?;
    let factor = features.on_features(scale, |f| {
        f.value(scale) / f.value(deviation) / f.value(count)
    })?;
    let slope = features.on_features(along, |f| {
        f.value(along) / (f.value(variance) + features.epsilon)
    })?;
    let [count, factor, slope, sum] =
        [count, factor, slope, grad_offset].map(|vector| features.spread(vector));
    let (count, factor, slope, sum) = (count, factor, slope, sum);
    let grad_operand = features.on_tensors(|f| {
        let alone = f.value(count) * f.value(grad) - f.value(sum);
        f.value(factor) * (alone - f.value(centered) * f.value(slope))
    })?;
    let _: () = features.replace(op.operation(), &[grad_operand, grad_scale, grad_offset]);
    Ok(())
}
