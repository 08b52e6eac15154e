//! Literals to and from a device.

use halo_core::{AlignedBuffer, Literal, Shape};

use crate::{DeviceBuffer, Error, Result, StreamExecutor};

/// Implements the layout of a platform's values in memory, and their transfer.
///
/// The provided methods are for platforms with the layout of [`Literal`]: row-major, each element
/// in its byte width.
pub trait TransferManager: Send + Sync {
    /// The size of a value of this shape on the device in bytes.
    fn byte_size(&self, shape: &Shape) -> usize {
        shape.byte_size()
    }

    /// Allocates memory for a value; its contents are arbitrary.
    ///
    /// # Errors
    /// Returns an execution error if memory is exhausted.
    fn allocate(&self, executor: &dyn StreamExecutor, shape: &Shape) -> Result<DeviceBuffer> {
        let size = self.byte_size(shape);
        DeviceBuffer::new(shape.clone(), executor.allocate(size)?, size)
    }

    /// Copies a literal into a buffer of its shape.
    ///
    /// # Errors
    /// Returns an invalid-input error if the shapes differ.
    fn write(
        &self,
        executor: &dyn StreamExecutor,
        literal: &Literal,
        buffer: &DeviceBuffer,
    ) -> Result<()> {
        if literal.shape() != buffer.shape() {
            return Err(Error::invalid(format!(
                "a literal of type {} does not fit a buffer of type {}",
                literal.shape(),
                buffer.shape()
            )));
        }
        executor.copy_to_device(literal.bytes(), buffer.memory(), 0)
    }

    /// Copies a literal into new memory.
    ///
    /// # Errors
    /// Returns an execution error if memory is exhausted.
    fn to_device(&self, executor: &dyn StreamExecutor, literal: &Literal) -> Result<DeviceBuffer> {
        let buffer = self.allocate(executor, literal.shape())?;
        self.write(executor, literal, &buffer)?;
        Ok(buffer)
    }

    /// Copies a value to the host.
    ///
    /// # Errors
    /// Returns an execution error if memory is exhausted.
    fn to_host(&self, executor: &dyn StreamExecutor, buffer: &DeviceBuffer) -> Result<Literal> {
        let shape = buffer.shape().clone();
        let mut bytes = AlignedBuffer::try_zeroed(shape.byte_size(), 1)
            .ok_or_else(|| Error::execution(format!("out of memory for {shape}")))?;
        executor.copy_from_device(buffer.memory(), 0, bytes.as_bytes_mut())?;
        Ok(Literal::from_buffer(shape, bytes)?)
    }
}
