//! A cursor in the text, which parses one item of the grammar at a time.

use pest::{
    Parser as _,
    error::{ErrorVariant, InputLocation},
    iterators::Pair,
};

use super::{
    expectation,
    grammar::{HloGrammar, Rule},
};
use crate::{Position, error::ParseError};

/// The maximum nesting of shapes, operands and computations, within the parser's stack. XLA nests
/// tuples two or three deep.
pub(super) const DEEPEST: usize = 100;

/// The text and the offset of the next item.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    /// A byte offset; white space and comments before the next item are read.
    pub(super) at: usize,
    /// Byte offsets of the beginnings of lines that are known so far.
    lines: Vec<usize>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).map(|newline| newline + 1);
        let lines = std::iter::once(0).chain(lines).collect();
        let mut cursor = Self { text, at: 0, lines };
        cursor.skip_trivia();
        cursor
    }

    /// The remaining text.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn next_byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Parses an item of the grammar and the white space after it. Returns it with its byte offset,
    /// which positions within it are relative to.
    pub(super) fn take(&mut self, rule: Rule) -> Result<Item<'a>, ParseError> {
        let at = self.at;
        let pairs = HloGrammar::parse(rule, self.rest());
        let pair = match pairs {
            Ok(mut pairs) => pairs.next(),
            Err(error) => return Err(self.grammar_error(&error)),
        };
        let Some(pair) = pair else {
            return Err(self.error("expected more"));
        };
        self.advance(pair.as_span().end());
        Ok(Item { at, pair })
    }

    /// Consumes a character if it is next.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let eaten = self.next_byte() == Some(byte);
        if eaten {
            self.advance(1);
        }
        eaten
    }

    /// Skips bytes that were parsed otherwise, and the white space after them.
    pub(super) fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.text.len());
        self.skip_trivia();
    }

    fn skip_trivia(&mut self) {
        self.at += blank(self.rest());
    }

    /// An error at the next item.
    pub(super) fn error(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.at, message)
    }

    /// An error that names the expected token and the token that was found.
    pub(super) fn expected(&self, what: &str) -> ParseError {
        self.expected_at(self.at, what)
    }

    pub(super) fn expected_at(&self, offset: usize, what: &str) -> ParseError {
        let rest = self.text.get(offset..).unwrap_or_default();
        let offset = offset + blank(rest);
        let found = found(self.text.get(offset..).unwrap_or_default());
        self.error_at(offset, format!("expected {what}, found {found}"))
    }

    pub(super) fn error_at(&self, offset: usize, message: impl Into<String>) -> ParseError {
        ParseError::new(self.text, offset, message)
    }

    /// Line and column of a byte offset.
    pub(super) fn position(&self, offset: usize) -> Position {
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|line| self.lines.get(line));
        let start = start.copied().unwrap_or_default();
        let column = self.text.get(start..offset).map_or(0, |head| head.chars().count());
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        Position {
            line: number(line),
            column: number(column.saturating_add(1)),
        }
    }

    fn grammar_error(&self, error: &pest::error::Error<Rule>) -> ParseError {
        let offset = match error.location {
            InputLocation::Pos(offset) | InputLocation::Span((offset, _)) => offset,
        };
        let what = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => expectation::of(positives),
            // A limit of the grammar's machine.
            ErrorVariant::CustomError { message } => return self.error(message.clone()),
        };
        self.expected_at(self.at.saturating_add(offset), &what)
    }

    /// Fails if brackets are nested too deep in the remaining text, up to a character that occurs
    /// neither in shapes nor in operands.
    pub(super) fn check_nesting(&self) -> Result<(), ParseError> {
        self.check_nesting_from(self.at)
    }

    /// [`check_nesting`](Self::check_nesting) after the next of a byte.
    pub(super) fn check_nesting_behind(&self, byte: u8) -> Result<(), ParseError> {
        match memchr::memchr(byte, self.rest().as_bytes()) {
            Some(position) => self.check_nesting_from(self.at + position + 1),
            None => Ok(()),
        }
    }

    fn check_nesting_from(&self, mut at: usize) -> Result<(), ParseError> {
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'"' | b'\'' | b'='
                    if at.checked_sub(1).and_then(|at| bytes.get(at)) != Some(&b'<') =>
                {
                    break;
                }
                b'/' => at += blank(self.text.get(at..).unwrap_or_default()).saturating_sub(1),
                _ => {}
            }
            if depth > DEEPEST {
                let message = format!("nested deeper than {DEEPEST} levels");
                return Err(self.error_at(at, message));
            }
            at += 1;
        }
        Ok(())
    }

    /// The length of a value of unknown syntax: up to a comma, or an end of line or bracket outside
    /// of nested brackets. `None` if those are not closed.
    pub(super) fn raw(&self) -> Option<usize> {
        let bytes = self.rest().as_bytes();
        let mut depth = 0_usize;
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' if depth == 0 => break,
                b')' | b']' | b'}' => depth -= 1,
                b',' | b'\n' if depth == 0 => break,
                b'"' => at = end_of_string(bytes, at).unwrap_or(at),
                _ => {}
            }
            at += 1;
        }
        let raw = self.rest().get(..at)?;
        (depth == 0).then_some(raw.trim_end().len())
    }
}

/// The length of the braces that a text begins with, with their contents.
/// Braces in quoted strings do not count.
pub(crate) fn braces(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'{') {
        return None;
    }
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'"' => at = end_of_string(bytes, at)?,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The position of the quote that ends a string.
fn end_of_string(bytes: &[u8], quote: usize) -> Option<usize> {
    let mut at = quote + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// An item and its byte offset in the text.
pub(super) struct Item<'a> {
    pub(super) at: usize,
    pub(super) pair: Pair<'a, Rule>,
}

/// The number of leading bytes of white space and comments. An unterminated comment does not count.
pub(crate) fn blank(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
            Some(b'/') => {
                let rest = bytes.get(at + 1..).unwrap_or_default();
                match rest.first() {
                    Some(b'/') => {
                        at += 1 + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
                    }
                    Some(b'*') => {
                        let inner = rest.get(1..).unwrap_or_default();
                        match memchr::memmem::find(inner, b"*/") {
                            Some(end) => at += end + 4,
                            None => return at,
                        }
                    }
                    _ => return at,
                }
            }
            _ => return at,
        }
    }
}

/// The first token of a text, for an error.
fn found(text: &str) -> String {
    let Some(first) = text.chars().next() else {
        return "the end of the text".to_owned();
    };
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_.-%".contains(c);
    if !is_word(first) {
        let shown = if first.is_control() { '?' } else { first };
        return format!("'{shown}'");
    }
    let word: String = text.chars().take_while(|c| is_word(*c)).take(40).collect();
    format!("'{word}'")
}
