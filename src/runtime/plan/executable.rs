//! A plan loaded on a device.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use super::resources::Resources;
use super::run::{Halt, Run};
use super::{CONSTANT_ALIGNMENT, Plan, Thunk};
use crate::custom_call::{Handler, StreamHandler};
use crate::host::thread_pool::ThreadPool;
use crate::run_observer::Site;
use crate::{
    CustomCallRegistry, CustomCallSite, Device, DeviceBuffer, DeviceMemory, Error, Executable,
    ExecuteOptions, KernelModule, Result, Signature, Stream,
};

/// An executable plan.
///
/// A run without a stream has a separate one and returns when all is done. A run on a given stream
/// is enqueued there, and is done when the stream is. Conditions of loops and conditionals, and
/// custom calls, are evaluated on the host before the call returns, which then waits for the stream
/// as far as needed.
pub struct PlanExecutable {
    loaded: Loaded,
    device: Device,
}

/// The common state of runs.
pub(super) struct Loaded {
    /// Shared by the devices that it is loaded on, as are its calls.
    pub plan: Arc<Plan>,
    /// `None` for a plan without kernels.
    pub module: Option<Arc<dyn KernelModule>>,
    /// All constants.
    pub constants: DeviceMemory,
    /// The offset of each constant in that memory.
    pub constant_offsets: Vec<usize>,
    pub calls: Arc<[BoundCall]>,
    /// The threads for the work of custom calls.
    pub threads: Arc<ThreadPool>,
    /// The names of the steps for observers of runs, computed on first use.
    pub sites: OnceLock<Vec<Vec<Option<Arc<Site>>>>>,
    resources: Resources,
}

/// A call site with its function.
pub(super) struct BoundCall {
    pub site: CustomCallSite,
    pub handler: BoundHandler,
}

pub(super) enum BoundHandler {
    /// Called on copies in memory of the host.
    Host(Handler),
    Stream(StreamHandler),
}

impl PlanExecutable {
    /// Loads a plan on a device: its kernels, and its constants.
    ///
    /// # Errors
    /// Returns an invalid-input error if the plan is not [sound](Plan::validate), if it was made
    /// for another platform or for a newer device, if its code cannot be loaded, or if a custom
    /// call is not registered in `registry` or is rejected there; an execution error if memory is
    /// exhausted, or a library is missing.
    pub fn load(plan: Plan, device: Device, registry: &CustomCallRegistry) -> Result<Self> {
        plan.validate()?;
        let bind = |site: &CustomCallSite| {
            Ok(BoundCall {
                handler: match registry.bind_on_stream(site)? {
                    Some(handler) => BoundHandler::Stream(handler),
                    None => BoundHandler::Host(registry.bind(site)?),
                },
                site: site.clone(),
            })
        };
        let calls: Arc<[BoundCall]> = plan.custom_calls.iter().map(bind).collect::<Result<_>>()?;
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self::of(Arc::new(plan), device, calls, ThreadPool::shared(threads)?)
    }

    /// A valid plan on a device.
    fn of(
        plan: Arc<Plan>,
        device: Device,
        calls: Arc<[BoundCall]>,
        threads: Arc<ThreadPool>,
    ) -> Result<Self> {
        let executor = &device.executor;
        if plan.target.platform != executor.platform() {
            return Err(Error::invalid(format!(
                "the plan is for the platform '{}', and the device is one of '{}'",
                plan.target.platform,
                executor.platform()
            )));
        }
        let multiplies = |thunk: &Thunk| matches!(thunk, Thunk::Gemm(_));
        if plan.sequences.iter().flatten().any(multiplies) {
            executor.load_gemm_library()?;
        }
        let module = if plan.kernels.is_empty() {
            None
        } else {
            executor.check_architecture(&plan.target.architecture)?;
            Some(executor.load_module(&plan.code, &plan.kernels)?)
        };
        let (constants, constant_offsets) = load_constants(&device, &plan.constants)?;
        let arena_size = usize::try_from(plan.arena_size)
            .map_err(|_| Error::invalid("the arena does not fit in memory"))?;
        let largest = plan.arena_largest.clone();
        let loaded = Loaded {
            plan,
            module,
            constants,
            constant_offsets,
            calls,
            threads,
            sites: OnceLock::new(),
            resources: Resources::new(Arc::clone(executor), arena_size, largest),
        };
        Ok(Self { loaded, device })
    }

    /// Sets the number of threads for custom calls; all of the machine's by default.
    ///
    /// # Errors
    /// Returns an execution error if the threads cannot be started.
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Result<Self> {
        self.loaded.threads = ThreadPool::shared(threads)?;
        Ok(self)
    }

