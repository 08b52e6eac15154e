//! The tables of strings, dialects, names of ops, and of the offsets of attributes and types.

use super::{
    cursor::Cursor,
    format::{section, since},
};
use crate::{Error, attribute::Bytes};

/// The sections of a file, by their number.
pub(super) struct Sections<'a>([Option<Cursor<'a>>; section::COUNT]);

impl<'a> Sections<'a> {
    pub fn read(mut cursor: Cursor<'a>) -> Result<Self, Error> {
        let mut sections = [None; section::COUNT];
        while !cursor.is_empty() {
            let offset = cursor.offset();
            let Section {
                number, content, ..
            } = Section::read(&mut cursor)?;
            let Some(section) = sections.get_mut(usize::from(number)) else {
                return Err(Error::malformed(
                    offset,
                    format!("there is no section of number {number}"),
                ));
            };
            if section.is_some() {
                return Err(Error::malformed(
                    offset,
                    format!("the section of number {number} is there twice"),
                ));
            }
            *section = Some(content);
        }
        Ok(Self(sections))
    }

    pub fn get(&self, number: u8) -> Option<Cursor<'a>> {
        self.0.get(usize::from(number)).copied().flatten()
    }

    pub fn expect(&self, number: u8, what: &str) -> Result<Cursor<'a>, Error> {
        self.get(number)
            .ok_or_else(|| Error::malformed(0, format!("there is no section of {what}")))
    }
}

/// One section.
pub(super) struct Section<'a> {
    pub number: u8,
    /// The alignment of its content in the file.
    pub alignment: u64,
    pub content: Cursor<'a>,
}

impl<'a> Section<'a> {
    pub fn read(cursor: &mut Cursor<'a>) -> Result<Self, Error> {
        let head = cursor.byte("the number of a section")?;
        let length = cursor.number("the length of a section")?;
        let mut alignment = 1;
        if head & 0x80 != 0 {
            let offset = cursor.offset();
            alignment = cursor.number("the alignment of a section")?;
            if !alignment.is_power_of_two() {
                return Err(Error::malformed(
                    offset,
                    format!("an alignment of {alignment} is not a power of two"),
                ));
            }
            // The padding before aligned content is determined by the offset, so it is not
            // searched.
            let padding = (cursor.offset() as u64).wrapping_neg() & (alignment - 1);
            cursor.bytes(padding, "padding")?;
        }
        Ok(Self {
            number: head & 0x7f,
            alignment,
            content: cursor.part(length, "a section")?,
        })
    }
}

/// The strings that everything else names by number.
#[derive(Default)]
pub(super) struct Strings(Vec<Bytes>);

impl Strings {
    pub fn read(mut cursor: Cursor) -> Result<Self, Error> {
        // The lengths, each with a zero at the end, are in reverse order.
        let lengths = cursor.list("strings", |cursor| {
            let offset = cursor.offset();
            let length = cursor.number("the length of a string")?;
            length
                .checked_sub(1)
                .ok_or_else(|| Error::malformed(offset, "a string needs a zero at its end"))
        })?;
        let mut strings = Vec::with_capacity(lengths.len());
        for length in lengths.into_iter().rev() {
            let bytes = cursor.bytes(length, "a string")?;
            if cursor.byte("the end of a string")? != 0 {
                return Err(cursor.error("expected a zero at the end of a string"));
            }
            strings.push(bytes.into());
        }
        cursor.finish("the strings")?;
        Ok(Self(strings))
    }

    pub fn get(&self, number: u64, offset: usize) -> Result<&Bytes, Error> {
        usize::try_from(number)
            .ok()
            .and_then(|number| self.0.get(number))
            .ok_or_else(|| {
                let count = self.0.len();
                Error::malformed(offset, format!("there is no string {number} of {count}"))
            })
    }

    /// Reads the number of a string.
    pub fn read_reference(&self, cursor: &mut Cursor, what: &str) -> Result<Bytes, Error> {
        let offset = cursor.offset();
        let number = cursor.number(what)?;
        self.get(number, offset).cloned()
    }
}

/// The name of an op.
pub(super) struct OpName {
    pub dialect: usize,
    pub name: Bytes,
    /// Whether the op was registered with the writer, which then wrote properties in the op's own
    /// format.
    pub registered: bool,
}

pub(super) struct Dialects {
    pub names: Vec<Bytes>,
    pub operations: Vec<OpName>,
}

