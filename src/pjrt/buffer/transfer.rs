//! Copies of buffers: to the host, and to other devices.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

use halo_runtime::Device;
use halo_runtime::host::HostAllocation;

use super::creation::strides_of;
use super::{Buffer, Read, borrow};
use crate::c_api;
use crate::client::Client;
use crate::event::Event;
use crate::memory_access::{self, Strided};
use crate::queue::Queue;
use crate::status::{Result, Status};
use crate::strides;

/// Host memory that a caller lends until an event is set.
struct HostPointer(*mut u8);

// SAFETY: the interface lets copies run on any thread.
unsafe impl Send for HostPointer {}

impl HostPointer {
    fn get(&self) -> *mut u8 {
        self.0
    }
}

pub unsafe fn to_host_buffer(arguments: &mut c_api::BufferToHostBufferArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.src) }?;
    let shape = &buffer.shape;
    if arguments.dst.is_null() {
        arguments.dst_size = shape.byte_size();
        return Ok(());
    }
    if arguments.dst_size < shape.byte_size() {
        return Err(Status::invalid(format!(
            "{shape} takes {} bytes, but the host buffer has {}",
            shape.byte_size(),
            arguments.dst_size
        )));
    }
    // SAFETY: the caller passes a valid layout.
    let to = unsafe { strides_of(shape, arguments.host_layout) }?;
    if !strides::is_dense(shape, &to) {
        let message = format!("the host buffer of {shape} must be dense");
        return Err(Status::unimplemented(message));
    }
    let from = strides::in_layout(shape, buffer.other_layout());
    let (read, shape) = (buffer.read()?, shape.clone());
    let target = HostPointer(arguments.dst.cast());
    let event = copy_when_ready(buffer, move |device| {
        let to = Strided {
            data: target.get(),
            strides: &to,
        };
        // SAFETY: the value has the shape's size, and so has the caller's memory with dense
        // strides, until the event is set.
        unsafe { memory_access::read(device, &read.contents, &shape, &from, to) }
    });
    arguments.event = event.into_raw();
    Ok(())
}

/// Bytes of a buffer.
///
/// # Errors
/// Returns an invalid-argument error if the buffer does not have them.
fn range(buffer: &Buffer, offset: i64, size: i64) -> Result<Range<usize>> {
    let total = buffer.shape.byte_size();
    let range = match [offset, size].map(usize::try_from) {
        [Ok(offset), Ok(size)] => offset.checked_add(size).map(|end| offset..end),
        _ => None,
    };
    range.filter(|range| range.end <= total).ok_or_else(|| {
        Status::invalid(format!(
            "{size} bytes at {offset} are not in a buffer of {total} bytes"
        ))
    })
}

/// Copies bytes of a ready value.
///
/// # Safety
/// The target must have room for the bytes.
unsafe fn copy_bytes(
    device: &Device,
    read: &Read,
    range: Range<usize>,
    target: &HostPointer,
) -> Result<()> {
    if target.get().is_null() && !range.is_empty() {
        return Err(Status::invalid("the host buffer is null"));
    }
    if range.is_empty() {
        return Ok(());
    }
    // SAFETY: by the requirement above.
    let target = unsafe { std::slice::from_raw_parts_mut(target.get(), range.len()) };
    let memory = read.contents.memory();
    match memory.downcast::<HostAllocation>() {
        Ok(own) => target.copy_from_slice(&own.read().as_bytes()[range]),
        Err(_) => device.executor.copy_from_device(memory, range.start, target)?,
    }
    Ok(())
}

pub unsafe fn copy_raw_to_host(arguments: &mut c_api::BufferCopyRawToHostArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    let range = range(buffer, arguments.offset, arguments.transfer_size)?;
    if arguments.dst.is_null() && !range.is_empty() {
        return Err(Status::invalid("the host buffer is null"));
    }
    let (read, target) = (buffer.read()?, HostPointer(arguments.dst.cast()));
    let event = copy_when_ready(buffer, move |device| {
        // SAFETY: the caller has room for the bytes, until the event is set.
        unsafe { copy_bytes(device, &read, range, &target) }
    });
    arguments.event = event.into_raw();
    Ok(())
}

/// A copy whose target is not known yet.
struct Pending {
    device: Device,
    transfers: Option<Arc<Queue>>,
    read: Read,
    range: Range<usize>,
    /// The event of the value, and of the copy.
    ready: Event,
    done: Event,
}

