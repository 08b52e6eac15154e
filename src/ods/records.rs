//! The records of a dialect, as `llvm-tblgen --dump-json` prints them.

use crate::Error;
use serde_json::{Map, Value};

/// All records of one TableGen file.
pub struct Records(Map<String, Value>);

/// One record.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    records: &'a Records,
    fields: &'a Map<String, Value>,
    name: &'a str,
}

impl Records {
    /// Parses the JSON text.
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        match serde_json::from_slice(text) {
            Ok(Value::Object(records)) => Ok(Self(records)),
            Ok(_) => Err(Error("the records are not a JSON object".to_owned())),
            Err(error) => Err(Error(error.to_string())),
        }
    }

    /// The record of a name.
    pub fn get(&self, name: &str) -> Option<Record<'_>> {
        let (name, value) = self.0.get_key_value(name)?;
        Some(Record {
            records: self,
            fields: value.as_object()?,
            name,
        })
    }

    /// The records that derive from a class, in TableGen's order.
    pub fn instances_of(&self, class: &str) -> Vec<Record<'_>> {
        let names = self
            .0
            .get("!instanceof")
            .and_then(|classes| classes.get(class))
            .and_then(Value::as_array);
        names
            .into_iter()
            .flatten()
            .filter_map(|name| self.get(name.as_str()?))
            .collect()
    }
}

impl<'a> Record<'a> {
    /// The name of the `def`.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Whether the record derives from a class.
    pub fn is_a(&self, class: &str) -> bool {
        self.fields
            .get("!superclasses")
            .and_then(Value::as_array)
            .is_some_and(|classes| classes.iter().any(|name| name == class))
    }

    /// A field that is a string or code, trimmed; `None` where it is empty.
    pub fn text(&self, field: &str) -> Option<&'a str> {
        let text = self.fields.get(field)?.as_str()?.trim();
        (!text.is_empty()).then_some(text)
    }

    /// A field that is a string, or an error.
    pub fn required_text(&self, field: &str) -> Result<&'a str, Error> {
        self.text(field).ok_or_else(|| self.lacks(field))
    }

    /// A field that is a bit.
    pub fn flag(&self, field: &str) -> bool {
        self.number(field) == Some(1)
    }

    /// A field that is a number.
    pub fn number(&self, field: &str) -> Option<i64> {
        self.fields.get(field)?.as_i64()
    }

    /// A field that is another record.
    pub fn record(&self, field: &str) -> Option<Record<'a>> {
        self.follow(self.fields.get(field)?)
    }

    /// A field that is a list of records.
    pub fn list(&self, field: &str) -> Vec<Record<'a>> {
        let list = self.fields.get(field).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(|value| self.follow(value))
            .collect()
    }

    /// A field that is a list of strings.
    pub fn texts(&self, field: &str) -> Vec<&'a str> {
        let list = self.fields.get(field).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect()
    }

    /// The arguments of a field that is a dag, each with its name.
    pub fn dag(&self, field: &str) -> Result<Vec<(Record<'a>, Option<&'a str>)>, Error> {
        let arguments = self
            .fields
            .get(field)
            .and_then(|dag| dag.get("args"))
            .and_then(Value::as_array)
            .ok_or_else(|| self.lacks(field))?;
        arguments
            .iter()
            .map(|argument| {
                let record = argument.get(0).and_then(|value| self.follow(value));
                let record = record.ok_or_else(|| self.lacks(field))?;
                Ok((record, argument.get(1).and_then(Value::as_str)))
            })
            .collect()
    }

    /// Whether the file has a record of a name.
    pub fn knows(&self, name: &str) -> bool {
        self.records.get(name).is_some()
    }

    fn follow(&self, value: &Value) -> Option<Record<'a>> {
        self.records.get(value.get("def")?.as_str()?)
    }

    fn lacks(&self, field: &str) -> Error {
        Error(format!("record '{}' lacks '{field}'", self.name))
    }
}