impl Dialects {
    pub fn read(mut cursor: Cursor, format: u64, strings: &Strings) -> Result<Self, Error> {
        let names = cursor.list("dialects", |cursor| {
            let offset = cursor.offset();
            if format < since::DIALECT_VERSIONS {
                let name = cursor.number("the name of a dialect")?;
                return strings.get(name, offset).cloned();
            }
            let (name, versioned) = cursor.flagged("the name of a dialect")?;
            if versioned && Section::read(cursor)?.number != section::DIALECT_VERSIONS {
                return Err(Error::malformed(
                    offset,
                    "expected the version of a dialect",
                ));
            }
            strings.get(name, offset).cloned()
        })?;
        if format >= since::ELIDED_LOCATIONS {
            cursor.count("op names")?;
        }
        let mut operations = Vec::new();
        while !cursor.is_empty() {
            let offset = cursor.offset();
            let dialect = cursor.number("the dialect of ops")?;
            let dialect = index(dialect, names.len(), offset, "dialect")?;
            for _ in 0..cursor.count("op names")? {
                let offset = cursor.offset();
                let (name, registered) = if format >= since::PROPERTIES {
                    cursor.flagged("the name of an op")?
                } else {
                    (cursor.number("the name of an op")?, true)
                };
                operations.push(OpName {
                    dialect,
                    name: strings.get(name, offset)?.clone(),
                    registered,
                });
            }
        }
        Ok(Self { names, operations })
    }
}

/// The position and the encoding of an entry of an attribute or a type.
pub(super) struct Entry<'a> {
    pub dialect: usize,
    /// Whether it has an encoding of its dialect; otherwise it is text.
    pub custom: bool,
    pub content: Cursor<'a>,
}

/// The entries of attributes and of types.
pub(super) struct Entries<'a> {
    pub attributes: Vec<Entry<'a>>,
    pub types: Vec<Entry<'a>>,
}

impl<'a> Entries<'a> {
    pub fn read(
        mut offsets: Cursor,
        mut content: Cursor<'a>,
        dialects: &Dialects,
    ) -> Result<Self, Error> {
        let start = offsets.offset();
        let attributes = offsets.number("the number of attributes")?;
        let types = offsets.number("the number of types")?;
        offsets.check_count(
            attributes.saturating_add(types),
            start,
            "attributes and types",
        )?;
        let mut group = |count: u64| {
            let mut entries = Vec::new();
            while (entries.len() as u64) < count {
                let offset = offsets.offset();
                let dialect = offsets.number("the dialect of attributes")?;
                let dialect = index(dialect, dialects.names.len(), offset, "dialect")?;
                let members = offsets.count("attributes")?;
                if members as u64 > count - entries.len() as u64 {
                    return Err(Error::malformed(offset, "more attributes than there are"));
                }
                for _ in 0..members {
                    let (size, custom) = offsets.flagged("the size of an attribute")?;
                    entries.push(Entry {
                        dialect,
                        custom,
                        content: content.part(size, "an attribute")?,
                    });
                }
            }
            Ok(entries)
        };
        let attributes = group(attributes)?;
        let types = group(types)?;
        offsets.finish("the offsets")?;
        content.finish("the attributes")?;
        Ok(Self { attributes, types })
    }
}

/// The properties of ops, each as bytes.
pub(super) struct Properties<'a>(Vec<Cursor<'a>>);

impl<'a> Properties<'a> {
    pub fn read(cursor: Option<Cursor<'a>>) -> Result<Self, Error> {
        let Some(mut cursor) = cursor else {
            return Ok(Self(Vec::new()));
        };
        let count = cursor.count("properties")?;
        let mut properties = Vec::with_capacity(count);
        for _ in 0..count {
            let length = cursor.number("the length of properties")?;
            properties.push(cursor.part(length, "properties")?);
        }
        cursor.finish("the properties")?;
        Ok(Self(properties))
    }

    pub fn get(&self, number: u64, offset: usize) -> Result<Cursor<'a>, Error> {
        let index = index(number, self.0.len(), offset, "properties")?;
        self.0
            .get(index)
            .copied()
            .ok_or_else(|| Error::malformed(offset, "properties that are not there"))
    }
}

/// A number that must be below a count.
pub(super) fn index(number: u64, count: usize, offset: usize, what: &str) -> Result<usize, Error> {
    match usize::try_from(number) {
        Ok(index) if index < count => Ok(index),
        _ => Err(Error::malformed(
            offset,
            format!("there is no {what} {number} of {count}"),
        )),
    }
}
