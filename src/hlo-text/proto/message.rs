//! Messages of protocol buffers, as text or in binary: fields by name.

use halo_core::ElementType;

use crate::{
    ParseError, Position,
    parser::{element_bits, integer_text, unescape},
};

/// How deep messages may be nested.
pub(super) const DEEPEST: usize = 100;

/// Fields in the order of the file.
pub(super) struct Message<'a> {
    source: Source<'a>,
    /// Where the message begins.
    at: usize,
    pub(super) position: Position,
    pub(super) fields: Vec<Field<'a>>,
}

/// Where a message comes from, which says how its places are told.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Text(&'a str),
    Binary,
}

pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) at: usize,
    pub(super) value: Value<'a>,
}

pub(super) enum Value<'a> {
    Message(Message<'a>),
    /// Of a text: as it is written, with quotes.
    Written(Vec<&'a str>),
    /// An integer or a truth value.
    Integer(i64),
    Decimal(f64),
    /// The name of an enumeration's value.
    Word(&'static str),
    Bytes(&'a [u8]),
    /// Numbers of so many bytes, one after the other, least significant first.
    Fixed(usize, &'a [u8]),
    /// Integers of varying length.
    Varying(&'a [u8]),
}

impl<'a> Message<'a> {
    pub(super) fn new(source: Source<'a>, at: usize, position: Position) -> Self {
        Self {
            source,
            at,
            position,
            fields: Vec::new(),
        }
    }

    /// Where the message begins.
    pub(super) fn start(&self) -> usize {
        self.at
    }

    /// An error at the message.
    pub(super) fn error(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.at, message)
    }

    fn error_at(&self, at: usize, message: impl Into<String>) -> ParseError {
        match self.source {
            Source::Text(text) => ParseError::new(text, at, message),
            Source::Binary => ParseError::in_binary(at, &message.into()),
        }
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &Field<'a>> + Clone {
        self.fields.iter().filter(move |field| field.name == name)
    }

    /// Whether there is a field of a name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }

    /// The messages of a name.
    pub(super) fn messages(&self, name: &str) -> impl Iterator<Item = &Message<'a>> + Clone {
        self.named(name).filter_map(|field| match &field.value {
            Value::Message(message) => Some(message),
            _ => None,
        })
    }

    /// The message of a name.
    pub(super) fn message(&self, name: &str) -> Option<&Message<'a>> {
        self.messages(name).next()
    }

    /// The words of enumerations.
    pub(super) fn words(&self, name: &str) -> impl Iterator<Item = &'a str> {
        self.named(name).filter_map(|field| match &field.value {
            Value::Written(parts) => parts.first().copied(),
            Value::Word(word) => Some(*word),
            _ => None,
        })
    }

    /// The word of an enumeration.
    pub(super) fn word(&self, name: &str) -> Option<&'a str> {
        self.words(name).next()
    }

    /// Truth values.
    pub(super) fn flags(&self, name: &str) -> Result<Vec<bool>, ParseError> {
        let mut flags = Vec::new();
        for field in self.named(name) {
            match &field.value {
                Value::Written(parts) => flags.push(matches!(
                    parts.first().copied(),
                    Some("true" | "True" | "t" | "1")
                )),
                _ => flags.extend(self.integers_of(field)?.into_iter().map(|it| it != 0)),
            }
        }
        Ok(flags)
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        let flags = self.flags(name).unwrap_or_default();
        flags.last().copied().unwrap_or_default()
    }

    fn integers_of(&self, field: &Field<'a>) -> Result<Vec<i64>, ParseError> {
        match &field.value {
            Value::Written(parts) => {
                let word = parts.first().copied().unwrap_or_default();
                match self.source {
                    Source::Text(text) => Ok(vec![integer_text(text, field.at, word)?]),
                    Source::Binary => Ok(Vec::new()),
                }
            }
            Value::Integer(value) => Ok(vec![*value]),
            Value::Varying(bytes) => {
                let mut rest = *bytes;
                let mut values = Vec::new();
                while !rest.is_empty() {
                    let value = prost::encoding::decode_varint(&mut rest);
                    let value =
                        value.map_err(|error| self.error_at(field.at, error.to_string()))?;
                    values.push(value as i64);
                }
                Ok(values)
            }
            _ => Err(self.error_at(field.at, "expected an integer")),
        }
    }

    pub(super) fn integers(&self, name: &str) -> Result<Vec<i64>, ParseError> {
        let mut values = Vec::new();
        for field in self.named(name) {
            values.extend(self.integers_of(field)?);
        }
        Ok(values)
    }

    pub(super) fn integer(&self, name: &str) -> Result<Option<i64>, ParseError> {
        match self.named(name).next() {
            Some(field) => Ok(self.integers_of(field)?.first().copied()),
            None => Ok(None),
        }
    }

    /// A number, 0 where there is none.
    pub(super) fn number(&self, name: &str) -> Result<i64, ParseError> {
        Ok(self.integer(name)?.unwrap_or_default())
    }

    pub(super) fn decimal(&self, name: &str) -> Result<f64, ParseError> {
        let Some(field) = self.named(name).next() else {
            return Ok(0.0);
        };
        match &field.value {
            Value::Decimal(value) => Ok(*value),
            Value::Written(parts) => {
                let word = parts.first().copied().unwrap_or_default();
                // `1.5f`
                let digits = word
                    .strip_suffix('f')
                    .filter(|digits| !digits.ends_with("in"));
                let number = digits.unwrap_or(word).parse();
                number.map_err(|_| self.error_at(field.at, format!("'{word}' is not a number")))
            }
            _ => Err(self.error_at(field.at, "expected a number")),
        }
    }

    /// The elements of a literal's field, as literals store them.
    pub(super) fn elements(&self, name: &str, part: ElementType) -> Result<Vec<u8>, ParseError> {
        let width = part.byte_width();
        let mut elements: Vec<u8> = Vec::new();
        let push = |elements: &mut Vec<u8>, bits: u64| {
            elements.extend_from_slice(bits.to_le_bytes().get(..width).unwrap_or_default());
        };
        for field in self.named(name) {
            match &field.value {
                Value::Written(parts) => {
                    let word = parts.first().copied().unwrap_or_default();
                    // `1.5f`
                    let is_float = part.is_float() && !word.ends_with("inf");
                    let digits = if is_float {
                        word.strip_suffix('f')
                    } else {
                        None
                    };
                    let bits = element_bits(part, digits.unwrap_or(word));
                    push(
                        &mut elements,
                        bits.map_err(|wrong| self.error_at(field.at, wrong))?,
                    );
                }
                Value::Fixed(size, bytes) if *size == width => elements.extend_from_slice(bytes),
                Value::Decimal(value) if width == 4 => {
                    push(&mut elements, (*value as f32).to_bits().into())
                }
                Value::Decimal(value) => push(&mut elements, value.to_bits()),
                _ if part == ElementType::I1 => {
                    for value in self.integers_of(field)? {
                        push(&mut elements, u64::from(value != 0));
                    }
                }
                _ => {
                    for value in self.integers_of(field)? {
                        push(&mut elements, value as u64);
                    }
                }
            }
        }
        Ok(elements)
    }

    /// The bytes of a string.
    pub(super) fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, ParseError> {
        let field = self.named(name).next();
        field.map(|field| self.bytes_of(field)).transpose()
    }

    fn bytes_of(&self, field: &Field<'a>) -> Result<Vec<u8>, ParseError> {
        let wrong = || self.error_at(field.at, "expected a string");
        match &field.value {
            Value::Bytes(bytes) => Ok(bytes.to_vec()),
            Value::Written(parts) => {
                let mut bytes = Vec::new();
                for part in parts {
                    let is_string = part.starts_with(['"', '\'']);
                    bytes.extend(unescape(part).filter(|_| is_string).ok_or_else(wrong)?);
                }
                Ok(bytes)
            }
            _ => Err(wrong()),
        }
    }

    /// The strings of a name.
    pub(super) fn strings(&self, name: &str) -> Result<Vec<String>, ParseError> {
        let strings = self.named(name).map(|field| {
            let text = String::from_utf8(self.bytes_of(field)?);
            text.map_err(|_| self.error_at(field.at, "the string is not UTF-8"))
        });
        strings.collect()
    }

    /// The string of a name. None if there is none or it is empty, which is
    /// what protocol buffers take for none.
    pub(super) fn string(&self, name: &str) -> Result<Option<String>, ParseError> {
        let string = self.strings(name)?.into_iter().next();
        Ok(string.filter(|string| !string.is_empty()))
    }
}
