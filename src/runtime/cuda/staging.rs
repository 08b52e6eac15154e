//! Pinned host memory, through which all bytes are transferred: the driver would otherwise copy
//! them once more, and block meanwhile.
//!
//! Calls the driver; see the [parent module](super).

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::{result, sys};

use super::driver::{Context, failed, may_call};
use crate::Result;

/// The smallest buffer. Larger ones are this size times a power of two, up to the largest cached
/// size, and beyond that a multiple of it.
const SMALLEST: usize = 4 << 10;
const LARGEST: usize = 64 << 20;

/// Bytes that are kept for later, at most.
const MAX_KEPT: usize = 256 << 20;

/// The chunk size of a large copy in bytes.
const PIECE: usize = 8 << 20;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Buffers that are kept from copy to copy.
pub(super) struct StagingPool {
    context: Arc<Context>,
    kept: Mutex<Kept>,
}

/// The unused buffers.
#[derive(Default)]
struct Kept {
    /// By their size.
    buffers: BTreeMap<usize, Vec<Address>>,
    bytes: usize,
}

/// The address of a buffer.
#[derive(Clone, Copy)]
struct Address(*mut u8);

// SAFETY: it is the address of memory with a single owner.
unsafe impl Send for Address {}

/// Host memory that the device may read and write. The caller keeps it alive until the device is
/// done.
pub(super) struct StagingBuffer {
    pool: Arc<StagingPool>,
    address: Address,
    /// The size of the buffer, and the number of bytes in use.
    capacity: usize,
    size: usize,
}

// SAFETY: the address is used only through borrows of the buffer, according to the rules of
// references.
unsafe impl Sync for StagingBuffer {}

impl StagingPool {
    pub fn new(context: Arc<Context>) -> Self {
        Self {
            context,
            kept: Mutex::default(),
        }
    }

    /// A buffer of `size` bytes, in the current context.
    ///
    /// # Errors
    /// Returns the driver's error if memory is exhausted.
    pub fn get(self: &Arc<Self>, size: usize) -> Result<StagingBuffer, result::DriverError> {
        let capacity = if size <= LARGEST {
            size.max(SMALLEST).next_power_of_two()
        } else {
            size.checked_next_multiple_of(SMALLEST).unwrap_or(size)
        };
        let kept = {
            let mut kept = lock(&self.kept);
            let buffer = kept.buffers.get_mut(&capacity).and_then(Vec::pop);
            kept.bytes -= if buffer.is_some() { capacity } else { 0 };
            buffer
        };
        let address = match kept {
            Some(address) => address,
            None => {
                // SAFETY: the context is current. The bytes are initialized, as references to them
                // require.
                let bytes = unsafe {
                    let bytes = result::malloc_host(capacity, 0)?.cast::<u8>();
                    bytes.write_bytes(0, capacity);
                    bytes
                };
                Address(bytes)
            }
        };
        Ok(StagingBuffer {
            pool: Arc::clone(self),
            address,
            capacity,
            size,
        })
    }
}

impl Drop for StagingPool {
    fn drop(&mut self) {
        if !may_call() || self.context.enter().is_err() {
            return;
        }
        for address in lock(&self.kept).buffers.values().flatten() {
            // SAFETY: the buffer has no other owner.
            let _ = unsafe { result::free_host(address.0.cast::<c_void>()) };
        }
    }
}

impl StagingBuffer {
    /// Its contents; must not be called while the device writes to it.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the buffer has that many initialized bytes, and is owned here.
        unsafe { std::slice::from_raw_parts(self.address.0, self.size) }
    }

    /// Its mutable contents; must not be called while the device uses it.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: the buffer has that many initialized bytes, and is owned here.
        unsafe { std::slice::from_raw_parts_mut(self.address.0, self.size) }
    }
}

impl Drop for StagingBuffer {
    fn drop(&mut self) {
        let mut kept = lock(&self.pool.kept);
        // On threads that must not call the driver, it is kept in any case.
        let fits = self.capacity <= LARGEST && kept.bytes + self.capacity <= MAX_KEPT;
        if fits || !may_call() {
            kept.bytes += self.capacity;
            let buffers = kept.buffers.entry(self.capacity).or_default();
            buffers.push(self.address);
            return;
        }
        drop(kept);
        if self.pool.context.enter().is_ok() {
            // SAFETY: the only owner returns the buffer.
            let _ = unsafe { result::free_host(self.address.0.cast::<c_void>()) };
        }
    }
}

/// Synchronous copies between device memory and pageable host memory: the host copies one chunk
/// while the device transfers the other.
pub(super) struct Transfers {
    context: Arc<Context>,
    pool: Arc<StagingPool>,
    /// One copy at a time.
    lane: Mutex<Lane>,
}

/// A stream, and an event for each of two chunks.
struct Lane {
    stream: sys::CUstream,
    events: [sys::CUevent; 2],
}

