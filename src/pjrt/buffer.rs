//! Buffers: values on a device.
//!
//! A buffer exists before its value: the producer of the value sets the event when the value is
//! ready. The memory is freed, or given to a program that may overwrite it, when the framework
//! deletes or donates the buffer; concurrent readers keep a separate handle.

pub mod creation;
pub mod derived;
pub mod transfer;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use halo_core::{ElementType, Layout, Shape};
use halo_runtime::DeviceBuffer;
use smallvec::SmallVec;

use crate::c_api::{self, BufferType};
use crate::client::Client;
use crate::device::Device;
use crate::dlpack;
use crate::element_type::to_buffer_type;
use crate::event::Event;
use crate::handle::{self, Handle, set_slice};
use crate::memory_access;
use crate::status::{Result, Status};

/// A value on a device.
pub struct Buffer {
    pub client: Arc<Client>,
    /// The index of the device in the client, and the kind of its memory.
    pub device: usize,
    pub kind: usize,
    pub shape: Shape,
    in_memory: Option<InMemory>,
    element_type: BufferType,
    dims: SmallVec<[i64; 4]>,
    minor_to_major: SmallVec<[i64; 4]>,
    /// Set when the value is ready.
    pub ready: Event,
    state: Arc<Mutex<State>>,
}

/// The memory layout of a value that is not row-major.
struct InMemory {
    layout: Layout,
    /// The shape of the row-major tensor with the elements in memory order.
    shape: Shape,
}

pub struct State {
    contents: Contents,
    /// Whether a program may overwrite the memory.
    can_be_donated: bool,
    /// A handle for each external reference of another library, which may read the memory until it
    /// drops the reference.
    external: Vec<DeviceBuffer>,
    /// The number of readers outside the queue of the device.
    readers: usize,
}

enum Contents {
    Present(DeviceBuffer),
    /// Of a buffer that only carries an error.
    Absent,
    Deleted,
}

impl Handle for Buffer {
    type Opaque = c_api::Buffer;
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn deleted() -> Status {
    Status::invalid("the buffer has been deleted or donated")
}

/// Memory that is read outside the queue of its device, and must not be donated meanwhile.
pub struct Read {
    pub contents: DeviceBuffer,
    state: Arc<Mutex<State>>,
}

impl Read {
    /// The memory of a buffer, if it is present.
    pub fn of(buffer: &Arc<Mutex<State>>) -> Option<Self> {
        let mut state = lock(buffer);
        let Contents::Present(contents) = &state.contents else {
            return None;
        };
        let contents = contents.clone();
        state.readers += 1;
        Some(Self {
            contents,
            state: Arc::clone(buffer),
        })
    }
}

impl Drop for Read {
    fn drop(&mut self) {
        lock(&self.state).readers -= 1;
    }
}

impl Buffer {
    /// A buffer in memory of the given kind, with its value once `ready` is set. Immutable memory
    /// of another library cannot be donated.
    pub fn new(
        client: &Arc<Client>,
        place: (usize, usize),
        contents: DeviceBuffer,
        ready: Event,
        can_be_donated: bool,
    ) -> Self {
        let shape = contents.shape().clone();
        let contents = Contents::Present(contents);
        Self::with_contents(client, place, shape, contents, ready, can_be_donated)
    }

    /// A buffer that holds an error, for a value that cannot be computed.
    pub fn failed(
        client: &Arc<Client>,
        place: (usize, usize),
        shape: Shape,
        error: Status,
    ) -> Self {
        let ready = Event::ready(Err(error));
        Self::with_contents(client, place, shape, Contents::Absent, ready, false)
    }

    /// A token, which only has the event.
    pub fn token(client: &Arc<Client>, place: (usize, usize), ready: Event) -> Self {
        let shape = Shape::scalar(ElementType::I1);
        let contents = Contents::Absent;
        let mut token = Self::with_contents(client, place, shape, contents, ready, false);
        token.element_type = BufferType::TOKEN;
        token
    }

    fn with_contents(
        client: &Arc<Client>,
        (device, kind): (usize, usize),
        shape: Shape,
        contents: Contents,
        ready: Event,
        can_be_donated: bool,
    ) -> Self {
        Self {
            client: Arc::clone(client),
            device,
            kind,
            element_type: to_buffer_type(shape.element_type()),
            dims: shape.dims().iter().map(|size| *size as i64).collect(),
            minor_to_major: (0..shape.rank() as i64).rev().collect(),
            shape,
            in_memory: None,
            ready,
            state: Arc::new(Mutex::new(State {
                contents,
                can_be_donated,
                external: Vec::new(),
                readers: 0,
            })),
        }
    }

