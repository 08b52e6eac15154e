//! Streams and events of a GPU.
//!
//! Calls run on the device in order while the caller continues. A failure is detected when later
//! entries cannot be removed from the stream: they run, but their values are not used, and entries
//! enqueued after the detection are skipped.
//!
//! Calls the driver; see the [parent module](super).

use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::{result, sys};

use super::driver::{Context, failed, may_call};
use super::executor::Shared;
use super::gemm::Workspace;
use super::host_function::{Failure, HostFunction};
use super::memory::CudaAllocation;
use super::module::CudaModule;
use super::retained::{Collection, Retained};
use crate::kernel::{GemmCall, Launch, downcast_module};
use crate::memory::{check_overlap, check_sizes};
use crate::plan::FillPattern;
use crate::stream::{Callback, NativeFunction, NativeStream, Receiver};
use crate::{DeviceMemory, Error, Event, MemorySlice, Result, Stream};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A queue of work on a GPU.
pub(super) struct CudaStream {
    shared: Arc<Shared>,
    stream: sys::CUstream,
    failure: Arc<Failure>,
    retained: Mutex<Retained>,
    /// The library's workspace, created on first use.
    workspace: Mutex<Option<Workspace>>,
}

// SAFETY: the driver's functions may be called from any thread with its
// handles.
unsafe impl Send for CudaStream {}
// SAFETY: as above; mutable state is protected by locks.
unsafe impl Sync for CudaStream {}

impl CudaStream {
    /// # Errors
    /// Returns an execution error if the driver fails.
    pub fn new(shared: Arc<Shared>) -> Result<Self> {
        let create = || {
            shared.context.enter()?;
            result::stream::create(result::stream::StreamKind::NonBlocking)
        };
        let stream = create().map_err(|error| failed("no stream", error))?;
        Ok(Self {
            shared,
            stream,
            failure: Arc::default(),
            retained: Mutex::default(),
            workspace: Mutex::default(),
        })
    }

    /// The address of a slice on the device.
    fn address(&self, slice: &MemorySlice<'_>) -> Result<u64> {
        let allocation: &CudaAllocation = slice.memory().downcast()?;
        let (own, other) = (self.shared.context.ordinal, allocation.ordinal());
        if own == other {
            Ok(allocation.address() + slice.offset() as u64)
        } else {
            Err(Error::invalid(format!(
                "memory of CUDA device {other} is used on device {own}"
            )))
        }
    }

    /// Enqueues a call, and keeps the resources that it uses alive. The driver's error is a failure
    /// of the stream.
    fn enqueue(
        &self,
        what: &str,
        tell: impl FnOnce(sys::CUstream, &mut Collection) -> Result<(), result::DriverError>,
    ) {
        if self.failure.is_set() {
            return;
        }
        // Under the lock, so that no call is considered done before it is enqueued.
        let mut retained = lock(&self.retained);
        let outcome = self
            .shared
            .context
            .enter()
            .and_then(|()| tell(self.stream, &mut retained.current))
            .and_then(|()| {
                if retained.is_full() {
                    Ok(retained.close(self.mark()?))
                } else {
                    Ok(Vec::new())
                }
            });
        drop(retained);
        match outcome {
            // Dropped here, without holding a lock.
            Ok(done) => drop(done),
            Err(error) => self.failure.set(failed(what, error)),
        }
    }

    /// An event after all calls so far, in the current context.
    fn mark(&self) -> Result<CudaEvent, result::DriverError> {
        let event = CudaEvent::create(&self.shared.context)?;
        // SAFETY: stream and event live.
        unsafe { result::event::record(event.event, self.stream) }?;
        Ok(event)
    }

    /// Waits until the device is done, and drops the kept resources.
    fn drain(&self) {
        let kept = lock(&self.retained).take();
        let done = self.shared.context.enter().and_then(|()| {
            // SAFETY: the stream lives.
            unsafe { result::stream::synchronize(self.stream) }
        });
        if let Err(error) = done {
            self.failure.set(failed("the device failed", error));
        }
        drop(kept);
    }
}

impl Stream for CudaStream {
    fn copy_to_slice(&self, source: Vec<u8>, target: MemorySlice<'_>) -> Result<()> {
        check_sizes(source.len(), target.size())?;
        let address = self.address(&target)?;
        if source.is_empty() {
            return Ok(());
        }
        self.enqueue("a copy to the device", |stream, kept| {
            let mut buffer = self.shared.staging.get(source.len())?;
            buffer.bytes_mut().copy_from_slice(&source);
            // SAFETY: the address has that many bytes, in memory that is kept until the copy is
            // done, like the buffer.
            let outcome = unsafe { result::memcpy_htod_async(address, buffer.bytes(), stream) };
            kept.memory(target.memory());
            kept.buffer(buffer);
            outcome
        });
        Ok(())
    }

