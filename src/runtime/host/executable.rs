//! Native code as an executable.

use std::any::Any;
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::abi::{self, BoundCall, EntryPoint};
use super::arena::ArenaPool;
use super::memory::LockedBuffers;
use super::thread_pool::ThreadPool;
use super::{HostAllocation, HostPlatform, PlannedSizes, sizes::RunSizes};
use crate::{
    CustomCallRegistry, CustomCallSite, Device, DeviceBuffer, Executable, ExecuteOptions, Result,
    Signature,
};

/// Loaded native code, and the properties that the runtime needs. Code from the
/// compiler and code from a file are described alike.
pub struct HostCode {
    pub entry: EntryPoint,
    pub signature: Signature,
    /// The sizes of a program of dynamic shape.
    pub sizes: Option<PlannedSizes>,
    /// Bytes of scratch memory that a call needs; with `sizes`, these follow from the inputs.
    pub arena_size: usize,
    /// The location of the largest value in the scratch memory, `file:line:column`; empty if
    /// unknown.
    pub arena_largest: String,
    /// Whether it may flush subnormal numbers to zero ([`CAN_FLUSH`](super::CAN_FLUSH)).
    pub flush_subnormals: bool,
    /// The call sites in the order of their numbers.
    pub custom_calls: Vec<CustomCallSite>,
    /// Whatever keeps the code in memory.
    pub keep_alive: Arc<dyn Any + Send + Sync>,
}

/// Native code that runs on the host.
pub struct HostExecutable {
    inner: Arc<Inner>,
    device: Device,
}

struct Inner {
    entry: EntryPoint,
    sizes: Option<PlannedSizes>,
    flush_subnormals: bool,
    signature: Signature,
    arenas: ArenaPool,
    calls: Vec<BoundCall>,
    pool: Arc<ThreadPool>,
    _keep_alive: Arc<dyn Any + Send + Sync>,
}

impl HostExecutable {
    /// An executable of loaded code, which runs on `threads` threads.
    ///
    /// # Errors
    /// Returns an invalid-input error if a custom call is not registered in `registry` or is
    /// rejected there; an execution error if the threads cannot be started.
    ///
    /// # Safety
    /// The code must follow [`abi`], the signature, arena size and call sites must be the ones it
    /// was compiled for, and it must stay loaded as long as `keep_alive` exists.
    pub unsafe fn new(
        code: HostCode,
        threads: NonZeroUsize,
        registry: &CustomCallRegistry,
    ) -> Result<Self> {
        let bind = |site: CustomCallSite| {
            let handler = registry.bind(&site)?;
            Ok(BoundCall::new(site, handler))
        };
        let inner = Inner {
            entry: code.entry,
            sizes: code.sizes,
            flush_subnormals: code.flush_subnormals,
            signature: code.signature,
            arenas: ArenaPool::new(code.arena_size, code.arena_largest),
            calls: code.custom_calls.into_iter().map(bind).collect::<Result<_>>()?,
            pool: ThreadPool::shared(threads)?,
            _keep_alive: code.keep_alive,
        };
        Ok(Self {
            inner: Arc::new(inner),
            device: HostPlatform::device(),
        })
    }
}

impl Inner {
    /// Runs on the calling thread, with shapes that were checked, and sizes that were planned.
    fn run(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
        outputs: &[DeviceBuffer],
        planned: Option<&RunSizes>,
    ) -> Result<()> {
        match options.process {
            Some(process) => process.run(|| self.call(options, inputs, outputs, planned)),
            None => self.call(options, inputs, outputs, planned),
        }
    }

    fn call(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
        outputs: &[DeviceBuffer],
        planned: Option<&RunSizes>,
    ) -> Result<()> {
        let arena_size = planned.map_or(self.arenas.size(), |planned| planned.arena_size);
        let mut arena = self.arenas.borrow(arena_size)?;
        let mut locked = LockedBuffers::lock(inputs, outputs, &self.signature.aliases)?;
        locked.addresses.push(arena.address());
        if let Some(planned) = planned {
            // The code only reads it.
            locked.addresses.push(planned.table.as_ptr().cast_mut().cast());
        }
        let code = (self.entry, self.flush_subnormals);
        // SAFETY: `HostExecutable::new` required code that follows the interface and a signature
        // that describes it; the buffers have its shapes, stay locked until the call returns, and
        // are distinct except for aliases of the signature, and the arena is used by this call
        // only.
        unsafe {
            let calls = (
                &self.calls[..],
                options.observer.map(|observer| &**observer),
            );
            let threads = options.threads.unwrap_or(&self.pool);
            abi::call(code, threads, calls, options.process, &locked.addresses)
        }
    }
}

impl Executable for HostExecutable {
    fn signature(&self) -> &Signature {
        &self.inner.signature
    }

    fn device(&self) -> &Device {
        &self.device
    }

    fn temporary_bytes(&self) -> Option<usize> {
        self.inner.sizes.is_none().then(|| self.inner.arenas.size())
    }

    fn execute(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
    ) -> Result<Vec<DeviceBuffer>> {
        let outputs = match &self.inner.sizes {
            None => self.take_outputs(options, inputs)?,
            Some(sizes) => {
                self.signature().check_inputs(inputs.iter().map(DeviceBuffer::shape))?;
                let planned = sizes.plan(self.signature(), inputs)?;
                let shapes = planned.outputs.iter();
                shapes.map(|shape| self.device.allocate(shape)).collect::<Result<_>>()?
            }
        };
        self.execute_into(options, inputs, &outputs)?;
        Ok(outputs)
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
        let planned = match &self.inner.sizes {
            Some(sizes) => Some(sizes.plan(signature, inputs)?),
            None => None,
        };
        if let Some(planned) = &planned {
            planned.check_outputs(&signature.name, outputs)?;
        }
        let Some(stream) = options.stream else {
            return self.inner.run(options, inputs, outputs, planned.as_ref());
        };
        for buffer in inputs.iter().chain(outputs) {
            buffer.memory().downcast::<HostAllocation>()?;
        }
        let inner = Arc::clone(&self.inner);
        let (inputs, outputs) = (inputs.to_vec(), outputs.to_vec());
        let (process, observer) = (options.process.cloned(), options.observer.cloned());
        let threads = options.threads.cloned();
        stream.host_callback(Box::new(move || {
            let options = ExecuteOptions {
                process: process.as_ref(),
                threads: threads.as_ref(),
                observer: observer.as_ref(),
                ..ExecuteOptions::default()
            };
            inner.run(&options, &inputs, &outputs, planned.as_ref())
        }))
    }
}

#[cfg(test)]
#[path = "executable_tests.rs"]
mod tests;
