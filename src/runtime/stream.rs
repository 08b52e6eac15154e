//! Queues of work on a device, and events that order them.

use std::any::Any;
use std::ffi::c_void;
use std::sync::mpsc::channel;

use crate::kernel::{GemmCall, Launch, no_kernels};
use crate::memory::check_sizes;
use crate::plan::FillPattern;
use crate::{DeviceMemory, Error, MemorySlice, Result};

/// A host callback on a stream.
pub type Callback = Box<dyn FnOnce() -> Result<()> + Send>;

/// The receiver of the bytes of a copy to the host.
pub type Receiver = Box<dyn FnOnce(Vec<u8>) + Send>;

/// A stream in the hands of a function that enqueues work on it by itself.
pub struct NativeStream<'a> {
    /// The platform's handle of the stream: a `CUstream`.
    pub handle: *mut c_void,
    /// The addresses of the memory of the call on the device.
    pub addresses: &'a [*mut c_void],
    /// Allocates memory of the device, which is kept until the enqueued work has run.
    pub allocate: &'a dyn Fn(usize) -> Result<*mut c_void>,
}

/// A function that enqueues work on a stream by itself.
pub type NativeFunction<'a> = &'a mut dyn FnMut(&NativeStream<'_>) -> Result<()>;

/// A queue whose entries run one after the other, in the order in which they were enqueued, while
/// the caller continues.
///
/// Enqueuing fails only for arguments that are detectably invalid. When an entry fails, the ones
/// after it are skipped, except that events are still recorded so that no thread waits forever. The
/// next [`block_until_done`](Self::block_until_done) returns the error, after which the stream may
/// be used again. Memory is kept until the entries that refer to it have run.
pub trait Stream: Send + Sync {
    /// Copies host bytes to memory of the same size.
    ///
    /// # Errors
    /// Returns an invalid-input error if they are more or fewer, or for another platform's memory.
    fn copy_to_slice(&self, source: Vec<u8>, target: MemorySlice<'_>) -> Result<()>;

    /// Copies bytes of memory to the host and calls `then` with them, on a
    /// thread of the stream.
    ///
    /// # Errors
    /// Returns an invalid-input error for another platform's memory.
    fn copy_from_slice(&self, source: MemorySlice<'_>, then: Receiver) -> Result<()>;

    /// Copies bytes of memory to other memory of the same size.
    ///
    /// # Errors
    /// Returns an invalid-input error if the sizes differ, if the two overlap without being the
    /// same, or for another platform's memory.
    fn copy_slice(&self, source: MemorySlice<'_>, target: MemorySlice<'_>) -> Result<()>;

    /// Fills bytes of memory with a pattern, over and over.
    ///
    /// # Errors
    /// Returns an invalid-input error if offset or size is not a multiple of the pattern's size, or
    /// for another platform's memory.
    fn fill_slice(&self, target: MemorySlice<'_>, pattern: FillPattern) -> Result<()>;

    /// Waits until everything enqueued so far has run, and copies bytes of memory to the host.
    /// Returns false if an entry has failed, whose error
    /// [`block_until_done`](Self::block_until_done) returns.
    ///
    /// # Errors
    /// Returns an invalid-input error if they are more or fewer, or for another platform's memory.
    fn read(&self, source: MemorySlice<'_>, target: &mut [u8]) -> Result<bool> {
        check_sizes(source.size(), target.len())?;
        let (sender, receiver) = channel();
        let then = move |bytes| {
            // The receiver is dropped only if the waiting thread has ended.
            let _ = sender.send(bytes);
        };
        self.copy_from_slice(source, Box::new(then))?;
        // A skipped entry is dropped together with the sender.
        let Ok(bytes) = receiver.recv() else {
            return Ok(false);
        };
        check_sizes(bytes.len(), target.len())?;
        target.copy_from_slice(&bytes);
        Ok(true)
    }

    /// Copies host bytes to the beginning of the memory.
    ///
    /// # Errors
    /// Returns an invalid-input error if they do not fit, or for another platform's memory.
    fn copy_to_device(&self, source: Vec<u8>, target: &DeviceMemory) -> Result<()> {
        let target = target.slice(0, source.len())?;
        self.copy_to_slice(source, target)
    }

    /// Copies all bytes of the memory to the host and calls `then` with them,
    /// on a thread of the stream.
    ///
    /// # Errors
    /// Returns an invalid-input error for another platform's memory.
    fn copy_from_device(&self, source: &DeviceMemory, then: Receiver) -> Result<()> {
        self.copy_from_slice(source.whole(), then)
    }

    /// Copies all of `source` over the beginning of `target`.
    ///
    /// # Errors
    /// Returns the errors of [`copy_to_device`](Self::copy_to_device).
    fn copy(&self, source: &DeviceMemory, target: &DeviceMemory) -> Result<()> {
        self.copy_slice(source.whole(), target.slice(0, source.size())?)
    }

    /// Sets every byte of the memory.
    ///
    /// # Errors
    /// Returns an invalid-input error for another platform's memory.
    fn fill(&self, target: &DeviceMemory, byte: u8) -> Result<()> {
        self.fill_slice(target.whole(), FillPattern::Byte(byte))
    }

    /// Runs a kernel of a module that this device has
    /// [loaded](crate::StreamExecutor::load_module).
    ///
    /// # Errors
    /// Returns an invalid-input error if the arguments do not match the kernel, the device cannot
    /// run the grid, or the module or a memory belongs to another platform, which includes all
    /// modules if the platform runs no kernels.
    fn launch(&self, _launch: &Launch<'_>) -> Result<()> {
        Err(no_kernels())
    }

    /// Computes matrix products by a library of the platform.
    ///
    /// # Errors
    /// Returns an execution error if the library does not exist; an invalid-input error if it
    /// cannot compute these, or for another platform's memory.
    fn gemm(&self, _gemm: &GemmCall<'_>) -> Result<()> {
        Err(Error::invalid(
            "the platform has no library of matrix products",
        ))
    }

    /// Calls a function that enqueues work of another library on the stream, which uses `memory`.
    ///
    /// # Errors
    /// Returns the error of the function; an invalid-input error for another platform's memory, and
    /// if the platform has no streams for other libraries.
    fn call_native(&self, _memory: &[MemorySlice<'_>], _call: NativeFunction<'_>) -> Result<()> {
        Err(Error::invalid(
            "the platform has no streams for other libraries",
        ))
    }

    /// Runs a function on a thread of the host. It must not wait for this
    /// stream.
    ///
    /// # Errors
    /// None so far.
    fn host_callback(&self, callback: Callback) -> Result<()>;

    /// Records the event when everything enqueued so far has run.
    ///
    /// # Errors
    /// Returns an invalid-input error for another platform's event.
    fn record(&self, event: &dyn Event) -> Result<()>;

    /// Delays the work enqueued from now on until the event's latest recording, at the time of this
    /// call, is complete.
    ///
    /// # Errors
    /// Returns an invalid-input error for another platform's event.
    fn wait(&self, event: &dyn Event) -> Result<()>;

    /// Waits until everything enqueued so far has run.
    ///
    /// # Errors
    /// Returns the error of the first entry that failed since the last call.
    fn block_until_done(&self) -> Result<()>;
}

/// A marker in a stream that other streams can wait for.
pub trait Event: Send + Sync {
    /// Returns true if the latest recording is complete.
    fn is_complete(&self) -> bool;

    /// Waits on the calling thread until the latest recording is complete.
    fn synchronize(&self);

    /// For downcasts by the platform.
    fn as_any(&self) -> &dyn Any;
}
