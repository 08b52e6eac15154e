//! Upstream's language server, on `MlirLspServerMain`.

use std::ffi::{CString, c_char, c_int};

unsafe extern "C" {
    fn haloLanguageServerMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
}

/// Serves one client on standard input and output until it disconnects, and returns the exit code.
/// The context of each document has all dialects that are registered before. A program calls it
/// once.
pub fn language_server_main(name: &str) -> i32 {
    // A client gets errors in replies; upstream logs each message by default.
    let arguments =
        [name, "--log=error"].map(|argument| CString::new(argument).unwrap_or_default());
    let mut pointers: Vec<*mut c_char> = arguments
        .iter()
        .map(|argument| argument.as_ptr().cast_mut())
        .chain([std::ptr::null_mut()])
        .collect();
    // SAFETY: The arguments outlive the call, which does not write to them.
    unsafe { haloLanguageServerMain(arguments.len() as c_int, pointers.as_mut_ptr()) }
}
