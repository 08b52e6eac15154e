//! Memory of the host that the device reaches by itself, through which all
//! bytes go: the driver would otherwise copy them once more, and wait meanwhile.
//!
//! Calls the driver; see the [module above](super).

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::{result, sys};

use super::driver::{Context, failed, may_call};
use crate::Result;

/// The smallest buffer. Others are as large times a power of two, up to the
/// largest that are kept, and beyond that a multiple of it.
const SMALLEST: usize = 4 << 10;
const LARGEST: usize = 64 << 20;

/// Bytes that are kept for later, at most.
const MAX_KEPT: usize = 256 << 20;

/// Bytes of a piece of a large copy.
const PIECE: usize = 8 << 20;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Buffers that are kept from copy to copy.
pub(super) struct StagingPool {
    context: Arc<Context>,
    kept: Mutex<Kept>,
}

/// The buffers that nobody has.
#[derive(Default)]
struct Kept {
    /// By their size.
    buffers: BTreeMap<usize, Vec<Address>>,
    bytes: usize,
}

/// Where a buffer begins.
#[derive(Clone, Copy)]
struct Address(*mut u8);

// SAFETY: it is the address of memory that has one owner.
unsafe impl Send for Address {}

/// Bytes of the host that the device may read and write. Whoever gives them to
/// the device keeps them until it is done.
pub(super) struct StagingBuffer {
    pool: Arc<StagingPool>,
    address: Address,
    /// The size of the buffer, and how many of its bytes are asked for.
    capacity: usize,
    size: usize,
}

// SAFETY: the address is used by who borrows the buffer, as the rules for
// references have it.
unsafe impl Sync for StagingBuffer {}

impl StagingPool {
    pub fn new(context: Arc<Context>) -> Self {
        Self {
            context,
            kept: Mutex::default(),
        }
    }

    /// A buffer of `size` bytes, in the context that is the current one.
    ///
    /// # Errors
    /// The driver's error if there is no memory.
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
                // SAFETY: the context is the current one. The bytes are set, as
                // references to them require.
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
            // SAFETY: nobody has the buffer.
            let _ = unsafe { result::free_host(address.0.cast::<c_void>()) };
        }
    }
}

impl StagingBuffer {
    /// Its contents; not while the device writes to it.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes are there, were set, and are ours.
        unsafe { std::slice::from_raw_parts(self.address.0, self.size) }
    }

    /// The same to be changed; not while the device uses it.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: so many bytes are there, were set, and are ours.
        unsafe { std::slice::from_raw_parts_mut(self.address.0, self.size) }
    }
}

impl Drop for StagingBuffer {
    fn drop(&mut self) {
        let mut kept = lock(&self.pool.kept);
        // Where the driver must not be called, it is kept in any case.
        let fits = self.capacity <= LARGEST && kept.bytes + self.capacity <= MAX_KEPT;
        if fits || !may_call() {
            kept.bytes += self.capacity;
            let buffers = kept.buffers.entry(self.capacity).or_default();
            buffers.push(self.address);
            return;
        }
        drop(kept);
        if self.pool.context.enter().is_ok() {
            // SAFETY: the one owner gives the buffer back.
            let _ = unsafe { result::free_host(self.address.0.cast::<c_void>()) };
        }
    }
}

/// Copies between memory of the device and ordinary memory of the host, which
/// are complete when they return: the host copies one piece while the device
/// takes the other.
pub(super) struct Transfers {
    context: Arc<Context>,
    pool: Arc<StagingPool>,
    /// One copy at a time.
    lane: Mutex<Lane>,
}

/// A stream, and an event for each of two pieces.
struct Lane {
    stream: sys::CUstream,
    events: [sys::CUevent; 2],
}

// SAFETY: the driver's functions may be called from any thread with its
// handles; a lock keeps the threads apart.
unsafe impl Send for Lane {}

impl Transfers {
    /// # Errors
    /// Execution if the driver rejects.
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
    /// Execution if the device fails.
    ///
    /// # Safety
    /// So many bytes must be at the address, and no part of them may be freed
    /// meanwhile.
    pub unsafe fn upload(&self, source: &[u8], target: sys::CUdeviceptr) -> Result<()> {
        self.copy("a copy to the device", source.len(), |lane, buffers| {
            let mut target = target;
            for (number, piece) in source.chunks(PIECE).enumerate() {
                let slot = number % 2;
                // SAFETY: the caller vouches for the address, and handles and
                // buffers are kept until the stream is done; a buffer is
                // written to when the copy from it is complete.
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
    /// Execution if the device fails.
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

    /// Lets `copy` enqueue pieces of so many bytes, and waits for them. The
    /// buffers are kept that long, also where it fails.
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
            // SAFETY: the stream is ours, and lives as long as this does.
            let done = unsafe { result::stream::synchronize(lane.stream) };
            drop(buffers);
            outcome.and(done)
        };
        whole().map_err(|error| failed(what, error))
    }
}

/// Waits for a piece and takes it.
fn take(
    lane: &Lane,
    buffers: &[StagingBuffer; 2],
    slot: usize,
    piece: &mut [u8],
) -> Result<(), result::DriverError> {
    // SAFETY: the event is ours.
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
        // SAFETY: no copy is under way, and nobody else has the handles.
        unsafe {
            for event in lane.events {
                let _ = result::event::destroy(event);
            }
            let _ = result::stream::destroy(lane.stream);
        }
    }
}
