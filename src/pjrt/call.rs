//! Dispatch of C calls to the functions of this crate.
//!
//! Caller and plug-in may be of different versions, whose argument structs differ in length. A
//! function gets a copy of the full length, in which the fields missing from the caller's struct
//! are zero, and the other fields are copied back.

use std::mem::MaybeUninit;
use std::ptr;

use halo_core::panics;
use halo_runtime::host::SubnormalMode;

use crate::c_api::{self, Struct};
use crate::status::{Result, Status, to_raw};

/// Calls a function with C's arguments. A panic is an error.
///
/// # Safety
/// `arguments` must be null or point to arguments of this type, of which `struct_size` bytes are
/// valid, and which satisfy the requirements of the function.
pub unsafe fn serve<T: Struct>(
    arguments: *mut T,
    function: unsafe fn(&mut T) -> Result<()>,
) -> *mut c_api::Error {
    // SAFETY: by the requirement above.
    to_raw(unsafe { serve_in_copy(arguments, function) })
}

unsafe fn serve_in_copy<T: Struct>(
    arguments: *mut T,
    function: unsafe fn(&mut T) -> Result<()>,
) -> Result<()> {
    if arguments.is_null() {
        return Err(Status::invalid(format!("{} is null", T::NAME)));
    }
    // SAFETY: all arguments begin with their size.
    let size = unsafe { ptr::read(arguments.cast::<usize>()) };
    if size < size_of::<usize>() {
        let message = format!("{}.struct_size is {size}", T::NAME);
        return Err(Status::invalid(message));
    }
    let size = size.min(size_of::<T>());
    let mut copy = MaybeUninit::<T>::zeroed();
    // SAFETY: both have `size` bytes, and zeros are a value of `T`.
    let mut copy = unsafe {
        ptr::copy_nonoverlapping(arguments.cast::<u8>(), copy.as_mut_ptr().cast::<u8>(), size);
        copy.assume_init()
    };
    // XLA's threads flush subnormal numbers, which the compiler computes with.
    let mode = SubnormalMode::exact();
    // SAFETY: by the requirement of `serve`.
    let outcome = panics::catch(|| unsafe { function(&mut copy) });
    // SAFETY: as above.
    unsafe {
        ptr::copy_nonoverlapping(
            ptr::from_ref(&copy).cast::<u8>(),
            arguments.cast::<u8>(),
            size,
        );
    }
    drop(mode);
    outcome.unwrap_or_else(|panic| {
        let message = format!("internal error: {} panicked: {panic}", T::NAME);
        Err(Status::internal(message))
    })
}
