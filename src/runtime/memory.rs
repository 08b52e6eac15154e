//! Handles to memory on a device.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use halo_core::Shape;

use crate::{Error, Result};

/// What a platform keeps of an allocation; dropping it frees the memory.
pub trait Allocation: Any + Send + Sync {
    /// The size in bytes.
    fn size(&self) -> usize;

    /// For the platform to find its own type.
    fn as_any(&self) -> &dyn Any;
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

    /// Whether both are handles to the same memory.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The platform's own view of the allocation.
    ///
    /// # Errors
    /// Invalid input if the memory belongs to another platform.
    pub fn downcast<T: Allocation>(&self) -> Result<&T> {
        self.0
            .as_any()
            .downcast_ref()
            .ok_or_else(|| Error::invalid("the memory belongs to another platform"))
    }
}

impl fmt::Debug for DeviceMemory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DeviceMemory({} bytes)", self.size())
    }
}

/// Memory on a device that holds, or is to hold, a value of a shape. Clones
/// share the memory.
#[derive(Clone, Debug)]
pub struct DeviceBuffer {
    shape: Shape,
    memory: DeviceMemory,
}

impl DeviceBuffer {
    /// # Errors
    /// Invalid input if the memory is smaller than `byte_size`, which is what
    /// the device's transfer manager says the shape takes.
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
