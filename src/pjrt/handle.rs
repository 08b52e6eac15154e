//! Rust's values in the hands of C.
//!
//! C has a pointer to an opaque type for each object of the interface, which it passes only to
//! functions of the interface.

use std::ffi::c_char;
use std::marker::PhantomData;

use crate::status::{Result, Status};

/// A type that C handles by pointers.
pub trait Handle: Sized {
    /// The opaque type in C.
    type Opaque;
}

/// Passes ownership of a value to C, until [`destroy`].
pub fn into_raw<T: Handle>(value: T) -> *mut T::Opaque {
    Box::into_raw(Box::new(value)).cast()
}

/// The value that a pointer refers to.
///
/// # Errors
/// Returns an invalid-argument error for null.
///
/// # Safety
/// The pointer must be null, or from [`into_raw`] and not destroyed as long as the reference is
/// used.
pub unsafe fn borrow<'a, T: Handle>(raw: *const T::Opaque) -> Result<&'a T> {
    // SAFETY: by the requirement above.
    unsafe { raw.cast::<T>().as_ref() }.ok_or_else(|| {
        let name = std::any::type_name::<T::Opaque>();
        let name = name.rsplit("::").next().unwrap_or(name);
        Status::invalid(format!("PJRT_{name} is null"))
    })
}

/// Takes ownership of a value back and drops it; null has no effect.
///
/// # Safety
/// The pointer must be null, or from [`into_raw`] and not used any more.
pub unsafe fn destroy<T: Handle>(raw: *mut T::Opaque) {
    if !raw.is_null() {
        // SAFETY: by the requirement above.
        drop(unsafe { Box::from_raw(raw.cast::<T>()) });
    }
}

/// An array of C.
///
/// # Errors
/// Returns an invalid-argument error for null, unless there are no elements.
///
/// # Safety
/// A non-null pointer must point to `count` elements, which do not change as long as the slice is
/// used.
pub unsafe fn slice<'a, T>(elements: *const T, count: usize) -> Result<&'a [T]> {
    match (count, elements.is_null()) {
        (0, _) => Ok(&[]),
        (_, true) => Err(Status::invalid(format!("an array of {count} is null"))),
        // SAFETY: by the requirement above.
        (_, false) => Ok(unsafe { std::slice::from_raw_parts(elements, count) }),
    }
}

/// Text of C.
///
/// # Errors
/// Returns an invalid-argument error for null with a length, or if it is not UTF-8.
///
/// # Safety
/// As [`slice`].
pub unsafe fn text<'a>(text: *const c_char, size: usize) -> Result<&'a str> {
    // SAFETY: by the requirement of `slice`.
    let bytes = unsafe { slice(text.cast::<u8>(), size) }?;
    std::str::from_utf8(bytes).map_err(|_| Status::invalid("a string is not valid UTF-8"))
}

/// Writes a string to its pointer and size fields in C.
pub fn set_text(text: &str, data: &mut *const c_char, size: &mut usize) {
    *data = text.as_ptr().cast();
    *size = text.len();
}

/// Writes an array to its pointer and size fields in C.
pub fn set_slice<T>(elements: &[T], data: &mut *const T, size: &mut usize) {
    *data = elements.as_ptr();
    *size = elements.len();
}

/// Bytes that C owns, with a pointer of the type `T` for the function that frees them.
struct Serialized<T> {
    bytes: Vec<u8>,
    opaque: PhantomData<T>,
}

impl<T> Handle for Serialized<T> {
    type Opaque = T;
}

unsafe extern "C" fn delete_serialized<T>(raw: *mut T) {
    // SAFETY: C calls the function once, with the pointer that belongs to it.
    unsafe { destroy::<Serialized<T>>(raw) };
}

/// The output fields for serialized bytes, and for the function that frees them.
pub struct SerializedFields<'a, T> {
    pub data: &'a mut *const c_char,
    pub size: &'a mut usize,
    pub owner: &'a mut *mut T,
    pub deleter: &'a mut Option<unsafe extern "C" fn(*mut T)>,
}

/// Gives bytes to C.
pub fn give_bytes<T>(bytes: Vec<u8>, fields: SerializedFields<'_, T>) {
    let serialized = Serialized {
        bytes,
        opaque: PhantomData,
    };
    *fields.data = serialized.bytes.as_ptr().cast();
    *fields.size = serialized.bytes.len();
    *fields.owner = into_raw(serialized);
    *fields.deleter = Some(delete_serialized::<T>);
}
