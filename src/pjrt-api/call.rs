//! Calls of a plug-in's functions.
//!
//! `unsafe` is needed to load a library, to call its functions, and to read memory that they return.

use std::error::Error as _;
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::path::Path;
use std::{ptr, slice};

use halo_runtime::{Error, Result};
use libloading::Library;

use crate::c_api::{
    Api, Error as CError, ErrorCode, ErrorDestroyArgs, ErrorGetCodeArgs, ErrorMessageArgs, Event,
    EventAwaitArgs, EventDestroyArgs, Struct,
};

/// A function of the table.
pub type Function<T> = Option<unsafe extern "C" fn(*mut T) -> *mut CError>;

/// Arguments whose fields except the size are zero.
pub fn arguments<T: Struct>() -> T {
    let mut arguments = MaybeUninit::<T>::zeroed();
    // SAFETY: zeros are a value of `Struct`, which begins with its size.
    unsafe {
        arguments.as_mut_ptr().cast::<usize>().write(T::SIZE);
        arguments.assume_init()
    }
}

/// Loads a library, which stays loaded, and returns its table of functions.
///
/// # Errors
/// Returns an invalid-input error if it is not a plug-in.
///
/// # Safety
/// The file must be a PJRT plug-in: its code runs in this process.
pub unsafe fn load(path: &Path) -> Result<&'static Api> {
    let invalid = |message: String| Error::invalid_file(path.display().to_string(), message);
    // The loader searches its own folders for a name without a slash.
    let file = path.canonicalize().map_err(|error| invalid(error.to_string()))?;
    // SAFETY: by the requirement above.
    let library = unsafe { Library::new(file) };
    let library = library.map_err(|error| {
        // The message of the system's loader.
        let reason = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        invalid(format!("cannot load it: {reason}"))
    })?;
    // SAFETY: the interface defines the type of this function.
    let table = unsafe { library.get::<unsafe extern "C" fn() -> *const Api>(b"GetPjrtApi") };
    let table = table.map_err(|_| invalid("no PJRT plug-in: it has no GetPjrtApi".to_owned()))?;
    // SAFETY: as above; the library stays loaded.
    let api = unsafe { copy(table()) }.map_err(|error| invalid(error.to_string()))?;
    // Plug-ins have threads that outlive a client.
    std::mem::forget(library);
    Ok(api)
}

/// Copies a table of functions. Functions that an older plug-in lacks are `None`.
///
/// # Errors
/// Returns an invalid-input error if it is of another major version.
///
/// # Safety
/// The pointer must be null or to a table whose functions stay loaded.
pub unsafe fn copy(table: *const Api) -> Result<&'static Api> {
    if table.is_null() {
        return Err(Error::invalid("GetPjrtApi returned no table"));
    }
    let mut api = MaybeUninit::<Api>::zeroed();
    // SAFETY: the table begins with its size, and zeros are functions that are `None`.
    let api = unsafe {
        let size = table.cast::<usize>().read().min(size_of::<Api>());
        ptr::copy_nonoverlapping(table.cast::<u8>(), api.as_mut_ptr().cast::<u8>(), size);
        api.assume_init()
    };
    match api.pjrt_api_version.major_version {
        0 => Ok(Box::leak(Box::new(api))),
        version => Err(Error::invalid(format!(
            "unsupported major version {version} of PJRT, expected 0"
        ))),
    }
}

/// Calls a function.
///
/// # Errors
/// Returns the plug-in's error, or an error if it lacks the function.
///
/// # Safety
/// The arguments must satisfy the interface.
pub unsafe fn call<T: Struct>(api: &Api, function: Function<T>, mut filled: T) -> Result<T> {
    let lacking = || Error::invalid(format!("the PJRT plug-in has no function for {}", T::NAME));
    let function = function.ok_or_else(lacking)?;
    // SAFETY: by the requirement above.
    let error = unsafe { function(&raw mut filled) };
    if error.is_null() {
        return Ok(filled);
    }
    let (mut message, mut code) = (
        arguments::<ErrorMessageArgs>(),
        arguments::<ErrorGetCodeArgs>(),
    );
    (message.error, code.error) = (error, error);
    if let Some(function) = api.error_message {
        // SAFETY: the error is the plug-in's.
        unsafe { function(&raw mut message) };
    }
    if let Some(function) = api.error_get_code {
        // SAFETY: the same. An error of this call is not reported.
        unsafe { function(&raw mut code) };
    }
    // SAFETY: the message lives as long as the error.
    let message = unsafe { text(message.message, message.message_size) };
    if let Some(function) = api.error_destroy {
        let mut destroy = arguments::<ErrorDestroyArgs>();
        destroy.error = error;
        // SAFETY: the error is not used again.
        unsafe { function(&raw mut destroy) };
    }
    Err(match code.code {
        ErrorCode::INVALID_ARGUMENT | ErrorCode::UNIMPLEMENTED => Error::invalid(message),
        _ => Error::execution(message),
    })
}

/// Waits for an event, if there is one, and destroys it.
///
/// # Errors
/// Returns the error that the event signals.
///
/// # Safety
/// The event must be the plug-in's, and is not used again.
pub unsafe fn wait(api: &Api, event: *mut Event) -> Result<()> {
    if event.is_null() {
        return Ok(());
    }
    let (mut wait, mut destroy) = (
        arguments::<EventAwaitArgs>(),
        arguments::<EventDestroyArgs>(),
    );
    (wait.event, destroy.event) = (event, event);
    // SAFETY: by the requirement above.
    let outcome = unsafe { call(api, api.event_await, wait) };
    // SAFETY: the same.
    unsafe { call(api, api.event_destroy, destroy) }?;
    outcome.map(drop)
}

/// A text of the plug-in.
///
/// # Safety
/// The pointer must be null or have `size` bytes.
pub unsafe fn text(data: *const c_char, size: usize) -> String {
    // SAFETY: by the requirement above.
    String::from_utf8_lossy(unsafe { items(data.cast::<u8>(), size) }).into_owned()
}

/// A list of the plug-in.
///
/// # Safety
/// The pointer must be null or have `count` items.
pub unsafe fn items<'a, T>(data: *const T, count: usize) -> &'a [T] {
    if data.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: by the requirement above.
    unsafe { slice::from_raw_parts(data, count) }
}
