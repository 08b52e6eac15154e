//! A GPU as a device.
//!
//! Calls the driver; see the [parent module](super).

use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

use cudarc::driver::{result, sys};

use super::driver::{Context, Driver, failed};
use super::gemm::Library;
use super::memory::{ALIGNMENT, CudaAllocation, MemoryPool};
use super::module::CudaModule;
use super::staging::{StagingPool, Transfers};
use super::stream::{CudaEvent, CudaStream};
use super::{NAME, architecture};
use crate::host::HostAllocation;
use crate::kernel::KernelModule;
use crate::plan::KernelDescription;
use crate::{
    DeviceDescription, DeviceMemory, Error, Event, MemorySlice, MemoryUsage, Result, Stream,
    StreamExecutor,
};

/// A GPU.
pub struct CudaExecutor {
    shared: Arc<Shared>,
    transfers: Transfers,
    description: DeviceDescription,
    /// Ten times the major version of the compute capability, and the minor.
    version: u32,
}

/// The properties of their device that streams use.
pub(super) struct Shared {
    pub context: Arc<Context>,
    pub memory: Arc<MemoryPool>,
    pub staging: Arc<StagingPool>,
    /// Bytes of shared memory that a block may have.
    pub max_shared_memory: u32,
    library: OnceLock<Result<Library>>,
}

impl Shared {
    /// The library of matrix products, which is loaded on first use.
    ///
    /// # Errors
    /// Returns an execution error if it does not exist.
    pub fn gemm_library(&self) -> Result<&Library> {
        let library = self.library.get_or_init(|| Library::load(&self.context));
        library.as_ref().map_err(Clone::clone)
    }
}

impl CudaExecutor {
    /// Starts a device.
    ///
    /// # Errors
    /// Returns an execution error if it does not start.
    pub(super) fn new(driver: &Driver, ordinal: usize) -> Result<Self> {
        use sys::CUdevice_attribute as Attribute;
        let context = Arc::new(Context::new(ordinal)?);
        let number = |attribute| context.attribute(attribute).unwrap_or(0);
        let major = number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        let minor = number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        let shared = Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
        // SAFETY: the device is valid.
        let memory_size = unsafe { result::device::total_mem(context.device) };
        let description = DeviceDescription {
            name: result::device::get_name(context.device).unwrap_or_default(),
            platform_version: format!("CUDA {}", driver.version),
            core_count: number(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) as usize,
            memory_size: memory_size.ok().map(|size| size as u64),
            architecture: Some(format!("sm_{major}{minor}")),
            allocation_alignment: ALIGNMENT,
        };
        let staging = Arc::new(StagingPool::new(Arc::clone(&context)));
        Ok(Self {
            transfers: Transfers::new(Arc::clone(&context), Arc::clone(&staging))?,
            description,
            version: major * 10 + minor,
            shared: Arc::new(Shared {
                memory: Arc::new(MemoryPool::new(Arc::clone(&context))?),
                staging,
                max_shared_memory: number(shared),
                library: OnceLock::new(),
                context,
            }),
        })
    }

    /// The address of a slice on this device.
    fn address(&self, slice: &MemorySlice<'_>) -> Result<u64> {
        let allocation: &CudaAllocation = slice.memory().downcast()?;
        if allocation.ordinal() == self.ordinal() {
            Ok(allocation.address() + slice.offset() as u64)
        } else {
            Err(Error::invalid("the memory belongs to another device"))
        }
    }

    /// Enqueues an entry on a new stream, and waits for it.
    fn complete(&self, enqueue: impl FnOnce(&dyn Stream) -> Result<()>) -> Result<()> {
        let stream = CudaStream::new(Arc::clone(&self.shared))?;
        enqueue(&stream)?;
        stream.block_until_done()
    }
}

impl StreamExecutor for CudaExecutor {
    fn platform(&self) -> &str {
        NAME
    }

    fn ordinal(&self) -> usize {
        self.shared.context.ordinal
    }

    fn description(&self) -> &DeviceDescription {
        &self.description
    }

    fn allocate(&self, size: usize) -> Result<DeviceMemory> {
        Ok(DeviceMemory::new(self.shared.memory.allocate(size)?))
    }

    fn synchronize(&self) -> Result<()> {
        let entered = self.shared.context.enter();
        // SAFETY: the context is current.
        let done = entered.and_then(|()| unsafe { sys::cuCtxSynchronize() }.result());
        done.map_err(|error| failed("the device failed", error))
    }

    fn allocate_pinned(&self, size: usize) -> Result<Option<DeviceMemory>> {
        let buffer = self.shared.context.enter().and_then(|()| self.shared.staging.get(size));
        let mut buffer = buffer.map_err(|error| failed("out of memory of the host", error))?;
        let address = NonNull::from(buffer.bytes_mut()).cast();
        // SAFETY: the buffer has the bytes, and is owned by the allocation.
        let allocation = unsafe { HostAllocation::import(address, size, Box::new(buffer)) }?;
        Ok(Some(DeviceMemory::new(allocation)))
    }

    unsafe fn import(
        &self,
        address: u64,
        size: usize,
        owner: Box<dyn Send + Sync>,
    ) -> Result<DeviceMemory> {
        if !address.is_multiple_of(ALIGNMENT as u64) {
            return Err(Error::invalid(format!(
                "imported memory must begin at a multiple of {ALIGNMENT} bytes"
            )));
        }
        // The work that writes to the memory may be on any stream.
        self.synchronize()?;
        let imported = self.shared.memory.import(address, size, owner);
        Ok(DeviceMemory::new(imported))
    }

    fn copy_to_device(&self, source: &[u8], target: &DeviceMemory, offset: usize) -> Result<()> {
        let address = self.address(&target.slice(offset, source.len())?)?;
        // SAFETY: the source has that many bytes, and the caller keeps it alive.
        unsafe { self.transfers.upload(source, address) }
    }

    fn copy_from_device(
        &self,
        source: &DeviceMemory,
        offset: usize,
        target: &mut [u8],
    ) -> Result<()> {
        let address = self.address(&source.slice(offset, target.len())?)?;
        // SAFETY: as above.
        unsafe { self.transfers.download(address, target) }
    }

    fn copy(&self, source: &DeviceMemory, target: &DeviceMemory) -> Result<()> {
        self.complete(|stream| stream.copy(source, target))
    }

    fn fill(&self, target: &DeviceMemory, byte: u8) -> Result<()> {
        self.complete(|stream| stream.fill(target, byte))
    }

    fn create_stream(&self) -> Result<Box<dyn Stream>> {
        Ok(Box::new(CudaStream::new(Arc::clone(&self.shared))?))
    }

    fn create_event(&self) -> Result<Arc<dyn Event>> {
        let event = CudaEvent::create(&self.shared.context);
        Ok(Arc::new(event.map_err(|error| failed("no event", error))?))
    }

    fn memory_usage(&self) -> MemoryUsage {
        self.shared.memory.usage()
    }

    fn clear_memory_peak(&self) {
        self.shared.memory.clear_peak();
    }

    fn check_architecture(&self, architecture: &str) -> Result<()> {
        architecture::check(architecture, self.version)
    }

    fn load_gemm_library(&self) -> Result<()> {
        self.shared.gemm_library().map(|_| ())
    }

    fn load_module(
        &self,
        code: &[u8],
        kernels: &[KernelDescription],
    ) -> Result<Arc<dyn KernelModule>> {
        let context = Arc::clone(&self.shared.context);
        Ok(Arc::new(CudaModule::load(context, code, kernels)?))
    }
}
