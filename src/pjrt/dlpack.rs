//! Memory of devices as DLPack's tensors, for the package for JAX: JAX makes these only of buffers of
//! the platforms that it has, and of memory of the host.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use halo_runtime::StreamExecutor;

use crate::buffer::{Buffer, Read, State};
use crate::handle;

/// A buffer whose address a framework has.
struct Addressed {
    state: Weak<Mutex<State>>,
    executor: Arc<dyn StreamExecutor>,
}

/// By address.
static ADDRESSED: Mutex<BTreeMap<usize, Addressed>> = Mutex::new(BTreeMap::new());

fn addressed() -> MutexGuard<'static, BTreeMap<usize, Addressed>> {
    ADDRESSED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that a framework has the address of a buffer.
pub fn note(address: usize, buffer: &Buffer) {
    let mut addressed = addressed();
    addressed.retain(|_, other| other.state.strong_count() > 0);
    let executor = Arc::clone(&buffer.device().runtime.executor);
    let state = buffer.weak();
    addressed.insert(address, Addressed { state, executor });
}

/// `DLTensor`.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: Device,
    rank: i32,
    element: Element,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

/// `DLDevice`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Device {
    kind: i32,
    number: i32,
}

/// `DLDataType`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Element {
    code: u8,
    bits: u8,
    lanes: u16,
}

/// `DLManagedTensor`, with the data that it points to.
#[repr(C)]
pub struct Managed {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
    _sizes: Vec<i64>,
    _read: Read,
    executor: Arc<dyn StreamExecutor>,
}

unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: the consumer calls the deleter of its tensor once.
    let managed = unsafe { Box::from_raw(managed) };
    // The consumer's work on the memory may be unfinished, on any stream. After a failure of the
    // device, none is.
    let _ = managed.executor.synchronize();
}

/// A `DLManagedTensor` of the buffer with an address that the framework has, which is not donated
/// until the tensor is deleted; null if there is none. `sizes` has the sizes of the dimensions,
/// followed by their strides in elements.
///
/// # Safety
/// `sizes` must have twice as many numbers as the rank, which describe elements in the buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halo_dlpack_tensor(
    address: usize,
    device: Device,
    element: Element,
    rank: i32,
    sizes: *const i64,
) -> *mut Managed {
    let found = addressed()
        .get(&address)
        .and_then(|known| Some((known.state.upgrade()?, Arc::clone(&known.executor))));
    let found = found.and_then(|(state, executor)| Some((Read::of(&state)?, executor)));
    let Some((read, executor)) = found else {
        return ptr::null_mut();
    };
    let count = usize::try_from(rank).unwrap_or_default();
    // SAFETY: by the requirement above.
    let sizes = unsafe { handle::slice(sizes, 2 * count) }.unwrap_or_default().to_vec();
    let managed = Box::new(Managed {
        tensor: Tensor {
            data: ptr::with_exposed_provenance_mut(address),
            device,
            rank,
            element,
            shape: sizes.as_ptr(),
            strides: sizes[count..].as_ptr(),
            byte_offset: 0,
        },
        context: ptr::null_mut(),
        deleter: Some(delete),
        _sizes: sizes,
        _read: read,
        executor,
    });
    Box::into_raw(managed)
}
