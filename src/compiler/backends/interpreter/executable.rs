//! A module as an executable.
//!
//! `unsafe` is needed to share a module between the threads that run it.

use halo_core::Literal;
use halo_hlo::interpreter::{Environment, Evaluator, Value, evaluator::STACK_BYTES};
use halo_ir::{OwnedModule, prelude::*, stablehlo::types::is_token};
use halo_runtime::{
    CustomCallRegistry, Error, Process, Result, Signature, host::HostFunctionExecutable,
};
use melior::ir::r#type::TupleType;
use std::sync::Arc;
use std::thread;

/// A program that the interpreter evaluates for each run.
pub(super) fn executable(
    module: OwnedModule,
    signature: Signature,
    custom_calls: Arc<CustomCallRegistry>,
) -> HostFunctionExecutable {
    module.context().enable_multi_threading(true);
    let program = Program {
        module,
        entry: signature.name.clone(),
        custom_calls,
    };
    HostFunctionExecutable::of_processes(signature, move |process, inputs| {
        program.run(process, inputs)
    })
}

struct Program {
    module: OwnedModule,
    entry: String,
    custom_calls: Arc<CustomCallRegistry>,
}

// SAFETY: The module is only read, which MLIR allows from several threads in a multithreaded
// context, and this context is one.
unsafe impl Sync for Program {}

impl Program {
    /// Evaluates the entry on a thread with a large stack, for deep programs.
    fn run(&self, process: &Arc<Process>, inputs: Vec<Literal>) -> Result<Vec<Literal>> {
        let environment = Environment::new(self.module.operation(), Arc::clone(&self.custom_calls));
        let run = || {
            let inputs = inputs.into_iter().map(Value::from).collect();
            let arguments = call_values(&environment, &self.entry, inputs)?;
            let evaluator = Evaluator::for_process(&environment, Arc::clone(process));
            flat(evaluator.call(&self.entry, &arguments)?)
        };
        thread::scope(|scope| {
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, run)
                .map_err(|error| Error::execution(format!("cannot start a thread: {error}")))?
                .join()
                .unwrap_or_else(|_| Err(Error::internal("the interpreter panicked")))
        })
    }
}

/// The arguments of a function from its input tensors: adds tokens, and builds tuples.
fn call_values(environment: &Environment, name: &str, inputs: Vec<Value>) -> Result<Vec<Value>> {
    fn of_type(ty: Type, inputs: &mut impl Iterator<Item = Value>) -> Option<Value> {
        if is_token(ty) {
            return Some(Value::Token);
        }
        let Some(tuple) = ty.cast::<TupleType>() else {
            return inputs.next();
        };
        (0..tuple.type_count())
            .map(|position| of_type(tuple.r#type(position).ok()?, inputs))
            .collect::<Option<Vec<Value>>>()
            .map(|values| Value::Tuple(values.into()))
    }
    let function = environment.function(name);
    let body = function.and_then(|function| function.body(0));
    let mut inputs = inputs.into_iter();
    body.map(Block::arguments)
        .unwrap_or_default()
        .into_iter()
        .map(|argument| of_type(argument.ty(), &mut inputs))
        .collect::<Option<_>>()
        .ok_or_else(|| Error::internal("there are fewer inputs than arguments"))
}

/// The tensors among results; tuples are flattened.
fn flat(values: Vec<Value>) -> Result<Vec<Literal>> {
    let mut tensors = Vec::new();
    for value in values {
        match value {
            Value::Tensor(tensor) => tensors.push(Arc::unwrap_or_clone(tensor)),
            Value::Token => {}
            Value::Tuple(elements) => tensors.extend(flat(elements.to_vec())?),
            Value::Future(_) => return Err(Error::execution("a result is not a tensor")),
        }
    }
    Ok(tensors)
}
