//! Creation of buffers, other than as results of programs.

use std::ffi::c_void;
use std::ptr::NonNull;

use halo_core::buffer::ALIGNMENT;
use halo_core::{Layout, Shape};
use halo_runtime::host::HostAllocation;
use halo_runtime::{DeviceBuffer, DeviceMemory};

use super::Buffer;
use crate::c_api::{self, BufferMemoryLayout, BufferMemoryLayoutType, HostBufferSemantics};
use crate::client::{self, Client};
use crate::element_type;
use crate::event::Event;
use crate::handle;
use crate::memory_access::{self, Strided};
use crate::status::{Result, Status};
use crate::strides;

/// C's description of the positions of elements.
enum Described<'a> {
    /// Dense, minor to major.
    Order(&'a [i64]),
    /// In bytes.
    Strides(&'a [i64]),
}

/// # Errors
/// Returns an unimplemented error for tiles.
///
/// # Safety
/// The layout must be valid with its arrays.
unsafe fn described<'a>(layout: &BufferMemoryLayout) -> Result<Described<'a>> {
    match layout.type_ {
        BufferMemoryLayoutType::TILED => {
            // SAFETY: the type field selects the member of the union.
            let tiled = unsafe { layout.contents.tiled };
            if tiled.num_tiles != 0 {
                return Err(Status::unimplemented("layouts with tiles"));
            }
            let count = tiled.minor_to_major_size;
            // SAFETY: by the requirement above.
            unsafe { handle::slice(tiled.minor_to_major, count) }.map(Described::Order)
        }
        BufferMemoryLayoutType::STRIDES => {
            // SAFETY: the type field selects the member of the union.
            let own = unsafe { layout.contents.strides };
            let count = own.num_byte_strides;
            // SAFETY: by the requirement above.
            unsafe { handle::slice(own.byte_strides, count) }.map(Described::Strides)
        }
        BufferMemoryLayoutType(other) => Err(Status::invalid(format!(
            "{other} is no PJRT_Buffer_MemoryLayout_Type"
        ))),
    }
}

fn other_shape(shape: &Shape) -> Status {
    Status::invalid(format!("the layout is not one of {shape}"))
}

/// The strides in bytes that C specifies, row-major by default.
///
/// # Errors
/// Returns an invalid-argument error if they are not of the shape; an unimplemented error for
/// tiles.
///
/// # Safety
/// The layout must be null, or valid with its arrays.
pub unsafe fn strides_of(shape: &Shape, layout: *const BufferMemoryLayout) -> Result<Vec<i64>> {
    // SAFETY: by the requirement above.
    let described = unsafe { layout.as_ref().map(|layout| described(layout)) };
    match described.transpose()? {
        None => Ok(strides::row_major(shape)),
        Some(Described::Order(order)) => {
            strides::of_order(shape, order).ok_or_else(|| other_shape(shape))
        }
        Some(Described::Strides(own)) if own.len() == shape.rank() => Ok(own.to_vec()),
        Some(Described::Strides(_)) => Err(other_shape(shape)),
    }
}

/// The order of dense elements that C specifies; `None` is row-major.
///
/// # Errors
/// Returns the errors of [`strides_of`]; an unimplemented error for elements with gaps between
/// them.
///
/// # Safety
/// As [`strides_of`].
pub unsafe fn layout_of(
    shape: &Shape,
    layout: *const BufferMemoryLayout,
) -> Result<Option<Layout>> {
    // SAFETY: by the requirement above.
    let described = unsafe { layout.as_ref().map(|layout| described(layout)) };
    let order = match described.transpose()? {
        None => return Ok(None),
        Some(Described::Order(order)) => {
            let order = order.iter().map(|dim| usize::try_from(*dim).ok());
            order.collect::<Option<_>>().ok_or_else(|| other_shape(shape))?
        }
        Some(Described::Strides(own)) if own.len() != shape.rank() => {
            return Err(other_shape(shape));
        }
        Some(Described::Strides(own)) if strides::is_row_major(shape, own) => return Ok(None),
        Some(Described::Strides(own)) => strides::order_of(shape, own)
            .ok_or_else(|| Status::unimplemented("buffers with gaps between their elements"))?,
    };
    let layout = Layout::new(order).map_err(|_| other_shape(shape))?;
    if layout.rank() == shape.rank() {
        Ok(Some(layout).filter(|layout| !layout.is_row_major()))
    } else {
        Err(other_shape(shape))
    }
}

/// Memory of a device for a tensor with a layout.
///
/// # Errors
/// Returns a resource-exhausted error if there is not enough; an invalid-argument error for a
/// layout of another rank.
pub fn allocate(
    client: &Client,
    place: (usize, usize),
    shape: &Shape,
    layout: Option<&Layout>,
) -> Result<DeviceBuffer> {
    let in_memory = layout.map(|layout| layout.memory_shape(shape)).transpose()?;
    client.devices()[place.0].allocate(in_memory.as_ref().unwrap_or(shape), place.1)
}

/// Copies of fewer bytes take less time than waking a thread.
const LARGE: usize = 64 << 10;

/// Elements that a caller lends until an event is set.
struct Lent {
    data: *mut c_void,
    strides: Vec<i64>,
}

// SAFETY: the interface lets copies run on any thread.
unsafe impl Send for Lent {}

impl Lent {
    fn elements(&self) -> Strided<'_, *const u8> {
        Strided {
            data: self.data.cast_const().cast(),
            strides: &self.strides,
        }
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
    // SAFETY: the caller passes a valid client, a place of it, sizes, strides and a layout.
    let (client, place, shape, layout, given) = unsafe {
        let client = client::borrow(arguments.client)?;
        let place = client.place(arguments.device, arguments.memory)?;
        let shape = element_type::shape(arguments.type_, arguments.dims, arguments.num_dims)?;
        let layout = layout_of(&shape, arguments.device_layout)?;
        let given = handle::slice(arguments.byte_strides, arguments.num_byte_strides)?;
        (client, place, shape, layout, given)
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
    let (done, semantics) = (Event::default(), arguments.host_buffer_semantics);
    let may_alias = [
        HostBufferSemantics::IMMUTABLE_ZERO_COPY,
        HostBufferSemantics::MUTABLE_ZERO_COPY,
    ];
    let layout = layout.as_ref();
    let is_as_wanted = match layout {
        None => strides::is_row_major(&shape, &from),
        Some(_) => from == strides::in_layout(&shape, layout),
    };
    let may_alias = may_alias.contains(&semantics) && is_as_wanted;
    let data = arguments.data.cast_mut();
    let may_alias = may_alias && client.devices()[place.0].has_host_memory;
    let mut ready = Event::ready(Ok(()));
    let is_lent = semantics != HostBufferSemantics::IMMUTABLE_ONLY_DURING_CALL;
    let (contents, can_be_donated) = match importable(data).filter(|_| may_alias) {
        Some(address) => {
            let owner = Box::new(SetWhenDropped(done.clone()));
            // SAFETY: the caller does not change the memory until the event is set, when the owner
            // is dropped.
            let contents = unsafe { import(address, &shape, layout, owner) }?;
            let is_mutable = semantics == HostBufferSemantics::MUTABLE_ZERO_COPY;
            (contents, is_mutable)
        }
        None => {
            let transfers = client.devices()[place.0].transfers.as_ref();
            let transfers = transfers.filter(|_| is_lent && shape.byte_size() >= LARGE);
            if let Some(transfers) = transfers {
                let contents = allocate(client, place, &shape, layout)?;
                let lent = Lent {
                    data,
                    strides: from,
                };
                let (device, to) = (
                    client.devices()[place.0].runtime.clone(),
                    strides::in_layout(&shape, layout),
                );
                let (target, is_written, done) = (contents.clone(), Event::default(), done.clone());
                ready = is_written.clone();
                transfers.enqueue(move || {
                    // SAFETY: the caller lends as many bytes as the strides require until the event
                    // is set; the new memory is of the shape's size.
                    let outcome = unsafe {
                        memory_access::write(&device, &target, &shape, lent.elements(), &to)
                    };
                    drop(target);
                    done.set(Ok(()));
                    is_written.set(outcome);
                })?;
                (contents, true)
            } else {
                // SAFETY: the caller passes as many bytes as the strides require.
                let contents = unsafe { copied(client, place, &shape, layout, (data, &from)) }?;
                done.set(Ok(()));
                (contents, true)
            }
        }
    };
    let buffer = Buffer::new(client, place, contents, ready, can_be_donated).in_layout(layout)?;
    arguments.done_with_host_buffer = done.into_raw();
    arguments.buffer = buffer.into_raw();
    Ok(())
}

/// The address of memory that compiled code can read in place.
fn importable(data: *mut c_void) -> Option<NonNull<u8>> {
    let address = NonNull::new(data.cast::<u8>())?;
    address.addr().get().is_multiple_of(ALIGNMENT).then_some(address)
}

/// Memory of the caller as a value.
///
/// # Safety
/// As [`HostAllocation::import`].
unsafe fn import(
    address: NonNull<u8>,
    shape: &Shape,
    layout: Option<&Layout>,
    owner: Box<dyn Send + Sync>,
) -> Result<DeviceBuffer> {
    let size = shape.byte_size();
    let shape = match layout {
        None => shape.clone(),
        Some(layout) => layout.memory_shape(shape)?,
    };
    // SAFETY: by the requirement above.
    let allocation = unsafe { HostAllocation::import(address, size, owner) }?;
    Ok(DeviceBuffer::new(
        shape,
        DeviceMemory::new(allocation),
        size,
    )?)
}

/// A copy of elements of the caller with strides in bytes.
///
/// # Safety
/// The elements must be at the positions that the strides specify.
unsafe fn copied(
    client: &Client,
    place: (usize, usize),
    shape: &Shape,
    layout: Option<&Layout>,
    (data, from): (*const c_void, &[i64]),
) -> Result<DeviceBuffer> {
    let contents = allocate(client, place, shape, layout)?;
    let device = &client.devices()[place.0].runtime;
    let (data, to) = (data.cast(), strides::in_layout(shape, layout));
    let elements = Strided {
        data,
        strides: from,
    };
    // SAFETY: by the requirement above; the new memory is of the shape's size.
    unsafe { memory_access::write(device, &contents, shape, elements, &to) }?;
    Ok(contents)
}

/// Calls a framework's callback when it is dropped.
struct CallWhenDropped {
    function: unsafe extern "C" fn(*mut c_void, *mut c_void),
    data: *mut c_void,
    argument: *mut c_void,
}

// SAFETY: the interface allows calling the function on any thread.
unsafe impl Send for CallWhenDropped {}
// SAFETY: it is only used when it is dropped.
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
    // SAFETY: the caller passes a valid client, a place of it, sizes and a layout.
    let (client, place, shape, layout) = unsafe {
        let client = client::borrow(arguments.client)?;
        let place = client.place(arguments.device, arguments.memory)?;
        let (dims, rank) = (arguments.dims, arguments.num_dims);
        let shape = element_type::shape(arguments.element_type, dims, rank)?;
        let layout = layout_of(&shape, arguments.layout)?;
        (client, place, shape, layout)
    };
    if data.is_null() && shape.byte_size() > 0 {
        return Err(Status::invalid("the device buffer is null"));
    }
    let device = &client.devices()[place.0];
    let owner = arguments.on_delete_callback.map(|function| CallWhenDropped {
        function,
        data,
        argument: arguments.on_delete_callback_arg,
    });
    let (address, layout) = (importable(data), layout.as_ref());
    if !device.has_host_memory {
        let executor = &device.runtime.executor;
        let (address, size) = (data.addr() as u64, shape.byte_size());
        // SAFETY: the caller keeps the memory until its callback is called, which the owner does.
        let memory = unsafe { executor.import(address, size, Box::new(owner)) }?;
        let in_memory = layout.map(|layout| layout.memory_shape(&shape)).transpose()?;
        let contents = DeviceBuffer::new(in_memory.unwrap_or(shape), memory, size)?;
        let buffer = Buffer::new(client, place, contents, Event::ready(Ok(())), false);
        arguments.buffer = buffer.in_layout(layout)?.into_raw();
        return Ok(());
    }
    let contents = match address {
        // SAFETY: the caller keeps the memory until its callback is called, which the owner does.
        Some(address) => unsafe { import(address, &shape, layout, Box::new(owner)) }?,
        None => {
            let from = strides::in_layout(&shape, layout);
            // SAFETY: the caller's memory is of the shape's size. The owner is dropped after the
            // copy.
            unsafe { copied(client, place, &shape, layout, (data, &from)) }?
        }
    };
    let (ready, is_imported) = (Event::ready(Ok(())), address.is_some());
    let buffer = Buffer::new(client, place, contents, ready, is_imported).in_layout(layout)?;
    arguments.buffer = buffer.into_raw();
    Ok(())
}

pub unsafe fn uninitialized(
    arguments: &mut c_api::ClientCreateUninitializedBufferArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid client, a place of it, sizes and a layout.
    let (client, place, shape, layout) = unsafe {
        let client = client::borrow(arguments.client)?;
        let place = client.place(arguments.device, arguments.memory)?;
        let (dims, rank) = (arguments.shape_dims, arguments.shape_num_dims);
        let shape = element_type::shape(arguments.shape_element_type, dims, rank)?;
        let layout = layout_of(&shape, arguments.shape_layout)?;
        (client, place, shape, layout)
    };
    let layout = layout.as_ref();
    let contents = allocate(client, place, &shape, layout)?;
    let buffer = Buffer::new(client, place, contents, Event::ready(Ok(())), true);
    let buffer = buffer.in_layout(layout)?;
    arguments.buffer = buffer.into_raw();
    Ok(())
}

pub unsafe fn error_buffer(arguments: &mut c_api::ClientCreateErrorBufferArgs) -> Result<()> {
    // SAFETY: the caller passes a valid client, a memory of it, sizes and a message.
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
