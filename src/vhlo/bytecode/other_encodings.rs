//! Conversion of bytecode of other versions of MLIR and of its dialects.
//!
//! Two encodings become ones that MLIR 22 and Halo's dialects read; everything else is unchanged:
//!
//! - Floats of at most 8 bits have a code since MLIR 23. MLIR 22 encodes them as text: the entry of
//!   a type of code 24 becomes the text `f8E4M3FN`.
//! - Attributes of Shardy have codes, which Halo's dialect `sdy` does not interpret. They become
//!   text, such as `#sdy.mesh<["x"=2]>`.

use super::{
    attributes::{Decoder, builtin},
    check,
    cursor::Cursor,
    emitter::Emitter,
    format::{MAGIC, NEWEST, section},
    shardy,
    tables::{Dialects, Entries, Entry, Section, Sections, Strings},
};
use crate::{
    Error, Version,
    attribute::{Attribute, Bytes},
};
use std::borrow::Cow;

/// The types of the builtin dialect from the first newer code on.
const NEWER: [&str; 12] = [
    "tf32",
    "f8E5M2",
    "f8E4M3",
    "f8E4M3FN",
    "f8E5M2FNUZ",
    "f8E4M3FNUZ",
    "f8E4M3B11FNUZ",
    "f8E3M4",
    "f4E2M1FN",
    "f6E2M3FN",
    "f6E3M2FN",
    "f8E8M0FNU",
];

const FIRST_NEWER: u64 = 21;

/// Bytecode with known encodings; `None` if it has no others, or if the bytes are not valid.
pub fn to_known_encodings(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.starts_with(MAGIC) {
        return None;
    }
    rewrite(bytes).ok().flatten()
}

fn rewrite(bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
    let mut cursor = Cursor::new(bytes, 0);
    cursor.bytes(MAGIC.len() as u64, "the magic number")?;
    let format = cursor.number("the version of the format")?;
    if format > NEWEST {
        return Ok(None);
    }
    cursor.terminated("the producer")?;
    let head = &bytes[..cursor.offset()];

    let sections = Sections::read(cursor)?;
    let strings = Strings::read(sections.expect(section::STRINGS, "strings")?)?;
    let dialects = Dialects::read(
        sections.expect(section::DIALECTS, "dialects")?,
        format,
        &strings,
    )?;
    let offsets = sections.expect(section::OFFSETS, "offsets")?;
    let content = sections.expect(section::ATTRIBUTES, "attributes")?;
    let entries = Entries::read(offsets, content, &dialects)?;
    let types = entries.types.iter().map(|entry| {
        let text = newer_type(entry).filter(|_| is_of(entry, b"builtin", &dialects));
        text.map(|text| Cow::Borrowed(text.as_bytes()))
    });
    let types: Vec<Option<Text>> = types.collect();
    let attributes = shardings(&entries, &dialects, &strings)?;
    if types.iter().chain(&attributes).all(Option::is_none) {
        return Ok(None);
    }

    let mut content = Emitter::default();
    let mut offsets = Emitter::default();
    offsets.number(entries.attributes.len() as u64);
    offsets.number(entries.types.len() as u64);
    write_entries(&entries.attributes, &attributes, &mut offsets, &mut content);
    write_entries(&entries.types, &types, &mut offsets, &mut content);

    let mut file = Emitter::default();
    file.raw(head);
    while !cursor.is_empty() {
        let Section {
            number,
            alignment,
            content: old,
        } = Section::read(&mut cursor)?;
        let content = match number {
            section::OFFSETS => &offsets.bytes[..],
            section::ATTRIBUTES => &content.bytes[..],
            _ => old.rest(),
        };
        file.aligned_section(number, content, alignment);
    }
    Ok(Some(file.bytes))
}

type Text<'a> = Cow<'a, [u8]>;

fn is_of(entry: &Entry, dialect: &[u8], dialects: &Dialects) -> bool {
    let name = dialects.names.get(entry.dialect);
    entry.custom && name.is_some_and(|name| **name == *dialect)
}

