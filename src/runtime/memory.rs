//! Handles to memory on a device.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use halo_core::Shape;

use crate::{Error, Result};

/// A platform's record of an allocation; dropping it frees the memory.
pub trait Allocation: Any + Send + Sync {
    /// The size in bytes.
    fn size(&self) -> usize;

    /// For downcasts by the platform.
    fn as_any(&self) -> &dyn Any;

    /// The address on the device, for other libraries, if the device has addresses of memory.
    fn device_address(&self) -> Option<u64> {
        None
    }
}

/// Memory on a device. Clones are handles to the same memory.
#[derive(Clone)]
pub struct DeviceMemory(Arc<dyn Allocation>);

impl DeviceMemory {
    pub fn new(allocation: impl Allocation) -> Self {
        Self(Arc::new(allocation))
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        self.0.size()
    }

    /// Returns true if both are handles to the same memory.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The address on the device, for other libraries, if the device has addresses of memory.
    pub fn device_address(&self) -> Option<u64> {
        self.0.device_address()
    }

    /// A slice of all of the memory.
    pub fn whole(&self) -> MemorySlice<'_> {
        MemorySlice {
            memory: self,
            offset: 0,
            size: self.size(),
        }
    }

    /// `size` bytes of the memory, from byte `offset` on.
    ///
    /// # Errors
    /// Returns an invalid-input error if the memory ends before them.
    pub fn slice(&self, offset: usize, size: usize) -> Result<MemorySlice<'_>> {
        if offset.checked_add(size).is_none_or(|end| end > self.size()) {
            return Err(Error::invalid(format!(
                "{size} bytes at {offset} lie outside a memory of {} bytes",
                self.size()
            )));
        }
        Ok(MemorySlice {
            memory: self,
            offset,
            size,
        })
    }

    /// A number that identifies this memory among all existing memory.
    pub(crate) fn id(&self) -> usize {
        Arc::as_ptr(&self.0).cast::<()>() as usize
    }

    /// Downcasts the allocation to a platform's type.
    ///
    /// # Errors
    /// Returns an invalid-input error if the memory belongs to another platform.
    pub fn downcast<T: Allocation>(&self) -> Result<&T> {
        self.0
            .as_any()
            .downcast_ref()
            .ok_or_else(|| Error::invalid("the memory belongs to another platform"))
    }
}

/// A range of bytes of memory on a device.
#[derive(Clone, Copy, Debug)]
pub struct MemorySlice<'a> {
    memory: &'a DeviceMemory,
    offset: usize,
    size: usize,
}

impl<'a> MemorySlice<'a> {
    pub fn memory(&self) -> &'a DeviceMemory {
        self.memory
    }

    /// The offset of the bytes in the memory.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The number of bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns true if the slices overlap.
    pub fn overlaps(&self, other: &MemorySlice<'_>) -> bool {
        self.memory.is_same(other.memory)
            && self.size > 0
            && other.size > 0
            && self.offset < other.offset + other.size
            && other.offset < self.offset + self.size
    }
}

/// Checks that source and target of a copy have the same size.
pub(crate) fn check_sizes(source: usize, target: usize) -> Result<()> {
    if source == target {
        Ok(())
    } else {
        Err(Error::invalid(format!(
            "{source} bytes are to be copied to {target}"
        )))
    }
}

/// Checks that source and target of a copy are equal or do not overlap.
pub(crate) fn check_overlap(source: MemorySlice<'_>, target: MemorySlice<'_>) -> Result<()> {
    if source.offset() == target.offset() || !source.overlaps(&target) {
        Ok(())
    } else {
        Err(Error::invalid("a copy goes to a part of its source"))
    }
}

impl fmt::Debug for DeviceMemory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DeviceMemory({} bytes)", self.size())
    }
}

/// Memory on a device for a value of a shape. Clones share the memory.
#[derive(Clone, Debug)]
pub struct DeviceBuffer {
    shape: Shape,
    memory: DeviceMemory,
}

impl DeviceBuffer {
    /// # Errors
    /// Returns an invalid-input error if the memory is smaller than `byte_size`, the size of the
    /// shape by the device's transfer manager.
    pub fn new(shape: Shape, memory: DeviceMemory, byte_size: usize) -> Result<Self> {
        if memory.size() < byte_size {
            return Err(Error::invalid(format!(
                "{shape} takes {byte_size} bytes, but the memory has {}",
                memory.size()
            )));
        }
        Ok(Self { shape, memory })
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    pub fn memory(&self) -> &DeviceMemory {
        &self.memory
    }
}
