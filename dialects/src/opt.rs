//! The opt-like driver, on upstream's `MlirOptMain`.

use crate::{
    driver::{bytes, run_main},
    limits,
    pass::panic_message,
};
use melior::{StringRef, dialect::DialectRegistry};
use mlir_sys::{MlirDialectRegistry, MlirStringCallback, MlirStringRef};
use std::{
    ffi::{c_char, c_int, c_void},
    panic::catch_unwind,
    sync::OnceLock,
};

unsafe extern "C" {
    fn haloRegisterEverything(registry: MlirDialectRegistry);
    fn haloOptMain(
        argc: c_int,
        argv: *mut *mut c_char,
        tool_name: MlirStringRef,
        read_input: RawReadInput,
    ) -> c_int;
}

/// `HaloReadInput` of Opt.cpp.
type RawReadInput =
    unsafe extern "C" fn(MlirStringRef, MlirStringRef, MlirStringCallback, *mut c_void) -> bool;

/// Makes MLIR of an input of another form, given the name of its file and its
/// bytes; `None` where it is MLIR as it stands. An error is what to print.
pub type ReadInput = fn(&str, &[u8]) -> Result<Option<Vec<u8>>, String>;

static READ_INPUT: OnceLock<ReadInput> = OnceLock::new();

/// Whether an input is fit to be parsed; reports why it is not.
unsafe extern "C" fn read_input(
    name: MlirStringRef,
    code: MlirStringRef,
    replace: MlirStringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: The caller gives texts that live during the call.
    let (name, code) = unsafe { (StringRef::from_raw(name), bytes(code)) };
    let name = name.as_str().unwrap_or("<input>");
    let read = READ_INPUT.get().copied().unwrap_or(|_, _| Ok(None));
    let converted = match catch_unwind(|| read(name, code)) {
        Ok(Ok(converted)) => converted,
        Ok(Err(message)) => {
            eprintln!("{message}");
            return false;
        }
        Err(payload) => {
            let message = panic_message(payload.as_ref());
            eprintln!("{name}: error: internal error: {message}");
            return false;
        }
    };
    if let Err(error) = limits::check(converted.as_deref().unwrap_or(code)) {
        eprintln!("{name}:{}:{}: error: {error}", error.line, error.column);
        return false;
    }
    if let (Some(converted), Some(replace)) = (converted, replace) {
        let text = MlirStringRef {
            data: converted.as_ptr().cast(),
            length: converted.len(),
        };
        // SAFETY: The callback gets the data that it expects, and copies the
        // text. What it replaces is not looked at any more.
        unsafe { replace(text, user_data) }
    }
    true
}

/// Adds every upstream dialect and extension, the translations to LLVM IR, and
/// Halo's dialects.
pub fn register_everything(registry: &DialectRegistry) {
    // SAFETY: The registry is valid.
    unsafe { haloRegisterEverything(registry.to_raw()) }
}

/// Runs the driver on command-line arguments, the program's name first, and
/// returns the exit code. Passes must have been registered before.
pub fn opt_main(
    arguments: impl IntoIterator<Item = String>,
    tool_name: &str,
    read: ReadInput,
) -> i32 {
    READ_INPUT.get_or_init(|| read);
    run_main(arguments, |argc, argv| {
        // SAFETY: The arguments outlive the call, and the driver does not write to
        // them.
        unsafe { haloOptMain(argc, argv, StringRef::new(tool_name).to_raw(), read_input) }
    })
}
