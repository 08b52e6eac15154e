//! What upstream's drivers need of us: arguments as C has them, and texts of
//! theirs as bytes.

use mlir_sys::MlirStringRef;
use std::ffi::{CString, c_char, c_int};

/// Runs a main function of C on command-line arguments, the program's name first.
/// `argv` holds `argc` NUL-terminated strings and a null behind them, all of which
/// outlive the call.
pub(crate) fn run_main(
    arguments: impl IntoIterator<Item = String>,
    main: impl FnOnce(c_int, *mut *mut c_char) -> c_int,
) -> i32 {
    let arguments: Vec<CString> = arguments
        .into_iter()
        .filter_map(|argument| CString::new(argument).ok())
        .collect();
    let mut pointers: Vec<*mut c_char> = arguments
        .iter()
        .map(|argument| argument.as_ptr().cast_mut())
        .chain([std::ptr::null_mut()])
        .collect();
    main(arguments.len() as c_int, pointers.as_mut_ptr())
}

/// # Safety
///
/// The text must be alive as long as the result.
pub(crate) unsafe fn bytes<'a>(text: MlirStringRef) -> &'a [u8] {
    match text.length {
        0 => &[],
        // SAFETY: A text that is not empty points to as many bytes.
        length => unsafe { std::slice::from_raw_parts(text.data.cast(), length) },
    }
}
