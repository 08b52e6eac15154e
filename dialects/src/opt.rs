//! The opt-like driver, on upstream's `MlirOptMain`.

use crate::limits;
use melior::{StringRef, dialect::DialectRegistry};
use mlir_sys::{MlirDialectRegistry, MlirStringRef};
use std::ffi::{CString, c_char, c_int};

unsafe extern "C" {
    fn haloRegisterEverything(registry: MlirDialectRegistry);
    fn haloOptMain(
        argc: c_int,
        argv: *mut *mut c_char,
        tool_name: MlirStringRef,
        check_input: CheckInput,
    ) -> c_int;
}

/// `HaloCheckInput` of Opt.cpp.
type CheckInput = unsafe extern "C" fn(MlirStringRef, MlirStringRef) -> bool;

/// Whether an input is fit to be parsed; reports why it is not.
unsafe extern "C" fn check_input(name: MlirStringRef, code: MlirStringRef) -> bool {
    // SAFETY: The caller gives texts that live during the call.
    let (name, code) = unsafe { (StringRef::from_raw(name), bytes(&code)) };
    match limits::check(code) {
        Ok(()) => true,
        Err(error) => {
            let name = name.as_str().unwrap_or("<input>");
            eprintln!("{name}:{}:{}: error: {error}", error.line, error.column);
            false
        }
    }
}

/// # Safety
///
/// The text must be alive as long as the result.
unsafe fn bytes(text: &MlirStringRef) -> &[u8] {
    match text.length {
        0 => &[],
        // SAFETY: A text that is not empty points to as many bytes.
        length => unsafe { std::slice::from_raw_parts(text.data.cast(), length) },
    }
}

/// Adds every upstream dialect and extension, the translations to LLVM IR, and
/// Halo's dialects.
pub fn register_everything(registry: &DialectRegistry) {
    // SAFETY: The registry is valid.
    unsafe { haloRegisterEverything(registry.to_raw()) }
}

/// Runs the driver on command-line arguments, the program's name first, and
/// returns the exit code. Passes must have been registered before.
pub fn opt_main(arguments: impl IntoIterator<Item = String>, tool_name: &str) -> i32 {
    let arguments: Vec<CString> = arguments
        .into_iter()
        .filter_map(|argument| CString::new(argument).ok())
        .collect();
    let mut pointers: Vec<*mut c_char> = arguments
        .iter()
        .map(|argument| argument.as_ptr().cast_mut())
        .chain([std::ptr::null_mut()])
        .collect();
    // SAFETY: `argv` holds `argc` NUL-terminated strings and a null behind
    // them, all of which outlive the call; the driver does not write to them.
    unsafe {
        haloOptMain(
            arguments.len() as c_int,
            pointers.as_mut_ptr(),
            StringRef::new(tool_name).to_raw(),
            check_input,
        )
    }
}
