//! The tables of attributes and types.

use super::{
    attributes::{self, Attribute},
    encodings::Member,
    types::{self, Type},
};
use crate::{
    Error,
    bytecode::{
        cursor::Cursor,
        format::MAX_NESTING,
        tables::{self, Dialects, Entry, Strings},
    },
};

/// The references of an entry.
#[derive(Clone, Copy)]
pub enum Reference {
    Attribute(usize),
    Type(usize),
}

/// An attribute or a type: the properties that entries with references to it check, and its
/// references.
pub struct Node<T> {
    pub value: T,
    references: Vec<Reference>,
    /// The offset in the file.
    offset: usize,
}

/// All attributes and types.
pub struct Entries<'a> {
    attributes: Vec<Node<Attribute<'a>>>,
    types: Vec<Node<Type>>,
}

/// Reads the members of an entry.
pub struct Members<'r, 'a> {
    pub cursor: Cursor<'a>,
    pub strings: &'r Strings,
    attribute_count: usize,
    type_count: usize,
    references: Vec<Reference>,
}

/// A value of a member of a dialect's encoding.
pub enum Value {
    Number(u64),
    Signed(i64),
    SignedList(Vec<i64>),
    Double(f64),
    Doubles(Vec<f64>),
    Type(usize),
    /// Any other, whose content is irrelevant.
    Other,
}

impl<'a> Entries<'a> {
    pub fn read(
        table: &tables::Entries<'a>,
        dialects: &Dialects,
        strings: &Strings,
    ) -> Result<Self, Error> {
        let members = |entry: &Entry<'a>| Members {
            cursor: entry.content,
            strings,
            attribute_count: table.attributes.len(),
            type_count: table.types.len(),
            references: Vec::new(),
        };
        let name = |entry: &Entry| dialects.names.get(entry.dialect).map_or(&b""[..], |n| n);
        let mut entries = Self {
            attributes: Vec::new(),
            types: Vec::new(),
        };
        for entry in &table.types {
            let mut members = members(entry);
            let value = if entry.custom {
                types::read(&mut members, name(entry))?
            } else {
                types::from_text(members.text()?)
            };
            entries.types.push(members.finish(value, entry)?);
        }
        for entry in &table.attributes {
            let mut members = members(entry);
            let value = if entry.custom {
                attributes::read(&mut members, name(entry), &entries)?
            } else {
                Attribute::Text(members.text()?)
            };
            entries.attributes.push(members.finish(value, entry)?);
        }
        Ok(entries)
    }

    /// The number of attributes and types.
    pub fn count(&self) -> usize {
        self.attributes.len() + self.types.len()
    }

    pub fn attribute_count(&self) -> usize {
        self.attributes.len()
    }

    pub fn type_count(&self) -> usize {
        self.types.len()
    }

    pub fn attribute(&self, number: usize) -> Option<&Attribute<'a>> {
        self.attributes.get(number).map(|node| &node.value)
    }

    pub fn ty(&self, number: usize) -> Option<&Type> {
        self.types.get(number).map(|node| &node.value)
    }

    /// The references of an entry; attributes come first, then types.
    pub fn references(&self, node: usize) -> Vec<usize> {
        let index_of = |reference: &Reference| match reference {
            Reference::Attribute(number) => *number,
            Reference::Type(number) => self.attributes.len() + number,
        };
        let references = match self.attributes.get(node) {
            Some(attribute) => &attribute.references,
            None => match self.types.get(node - self.attributes.len()) {
                Some(ty) => &ty.references,
                None => return Vec::new(),
            },
        };
        references.iter().map(index_of).collect()
    }

    /// Checks the consistency of attributes and types with each other. None of them contains
    /// itself.
    pub fn check(&self) -> Result<(), Error> {
        for node in &self.types {
            types::check(&node.value, self)
                .map_err(|message| Error::malformed(node.offset, message))?;
        }
        for node in &self.attributes {
            attributes::check(&node.value, self)
                .map_err(|message| Error::malformed(node.offset, message))?;
        }
        Ok(())
    }
}

