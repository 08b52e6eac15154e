//! The line table of an object that is linked into this process.

use gimli::{DebugLine, DebugLineOffset, DebugLineStr, EndianSlice, RunTimeEndian};
use halo_runtime::Error;
use object::{Object, ObjectSection, ObjectSymbol, RelocationKind, RelocationTarget, SectionIndex};
use std::collections::HashMap;

/// The begin of the code of a line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    pub address: u64,
    pub file: String,
    pub line: u32,
}

/// The rows of an object's line table, by address; empty if it has no table. `sections` maps the
/// numbers of code sections to their addresses in memory; rows of others are left out. Code without
/// a line belongs to the line before it.
///
/// # Errors
/// Returns an internal error if the object cannot be read.
pub fn rows(object: &[u8], sections: &HashMap<usize, u64>) -> Result<Vec<Row>, Error> {
    let file = object::File::parse(object).map_err(unreadable)?;
    let endian = if file.is_little_endian() {
        RunTimeEndian::Little
    } else {
        RunTimeEndian::Big
    };
    let table = relocated(&file, ".debug_line", sections)?;
    let strings = relocated(&file, ".debug_line_str", sections)?;
    let (slice, strings) = (
        DebugLine::new(&table, endian),
        DebugLineStr::from(EndianSlice::new(&strings, endian)),
    );
    let size = if file.is_64() { 8 } else { 4 };
    let mut rows = Vec::new();
    let mut offset = 0;
    while offset < table.len() {
        let program = slice.program(DebugLineOffset(offset), size, None, None);
        let program = program.map_err(unreadable)?;
        let header = program.header();
        // The length of the unit does not include itself.
        offset += header.unit_length() + usize::from(header.format().initial_length_size());
        let text = |value| match value {
            gimli::AttributeValue::String(text) => Some(text),
            gimli::AttributeValue::DebugLineStrRef(offset) => strings.get_str(offset).ok(),
            _ => None,
        };
        let text = |value| text(value).map(|text| text.to_string_lossy().into_owned());
        let mut lines = program.rows();
        while let Some((header, row)) = lines.next_row().map_err(unreadable)? {
            let line = row.line().and_then(|line| u32::try_from(line.get()).ok());
            let (Some(line), Some(file)) = (line, row.file(header)) else {
                continue;
            };
            if row.end_sequence() || row.address() == 0 {
                continue;
            }
            let name = text(file.path_name()).unwrap_or_default();
            let folders = [header.directory(0), file.directory(header)];
            let folders = folders.into_iter().flatten().filter_map(text);
            let mut path = folders.collect::<std::path::PathBuf>();
            path.push(name);
            rows.push(Row {
                address: row.address(),
                file: path.to_string_lossy().into_owned(),
                line,
            });
        }
    }
    rows.sort();
    Ok(rows)
}

/// The bytes of a section, relocated with the addresses of other sections in memory; the addresses
/// of sections that are not loaded are 0.
fn relocated(
    file: &object::File<'_>,
    name: &str,
    sections: &HashMap<usize, u64>,
) -> Result<Vec<u8>, Error> {
    let Some(section) = file.section_by_name(name) else {
        return Ok(Vec::new());
    };
    let mut bytes = section.data().map_err(unreadable)?.to_vec();
    for (offset, relocation) in section.relocations() {
        if relocation.kind() != RelocationKind::Absolute {
            return Err(unreadable("its line table has other relocations"));
        }
        let (section, start) = match relocation.target() {
            RelocationTarget::Section(section) => (Some(section), 0),
            RelocationTarget::Symbol(symbol) => {
                let symbol = file.symbol_by_index(symbol).map_err(unreadable)?;
                (symbol.section_index(), symbol.address())
            }
            _ => (None, 0),
        };
        let base = match section {
            Some(section) if is_code(file, section) => sections.get(&section.0).copied(),
            _ => Some(0),
        };
        let value = base.map_or(0, |base| {
            base.wrapping_add(start).wrapping_add_signed(relocation.addend())
        });
        let width = usize::from(relocation.size()) / 8;
        let end = usize::try_from(offset).ok().and_then(|offset| offset.checked_add(width));
        let place = end.and_then(|end| bytes.get_mut(end - width..end));
        let place = place.ok_or_else(|| unreadable("a relocation is out of its section"))?;
        let value = value.to_le_bytes();
        let value = value.get(..width);
        place.copy_from_slice(value.ok_or_else(|| unreadable("a relocation is too wide"))?);
        if !file.is_little_endian() {
            place.reverse();
        }
    }
    Ok(bytes)
}

fn is_code(file: &object::File<'_>, section: SectionIndex) -> bool {
    let section = file.section_by_index(section);
    section.is_ok_and(|section| section.kind() == object::SectionKind::Text)
}

fn unreadable(error: impl std::fmt::Display) -> Error {
    Error::internal(format!("an object cannot be read: {error}"))
}
