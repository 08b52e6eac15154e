//! The evaluation of functions, blocks and ops.

use super::{
    call::Call,
    evaluator::{Evaluated, Evaluator, Failure, Scope},
    ops, registered,
    value::Value,
};
use crate::semantics::op::Op;
use halo_ir::{diagnostics::file_line_column, prelude::*};
use halo_runtime::Error;

/// The nesting depth of calls and regions above which a program is assumed to recurse infinitely. A
/// level takes a few kilobytes of stack; see [`STACK_BYTES`](super::evaluator::STACK_BYTES).
const MAX_DEPTH: usize = 1_000;

impl<'c> Evaluator<'_, 'c> {
    /// Calls a function of the module.
    ///
    /// # Errors
    /// Returns an execution error at the failing op.
    pub fn call(&self, name: &str, arguments: &[Value]) -> Result<Vec<Value>, Error> {
        let function = self
            .environment
            .function(name)
            .ok_or_else(|| Error::execution(format!("there is no function '{name}'")))?;
        self.region(function, 0, arguments, None)
            .map_err(|failure| located(failure, function))
    }

    /// Evaluates one op on values.
    ///
    /// # Errors
    /// Returns an execution error at the failing op.
    pub fn evaluate(
        &self,
        operation: Operation<'c>,
        operands: &[Value],
    ) -> Result<Vec<Value>, Error> {
        self.operation(operation, operands, &Scope::inside(None))
    }

    /// Evaluates a region of an isolated op.
    ///
    /// # Errors
    /// Returns an execution error at the failing op.
    pub fn apply(
        &self,
        operation: Operation<'c>,
        number: usize,
        arguments: &[Value],
    ) -> Result<Vec<Value>, Error> {
        self.region(operation, number, arguments, None)
            .map_err(|failure| located(failure, operation))
    }

    fn operation(
        &self,
        operation: Operation<'c>,
        operands: &[Value],
        scope: &Scope,
    ) -> Result<Vec<Value>, Error> {
        let call = Call {
            evaluator: self,
            scope,
            op: Op::Built(operation),
            operands,
        };
        let results = ops::evaluate(&call).map_err(|failure| located(failure, operation))?;
        if results.len() != operation.result_count() {
            return Err(Error::internal(format!(
                "'{}' was evaluated to {} results",
                operation.name(),
                results.len()
            )));
        }
        Ok(results)
    }

    /// Evaluates a region of an op with values for its block arguments, and returns its results.
    /// `outer` are the values that it may capture.
    pub fn region(
        &self,
        operation: Operation<'c>,
        number: usize,
        arguments: &[Value],
        outer: Option<&Scope>,
    ) -> Evaluated {
        let region = operation
            .regions()
            .into_iter()
            .nth(number)
            .ok_or_else(|| format!("has no region {number}"))?;
        let blocks = region.blocks();
        let [block] = blocks[..] else {
            return Err(match blocks.len() {
                0 => "has no body".into(),
                _ => "has a region with branches between blocks".into(),
            });
        };
        let depth = self.depth.get();
        if depth >= MAX_DEPTH {
            return Err(format!("is nested more than {MAX_DEPTH} levels deep").into());
        }
        self.depth.set(depth + 1);
        let results = self.block(block, arguments, outer);
        self.depth.set(depth);
        results
    }

    fn block(&self, block: Block<'c>, arguments: &[Value], outer: Option<&Scope>) -> Evaluated {
        let parameters = block.arguments();
        if parameters.len() != arguments.len() {
            return Err(format!(
                "has a body of {} arguments, but {} values are given",
                parameters.len(),
                arguments.len()
            )
            .into());
        }
        let scope = Scope::inside(outer);
        for (parameter, argument) in parameters.into_iter().zip(arguments) {
            scope.define(parameter, argument.clone());
        }
        for operation in block.operations() {
            let operands = operation
                .operands()
                .into_iter()
                .map(|operand| scope.lookup(operand))
                .collect::<Option<Vec<Value>>>()
                .ok_or("uses a value that was not computed")?;
            let name = operation.name();
            if matches!(name, stablehlo::ReturnOp::NAME | func::ReturnOp::NAME)
                || registered::is_terminator(name)
            {
                return Ok(operands);
            }
            let results = self.operation(operation, &operands, &scope).map_err(Failure::There)?;
            for (result, value) in operation.results().into_iter().zip(results) {
                scope.define(result, value);
            }
        }
        Ok(Vec::new())
    }
}

/// Adds the location of the op to a failure.
fn located(failure: Failure, operation: Operation) -> Error {
    match failure {
        Failure::There(error) => error,
        Failure::Here(message) => {
            let location = file_line_column(operation.location()).unwrap_or_default();
            Error::execution_at(&location, format!("'{}' op {message}", operation.name()))
        }
    }
}
