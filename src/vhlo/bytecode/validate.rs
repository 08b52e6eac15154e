//! Validates MLIR's bytecode before MLIR reads it.
//!
//! Upstream's reader trusts a file: an attribute group that is larger than the table, a use-list
//! order that is not a permutation or a string of length 0 make it access memory out of bounds, a
//! large count makes it allocate all memory, and an attribute that refers to itself overflows the
//! stack. It does not verify the attributes and types that it creates either: consumers read beyond
//! the end of elements if there are fewer than the type requires.
//!
//! This module reads a file without creating anything. It checks everything that the reader trusts:
//! sections, counts, tables and references ([`tables`](super::tables)), the encodings of attributes
//! and types of each dialect that has one (`encodings`), the rules of builtin types and attributes
//! (`types`, `attributes`), and regions with their values and use-list orders (`operations`). The
//! reader itself checks the rest, such as the kind of a member or the existence of operands, and
//! verifiers check the ops.

mod attributes;
mod encodings;
mod entries;
mod operations;
mod resources;
#[cfg(test)]
mod tests;
mod types;

use super::{
    check,
    cursor::Cursor,
    format::{MAGIC, NEWEST, section},
    tables,
};
use crate::Error;

/// The maximum number of parts of an attribute or type, with shared parts counted at each
/// occurrence. Programs have arrays of any length, so the limit is higher than for artifacts.
const MAX_PARTS: u64 = 1 << 26;

/// Checks that MLIR's reader can read bytecode without harm.
///
/// # Errors
/// Returns the first error, with its offset in the file.
pub fn validate(bytes: &[u8]) -> Result<(), Error> {
    let mut cursor = Cursor::new(bytes, 0);
    if cursor.bytes(MAGIC.len() as u64, "the magic number")? != MAGIC {
        let message = "expected the magic number of MLIR's bytecode";
        return Err(Error::malformed(0, message));
    }
    let offset = cursor.offset();
    let format = cursor.number("the version of the format")?;
    if format > NEWEST {
        let message = format!("version {format} of MLIR's bytecode is not known");
        return Err(Error::malformed(offset, message));
    }
    cursor.terminated("the producer")?;

    let sections = tables::Sections::read(cursor)?;
    let strings = tables::Strings::read(sections.expect(section::STRINGS, "strings")?)?;
    let dialects = sections.expect(section::DIALECTS, "dialects")?;
    let dialects = tables::Dialects::read(dialects, format, &strings)?;
    check_names(&dialects)?;
    resources::check(&sections, &strings, dialects.names.len())?;
    let table = tables::Entries::read(
        sections.expect(section::OFFSETS, "offsets")?,
        sections.expect(section::ATTRIBUTES, "attributes")?,
        &dialects,
    )?;
    let entries = entries::Entries::read(&table, &dialects, &strings)?;
    check::order(
        entries.count(),
        MAX_PARTS,
        |node| entries.references(node),
        |_| 1,
    )?;
    entries.check()?;
    let properties = tables::Properties::read(sections.get(section::PROPERTIES))?;
    operations::check(
        sections.expect(section::IR, "ops")?,
        format,
        &dialects,
        &entries,
        &properties,
    )
}

/// Checks the names of dialects and ops, since they are used unescaped in messages and texts.
fn check_names(dialects: &tables::Dialects) -> Result<(), Error> {
    let is_name = |name: &[u8]| {
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.-".contains(byte);
        !name.is_empty() && name.iter().all(is_letter)
    };
    let operations = dialects.operations.iter();
    let names = operations.map(|operation| &operation.name);
    for name in dialects.names.iter().chain(names) {
        if !is_name(name) {
            let name = String::from_utf8_lossy(name);
            let message = format!("{name:?} is not a name of a dialect or an op");
            return Err(Error::malformed(0, message));
        }
    }
    Ok(())
}
