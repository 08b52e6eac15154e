//! One op on given operands, the argument of functions that evaluate ops.

use super::{
    evaluator::{Evaluated, Evaluator, Failure, Scope},
    value::Value,
};
use crate::literals;
use crate::semantics::{op::Op, quantization::Quantized};
use halo_core::{ElementType, Literal, Scalar, Shape};
use halo_ir::prelude::*;

/// An op with the values of its operands.
#[derive(Clone, Copy)]
pub struct Call<'a, 'e, 'c> {
    /// The process that evaluates the op.
    pub evaluator: &'a Evaluator<'e, 'c>,
    /// The values that regions of the op may capture.
    pub scope: &'a Scope<'a>,
    /// Attributes and types.
    pub op: Op<'c>,
    pub operands: &'a [Value],
}

impl<'a, 'c> Call<'a, '_, 'c> {
    /// An operand.
    pub fn operand(&self, number: usize) -> Result<&'a Value, Failure> {
        self.operands
            .get(number)
            .ok_or_else(|| format!("has no operand {number}").into())
    }

    /// An operand that is a tensor.
    pub fn tensor(&self, number: usize) -> Result<&'a Literal, Failure> {
        Ok(self.operand(number)?.tensor()?)
    }

    /// Several operands, which are tensors.
    pub fn tensors(&self, range: std::ops::Range<usize>) -> Result<Vec<&'a Literal>, Failure> {
        range.map(|number| self.tensor(number)).collect()
    }

    /// An operand that is an integer vector or scalar.
    pub fn integers(&self, number: usize) -> Result<Vec<i64>, Failure> {
        let tensor = self.tensor(number)?;
        let positions = 0..tensor.element_count();
        Ok(positions.map(|position| clamp_to_i64(tensor.get_i128(position))).collect())
    }

    /// An operand that is a vector of sizes.
    pub fn sizes(&self, number: usize) -> Result<Vec<usize>, Failure> {
        let sizes = self.integers(number)?;
        sizes
            .into_iter()
            .map(|size| {
                usize::try_from(size)
                    .map_err(|_| format!("has size {size} in operand {number}").into())
            })
            .collect()
    }

    /// The operands from one on, which are integer scalars.
    pub fn scalars_from(&self, first: usize) -> Result<Vec<i64>, Failure> {
        (first..self.operands.len())
            .map(|number| {
                let tensor = self.tensor(number)?;
                match tensor.element_count() {
                    1 => Ok(clamp_to_i64(tensor.get_i128(0))),
                    _ => Err(format!("expects operand {number} to be a scalar").into()),
                }
            })
            .collect()
    }

    /// An attribute of dimension numbers.
    pub fn dimensions(&self, name: &str) -> Result<Vec<usize>, Failure> {
        to_sizes(&self.op.integers(name)?)
    }

    /// An attribute with one dimension number.
    pub fn dimension(&self, name: &str, rank: usize) -> Result<usize, Failure> {
        let value = self.op.integer(name)?;
        match usize::try_from(value) {
            Ok(dimension) if dimension < rank => Ok(dimension),
            _ => Err(format!("has no dimension {value}").into()),
        }
    }

    /// The element type of a result. For a quantized result: the expressed type if the operands are
    /// expressed numbers, else the storage type.
    pub fn result_element(&self, number: usize) -> Result<ElementType, Failure> {
        let element = self.op.result_type(number)?.element_type();
        let quantized = Quantized::of(element).filter(|_| super::quantization::computes(self));
        Ok(literals::element_type_of(
            quantized.map_or(element, Quantized::expressed),
        )?)
    }

    /// The shape of a result with a static type.
    pub fn result_shape(&self, number: usize) -> Result<Shape, Failure> {
        let shape = literals::shape_of(self.op.result_type(number)?)?;
        Ok(shape.with_element_type(self.result_element(number)?)?)
    }

    /// The shape of a result with these dimensions.
    pub fn result_of(&self, number: usize, dims: &[usize]) -> Result<Shape, Failure> {
        Ok(Shape::new(self.result_element(number)?, dims)?)
    }

    /// The op.
    pub fn operation(&self) -> Result<Operation<'c>, Failure> {
        let operation = self.op.operation();
        operation.ok_or_else(|| "is not part of a program".into())
    }

    /// Evaluates a region of the op.
    pub fn region(&self, number: usize, arguments: &[Value]) -> Evaluated {
        self.evaluator.region(self.operation()?, number, arguments, Some(self.scope))
    }

    /// The same call with other operands.
    pub fn with_operands<'b>(&self, operands: &'b [Value]) -> Call<'b, '_, 'c>
    where
        'a: 'b,
    {
        Call { operands, ..*self }
    }
}

/// A literal filled by position.
pub fn fill<S: Into<Scalar>>(
    shape: Shape,
    mut element: impl FnMut(usize) -> Result<S, Failure>,
) -> Result<Literal, Failure> {
    let mut literal = Literal::try_zeros(shape)?;
    for position in 0..literal.element_count() {
        literal.set(position, element(position)?);
    }
    Ok(literal)
}

/// One tensor as the results of an op.
pub fn single(literal: Literal) -> Evaluated {
    Ok(vec![literal.into()])
}

/// Checks that numbers are not negative.
pub fn to_sizes(numbers: &[i64]) -> Result<Vec<usize>, Failure> {
    numbers
        .iter()
        .map(|number| usize::try_from(*number).map_err(|_| format!("has size {number}").into()))
        .collect()
}

/// Saturates to `i64`.
pub fn clamp_to_i64(value: i128) -> i64 {
    value.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}
