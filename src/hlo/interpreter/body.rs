//! The bodies of reductions: functions on single elements.
//!
//! Most are a few elementwise ops. Such a body is parsed once and then evaluated on scalars; any
//! other is evaluated as a region on tensors of rank 0.

use super::{
    prelude::*,
    scalar::{self, Function},
    value::Value,
};
use crate::semantics::op::Op;
use halo_core::{ElementType, Literal, Scalar, Shape};
use halo_ir::prelude::*;
use std::collections::HashMap;

/// A region that takes and returns tensors of rank 0.
pub struct Body<'b, 'a, 'e, 'c> {
    call: &'b Call<'a, 'e, 'c>,
    region: usize,
    /// The element types of the arguments.
    arguments: Vec<ElementType>,
    steps: Option<Steps>,
}

/// A body of elementwise ops.
struct Steps {
    /// Each computes a value from earlier ones and rounds it to its type.
    steps: Vec<Step>,
    /// The results of the body.
    results: Vec<usize>,
    constants: Vec<(usize, Scalar)>,
    size: usize,
}

struct Step {
    function: Function,
    operands: Vec<usize>,
    result: usize,
    element: ElementType,
}

impl<'b, 'a, 'e, 'c> Body<'b, 'a, 'e, 'c> {
    /// A region of an op for elements of these types.
    pub fn new(call: &'b Call<'a, 'e, 'c>, region: usize, arguments: Vec<ElementType>) -> Self {
        Self {
            steps: Steps::read(call, region, &arguments),
            call,
            region,
            arguments,
        }
    }

    /// Evaluates the body.
    pub fn apply(&self, arguments: &[Scalar]) -> Result<Vec<Scalar>, Failure> {
        if let Some(steps) = &self.steps {
            return Ok(steps.evaluate(arguments));
        }
        let arguments: Vec<Value> = arguments
            .iter()
            .zip(&self.arguments)
            .map(|(argument, element)| {
                let mut literal = Literal::zeros(Shape::scalar(*element));
                literal.set(0, *argument);
                literal.into()
            })
            .collect();
        let results = self.call.region(self.region, &arguments)?;
        results
            .iter()
            .map(|result| {
                let literal = result.tensor()?;
                match literal.element_count() {
                    1 => Ok(literal.get(0)),
                    _ => Err(format!("has a body that returns {}", literal.shape()).into()),
                }
            })
            .collect()
    }

    /// Evaluates a body that returns a boolean.
    pub fn holds(&self, arguments: &[Scalar]) -> Result<bool, Failure> {
        match self.apply(arguments)?[..] {
            [result] => Ok(result.to_bool()),
            _ => Err("has a body that does not return one value".into()),
        }
    }
}

impl Steps {
    fn read(call: &Call, region: usize, arguments: &[ElementType]) -> Option<Self> {
        let block = call.op.block(region)?;
        let mut slots = HashMap::new();
        let parameters = block.arguments();
        if parameters.len() != arguments.len() {
            return None;
        }
        for (slot, parameter) in parameters.into_iter().enumerate() {
            // The body has the element types, unless these are quantized or converted.
            if scalar::scalar_type(parameter.ty())? != arguments[slot] {
                return None;
            }
            slots.insert(parameter.key(), slot);
        }
        let (mut steps, mut constants) = (Vec::new(), Vec::new());
        for operation in block.operations() {
            let op = Op::Built(operation);
            let operands: Option<Vec<usize>> = operation
                .operands()
                .into_iter()
                .map(|operand| slots.get(&operand.key()).copied())
                .collect();
            // Captured values require evaluation as a region.
            let operands = operands?;
            if operation.isa::<stablehlo::ReturnOp>() {
                return Some(Self {
                    steps,
                    results: operands,
                    constants,
                    size: slots.len(),
                });
            }
            let result = slots.len();
            let types = operation.result_types();
            let element = scalar::scalar_type(*types.first()?)?;
            if operation.isa::<stablehlo::ConstantOp>() {
                constants.push((result, scalar::constant(op)?));
            } else {
                let first = operation.operands().into_iter().next()?;
                let first = scalar::scalar_type(first.ty())?;
                let operand = if operation.isa::<stablehlo::SelectOp>() {
                    element
                } else {
                    first
                };
                steps.push(Step {
                    function: scalar::function(op, operand, element)?,
                    operands,
                    result,
                    element,
                });
            }
            let results = operation.results();
            slots.insert(results.first()?.key(), result);
        }
        None
    }

    fn evaluate(&self, arguments: &[Scalar]) -> Vec<Scalar> {
        let mut values = vec![Scalar::Bool(false); self.size];
        values[..arguments.len()].copy_from_slice(arguments);
        for (slot, value) in &self.constants {
            values[*slot] = *value;
        }
        let mut operands = [Scalar::Bool(false); 3];
        for step in &self.steps {
            for (operand, slot) in operands.iter_mut().zip(&step.operands) {
                *operand = values[*slot];
            }
            values[step.result] = (step.function)(&operands).stored_as(step.element);
        }
        self.results.iter().map(|slot| values[*slot]).collect()
    }
}
