//! Code that LLVM cannot generate, without ending the process: assembly with an unknown
//! instruction, or that uses too many registers.
//!
//! LLVM prints such an error and ends the process, unless its context has a handler.
//!
//! Uses `unsafe` for a handler that C++ calls.

use inkwell::{
    llvm_sys::{
        LLVMDiagnosticSeverity,
        core::{
            LLVMContextSetDiagnosticHandler, LLVMDisposeMessage, LLVMGetDiagInfoDescription,
            LLVMGetDiagInfoSeverity, LLVMGetModuleContext,
        },
        prelude::LLVMDiagnosticInfoRef,
    },
    module::Module,
};
use std::{
    ffi::{CStr, c_void},
    ptr,
};

/// Calls a function, and returns the first error that LLVM reports for a module during the call.
pub(super) fn first_error<T>(module: &Module, call: impl FnOnce() -> T) -> (T, Option<String>) {
    let mut first: Option<String> = None;
    // SAFETY: The module is valid, and so is its context.
    let context = unsafe { LLVMGetModuleContext(module.as_mut_ptr()) };
    let data = (&raw mut first).cast();
    // SAFETY: The context is valid. The handler is removed before `data` becomes invalid.
    unsafe { LLVMContextSetDiagnosticHandler(context, Some(note), data) };
    let result = call();
    // SAFETY: As above.
    unsafe { LLVMContextSetDiagnosticHandler(context, None, ptr::null_mut()) };
    (result, first)
}

extern "C" fn note(info: LLVMDiagnosticInfoRef, data: *mut c_void) {
    // SAFETY: `data` is the pointer to `first_error`, the diagnostic is valid for the call, and its
    // text until it is disposed of.
    unsafe {
        let first = &mut *data.cast::<Option<String>>();
        let is_error = matches!(
            LLVMGetDiagInfoSeverity(info),
            LLVMDiagnosticSeverity::LLVMDSError
        );
        if is_error && first.is_none() {
            let text = LLVMGetDiagInfoDescription(info);
            *first = Some(CStr::from_ptr(text).to_string_lossy().trim().to_owned());
            LLVMDisposeMessage(text);
        }
    }
}
