//! Checks MLIR's bytecode before MLIR reads it.
//!
//! Upstream's reader trusts a file: a group of attributes that is larger than the
//! table, an order of uses that is no permutation or a string of length 0 lead it
//! out of its memory, a large count makes it ask for all memory, and an attribute
//! that refers to itself uses up the stack. What it makes of attributes and types
//! is not verified either: elements that are fewer than the type says are read
//! past their end by whoever uses them.
//!
//! Here a file is read through without making anything of it. Everything that the
//! reader takes on trust is compared: sections, counts, tables and references
//! ([`tables`](super::tables)), the encodings of attributes and types of each
//! dialect that has one (`forms`), the rules of MLIR's own types and attributes
//! (`types`, `attributes`), and regions with their values and orders of uses
//! (`operations`). What the reader compares itself, such as the kind of a member
//! or whether operands exist, is left to it, and so is what the verifiers of ops
//! say.

mod attributes;
mod encodings;
mod entries;
mod operations;
mod resources;
#[cfg(test)]
mod tests;
mod types;

use super::{MAGIC, NEWEST, check, cursor::Cursor, section, tables};
use crate::Error;

/// How many parts an attribute or type may have where all that is shared is
/// counted as often as it occurs. Programs have arrays of any length, so that
/// this is more than an artifact may have.
const MAX_PARTS: u64 = 1 << 26;

/// Checks that MLIR's reader can read bytecode without harm.
///
/// # Errors
/// The first thing that is wrong, with its place in the file.
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

/// Checks that the names of dialects and ops are such, since they go into
/// messages and texts as they are.
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
