//! The errors of reading and writing artifacts.

use crate::Version;
use thiserror::Error;

/// The error of reading or writing an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// The bytes are not an artifact.
    #[error("byte {offset}: {message}")]
    Malformed {
        /// The offset in the artifact, from 0.
        offset: usize,
        message: String,
    },
    /// The artifact is of a version that changed more than is known.
    #[error(
        "{what} is not known to version {known} of VHLO; the artifact is of version {artifact}",
        known = Version::CURRENT
    )]
    Unknown { what: String, artifact: Version },
    /// An op of the artifact violates the constraints of its version.
    #[error("op 'vhlo.{operation}' {message}")]
    Operation {
        operation: &'static str,
        message: String,
    },
    /// The requested version cannot express a part of the module.
    #[error("{what} cannot be written for version {target}: {why}")]
    Target {
        what: String,
        target: Version,
        why: String,
        /// The location of the op, as its number among the module's attributes.
        location: Option<crate::AttributeId>,
    },
    #[error("'{text}' is not a version of the form 1.2.3")]
    Version { text: String },
    #[error("version {0} is not between {min} and {max}", min = Version::MINIMUM, max = Version::CURRENT)]
    VersionRange(Version),
}

impl Error {
    pub(crate) fn malformed(offset: usize, message: impl Into<String>) -> Self {
        Self::Malformed {
            offset,
            message: message.into(),
        }
    }
}
