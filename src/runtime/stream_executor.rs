//! One device: its memory, its streams and its properties.

use std::sync::Arc;

use crate::kernel::{KernelModule, no_kernels};
use crate::plan::KernelDescription;
use crate::{DeviceMemory, Event, Result, Stream};

/// The properties of a device. Numbers that cannot be found out are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceDescription {
    /// The maker's name for it.
    pub name: String,
    /// The platform's version: the driver's, or the operating system.
    pub platform_version: String,
    /// Cores that work independently: hardware threads of a processor,
    /// multiprocessors of a GPU.
    pub core_count: usize,
    /// Bytes of memory in all.
    pub memory_size: Option<u64>,
    /// The kind of device in the words of the platform's compilers, `sm_90`.
    pub architecture: Option<String>,
    /// Bytes that the address of an allocation is a multiple of.
    pub allocation_alignment: usize,
}

/// Bytes that an executor has handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUsage {
    /// Allocated now.
    pub in_use: u64,
    /// The most that was ever allocated at a time.
    pub peak: u64,
}

/// A device that allocates memory and runs streams of work.
///
/// The operations on memory here are synchronous: they wait for nothing that
/// streams have still to do, and are complete when they return.
pub trait StreamExecutor: Send + Sync {
    /// The name of the platform, as [`Platform::name`](crate::Platform::name)
    /// gives it.
    fn platform(&self) -> &str;

    /// Which device of its platform this is.
    fn ordinal(&self) -> usize;

    fn description(&self) -> &DeviceDescription;

    /// Allocates `size` bytes, perhaps none, whose address is a multiple of
    /// [`DeviceDescription::allocation_alignment`] and whose contents are
    /// arbitrary. The memory is given back when the last clone of the handle
    /// is gone.
    ///
    /// # Errors
    /// Execution if there is not enough memory.
    fn allocate(&self, size: usize) -> Result<DeviceMemory>;

    /// Gives one handle back, which frees the memory unless there are clones
    /// of it; the same as dropping it.
    fn deallocate(&self, memory: DeviceMemory) {
        drop(memory);
    }

    /// Copies `source` to the memory from byte `offset` on.
    ///
    /// # Errors
    /// Invalid input if it does not fit or the memory is another platform's.
    fn copy_to_device(&self, source: &[u8], target: &DeviceMemory, offset: usize) -> Result<()>;

    /// Fills `target` with the bytes of the memory from byte `offset` on.
    ///
    /// # Errors
    /// As [`copy_to_device`](Self::copy_to_device).
    fn copy_from_device(
        &self,
        source: &DeviceMemory,
        offset: usize,
        target: &mut [u8],
    ) -> Result<()>;

    /// Copies all of `source` over the beginning of `target`.
    ///
    /// # Errors
    /// As [`copy_to_device`](Self::copy_to_device).
    fn copy(&self, source: &DeviceMemory, target: &DeviceMemory) -> Result<()>;

    /// Sets every byte of the memory.
    ///
    /// # Errors
    /// As [`copy_to_device`](Self::copy_to_device).
    fn fill(&self, target: &DeviceMemory, byte: u8) -> Result<()>;

    /// A new stream, with nothing to do yet.
    ///
    /// # Errors
    /// Execution if the device has no more.
    fn create_stream(&self) -> Result<Box<dyn Stream>>;

    /// A new event, as if its latest recording were already complete.
    ///
    /// # Errors
    /// Execution if the device has no more.
    fn create_event(&self) -> Result<Arc<dyn Event>>;

    fn memory_usage(&self) -> MemoryUsage;

    /// Sees whether code that was made for an architecture, `sm_90` perhaps,
    /// runs on this device.
    ///
    /// # Errors
    /// Invalid input if it does not, and where the platform runs no kernels.
    fn check_architecture(&self, _architecture: &str) -> Result<()> {
        Err(no_kernels())
    }

    /// Sees to it that the library is there by which
    /// [`Stream::gemm`] computes.
    ///
    /// # Errors
    /// Execution if it is not.
    fn load_gemm_library(&self) -> Result<()> {
        Ok(())
    }

    /// Loads code with these kernels, in the form that the platform takes.
    ///
    /// # Errors
    /// Invalid input if the code cannot be loaded, with the platform's
    /// message, if a kernel is not in it, or if the platform runs no kernels.
    fn load_module(
        &self,
        _code: &[u8],
        _kernels: &[KernelDescription],
    ) -> Result<Arc<dyn KernelModule>> {
        Err(no_kernels())
    }
}