// SAFETY: the driver's functions may be called from any thread with its handles; a lock serializes
// the threads.
unsafe impl Send for Lane {}

impl Transfers {
    /// # Errors
    /// Returns an execution error if the driver fails.
    pub fn new(context: Arc<Context>, pool: Arc<StagingPool>) -> Result<Self> {
        let lane = || {
            context.enter()?;
            let event = || result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING);
            Ok(Lane {
                stream: result::stream::create(result::stream::StreamKind::NonBlocking)?,
                events: [event()?, event()?],
            })
        };
        let lane = lane().map_err(|error| failed("no stream for copies", error))?;
        Ok(Self {
            context,
            pool,
            lane: Mutex::new(lane),
        })
    }

    /// Copies bytes to the device.
    ///
    /// # Errors
    /// Returns an execution error if the device fails.
    ///
    /// # Safety
    /// The target must have that many bytes, which must not be freed meanwhile.
    pub unsafe fn upload(&self, source: &[u8], target: sys::CUdeviceptr) -> Result<()> {
        self.copy("a copy to the device", source.len(), |lane, buffers| {
            let mut target = target;
            for (number, piece) in source.chunks(PIECE).enumerate() {
                let slot = number % 2;
                // SAFETY: the caller vouches for the address, and handles and buffers are kept
                // until the stream is done; a buffer is written to when the copy from it is
                // complete.
                unsafe {
                    if number >= 2 {
                        result::event::synchronize(lane.events[slot])?;
                    }
                    let bytes = &mut buffers[slot].bytes_mut()[..piece.len()];
                    bytes.copy_from_slice(piece);
                    result::memcpy_htod_async(target, bytes, lane.stream)?;
                    result::event::record(lane.events[slot], lane.stream)?;
                }
                target += piece.len() as u64;
            }
            Ok(())
        })
    }

    /// Copies bytes from the device.
    ///
    /// # Errors
    /// Returns an execution error if the device fails.
    ///
    /// # Safety
    /// As [`upload`](Self::upload).
    pub unsafe fn download(&self, source: sys::CUdeviceptr, target: &mut [u8]) -> Result<()> {
        let size = target.len();
        self.copy("a copy from the device", size, |lane, buffers| {
            let mut waiting: Option<(usize, &mut [u8])> = None;
            let mut source = source;
            for (number, piece) in target.chunks_mut(PIECE).enumerate() {
                let slot = number % 2;
                // SAFETY: as in `upload`; the contents of a buffer were taken
                // before the device writes to it again.
                unsafe {
                    let bytes = &mut buffers[slot].bytes_mut()[..piece.len()];
                    result::memcpy_dtoh_async(bytes, source, lane.stream)?;
                    result::event::record(lane.events[slot], lane.stream)?;
                }
                source += piece.len() as u64;
                if let Some((slot, piece)) = waiting.replace((slot, piece)) {
                    take(lane, buffers, slot, piece)?;
                }
            }
            match waiting {
                Some((slot, piece)) => take(lane, buffers, slot, piece),
                None => Ok(()),
            }
        })
    }

    /// Lets `copy` enqueue chunks of the given size, and waits for them. The buffers are kept until
    /// then, also after errors.
    fn copy(
        &self,
        what: &str,
        size: usize,
        copy: impl FnOnce(&Lane, &mut [StagingBuffer; 2]) -> Result<(), result::DriverError>,
    ) -> Result<()> {
        let whole = || {
            self.context.enter()?;
            let lane = lock(&self.lane);
            let second = size.saturating_sub(PIECE).min(PIECE);
            let mut buffers = [self.pool.get(size.min(PIECE))?, self.pool.get(second)?];
            let outcome = copy(&lane, &mut buffers);
            // SAFETY: the stream is owned here, and lives as long as this value.
            let done = unsafe { result::stream::synchronize(lane.stream) };
            drop(buffers);
            outcome.and(done)
        };
        whole().map_err(|error| failed(what, error))
    }
}

/// Waits for a chunk and reads it.
fn take(
    lane: &Lane,
    buffers: &[StagingBuffer; 2],
    slot: usize,
    piece: &mut [u8],
) -> Result<(), result::DriverError> {
    // SAFETY: the event is owned here.
    unsafe { result::event::synchronize(lane.events[slot]) }?;
    piece.copy_from_slice(&buffers[slot].bytes()[..piece.len()]);
    Ok(())
}

impl Drop for Transfers {
    fn drop(&mut self) {
        if self.context.enter().is_err() {
            return;
        }
        let lane = lock(&self.lane);
        // SAFETY: no copy is in flight, and this is the only owner of the handles.
        unsafe {
            for event in lane.events {
                let _ = result::event::destroy(event);
            }
            let _ = result::stream::destroy(lane.stream);
        }
    }
}
