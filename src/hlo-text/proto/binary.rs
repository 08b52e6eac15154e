//! Protocol buffers in binary, by their schema.

use prost::encoding::{WireType, decode_key, decode_varint};

use super::{
    message::{DEEPEST, Field, Message, Source, Value},
    schema::{HLO_MODULE, HLO_PROTO, HLO_SNAPSHOT, Kind, Schema, Words},
};
use crate::{ParseError, Position};

/// Which message a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageKind {
    Module,
    Proto,
    Snapshot,
}

/// Whether bytes are a message of modules: its first field is one of bytes, and
/// it is no text.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    let is_text = |byte: &u8| *byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    // A text may begin with a line break, which is the key of field 1, too.
    let is_cut = |error: std::str::Utf8Error| error.error_len().is_none();
    let is_text =
        head.iter().all(is_text) && std::str::from_utf8(head).map_or_else(is_cut, |_| true);
    bytes.first() == Some(&0x0a) && bytes.len() > 1 && !is_text
}

/// Reads the message that a file is.
pub(super) fn read(bytes: &[u8]) -> Result<(MessageKind, Message<'_>), ParseError> {
    let kind = message_kind(bytes);
    let schema = match kind {
        MessageKind::Module => &HLO_MODULE,
        MessageKind::Proto => &HLO_PROTO,
        MessageKind::Snapshot => &HLO_SNAPSHOT,
    };
    let reader = Reader { whole: bytes };
    Ok((kind, reader.message(bytes, schema, 0)?))
}

/// By how deep the name of the module stands, which is its first field.
fn message_kind(bytes: &[u8]) -> MessageKind {
    let Some(inner) = first_field(bytes) else {
        return MessageKind::Module;
    };
    let Some(innermost) = first_field(inner) else {
        return MessageKind::Module;
    };
    match first_field(innermost) {
        Some(_) => MessageKind::Snapshot,
        None => MessageKind::Proto,
    }
}

/// The value of field 1, if it comes first and its bytes can be a message:
/// the name of a module cannot, unless it begins with a line break.
fn first_field(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes.strip_prefix(&[0x0a])?;
    let length = usize::try_from(decode_varint(&mut rest).ok()?).ok()?;
    Some(rest.get(..length).unwrap_or(rest))
}

