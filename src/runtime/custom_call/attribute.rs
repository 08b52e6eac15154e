//! The attributes of a call site.

use std::collections::BTreeMap;

use halo_core::{ElementType, Scalar};
use serde::{Deserialize, Serialize};

use super::attribute_encoding::FlatAttributes;

/// A compile-time argument of a custom call.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    /// A number or truth value, with its type in the program.
    Number(ElementType, Scalar),
    /// A string, or the name of a case of an enumeration: `TRANSPOSE`.
    Text(String),
    List(Vec<Attribute>),
    Dictionary(Attributes),
}

/// Attributes by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "FlatAttributes", into = "FlatAttributes")]
pub struct Attributes(pub BTreeMap<String, Attribute>);

impl Attributes {
    /// The attribute of this name.
    ///
    /// # Errors
    /// Returns one line of text if there is none.
    pub fn required(&self, name: &str) -> Result<&Attribute, String> {
        let attribute = self.0.get(name);
        attribute.ok_or_else(|| format!("attribute '{name}' is missing"))
    }

    /// A truth value.
    ///
    /// # Errors
    /// Returns an error if it is absent or something else.
    pub fn flag(&self, name: &str) -> Result<bool, String> {
        match self.required(name)? {
            Attribute::Number(ElementType::I1, value) => Ok(value.to_bool()),
            _ => Err(format!("attribute '{name}' is not a bool")),
        }
    }

    /// An integer.
    ///
    /// # Errors
    /// Returns an error if it is absent or something else.
    pub fn integer(&self, name: &str) -> Result<i64, String> {
        let number = self.required(name)?.integer();
        number.ok_or_else(|| format!("attribute '{name}' is not an integer"))
    }

    /// Integers.
    ///
    /// # Errors
    /// Returns an error if they are absent or something else.
    pub fn integers(&self, name: &str) -> Result<Vec<i64>, String> {
        let integers = match self.required(name)? {
            Attribute::List(list) => list.iter().map(Attribute::integer).collect(),
            _ => None,
        };
        integers.ok_or_else(|| format!("attribute '{name}' is not a list of integers"))
    }

    /// A string or the name of a case.
    ///
    /// # Errors
    /// Returns an error if it is absent or something else.
    pub fn text(&self, name: &str) -> Result<&str, String> {
        match self.required(name)? {
            Attribute::Text(text) => Ok(text),
            _ => Err(format!("attribute '{name}' is not a string")),
        }
    }
}

impl Attribute {
    /// The integer value, if the attribute is one.
    pub fn integer(&self) -> Option<i64> {
        match self {
            // A large unsigned number keeps its bits.
            Self::Number(_, Scalar::Int(value)) => Some(*value as i64),
            Self::Number(_, Scalar::Bool(value)) => Some(i64::from(*value)),
            _ => None,
        }
    }

    /// The float value, if the attribute is one.
    pub fn float(&self) -> Option<f64> {
        match self {
            Self::Number(_, Scalar::Float(value)) => Some(*value),
            _ => None,
        }
    }
}