/// The texts of the attributes of Shardy.
fn shardings(
    entries: &Entries,
    dialects: &Dialects,
    strings: &Strings,
) -> Result<Vec<Option<Text<'static>>>, Error> {
    let is_sharding = |entry: &Entry| is_of(entry, b"sdy", dialects);
    if !entries.attributes.iter().any(is_sharding) {
        return Ok(vec![None; entries.attributes.len()]);
    }
    let decoder = Decoder {
        strings,
        attribute_count: entries.attributes.len(),
        type_count: entries.types.len(),
        types: &[],
        artifact: Version::CURRENT,
    };
    let read = |entry: &Entry| {
        let mut content = entry.content;
        if is_sharding(entry) {
            let sharding = shardy::read(&decoder, &mut content)?;
            content.finish("an attribute")?;
            return Ok(sharding);
        }
        let code = { entry.content }.number("the code of an attribute");
        if is_of(entry, b"builtin", dialects)
            && matches!(code, Ok(builtin::STRING | builtin::FLAT_SYMBOL_REF))
        {
            return decoder.read_builtin(&mut content);
        }
        // No part of a sharding.
        Ok(Attribute::Text {
            dialect: Bytes::default(),
            text: Bytes::default(),
        })
    };
    let attributes = entries.attributes.iter().map(read);
    let mut attributes = attributes.collect::<Result<Vec<Attribute>, Error>>()?;
    let order = check::in_order(&attributes, &[])?;
    shardy::to_text(&mut attributes, &order)?;
    let texts = entries.attributes.iter().zip(attributes).map(|(entry, attribute)| {
        let Attribute::Text { text, .. } = attribute else {
            return None;
        };
        is_sharding(entry).then(|| Cow::Owned(text.to_vec()))
    });
    Ok(texts.collect())
}

/// The text of a type with a newer code and no parameters.
fn newer_type(entry: &Entry) -> Option<&'static str> {
    let mut content = entry.content;
    let code = content.number("the code of a type").ok()?;
    let index = usize::try_from(code.checked_sub(FIRST_NEWER)?).ok()?;
    let text = *NEWER.get(index)?;
    (entry.custom && content.is_empty()).then_some(text)
}

/// Writes entries, as text if they have one.
fn write_entries(
    entries: &[Entry],
    texts: &[Option<Text>],
    offsets: &mut Emitter,
    content: &mut Emitter,
) {
    let mut texts = texts.iter();
    for group in entries.chunk_by(|a, b| a.dialect == b.dialect) {
        let dialect = group.first().map_or(0, |entry| entry.dialect);
        offsets.number(dialect as u64);
        offsets.number(group.len() as u64);
        for entry in group {
            let start = content.bytes.len();
            let text = texts.next().and_then(Option::as_ref);
            match text {
                Some(text) => {
                    content.raw(text);
                    content.byte(0);
                }
                None => content.raw(entry.content.rest()),
            }
            let size = content.bytes.len() - start;
            offsets.flagged(size as u64, entry.custom && text.is_none());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `func.func private @f(tensor<2xf8E4M3FN>, tensor<2xf4E2M1FN>)`, written by MLIR 23.
    const FILE: &[u8] = include_bytes!("../artifacts/narrow_floats.mlirbc");

    #[test]
    fn narrow_floats_become_text() {
        let rewritten = to_known_encodings(FILE).expect("other encodings");
        for text in [&b"f8E4M3FN\0"[..], b"f4E2M1FN\0"] {
            let contains = |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text);
            assert!(contains(&rewritten) && !contains(FILE));
        }
        assert_eq!(to_known_encodings(&rewritten), None);
    }

    /// Written by MLIR 24, with attributes of Shardy.
    const SHARDINGS: &[u8] = include_bytes!("../artifacts/shardings.mlirbc");

    #[test]
    fn shardings_become_text() {
        let rewritten = to_known_encodings(SHARDINGS).expect("other encodings");
        for text in [
            "#sdy.mesh<[\"x\"=2, \"y\"=4]>\0",
            "#sdy.mesh<[\"z\"=8], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>\0",
            "#sdy.sharding<@mesh, [{\"x\"}, {}], unreduced=max{\"y\"}>\0",
            "#sdy<manual_axes{\"x\", \"y\"}>\0",
        ] {
            let mut windows = rewritten.windows(text.len());
            assert!(windows.any(|window| window == text.as_bytes()), "{text}");
        }
        assert_eq!(to_known_encodings(&rewritten), None);
    }

    #[test]
    fn any_bytes_are_survived() {
        let check = |bytes: &[u8]| {
            if let Some(rewritten) = to_known_encodings(bytes) {
                assert_eq!(to_known_encodings(&rewritten), None);
            }
        };
        for file in [FILE, SHARDINGS] {
            for length in 0..file.len() {
                check(&file[..length]);
            }
            for at in 0..file.len() {
                for byte in [0, 1, 0x7f, 0x80, 0xff] {
                    let mut bytes = file.to_vec();
                    bytes[at] = byte;
                    check(&bytes);
                }
            }
        }
    }
}
