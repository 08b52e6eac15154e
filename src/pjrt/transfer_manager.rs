//! Buffers that the caller gets first, and then fills in chunks.

use std::ffi::c_int;
use std::iter::repeat;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use halo_core::{Layout, Shape};
use halo_runtime::DeviceBuffer;
use halo_runtime::host::HostAllocation;

use crate::buffer::Buffer;
use crate::buffer::creation::{self, layout_of, strides_of};
use crate::c_api;
use crate::client::{self, Client};
use crate::element_type;
use crate::event::Event;
use crate::handle::{self, Handle};
use crate::memory_access::{self, Strided};
use crate::status::{Result, Status};
use crate::strides;

/// Fills buffers of one memory.
pub struct TransferManager {
    client: Arc<Client>,
    place: (usize, usize),
    targets: Vec<Target>,
}

/// One of the buffers.
struct Target {
    contents: DeviceBuffer,
    shape: Shape,
    /// The memory layout of the value; `None` is row-major.
    layout: Option<Layout>,
    /// Set after the last chunk.
    ready: Event,
    /// Returned to the caller once.
    buffer: Mutex<Option<Buffer>>,
}

impl Handle for TransferManager {
    type Opaque = c_api::AsyncHostToDeviceTransferManager;
}

impl Drop for TransferManager {
    /// No reader waits forever for a chunk that does not arrive.
    fn drop(&mut self) {
        for target in &self.targets {
            let message = "the transfer to the buffer was given up";
            target.ready.set(Err(Status::new(c_api::ErrorCode::CANCELLED, message)));
        }
    }
}

impl TransferManager {
    fn target(&self, index: c_int) -> Result<&Target> {
        let target = usize::try_from(index).ok().and_then(|index| self.targets.get(index));
        target.ok_or_else(|| {
            let count = self.targets.len();
            Status::invalid(format!("there is no buffer {index}: there are {count}"))
        })
    }
}

/// The manager in C's hands.
///
/// # Safety
/// As [`handle::borrow`].
unsafe fn borrow<'a>(
    raw: *mut c_api::AsyncHostToDeviceTransferManager,
) -> Result<&'a TransferManager> {
    // SAFETY: by the requirement above.
    unsafe { handle::borrow(raw) }
}

pub unsafe fn create(
    arguments: &mut c_api::ClientCreateBuffersForAsyncHostToDeviceArgs,
) -> Result<()> {
    // SAFETY: the caller passes its client, a memory of it and the shapes.
    let (client, place, shapes) = unsafe {
        let client = client::borrow(arguments.client)?;
        let place = client.place(ptr::null_mut(), arguments.memory)?;
        let specs = handle::slice(arguments.shape_specs, arguments.num_shape_specs)?;
        let layouts = handle::slice(arguments.device_layouts, arguments.num_device_layouts)?;
        let layouts = layouts.iter().copied().chain(repeat(ptr::null_mut()));
        let shapes = specs.iter().zip(layouts).map(|(spec, layout)| {
            let shape = element_type::shape(spec.element_type, spec.dims, spec.num_dims)?;
            let layout = layout_of(&shape, layout)?;
            Ok((shape, layout))
        });
        let shapes: Result<Vec<(Shape, Option<Layout>)>> = shapes.collect();
        (client, place, shapes?)
    };
    let targets = shapes.into_iter().map(|(shape, layout)| {
        let contents = creation::allocate(client, place, &shape, layout.as_ref())?;
        let ready = Event::default();
        let buffer = Buffer::new(client, place, contents.clone(), ready.clone(), true);
        let buffer = buffer.in_layout(layout.as_ref())?;
        Ok(Target {
            contents,
            shape,
            layout,
            ready,
            buffer: Mutex::new(Some(buffer)),
        })
    });
    let manager = TransferManager {
        client: Arc::clone(client),
        place,
        targets: targets.collect::<Result<_>>()?,
    };
    arguments.transfer_manager = handle::into_raw(manager);
    Ok(())
}

pub unsafe fn destroy(
    arguments: &mut c_api::AsyncHostToDeviceTransferManagerDestroyArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid manager, or null.
    unsafe { handle::destroy::<TransferManager>(arguments.transfer_manager) };
    Ok(())
}