    /// The buffer with the shape of the logical tensor, whose elements are in memory in another
    /// order: the old shape has the sizes from major to minor. Row-major without a layout.
    ///
    /// # Errors
    /// Returns an invalid-argument error if the layout has another rank.
    pub fn in_layout(mut self, layout: Option<&Layout>) -> Result<Self> {
        let Some(layout) = layout else {
            return Ok(self);
        };
        let in_memory = self.shape;
        self.shape = layout.tensor_shape(&in_memory)?;
        self.dims = self.shape.dims().iter().map(|size| *size as i64).collect();
        let order = layout.minor_to_major().iter();
        self.minor_to_major = order.map(|dimension| *dimension as i64).collect();
        self.in_memory = Some(InMemory {
            layout: layout.clone(),
            shape: in_memory,
        });
        Ok(self)
    }

    /// The memory layout of the value; `None` is row-major.
    pub fn other_layout(&self) -> Option<&Layout> {
        self.in_memory.as_ref().map(|in_memory| &in_memory.layout)
    }

    pub fn layout(&self) -> Layout {
        let layout = self.other_layout().cloned();
        layout.unwrap_or_else(|| Layout::row_major(self.shape.rank()))
    }

    /// The shape of the row-major tensor with the elements in memory order.
    pub fn memory_shape(&self) -> &Shape {
        let in_memory = self.in_memory.as_ref();
        in_memory.map_or(&self.shape, |in_memory| &in_memory.shape)
    }

    /// A handle to the memory.
    ///
    /// # Errors
    /// Returns an invalid-argument error after deletion or donation; the error that the buffer
    /// carries, if it has no memory.
    pub fn contents(&self) -> Result<DeviceBuffer> {
        self.present(&lock(&self.state)).cloned()
    }

    fn present<'a>(&self, state: &'a State) -> Result<&'a DeviceBuffer> {
        match &state.contents {
            Contents::Present(contents) => Ok(contents),
            Contents::Deleted => Err(deleted()),
            Contents::Absent => match self.ready.outcome() {
                Some(Err(error)) => Err(error),
                _ => Err(Status::internal("the buffer has no memory")),
            },
        }
    }

    /// The memory for a read outside the queue of the device.
    ///
    /// # Errors
    /// Returns the errors of [`contents`](Self::contents).
    pub fn read(&self) -> Result<Read> {
        let mut state = lock(&self.state);
        let contents = self.present(&state)?.clone();
        state.readers += 1;
        Ok(Read {
            contents,
            state: Arc::clone(&self.state),
        })
    }

    /// Takes the memory for a program that the buffer is donated to, and whether it may overwrite
    /// the memory. The buffer is deleted.
    ///
    /// # Errors
    /// Returns the errors of [`contents`](Self::contents).
    pub fn donate(&self) -> Result<(DeviceBuffer, bool)> {
        let mut state = lock(&self.state);
        let contents = self.present(&state)?.clone();
        state.contents = Contents::Deleted;
        let is_ours = state.can_be_donated && state.external.is_empty() && state.readers == 0;
        Ok((contents, is_ours))
    }

    /// Returns true if the memory belongs to another library, which promised not to change it.
    pub fn is_borrowed(&self) -> bool {
        let state = lock(&self.state);
        matches!(state.contents, Contents::Present(_)) && !state.can_be_donated
    }

    pub fn delete(&self) {
        let former = {
            let mut state = lock(&self.state);
            std::mem::replace(&mut state.contents, Contents::Deleted)
        };
        // Outside the lock: memory of another library is freed by its callback.
        drop(former);
    }

    /// The state, for observers of its memory.
    pub fn weak(&self) -> Weak<Mutex<State>> {
        Arc::downgrade(&self.state)
    }

    pub fn is_deleted(&self) -> bool {
        matches!(lock(&self.state).contents, Contents::Deleted)
    }

    /// The device whose memory the value is in.
    pub fn device(&self) -> &Device {
        &self.client.devices()[self.device]
    }

    /// The address of the value in the host's memory.
    fn address(&self) -> Result<*mut u8> {
        memory_access::address(&self.device().runtime, &self.contents()?)
    }

    /// Gives the handle to the caller, which must destroy it.
    pub fn into_raw(self) -> *mut c_api::Buffer {
        handle::into_raw(self)
    }
}

/// The buffer in C's hands.
///
/// # Safety
/// As [`handle::borrow`].
pub unsafe fn borrow<'a>(raw: *mut c_api::Buffer) -> Result<&'a Buffer> {
    // SAFETY: by the requirement above.
    unsafe { handle::borrow(raw) }
}

pub unsafe fn destroy(arguments: &mut c_api::BufferDestroyArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer, or null.
    unsafe { handle::destroy::<Buffer>(arguments.buffer) };
    Ok(())
}

pub unsafe fn element_type(arguments: &mut c_api::BufferElementTypeArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    arguments.type_ = buffer.element_type;
    Ok(())
}

