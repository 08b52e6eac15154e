//! Protocol buffers as text, without a schema: fields by name.

use pest::{Parser as _, iterators::Pair};

use crate::{
    ParseError, Position,
    parser::{integer_text, unescape},
};

#[derive(pest_derive::Parser)]
#[grammar = "proto_text.pest"]
struct ProtoGrammar;

pub(super) type Result<T> = std::result::Result<T, ParseError>;

/// How deep messages may be nested.
const DEEPEST: usize = 100;

/// Fields in the order of the text.
pub(super) struct Message<'a> {
    pub(super) text: &'a str,
    /// Where the message begins.
    pub(super) at: usize,
    pub(super) position: Position,
    fields: Vec<Field<'a>>,
}

struct Field<'a> {
    name: &'a str,
    at: usize,
    value: Value<'a>,
}

enum Value<'a> {
    /// As it is written, with quotes.
    Scalar(Vec<&'a str>),
    Message(Message<'a>),
}

/// Reads a text into the message that it is.
pub(super) fn read(text: &str) -> Result<Message<'_>> {
    let mut open: Vec<(&str, Message)> = Vec::new();
    let mut lines = Lines::default();
    let mut current = Message::new(text, 0, Position { line: 1, column: 1 });
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
        let mut parts = item.into_inner();
        let Some(part) = parts.next() else { break };
        let rule = part.as_rule();
        let mut inner = part.into_inner();
        match rule {
            Rule::open_message => {
                let name = inner.next().map_or("", |name| name.as_str());
                if open.len() >= DEEPEST {
                    let message = format!("nested deeper than {DEEPEST} levels");
                    return Err(ParseError::new(text, at, message));
                }
                let message = Message::new(text, at, lines.position(text, at));
                open.push((name, std::mem::replace(&mut current, message)));
            }
            Rule::close_message => {
                let Some((name, outer)) = open.pop() else {
                    return Err(ParseError::new(text, at, "nothing is open here"));
                };
                let message = std::mem::replace(&mut current, outer);
                current.fields.push(Field {
                    name,
                    at: message.at,
                    value: Value::Message(message),
                });
            }
            _ => {
                let name = inner.next().map_or("", |name| name.as_str());
                for scalar in inner {
                    current.fields.push(Field {
                        name,
                        at: at + scalar.as_span().start(),
                        value: Value::Scalar(
                            scalar
                                .into_inner()
                                .map(|part: Pair<'_, Rule>| part.as_str())
                                .collect(),
                        ),
                    });
                }
            }
        }
        at += length;
    }
    match open.last() {
        Some(_) => Err(ParseError::new(
            text,
            current.at,
            "this message is not closed",
        )),
        None => Ok(current),
    }
}

/// Counts lines as reading goes on.
#[derive(Default)]
struct Lines {
    /// How far lines are counted.
    at: usize,
    count: u32,
    /// Where the line begins that `at` is in.
    start: usize,
}

impl Lines {
    /// Line and column of a byte behind those that were asked for before.
    fn position(&mut self, text: &str, at: usize) -> Position {
        let passed = text.as_bytes().get(self.at..at).unwrap_or_default();
        for newline in memchr::memchr_iter(b'\n', passed) {
            self.count = self.count.saturating_add(1);
            self.start = self.at + newline + 1;
        }
        self.at = at;
        let column = text
            .get(self.start..at)
            .map_or(0, |head| head.chars().count());
        Position {
            line: self.count.saturating_add(1),
            column: u32::try_from(column).unwrap_or(u32::MAX).saturating_add(1),
        }
    }
}

/// How much of a text is white space and comments.
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

impl<'a> Message<'a> {
    fn new(text: &'a str, at: usize, position: Position) -> Self {
        Self {
            text,
            at,
            position,
            fields: Vec::new(),
        }
    }

    pub(super) fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError::new(self.text, self.at, message)
    }

    /// The messages of a name.
    pub(super) fn messages(&self, name: &str) -> impl Iterator<Item = &Message<'a>> {
        let fields = self.fields.iter().filter(move |field| field.name == name);
        fields.filter_map(|field| match &field.value {
            Value::Message(message) => Some(message),
            Value::Scalar(_) => None,
        })
    }

    /// The message of a name.
    pub(super) fn message(&self, name: &str) -> Option<&Message<'a>> {
        self.messages(name).next()
    }

    fn scalars(&self, name: &str) -> impl Iterator<Item = (usize, &[&'a str])> {
        let fields = self.fields.iter().filter(move |field| field.name == name);
        fields.filter_map(|field| match &field.value {
            Value::Scalar(parts) => Some((field.at, parts.as_slice())),
            Value::Message(_) => None,
        })
    }

    /// Words and numbers as they are written, with their offsets.
    pub(super) fn words(&self, name: &str) -> impl Iterator<Item = (usize, &'a str)> {
        let scalars = self.scalars(name);
        scalars.map(|(at, parts)| (at, parts.first().copied().unwrap_or_default()))
    }

    /// The word of an enumeration.
    pub(super) fn word(&self, name: &str) -> Option<&'a str> {
        self.words(name).next().map(|(_, word)| word)
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        matches!(self.word(name), Some("true" | "True" | "t" | "1"))
    }

    pub(super) fn integers(&self, name: &str) -> Result<Vec<i64>> {
        let words = self.words(name);
        words
            .map(|(at, word)| integer_text(self.text, at, word))
            .collect()
    }

    pub(super) fn integer(&self, name: &str) -> Result<Option<i64>> {
        let word = self.words(name).next();
        word.map(|(at, word)| integer_text(self.text, at, word))
            .transpose()
    }

    /// A number, 0 where there is none.
    pub(super) fn number(&self, name: &str) -> Result<i64> {
        Ok(self.integer(name)?.unwrap_or_default())
    }

    pub(super) fn decimal(&self, name: &str) -> Result<f64> {
        let Some((at, word)) = self.words(name).next() else {
            return Ok(0.0);
        };
        // `1.5f`
        let digits = word
            .strip_suffix('f')
            .filter(|digits| !digits.ends_with("in"));
        let number = digits.unwrap_or(word).parse();
        number.map_err(|_| ParseError::new(self.text, at, format!("'{word}' is no number")))
    }

    /// The bytes of a string.
    pub(super) fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some((at, parts)) = self.scalars(name).next() else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        for part in parts {
            let is_string = part.starts_with(['"', '\'']);
            match unescape(part).filter(|_| is_string) {
                Some(part) => bytes.extend(part),
                None => return Err(ParseError::new(self.text, at, "expected a string")),
            }
        }
        Ok(Some(bytes))
    }

    /// The strings of a name.
    pub(super) fn strings(&self, name: &str) -> Result<Vec<String>> {
        let strings = self.scalars(name).map(|(at, parts)| {
            let bytes = parts.iter().map(|part| unescape(part));
            let bytes: Option<Vec<Vec<u8>>> = bytes.collect();
            let text = bytes.and_then(|bytes| String::from_utf8(bytes.concat()).ok());
            text.ok_or_else(|| ParseError::new(self.text, at, "the string is not UTF-8"))
        });
        strings.collect()
    }

    /// The string of a name. None if there is none or it is empty, which is
    /// what protocol buffers take for none.
    pub(super) fn string(&self, name: &str) -> Result<Option<String>> {
        let string = self.strings(name)?.into_iter().next();
        Ok(string.filter(|string| !string.is_empty()))
    }
}
