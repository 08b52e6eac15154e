//! Writes fields of messages by name. An error names the field that cannot be written.

use prost::encoding::{WireType, encode_key, encode_varint};

use crate::proto::schema::{Kind, Schema};

/// A message under construction. Default values are not written.
pub(super) struct Encoder {
    schema: &'static Schema,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new(schema: &'static Schema) -> Self {
        Self {
            schema,
            bytes: Vec::new(),
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes the key of a field. The names are those of the schema, which tests
    /// see to.
    fn key(&mut self, name: &str, wire: WireType) -> Option<Kind> {
        let found = self.schema.named(name);
        debug_assert!(found.is_some(), "there is no field '{name}'");
        let (number, kind) = found?;
        encode_key(number, wire, &mut self.bytes);
        Some(kind)
    }

    fn delimited(&mut self, name: &str, inner: &[u8]) {
        if self.key(name, WireType::LengthDelimited).is_some() {
            encode_varint(inner.len() as u64, &mut self.bytes);
            self.bytes.extend_from_slice(inner);
        }
    }

    pub(super) fn integer(&mut self, name: &str, value: i64) {
        if value != 0 {
            self.some_integer(name, value);
        }
    }

    /// An integer that is written even where it is 0.
    pub(super) fn some_integer(&mut self, name: &str, value: i64) {
        if self.key(name, WireType::Varint).is_some() {
            encode_varint(value as u64, &mut self.bytes);
        }
    }

    pub(super) fn integers(&mut self, name: &str, values: &[i64]) {
        if values.is_empty() {
            return;
        }
        let mut inner = Vec::new();
        for value in values {
            encode_varint(*value as u64, &mut inner);
        }
        self.delimited(name, &inner);
    }

    pub(super) fn flag(&mut self, name: &str, value: bool) {
        self.integer(name, value.into());
    }

    pub(super) fn flags(&mut self, name: &str, values: impl Iterator<Item = bool>) {
        let values: Vec<i64> = values.map(i64::from).collect();
        self.integers(name, &values);
    }

    pub(super) fn decimal(&mut self, name: &str, value: f64) {
        if value == 0.0 {
            return;
        }
        match self.schema.named(name) {
            Some((_, Kind::Float)) => {
                self.key(name, WireType::ThirtyTwoBit);
                self.bytes.extend_from_slice(&(value as f32).to_le_bytes());
            }
            _ => {
                self.key(name, WireType::SixtyFourBit);
                self.bytes.extend_from_slice(&value.to_le_bytes());
            }
        }
    }

    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.bytes(name, text.as_bytes());
    }

    pub(super) fn texts<'a>(&mut self, name: &str, texts: impl Iterator<Item = &'a str>) {
        for text in texts {
            self.delimited(name, text.as_bytes());
        }
    }

    /// Bytes, or numbers that are in memory as the message has them.
    pub(super) fn bytes(&mut self, name: &str, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.delimited(name, bytes);
        }
    }

    /// The value of an enumeration.
    pub(super) fn word(&mut self, name: &str, word: &str) -> Result<(), String> {
        let value = self.number_of(name, word)?;
        self.integer(name, value);
        Ok(())
    }

    pub(super) fn words(&mut self, name: &str, words: &[String]) -> Result<(), String> {
        let values = words.iter().map(|word| self.number_of(name, word));
        let values = values.collect::<Result<Vec<_>, String>>()?;
        self.integers(name, &values);
        Ok(())
    }

    fn number_of(&self, name: &str, word: &str) -> Result<i64, String> {
        let Some((_, Kind::Word(words))) = self.schema.named(name) else {
            return Err(format!("there is no enumeration '{name}'"));
        };
        let found = words.iter().find(|known| known.1 == word);
        let found = found.ok_or_else(|| format!("'{word}' is not a value of '{name}'"))?;
        Ok(found.0)
    }

    pub(super) fn message(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut Encoder) -> Result<(), String>,
    ) -> Result<(), String> {
        let Some((_, Kind::Message(schema))) = self.schema.named(name) else {
            return Err(format!("there is no message '{name}'"));
        };
        let mut inner = Encoder::new(schema);
        write(&mut inner)?;
        self.delimited(name, &inner.bytes);
        Ok(())
    }
}