/// Starts the copy that the caller has as data.
unsafe extern "C" fn target_is_ready(arguments: *mut c_api::BufferCopyRawToHostFutureCallbackArgs) {
    // SAFETY: the caller passes valid arguments with the data that it got, once.
    let (pending, target, outcome) = unsafe {
        let arguments = &*arguments;
        let pending = Box::from_raw(arguments.callback_data.cast::<Pending>());
        let (text, size) = (arguments.error_message, arguments.error_message_size);
        let outcome = Status::outcome(arguments.error_code, text, size);
        (pending, HostPointer(arguments.dst.cast()), outcome)
    };
    let (done, ready) = (pending.done.clone(), pending.ready.clone());
    if outcome.is_err() {
        drop(pending);
        return done.set(outcome);
    }
    let transfers = pending.transfers.clone();
    when_ready(&ready, transfers, done, move || {
        let range = pending.range.clone();
        // SAFETY: the caller has room for the bytes, until the event is set.
        unsafe { copy_bytes(&pending.device, &pending.read, range, &target) }
    });
}

/// Copies once the caller has called a function with the target.
pub unsafe fn copy_raw_to_host_future(
    arguments: &mut c_api::BufferCopyRawToHostFutureArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    let pending = Pending {
        device: buffer.device().runtime.clone(),
        transfers: buffer.device().transfers.clone(),
        range: range(buffer, arguments.offset, arguments.transfer_size)?,
        read: buffer.read()?,
        ready: buffer.ready.clone(),
        done: Event::default(),
    };
    arguments.event = pending.done.clone().into_raw();
    arguments.callback_data = Box::into_raw(Box::new(pending)).cast::<c_void>();
    arguments.future_ready_callback = Some(target_is_ready);
    Ok(())
}

/// Copies as soon as the value is ready; the event is set when the copy is done.
fn copy_when_ready(
    buffer: &Buffer,
    copy: impl FnOnce(&Device) -> Result<()> + Send + 'static,
) -> Event {
    let done = Event::default();
    let device = buffer.device();
    let (runtime, transfers) = (device.runtime.clone(), device.transfers.clone());
    when_ready(&buffer.ready, transfers, done.clone(), move || {
        copy(&runtime)
    });
    done
}

/// Copies once a value is ready, on the thread for transfers if there is one, and sets an event.
fn when_ready(
    ready: &Event,
    transfers: Option<Arc<Queue>>,
    done: Event,
    copy: impl FnOnce() -> Result<()> + Send + 'static,
) {
    ready.on_ready(move |outcome| {
        let (outcome, copied) = (outcome.clone(), done.clone());
        let copy = move || copied.set(outcome.and_then(|()| copy()));
        match transfers {
            None => copy(),
            Some(transfers) => {
                if let Err(error) = transfers.enqueue(copy) {
                    done.set(Err(error));
                }
            }
        }
    });
}

pub unsafe fn copy_to_device(arguments: &mut c_api::BufferCopyToDeviceArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer, and a device of its client.
    let (buffer, place) = unsafe {
        let buffer = borrow(arguments.buffer)?;
        let place = buffer.client.place(arguments.dst_device, std::ptr::null_mut())?;
        (buffer, place)
    };
    arguments.dst_buffer = copy_to(buffer, &buffer.client, place)?.into_raw();
    Ok(())
}

pub unsafe fn copy_to_memory(arguments: &mut c_api::BufferCopyToMemoryArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer, and a memory of its client.
    let (buffer, place) = unsafe {
        let buffer = borrow(arguments.buffer)?;
        let place = buffer.client.place(std::ptr::null_mut(), arguments.dst_memory)?;
        (buffer, place)
    };
    arguments.dst_buffer = copy_to(buffer, &buffer.client, place)?.into_raw();
    Ok(())
}

fn copy_to(buffer: &Buffer, client: &Arc<Client>, place: (usize, usize)) -> Result<Buffer> {
    let to = client.devices()[place.0].runtime.clone();
    let target = client.devices()[place.0].allocate(buffer.memory_shape(), place.1)?;
    let (read, written) = (buffer.read()?, target.clone());
    let ready = copy_when_ready(buffer, move |from| {
        memory_access::copy((from, &read.contents), (&to, &written))
    });
    Buffer::new(client, place, target, ready, true).in_layout(buffer.other_layout())
}
