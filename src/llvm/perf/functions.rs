//! The addresses of an object's functions in this process.

use halo_runtime::Error;
use object::{Object, ObjectSection, ObjectSymbol, SectionIndex, SymbolKind};
use std::collections::HashMap;

/// A function of this process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Function {
    pub address: u64,
    pub size: u64,
    pub name: String,
    /// The number of its section in the object, and its offset in the section.
    pub section: usize,
    pub offset: u64,
}

/// The functions of an object that is linked into this process. `find` returns the addresses of
/// symbols by their names; local functions are found by their distance from another one in the same
/// section.
///
/// # Errors
/// Returns an internal error if the object cannot be read.
pub fn functions(
    object: &[u8],
    find: impl Fn(&str) -> Option<u64>,
) -> Result<Vec<Function>, Error> {
    let unreadable = |error| Error::internal(format!("an object cannot be read: {error}"));
    let file = object::File::parse(object).map_err(unreadable)?;
    let mut in_file = Vec::new();
    let mut sections: HashMap<usize, u64> = HashMap::new();
    for symbol in file.symbols() {
        let is_function = symbol.kind() == SymbolKind::Text && symbol.is_definition();
        let (Some(section), Ok(name)) = (symbol.section_index(), symbol.name()) else {
            continue;
        };
        if !is_function || name.is_empty() {
            continue;
        }
        let section = section.0;
        if symbol.is_global()
            && !sections.contains_key(&section)
            && let Some(address) = find(name)
        {
            sections.insert(section, address.wrapping_sub(symbol.address()));
        }
        in_file.push((section, symbol.address(), symbol.size(), name.to_owned()));
    }
    in_file.sort_unstable();
    let mut found = Vec::new();
    for (position, (section, offset, size, name)) in in_file.iter().enumerate() {
        let Some(base) = sections.get(section) else {
            continue;
        };
        // One without a size, such as a function in assembly, ends where the next one begins.
        let next = in_file[position + 1..].iter();
        let next = next
            .filter(|(other, start, ..)| other == section && start > offset)
            .map(|(_, start, ..)| *start)
            .next();
        let end = next.or_else(|| Some(file.section_by_index(SectionIndex(*section)).ok()?.size()));
        let size = match size {
            0 => end.unwrap_or(*offset).saturating_sub(*offset),
            size => *size,
        };
        found.push(Function {
            address: base.wrapping_add(*offset),
            size,
            name: name.clone(),
            section: *section,
            offset: *offset,
        });
    }
    Ok(found)
}
