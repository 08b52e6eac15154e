//! Resources of a program, such as the elements of large constants.

use crate::{
    Error,
    bytecode::{
        cursor::Cursor,
        format::section,
        tables::{Sections, Strings, index},
    },
};

/// The largest alignment of a value: the size of a page.
const MAX_ALIGNMENT: u64 = 1 << 16;

/// The kinds of resources.
const BLOB: u8 = 0;
const BOOLEAN: u8 = 1;
const STRING: u8 = 2;

/// Checks the section of resources, if present.
pub fn check(sections: &Sections, strings: &Strings, dialects: usize) -> Result<(), Error> {
    let (Some(mut offsets), Some(mut content)) = (
        sections.get(section::RESOURCE_OFFSETS),
        sections.get(section::RESOURCES),
    ) else {
        // The reader rejects one without the other.
        return Ok(());
    };
    for _ in 0..offsets.count("providers of resources")? {
        strings.read_reference(&mut offsets, "a provider of resources")?;
        check_group(&mut offsets, &mut content, strings)?;
    }
    while !offsets.is_empty() {
        let offset = offsets.offset();
        let dialect = offsets.number("the dialect of resources")?;
        index(dialect, dialects, offset, "dialect")?;
        check_group(&mut offsets, &mut content, strings)?;
    }
    Ok(())
}

fn check_group(offsets: &mut Cursor, content: &mut Cursor, strings: &Strings) -> Result<(), Error> {
    for _ in 0..offsets.count("resources")? {
        strings.read_reference(offsets, "the name of a resource")?;
        let size = offsets.number("the size of a resource")?;
        let kind = offsets.byte("the kind of a resource")?;
        let mut value = content.part(size, "a resource")?;
        if value.is_empty() {
            continue;
        }
        match kind {
            BLOB => {
                let offset = value.offset();
                let alignment = value.number("the alignment of a resource")?;
                if !alignment.is_power_of_two() || alignment > MAX_ALIGNMENT {
                    let message = format!("{alignment} is not an alignment of a resource");
                    return Err(Error::malformed(offset, message));
                }
                let size = value.number("the size of a resource")?;
                // Padding depends on the address of the file in memory.
                value.check_count(size, offset, "bytes of a resource")?;
            }
            BOOLEAN => {
                value.byte("a resource")?;
            }
            STRING => {
                strings.read_reference(&mut value, "a resource")?;
            }
            _ => {
                let message = format!("there is no resource of kind {kind}");
                return Err(Error::malformed(value.offset(), message));
            }
        }
    }
    Ok(())
}
