//! Attributes in files: a list of nodes, each with the number of its children among the following
//! nodes. Reading it needs no recursion, whatever the file contains.

use halo_core::{Complex, ElementType, Scalar};
use serde::{Deserialize, Serialize};

use super::{Attribute, Attributes};
use crate::plan::encoding::text;

/// The maximum nesting of lists and dictionaries in a file.
const MAX_DEPTH: usize = 64;

/// Attributes as a list of nodes: the dictionary, in prefix order.
#[derive(Serialize, Deserialize)]
pub struct FlatAttributes(Vec<Node>);

#[derive(Serialize, Deserialize)]
struct Node {
    /// Present in a dictionary.
    name: Option<String>,
    value: Value,
}

#[derive(Serialize, Deserialize)]
enum Value {
    Bool(#[serde(with = "text")] ElementType, bool),
    Int(#[serde(with = "text")] ElementType, i128),
    Float(#[serde(with = "text")] ElementType, f64),
    Complex(#[serde(with = "text")] ElementType, f64, f64),
    Text(String),
    /// So many parts.
    List(u32),
    /// A dictionary with the number of its named children.
    Dictionary(u32),
}

impl From<Attributes> for FlatAttributes {
    fn from(attributes: Attributes) -> Self {
        let mut nodes = Vec::new();
        let mut pending = vec![(None, Attribute::Dictionary(attributes))];
        while let Some((name, attribute)) = pending.pop() {
            let value = match attribute {
                Attribute::Number(element_type, scalar) => match scalar {
                    Scalar::Bool(value) => Value::Bool(element_type, value),
                    Scalar::Int(value) => Value::Int(element_type, value),
                    Scalar::Float(value) => Value::Float(element_type, value),
                    Scalar::Complex(value) => Value::Complex(element_type, value.re, value.im),
                },
                Attribute::Text(text) => Value::Text(text),
                Attribute::List(list) => {
                    let count = list.len() as u32;
                    pending.extend(list.into_iter().rev().map(|part| (None, part)));
                    Value::List(count)
                }
                Attribute::Dictionary(Attributes(parts)) => {
                    let count = parts.len() as u32;
                    let parts = parts.into_iter().rev();
                    pending.extend(parts.map(|(name, part)| (Some(name), part)));
                    Value::Dictionary(count)
                }
            };
            nodes.push(Node { name, value });
        }
        Self(nodes)
    }
}

/// A list or dictionary whose children are being read.
struct Open {
    name: Option<String>,
    missing: u32,
    parts: Parts,
}

enum Parts {
    List(Vec<Attribute>),
    Dictionary(Attributes),
}

impl Open {
    /// Adds a child.
    fn add(&mut self, name: Option<String>, part: Attribute) -> Result<(), String> {
        self.missing = self.missing.checked_sub(1).ok_or("an attribute has too many parts")?;
        match (&mut self.parts, name) {
            (Parts::List(list), None) => list.push(part),
            (Parts::Dictionary(Attributes(dictionary)), Some(name)) => {
                if dictionary.insert(name, part).is_some() {
                    return Err("two attributes have one name".to_owned());
                }
            }
            _ => {
                return Err(
                    "an attribute in a list has a name, or one in a dictionary has none".to_owned(),
                );
            }
        }
        Ok(())
    }

    fn close(self) -> Named {
        let attribute = match self.parts {
            Parts::List(list) => Attribute::List(list),
            Parts::Dictionary(parts) => Attribute::Dictionary(parts),
        };
        (self.name, attribute)
    }
}

impl TryFrom<FlatAttributes> for Attributes {
    type Error = String;

    fn try_from(FlatAttributes(nodes): FlatAttributes) -> Result<Self, String> {
        let mut open: Vec<Open> = Vec::new();
        let mut nodes = nodes.into_iter();
        loop {
            let node = nodes.next().ok_or("attributes end early")?;
            let mut complete = match node.value {
                Value::Bool(of, value) => number(node.name, of, Scalar::Bool(value)),
                Value::Int(of, value) => number(node.name, of, Scalar::Int(value)),
                Value::Float(of, value) => number(node.name, of, Scalar::Float(value)),
                Value::Complex(of, re, im) => {
                    number(node.name, of, Scalar::Complex(Complex::new(re, im)))
                }
                Value::Text(text) => Some((node.name, Attribute::Text(text))),
                Value::List(missing) => {
                    let parts = Parts::List(Vec::new());
                    open.push(Open {
                        name: node.name,
                        missing,
                        parts,
                    });
                    finished(&mut open)
                }
                Value::Dictionary(missing) => {
                    let parts = Parts::Dictionary(Self::default());
                    open.push(Open {
                        name: node.name,
                        missing,
                        parts,
                    });
                    finished(&mut open)
                }
            };
            if open.len() > MAX_DEPTH {
                return Err("attributes are nested too deep".to_owned());
            }
            // A complete child may complete its parent.
            while let Some((name, attribute)) = complete.take() {
                match (open.last_mut(), attribute) {
                    (Some(parent), attribute) => parent.add(name, attribute)?,
                    (None, Attribute::Dictionary(attributes)) => {
                        return match nodes.next() {
                            None => Ok(attributes),
                            Some(_) => Err("something follows attributes".to_owned()),
                        };
                    }
                    (None, _) => return Err("attributes are not a dictionary".to_owned()),
                }
                complete = finished(&mut open);
            }
        }
    }
}

type Named = (Option<String>, Attribute);

fn number(name: Option<String>, element_type: ElementType, value: Scalar) -> Option<Named> {
    Some((name, Attribute::Number(element_type, value)))
}

/// The innermost list or dictionary, if it is complete.
fn finished(open: &mut Vec<Open>) -> Option<Named> {
    let last = open.pop_if(|last| last.missing == 0)?;
    Some(last.close())
}
