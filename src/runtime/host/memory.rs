//! Host memory as device memory.
//!
//! Handles can be cloned and used from any thread, while native code writes through plain pointers.
//! A lock on each allocation synchronizes them: a run holds its inputs for reading and its outputs
//! for writing. Runs take their locks in the order of the allocations' ids, which prevents
//! deadlocks.
//!
//! Memory that another library owns can be imported without a copy, as numpy's arrays are.
//!
//! This module keeps the pointers to imported memory.

use std::any::Any;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use halo_core::AlignedBuffer;
use halo_core::buffer::ALIGNMENT;
use smallvec::{SmallVec, smallvec};

use super::pages::{HUGE_PAGE, Pages};
use crate::memory::Allocation;
use crate::usage::Usage;
use crate::{Alias, DeviceBuffer, DeviceMemory, Error, Result};

/// An allocation in host memory.
pub struct HostAllocation {
    /// Unique, and the order of locking.
    id: u64,
    size: usize,
    address: AtomicPtr<u8>,
    buffer: RwLock<HostBytes>,
    /// Counts allocations of Halo; imported memory is not counted.
    usage: Option<Arc<Usage>>,
}

impl HostAllocation {
    pub(super) fn new(size: usize, usage: Arc<Usage>) -> Result<Self> {
        let bytes = allocate(size)
            .ok_or_else(|| Error::execution(format!("out of memory for {size} bytes")))?;
        usage.add(size as u64);
        Ok(Self::of(bytes, size, Some(usage)))
    }

    /// Memory of another library, which is freed when the last handle is dropped, by dropping
    /// `owner`.
    ///
    /// # Errors
    /// Returns an invalid-input error if the address is not a multiple of
    /// [`ALIGNMENT`](halo_core::buffer::ALIGNMENT) bytes, which compiled code may assume.
    ///
    /// # Safety
    /// `size` bytes at `address` must stay valid until `owner` is dropped. Until then
    /// nothing else may write to them, nor read them while a program has them as output.
    pub unsafe fn import(
        address: NonNull<u8>,
        size: usize,
        owner: Box<dyn Send + Sync>,
    ) -> Result<Self> {
        if !address.addr().get().is_multiple_of(ALIGNMENT) {
            return Err(Error::invalid(format!(
                "imported memory must begin at a multiple of {ALIGNMENT} bytes"
            )));
        }
        let imported = Imported {
            address,
            size,
            _owner: owner,
        };
        Ok(Self::of(HostBytes::Imported(imported), size, None))
    }

    fn of(mut bytes: HostBytes, size: usize, usage: Option<Arc<Usage>>) -> Self {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            size,
            address: AtomicPtr::new(bytes.as_bytes_mut().as_mut_ptr()),
            buffer: RwLock::new(bytes),
            usage,
        }
    }

    /// The address of the memory, which does not change. The caller must ensure that no run writes
    /// or uses the memory during an access.
    pub fn address(&self) -> *mut u8 {
        self.address.load(Ordering::Relaxed)
    }

    /// The contents. After a panicking run they are undefined, as after any failed run.
    pub fn read(&self) -> RwLockReadGuard<'_, HostBytes> {
        self.buffer.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The contents, mutable.
    pub fn write(&self) -> RwLockWriteGuard<'_, HostBytes> {
        self.buffer.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of an allocation.
pub enum HostBytes {
    /// Allocated by Halo.
    Own(AlignedBuffer),
    /// The same, from 2 MiB.
    Pages(Pages),
    /// Another library's.
    Imported(Imported),
}

/// Memory of another library.
pub struct Imported {
    address: NonNull<u8>,
    size: usize,
    _owner: Box<dyn Send + Sync>,
}

// SAFETY: `HostAllocation::import` requires exclusive memory, and an owner that any thread may
// drop.
unsafe impl Send for Imported {}
// SAFETY: as above; a shared reference gives read access only.
unsafe impl Sync for Imported {}

impl Default for HostBytes {
    fn default() -> Self {
        Self::Own(AlignedBuffer::default())
    }
}

impl HostBytes {
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Own(buffer) => buffer.as_bytes(),
            Self::Pages(pages) => pages.as_bytes(),
            // SAFETY: `HostAllocation::import` requires that the bytes are valid.
            Self::Imported(memory) => unsafe {
                std::slice::from_raw_parts(memory.address.as_ptr(), memory.size)
            },
        }
    }

    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Own(buffer) => buffer.as_bytes_mut(),
            Self::Pages(pages) => pages.as_bytes_mut(),
            // SAFETY: as in `as_bytes`, and there are no other accesses.
            Self::Imported(memory) => unsafe {
                std::slice::from_raw_parts_mut(memory.address.as_ptr(), memory.size)
            },
        }
    }
}

/// Memory for `size` bytes with arbitrary contents, or `None` if memory is exhausted. Large pages
/// reduce TLB misses of programs that read large operands once.
pub(super) fn allocate(size: usize) -> Option<HostBytes> {
    if size >= HUGE_PAGE {
        Pages::new(size).map(HostBytes::Pages)
    } else {
        AlignedBuffer::try_zeroed(size, ALIGNMENT).map(HostBytes::Own)
    }
}

