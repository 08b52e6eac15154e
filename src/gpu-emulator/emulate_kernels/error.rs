//! Errors of the emulation.

use halo_ir::{Location, prelude::*};

/// A violated rule, or an unsupported construct.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct EmulationError<'c> {
    /// The location in the kernel.
    pub location: Location<'c>,
    /// The message.
    pub message: String,
}

impl<'c> EmulationError<'c> {
    /// An error at a location.
    pub fn at(location: Location<'c>, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { location, message }
    }

    /// An error that begins with the name of an op.
    pub fn op(operation: Operation<'c>, message: &str) -> Self {
        let message = format!("'{}' op {message}", operation.name());
        Self::at(operation.location(), message)
    }
}

/// The result of a step of emulation.
pub type Emulated<'c, T> = Result<T, EmulationError<'c>>;
