//! Located errors in a text.

use std::fmt;

/// The error of an invalid HLO text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ParseError {
    /// Counted from 1; 0 in a binary file.
    pub line: u32,
    /// In characters, counted from 1.
    pub column: u32,
    pub message: String,
    /// The line, truncated if it is long.
    pub source_line: String,
    /// The position of the caret in `source_line`, in characters from 0.
    pub caret: usize,
}

/// The number of characters of a long line that are shown before and after the caret.
const SHOWN: usize = 80;

impl ParseError {
    /// An error at a byte of a text.
    pub(crate) fn new(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let offset = floor_char_boundary(text, offset);
        let (before, after) = text.split_at(offset);
        let line = before.bytes().filter(|byte| *byte == b'\n').count();
        let start = before.rfind('\n').map_or(0, |position| position + 1);
        let head = before.get(start..).unwrap_or_default();
        let tail = after.split(['\n', '\r']).next().unwrap_or_default();
        let column = head.chars().count();
        let skipped = column.saturating_sub(SHOWN);
        let shown = head.chars().skip(skipped).chain(tail.chars().take(SHOWN));
        Self {
            line: u32::try_from(line.saturating_add(1)).unwrap_or(u32::MAX),
            column: u32::try_from(column.saturating_add(1)).unwrap_or(u32::MAX),
            message: message.into(),
            // A tab counts as one column, as in the column number.
            source_line: shown.map(|c| if c == '\t' { ' ' } else { c }).collect(),
            caret: column - skipped,
        }
    }

    /// An error in a binary file.
    pub(crate) fn in_binary(message: impl Into<String>) -> Self {
        Self {
            line: 0,
            column: 0,
            message: message.into(),
            source_line: String::new(),
            caret: 0,
        }
    }

    /// The error of a text that begins `lines` lines into a file.
    #[must_use]
    pub fn shifted(mut self, lines: usize) -> Self {
        let lines = u32::try_from(lines).unwrap_or(u32::MAX);
        self.line = self.line.saturating_add(lines);
        self
    }

    /// `file:line:column: error: ...` with the line and a caret.
    pub fn in_file<'a>(&'a self, file: &'a str) -> impl fmt::Display + 'a {
        InFile { error: self, file }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return write!(formatter, "1:1: error: {}", self.message);
        }
        write!(
            formatter,
            "{}:{}: error: {}\n{}\n{:width$}^",
            self.line,
            self.column,
            self.message,
            self.source_line,
            "",
            width = self.caret
        )
    }
}

struct InFile<'a> {
    error: &'a ParseError,
    file: &'a str,
}

impl fmt::Display for InFile<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.file, self.error)
    }
}

fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
