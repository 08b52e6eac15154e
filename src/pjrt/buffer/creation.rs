//! How buffers come to be, beside as results of programs.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use halo_core::Shape;
use halo_runtime::host::HostAllocation;
use halo_runtime::{DeviceBuffer, DeviceMemory};

use super::Buffer;
use crate::c_api::{self, BufferMemoryLayout, BufferMemoryLayoutType, HostBufferSemantics};
use crate::client::{self, Client};
use crate::element_type;
use crate::event::Event;
use crate::handle;
use crate::status::{Result, Status};
use crate::strides;

/// The strides in bytes that C describes, row-major if it describes none.
///
/// # Errors
/// Invalid argument if they are not of the shape; unimplemented for tiles.
///
/// # Safety
/// The layout must be null, or valid with its arrays.
pub unsafe fn strides_of(shape: &Shape, layout: *const BufferMemoryLayout) -> Result<Vec<i64>> {
    // SAFETY: by the requirement above.
    let Some(layout) = (unsafe { layout.as_ref() }) else {
        return Ok(strides::row_major(shape));
    };
    let wrong = || Status::invalid(format!("the layout is not one of {shape}"));
    match layout.type_ {
        BufferMemoryLayoutType::TILED => {
            // SAFETY: the type says which of the two it is.
            let tiled = unsafe { layout.contents.tiled };
            if tiled.num_tiles != 0 {
                return Err(Status::unimplemented("layouts with tiles"));
            }
            let count = tiled.minor_to_major_size;
            // SAFETY: by the requirement above.
            let order = unsafe { handle::slice(tiled.minor_to_major, count) }?;
            strides::of_order(shape, order).ok_or_else(wrong)
        }
        BufferMemoryLayoutType::STRIDES => {
            // SAFETY: the type says which of the two it is.
            let own = unsafe { layout.contents.strides };
            // SAFETY: by the requirement above.
            let own = unsafe { handle::slice(own.byte_strides, own.num_byte_strides) }?;
            match own.len() == shape.rank() {
                true => Ok(own.to_vec()),
                false => Err(wrong()),
            }
        }
        BufferMemoryLayoutType(other) => Err(Status::invalid(format!(
            "{other} is no PJRT_Buffer_MemoryLayout_Type"
        ))),
    }
}

/// Values on devices are row-major.
///
/// # Safety
/// As [`strides_of`].
unsafe fn check_device_layout(shape: &Shape, layout: *const BufferMemoryLayout) -> Result<()> {
    // SAFETY: by the requirement above.
    let strides = unsafe { strides_of(shape, layout) }?;
    match strides::is_row_major(shape, &strides) {
        true => Ok(()),
        false => Err(Status::unimplemented("buffers that are not row-major")),
    }
}

/// Sets an event when it is dropped.
struct SetWhenDropped(Event);

impl Drop for SetWhenDropped {
    fn drop(&mut self) {
        self.0.set(Ok(()));
    }
}

pub unsafe fn from_host_buffer(
    arguments: &mut c_api::ClientBufferFromHostBufferArgs,
) -> Result<()> {
    // SAFETY: the caller passes its client, a place of it, its sizes, strides and layout.
    let (client, place, shape, given) = unsafe {
        let client = client::borrow(arguments.client)?;
        let place = client.place(arguments.device, arguments.memory)?;
        let shape = element_type::shape(arguments.type_, arguments.dims, arguments.num_dims)?;
        check_device_layout(&shape, arguments.device_layout)?;
        let given = handle::slice(arguments.byte_strides, arguments.num_byte_strides)?;
        (client, place, shape, given)
    };
    let from = match (given.is_empty(), given.len() == shape.rank()) {
        (true, _) => strides::row_major(&shape),
        (false, true) => given.to_vec(),
        (false, false) => {
            let message = format!("{} strides are given for {shape}", given.len());
            return Err(Status::invalid(message));
        }
    };
    if arguments.data.is_null() && shape.byte_size() > 0 {
        return Err(Status::invalid("the host buffer is null"));
    }
    let (done, size) = (Event::default(), shape.byte_size());
    let semantics = arguments.host_buffer_semantics;
    let may_alias = [
        HostBufferSemantics::IMMUTABLE_ZERO_COPY,
        HostBufferSemantics::MUTABLE_ZERO_COPY,
    ];
    if may_alias.contains(&semantics) && strides::is_row_major(&shape, &from) {
        let owner = Box::new(SetWhenDropped(done.clone()));
        // SAFETY: the caller keeps the memory as it is until the event is set, when the
        // owner is dropped.
        if let Some(memory) = unsafe { import(arguments.data.cast_mut(), &shape, owner) } {
            let contents = DeviceBuffer::new(shape, memory, size)?;
            let is_mutable = semantics == HostBufferSemantics::MUTABLE_ZERO_COPY;
            let buffer = Buffer::new(client, place, contents, Event::ready(Ok(())), is_mutable);
            arguments.done_with_host_buffer = done.into_raw();
            arguments.buffer = buffer.into_raw();
            return Ok(());
        }
    }
    // An owner that was dropped has set the other event.
    let done = Event::ready(Ok(()));
    let contents = client.devices()[place.0].runtime.allocate(&shape)?;
    let target = contents.memory().downcast::<HostAllocation>()?.address();
    // SAFETY: the caller passes as many bytes by the strides; the new memory is of the shape's
    // size.
    unsafe {
        let to = strides::row_major(&shape);
        strides::copy(&shape, arguments.data.cast(), &from, target, &to);
    }
    let buffer = Buffer::new(client, place, contents, Event::ready(Ok(())), true);
    arguments.done_with_host_buffer = done.into_raw();
    arguments.buffer = buffer.into_raw();
    Ok(())
}

