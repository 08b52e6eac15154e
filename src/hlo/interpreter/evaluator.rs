//! The state of a run.
//!
//! Runs share an [`Environment`]: the functions of the module, the handlers of custom calls. An
//! [`Evaluator`] is one process, on a separate thread.
//!
//! `unsafe` is needed to let those threads read the shared module.

use super::value::Value;
use halo_core::random::Generator;
use halo_ir::prelude::*;
use halo_runtime::{CustomCallRegistry, Error, Process};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

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
            Error::Execution(run) if run.position.is_none() => Self::Here(run.message),
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
    pub(super) fn inside(outer: Option<&'a Scope<'a>>) -> Self {
        Self {
            values: RefCell::default(),
            outer,
        }
    }

    pub(super) fn define(&self, value: halo_ir::Value, as_value: Value) {
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
    /// The nesting of calls and regions.
    pub(super) depth: Cell<usize>,
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
}
