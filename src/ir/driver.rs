//! Support of upstream's drivers: arguments as C strings, files to read and write, and their output
//! as bytes.

use halo_core::file;
use melior::StringRef;
use mlir_sys::{MlirStringCallback, MlirStringRef};
use std::{
    ffi::{CString, OsStr, OsString, c_char, c_int, c_void},
    io::Write,
    path::Path,
};

#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;

/// A command-line tool on a driver of upstream's.
#[derive(Clone, Copy)]
pub struct Tool<'t> {
    /// One line, which is printed before the list of all options.
    pub title: &'t str,
    /// The driver's own options: the first candidates for a misspelled one.
    pub options: &'t [&'t str],
}

/// `HaloTool` of Driver.h.
#[repr(C)]
pub(crate) struct RawTool {
    title: MlirStringRef,
    options: *const MlirStringRef,
    option_count: usize,
    read: ReadInput,
    write: unsafe extern "C" fn(MlirStringRef, MlirStringRef) -> bool,
}

/// Gives the content of a file to a callback.
pub(crate) type ReadInput =
    unsafe extern "C" fn(MlirStringRef, MlirStringCallback, *mut c_void) -> bool;

/// Runs a main function of C on command-line arguments, the program's name first.
/// `argv` holds `argc` NUL-terminated strings and a null after them, all of which
/// outlive the call, as the tool does.
pub(crate) fn run_main(
    arguments: impl IntoIterator<Item = OsString>,
    tool: Tool,
    read: ReadInput,
    main: impl FnOnce(c_int, *mut *mut c_char, *const RawTool) -> c_int,
) -> i32 {
    let arguments: Vec<CString> = arguments
        .into_iter()
        .filter_map(|argument| CString::new(argument.into_encoded_bytes()).ok())
        .collect();
    let mut pointers: Vec<*mut c_char> = arguments
        .iter()
        .map(|argument| argument.as_ptr().cast_mut())
        .chain([std::ptr::null_mut()])
        .collect();
    let raw = |text: &str| StringRef::new(text).to_raw();
    let options: Vec<MlirStringRef> = tool.options.iter().map(|name| raw(name)).collect();
    let tool = RawTool {
        title: raw(tool.title),
        options: options.as_ptr(),
        option_count: options.len(),
        read,
        write: write_output,
    };
    main(
        arguments.len() as c_int,
        pointers.as_mut_ptr(),
        &raw const tool,
    )
}

/// Reads an input unchanged.
pub(crate) unsafe extern "C" fn read_input(
    name: MlirStringRef,
    give: MlirStringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: The caller passes a text that lives during the call, and a callback with matching
    // data.
    unsafe { read_and_give(name, give, user_data, |_, content| Ok(content)) }
}

/// Reads an input, converts it for the driver, and calls the callback with it.
/// Errors are printed.
///
/// # Safety
///
/// The name must live during the call, and the data must match the callback.
pub(crate) unsafe fn read_and_give(
    name: MlirStringRef,
    give: MlirStringCallback,
    user_data: *mut c_void,
    convert: impl FnOnce(&str, Vec<u8>) -> Result<Vec<u8>, String>,
) -> bool {
    // SAFETY: The caller keeps the text alive.
    let name = os_text(unsafe { bytes(name) });
    let path = Path::new(&name);
    let content = file::read_input(path).map_err(|error| error.to_string());
    let converted = content.and_then(|content| convert(&file::input_name(path), content));
    match (converted, give) {
        (Ok(content), Some(give)) => {
            let text = MlirStringRef {
                data: content.as_ptr().cast(),
                length: content.len(),
            };
            // SAFETY: The callback gets the data that it expects, and copies the
            // text.
            unsafe { give(text, user_data) }
            true
        }
        (Ok(_), None) => false,
        (Err(message), _) => {
            complain(&message);
            false
        }
    }
}

/// Writes a whole output. Errors are printed.
unsafe extern "C" fn write_output(name: MlirStringRef, content: MlirStringRef) -> bool {
    // SAFETY: The caller passes texts that live during the call.
    let (name, content) = unsafe { (bytes(name), bytes(content)) };
    let name = os_text(name);
    let path = Path::new(&name);
    let written = if file::is_standard_stream(path) {
        print(content).map_err(|error| format!("<stdout>: error: {error}"))
    } else {
        file::write_whole(path, |file| file.write_all(content)).map_err(|error| error.to_string())
    };
    written.map_err(|message| complain(&message)).is_ok()
}

/// Prints a line to standard error. If that cannot be written to, only the exit code reports the
/// failure; a panic, as of `eprintln!`, must not cross into C++.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn print(content: &[u8]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(content)?;
    out.flush()
}

/// The name of a file that went through C as bytes.
#[cfg(unix)]
fn os_text(bytes: &[u8]) -> OsString {
    OsStr::from_bytes(bytes).to_owned()
}

#[cfg(not(unix))]
fn os_text(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
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
