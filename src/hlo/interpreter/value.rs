//! The values of an interpreted program.
//!
//! `unsafe` is needed to keep the handle of a collective in a future, which another thread may
//! hold.

use halo_core::Literal;
use halo_runtime::communication::Ticket;
use std::fmt;
use std::sync::Arc;

/// A value of any type of StableHLO. Copies share the elements.
#[derive(Clone, Debug)]
pub enum Value {
    /// A tensor; for a quantized one, the stored integers.
    Tensor(Arc<Literal>),
    /// A token; sequential evaluation keeps the order of effects.
    Token,
    Tuple(Arc<[Value]>),
    /// A collective that was started.
    Future(Arc<Pending>),
}

impl Value {
    /// The kind of the value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Tensor(_) => "a tensor",
            Self::Token => "a token",
            Self::Tuple(_) => "a tuple",
            Self::Future(_) => "a future",
        }
    }

    /// The tensor.
    ///
    /// # Errors
    /// Returns a message if the value is not a tensor.
    pub fn tensor(&self) -> Result<&Literal, String> {
        match self {
            Self::Tensor(literal) => Ok(literal),
            other => Err(format!("expects a tensor, but {} was given", other.kind())),
        }
    }
}

impl From<Literal> for Value {
    fn from(literal: Literal) -> Self {
        Self::Tensor(Arc::new(literal))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tensor(literal) => literal.display(Default::default()).fmt(formatter),
            Self::Token => formatter.write_str("token"),
            Self::Tuple(values) => {
                formatter.write_str("(")?;
                for (number, value) in values.iter().enumerate() {
                    let separator = if number == 0 { "" } else { ", " };
                    write!(formatter, "{separator}{value}")?;
                }
                formatter.write_str(")")
            }
            Self::Future(_) => formatter.write_str("future"),
        }
    }
}

/// A collective that was started.
pub enum Pending {
    /// The body was not a collective, or needs no other process.
    Done(Vec<Value>),
    /// Operands were contributed.
    Started {
        ticket: Ticket,
        collective: RawOperation,
        operands: Vec<Value>,
    },
}

impl fmt::Debug for Pending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Pending")
    }
}

/// The handle of an op of the running module.
pub struct RawOperation(pub(super) mlir_sys::MlirOperation);

// SAFETY: The op is only read while the module lives, like all of an environment.
unsafe impl Send for RawOperation {}
// SAFETY: As above.
unsafe impl Sync for RawOperation {}
