//! The output of running programs.

use std::fmt::Display;
use std::io::{ErrorKind, Result, Write};

/// Writes a line to standard output, at once. A reader that closes its end
/// early is not an error.
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
