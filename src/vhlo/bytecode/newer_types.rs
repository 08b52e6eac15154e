//! Textual encoding of types that have a code since MLIR 23.
//!
//! MLIR 22 encodes floats of at most 8 bits as text, and reads no other
//! encoding. Encodings of later versions are converted to text, so that their
//! bytecode is read: the entry of a type of code 24 becomes the text
//! `f8E4M3FN`. Everything else is unchanged.

use super::{
    cursor::Cursor,
    emitter::Emitter,
    format::{MAGIC, NEWEST, section},
    tables::{Dialects, Entries, Entry, Section, Sections, Strings},
};
use crate::Error;

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

/// Bytecode of MLIR without newer types; `None` if there are none, or if the bytes are not valid.
pub fn spell_out_newer_types(bytes: &[u8]) -> Option<Vec<u8>> {
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
    let is_builtin = |entry: &Entry| {
        let dialect = dialects.names.get(entry.dialect);
        dialect.is_some_and(|name| &**name == b"builtin")
    };
    let newer = |entry: &Entry| newer_type(entry).filter(|_| is_builtin(entry));
    if !entries.types.iter().any(|entry| newer(entry).is_some()) {
        return Ok(None);
    }

    let mut content = Emitter::default();
    let mut offsets = Emitter::default();
    offsets.number(entries.attributes.len() as u64);
    offsets.number(entries.types.len() as u64);
    write_entries(&entries.attributes, |_| None, &mut offsets, &mut content);
    write_entries(&entries.types, newer, &mut offsets, &mut content);

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
    text: impl Fn(&Entry) -> Option<&'static str>,
    offsets: &mut Emitter,
    content: &mut Emitter,
) {
    for group in entries.chunk_by(|a, b| a.dialect == b.dialect) {
        let dialect = group.first().map_or(0, |entry| entry.dialect);
        offsets.number(dialect as u64);
        offsets.number(group.len() as u64);
        for entry in group {
            let start = content.bytes.len();
            let text = text(entry);
            match text {
                Some(text) => {
                    content.raw(text.as_bytes());
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
        let rewritten = spell_out_newer_types(FILE).expect("newer types");
        for text in [&b"f8E4M3FN\0"[..], b"f4E2M1FN\0"] {
            let contains = |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text);
            assert!(contains(&rewritten) && !contains(FILE));
        }
        assert_eq!(spell_out_newer_types(&rewritten), None);
    }

    #[test]
    fn any_bytes_are_survived() {
        let check = |bytes: &[u8]| {
            if let Some(rewritten) = spell_out_newer_types(bytes) {
                assert_eq!(spell_out_newer_types(&rewritten), None);
            }
        };
        for length in 0..FILE.len() {
            check(&FILE[..length]);
        }
        for at in 0..FILE.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bytes = FILE.to_vec();
                bytes[at] = byte;
                check(&bytes);
            }
        }
    }
}
