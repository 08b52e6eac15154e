//! Quantized tensors: sections `uniform_quantize`, `uniform_dequantize` and
//! "Quantized computations".
//!
//! Ops that compute use the numbers that the stored integers represent (`dequantize_op_quantize`
//! and `hybrid_dequantize_then_op` of the specification). Ops that only move elements move stored
//! integers.

use super::{call::fill, prelude::*, scalar, value::Value};
use crate::literals;
use crate::semantics::quantization::Quantized;
use halo_core::{Literal, Scalar, Shape};
use halo_ir::prelude::*;

/// Returns true if an op computes with quantized numbers, and does not only move them or inspect
/// their storage.
pub fn computes(call: &Call) -> bool {
    // Most programs have no quantized types, and this runs for every op.
    let quantized = call
        .op
        .operands()
        .chain(call.op.results())
        .any(|(_, ty)| Quantized::of(ty.element_type()).is_some());
    let name = call.op.name();
    quantized
        && match name {
            stablehlo::SelectOp::NAME => false,
            stablehlo::BatchNormGradOp::NAME
            | stablehlo::BatchNormInferenceOp::NAME
            | stablehlo::BatchNormTrainingOp::NAME
            | stablehlo::CholeskyOp::NAME
            | stablehlo::ConvolutionOp::NAME
            | stablehlo::DotOp::NAME
            | stablehlo::DotGeneralOp::NAME
            | stablehlo::DynamicConvOp::NAME
            | stablehlo::DynamicIotaOp::NAME
            | stablehlo::EinsumOp::NAME
            | stablehlo::IotaOp::NAME
            | stablehlo::TriangularSolveOp::NAME
            | stablehlo::UnaryEinsumOp::NAME => true,
            _ => scalar::is_elementwise(name),
        }
}

/// Evaluates an op on the expressed values of its quantized operands, and
/// quantizes the results that have quantized types.
pub fn evaluate(call: &Call, evaluate: fn(&Call) -> Evaluated) -> Evaluated {
    let operands = call
        .operands
        .iter()
        .enumerate()
        .map(
            |(number, value)| match Quantized::of(call.op.operand_type(number)?.element_type()) {
                Some(quantized) => Ok(dequantize(value.tensor()?, quantized)?.into()),
                None => Ok(value.clone()),
            },
        )
        .collect::<Result<Vec<Value>, Failure>>()?;
    let results = evaluate(&call.with_operands(&operands))?;
    results
        .into_iter()
        .enumerate()
        .map(|(number, value)| {
            let ty = call.op.result_type(number)?;
            match Quantized::of(ty.element_type()) {
                Some(_) => Ok(quantize(value.tensor()?, ty)?.into()),
                None => Ok(value),
            }
        })
        .collect()
}

/// The scale and the zero point of each element, by its position.
fn parameters(shape: &Shape, quantized: Quantized) -> impl Fn(usize) -> (f64, f64) + use<> {
    let all: Vec<(f64, f64)> = (0..quantized.scale_count())
        .map(|number| quantized.parameters(number))
        .map(|(scale, zero)| (scale, zero as f64))
        .collect();
    let axis = quantized.axis().and_then(|axis| usize::try_from(axis).ok());
    let (inner, size) = match axis {
        Some(axis) if axis < shape.rank() => (
            shape.dims()[axis + 1..].iter().product::<usize>().max(1),
            shape.dims()[axis].max(1),
        ),
        _ => (1, 1),
    };
    move |position| {
        let number = position / inner % size;
        all.get(number).copied().unwrap_or((1.0, 0.0))
    }
}

/// `dequantize` of the specification: `(x - zero_point) * scale` in the
/// expressed type.
pub fn dequantize(stored: &Literal, quantized: Quantized) -> Result<Literal, Failure> {
    let expressed = literals::element_type_of(quantized.expressed())?;
    let shape = stored.shape().with_element_type(expressed)?;
    let parameters = parameters(&shape, quantized);
    fill(shape, |position| {
        let (scale, zero) = parameters(position);
        let scale = Scalar::Float(scale).stored_as(expressed).to_f64();
        Ok((stored.get_f64(position) - zero) * scale)
    })
}

/// `quantize` of the specification: `x / scale + zero_point`, clamped to the storage range and
/// rounded to the nearest even; every step in the expressed type.
pub fn quantize(numbers: &Literal, ty: Type) -> Result<Literal, Failure> {
    let quantized = Quantized::of(ty.element_type()).ok_or("has no quantized result")?;
    let expressed = literals::element_type_of(quantized.expressed())?;
    let storage = literals::element_type_of(ty.element_type())?;
    let shape = numbers.shape().with_element_type(storage)?;
    let parameters = parameters(&shape, quantized);
    let (minimum, maximum) = quantized.range();
    let rounded = |value: f64| Scalar::Float(value).stored_as(expressed).to_f64();
    fill(shape, |position| {
        let (scale, zero) = parameters(position);
        let scaled = rounded(numbers.get_f64(position) / rounded(scale));
        let moved = rounded(scaled + zero);
        // The storage type has no NaN; it becomes the zero point.
        let moved = if moved.is_nan() { zero } else { moved };
        Ok(moved.clamp(minimum as f64, maximum as f64).round_ties_even() as i128)
    })
}

/// Section `uniform_quantize`: from floats, or from another quantized type.
pub fn uniform_quantize(call: &Call) -> Evaluated {
    let operand = call.tensor(0)?;
    let ty = call.op.result_type(0)?;
    match Quantized::of(call.op.operand_type(0)?.element_type()) {
        Some(quantized) => single(quantize(&dequantize(operand, quantized)?, ty)?),
        None => single(quantize(operand, ty)?),
    }
}

/// Section `uniform_dequantize`.
pub fn uniform_dequantize(call: &Call) -> Evaluated {
    let ty = call.op.operand_type(0)?.element_type();
    let quantized = Quantized::of(ty).ok_or("has no quantized operand")?;
    single(dequantize(call.tensor(0)?, quantized)?)
}
