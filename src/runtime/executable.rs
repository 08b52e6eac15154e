//! Compiled programs.

use std::fmt;
use std::sync::Arc;

use halo_core::{Literal, Shape, ShapePattern};
use serde::{Deserialize, Serialize};

use crate::host::ThreadPool;
use crate::plan::encoding::texts;
use crate::run_observer::RunObserver;
use crate::{DeviceBuffer, Error, Process, Result, Stream, StreamExecutor, TransferManager};

/// The inputs and outputs of a program. Dynamic sizes are taken from the inputs of each run, or
/// derived from them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The entry function.
    pub name: String,
    #[serde(with = "texts")]
    pub inputs: Vec<ShapePattern>,
    #[serde(with = "texts")]
    pub outputs: Vec<ShapePattern>,
    /// The outputs that are computed in the memory of a donated input.
    pub aliases: Vec<Alias>,
    pub tokens: Tokens,
}

/// The positions of tokens among the arguments, and among the results, of an entry in the source.
/// They order side effects; no values are passed for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    pub arguments: Vec<usize>,
    pub results: Vec<usize>,
}

/// An output that may share the memory of an input with the same shape. It is computed in place if
/// the caller passes one memory for both; otherwise the input is copied first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    pub input: usize,
    pub output: usize,
}

impl Signature {
    /// Checks the shapes of given inputs.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the wrong input and the mismatch.
    pub fn check_inputs<'a>(
        &self,
        shapes: impl IntoIterator<Item = &'a Shape, IntoIter: ExactSizeIterator>,
    ) -> Result<()> {
        self.check("input", &self.inputs, shapes)
    }

    /// Checks the shapes of given outputs.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the wrong output and the mismatch.
    pub fn check_outputs<'a>(
        &self,
        shapes: impl IntoIterator<Item = &'a Shape, IntoIter: ExactSizeIterator>,
    ) -> Result<()> {
        self.check("output", &self.outputs, shapes)
    }

    fn check<'a>(
        &self,
        role: &str,
        expected: &[ShapePattern],
        shapes: impl IntoIterator<Item = &'a Shape, IntoIter: ExactSizeIterator>,
    ) -> Result<()> {
        let shapes = shapes.into_iter();
        if shapes.len() != expected.len() {
            let plural = if expected.len() == 1 { "" } else { "s" };
            return Err(Error::invalid(format!(
                "@{} has {} {role}{plural}, but {} were given",
                self.name,
                expected.len(),
                shapes.len()
            )));
        }
        for (position, (given, expected)) in shapes.zip(expected).enumerate() {
            if !expected.matches(given) {
                return Err(Error::invalid(format!(
                    "{role} {position} of @{} is {expected}, but {given} was given",
                    self.name
                )));
            }
        }
        Ok(())
    }
}

impl Signature {
    /// Returns true if all results have static shapes.
    pub fn has_static_outputs(&self) -> bool {
        self.outputs.iter().all(ShapePattern::is_static)
    }

    /// The input that an output may share memory with.
    ///
    /// ```
    /// use halo_runtime::{Alias, Signature};
    ///
    /// let shapes = vec!["tensor<2xf32>".parse().unwrap(); 2];
    /// let step = Signature {
    ///     name: "step".to_owned(),
    ///     inputs: shapes.clone(),
    ///     outputs: shapes,
    ///     aliases: vec![Alias { input: 0, output: 1 }],
    ///     ..Signature::default()
    /// };
    /// assert_eq!([step.aliased_input(0), step.aliased_input(1)], [None, Some(0)]);
    /// ```
    pub fn aliased_input(&self, output: usize) -> Option<usize> {
        let alias = self.aliases.iter().find(|alias| alias.output == output);
        alias.map(|alias| alias.input)
    }

    /// Returns true if all inputs and results have static shapes.
    pub fn is_static(&self) -> bool {
        self.inputs.iter().all(ShapePattern::is_static) && self.has_static_outputs()
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |shapes: &[ShapePattern]| {
            let shapes: Vec<String> = shapes.iter().map(ToString::to_string).collect();
            shapes.join(", ")
        };
        let (inputs, outputs) = (list(&self.inputs), list(&self.outputs));
        write!(formatter, "@{}({inputs}) -> ({outputs})", self.name)
    }
}

