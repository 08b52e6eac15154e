//! The opt-like driver, on upstream's `MlirOptMain`.

use crate::{
    driver::{RawTool, Tool, bytes, complain, read_and_give, run_main},
    hook_panics, limits,
    pass::{counts, report_statistics},
};
use halo_core::panics;
use mlir_sys::{MlirStringCallback, MlirStringRef};
use std::{
    ffi::{OsString, c_char, c_int, c_void},
    io::Write,
    sync::OnceLock,
};

unsafe extern "C" {
    fn haloOptMain(
        argc: c_int,
        argv: *mut *mut c_char,
        tool: *const RawTool,
        explain: unsafe extern "C" fn(MlirStringRef, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
}

/// Converts an input of another format to MLIR, from the name of its file and its bytes; `None` if
/// it is MLIR already. An error is printed.
pub type ReadInput = fn(&str, &[u8]) -> Result<Option<Vec<u8>>, String>;

static READ_INPUT: OnceLock<ReadInput> = OnceLock::new();

/// Prints the list of passes or, given a name, the documentation of one of them, and returns the
/// exit code.
pub type ExplainPasses<'a> = &'a dyn Fn(Option<&str>) -> u8;

unsafe extern "C" fn explain_passes(name: MlirStringRef, data: *mut c_void) -> c_int {
    // SAFETY: The caller passes a text that lives during the call, and the function that `opt_main`
    // passed.
    let (name, explain) = unsafe { (bytes(name), *data.cast::<ExplainPasses>()) };
    let name = String::from_utf8_lossy(name);
    let name = (!name.is_empty()).then_some(&*name);
    match panics::catch(|| explain(name)) {
        Ok(code) => code.into(),
        Err(panic) => {
            complain(&format!("error: internal error: {panic}"));
            1
        }
    }
}

/// Reads an input as MLIR, and checks it against the limits of the parser.
unsafe extern "C" fn read_input(
    name: MlirStringRef,
    give: MlirStringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: The caller passes a text that lives during the call, and a callback with matching
    // data.
    unsafe { read_and_give(name, give, user_data, to_mlir) }
}

fn to_mlir(name: &str, content: Vec<u8>) -> Result<Vec<u8>, String> {
    let read = READ_INPUT.get().copied().unwrap_or(|_, _| Ok(None));
    let converted = panics::catch(|| read(name, &content))
        .map_err(|panic| format!("{name}: error: internal error: {panic}"))??;
    let code = converted.unwrap_or(content);
    match limits::check(&code) {
        Ok(()) => Ok(code),
        Err(error) => Err(format!(
            "{name}:{}:{}: error: {error}",
            error.line, error.column
        )),
    }
}

/// Runs the driver on command-line arguments, the program's name first, and
/// returns the exit code. Passes must have been registered before.
pub fn opt_main(
    arguments: impl IntoIterator<Item = OsString>,
    tool: Tool,
    read: ReadInput,
    explain: ExplainPasses,
) -> i32 {
    READ_INPUT.get_or_init(|| read);
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let wants_statistics = arguments.iter().any(|argument| {
        ["--mlir-pass-statistics", "-mlir-pass-statistics"]
            .iter()
            .any(|option| argument == option)
    });
    let code = run_main(arguments, tool, read_input, |argc, argv, tool| {
        let data = (&raw const explain).cast_mut().cast();
        // SAFETY: The arguments, the tool and the function outlive the call, and the
        // driver does not write to them.
        unsafe { haloOptMain(argc, argv, tool, explain_passes, data) }
    });
    if wants_statistics {
        eprint_statistics();
    }
    if hook_panics::any() {
        code.max(1)
    } else {
        code
    }
}

/// Prints the statistics of passes, below the heading of upstream's statistics.
fn eprint_statistics() {
    // MLIR prints to this stream too.
    let _ = std::io::stderr().write_all(report_statistics(&counts()).as_bytes());
}
