//! The message of a tool for fatal errors of LLVM.
//!
//! LLVM ends the process if it cannot select an instruction for an operation, or cannot read its
//! input: with a dump of its structures, and a signal. A tool prints one message instead, and ends
//! with its exit code. A library leaves LLVM's handler to the process.
//!
//! Uses `unsafe` for a callback from C++.

use halo_core::panics;
use halo_ir::reproducer;
use halo_runtime::Error;
use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use std::{
    ffi::{CStr, c_char},
    sync::{Mutex, OnceLock, PoisonError},
};

/// Prints an error and returns the exit code.
type Report = Box<dyn Fn(Error) -> u8 + Send + Sync>;

static REPORT: OnceLock<Report> = OnceLock::new();

/// From now on, an error that LLVM does not return from is reported as one of Halo's, and ends the
/// process with the exit code that `report` returns. If a pass is watched for crashes, its
/// reproducer is written. For the main functions of tools; the first call counts.
pub fn exit_by(report: impl Fn(Error) -> u8 + Send + Sync + 'static) {
    if REPORT.set(Box::new(report)).is_ok() {
        // SAFETY: The function lives as long as the process.
        unsafe { LLVMInstallFatalErrorHandler(Some(exit)) };
    }
}

extern "C" fn exit(reason: *const c_char) {
    /// Held forever by the first thread that fails, so that others print nothing.
    static ENDING: Mutex<()> = Mutex::new(());
    let _ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: LLVM passes a string that lives during the call.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy();
    let error = Error::internal(format!("LLVM: {}", first_line(&reason)));
    let report = || REPORT.get().map(|report| report(error));
    let code = panics::catch(report).ok().flatten().unwrap_or(1);
    reproducer::write_at_exit();
    // SAFETY: Ends the process at once. Other threads continue compiling until then, so no
    // destructor may run.
    unsafe { libc::_exit(code.into()) };
}

/// The message. A dump of LLVM's structures follows it.
pub(super) fn first_line(reason: &str) -> &str {
    reason.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_ir::reproducer::CrashWatch;
    use inkwell::{context::Context, llvm_sys::core::LLVMSetDataLayout};
    use std::{env, path::Path, process::Command};

    /// The environment variable with the path of the reproducer, empty for none.
    const PATH: &str = "HALO_TEST_FATAL_ERRORS";

    /// The process that ends, if another test has started it.
    #[test]
    fn ends() {
        let Ok(path) = env::var(PATH) else {
            return;
        };
        exit_by(|error| {
            eprintln!("test: error: {error}");
            3
        });
        let _watch = (!path.is_empty()).then(|| CrashWatch::start("test", &path, "the program"));
        let context = Context::create();
        let module = context.create_module("test");
        // SAFETY: The handle is valid, and the text ends with NUL.
        unsafe { LLVMSetDataLayout(module.as_mut_ptr(), c"none".as_ptr()) };
    }

    /// The exit code, and the output.
    fn run(path: &Path) -> (Option<i32>, String) {
        let output = Command::new(env::current_exe().unwrap())
            .args(["--exact", "fatal_errors::tests::ends", "--nocapture"])
            .env(PATH, path)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), said)
    }

    #[test]
    fn an_error_is_reported_once() {
        let (code, said) = run(Path::new(""));
        assert_eq!(code, Some(3), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(
            said.starts_with("test: error: internal error: LLVM: "),
            "{said}"
        );
    }

    #[test]
    fn the_reproducer_of_a_pass_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (code, said) = run(&folder.path().join("a"));
        assert_eq!(code, Some(3), "{said}");
        let lines: Vec<&str> = said.lines().collect();
        let [error, note] = lines[..] else {
            panic!("{said}");
        };
        assert!(
            error.starts_with("test: error: internal error: LLVM: "),
            "{said}"
        );
        assert!(note.starts_with("test: note: "), "{said}");
        let written = std::fs::read_to_string(folder.path().join("a.reproducer.mlir"));
        assert_eq!(written.unwrap(), "the program");
    }

    #[test]
    fn dumps_are_left_out() {
        assert_eq!(
            first_line("Cannot select: a\n  b\nIn function: main"),
            "Cannot select: a"
        );
        assert_eq!(first_line(""), "");
    }
}