/// The device of an executable, and the transfer of values to it.
#[derive(Clone)]
pub struct Device {
    pub executor: Arc<dyn StreamExecutor>,
    pub transfer_manager: Arc<dyn TransferManager>,
}

impl Device {
    /// Memory for a value of this shape.
    ///
    /// # Errors
    /// Returns an execution error if memory is exhausted.
    pub fn allocate(&self, shape: &Shape) -> Result<DeviceBuffer> {
        self.transfer_manager.allocate(&*self.executor, shape)
    }

    /// A copy of a literal on the device.
    ///
    /// # Errors
    /// Returns an execution error if memory is exhausted.
    pub fn to_device(&self, literal: &Literal) -> Result<DeviceBuffer> {
        self.transfer_manager.to_device(&*self.executor, literal)
    }

    /// A copy of a value on the host.
    ///
    /// # Errors
    /// Returns an execution error if memory is exhausted.
    pub fn to_host(&self, buffer: &DeviceBuffer) -> Result<Literal> {
        self.transfer_manager.to_host(&*self.executor, buffer)
    }
}

/// The options of one execution.
#[derive(Clone, Copy, Default)]
pub struct ExecuteOptions<'a> {
    /// The stream to run on: the call returns at once, and errors of the run
    /// come from the stream. Without one, the call returns when all is done.
    pub stream: Option<&'a dyn Stream>,
    /// The process that runs the program, for communication; by default the only process of a new
    /// grid. A run that fails ends the process.
    pub process: Option<&'a Arc<Process>>,
    /// The donated inputs: [`execute`](Executable::execute) returns the outputs that are aliased
    /// with them in their memory, which no other input may share.
    pub donated: &'a [usize],
    /// The threads of a run on the host; by default, the threads that the program was compiled
    /// for.
    pub threads: Option<&'a ThreadPool>,
    /// The profiler of the run; by default, nothing is measured.
    pub observer: Option<&'a Arc<dyn RunObserver>>,
}

/// A program that can be run any number of times, from several threads concurrently.
pub trait Executable: Send + Sync {
    fn signature(&self) -> &Signature;

    fn device(&self) -> &Device;

    /// Runs the program on `inputs` and writes its results into `outputs`, whose former contents
    /// are ignored. No output may share memory with another buffer of the call, except with the
    /// input that it is aliased with ([`Signature::aliases`]), which is overwritten then.
    ///
    /// # Errors
    /// Returns an invalid-input error if number, shape or place of a buffer is wrong; an execution
    /// error if the run fails, after which the outputs are undefined.
    fn execute_into(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
        outputs: &[DeviceBuffer],
    ) -> Result<()>;

    /// Runs the program and returns its results in new memory.
    ///
    /// # Errors
    /// Returns the errors of [`execute_into`](Self::execute_into); also an error if memory is
    /// exhausted.
    fn execute(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
    ) -> Result<Vec<DeviceBuffer>> {
        let outputs = self.take_outputs(options, inputs)?;
        self.execute_into(options, inputs, &outputs)?;
        Ok(outputs)
    }

    /// Compiles with full optimization the shapes that run as baseline code until then, and waits
    /// for compilations in the background. Returns true if other code runs from now on. By default,
    /// there is no baseline tier.
    fn finish_compilation(&self) -> bool {
        false
    }

    /// The program on another device of its platform, without compiling it again.
    ///
    /// # Errors
    /// Returns an invalid-input error if it runs on its own device only; the errors of loading it.
    fn on_device(&self, device: &Device) -> Result<Box<dyn Executable>> {
        let (other, own) = (&device.executor, &self.device().executor);
        Err(Error::invalid(format!(
            "@{} was compiled for device {} of the platform '{}' and cannot run on device {}",
            self.signature().name,
            own.ordinal(),
            own.platform(),
            other.ordinal()
        )))
    }

