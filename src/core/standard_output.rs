//! What programs print while they run.

use std::fmt::Display;
use std::io::{ErrorKind, Result, Write};

/// Writes a line to standard output, at once. A reader that has read enough is no
/// error.
///
/// # Errors
/// If it cannot be written.
pub fn print_line(line: impl Display) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
