//! The failure of an import.

use halo_hlo_text::Position;
use halo_ir::BuildError;

/// The error of an import, and its position.
#[derive(Clone, Debug)]
pub struct Failure {
    /// `None` until an instruction or a computation is known.
    pub position: Option<Position>,
    pub message: String,
}

/// A failure whose position the caller adds.
pub fn failure(message: impl Into<String>) -> Failure {
    Failure {
        position: None,
        message: message.into(),
    }
}

impl Failure {
    /// Sets the position, unless it is already set.
    pub fn at(self, position: Position) -> Self {
        Self {
            position: self.position.or(Some(position)),
            ..self
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        failure(error.to_string())
    }
}