    /// Returns true if a run on a stream is enqueued as a whole: it does not wait for values that
    /// the device computes.
    fn is_enqueued_whole(&self) -> bool {
        false
    }

    /// Bytes of temporary memory that one run needs, if known before the run.
    fn temporary_bytes(&self) -> Option<usize> {
        None
    }

    /// Allocates the results of one run: aliased outputs reuse the memory of donated inputs.
    ///
    /// # Errors
    /// Returns the errors of [`allocate_outputs`](Self::allocate_outputs); also an invalid-input
    /// error if there is no input of a donated number.
    fn take_outputs(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
    ) -> Result<Vec<DeviceBuffer>> {
        if options.donated.is_empty() {
            return self.allocate_outputs();
        }
        let signature = self.signature();
        if let Some(number) = options.donated.iter().find(|number| **number >= inputs.len()) {
            return Err(Error::invalid(format!(
                "input {number} of @{} is donated, but {} were given",
                signature.name,
                inputs.len()
            )));
        }
        let outputs = signature.outputs.iter().enumerate();
        outputs
            .map(|(output, pattern)| match signature.aliased_input(output) {
                Some(input) if options.donated.contains(&input) => Ok(inputs[input].clone()),
                _ => self.device().allocate(&pattern.to_shape()?),
            })
            .collect()
    }

    /// Allocates memory for the results of one run.
    ///
    /// # Errors
    /// Returns an execution error if memory is exhausted; an invalid-input error if the sizes of
    /// the results depend on the inputs, so that only [`execute`](Self::execute) can give them
    /// memory.
    fn allocate_outputs(&self) -> Result<Vec<DeviceBuffer>> {
        let outputs = self.signature().outputs.iter();
        outputs.map(|pattern| self.device().allocate(&pattern.to_shape()?)).collect()
    }

    /// Copies the inputs to the device, runs, and copies the results back.
    ///
    /// # Errors
    /// Returns the errors of [`execute`](Self::execute).
    fn run(&self, inputs: &[Literal]) -> Result<Vec<Literal>> {
        self.run_with(&ExecuteOptions::default(), inputs)
    }

    /// The same with options, and when all is done.
    ///
    /// # Errors
    /// Returns the errors of [`execute`](Self::execute).
    fn run_with(&self, options: &ExecuteOptions<'_>, inputs: &[Literal]) -> Result<Vec<Literal>> {
        self.signature().check_inputs(inputs.iter().map(Literal::shape))?;
        let device = self.device();
        let inputs: Vec<DeviceBuffer> =
            inputs.iter().map(|input| device.to_device(input)).collect::<Result<_>>()?;
        let options = ExecuteOptions {
            stream: None,
            ..*options
        };
        let outputs = self.execute(&options, &inputs)?;
        outputs.iter().map(|output| device.to_host(output)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes<T: std::str::FromStr<Err: std::fmt::Debug>>(texts: &[&str]) -> Vec<T> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn wrong_inputs_are_told_apart() {
        let signature = Signature {
            name: "main".to_owned(),
            inputs: shapes(&["tensor<2xf32>", "tensor<i32>"]),
            outputs: shapes(&["tensor<f32>"]),
            ..Signature::default()
        };
        assert_eq!(
            signature.to_string(),
            "@main(tensor<2xf32>, tensor<i32>) -> (tensor<f32>)"
        );
        let check = |texts: &[&str]| match signature.check_inputs(&shapes::<Shape>(texts)) {
            Ok(()) => "ok".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(check(&["tensor<2xf32>", "tensor<i32>"]), "ok");
        assert_eq!(
            check(&["tensor<2xf32>"]),
            "@main has 2 inputs, but 1 were given"
        );
        assert_eq!(
            check(&["tensor<2xf32>", "tensor<i64>"]),
            "input 1 of @main is tensor<i32>, but tensor<i64> was given"
        );
        assert_eq!(
            signature.check_outputs(&[]).unwrap_err().to_string(),
            "@main has 1 output, but 0 were given"
        );
    }
}