impl<'a> Members<'_, 'a> {
    fn finish<T>(self, value: T, entry: &Entry) -> Result<Node<T>, Error> {
        self.cursor.finish("an attribute or a type")?;
        Ok(Node {
            value,
            references: self.references,
            offset: entry.content.offset(),
        })
    }

    /// A textual entry, which MLIR's recursive parser reads.
    fn text(&mut self) -> Result<&'a str, Error> {
        let error = |message: &str| self.cursor.error(message);
        let nested = error(&format!(
            "an attribute or type nested more than {MAX_NESTING} levels deep"
        ));
        let not_text = error("an attribute or type that is not valid UTF-8");
        let text = self.cursor.terminated("an attribute or a type")?;
        let mut depth = 0_usize;
        for byte in text {
            match byte {
                b'(' | b'[' | b'{' | b'<' => depth += 1,
                b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MAX_NESTING {
                return Err(nested);
            }
        }
        std::str::from_utf8(text).map_err(|_| not_text)
    }

    pub fn number(&mut self) -> Result<u64, Error> {
        self.cursor.number("a member")
    }

    pub fn signed_list(&mut self) -> Result<Vec<i64>, Error> {
        self.cursor.signed_list("numbers")
    }

    /// The number of a string.
    pub fn string(&mut self) -> Result<(), Error> {
        let offset = self.cursor.offset();
        let number = self.number()?;
        self.strings.get(number, offset).map(|_| ())
    }

    pub fn attribute(&mut self) -> Result<usize, Error> {
        let offset = self.cursor.offset();
        let number = self.number()?;
        self.refer_to_attribute(number, offset)
    }

    fn refer_to_attribute(&mut self, number: u64, offset: usize) -> Result<usize, Error> {
        let number = tables::index(number, self.attribute_count, offset, "attribute")?;
        self.references.push(Reference::Attribute(number));
        Ok(number)
    }

    /// Reads an attribute with a flag for its presence; returns the flag.
    fn optional_attribute(&mut self) -> Result<bool, Error> {
        let offset = self.cursor.offset();
        let (number, is_there) = self.cursor.flagged("an optional attribute")?;
        if is_there {
            self.refer_to_attribute(number, offset)?;
        }
        Ok(is_there)
    }

    pub fn attributes(&mut self) -> Result<Vec<usize>, Error> {
        let count = self.cursor.count("attributes")?;
        (0..count).map(|_| self.attribute()).collect()
    }

    pub fn ty(&mut self) -> Result<usize, Error> {
        let offset = self.cursor.offset();
        let number = self.number()?;
        let number = tables::index(number, self.type_count, offset, "type")?;
        self.references.push(Reference::Type(number));
        Ok(number)
    }

    pub fn types(&mut self) -> Result<Vec<usize>, Error> {
        let count = self.cursor.count("types")?;
        (0..count).map(|_| self.ty()).collect()
    }

    fn flag(&mut self) -> Result<bool, Error> {
        Ok(self.cursor.byte("a flag")? != 0)
    }

    /// Reads an entry of a dialect by its table of encodings.
    pub fn read_entry(
        &mut self,
        encodings: &[Option<&[Member]>],
        dialect: &[u8],
    ) -> Result<(usize, Vec<Value>), Error> {
        let offset = self.cursor.offset();
        let code = self.number()?;
        let encoding = usize::try_from(code).ok().and_then(|code| {
            let encoding = encodings.get(code).copied().flatten()?;
            Some((code, encoding))
        });
        let Some((code, encoding)) = encoding else {
            let dialect = String::from_utf8_lossy(dialect);
            let message = format!("code {code} of dialect '{dialect}' is not known");
            return Err(Error::malformed(offset, message));
        };
        let values: Result<_, Error> = encoding.iter().map(|member| self.member(*member)).collect();
        Ok((code, values?))
    }

    fn member(&mut self, member: Member) -> Result<Value, Error> {
        match member {
            Member::Number => return Ok(Value::Number(self.number()?)),
            Member::Signed => return Ok(Value::Signed(self.cursor.signed("a member")?)),
            Member::SignedList => return Ok(Value::SignedList(self.signed_list()?)),
            Member::Double => return Ok(Value::Double(self.double()?)),
            Member::Doubles => {
                let count = self.cursor.count("numbers")?;
                let values: Result<_, Error> = (0..count).map(|_| self.double()).collect();
                return Ok(Value::Doubles(values?));
            }
            Member::Type => return Ok(Value::Type(self.ty()?)),
            Member::Below(limit) => {
                let offset = self.cursor.offset();
                let number = self.number()?;
                if number >= limit {
                    let message = format!("unknown case of an enumeration: {number}");
                    return Err(Error::malformed(offset, message));
                }
            }
            Member::OptionalNumber => {
                self.number()?;
            }
            Member::OptionalNumbers => {
                if self.flag()? {
                    self.cursor.list("numbers", |cursor| cursor.number("a member"))?;
                }
            }
            Member::Flag => {
                self.flag()?;
            }
            Member::Text => self.string()?,
            Member::Attribute => {
                self.attribute()?;
            }
            Member::OptionalAttribute => {
                self.optional_attribute()?;
            }
            Member::FlaggedAttribute => {
                if self.flag()? {
                    self.attribute()?;
                }
            }
            Member::Attributes => {
                self.attributes()?;
            }
            Member::OptionalAttributes | Member::PresentAttributes => {
                if self.flag()? {
                    for _ in 0..self.cursor.count("attributes")? {
                        let is_there = self.optional_attribute()?;
                        if member == Member::PresentAttributes && !is_there {
                            return Err(self.cursor.error("a list with an absent attribute"));
                        }
                    }
                }
            }
            Member::Types => {
                self.types()?;
            }
        }
        Ok(Value::Other)
    }

    fn double(&mut self) -> Result<f64, Error> {
        Ok(f64::from_bits(self.cursor.bits(64, "a number")?))
    }
}
