//! Errors with places in the program.

use halo_ir::{diagnostics::position_of, prelude::*};
use halo_runtime::Error;

/// An error of the program, at an op.
pub fn error_at(op: Operation, message: impl Into<String>) -> Error {
    Error::invalid_at(position_of(op.location()), message)
}

/// Adds the name of the pass to an error, unless the error contains it.
pub(crate) fn of_pass(error: Error, pass: &str) -> Error {
    match error {
        Error::InvalidInput {
            message,
            mut diagnostics,
        } => {
            let names_pass = diagnostics.iter().any(|error| error.message.contains(pass));
            if let Some(first) = diagnostics.first_mut().filter(|_| !names_pass) {
                first.message = format!("pass '{pass}' failed: {}", first.message);
            }
            Error::diagnosed(message, diagnostics)
        }
        error => error,
    }
}
