//! Functions, blocks and scopes.
//!
//! Runs share an [`Environment`]: the functions of the module, the handlers of custom calls. An
//! [`Evaluator`] is one process, on a separate thread.
//!
//! `unsafe` is needed to let those threads read the shared module.

use super::{call::Call, ops, registered, value::Value};
use crate::semantics::op::Op;
use halo_core::random::Generator;
use halo_ir::{diagnostics::file_line_column, prelude::*};
use halo_runtime::{CustomCallRegistry, Error, Process};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

/// The nesting depth of calls and regions above which a program is assumed to recurse infinitely. A
/// level takes a few kilobytes of stack; see [`STACK_BYTES`].
const MAX_DEPTH: usize = 1_000;

/// The stack of an evaluating thread: a large one, of which only used pages are committed.
pub const STACK_BYTES: usize = 512 << 20;

/// The failure of an op.
#[derive(Debug)]
pub enum Failure {
    /// The evaluated op failed; its location is added.
    Here(String),
    /// A nested op failed.
    There(Error),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Here(message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Self::Here(message.to_owned())
    }
}

impl From<halo_core::Error> for Failure {
    fn from(error: halo_core::Error) -> Self {
        Self::Here(error.to_string())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Execution {
                message,
                location: None,
            } => Self::Here(message),
            error => Self::There(error),
        }
    }
}

/// The results of an op.
pub type Evaluated = Result<Vec<Value>, Failure>;

/// The common state of all processes of a run.
#[derive(Default)]
pub struct Environment<'c> {
    functions: HashMap<String, Operation<'c>>,
    /// The names that custom calls may use.
    pub custom_calls: Arc<CustomCallRegistry>,
}

// SAFETY: The handles are only read, which MLIR allows from several threads in a multithreaded
// context.
unsafe impl Send for Environment<'_> {}
// SAFETY: As above.
unsafe impl Sync for Environment<'_> {}

impl<'c> Environment<'c> {
    /// The functions of a module, ready to be called.
    pub fn new(module: Operation<'c>, custom_calls: Arc<CustomCallRegistry>) -> Self {
        let functions = module
            .collect_nested(|op| op.isa::<func::FuncOp>())
            .into_iter()
            .filter_map(|function| {
                let name = function.cast::<func::FuncOp>()?.sym_name();
                Some((name.to_owned(), function))
            })
            .collect();
        Self {
            functions,
            custom_calls,
        }
    }

    /// A function of the module.
    pub fn function(&self, name: &str) -> Option<Operation<'c>> {
        self.functions.get(name).copied()
    }
}

/// The values of a block and its enclosing blocks.
pub struct Scope<'a> {
    values: RefCell<HashMap<usize, Value>>,
    outer: Option<&'a Scope<'a>>,
}

impl<'a> Scope<'a> {
    fn inside(outer: Option<&'a Scope<'a>>) -> Self {
        Self {
            values: RefCell::default(),
            outer,
        }
    }

    fn define(&self, value: halo_ir::Value, as_value: Value) {
        self.values.borrow_mut().insert(value.key(), as_value);
    }

    /// The value of a handle.
    pub fn lookup(&self, value: halo_ir::Value) -> Option<Value> {
        let key = value.key();
        let mut scope = Some(self);
        while let Some(current) = scope {
            if let Some(found) = current.values.borrow().get(&key) {
                return Some(found.clone());
            }
            scope = current.outer;
        }
        None
    }
}

/// One process that runs a program.
pub struct Evaluator<'e, 'c> {
    /// The shared state.
    pub environment: &'e Environment<'c>,
    /// The process among the group of processes.
    pub process: Arc<Process>,
    /// Random numbers of `rng`.
    pub generator: RefCell<Generator>,
    depth: Cell<usize>,
}

impl<'e, 'c> Evaluator<'e, 'c> {
    /// The only process of a run.
    pub fn new(environment: &'e Environment<'c>) -> Self {
        Self::for_process(environment, Process::alone())
    }

    /// One of the processes of a run.
    pub fn for_process(environment: &'e Environment<'c>, process: Arc<Process>) -> Self {
        // Random numbers differ from those of other processes.
        let seed = process.number() as u64;
        Self {
            environment,
            process,
            generator: RefCell::new(Generator::new(seed)),
            depth: Cell::new(0),
        }
    }

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
