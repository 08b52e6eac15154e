//! A module as an executable.
//!
//! `unsafe` is here to keep a module and its context together in one value, and
//! to hand it to the threads that run it.

use halo_core::Literal;
use halo_hlo::interpreter::{Environment, Evaluator, Value, evaluator::STACK_BYTES};
use halo_ir::stablehlo::types::is_token;
use halo_ir::{Operation, Type};
use halo_runtime::{
    CustomCallRegistry, Device, DeviceBuffer, Error, Executable, ExecuteOptions, Process, Result,
    Signature, host::HostPlatform,
};
use melior::{
    Context,
    ir::{Module, ValueLike, r#type::TupleType},
};
use std::sync::Arc;
use std::thread;

/// A module with the context that it lives in.
pub(super) struct OwnedModule {
    /// Dropped before the context.
    module: Module<'static>,
    _context: Box<Context>,
}

// SAFETY: A finished module is only read, which MLIR allows from several threads
// in a context that is made for several, and this one is.
unsafe impl Send for OwnedModule {}
// SAFETY: As above.
unsafe impl Sync for OwnedModule {}

impl OwnedModule {
    /// Makes a module in a context of its own.
    pub fn prepare<T>(
        make: impl for<'c> FnOnce(&'c Context) -> Result<(Module<'c>, T)>,
    ) -> Result<(Self, T)> {
        let context = Box::new(crate::context());
        let (module, rest) = make(&context)?;
        // SAFETY: The context is kept beside the module, does not move, and is
        // dropped after it.
        let module = unsafe { std::mem::transmute::<Module<'_>, Module<'static>>(module) };
        context.enable_multi_threading(true);
        let owned = Self {
            module,
            _context: context,
        };
        Ok((owned, rest))
    }

    /// The module's op.
    pub fn operation(&self) -> Operation<'_> {
        halo_ir::root_of(&self.module)
    }
}

/// A program that is evaluated anew for each run.
pub(super) struct InterpreterExecutable {
    inner: Arc<Inner>,
    device: Device,
}

struct Inner {
    module: OwnedModule,
    signature: Signature,
    custom_calls: Arc<CustomCallRegistry>,
}

impl InterpreterExecutable {
    pub fn new(
        module: OwnedModule,
        signature: Signature,
        custom_calls: Arc<CustomCallRegistry>,
    ) -> Self {
        let inner = Inner {
            module,
            signature,
            custom_calls,
        };
        Self {
            inner: Arc::new(inner),
            device: HostPlatform::device(),
        }
    }
}

impl Inner {
    /// The results for inputs on the device.
    fn results(
        &self,
        process: Option<&Arc<Process>>,
        inputs: &[DeviceBuffer],
    ) -> Result<Vec<Value>> {
        let device = HostPlatform::device();
        let arguments = inputs
            .iter()
            .map(|input| Ok(Value::from(device.to_host(input)?)))
            .collect::<Result<Vec<Value>>>()?;
        self.evaluate(process, arguments)
    }

    fn run(
        &self,
        process: Option<&Arc<Process>>,
        inputs: &[DeviceBuffer],
        outputs: &[DeviceBuffer],
    ) -> Result<()> {
        let device = HostPlatform::device();
        for (value, output) in self.results(process, inputs)?.iter().zip(outputs) {
            let literal: &Literal = value.tensor().map_err(Error::execution)?;
            if literal.shape() != output.shape() {
                return Err(Error::execution(format!(
                    "a result of @{} is {}, but its type is {}",
                    self.signature.name,
                    literal.shape(),
                    output.shape()
                )));
            }
            let transfers = &device.transfer_manager;
            transfers.write(&*device.executor, literal, output)?;
        }
        Ok(())
    }

