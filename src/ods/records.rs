//! The records of a dialect, as printed by `llvm-tblgen --dump-json`.

use crate::error::Error;
use serde_json::{Map, Value};

/// All records of one TableGen file.
pub struct Records {
    records: Map<String, Value>,
    files: Vec<String>,
}

/// One record.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    records: &'a Records,
    fields: &'a Map<String, Value>,
    name: &'a str,
}

/// A parameter of a type or an attribute.
#[derive(Clone, Copy)]
pub enum Parameter<'a> {
    /// The class in C++.
    Class(&'a str),
    /// A record.
    Record(Record<'a>),
}

impl Records {
    /// Parses the JSON text.
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        match serde_json::from_slice(text) {
            Ok(Value::Object(records)) => Ok(Self {
                records,
                files: Vec::new(),
            }),
            Ok(_) => Err(Error("the records are not a JSON object".to_owned())),
            Err(error) => Err(Error(error.to_string())),
        }
    }

    /// Sets the files of the records: TableGen outputs only the last components of their paths.
    pub fn with_files(self, files: Vec<String>) -> Self {
        Self { files, ..self }
    }

    /// The record of a name.
    pub fn get(&self, name: &str) -> Option<Record<'_>> {
        let (name, value) = self.records.get_key_value(name)?;
        Some(Record {
            records: self,
            fields: value.as_object()?,
            name,
        })
    }

    /// The records that derive from a class, in TableGen's order.
    pub fn instances_of(&self, class: &str) -> Vec<Record<'_>> {
        let names = self
            .records
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

    /// Returns true if the record has no name.
    pub fn is_anonymous(&self) -> bool {
        self.fields.get("!anonymous") == Some(&Value::Bool(true))
    }

    /// The location of the record: `path:line`.
    pub fn location(&self) -> Option<String> {
        let place = self.fields.get("!locs")?.as_array()?.first()?.as_str()?;
        let (name, line) = place.rsplit_once(':')?;
        let is_it = |file: &&String| file.rsplit('/').next() == Some(name);
        let file = self.records.files.iter().find(is_it);
        Some(format!("{}:{line}", file.map_or(name, String::as_str)))
    }

    /// An error at the location of the record.
    pub fn error(&self, message: impl std::fmt::Display) -> Error {
        match self.location() {
            Some(place) => Error(format!("{place}: error: {message}")),
            None => Error(message.to_string()),
        }
    }

    /// Returns true if the record derives from a class.
    pub fn is_a(&self, class: &str) -> bool {
        self.fields
            .get("!superclasses")
            .and_then(Value::as_array)
            .is_some_and(|classes| classes.iter().any(|name| name == class))
    }

    /// A string or code field, trimmed; `None` if it is empty.
    pub fn text(&self, field: &str) -> Option<&'a str> {
        let text = self.fields.get(field)?.as_str()?.trim();
        (!text.is_empty()).then_some(text)
    }

    /// A string field of several lines, verbatim.
    pub fn source(&self, field: &str) -> String {
        let text = self.fields.get(field).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    }

    /// A string field, or an error.
    pub fn required_text(&self, field: &str) -> Result<&'a str, Error> {
        self.text(field).ok_or_else(|| self.lacks(field))
    }

    /// A bit field.
    pub fn flag(&self, field: &str) -> bool {
        self.number(field) == Some(1)
    }

    /// An integer field.
    pub fn number(&self, field: &str) -> Option<i64> {
        self.fields.get(field)?.as_i64()
    }

    /// A record field.
    pub fn record(&self, field: &str) -> Option<Record<'a>> {
        self.follow(self.fields.get(field)?)
    }

    /// A field with a list of records.
    pub fn list(&self, field: &str) -> Vec<Record<'a>> {
        let list = self.fields.get(field).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(|value| self.follow(value)).collect()
    }

    /// A field with a list of strings.
    pub fn texts(&self, field: &str) -> Vec<&'a str> {
        let list = self.fields.get(field).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// The arguments of a dag field, each with its name.
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

    /// The arguments of a dag field, some of them strings, with their names.
    pub fn parameters(&self, field: &str) -> Vec<(Parameter<'a>, &'a str)> {
        let dag = self.fields.get(field).and_then(|dag| dag.get("args"));
        let arguments = dag.and_then(Value::as_array).into_iter().flatten();
        arguments
            .filter_map(|argument| {
                let value = argument.get(0)?;
                let parameter = match value.as_str() {
                    Some(text) => Parameter::Class(text),
                    None => Parameter::Record(self.follow(value)?),
                };
                Some((parameter, argument.get(1)?.as_str()?))
            })
            .collect()
    }

    /// All records of the file.
    pub fn all(&self) -> &'a Records {
        self.records
    }

    /// Returns true if the file has a record of a name.
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
