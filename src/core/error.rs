//! The errors of this crate: each describes a fault of the input.

use crate::{ElementType, Shape};

/// The error of building, reading or comparing a value.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A text that is not the name of an element type.
    #[error("unknown element type '{0}'")]
    UnknownElementType(String),

    /// Dimensions whose element count or byte size overflows, or a shape that cannot be parsed.
    #[error("invalid shape: {0}")]
    InvalidShape(String),

    /// A `minor_to_major` that is not a permutation of the dimensions.
    #[error("invalid layout: {0}")]
    InvalidLayout(String),

    /// A text that is not a literal: the text in quotes, and the reason.
    #[error("invalid literal {0}")]
    InvalidLiteral(String),

    /// The data does not have the size of the shape.
    #[error("{shape} takes {expected} bytes, but {actual} were given")]
    SizeMismatch {
        shape: Shape,
        expected: usize,
        actual: usize,
    },

    /// A typed view of elements that are stored as another type.
    #[error("elements of type {actual} cannot be viewed as {requested}")]
    ElementTypeMismatch {
        actual: ElementType,
        requested: &'static str,
    },

    /// A value that does not fit in memory.
    #[error("there is no memory for a value of {0}")]
    OutOfMemory(Shape),

    /// Two values that should have the same shape do not.
    #[error("shapes differ: {actual} against {expected}")]
    ShapeMismatch { actual: Shape, expected: Shape },

    /// A file that could not be read, written or parsed.
    #[error("{file}: error: {message}")]
    File { file: String, message: String },
}

impl Error {
    pub(crate) fn file(file: impl Into<String>, message: impl std::fmt::Display) -> Self {
        Self::File {
            file: file.into(),
            message: message.to_string(),
        }
    }
}

/// The result of a fallible operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
