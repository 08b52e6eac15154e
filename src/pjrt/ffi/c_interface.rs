//! Registration for languages with addresses of functions, but without structs.

use std::ffi::{CStr, c_char};

use super::stages::Bundle;
use super::{registry, types};
use crate::c_api::xla_ffi::{TypeId, TypeInfo};
use crate::status::{Result, Status};

/// The text at an address.
///
/// # Safety
/// The address must be null, or of a text that ends with a zero byte.
unsafe fn text<'a>(address: *const c_char) -> Result<&'a str> {
    if address.is_null() {
        return Err(Status::invalid("a name is null"));
    }
    // SAFETY: by the requirement above.
    let text = unsafe { CStr::from_ptr(address) }.to_str();
    text.map_err(|_| Status::invalid("a name is not valid UTF-8"))
}

/// The code of an outcome, whose message is written to a buffer.
///
/// # Safety
/// The buffer must be null or have `size` bytes.
unsafe fn answer(outcome: Result<()>, place: *mut c_char, size: usize) -> i32 {
    let Err(status) = outcome else {
        return 0;
    };
    if let Some(room) = size.checked_sub(1)
        && !place.is_null()
    {
        let mut count = status.message.len().min(room);
        while !status.message.is_char_boundary(count) {
            count -= 1;
        }
        // SAFETY: by the requirement above.
        unsafe {
            place.copy_from_nonoverlapping(status.message.as_ptr().cast(), count);
            place.add(count).write(0);
        }
    }
    status.code.0 as i32
}

/// Registers a handler for a platform, by the functions of its stages: an `XLA_FFI_Handler_Bundle`
/// of any version.
///
/// # Safety
/// The names must be null or end with a zero byte, and the bundle null or valid. Its functions must
/// follow XLA's interface, on any thread, as long as the process runs programs. `message` must be
/// null or have `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halo_ffi_register_handler(
    name: *const c_char,
    platform: *const c_char,
    bundle: *const Bundle,
    message: *mut c_char,
    size: usize,
) -> i32 {
    // SAFETY: by the requirements above.
    unsafe {
        let (name, platform) = (text(name), text(platform));
        let outcome = name.and_then(|name| {
            let bundle = bundle.as_ref();
            let bundle = bundle.ok_or_else(|| Status::invalid("the bundle is null"))?;
            registry::register(name, platform?, bundle)
        });
        answer(outcome, message, size)
    }
}

/// Registers a type of handlers, and assigns it a number if it has none.
///
/// # Safety
/// The name must be null or end with a zero byte. `type_id` must be null or a place for the number,
/// `info` null or the type information. `message` must be null or have `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halo_ffi_register_type(
    name: *const c_char,
    type_id: *mut TypeId,
    info: *const TypeInfo,
    message: *mut c_char,
    size: usize,
) -> i32 {
    // SAFETY: by the requirements above.
    unsafe {
        let (name, place, info) = (text(name), type_id.as_mut(), info.as_ref());
        let outcome = name.and_then(|name| {
            let place = place.ok_or_else(|| Status::invalid("XLA_FFI_TypeId is null"))?;
            let deleter = info.and_then(|info| info.deleter);
            place.type_id = types::register(name, place.type_id, deleter)?;
            Ok(())
        });
        answer(outcome, message, size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_get_numbers_and_errors_their_messages() {
        let mut number = TypeId { type_id: 0 };
        let mut message = [1 as c_char; 12];
        let (place, size) = (message.as_mut_ptr(), message.len());
        // SAFETY: the pointers are valid.
        unsafe {
            let name = c"c_interface.type".as_ptr();
            let none = std::ptr::null();
            let register =
                |number: &mut TypeId| halo_ffi_register_type(name, number, none, place, size);
            assert_eq!(register(&mut number), 0);
            assert_ne!(number.type_id, 0);
            let mut other = TypeId { type_id: 9 };
            assert_eq!(register(&mut other), 6);
            assert_eq!(CStr::from_ptr(place), c"the FFI typ");
            let null = std::ptr::null_mut();
            assert_eq!(
                halo_ffi_register_type(std::ptr::null(), &raw mut number, none, null, 0),
                3
            );
        }
    }
}
