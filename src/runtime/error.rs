//! The error is the caller's, the run's, or internal.

use halo_core::{Diagnostic, Position};

/// The error of a compilation, of loading or of a run.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The caller's input cannot be used: a program that does not parse, a
    /// literal of the wrong shape, an unknown name.
    #[error("{}", invalid_input(.message, .diagnostics))]
    InvalidInput {
        message: String,
        /// More detail than the message; empty if there is no place in a file.
        diagnostics: Vec<Diagnostic>,
    },

    /// A program that was valid failed while it ran: an assertion in it did
    /// not hold, or a resource ran out.
    #[error("{}", failed_run(.0))]
    Execution(Box<Diagnostic>),

    /// A defect of this software.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Error {
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::InvalidInput {
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }

    /// Invalid input at a position of a file, if it is known.
    pub fn invalid_at(position: impl Into<Option<Position>>, message: impl Into<String>) -> Self {
        match position.into() {
            Some(position) => Diagnostic::new(position, message).into(),
            None => Self::invalid(message),
        }
    }

    /// An invalid file.
    pub fn invalid_file(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self::invalid_at(Position::of_file(file), message)
    }

    /// Invalid input with diagnostics; `message` is used if there are none.
    pub fn diagnosed(message: impl Into<String>, diagnostics: Vec<Diagnostic>) -> Self {
        Self::InvalidInput {
            message: message.into(),
            diagnostics,
        }
    }

    pub fn execution(message: impl Into<String>) -> Self {
        Self::execution_at("", message)
    }

    pub fn internal(message: impl Into<String>) -> Self {
        Self::Internal(message.into())
    }

    /// A run that failed at a location in the program, `file:line:column`; empty if unknown.
    pub fn execution_at(location: &str, message: impl Into<String>) -> Self {
        Self::Execution(Diagnostic::new(Position::parse(location), message).into())
    }

    /// Returns true if memory was exhausted: the message begins with `out of memory`.
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::Execution(run) if run.message.starts_with("out of memory"))
    }

    /// Attributes this error to a file. A compiler's diagnostics for a program have the positions
    /// that its producer wrote, which may be in files that the user has never seen: then the file
    /// is named first, and the position in a note. The same applies to a run that failed at an
    /// unknown position.
    #[must_use]
    pub fn in_file(self, file: &str) -> Self {
        self.in_files(file, &[])
    }

    /// [`in_file`](Self::in_file) for a user with other files, whose positions are kept.
    #[must_use]
    pub fn in_files(self, file: &str, others: &[&str]) -> Self {
        match self {
            Self::InvalidInput {
                message,
                diagnostics,
            } => {
                let diagnostics = diagnostics.into_iter();
                let diagnostics = diagnostics.map(|diagnostic| diagnostic.in_file(file, others));
                Self::diagnosed(message, diagnostics.collect())
            }
            Self::Execution(diagnostic) => Self::Execution(diagnostic.in_file(file, others).into()),
            Self::Internal(message) => Self::Internal(message),
        }
    }

    /// Returns true if the text of this error begins with a position and `error:`, so that a tool
    /// need not prefix its name.
    pub fn names_location(&self) -> bool {
        match self {
            Self::InvalidInput { diagnostics, .. } => !diagnostics.is_empty(),
            Self::Execution(diagnostic) => diagnostic.position.is_some(),
            Self::Internal(_) => false,
        }
    }
}

impl From<halo_core::Error> for Error {
    fn from(error: halo_core::Error) -> Self {
        match error {
            halo_core::Error::File { file, message } => Self::invalid_file(file, message),
            _ => Self::invalid(error.to_string()),
        }
    }
}

/// A single error is its own message.
impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::diagnosed(diagnostic.message.clone(), vec![diagnostic])
    }
}

fn failed_run(diagnostic: &Diagnostic) -> String {
    match diagnostic.position {
        Some(_) => diagnostic.to_string(),
        None => diagnostic.message.clone(),
    }
}

fn invalid_input(message: &str, diagnostics: &[Diagnostic]) -> String {
    if diagnostics.is_empty() {
        return message.to_owned();
    }
    let lines: Vec<String> = diagnostics.iter().map(Diagnostic::to_string).collect();
    lines.join("\n")
}

/// The result of a fallible operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnostics_are_the_text_of_an_error() {
        let plain = Error::invalid("no such entry 'f'");
        assert_eq!(plain.to_string(), "no such entry 'f'");
        assert!(!plain.names_location());
        let lines = vec![
            Diagnostic::new(Position::new("a.mlir", 1, 2), "x"),
            Diagnostic::new(Position::new("a.mlir", 3, 4), "y"),
        ];
        let error = Error::diagnosed("invalid program", lines);
        assert_eq!(
            error.to_string(),
            "a.mlir:1:2: error: x\na.mlir:3:4: error: y"
        );
        assert!(error.names_location());
        let error = Error::execution_at("a.mlir:1:2", "boom");
        assert_eq!(error.to_string(), "a.mlir:1:2: error: boom");
        assert!(error.names_location());
        assert!(!Error::execution_at("", "boom").names_location());
    }

    #[test]
    fn runs_that_fail_are_attributed_to_the_file() {
        let failed = |location: &str| Error::execution_at(location, "boom").in_file("a.bc");
        assert_eq!(failed("a.bc:1:2").to_string(), "a.bc:1:2: error: boom");
        assert_eq!(failed("").to_string(), "a.bc: error: boom");
        assert_eq!(
            failed("model.py:3:4").to_string(),
            "a.bc: error: boom\nmodel.py:3:4: note: the operation comes from here"
        );
    }
}
