//! Errors at places in a program: a position, a message, an excerpt of the source, and notes
//! at other positions.
//!
//! [`Display`](fmt::Display) renders all of it; nothing else builds or edits the text.

use std::fmt;

/// A position in a file, or a whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub file: String,
    /// Line and column, counted from 1; `None` for the whole file.
    pub line_column: Option<(usize, usize)>,
}

impl Position {
    pub fn new(file: impl Into<String>, line: usize, column: usize) -> Self {
        Self {
            file: file.into(),
            line_column: Some((line, column)),
        }
    }

    /// A whole file.
    pub fn of_file(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line_column: None,
        }
    }

    /// The inverse of `Display`; `None` for an empty text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.rsplitn(3, ':');
        let mut number = || parts.next()?.parse().ok();
        let (column, line) = (number(), number());
        match (parts.next(), line, column) {
            (Some(file), Some(line), Some(column)) => Some(Self::new(file, line, column)),
            _ => (!text.is_empty()).then(|| Self::of_file(text)),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.file)?;
        match self.line_column {
            Some((line, column)) => write!(formatter, ":{line}:{column}"),
            None => Ok(()),
        }
    }
}

/// An error at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// `None` if it is unknown.
    pub position: Option<Position>,
    pub message: String,
    /// Lines of the source, with a mark; empty if there are none.
    pub excerpt: String,
    pub notes: Vec<Note>,
}

/// More about a [`Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// `None` if it is unknown.
    pub position: Option<Position>,
    pub message: String,
}

impl Diagnostic {
    /// An error without notes.
    pub fn new(position: impl Into<Option<Position>>, message: impl Into<String>) -> Self {
        Self {
            position: position.into(),
            message: message.into(),
            excerpt: String::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a note after the others.
    #[must_use]
    pub fn note(
        mut self,
        position: impl Into<Option<Position>>,
        message: impl Into<String>,
    ) -> Self {
        self.notes.push(Note {
            position: position.into(),
            message: message.into(),
        });
        self
    }

    /// The text with another severity, such as `warning`.
    pub fn display_as<'a>(&'a self, severity: &'a str) -> impl fmt::Display + 'a {
        As(self, severity)
    }

    /// Attributes the error to a file if its position is in none of `files`, whose first one that
    /// is: the position becomes a note.
    #[must_use]
    pub fn in_file(mut self, file: &str, others: &[&str]) -> Self {
        let is_known = |position: &Position| {
            position.file == file || others.iter().any(|other| position.file == *other)
        };
        if !self.position.as_ref().is_some_and(is_known) {
            let origin = self.position.replace(Position::of_file(file));
            self.notes.splice(0..0, origin.map(Note::origin));
        }
        self
    }
}

impl Note {
    /// The note with the position that the producer of a program has written.
    pub fn origin(position: Position) -> Self {
        Self {
            position: Some(position),
            message: "the operation comes from here".to_owned(),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_as("error").fmt(formatter)
    }
}

/// A [`Diagnostic`] that is not an error.
struct As<'a>(&'a Diagnostic, &'a str);

impl fmt::Display for As<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(diagnostic, severity) = self;
        let position = diagnostic.position.as_ref();
        write_line(formatter, position, severity, &diagnostic.message)?;
        if !diagnostic.excerpt.is_empty() {
            write!(formatter, "\n{}", diagnostic.excerpt)?;
        }
        diagnostic.notes.iter().try_for_each(|note| write!(formatter, "\n{note}"))
    }
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_line(formatter, self.position.as_ref(), "note", &self.message)
    }
}

fn write_line(
    formatter: &mut fmt::Formatter<'_>,
    position: Option<&Position>,
    severity: &str,
    message: &str,
) -> fmt::Result {
    if let Some(position) = position {
        write!(formatter, "{position}: ")?;
    }
    write!(formatter, "{severity}: {message}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_as_they_are_written() {
        for text in [
            "a.mlir:3:7",
            "C:/a.mlir:3:7",
            "a.mlir",
            "a:b",
            "a:3",
            ":1:2",
        ] {
            assert_eq!(Position::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(
            Position::parse("a.mlir:3:7"),
            Some(Position::new("a.mlir", 3, 7))
        );
        assert_eq!(Position::parse("a:3"), Some(Position::of_file("a:3")));
        assert_eq!(Position::parse(""), None);
    }

    #[test]
    fn notes_and_excerpts_are_lines_after_the_message() {
        let mut error = Diagnostic::new(Position::new("a.hlo", 3, 2), "expected a shape")
            .note(None, "because of this");
        error.excerpt = "x = f\n ^".to_owned();
        assert_eq!(
            error.display_as("warning").to_string(),
            "a.hlo:3:2: warning: expected a shape\nx = f\n ^\nnote: because of this"
        );
    }

    #[test]
    fn the_file_of_the_user_is_named_first() {
        let error = |position: &str| Diagnostic::new(Position::parse(position), "x");
        for (position, expected) in [
            ("a.mlir:1:2", "a.mlir:1:2: error: x"),
            ("a.mlir", "a.mlir: error: x"),
            ("", "a.mlir: error: x"),
            ("s.mlir:3:4", "s.mlir:3:4: error: x"),
            (
                "a.mlir.py:3:4",
                "a.mlir: error: x\na.mlir.py:3:4: note: the operation comes from here",
            ),
        ] {
            let located = error(position).in_file("a.mlir", &["s.mlir"]);
            assert_eq!(located.to_string(), expected);
        }
        let noted = error("model.py:3:4").note(Position::parse("lib.py:1:1"), "y");
        assert_eq!(
            noted.in_file("a.mlir", &[]).to_string(),
            "a.mlir: error: x\nmodel.py:3:4: note: the operation comes from here\n\
             lib.py:1:1: note: y"
        );
    }
}
