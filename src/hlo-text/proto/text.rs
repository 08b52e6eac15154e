//! Protocol buffers in text format: a tree of fields by name, which messages are read from.

mod scalar;

use pest::{Parser as _, iterators::Pair};

use crate::{ParseError, Position};

#[derive(pest_derive::Parser)]
#[grammar = "proto/text.pest"]
struct ProtoGrammar;

/// The maximum nesting of messages, as in binary.
const DEEPEST: usize = 100;

/// A field in text format.
pub(super) struct FieldText<'a> {
    /// The whole text.
    text: &'a str,
    /// The offset of a message's field, or of another value.
    pub(super) at: usize,
    pub(super) name: &'a str,
    value: ValueText<'a>,
}

enum ValueText<'a> {
    Message(Vec<FieldText<'a>>),
    /// A word, or strings with their quotes.
    Scalar(Vec<&'a str>),
}

/// A message, or the value of a field, in text format.
pub(super) trait ReadText {
    /// Parses one occurrence of the field.
    fn read_text(&mut self, field: &FieldText) -> Result<(), ParseError>;
}

impl<'a> FieldText<'a> {
    /// An error at the field.
    pub(super) fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError::new(self.text, self.at, message)
    }

    /// The fields of a message.
    pub(super) fn message(&self) -> Result<&[FieldText<'a>], ParseError> {
        match &self.value {
            ValueText::Message(fields) => Ok(fields),
            ValueText::Scalar(_) => Err(self.error("expected a message, got a value")),
        }
    }

    /// The fields of a name, in a message.
    pub(super) fn fields(&self, name: &str) -> impl Iterator<Item = &FieldText<'a>> {
        let fields = match &self.value {
            ValueText::Message(fields) => fields.as_slice(),
            ValueText::Scalar(_) => &[],
        };
        fields.iter().filter(move |field| field.name == name)
    }

    fn scalar(&self) -> Result<&[&'a str], ParseError> {
        match &self.value {
            ValueText::Scalar(parts) => Ok(parts),
            ValueText::Message(_) => Err(self.error("expected a value, got a message")),
        }
    }
}

/// The Rust identifier of a field.
pub(super) fn identifier(name: &str) -> &str {
    match name {
        "type" => "r#type",
        name => name,
    }
}

/// Parses a text into its message.
pub(super) fn read(text: &str) -> Result<FieldText<'_>, ParseError> {
    let message = |name, at| FieldText {
        text,
        at,
        name,
        value: ValueText::Message(Vec::new()),
    };
    // Messages that are not closed yet.
    let mut open: Vec<FieldText> = Vec::new();
    let mut current = message("", 0);
    let mut at = 0;
    loop {
        at += blank(text.get(at..).unwrap_or_default());
        let rest = text.get(at..).unwrap_or_default();
        if rest.is_empty() {
            break;
        }
        let item = ProtoGrammar::parse(Rule::item, rest);
        let item = item.ok().and_then(|mut items| items.next());
        let Some(item) = item else {
            let what = "expected a field as in 'name: value' or 'name {'";
            return Err(ParseError::new(text, at, what));
        };
        let length = item.as_span().end();
        let Some(part) = item.into_inner().next() else {
            break;
        };
        match part.as_rule() {
            Rule::open_message if open.len() >= DEEPEST => {
                let message = format!("nested deeper than {DEEPEST} levels");
                return Err(ParseError::new(text, at, message));
            }
            Rule::open_message => {
                let name = part.into_inner().next().map_or("", |name| name.as_str());
                open.push(std::mem::replace(&mut current, message(name, at)));
            }
            Rule::close_message => {
                let Some(outer) = open.pop() else {
                    return Err(ParseError::new(text, at, "nothing is open here"));
                };
                let message = std::mem::replace(&mut current, outer);
                current.push(message);
            }
            _ => scalars(text, at, part, &mut current),
        }
        at += length;
    }
    if open.is_empty() {
        Ok(current)
    } else {
        Err(current.error("this message is not closed"))
    }
}

/// Adds the values of `name: value` or `name: [value, value]`, which begins at `at`.
fn scalars<'a>(text: &'a str, at: usize, item: Pair<'a, Rule>, message: &mut FieldText<'a>) {
    let mut inner = item.into_inner();
    let name = inner.next().map_or("", |name| name.as_str());
    for scalar in inner {
        message.push(FieldText {
            text,
            at: at + scalar.as_span().start(),
            name,
            value: ValueText::Scalar(scalar.into_inner().map(|part| part.as_str()).collect()),
        });
    }
}

impl<'a> FieldText<'a> {
    fn push(&mut self, field: FieldText<'a>) {
        if let ValueText::Message(fields) = &mut self.value {
            fields.push(field);
        }
    }
}

/// Counts lines while reading.
#[derive(Default)]
pub(super) struct Lines {
    /// The offset up to which lines are counted.
    at: usize,
    count: u32,
    /// The offset of the begin of the line of `at`.
    start: usize,
}

impl Lines {
    /// Line and column of a byte, which must be after the previously queried ones.
    pub(super) fn position(&mut self, text: &str, at: usize) -> Position {
        let passed = text.as_bytes().get(self.at..at).unwrap_or_default();
        for newline in memchr::memchr_iter(b'\n', passed) {
            self.count = self.count.saturating_add(1);
            self.start = self.at + newline + 1;
        }
        self.at = at;
        let column = text.get(self.start..at).map_or(0, |head| head.chars().count());
        Position {
            line: self.count.saturating_add(1),
            column: u32::try_from(column).unwrap_or(u32::MAX).saturating_add(1),
        }
    }
}

/// The length of the leading white space and comments.
fn blank(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if !trimmed.starts_with('#') {
            return at;
        }
        at += trimmed.find('\n').unwrap_or(trimmed.len());
    }
}
