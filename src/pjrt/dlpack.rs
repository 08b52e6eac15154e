//! Memory of devices as DLPack's tensors, for the package for JAX: JAX makes these only of buffers of
//! the platforms that it has, and of memory of the host.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};

use crate::buffer::{Buffer, Read, State};
use crate::handle;

/// The buffers whose addresses a framework has, by address.
static ADDRESSED: Mutex<BTreeMap<usize, Weak<Mutex<State>>>> = Mutex::new(BTreeMap::new());

fn addressed() -> MutexGuard<'static, BTreeMap<usize, Weak<Mutex<State>>>> {
    ADDRESSED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that a framework has the address of a buffer.
pub fn note(address: usize, buffer: &Buffer) {
    let mut addressed = addressed();
    addressed.retain(|_, state| state.strong_count() > 0);
    addressed.insert(address, buffer.weak());
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
}

unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: the consumer calls the deleter of its tensor once.
    drop(unsafe { Box::from_raw(managed) });
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
    let state = addressed().get(&address).and_then(Weak::upgrade);
    let Some(read) = state.and_then(|state| Read::of(&state)) else {
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
    });
    Box::into_raw(managed)
}
