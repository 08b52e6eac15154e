//! The thread that a tool runs on.

use std::process::ExitCode;

/// Runs a tool on a stack of this many bytes, for deeply nested programs.
pub fn on_deep_stack(
    tool: &str,
    bytes: usize,
    run: impl FnOnce() -> u8 + Send + 'static,
) -> ExitCode {
    let thread = std::thread::Builder::new().stack_size(bytes).spawn(run);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => ExitCode::from(code),
        // The panic has been reported.
        Ok(Err(_)) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{tool}: error: cannot start a thread: {error}");
            ExitCode::FAILURE
        }
    }
}