/// Memory of the caller as memory of the host platform, if that is possible.
///
/// # Safety
/// As [`HostAllocation::import`].
unsafe fn import(
    data: *mut c_void,
    shape: &Shape,
    owner: Box<dyn Send + Sync>,
) -> Option<DeviceMemory> {
    let address = NonNull::new(data.cast::<u8>())?;
    // SAFETY: by the requirement above.
    let allocation = unsafe { HostAllocation::import(address, shape.byte_size(), owner) };
    allocation.ok().map(DeviceMemory::new)
}

/// Calls a framework's function when it is dropped.
struct CallWhenDropped {
    function: unsafe extern "C" fn(*mut c_void, *mut c_void),
    data: *mut c_void,
    argument: *mut c_void,
}

// SAFETY: the interface lets the function be called on any thread.
unsafe impl Send for CallWhenDropped {}
// SAFETY: it is used when it is dropped alone.
unsafe impl Sync for CallWhenDropped {}

impl Drop for CallWhenDropped {
    fn drop(&mut self) {
        // SAFETY: the framework passed the function with the data and the argument.
        unsafe { (self.function)(self.data, self.argument) };
    }
}

pub unsafe fn view_of_device_buffer(
    arguments: &mut c_api::ClientCreateViewOfDeviceBufferArgs,
) -> Result<()> {
    let data = arguments.device_buffer_ptr;
    // SAFETY: the caller passes its client, a place of it, its sizes and layout.
    let (client, place, shape) = unsafe {
        let client = client::borrow(arguments.client)?;
        let place = client.place(arguments.device, arguments.memory)?;
        let (dims, rank) = (arguments.dims, arguments.num_dims);
        let shape = element_type::shape(arguments.element_type, dims, rank)?;
        check_device_layout(&shape, arguments.layout)?;
        (client, place, shape)
    };
    if data.is_null() && shape.byte_size() > 0 {
        return Err(Status::invalid("the device buffer is null"));
    }
    let owner = arguments
        .on_delete_callback
        .map(|function| CallWhenDropped {
            function,
            data,
            argument: arguments.on_delete_callback_arg,
        });
    let (address, size) = (NonNull::new(data.cast::<u8>()), shape.byte_size());
    let is_aligned = address.is_some_and(|address| {
        let alignment = client.devices()[place.0].runtime.executor.description();
        address
            .addr()
            .get()
            .is_multiple_of(alignment.allocation_alignment)
    });
    let contents = match address {
        Some(address) if is_aligned => {
            // SAFETY: the caller keeps the memory until its function is called, which the
            // owner does.
            let allocation = unsafe { HostAllocation::import(address, size, Box::new(owner)) }?;
            DeviceBuffer::new(shape, DeviceMemory::new(allocation), size)?
        }
        _ => copied(client, place, &shape, data)?,
    };
    let buffer = Buffer::new(client, place, contents, Event::ready(Ok(())), is_aligned);
    arguments.buffer = buffer.into_raw();
    Ok(())
}

/// A copy of row-major elements, which compiled code could not read where they are.
fn copied(
    client: &Arc<Client>,
    place: (usize, usize),
    shape: &Shape,
    data: *const c_void,
) -> Result<DeviceBuffer> {
    let contents = client.devices()[place.0].runtime.allocate(shape)?;
    let target = contents.memory().downcast::<HostAllocation>()?.address();
    // SAFETY: the caller's memory and the new one are of the shape's size.
    unsafe { std::ptr::copy_nonoverlapping(data.cast(), target, shape.byte_size()) };
    Ok(contents)
}

pub unsafe fn uninitialized(
    arguments: &mut c_api::ClientCreateUninitializedBufferArgs,
) -> Result<()> {
    // SAFETY: the caller passes its client, a place of it, its sizes and layout.
    let (client, place, shape) = unsafe {
        let client = client::borrow(arguments.client)?;
        let place = client.place(arguments.device, arguments.memory)?;
        let (dims, rank) = (arguments.shape_dims, arguments.shape_num_dims);
        let shape = element_type::shape(arguments.shape_element_type, dims, rank)?;
        check_device_layout(&shape, arguments.shape_layout)?;
        (client, place, shape)
    };
    let contents = client.devices()[place.0].runtime.allocate(&shape)?;
    let buffer = Buffer::new(client, place, contents, Event::ready(Ok(())), true);
    arguments.buffer = buffer.into_raw();
    Ok(())
}

pub unsafe fn error_buffer(arguments: &mut c_api::ClientCreateErrorBufferArgs) -> Result<()> {
    // SAFETY: the caller passes its client, a memory of it, its sizes and message.
    let (client, place, shape, message) = unsafe {
        let client = client::borrow(arguments.client)?;
        let place = client.place(std::ptr::null_mut(), arguments.memory)?;
        let (dims, rank) = (arguments.shape_dims, arguments.shape_num_dims);
        let shape = element_type::shape(arguments.shape_element_type, dims, rank)?;
        let message = handle::text(arguments.error_message, arguments.error_message_size)?;
        (client, place, shape, message)
    };
    let error = Status::new(arguments.error_code, message);
    arguments.buffer = Buffer::failed(client, place, shape, error).into_raw();
    Ok(())
}