pub unsafe fn transfer_data(
    arguments: &mut c_api::AsyncHostToDeviceTransferManagerTransferDataArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid manager, and its bytes.
    let (manager, bytes) = unsafe {
        let manager = borrow(arguments.transfer_manager)?;
        let size = usize::try_from(arguments.transfer_size);
        let size = size.map_err(|_| Status::invalid("the size of the transfer is negative"))?;
        (manager, handle::slice(arguments.data.cast::<u8>(), size)?)
    };
    let target = manager.target(arguments.buffer_index)?;
    let offset = usize::try_from(arguments.offset);
    let offset = offset.map_err(|_| Status::invalid("the offset of the transfer is negative"))?;
    let executor = &manager.client.devices()[manager.place.0].runtime.executor;
    let memory = target.contents.memory();
    match memory.downcast::<HostAllocation>() {
        Ok(own) => {
            memory.slice(offset, bytes.len())?;
            own.write().as_bytes_mut()[offset..][..bytes.len()].copy_from_slice(bytes);
        }
        Err(_) => executor.copy_to_device(bytes, memory, offset)?,
    }
    if arguments.is_last_transfer {
        target.ready.set(Ok(()));
    }
    arguments.done_with_h2d_transfer = Event::ready(Ok(())).into_raw();
    Ok(())
}

pub unsafe fn transfer_literal(
    arguments: &mut c_api::AsyncHostToDeviceTransferManagerTransferLiteralArgs,
) -> Result<()> {
    let (dims, rank) = (arguments.shape_dims, arguments.shape_num_dims);
    // SAFETY: the caller passes a valid manager, a shape and a layout.
    let (manager, shape, from) = unsafe {
        let manager = borrow(arguments.transfer_manager)?;
        let shape = element_type::shape(arguments.shape_element_type, dims, rank)?;
        let from = strides_of(&shape, arguments.shape_layout)?;
        (manager, shape, from)
    };
    let target = manager.target(arguments.buffer_index)?;
    if shape != target.shape {
        let own = &target.shape;
        let message = format!("a literal of {shape} is transferred to a buffer of {own}");
        return Err(Status::invalid(message));
    }
    let device = &manager.client.devices()[manager.place.0].runtime;
    let elements = Strided {
        data: arguments.data.cast(),
        strides: &from,
    };
    let to = strides::in_layout(&shape, target.layout.as_ref());
    // SAFETY: the caller passes the elements by the layout; the memory is of the shape's size, and
    // its value is not ready.
    unsafe { memory_access::write(device, &target.contents, &shape, elements, &to) }?;
    target.ready.set(Ok(()));
    arguments.done_with_h2d_transfer = Event::ready(Ok(())).into_raw();
    Ok(())
}

pub unsafe fn retrieve_buffer(
    arguments: &mut c_api::AsyncHostToDeviceTransferManagerRetrieveBufferArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid manager.
    let manager = unsafe { borrow(arguments.transfer_manager) }?;
    let target = manager.target(arguments.buffer_index)?;
    let buffer = target.buffer.lock().unwrap_or_else(PoisonError::into_inner).take();
    let buffer = buffer.ok_or_else(|| Status::invalid("the buffer has been retrieved already"))?;
    arguments.buffer_out = buffer.into_raw();
    Ok(())
}

pub unsafe fn device(
    arguments: &mut c_api::AsyncHostToDeviceTransferManagerDeviceArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid manager.
    let manager = unsafe { borrow(arguments.transfer_manager) }?;
    arguments.device_out = manager.client.raw_devices()[manager.place.0];
    Ok(())
}

pub unsafe fn buffer_count(
    arguments: &mut c_api::AsyncHostToDeviceTransferManagerBufferCountArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid manager.
    arguments.buffer_count = unsafe { borrow(arguments.transfer_manager) }?.targets.len();
    Ok(())
}

pub unsafe fn buffer_size(
    arguments: &mut c_api::AsyncHostToDeviceTransferManagerBufferSizeArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid manager.
    let manager = unsafe { borrow(arguments.transfer_manager) }?;
    let target = manager.target(arguments.buffer_index)?;
    arguments.buffer_size = target.contents.shape().byte_size();
    Ok(())
}

pub unsafe fn set_buffer_error(
    arguments: &mut c_api::AsyncHostToDeviceTransferManagerSetBufferErrorArgs,
) -> Result<()> {
    let (text, size) = (arguments.error_message, arguments.error_message_size);
    // SAFETY: the caller passes a valid manager, and the text of its error.
    let (manager, text) = unsafe {
        (
            borrow(arguments.transfer_manager)?,
            handle::text(text, size)?,
        )
    };
    let target = manager.target(arguments.buffer_index)?;
    target.ready.set(Err(Status::new(arguments.error_code, text)));
    Ok(())
}

/// Metadata is for traces, which are not supported.
pub unsafe fn add_metadata(
    _: &mut c_api::AsyncHostToDeviceTransferManagerAddMetadataArgs,
) -> Result<()> {
    Ok(())
}
