//! The output of running programs.

use std::fmt::Display;
use std::io::{ErrorKind, Result, Write};

/// Writes a line to standard output, at once. A closed output is not an error.
///
/// # Errors
/// Returns an error if it cannot be written.
pub fn print_line(line: impl Display) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
