//! Located errors in a text.

use halo_core::{Diagnostic, Position};
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

    /// The error at its position in a file, with the line and a caret.
    pub fn in_file(&self, file: &str) -> Diagnostic {
        let (line, column) = (self.line.max(1), self.column.max(1));
        let position = Position::new(file, line as usize, column as usize);
        let mut diagnostic = Diagnostic::new(position, &*self.message);
        if self.line != 0 {
            let width = self.caret;
            diagnostic.excerpt = format!("{}\n{:width$}^", self.source_line, "");
        }
        diagnostic
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.in_file("").to_string();
        formatter.write_str(text.trim_start_matches(':'))
    }
}

fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