    /// Runs on a separate stream, until all is done.
    fn run_alone(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
        outputs: &[DeviceBuffer],
    ) -> Result<()> {
        let resources = &self.loaded.resources;
        let stream = resources.stream()?;
        let arena = resources.arena(&*stream)?;
        let mut run = Run::new(&self.loaded, &*stream, inputs, outputs, &arena.memory);
        let outcome = run.program(options);
        drop(run);
        // Also after an error: enqueued entries use the arena.
        let done = stream.block_until_done();
        resources.keep_arena(arena);
        resources.keep_stream(stream);
        match outcome {
            Ok(()) => done,
            Err(Halt::Error(error)) => Err(error),
            Err(Halt::StreamFailed) => {
                done?;
                Err(Error::internal("a stream failed and says nothing about it"))
            }
        }
    }

    /// Enqueues a run on a stream.
    fn run_on(
        &self,
        stream: &dyn Stream,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
        outputs: &[DeviceBuffer],
    ) -> Result<()> {
        let resources = &self.loaded.resources;
        let arena = resources.arena(stream)?;
        let mut run = Run::new(&self.loaded, stream, inputs, outputs, &arena.memory);
        let outcome = run.program(options);
        drop(run);
        let kept = resources.keep_arena_after(arena, stream);
        match outcome {
            Ok(()) => kept,
            Err(Halt::Error(error)) => Err(error),
            // The stream has the error.
            Err(Halt::StreamFailed) => kept,
        }
    }
}

/// Copies constants to the device, and returns the offset of each.
fn load_constants(device: &Device, constants: &[Vec<u8>]) -> Result<(DeviceMemory, Vec<usize>)> {
    let too_large = || Error::invalid("the constants do not fit in memory");
    let mut offsets = Vec::with_capacity(constants.len());
    let mut size = 0_usize;
    for constant in constants {
        let offset = size.checked_next_multiple_of(CONSTANT_ALIGNMENT).ok_or_else(too_large)?;
        size = offset.checked_add(constant.len()).ok_or_else(too_large)?;
        offsets.push(offset);
    }
    let memory = device.executor.allocate(size)?;
    for (constant, offset) in constants.iter().zip(&offsets) {
        device.executor.copy_to_device(constant, &memory, *offset)?;
    }
    Ok((memory, offsets))
}

/// Checks that no output shares memory with another buffer, except with the input that it is
/// aliased with.
fn check_apart(
    inputs: &[DeviceBuffer],
    outputs: &[DeviceBuffer],
    signature: &Signature,
) -> Result<()> {
    let mut taken: HashMap<usize, Vec<usize>> = HashMap::new();
    for (position, input) in inputs.iter().enumerate() {
        taken.entry(input.memory().id()).or_default().push(position);
    }
    for (position, output) in outputs.iter().enumerate() {
        let alias = signature.aliased_input(position);
        let sharing = taken.insert(output.memory().id(), Vec::new());
        if sharing.is_some_and(|inputs| inputs.len() != 1 || inputs.first().copied() != alias) {
            return Err(Error::invalid(format!(
                "output {position} shares memory with another buffer of the call"
            )));
        }
    }
    Ok(())
}

impl Executable for PlanExecutable {
    fn signature(&self) -> &Signature {
        &self.loaded.plan.signature
    }

    fn device(&self) -> &Device {
        &self.device
    }

    fn on_device(&self, device: &Device) -> Result<Box<dyn Executable>> {
        let Loaded {
            plan,
            calls,
            threads,
            ..
        } = &self.loaded;
        let (plan, calls) = (Arc::clone(plan), Arc::clone(calls));
        let loaded = Self::of(plan, device.clone(), calls, Arc::clone(threads))?;
        Ok(Box::new(loaded))
    }

    fn is_enqueued_whole(&self) -> bool {
        let waits = |thunk: &Thunk| match thunk {
            Thunk::While { .. } | Thunk::Conditional { .. } => true,
            Thunk::CustomCall { site, .. } => {
                let call = self.loaded.calls.get(*site as usize);
                !matches!(
                    call.map(|call| &call.handler),
                    Some(BoundHandler::Stream(_))
                )
            }
            Thunk::Launch { .. }
            | Thunk::Copy { .. }
            | Thunk::Fill { .. }
            | Thunk::Gemm(_)
            | Thunk::For { .. } => false,
        };
        !self.loaded.plan.sequences.iter().flatten().any(waits)
    }

    fn temporary_bytes(&self) -> Option<usize> {
        Some(self.loaded.resources.arena_size())
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
        check_apart(inputs, outputs, signature)?;
        let run = || match options.stream {
            Some(stream) => self.run_on(stream, options, inputs, outputs),
            None => self.run_alone(options, inputs, outputs),
        };
        match options.process {
            Some(process) => process.run(run),
            None => run(),
        }
    }
}

#[cfg(test)]
#[path = "executable_tests.rs"]
mod tests;
