//! One device: its memory, its streams and its properties.

use std::sync::Arc;

use crate::kernel::{KernelModule, no_kernels};
use crate::plan::KernelDescription;
use crate::{DeviceMemory, Error, Event, Result, Stream};

/// The properties of a device. Unknown numbers are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceDescription {
    /// The manufacturer's name for it.
    pub name: String,
    /// The platform's version: the driver's, or the operating system.
    pub platform_version: String,
    /// Independent cores: hardware threads of a processor, multiprocessors of a GPU.
    pub core_count: usize,
    /// Bytes of memory in all.
    pub memory_size: Option<u64>,
    /// The kind of device in the terms of the platform's compilers, `sm_90`.
    pub architecture: Option<String>,
    /// Bytes that the address of an allocation is a multiple of.
    pub allocation_alignment: usize,
}

/// Memory that an executor has allocated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUsage {
    /// Allocated now.
    pub in_use: u64,
    /// The most that was allocated at a time since the peak was cleared.
    pub peak: u64,
}

/// A device that allocates memory and runs streams of work.
///
/// The operations on memory here are synchronous: they do not wait for streams, and are complete
/// when they return.
pub trait StreamExecutor: Send + Sync {
    /// The name of the platform, equal to [`Platform::name`](crate::Platform::name).
    fn platform(&self) -> &str;

    /// The index of the device in its platform.
    fn ordinal(&self) -> usize;

    fn description(&self) -> &DeviceDescription;

    /// Allocates `size` bytes, possibly zero, whose address is a multiple of
    /// [`DeviceDescription::allocation_alignment`] and whose contents are arbitrary. The memory is
    /// freed when the last clone of the handle is dropped.
    ///
    /// # Errors
    /// Returns an execution error if memory is exhausted.
    fn allocate(&self, size: usize) -> Result<DeviceMemory>;

    /// Waits until all work on the device is done, also on streams of other libraries.
    ///
    /// # Errors
    /// Returns an execution error if the device failed.
    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    /// Allocates memory of the host that copies to and from the device use directly, as a
    /// [`HostAllocation`](crate::host::HostAllocation), if the platform has such memory.
    ///
    /// # Errors
    /// Returns the errors of [`allocate`](Self::allocate).
    fn allocate_pinned(&self, _size: usize) -> Result<Option<DeviceMemory>> {
        Ok(None)
    }

    /// Memory of another library on the device, which is freed when the last handle is dropped, by
    /// dropping `owner`.
    ///
    /// # Errors
    /// Returns an invalid-input error if the address is not a multiple of
    /// [`DeviceDescription::allocation_alignment`], and if the platform takes no such memory.
    ///
    /// # Safety
    /// `size` bytes at `address` must stay valid on the device until `owner` is dropped. Until then
    /// nothing else may write to them, nor read them while a program has them as output.
    unsafe fn import(
        &self,
        _address: u64,
        _size: usize,
        _owner: Box<dyn Send + Sync>,
    ) -> Result<DeviceMemory> {
        let platform = self.platform();
        Err(Error::invalid(format!(
            "the platform '{platform}' takes no memory of other libraries"
        )))
    }

    /// Drops a handle, which frees the memory unless it has clones.
    fn deallocate(&self, memory: DeviceMemory) {
        drop(memory);
    }

    /// Copies `source` to the memory from byte `offset` on.
    ///
    /// # Errors
    /// Returns an invalid-input error if it does not fit or the memory is another platform's.
    fn copy_to_device(&self, source: &[u8], target: &DeviceMemory, offset: usize) -> Result<()>;

    /// Fills `target` with the bytes of the memory from byte `offset` on.
    ///
    /// # Errors
    /// Returns the errors of [`copy_to_device`](Self::copy_to_device).
    fn copy_from_device(
        &self,
        source: &DeviceMemory,
        offset: usize,
        target: &mut [u8],
    ) -> Result<()>;

    /// Copies all of `source` over the beginning of `target`.
    ///
    /// # Errors
    /// Returns the errors of [`copy_to_device`](Self::copy_to_device).
    fn copy(&self, source: &DeviceMemory, target: &DeviceMemory) -> Result<()>;

    /// Sets every byte of the memory.
    ///
    /// # Errors
    /// Returns the errors of [`copy_to_device`](Self::copy_to_device).
    fn fill(&self, target: &DeviceMemory, byte: u8) -> Result<()>;

    /// A new, empty stream.
    ///
    /// # Errors
    /// Returns an execution error if the device has no more.
    fn create_stream(&self) -> Result<Box<dyn Stream>>;

    /// A new event, as if its latest recording were already complete.
    ///
    /// # Errors
    /// Returns an execution error if the device has no more.
    fn create_event(&self) -> Result<Arc<dyn Event>>;

    fn memory_usage(&self) -> MemoryUsage;

    /// Sets the peak of the usage to the memory that is in use.
    fn clear_memory_peak(&self);

    /// Checks whether code for an architecture, such as `sm_90`, runs on this device.
    ///
    /// # Errors
    /// Returns an invalid-input error if it does not, and if the platform runs no kernels.
    fn check_architecture(&self, _architecture: &str) -> Result<()> {
        Err(no_kernels())
    }

    /// Loads the library that [`Stream::gemm`] uses.
    ///
    /// # Errors
    /// Returns an execution error if it is not.
    fn load_gemm_library(&self) -> Result<()> {
        Ok(())
    }

    /// Loads code with these kernels, in the platform's format.
    ///
    /// # Errors
    /// Returns an invalid-input error if the code cannot be loaded, with the platform's message, if
    /// a kernel is not in it, or if the platform runs no kernels.
    fn load_module(
        &self,
        _code: &[u8],
        _kernels: &[KernelDescription],
    ) -> Result<Arc<dyn KernelModule>> {
        Err(no_kernels())
    }
}
