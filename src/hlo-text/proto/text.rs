//! Protocol buffers as text, without a schema: fields by name.

use pest::{Parser as _, iterators::Pair};

use super::message::{DEEPEST, Field, Message, Source, Value};
use crate::{ParseError, Position};

#[derive(pest_derive::Parser)]
#[grammar = "proto/text.pest"]
struct ProtoGrammar;

/// Reads a text into the message that it is.
pub(super) fn read(text: &str) -> Result<Message<'_>, ParseError> {
    let mut open: Vec<(&str, Message)> = Vec::new();
    let mut lines = Lines::default();
    let mut current = Message::new(Source::Text(text), 0, Position { line: 1, column: 1 });
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
                let message = Message::new(Source::Text(text), at, lines.position(text, at));
                open.push((name, std::mem::replace(&mut current, message)));
            }
            Rule::close_message => {
                let Some((name, outer)) = open.pop() else {
                    return Err(ParseError::new(text, at, "nothing is open here"));
                };
                let message = std::mem::replace(&mut current, outer);
                current.fields.push(Field {
                    name,
                    at: message.start(),
                    value: Value::Message(message),
                });
            }
            _ => {
                let name = inner.next().map_or("", |name| name.as_str());
                for scalar in inner {
                    current.fields.push(Field {
                        name,
                        at: at + scalar.as_span().start(),
                        value: Value::Written(
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
            current.start(),
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
    /// Line and column of a byte after those that were asked for before.
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
