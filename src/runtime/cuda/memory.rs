//! The memory of a GPU.
//!
//! Allocations come from the driver's pool and return to it without a system
//! call. The pool orders them along a stream of ours, which does nothing else:
//! an allocation is usable on all streams once that stream is done. Memory is
//! freed when no stream uses it any more, since streams keep the memory of
//! their work.
//!
//! Calls the driver; see the [module above](super).

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{result, sys};

use super::driver::{Context, describe, failed, may_call};
use crate::memory::Allocation;
use crate::usage::Usage;
use crate::{Error, MemoryUsage, Result};

/// The alignment of the address of an allocation, in bytes.
pub(super) const ALIGNMENT: usize = 256;

/// Where allocations come from.
pub(super) struct MemoryPool {
    context: Arc<Context>,
    /// The order of the driver's pool; none on devices without one.
    stream: Option<sys::CUstream>,
    usage: Usage,
    /// Resources that were dropped where the driver could not be called.
    garbage: Mutex<Vec<sys::CUdeviceptr>>,
}

// SAFETY: the driver's functions may be called from any thread with its
// handles, of which none changes here.
unsafe impl Send for MemoryPool {}
// SAFETY: as above.
unsafe impl Sync for MemoryPool {}

impl MemoryPool {
    /// # Errors
    /// Execution if the driver rejects.
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
    /// Execution if memory does not suffice.
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
        })
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
            // SAFETY: the stream lives as long as the pool, and is waited for
            // before anybody learns the address.
            Some(stream) => unsafe {
                let address = result::malloc_async(stream, size)?;
                result::stream::synchronize(stream)?;
                Ok(address)
            },
            // SAFETY: the context is the current one.
            None => unsafe { result::malloc_sync(size) },
        }
    }

    /// Frees memory that nothing uses, in the context that is the current one.
    fn give_back(&self, address: sys::CUdeviceptr) {
        // SAFETY: the address is of this pool, and its only owner gave it back.
        let outcome = unsafe {
            match self.stream {
                Some(stream) => result::free_async(address, stream),
                None => result::free_sync(address),
            }
        };
        // It fails only after the device has, when no memory is of use.
        let _ = outcome;
    }
}

impl Drop for MemoryPool {
    fn drop(&mut self) {
        if let Some(stream) = self.stream
            && self.context.enter().is_ok()
        {
            // SAFETY: no allocation is left, each of which keeps the pool.
            let _ = unsafe { result::stream::destroy(stream) };
        }
    }
}

/// A stream for the pool of a device, which is configured to keep its memory.
fn order(context: &Context) -> Result<sys::CUstream, result::DriverError> {
    context.enter()?;
    let mut all = u64::MAX;
    // SAFETY: the device is one of the driver's, its pool lives as long as it
    // does, and the attribute is a number of 64 bits.
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
}

impl CudaAllocation {
    /// Where it begins on the device; zero if it has no bytes.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Which device it is on.
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
}

impl Drop for CudaAllocation {
    fn drop(&mut self) {
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