pub unsafe fn dimensions(arguments: &mut c_api::BufferDimensionsArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    set_slice(&buffer.dims, &mut arguments.dims, &mut arguments.num_dims);
    Ok(())
}

/// No size is padded.
pub unsafe fn unpadded_dimensions(
    arguments: &mut c_api::BufferUnpaddedDimensionsArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    set_slice(
        &buffer.dims,
        &mut arguments.unpadded_dims,
        &mut arguments.num_dims,
    );
    Ok(())
}

/// Sizes are static in existing buffers.
pub unsafe fn dynamic_dimension_indices(
    arguments: &mut c_api::BufferDynamicDimensionIndicesArgs,
) -> Result<()> {
    let (indices, count) = (
        &mut arguments.dynamic_dim_indices,
        &mut arguments.num_dynamic_dims,
    );
    set_slice(&[], indices, count);
    Ok(())
}

pub unsafe fn memory_layout(arguments: &mut c_api::BufferGetMemoryLayoutArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    arguments.layout = c_api::BufferMemoryLayout {
        struct_size: size_of::<c_api::BufferMemoryLayout>(),
        extension_start: std::ptr::null_mut(),
        contents: c_api::BufferMemoryLayoutContents {
            tiled: c_api::BufferMemoryLayoutTiled {
                struct_size: size_of::<c_api::BufferMemoryLayoutTiled>(),
                extension_start: std::ptr::null_mut(),
                minor_to_major: buffer.minor_to_major.as_ptr(),
                minor_to_major_size: buffer.minor_to_major.len(),
                tile_dims: std::ptr::null(),
                tile_dim_sizes: std::ptr::null(),
                num_tiles: 0,
            },
        },
        type_: c_api::BufferMemoryLayoutType::TILED,
    };
    Ok(())
}

pub unsafe fn on_device_size(arguments: &mut c_api::BufferOnDeviceSizeInBytesArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    let transfer_manager = &buffer.device().runtime.transfer_manager;
    arguments.on_device_size_in_bytes = transfer_manager.byte_size(buffer.memory_shape());
    Ok(())
}

pub unsafe fn device(arguments: &mut c_api::BufferDeviceArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    arguments.device = buffer.client.raw_devices()[buffer.device];
    Ok(())
}

pub unsafe fn memory(arguments: &mut c_api::BufferMemoryArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    arguments.memory = buffer.device().raw_memory(buffer.kind);
    Ok(())
}

pub unsafe fn delete(arguments: &mut c_api::BufferDeleteArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    unsafe { borrow(arguments.buffer) }?.delete();
    Ok(())
}

pub unsafe fn is_deleted(arguments: &mut c_api::BufferIsDeletedArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    arguments.is_deleted = unsafe { borrow(arguments.buffer) }?.is_deleted();
    Ok(())
}

pub unsafe fn is_on_cpu(arguments: &mut c_api::BufferIsOnCpuArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    let has_host_memory = || Ok(memory_access::is_of_host(buffer.contents()?.memory()));
    let has_host_memory: Result<bool> = has_host_memory();
    arguments.is_on_cpu = has_host_memory.unwrap_or_else(|_| buffer.device().has_host_memory);
    Ok(())
}

pub unsafe fn ready_event(arguments: &mut c_api::BufferReadyEventArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    let event = if buffer.is_deleted() {
        Event::ready(Err(deleted()))
    } else {
        buffer.ready.clone()
    };
    arguments.event = event.into_raw();
    Ok(())
}

pub unsafe fn unsafe_pointer(arguments: &mut c_api::BufferUnsafePointerArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    arguments.buffer_pointer = buffer.address()?.expose_provenance();
    if !buffer.device().has_host_memory {
        dlpack::note(arguments.buffer_pointer, buffer);
    }
    Ok(())
}

pub unsafe fn opaque_data_pointer(
    arguments: &mut c_api::BufferOpaqueDeviceMemoryDataPointerArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let address = unsafe { borrow(arguments.buffer) }?.address()?;
    arguments.device_memory_ptr = address.cast();
    Ok(())
}

pub unsafe fn increase_external_reference_count(
    arguments: &mut c_api::BufferIncreaseExternalReferenceCountArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    let mut state = lock(&buffer.state);
    let contents = buffer.present(&state)?.clone();
    state.external.push(contents);
    Ok(())
}

pub unsafe fn decrease_external_reference_count(
    arguments: &mut c_api::BufferDecreaseExternalReferenceCountArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { borrow(arguments.buffer) }?;
    let former = lock(&buffer.state).external.pop();
    former
        .map(drop)
        .ok_or_else(|| Status::invalid("the buffer has no external references"))
}