    fn copy_from_slice(&self, source: MemorySlice<'_>, then: Receiver) -> Result<()> {
        let address = self.address(&source)?;
        self.enqueue("a copy from the device", |stream, kept| {
            kept.memory(source.memory());
            let mut buffer = self.shared.staging.get(source.size())?;
            if source.size() > 0 {
                // SAFETY: as in `copy_to_slice`; the function that owns the
                // buffer is called, or dropped, when the copy is done.
                unsafe { result::memcpy_dtoh_async(buffer.bytes_mut(), address, stream) }?;
            }
            let receive = move || {
                then(buffer.bytes().to_vec());
                Ok(())
            };
            // SAFETY: the context is current, and the stream belongs to it.
            let (function, outcome) =
                unsafe { HostFunction::enqueue(stream, &self.failure, Box::new(receive)) };
            kept.function(function);
            outcome
        });
        Ok(())
    }

    fn copy_slice(&self, source: MemorySlice<'_>, target: MemorySlice<'_>) -> Result<()> {
        check_sizes(source.size(), target.size())?;
        check_overlap(source, target)?;
        let (from, to) = (self.address(&source)?, self.address(&target)?);
        if source.size() == 0 || from == to {
            return Ok(());
        }
        self.enqueue("a copy on the device", |stream, kept| {
            kept.memory(source.memory());
            kept.memory(target.memory());
            // SAFETY: both addresses have that many bytes, in memory that is kept until the copy is
            // done.
            unsafe { result::memcpy_dtod_async(to, from, source.size(), stream) }
        });
        Ok(())
    }

    fn fill_slice(&self, target: MemorySlice<'_>, pattern: FillPattern) -> Result<()> {
        pattern.check_range(target.offset(), target.size())?;
        let address = self.address(&target)?;
        if target.size() == 0 {
            return Ok(());
        }
        self.enqueue("a fill on the device", |stream, kept| {
            kept.memory(target.memory());
            let count = target.size() / pattern.size();
            // SAFETY: the address has that many bytes and is a multiple of the pattern's size as
            // allocations are, in memory that is kept until the fill is done.
            let outcome = unsafe {
                match pattern {
                    FillPattern::Byte(byte) => sys::cuMemsetD8Async(address, byte, count, stream),
                    FillPattern::Half(half) => sys::cuMemsetD16Async(address, half, count, stream),
                    FillPattern::Word(word) => sys::cuMemsetD32Async(address, word, count, stream),
                }
            };
            outcome.result()
        });
        Ok(())
    }

