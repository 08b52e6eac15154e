//! A function of the host as an executable: all that a backend needs whose device is
//! evaluated in this process.
//!
//! ```
//! use halo_core::Literal;
//! use halo_runtime::{Executable, Signature, host::HostFunctionExecutable};
//!
//! let vector = || vec!["tensor<2xf32>".parse().unwrap()];
//! let signature = Signature {
//!     name: "negate".to_owned(),
//!     inputs: vector(),
//!     outputs: vector(),
//!     ..Signature::default()
//! };
//! let negate = HostFunctionExecutable::new(signature, |inputs| {
//!     let negated: Vec<f32> = inputs[0].as_slice::<f32>()?.iter().map(|x| -x).collect();
//!     Ok(vec![Literal::from_slice(&[2], &negated)?])
//! });
//! let results = negate.run(&[Literal::from_slice(&[2], &[1.0f32, -2.0]).unwrap()]).unwrap();
//! assert_eq!(results[0].as_slice::<f32>().unwrap(), [-1.0, 2.0]);
//!
//! let wrong = negate.run(&[Literal::from_slice(&[1], &[1.0f32]).unwrap()]);
//! assert_eq!(
//!     wrong.err().unwrap().to_string(),
//!     "input 0 of @negate is tensor<2xf32>, but tensor<1xf32> was given",
//! );
//! ```

use std::sync::Arc;

use halo_core::{Literal, panics};

use super::memory::LockedBuffers;
use super::{HostAllocation, HostPlatform};
use crate::{Device, DeviceBuffer, Error, Executable, ExecuteOptions, Process, Result, Signature};

type HostFunction = dyn Fn(&Arc<Process>, Vec<Literal>) -> Result<Vec<Literal>> + Send + Sync;

/// A function from literals to literals that runs on the host.
///
/// Inputs and results are compared with the signature. The function runs on the calling thread or
/// the thread of a stream, several at once if the application calls it so; its panics become
/// errors.
pub struct HostFunctionExecutable {
    inner: Arc<Inner>,
    device: Device,
}

struct Inner {
    signature: Signature,
    function: Box<HostFunction>,
}

impl HostFunctionExecutable {
    /// An executable for a function that gets one literal for each input and returns one for each
    /// result.
    pub fn new(
        signature: Signature,
        function: impl Fn(&[Literal]) -> Result<Vec<Literal>> + Send + Sync + 'static,
    ) -> Self {
        Self::of_processes(signature, move |_, inputs| function(&inputs))
    }

    /// The same for a function that communicates: it also gets its process.
    pub fn of_processes<F>(signature: Signature, function: F) -> Self
    where
        F: Fn(&Arc<Process>, Vec<Literal>) -> Result<Vec<Literal>> + Send + Sync + 'static,
    {
        let function = Box::new(function);
        Self {
            inner: Arc::new(Inner {
                signature,
                function,
            }),
            device: HostPlatform::device(),
        }
    }
}

impl Inner {
    /// The results for inputs of the right shapes.
    fn results(
        &self,
        process: Option<&Arc<Process>>,
        inputs: &[DeviceBuffer],
    ) -> Result<Vec<Literal>> {
        let device = HostPlatform::device();
        let inputs = inputs.iter().map(|input| device.to_host(input));
        let inputs = inputs.collect::<Result<Vec<Literal>>>()?;
        let process = process.cloned().unwrap_or_else(Process::alone);
        let name = &self.signature.name;
        let call = || {
            panics::catch(|| (self.function)(&process, inputs))
                .unwrap_or_else(|panic| Err(Error::internal(format!("@{name} panicked: {panic}"))))
        };
        let results = process.run(call)?;
        let outputs = &self.signature.outputs;
        if results.len() != outputs.len() {
            return Err(Error::execution(format!(
                "@{name} has {} results, but {} were computed",
                outputs.len(),
                results.len()
            )));
        }
        for (position, (result, expected)) in results.iter().zip(outputs).enumerate() {
            if !expected.matches(result.shape()) {
                return Err(Error::execution(format!(
                    "result {position} of @{name} is {expected}, but {} was computed",
                    result.shape()
                )));
            }
        }
        Ok(results)
    }

    fn run(
        &self,
        process: Option<&Arc<Process>>,
        inputs: &[DeviceBuffer],
        outputs: &[DeviceBuffer],
    ) -> Result<()> {
        let device = HostPlatform::device();
        // Shared memory is harmless here, but other backends reject it.
        drop(LockedBuffers::lock(
            inputs,
            outputs,
            &self.signature.aliases,
        )?);
        let results = self.results(process, inputs)?;
        for (position, (result, output)) in results.iter().zip(outputs).enumerate() {
            // The type of a result may have dynamic sizes, which the buffer has.
            if result.shape() != output.shape() {
                return Err(Error::execution(format!(
                    "result {position} of @{} is {}, but its buffer is {}",
                    self.signature.name,
                    result.shape(),
                    output.shape()
                )));
            }
            let transfers = &device.transfer_manager;
            transfers.write(&*device.executor, result, output)?;
        }
        Ok(())
    }
}

impl Executable for HostFunctionExecutable {
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
        for buffer in inputs.iter().chain(outputs) {
            buffer.memory().downcast::<HostAllocation>()?;
        }
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

    /// Results of dynamic shape get the shapes of the values.
    fn execute(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
    ) -> Result<Vec<DeviceBuffer>> {
        let signature = self.signature();
        if signature.has_static_outputs() {
            let outputs = self.take_outputs(options, inputs)?;
            self.execute_into(options, inputs, &outputs)?;
            return Ok(outputs);
        }
        signature.check_inputs(inputs.iter().map(DeviceBuffer::shape))?;
        if let Some(stream) = options.stream {
            stream.block_until_done()?;
        }
        let results = self.inner.results(options.process, inputs)?;
        let results = results.iter().map(|result| self.device.to_device(result));
        results.collect()
    }
}

#[cfg(test)]
#[path = "function_tests.rs"]
mod tests;
