//! The failure to create or change an op.

use halo_core::panics;
use std::fmt;

/// An op could not be created or changed as requested, which is an error of the compiler, not of
/// the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    message: String,
}

impl BuildError {
    /// The error of an op that could not be created.
    pub fn new(operation: impl fmt::Display) -> Self {
        Self::because(format!("cannot create op '{operation}'"))
    }

    /// The message names the action that failed and the reason.
    pub fn because(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }

    /// Runs a function that builds IR from user input: mistakes that would otherwise end a pass
    /// with an internal error are returned as errors.
    ///
    /// ```
    /// use halo_ir::{BuildError, prelude::*};
    ///
    /// /// A product, unless its factors are of other types.
    /// fn product<'c>(b: &Builder<'c>, x: Value<'c>, y: Value<'c>) -> Result<Value<'c>, BuildError> {
    ///     BuildError::catch(|| stablehlo::multiply(b, x, y))
    /// }
    /// ```
    ///
    /// # Errors
    /// Returns an error if the function panics.
    pub fn catch<T>(function: impl FnOnce() -> T) -> Result<T, Self> {
        panics::catch(function).map_err(|panic| {
            if panic.is::<Reported>() {
                Self::because("cannot create an op, for the reason that was reported")
            } else {
                Self::because(panic.message())
            }
        })
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for BuildError {}

impl From<BuildError> for String {
    fn from(error: BuildError) -> Self {
        error.message
    }
}

/// The payload of an unwinding that is not a panic: the program is invalid, and the error is
/// reported already.
pub(crate) struct Reported;
