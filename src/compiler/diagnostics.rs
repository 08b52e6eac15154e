//! Errors with places in the program.

use halo_ir::{diagnostics::file_line_column, prelude::*};
use halo_runtime::Error;

/// An error of the program, at an op.
pub fn error_at(op: Operation, message: impl Into<String>) -> Error {
    let message = message.into();
    let place = file_line_column(op.location());
    let diagnostic = place.map(|place| format!("{place}: error: {message}"));
    Error::diagnosed(message, diagnostic.into_iter().collect())
}

/// Adds the name of the pass to an error, unless the error contains it.
pub(crate) fn of_pass(error: Error, pass: &str) -> Error {
    match error {
        Error::InvalidInput {
            message,
            mut diagnostics,
        } => {
            if !diagnostics.iter().any(|text| text.contains(pass))
                && let Some(first) = diagnostics.first_mut()
            {
                *first = first.replacen("error: ", &format!("error: pass '{pass}' failed: "), 1);
            }
            Error::diagnosed(message, diagnostics)
        }
        error => error,
    }
}
