//! Queues of work on a device, and the marks that order them.

use std::any::Any;

use crate::{DeviceMemory, Result};

/// What a host callback on a stream is.
pub type Callback = Box<dyn FnOnce() -> Result<()> + Send>;

/// What takes the bytes that a copy to the host brings.
pub type Receiver = Box<dyn FnOnce(Vec<u8>) + Send>;

/// A queue whose entries run one after the other, in the order in which they
/// were enqueued, while the caller goes on.
///
/// Enqueuing fails only for arguments that can be seen to be wrong. When an
/// entry fails, those after it are skipped, except that events are still
/// recorded so that nobody waits forever, and the next
/// [`block_until_done`](Self::block_until_done) returns the error, after which
/// the stream may be used again. Memory is kept until the entries that name it
/// have run.
pub trait Stream: Send + Sync {
    /// Copies host bytes to the beginning of the memory.
    ///
    /// # Errors
    /// Invalid input if they do not fit, or for another platform's memory.
    fn copy_to_device(&self, source: Vec<u8>, target: &DeviceMemory) -> Result<()>;

    /// Copies all bytes of the memory to the host and calls `then` with them,
    /// on a thread of the stream.
    ///
    /// # Errors
    /// Invalid input for another platform's memory.
    fn copy_from_device(&self, source: &DeviceMemory, then: Receiver) -> Result<()>;

    /// Copies all of `source` over the beginning of `target`.
    ///
    /// # Errors
    /// As [`copy_to_device`](Self::copy_to_device).
    fn copy(&self, source: &DeviceMemory, target: &DeviceMemory) -> Result<()>;

    /// Sets every byte of the memory.
    ///
    /// # Errors
    /// Invalid input for another platform's memory.
    fn fill(&self, target: &DeviceMemory, byte: u8) -> Result<()>;

    /// Runs a function on a thread of the host. It must not wait for this
    /// stream.
    ///
    /// # Errors
    /// None so far.
    fn host_callback(&self, callback: Callback) -> Result<()>;

    /// Records the event when everything enqueued so far has run.
    ///
    /// # Errors
    /// Invalid input for another platform's event.
    fn record(&self, event: &dyn Event) -> Result<()>;

    /// Lets what is enqueued from now on run only when the event's latest
    /// recording, at the time of this call, is complete.
    ///
    /// # Errors
    /// Invalid input for another platform's event.
    fn wait(&self, event: &dyn Event) -> Result<()>;

    /// Waits until everything enqueued so far has run.
    ///
    /// # Errors
    /// That of the first entry that failed since the last call.
    fn block_until_done(&self) -> Result<()>;
}

/// A mark in a stream that others can wait for.
pub trait Event: Send + Sync {
    /// Whether the latest recording is complete.
    fn is_complete(&self) -> bool;

    /// Waits on the calling thread until the latest recording is complete.
    fn synchronize(&self);

    /// For the platform to find its own type.
    fn as_any(&self) -> &dyn Any;
}
