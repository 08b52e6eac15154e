//! Reading an artifact.

use super::{
    attributes::{self, Decoder},
    check,
    cursor::Cursor,
    format::{MAGIC, NEWEST, section},
    operations::Reader,
    shardy, tables,
};
use crate::{Arena, Error, Module, OpKind, Version};

/// Returns true if bytes are a portable artifact of StableHLO: MLIR's bytecode with such a
/// producer.
pub fn is_portable_artifact(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return false;
    };
    let mut cursor = Cursor::new(rest, MAGIC.len());
    cursor.number("the version of the format").is_ok()
        && cursor
            .terminated("the producer")
            .is_ok_and(|producer| producer.starts_with(b"StableHLO_v"))
}

/// Reads an artifact of any version. Its ops keep the versions of the artifact.
///
/// # Errors
/// Returns an error if the bytes are not an artifact, or one of a newer version that uses a feature
/// that no known version has.
pub fn read(bytes: &[u8]) -> Result<Module, Error> {
    let mut cursor = Cursor::new(bytes, 0);
    if cursor.bytes(MAGIC.len() as u64, "the magic number")? != MAGIC {
        return Err(Error::malformed(
            0,
            "expected the magic number of MLIR's bytecode",
        ));
    }
    let offset = cursor.offset();
    let format = cursor.number("the version of the format")?;
    if format > NEWEST {
        let message = format!("version {format} of MLIR's bytecode is not known");
        return Err(Error::malformed(offset, message));
    }
    let offset = cursor.offset();
    let producer = cursor.terminated("the producer")?;
    let producer = String::from_utf8_lossy(producer);
    let version = Version::from_producer(&producer).ok_or_else(|| {
        let message =
            format!("expected a producer like 'StableHLO_v1.0.0', and it is '{producer}'");
        Error::malformed(offset, message)
    })?;
    if version < Version::MINIMUM {
        let message = format!("version {version} is older than {}", Version::MINIMUM);
        return Err(Error::malformed(offset, message));
    }

    let sections = tables::Sections::read(cursor)?;
    let strings = tables::Strings::read(sections.expect(section::STRINGS, "strings")?)?;
    let dialects = sections.expect(section::DIALECTS, "dialects")?;
    let dialects = tables::Dialects::read(dialects, format, &strings)?;
    let entries = tables::Entries::read(
        sections.expect(section::OFFSETS, "offsets")?,
        sections.expect(section::ATTRIBUTES, "attributes")?,
        &dialects,
    )?;
    let (mut attributes, types) =
        attributes::read_all(&entries, &dialects.names, &strings, version)?;
    let order = check::in_order(&attributes, &types)?;
    shardy::to_text(&mut attributes, &order)?;

    let properties = tables::Properties::read(sections.get(section::PROPERTIES))?;
    let decoder = Decoder {
        strings: &strings,
        attribute_count: attributes.len(),
        type_count: types.len(),
        types: &types,
        artifact: version,
    };
    let size = bytes.len();
    let mut reader = Reader::new(format, &dialects, &properties, &decoder, &attributes, size);
    let ir = sections.expect(section::IR, "ops")?;
    let start = ir.offset();
    let root = reader.read(ir)?;
    let values = reader.values;
    if root.kind != OpKind::Module {
        return Err(Error::malformed(start, "expected a module"));
    }
    Ok(Module {
        version,
        attributes: Arena::from_items(attributes),
        types: Arena::from_items(types),
        values,
        root,
    })
}
