//! `XLA_FFI_Error`: a code and a message, as handlers make and return them.

use std::ffi::{CStr, CString};

use crate::c_api::ErrorCode;
use crate::c_api::Struct;
use crate::c_api::xla_ffi::{self, ErrorCreateArgs, ErrorDestroyArgs, ErrorGetDetailsArgs};
use crate::handle::{self, Handle};
use crate::status::{Result, Status};

/// An error in the hands of a handler.
pub struct Error {
    code: ErrorCode,
    message: CString,
}

impl Handle for Error {
    type Opaque = xla_ffi::Error;
}

/// The C representation of an outcome: null for success.
pub fn to_raw(outcome: Result<()>) -> *mut xla_ffi::Error {
    match outcome {
        Ok(()) => std::ptr::null_mut(),
        Err(status) => {
            let text = status.message.split('\0').next().unwrap_or_default();
            handle::into_raw(Error {
                code: status.code,
                message: CString::new(text).unwrap_or_default(),
            })
        }
    }
}

/// Converts C's outcome, and takes ownership of the error.
///
/// # Safety
/// The pointer must be null, or from [`to_raw`] or [`create`] and not used any more.
pub unsafe fn from_raw(error: *mut xla_ffi::Error) -> Result<()> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: by the requirement above.
    let error = unsafe { Box::from_raw(error.cast::<Error>()) };
    let message = error.message.to_string_lossy();
    // An error object is an error, whatever its code.
    let code = match error.code {
        ErrorCode::OK => ErrorCode::UNKNOWN,
        code => code,
    };
    Err(Status::new(code, message))
}

/// `XLA_FFI_Error_Create`.
pub unsafe extern "C" fn create(arguments: *mut ErrorCreateArgs) -> *mut xla_ffi::Error {
    // SAFETY: the handler passes valid arguments, or null.
    let Some(arguments) = (unsafe { arguments.as_ref() }) else {
        let name = ErrorCreateArgs::NAME;
        return to_raw(Err(Status::invalid(format!("{name} is null"))));
    };
    let message = if arguments.message.is_null() {
        CString::default()
    } else {
        // SAFETY: the handler passes a text that ends with a zero byte.
        unsafe { CStr::from_ptr(arguments.message) }.to_owned()
    };
    let code = arguments.errc;
    handle::into_raw(Error { code, message })
}

/// `XLA_FFI_Error_GetDetails`, `XLA_FFI_Error_GetMessage` until version 0.3.
pub unsafe extern "C" fn get_details(arguments: *mut ErrorGetDetailsArgs) {
    if arguments.is_null() {
        return;
    }
    // SAFETY: the handler passes valid arguments, of which older versions have no code. The error
    // comes from a function of the interface.
    unsafe {
        let error = handle::borrow::<Error>((*arguments).error);
        let message = error.as_ref().map_or(c"".as_ptr(), |error| error.message.as_ptr());
        (&raw mut (*arguments).message).write(message);
        if (*arguments).struct_size >= ErrorGetDetailsArgs::SIZE {
            let code = error.map_or(ErrorCode::INVALID_ARGUMENT, |error| error.code);
            (&raw mut (*arguments).errc).write(code);
        }
    }
}

/// `XLA_FFI_Error_Destroy`.
pub unsafe extern "C" fn destroy(arguments: *mut ErrorDestroyArgs) {
    // SAFETY: the handler passes valid arguments, or null.
    if let Some(arguments) = unsafe { arguments.as_ref() } {
        // SAFETY: the handler passes a valid error, or null.
        unsafe { handle::destroy::<Error>(arguments.error) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_keep_code_and_message() {
        let status = Status::new(ErrorCode::DATA_LOSS, "lost\0 more");
        // SAFETY: the error is taken once.
        let taken = unsafe { from_raw(to_raw(Err(status))) };
        assert_eq!(taken, Err(Status::new(ErrorCode::DATA_LOSS, "lost")));
        // SAFETY: null is success.
        assert_eq!(unsafe { from_raw(to_raw(Ok(()))) }, Ok(()));
    }

    #[test]
    fn handlers_make_errors() {
        let mut arguments = ErrorCreateArgs {
            struct_size: ErrorCreateArgs::SIZE,
            extension_start: std::ptr::null_mut(),
            message: c"no luck".as_ptr(),
            errc: ErrorCode::OK,
        };
        // SAFETY: the arguments satisfy the interface, and the error is destroyed last.
        unsafe {
            let error = create(&raw mut arguments);
            let mut message = ErrorGetDetailsArgs {
                struct_size: ErrorGetDetailsArgs::SIZE,
                extension_start: std::ptr::null_mut(),
                error,
                message: std::ptr::null(),
                errc: ErrorCode::ABORTED,
            };
            get_details(&raw mut message);
            assert_eq!(CStr::from_ptr(message.message), c"no luck");
            assert_eq!(message.errc, ErrorCode::OK);
            // Version 0.3 has no code.
            message.struct_size = std::mem::offset_of!(ErrorGetDetailsArgs, errc);
            (message.message, message.errc) = (std::ptr::null(), ErrorCode::ABORTED);
            get_details(&raw mut message);
            assert_eq!(CStr::from_ptr(message.message), c"no luck");
            assert_eq!(message.errc, ErrorCode::ABORTED);
            let expected = Status::new(ErrorCode::UNKNOWN, "no luck");
            assert_eq!(from_raw(error), Err(expected));
        }
    }
}
