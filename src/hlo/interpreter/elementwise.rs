//! Elementwise ops.

use super::{call::fill, prelude::*, scalar};
use halo_core::{Literal, Scalar, Shape};
use halo_ir::prelude::*;

/// Sections `abs` to `xor`: the scalar function at every index. The first
/// operand of `select` and the bounds of `clamp` may be scalars.
pub fn elementwise(call: &Call) -> Evaluated {
    let operands = call.tensors(0..call.operands.len())?;
    let shaped = match call.op.name() {
        stablehlo::SelectOp::NAME | stablehlo::ClampOp::NAME => call.tensor(1)?,
        _ => call.tensor(0)?,
    };
    let shape = Shape::new(call.result_element(0)?, shaped.dims())?;
    single(map(call, &operands, shape)?)
}

fn map(call: &Call, operands: &[&Literal], shape: Shape) -> Result<Literal, Failure> {
    let element = operands.first().ok_or("has no operand")?.element_type();
    let element = if call.op.isa::<stablehlo::SelectOp>() {
        shape.element_type()
    } else {
        element
    };
    let function = scalar::function(call.op, element, shape.element_type())
        .ok_or_else(|| format!("has no meaning for {element}"))?;
    let single: Vec<bool> = operands.iter().map(|operand| operand.shape().rank() == 0).collect();
    for (number, operand) in operands.iter().enumerate() {
        if !single[number] && operand.dims() != shape.dims() {
            return Err(format!(
                "has operand {number} of shape {}, but needs the dimensions of {shape}",
                operand.shape()
            )
            .into());
        }
    }
    let mut elements = vec![Scalar::Bool(false); operands.len()];
    fill(shape, |position| {
        for (number, operand) in operands.iter().enumerate() {
            elements[number] = operand.get(if single[number] { 0 } else { position });
        }
        Ok(function(&elements))
    })
}