struct Reader<'a> {
    whole: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Where a rest of the file begins.
    fn offset(&self, rest: &[u8]) -> usize {
        let whole = self.whole.as_ptr().addr();
        rest.as_ptr().addr().saturating_sub(whole)
    }

    fn error(&self, rest: &[u8], message: &str) -> ParseError {
        ParseError::in_binary(self.offset(rest), message)
    }

    fn message(
        &self,
        bytes: &'a [u8],
        schema: &'static Schema,
        depth: usize,
    ) -> Result<Message<'a>, ParseError> {
        if depth > DEEPEST {
            let message = format!("nested deeper than {DEEPEST} levels");
            return Err(self.error(bytes, &message));
        }
        let mut message = Message::new(Source::Binary, self.offset(bytes), Position::default());
        let mut rest = bytes;
        while !rest.is_empty() {
            let start = rest;
            let at = self.offset(start);
            let key = decode_key(&mut rest);
            let (number, wire) =
                key.map_err(|_| self.error(start, "expected the key of a field"))?;
            let payload = self.payload(&mut rest, wire)?;
            let Some((name, kind)) = schema.numbered(number) else {
                continue;
            };
            let item = self.value(payload, kind, depth);
            let item = item.map_err(|wrong| match wrong {
                Wrong::Inside(error) => error,
                Wrong::Encoding => {
                    let message = format!("field '{name}' is encoded with the wrong wire type");
                    self.error(start, &message)
                }
            })?;
            match item {
                // Of an enumeration each value is a field.
                Item::Words(words) => {
                    let words = words.into_iter().map(Value::Word);
                    message
                        .fields
                        .extend(words.map(|value| Field { name, at, value }));
                }
                Item::Value(value) => message.fields.push(Field { name, at, value }),
            }
        }
        Ok(message)
    }

    /// Reads the value after a key.
    fn payload(&self, rest: &mut &'a [u8], wire: WireType) -> Result<Payload<'a>, ParseError> {
        let start = *rest;
        match wire {
            WireType::SixtyFourBit => Ok(Payload::Fixed(self.take(rest, 8)?)),
            WireType::ThirtyTwoBit => Ok(Payload::Fixed(self.take(rest, 4)?)),
            WireType::Varint => {
                let value = decode_varint(rest);
                let value = value.map_err(|_| self.error(start, "expected a number"))?;
                Ok(Payload::Varint(value))
            }
            WireType::LengthDelimited => {
                let length = decode_varint(rest);
                let length = length.map_err(|_| self.error(start, "expected a length"))?;
                Ok(Payload::Bytes(self.take(rest, length)?))
            }
            WireType::StartGroup | WireType::EndGroup => {
                Err(self.error(start, "groups are not a part of these messages"))
            }
        }
    }

    fn take(&self, rest: &mut &'a [u8], length: u64) -> Result<&'a [u8], ParseError> {
        let parts = usize::try_from(length).ok();
        let parts = parts.and_then(|length| rest.split_at_checked(length));
        let Some((head, tail)) = parts else {
            return Err(self.error(rest, "the field ends after its message"));
        };
        *rest = tail;
        Ok(head)
    }

    fn value(
        &self,
        payload: Payload<'a>,
        kind: Kind,
        depth: usize,
    ) -> std::result::Result<Item<'a>, Wrong> {
        Ok(Item::Value(match (kind, payload) {
            (Kind::Message(schema), Payload::Bytes(bytes)) => {
                let message = self.message(bytes, schema, depth + 1);
                Value::Message(message.map_err(Wrong::Inside)?)
            }
            (Kind::Text | Kind::Bytes, Payload::Bytes(bytes)) => Value::Bytes(bytes),
            (Kind::Integer | Kind::Flag, Payload::Varint(value)) => Value::Integer(value as i64),
            (Kind::Integer | Kind::Flag, Payload::Bytes(bytes)) => Value::Varying(bytes),
            (Kind::Float, Payload::Fixed(bytes)) => {
                let bytes = bytes.try_into().map_err(|_| Wrong::Encoding)?;
                Value::Decimal(f32::from_le_bytes(bytes).into())
            }
            (Kind::Double, Payload::Fixed(bytes)) => {
                let bytes = bytes.try_into().map_err(|_| Wrong::Encoding)?;
                Value::Decimal(f64::from_le_bytes(bytes))
            }
            (Kind::Float, Payload::Bytes(bytes)) if bytes.len() % 4 == 0 => Value::Fixed(4, bytes),
            (Kind::Double, Payload::Bytes(bytes)) if bytes.len() % 8 == 0 => Value::Fixed(8, bytes),
            (Kind::Word(words), Payload::Varint(value)) => {
                return Ok(Item::Words(vec![word(words, value)]));
            }
            (Kind::Word(words), Payload::Bytes(mut bytes)) => {
                let mut found = Vec::new();
                while !bytes.is_empty() {
                    let value = decode_varint(&mut bytes).map_err(|_| Wrong::Encoding)?;
                    found.push(word(words, value));
                }
                return Ok(Item::Words(found));
            }
            _ => return Err(Wrong::Encoding),
        }))
    }
}

/// The value after a key, by its wire type.
enum Payload<'a> {
    Varint(u64),
    Fixed(&'a [u8]),
    Bytes(&'a [u8]),
}

/// A decoded field.
enum Item<'a> {
    Value(Value<'a>),
    Words(Vec<&'static str>),
}

enum Wrong {
    Encoding,
    Inside(ParseError),
}

/// The name of an enumeration's value. One that is newer than the schema has
/// none, which is told where its meaning matters.
fn word(words: Words, value: u64) -> &'static str {
    let found = words.iter().find(|word| word.0 == value as i64);
    found.map_or("an unknown value", |word| word.1)
}
