//! The error is the caller's, the run's, or internal.

/// The error of a compilation, of loading or of a run.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The caller's input cannot be used: a program that does not parse, a
    /// literal of the wrong shape, an unknown name.
    #[error("{}", invalid_input(.message, .diagnostics))]
    InvalidInput {
        message: String,
        /// Rendered diagnostics with more detail, each as `file:line:column: error: ...`, notes on
        /// the following lines; empty if there is no location.
        diagnostics: Vec<String>,
    },

    /// A program that was valid failed while it ran: an assertion in it did
    /// not hold, or a resource ran out.
    #[error("{}", at(.location.as_deref(), .message))]
    Execution {
        message: String,
        /// The location in the program, as `file:line:column`, if known.
        location: Option<String>,
    },

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

    /// Invalid input with diagnostics; `message` is used if there are none.
    pub fn diagnosed(message: impl Into<String>, diagnostics: Vec<String>) -> Self {
        Self::InvalidInput {
            message: message.into(),
            diagnostics,
        }
    }

    pub fn execution(message: impl Into<String>) -> Self {
        Self::Execution {
            message: message.into(),
            location: None,
        }
    }

    pub fn internal(message: impl Into<String>) -> Self {
        Self::Internal(message.into())
    }

    /// A run that failed at a known location in the program.
    pub fn execution_at(location: &str, message: impl Into<String>) -> Self {
        Self::Execution {
            message: message.into(),
            location: Some(location.to_owned()).filter(|location| !location.is_empty()),
        }
    }

    /// Returns true if memory was exhausted: the message begins with `out of memory`.
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::Execution { message, .. } if message.starts_with("out of memory"))
    }

    /// Attributes this error to a file. A compiler's diagnostics for a program have the locations
    /// that its producer wrote, which may be in files that the user has never seen: then the file
    /// is named first, and the location in a note. The same applies to a run that failed at an
    /// unknown location.
    #[must_use]
    pub fn in_file(self, file: &str) -> Self {
        self.in_files(file, &[])
    }

    /// [`in_file`](Self::in_file) for a user with other files, whose locations are kept.
    #[must_use]
    pub fn in_files(self, file: &str, others: &[&str]) -> Self {
        let is_in_file = |text: &str| {
            let mut files = std::iter::once(&file).chain(others);
            files.any(|file| {
                let rest = text.strip_prefix(file);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
            })
        };
        match self {
            Self::InvalidInput {
                message,
                diagnostics,
            } => {
                let restate = |text: String| match text.split_once(": error: ") {
                    Some((location, rest)) if !is_in_file(location) => {
                        let (first, notes) = rest.split_once('\n').unwrap_or((rest, ""));
                        let notes = match notes {
                            "" => String::new(),
                            notes => format!("\n{notes}"),
                        };
                        format!("{file}: error: {first}{}{notes}", origin(location))
                    }
                    None if text.starts_with("error: ") => format!("{file}: {text}"),
                    _ => text,
                };
                Self::InvalidInput {
                    message,
                    diagnostics: diagnostics.into_iter().map(restate).collect(),
                }
            }
            Self::Execution { message, location } => {
                let (message, location) = match location {
                    Some(location) if is_in_file(&location) => (message, location),
                    Some(location) => (format!("{message}{}", origin(&location)), file.to_owned()),
                    None => (message, file.to_owned()),
                };
                Self::Execution {
                    message,
                    location: Some(location),
                }
            }
            Self::Internal(message) => Self::Internal(message),
        }
    }

    /// Returns true if the text of this error begins with a location and `error:`, so that a tool
    /// need not prefix its name.
    pub fn names_location(&self) -> bool {
        match self {
            Self::InvalidInput { diagnostics, .. } => !diagnostics.is_empty(),
            Self::Execution { location, .. } => location.is_some(),
            Self::Internal(_) => false,
        }
    }
}

impl From<halo_core::Error> for Error {
    fn from(error: halo_core::Error) -> Self {
        let message = error.to_string();
        match error {
            // Its text names the file.
            halo_core::Error::File { .. } => Self::diagnosed(message.clone(), vec![message]),
            _ => Self::invalid(message),
        }
    }
}

/// The note with the producer's location of an operation.
fn origin(location: &str) -> String {
    format!("\n{location}: note: the operation comes from here")
}

fn at(location: Option<&str>, message: &str) -> String {
    match location {
        Some(location) => format!("{location}: error: {message}"),
        None => message.to_owned(),
    }
}

fn invalid_input(message: &str, diagnostics: &[String]) -> String {
    if diagnostics.is_empty() {
        message.to_owned()
    } else {
        diagnostics.join("\n")
    }
}

/// The result of a fallible operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnostics_speak_for_the_message() {
        let plain = Error::invalid("no such entry 'f'");
        assert_eq!(plain.to_string(), "no such entry 'f'");
        assert!(!plain.names_location());
        let lines = vec![
            "a.mlir:1:2: error: x".to_owned(),
            "a.mlir:3:4: error: y".to_owned(),
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
    fn the_file_that_the_user_has_is_named_first() {
        let error = |text: &str| Error::diagnosed("wrong", vec![text.to_owned()]);
        for (said, restated) in [
            ("a.mlir:1:2: error: x", "a.mlir:1:2: error: x"),
            ("a.mlir: error: x", "a.mlir: error: x"),
            ("error: x", "a.mlir: error: x"),
            (
                "model.py:3:4: error: x",
                "a.mlir: error: x\nmodel.py:3:4: note: the operation comes from here",
            ),
            (
                "a.mlir.py:3:4: error: x\nlib.py:1:1: note: y",
                "a.mlir: error: x\na.mlir.py:3:4: note: the operation comes from here\n\
                 lib.py:1:1: note: y",
            ),
        ] {
            assert_eq!(error(said).in_file("a.mlir").to_string(), restated);
        }
        let of_two = error("schedule.mlir:3:4: error: x").in_files("a.mlir", &["schedule.mlir"]);
        assert_eq!(of_two.to_string(), "schedule.mlir:3:4: error: x");
        let failed = |location: &str| Error::execution_at(location, "boom").in_file("a.bc");
        assert_eq!(failed("a.bc:1:2").to_string(), "a.bc:1:2: error: boom");
        assert_eq!(failed("").to_string(), "a.bc: error: boom");
        assert_eq!(
            failed("model.py:3:4").to_string(),
            "a.bc: error: boom\nmodel.py:3:4: note: the operation comes from here"
        );
    }
}