    fn read(&self, source: MemorySlice<'_>, target: &mut [u8]) -> Result<bool> {
        check_sizes(source.size(), target.len())?;
        let address = self.address(&source)?;
        let mut copied = None;
        self.enqueue("a copy from the device", |stream, kept| {
            kept.memory(source.memory());
            let mut buffer = self.shared.staging.get(source.size())?;
            let outcome = match source.size() {
                0 => Ok(()),
                // SAFETY: the address has that many bytes, in memory that is kept; the buffer is
                // kept until `drain` has waited.
                _ => unsafe { result::memcpy_dtoh_async(buffer.bytes_mut(), address, stream) },
            };
            copied = Some(buffer);
            outcome
        });
        self.drain();
        match copied {
            Some(buffer) if !self.failure.is_set() => {
                target.copy_from_slice(buffer.bytes());
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn launch(&self, launch: &Launch<'_>) -> Result<()> {
        let module: &CudaModule = downcast_module(launch.module)?;
        if !module.is_of(&self.shared.context) {
            return Err(Error::invalid("the kernels were loaded on another device"));
        }
        for argument in launch.arguments {
            if let Some(slice) = argument.memory() {
                self.address(slice)?;
            }
        }
        let mut arguments = module.check(launch, self.shared.max_shared_memory)?;
        self.enqueue("the launch of a kernel", |stream, kept| {
            kept.module(launch.module);
            for argument in launch.arguments {
                if let Some(slice) = argument.memory() {
                    kept.memory(slice.memory());
                }
            }
            // SAFETY: the context is current, stream and module belong to it, and the arguments
            // were checked; module and memory are kept until the kernel has run.
            unsafe { module.launch(stream, launch, &mut arguments) }
        });
        Ok(())
    }

    fn gemm(&self, call: &GemmCall<'_>) -> Result<()> {
        let library = self.shared.gemm_library()?;
        let addresses = [
            self.address(&call.a)?,
            self.address(&call.b)?,
            self.address(&call.c)?,
        ];
        if self.failure.is_set() {
            return Ok(());
        }
        let prepared = library.prepare(call.gemm, addresses)?;
        let mut workspace = lock(&self.workspace);
        let workspace = match &mut *workspace {
            Some(workspace) => workspace,
            none => none.insert(Workspace::new(&self.shared.memory)?),
        };
        let mut outcome = Ok(());
        self.enqueue("a matrix product", |stream, kept| {
            for slice in [&call.a, &call.b, &call.c] {
                kept.memory(slice.memory());
            }
            kept.memory(workspace.memory());
            // SAFETY: the matrices are in the slices, as `prepare` checked, in memory that is kept
            // until the product is done; only this stream uses the workspace.
            outcome = unsafe { library.multiply(&prepared, addresses, workspace, stream) };
            Ok(())
        });
        if let Err(error) = outcome {
            self.failure.set(error);
        }
        Ok(())
    }

    fn call_native(&self, memory: &[MemorySlice<'_>], call: NativeFunction<'_>) -> Result<()> {
        let pointer = |address: u64| std::ptr::with_exposed_provenance_mut(address as usize);
        let addresses = memory.iter().map(|slice| Ok(pointer(self.address(slice)?)));
        let addresses: Vec<*mut c_void> = addresses.collect::<Result<_>>()?;
        let mut outcome = Ok(());
        self.enqueue("a call of another library", |stream, kept| {
            for slice in memory {
                kept.memory(slice.memory());
            }
            let allocated = RefCell::new(Vec::new());
            let allocate = |size| {
                let allocation = self.shared.memory.allocate(size)?;
                let address = pointer(allocation.address());
                allocated.borrow_mut().push(DeviceMemory::new(allocation));
                Ok(address)
            };
            // In the current context.
            outcome = call(&NativeStream {
                handle: stream.cast(),
                addresses: &addresses,
                allocate: &allocate,
            });
            for memory in allocated.take() {
                kept.memory(&memory);
            }
            Ok(())
        });
        outcome
    }

    fn host_callback(&self, callback: Callback) -> Result<()> {
        self.enqueue("a callback", |stream, kept| {
            // SAFETY: the context is current, and the stream belongs to it.
            let (function, outcome) =
                unsafe { HostFunction::enqueue(stream, &self.failure, callback) };
            kept.function(function);
            outcome
        });
        Ok(())
    }

    fn record(&self, event: &dyn Event) -> Result<()> {
        let event = CudaEvent::of(event, &self.shared.context)?;
        // Also after a failure, so that nobody waits forever.
        let _retained = lock(&self.retained);
        let outcome = self.shared.context.enter().and_then(|()| {
            // SAFETY: stream and event are alive, and belong to one context.
            unsafe { result::event::record(event.event, self.stream) }
        });
        if let Err(error) = outcome {
            self.failure.set(failed("an event is not recorded", error));
        }
        Ok(())
    }

    fn wait(&self, event: &dyn Event) -> Result<()> {
        let event = CudaEvent::of(event, &self.shared.context)?;
        self.enqueue("a wait", |stream, _| {
            let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
            // SAFETY: stream and event are alive; the driver keeps its own state of the event.
            unsafe { result::stream::wait_event(stream, event.event, flags) }
        });
        Ok(())
    }

    fn block_until_done(&self) -> Result<()> {
        self.drain();
        match self.failure.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Drop for CudaStream {
    /// Waits for enqueued work.
    fn drop(&mut self) {
        if !may_call() {
            // The stream cannot drop its callbacks: it is leaked, with all resources of its
            // entries.
            std::mem::forget(lock(&self.retained).take());
            std::mem::forget(lock(&self.workspace).take());
            return;
        }
        self.drain();
        if self.shared.context.enter().is_ok() {
            // SAFETY: nothing is enqueued any more, and this is the only owner of the handle.
            let _ = unsafe { result::stream::destroy(self.stream) };
        }
    }
}

/// A mark in a stream of a GPU.
pub(super) struct CudaEvent {
    context: Arc<Context>,
    event: sys::CUevent,
}

// SAFETY: the driver's functions may be called from any thread with its
// handles.
unsafe impl Send for CudaEvent {}
// SAFETY: as above; nothing here is changed.
unsafe impl Sync for CudaEvent {}

impl CudaEvent {
    /// # Errors
    /// Returns the error of the driver.
    pub fn create(context: &Arc<Context>) -> Result<Self, result::DriverError> {
        context.enter()?;
        let event = result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)?;
        Ok(Self {
            context: Arc::clone(context),
            event,
        })
    }

    fn of<'a>(event: &'a dyn Event, context: &Context) -> Result<&'a Self> {
        let event: Option<&Self> = event.as_any().downcast_ref();
        event
            .filter(|event| event.context.ordinal == context.ordinal)
            .ok_or_else(|| Error::invalid("the event belongs to another device"))
    }

    /// Returns true if the latest recording is complete, or never will be.
    pub fn is_done(&self) -> bool {
        let pending = result::DriverError(sys::CUresult::CUDA_ERROR_NOT_READY);
        let state = self.context.enter().and_then(|()| {
            // SAFETY: the event lives.
            unsafe { result::event::query(self.event) }
        });
        state != Err(pending)
    }
}

impl Event for CudaEvent {
    fn is_complete(&self) -> bool {
        self.is_done()
    }

    fn synchronize(&self) {
        if self.context.enter().is_ok() {
            // SAFETY: the event is alive. It fails only after a failure of the device, which
            // streams report.
            let _ = unsafe { result::event::synchronize(self.event) };
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for CudaEvent {
    fn drop(&mut self) {
        if may_call() && self.context.enter().is_ok() {
            // SAFETY: this is the only owner of the handle.
            let _ = unsafe { result::event::destroy(self.event) };
        }
    }
}
