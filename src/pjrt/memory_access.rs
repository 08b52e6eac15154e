//! Access to the memory of devices from the host.
//!
//! Memory of the host is read and written in place. Values in other memory are copied by the
//! backend's `TransferManager`, and converted between layouts in memory of the host.

use std::ptr;
use std::sync::Arc;

use halo_core::{AlignedBuffer, Literal, Shape};
use halo_runtime::host::HostAllocation;
use halo_runtime::{Device, DeviceBuffer, DeviceMemory};

use crate::c_api::ErrorCode;
use crate::status::{Result, Status};
use crate::strides;

/// Elements in memory of the host, with their strides in bytes.
#[derive(Clone, Copy)]
pub struct Strided<'a, P> {
    pub data: P,
    pub strides: &'a [i64],
}

/// Returns true for memory that the host addresses.
pub fn is_of_host(memory: &DeviceMemory) -> bool {
    memory.downcast::<HostAllocation>().is_ok()
}

/// The address of a value in memory of the host or of the device.
///
/// # Errors
/// Returns an unimplemented error for memory without addresses.
pub fn address(device: &Device, contents: &DeviceBuffer) -> Result<*mut u8> {
    let memory = contents.memory();
    match (memory.downcast::<HostAllocation>(), memory.device_address()) {
        (Ok(allocation), _) => Ok(allocation.address()),
        (_, Some(address)) => Ok(ptr::with_exposed_provenance_mut(address as usize)),
        _ => Err(not_of_host(device, "the address of a buffer")),
    }
}

/// The error of a function that needs memory of the host.
pub fn not_of_host(device: &Device, what: &str) -> Status {
    let platform = device.executor.platform();
    Status::unimplemented(format!(
        "{what} in memory of the platform '{platform}', which the host does not address"
    ))
}

/// Copies elements to a value, whose memory has the strides `to`.
///
/// # Errors
/// Returns the errors of the platform's transfers.
///
/// # Safety
/// The elements must be at the positions that the strides specify, and the memory must have the
/// size of the shape and not be in use.
pub unsafe fn write(
    device: &Device,
    contents: &DeviceBuffer,
    shape: &Shape,
    from: Strided<'_, *const u8>,
    to: &[i64],
) -> Result<()> {
    if let Ok(allocation) = contents.memory().downcast::<HostAllocation>() {
        let target = allocation.address();
        // SAFETY: by the requirement above.
        unsafe { strides::copy(shape, from.data, from.strides, target, to) };
        return Ok(());
    }
    let size = shape.byte_size();
    let mut bytes = AlignedBuffer::try_zeroed(size, 1).ok_or_else(|| out_of_memory(size))?;
    let target = bytes.as_bytes_mut().as_mut_ptr();
    // SAFETY: by the requirement above; the new memory is of the shape's size.
    unsafe { strides::copy(shape, from.data, from.strides, target, to) };
    let literal = Literal::from_buffer(contents.shape().clone(), bytes)?;
    Ok(device.transfer_manager.write(&*device.executor, &literal, contents)?)
}

/// Copies the elements of a value, whose memory has the strides `from`.
///
/// # Errors
/// Returns the errors of the platform's transfers.
///
/// # Safety
/// The value must be of the size of the shape, and the target have room for its elements.
pub unsafe fn read(
    device: &Device,
    contents: &DeviceBuffer,
    shape: &Shape,
    from: &[i64],
    to: Strided<'_, *mut u8>,
) -> Result<()> {
    // SAFETY: by the requirement above.
    let copy = |source: &[u8]| unsafe {
        strides::copy(shape, source.as_ptr(), from, to.data, to.strides);
    };
    match contents.memory().downcast::<HostAllocation>() {
        Ok(allocation) => copy(allocation.read().as_bytes()),
        Err(_) => copy(device.to_host(contents)?.bytes()),
    }
    Ok(())
}

/// Copies a value to another device of the platform, or to the same one.
///
/// # Errors
/// Returns the errors of the platform's transfers.
pub fn copy(
    (from, source): (&Device, &DeviceBuffer),
    (to, target): (&Device, &DeviceBuffer),
) -> Result<()> {
    let memories = [source, target].map(|buffer| buffer.memory().downcast::<HostAllocation>());
    let are_of_device = memories.iter().all(Result::is_err);
    if let [Ok(source), Ok(target)] = memories {
        let (source, mut target) = (source.read(), target.write());
        target.as_bytes_mut().copy_from_slice(source.as_bytes());
        Ok(())
    } else if Arc::ptr_eq(&from.executor, &to.executor) && are_of_device {
        Ok(from.executor.copy(source.memory(), target.memory())?)
    } else {
        let literal = match source.memory().downcast::<HostAllocation>() {
            Ok(source_bytes) => {
                Literal::from_bytes(source.shape().clone(), source_bytes.read().as_bytes())?
            }
            Err(_) => from.to_host(source)?,
        };
        match target.memory().downcast::<HostAllocation>() {
            Ok(target) => target.write().as_bytes_mut().copy_from_slice(literal.bytes()),
            Err(_) => to.transfer_manager.write(&*to.executor, &literal, target)?,
        }
        Ok(())
    }
}

fn out_of_memory(size: usize) -> Status {
    let message = format!("out of memory for {size} bytes");
    Status::new(ErrorCode::RESOURCE_EXHAUSTED, message)
}
