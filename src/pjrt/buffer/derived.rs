//! Buffers in the memory of other buffers.

use std::ffi::c_void;

use halo_runtime::DeviceBuffer;

use super::creation::layout_of;
use super::{Buffer, borrow, lock};
use crate::c_api;
use crate::element_type;
use crate::event::Event;
use crate::status::{Result, Status};

/// Neither buffer can be donated from then on, since the other one would change with it.
pub unsafe fn bitcast(arguments: &mut c_api::BufferBitcastArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer, sizes and a layout.
    let (buffer, shape, layout) = unsafe {
        let buffer = borrow(arguments.buffer)?;
        let (dims, rank) = (arguments.dims, arguments.num_dims);
        let shape = element_type::shape(arguments.element_type, dims, rank)?;
        let layout = layout_of(&shape, arguments.device_layout)?;
        (buffer, shape, layout)
    };
    if shape.byte_size() != buffer.shape.byte_size() {
        return Err(Status::invalid(format!(
            "{} cannot be read as {shape}, which has another size in bytes",
            buffer.shape
        )));
    }
    let layout = layout.as_ref();
    let in_memory = match layout {
        None => shape,
        Some(layout) => layout.memory_shape(&shape)?,
    };
    let contents = buffer.contents()?;
    let size = in_memory.byte_size();
    let contents = DeviceBuffer::new(in_memory, contents.memory().clone(), size)?;
    lock(&buffer.state).can_be_donated = false;
    let place = (buffer.device, buffer.kind);
    let other = Buffer::new(&buffer.client, place, contents, buffer.ready.clone(), false);
    arguments.out_buffer = other.in_layout(layout)?.into_raw();
    Ok(())
}

/// Sets the event that the caller has as data, and ends its use.
unsafe extern "C" fn dependency_is_ready(
    arguments: *mut c_api::BufferDonateWithControlDependencyCallbackArgs,
) {
    // SAFETY: the caller passes valid arguments with the data that it got, once.
    unsafe {
        let arguments = &*arguments;
        let event = Box::from_raw(arguments.callback_data.cast::<Event>());
        let (text, size) = (arguments.error_message, arguments.error_message_size);
        event.set(Status::outcome(arguments.error_code, text, size));
    }
}

/// The new buffer is ready when the old one is, and the caller reports the dependency.
pub unsafe fn donate_with_control_dependency(
    arguments: &mut c_api::BufferDonateWithControlDependencyArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    let (contents, can_be_donated) = buffer.donate()?;
    let (dependency, ready) = (Event::default(), Event::default());
    let (second, both) = (dependency.clone(), ready.clone());
    buffer.ready.on_ready(move |first| {
        let first = first.clone();
        second.on_ready(move |second| both.set(first.and_then(|()| second.clone())));
    });
    let place = (buffer.device, buffer.kind);
    let other = Buffer::new(&buffer.client, place, contents, ready, can_be_donated);
    arguments.out_buffer = other.in_layout(buffer.other_layout())?.into_raw();
    arguments.callback_data = Box::into_raw(Box::new(dependency)).cast::<c_void>();
    arguments.dependency_ready_callback = Some(dependency_is_ready);
    Ok(())
}
