//! PJRT's errors: a code and a message.

use std::ffi::{c_char, c_void};
use std::fmt;
use std::sync::Arc;

use crate::c_api::{self, ErrorCode, ErrorFunctionTable, ErrorPayloadVisitor};
use crate::handle::{self, Handle};

/// The outcome of a function of the interface.
pub type Result<T, E = Status> = std::result::Result<T, E>;

/// The error of a function of the interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    pub code: ErrorCode,
    pub message: Arc<str>,
}

impl Status {
    pub fn new(code: ErrorCode, message: impl Into<Arc<str>>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub fn invalid(message: impl Into<Arc<str>>) -> Self {
        Self::new(ErrorCode::INVALID_ARGUMENT, message)
    }

    pub fn unimplemented(message: impl Into<Arc<str>>) -> Self {
        Self::new(ErrorCode::UNIMPLEMENTED, message)
    }

    pub fn internal(message: impl Into<Arc<str>>) -> Self {
        Self::new(ErrorCode::INTERNAL, message)
    }
}

impl Status {
    /// The outcome that C passes as a code and a message.
    ///
    /// # Safety
    /// As [`handle::text`], unless the code is OK.
    pub unsafe fn outcome(code: ErrorCode, text: *const c_char, size: usize) -> Result<()> {
        match code {
            ErrorCode::OK => Ok(()),
            // SAFETY: by the requirement above.
            code => Err(Self::new(code, unsafe { handle::text(text, size) }?)),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl From<halo_runtime::Error> for Status {
    fn from(error: halo_runtime::Error) -> Self {
        use halo_runtime::Error;
        let code = match &error {
            _ if error.is_out_of_memory() => ErrorCode::RESOURCE_EXHAUSTED,
            Error::InvalidInput { .. } => ErrorCode::INVALID_ARGUMENT,
            Error::Execution(_) | Error::Internal(_) => ErrorCode::INTERNAL,
        };
        Self::new(code, error.to_string())
    }
}

impl From<halo_core::Error> for Status {
    fn from(error: halo_core::Error) -> Self {
        Self::invalid(error.to_string())
    }
}

/// An error in the hands of C.
#[repr(C)]
pub struct Error {
    functions: *const ErrorFunctionTable,
    pub status: Status,
}

impl Handle for Error {
    type Opaque = c_api::Error;
}

struct Functions(ErrorFunctionTable);

// SAFETY: the table is immutable, and its only pointer is null.
unsafe impl Sync for Functions {}

static FUNCTIONS: Functions = Functions(ErrorFunctionTable {
    struct_size: size_of::<ErrorFunctionTable>(),
    instance_size: size_of::<*const ErrorFunctionTable>(),
    extension_start: std::ptr::null_mut(),
    destroy: Some(destroy),
    message: Some(message),
    get_code: Some(get_code),
    for_each_payload: Some(for_each_payload),
});

impl Status {
    /// An error that the caller must destroy.
    pub fn into_raw(self) -> *mut c_api::Error {
        handle::into_raw(Error {
            functions: &FUNCTIONS.0,
            status: self,
        })
    }
}

/// The C representation of an outcome: null for success.
pub fn to_raw(outcome: Result<()>) -> *mut c_api::Error {
    match outcome {
        Ok(()) => std::ptr::null_mut(),
        Err(status) => status.into_raw(),
    }
}

unsafe extern "C" fn destroy(error: *mut c_api::Error) {
    // SAFETY: the caller passes a valid error, or null.
    unsafe { handle::destroy::<Error>(error) };
}

unsafe extern "C" fn message(
    error: *const c_api::Error,
    message: *mut *const c_char,
    size: *mut usize,
) {
    // SAFETY: the caller passes a valid error, and places for the outcome.
    unsafe {
        if let Ok(error) = handle::borrow::<Error>(error) {
            *message = error.status.message.as_ptr().cast();
            *size = error.status.message.len();
        }
    }
}

unsafe extern "C" fn get_code(error: *const c_api::Error) -> ErrorCode {
    // SAFETY: the caller passes a valid error.
    match unsafe { handle::borrow::<Error>(error) } {
        Ok(error) => error.status.code,
        Err(status) => status.code,
    }
}

/// Errors of Halo have no payloads.
unsafe extern "C" fn for_each_payload(
    _error: *const c_api::Error,
    _visitor: ErrorPayloadVisitor,
    _argument: *mut c_void,
) {
}

/// `PJRT_Error_Destroy`.
pub unsafe extern "C" fn error_destroy(arguments: *mut c_api::ErrorDestroyArgs) {
    // SAFETY: the caller passes valid arguments.
    if let Some(arguments) = unsafe { arguments.as_ref() } {
        // SAFETY: the caller passes a valid error, or null.
        unsafe { destroy(arguments.error) };
    }
}

/// `PJRT_Error_Message`.
pub unsafe extern "C" fn error_message(arguments: *mut c_api::ErrorMessageArgs) {
    // SAFETY: the caller passes its arguments, with an error that it was given.
    if let Some(arguments) = unsafe { arguments.as_mut() } {
        // SAFETY: as above; the places are owned here.
        unsafe {
            message(
                arguments.error,
                &mut arguments.message,
                &mut arguments.message_size,
            );
        };
    }
}

pub unsafe fn error_get_code(arguments: &mut c_api::ErrorGetCodeArgs) -> Result<()> {
    // SAFETY: the caller passes a valid error.
    arguments.code = unsafe { handle::borrow::<Error>(arguments.error) }?.status.code;
    Ok(())
}

/// Visits nothing, since errors of Halo have no payloads.
pub unsafe fn error_for_each_payload(_: &mut c_api::ErrorForEachPayloadArgs) -> Result<()> {
    Ok(())
}