    /// Evaluates the entry on a thread whose stack is large enough for deep
    /// programs.
    fn evaluate(
        &self,
        process: Option<&Arc<Process>>,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>> {
        let environment = Environment::new(self.module.operation(), Arc::clone(&self.custom_calls));
        let name = &self.signature.name;
        let process = process.cloned().unwrap_or_else(Process::alone);
        let run = || {
            let arguments = call_values(&environment, name, arguments)?;
            let evaluator = Evaluator::for_process(&environment, Arc::clone(&process));
            flat(evaluator.call(name, &arguments)?)
        };
        thread::scope(|scope| {
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, || process.run(run))
                .map_err(|error| Error::execution(format!("cannot start a thread: {error}")))?
                .join()
                .unwrap_or_else(|_| Err(Error::internal("the interpreter panicked")))
        })
    }
}

/// The arguments of a function from the tensors that are its inputs: with tokens
/// where it takes them, and tuples put together.
fn call_values(environment: &Environment, name: &str, inputs: Vec<Value>) -> Result<Vec<Value>> {
    fn of_type(r#type: Type, inputs: &mut impl Iterator<Item = Value>) -> Option<Value> {
        if is_token(r#type) {
            return Some(Value::Token);
        }
        let Ok(tuple) = TupleType::try_from(r#type) else {
            return inputs.next();
        };
        (0..tuple.type_count())
            .map(|position| of_type(tuple.r#type(position).ok()?, inputs))
            .collect::<Option<Vec<Value>>>()
            .map(|values| Value::Tuple(values.into()))
    }
    let function = environment.function(name);
    let body = function.and_then(|function| halo_ir::body_of(function, 0));
    let mut inputs = inputs.into_iter();
    body.map(halo_ir::arguments_of)
        .unwrap_or_default()
        .into_iter()
        .map(|argument| of_type(argument.r#type(), &mut inputs))
        .collect::<Option<_>>()
        .ok_or_else(|| Error::internal("there are fewer inputs than arguments"))
}

/// The tensors among results, those of tuples one after the other.
fn flat(values: Vec<Value>) -> Result<Vec<Value>> {
    let mut tensors = Vec::new();
    for value in values {
        match value {
            Value::Tensor(_) => tensors.push(value),
            Value::Token => {}
            Value::Tuple(elements) => tensors.extend(flat(elements.to_vec())?),
            Value::Future(_) => return Err(Error::execution("a result is not a tensor")),
        }
    }
    Ok(tensors)
}

impl Executable for InterpreterExecutable {
    fn signature(&self) -> &Signature {
        &self.inner.signature
    }

    fn device(&self) -> &Device {
        &self.device
    }

    fn execute_into(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
        outputs: &[DeviceBuffer],
    ) -> Result<()> {
        let signature = self.signature();
        signature.check_inputs(inputs.iter().map(DeviceBuffer::shape))?;
        signature.check_outputs(outputs.iter().map(DeviceBuffer::shape))?;
        let Some(stream) = options.stream else {
            return self.inner.run(options.process, inputs, outputs);
        };
        let inner = Arc::clone(&self.inner);
        let (inputs, outputs) = (inputs.to_vec(), outputs.to_vec());
        let process = options.process.cloned();
        stream.host_callback(Box::new(move || {
            inner.run(process.as_ref(), &inputs, &outputs)
        }))
    }

    /// Shapes of results that are not known beforehand are those of the values.
    fn execute(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
    ) -> Result<Vec<DeviceBuffer>> {
        let signature = self.signature();
        if signature.has_static_outputs() {
            let outputs = self.allocate_outputs()?;
            self.execute_into(options, inputs, &outputs)?;
            return Ok(outputs);
        }
        signature.check_inputs(inputs.iter().map(DeviceBuffer::shape))?;
        if let Some(stream) = options.stream {
            stream.block_until_done()?;
        }
        let results = self.inner.results(options.process, inputs)?;
        results
            .iter()
            .zip(&signature.outputs)
            .map(|(value, pattern)| {
                let literal: &Literal = value.tensor().map_err(Error::execution)?;
                match pattern.matches(literal.shape()) {
                    true => self.device.to_device(literal),
                    false => Err(Error::execution(format!(
                        "a result of @{} is {}, but its type is {pattern}",
                        signature.name,
                        literal.shape()
                    ))),
                }
            })
            .collect()
    }
}
