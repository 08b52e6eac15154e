//! Errors of the emulation.

use halo_ir::{Location, prelude::*};

/// A violated rule, or an unsupported construct.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EmulationError<'c> {
    /// An error at a location of the kernel.
    #[error("{message}")]
    Kernel {
        /// The op.
        location: Location<'c>,
        /// The message.
        message: String,
    },
    /// An error of the compiler.
    #[error("internal error: {0}")]
    Build(#[from] BuildError),
}

impl<'c> EmulationError<'c> {
    /// An error at a location.
    pub fn at(location: Location<'c>, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::Kernel { location, message }
    }

    /// An error that begins with the name of an op.
    pub fn op(operation: Operation<'c>, message: &str) -> Self {
        let message = format!("'{}' op {message}", operation.name());
        Self::at(operation.location(), message)
    }

    /// Where to report it, and how.
    pub fn diagnostic(&self, otherwise: Location<'c>) -> (Location<'c>, String) {
        let location = match self {
            Self::Kernel { location, .. } => *location,
            Self::Build(_) => otherwise,
        };
        (location, self.to_string())
    }
}

/// The result of a step of emulation.
pub type Emulated<'c, T> = Result<T, EmulationError<'c>>;
