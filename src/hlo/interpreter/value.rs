//! The values of an interpreted program.

use super::communication::Pending;
use halo_core::Literal;
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
