//! The memory of a GPU.
//!
//! Allocations come from the driver's pool and return to it without a system call. The pool is
//! stream-ordered, along a separate stream that does nothing else: an allocation is usable on all
//! streams once that stream is done. Memory is freed when no stream uses it any more, since streams
//! keep the memory of their work alive.
//!
//! Calls the driver; see the [parent module](super).

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{result, sys};

use super::driver::{Context, describe, failed, may_call};
use crate::memory::Allocation;
use crate::usage::Usage;
use crate::{Error, MemoryUsage, Result};

/// The alignment of the address of an allocation, in bytes.
pub(super) const ALIGNMENT: usize = 256;

/// The source of allocations.
pub(super) struct MemoryPool {
    context: Arc<Context>,
    /// The stream that orders the driver's pool; `None` on devices without one.
    stream: Option<sys::CUstream>,
    usage: Usage,
    /// Resources that were dropped on threads that could not call the driver.
    garbage: Mutex<Vec<sys::CUdeviceptr>>,
}

// SAFETY: the driver's functions may be called from any thread with its handles, which do not
// change here.
unsafe impl Send for MemoryPool {}
// SAFETY: as above.
unsafe impl Sync for MemoryPool {}

impl MemoryPool {
    /// # Errors
    /// Returns an execution error if the driver fails.
    pub fn new(context: Arc<Context>) -> Result<Self> {
        let attribute = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED;
        let stream = match context.attribute(attribute) {
            Some(1..) => Some(order(&context).map_err(|error| failed("no memory pool", error))?),
            _ => None,
        };
        Ok(Self {
            context,
            stream,
            usage: Usage::of("cuda memory"),
            garbage: Mutex::default(),
        })
    }

    /// # Errors
    /// Returns an execution error if memory is exhausted.
    pub fn allocate(self: &Arc<Self>, size: usize) -> Result<CudaAllocation> {
        let address = match size {
            0 => 0,
            _ => self.get(size).map_err(|error| self.out_of_memory(size, &error))?,
        };
        self.usage.add(size as u64);
        Ok(CudaAllocation {
            pool: Arc::clone(self),
            address,
            size,
            owner: None,
        })
    }

    /// Memory of another library, which drops `owner` to free it.
    pub fn import(
        self: &Arc<Self>,
        address: u64,
        size: usize,
        owner: Box<dyn Send + Sync>,
    ) -> CudaAllocation {
        CudaAllocation {
            pool: Arc::clone(self),
            address,
            size,
            owner: Some(owner),
        }
    }

    fn out_of_memory(&self, size: usize, error: &result::DriverError) -> Error {
        let ordinal = self.context.ordinal;
        Error::execution(match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                format!("out of memory for {size} bytes on CUDA device {ordinal}")
            }
            _ => format!(
                "no {size} bytes on CUDA device {ordinal}: {}",
                describe(error)
            ),
        })
    }

    pub fn usage(&self) -> MemoryUsage {
        self.usage.get()
    }

    pub fn clear_peak(&self) {
        self.usage.clear_peak();
    }

    fn get(&self, size: usize) -> Result<sys::CUdeviceptr, result::DriverError> {
        self.context.enter()?;
        let garbage = {
            let mut garbage = self.garbage.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *garbage)
        };
        for address in garbage {
            self.give_back(address);
        }
        match self.stream {
            // SAFETY: the stream lives as long as the pool, and is waited for before the address is
            // published.
            Some(stream) => unsafe {
                let address = result::malloc_async(stream, size)?;
                result::stream::synchronize(stream)?;
                Ok(address)
            },
            // SAFETY: the context is current.
            None => unsafe { result::malloc_sync(size) },
        }
    }

    /// Frees unused memory, in the current context.
    fn give_back(&self, address: sys::CUdeviceptr) {
        // SAFETY: the address belongs to this pool, and its only owner returned it.
        let outcome = unsafe {
            match self.stream {
                Some(stream) => result::free_async(address, stream),
                None => result::free_sync(address),
            }
        };
        // It fails only after a failure of the device, when memory is unusable anyway.
        let _ = outcome;
    }
}

impl Drop for MemoryPool {
    fn drop(&mut self) {
        if let Some(stream) = self.stream
            && self.context.enter().is_ok()
        {
            // SAFETY: no allocation exists, each of which keeps the pool alive.
            let _ = unsafe { result::stream::destroy(stream) };
        }
    }
}

/// A stream for the pool of a device, which is configured to keep its memory.
fn order(context: &Context) -> Result<sys::CUstream, result::DriverError> {
    context.enter()?;
    let mut all = u64::MAX;
    // SAFETY: the device is valid, its pool lives as long as it does, and the attribute is a number
    // of 64 bits.
    unsafe {
        let pool = result::device::get_default_mem_pool(context.device)?;
        result::mem_pool::set_attribute(
            pool,
            sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
            (&raw mut all).cast(),
        )?;
    }
    result::stream::create(result::stream::StreamKind::NonBlocking)
}

/// An allocation in the memory of a GPU.
pub struct CudaAllocation {
    pool: Arc<MemoryPool>,
    address: sys::CUdeviceptr,
    size: usize,
    /// Of memory of another library.
    owner: Option<Box<dyn Send + Sync>>,
}

impl CudaAllocation {
    /// The address on the device; zero for empty memory.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The ordinal of its device.
    pub fn ordinal(&self) -> usize {
        self.pool.context.ordinal
    }
}

impl Allocation for CudaAllocation {
    fn size(&self) -> usize {
        self.size
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn device_address(&self) -> Option<u64> {
        Some(self.address)
    }
}

impl Drop for CudaAllocation {
    fn drop(&mut self) {
        if self.owner.is_some() {
            return;
        }
        self.pool.usage.remove(self.size as u64);
        if self.size == 0 {
            return;
        }
        if may_call() && self.pool.context.enter().is_ok() {
            self.pool.give_back(self.address);
        } else {
            let garbage = self.pool.garbage.lock();
            garbage.unwrap_or_else(PoisonError::into_inner).push(self.address);
        }
    }
}