impl Allocation for HostAllocation {
    fn size(&self) -> usize {
        self.size
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for HostAllocation {
    fn drop(&mut self) {
        if let Some(usage) = &self.usage {
            usage.remove(self.size as u64);
        }
    }
}

/// Keeps a buffer locked.
pub(super) enum Guard<'a> {
    Read(RwLockReadGuard<'a, HostBytes>),
    Write(RwLockWriteGuard<'a, HostBytes>),
}

impl Guard<'_> {
    fn address(&mut self) -> *mut u8 {
        match self {
            Self::Read(buffer) => buffer.as_bytes().as_ptr().cast_mut(),
            Self::Write(buffer) => buffer.as_bytes_mut().as_mut_ptr(),
        }
    }
}

/// One for each buffer of a run; short runs have few, and should not allocate.
type Few<T> = SmallVec<[T; 8]>;

/// The buffers of one run, locked.
pub(super) struct LockedBuffers<'a> {
    /// The addresses of the inputs, then of the outputs. The inputs' memory must not be written to.
    pub addresses: Few<*mut u8>,
    _guards: Few<Guard<'a>>,
}

impl<'a> LockedBuffers<'a> {
    /// Locks inputs for reading and outputs for writing. An output may share memory with the input
    /// that it is aliased with.
    ///
    /// # Errors
    /// Returns an invalid-input error if a buffer is another platform's, or if an output shares
    /// memory with another buffer.
    pub fn lock(
        inputs: &'a [DeviceBuffer],
        outputs: &'a [DeviceBuffer],
        aliases: &[Alias],
    ) -> Result<Self> {
        let mut order = Few::with_capacity(inputs.len() + outputs.len());
        for (position, buffer) in inputs.iter().chain(outputs).enumerate() {
            let allocation: &HostAllocation = buffer.memory().downcast()?;
            order.push((allocation.id, position, allocation));
        }
        order.sort_unstable_by_key(|(id, position, _)| (*id, *position));

        let mut addresses = smallvec![std::ptr::null_mut(); order.len()];
        let mut guards: Few<Guard<'a>> = Few::with_capacity(order.len());
        for same in order.chunk_by(|(one, ..), (other, ..)| one == other) {
            let output = same.last().and_then(|last| last.1.checked_sub(inputs.len()));
            let is_alias = |input: usize, output: usize| {
                let alias = Alias { input, output };
                aliases.contains(&alias)
            };
            let mut guard = match (same, output) {
                ([(.., allocation), ..], None) => Guard::Read(allocation.read()),
                ([(.., allocation)], Some(_)) => Guard::Write(allocation.write()),
                ([(_, input, allocation), _], Some(output)) if is_alias(*input, output) => {
                    Guard::Write(allocation.write())
                }
                (_, output) => {
                    return Err(Error::invalid(format!(
                        "output {} shares memory with another buffer of the call",
                        output.unwrap_or_default()
                    )));
                }
            };
            for (_, position, _) in same {
                addresses[*position] = guard.address();
            }
            guards.push(guard);
        }
        Ok(Self {
            addresses,
            _guards: guards,
        })
    }
}

/// Locks memory for writing and passes the addresses to a function. The same memory may be passed
/// more than once.
///
/// # Errors
/// Returns an invalid-input error if a memory is another platform's.
pub fn with_addresses<T>(memory: &[DeviceMemory], run: impl FnOnce(&[*mut u8]) -> T) -> Result<T> {
    let mut order = Vec::with_capacity(memory.len());
    for (position, memory) in memory.iter().enumerate() {
        let allocation: &HostAllocation = memory.downcast()?;
        order.push((allocation.id, position, allocation));
    }
    order.sort_unstable_by_key(|(id, position, _)| (*id, *position));
    let mut addresses = vec![std::ptr::null_mut(); order.len()];
    let mut guards: Vec<(u64, Guard<'_>)> = Vec::with_capacity(order.len());
    for (id, position, allocation) in order {
        if guards.last().is_none_or(|(locked, _)| *locked != id) {
            guards.push((id, Guard::Write(allocation.write())));
        }
        if let Some((_, guard)) = guards.last_mut() {
            addresses[position] = guard.address();
        }
    }
    Ok(run(&addresses))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StreamExecutor;
    use crate::host::HostPlatform;
    use crate::host::executor::HostExecutor;

    #[test]
    fn memory_is_locked_once_however_often_it_is_named() {
        let executor = HostPlatform::device().executor;
        let (one, other) = (executor.allocate(8).unwrap(), executor.allocate(8).unwrap());
        let named = [other.clone(), one.clone(), other];
        let distinct = with_addresses(&named, |addresses| {
            (addresses[0] == addresses[2], addresses[0] != addresses[1])
        });
        assert_eq!(distinct.unwrap(), (true, true));
        // The locks are released.
        executor.fill(&one, 1).unwrap();
    }

    #[test]
    fn imported_memory_is_read_in_place_and_given_back_with_the_last_handle() {
        let mut bytes = AlignedBuffer::from(&[1u8, 2, 3, 4][..]);
        let address = NonNull::new(bytes.as_bytes_mut().as_mut_ptr()).unwrap();
        let owner = Arc::new(bytes);
        // SAFETY: the owner keeps the bytes, which have no other accesses.
        let import = |offset: usize, size| unsafe {
            HostAllocation::import(address.add(offset), size, Box::new(owner.clone()))
        };
        let message = import(1, 3).err().unwrap().to_string();
        let expected = "imported memory must begin at a multiple of 64 bytes";
        assert_eq!(message, expected);
        // Other tests of the process use the device of the platform.
        let executor = HostExecutor::new();
        let before = executor.memory_usage().in_use;
        let memory = DeviceMemory::new(import(0, 4).unwrap());
        let other = memory.clone();
        assert_eq!(executor.memory_usage().in_use, before);
        assert_eq!(Arc::strong_count(&owner), 2);
        let mut copy = [0; 2];
        executor.copy_from_device(&memory, 2, &mut copy).unwrap();
        assert_eq!(copy, [3, 4]);
        let in_place = with_addresses(&[memory], |addresses| addresses[0] == address.as_ptr());
        assert!(in_place.unwrap());
        drop(other);
        assert_eq!(Arc::strong_count(&owner), 1);
    }
}
