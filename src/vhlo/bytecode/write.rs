//! Writing an artifact.

use super::{
    attributes, check,
    emitter::Emitter,
    encode,
    format::{MAGIC, section, since},
    numbers::{Dialects, Numbers},
    types,
};
use crate::{
    Attribute, AttributeId, Error, Module, OpKind, Operation, Type, TypeId, Version,
    attribute::{Bytes, Location, Reference},
    legality,
};
use std::collections::HashMap;

/// Writes a module whose ops have the versions of a version of StableHLO.
pub(crate) fn encode_module(module: &mut Module, target: Version) -> Result<Vec<u8>, Error> {
    let format = target.bytecode();
    check::in_order(module.attributes.items(), module.types.items())?;
    adapt_locations(module, target);
    encode::make_dictionaries(module, format);
    let module = &*module;
    let mut used = Used::new(module, target);
    used.operation(&module.root, format)?;

    let mut dialects = Dialects::default();
    let attributes = used.attributes;
    let attributes = dialects.grouped(attributes, |id| {
        attributes::dialect_of(module.attributes.get(*id))
    });
    let types = dialects.grouped(used.types, |id| match module.types.get(*id) {
        Type::Builtin(_) | Type::Text(_) => b"builtin",
        _ => b"vhlo",
    });
    let mut numbers = Numbers {
        module,
        attributes: (0..).zip(&attributes).map(|(at, (_, id))| (*id, at)).collect(),
        types: (0..).zip(&types).map(|(at, (_, id))| (*id, at)).collect(),
        strings: HashMap::new(),
        string_order: Vec::new(),
    };

    let mut content = Emitter::default();
    let mut offsets = Emitter::default();
    offsets.number(attributes.len() as u64);
    offsets.number(types.len() as u64);
    write_entries(&attributes, &mut offsets, &mut content, |emitter, id| {
        let attribute = module.attributes.get(*id);
        let custom = attributes::write(emitter, attribute, &mut numbers).is_some();
        (custom, attributes::text(attribute))
    });
    write_entries(&types, &mut offsets, &mut content, |emitter, id| {
        let ty = module.types.get(*id);
        let custom = types::write(emitter, ty, &numbers).is_some();
        (custom, types::text(ty))
    });

    let names = encode::OpNames::collect(module, &mut dialects);
    let mut encoder = encode::Encoder::new(module, format, &numbers, &names);
    let ir = encoder.root()?;
    let properties = encoder.properties();
    let dialect_section = names.write(&dialects, format, &mut numbers);

    let mut file = Emitter::default();
    file.raw(MAGIC);
    file.number(format);
    file.raw(target.producer().as_bytes());
    file.byte(0);
    file.section(section::DIALECTS, &dialect_section);
    file.section(section::ATTRIBUTES, &content);
    file.section(section::OFFSETS, &offsets);
    file.section(section::IR, &ir);
    file.section(section::STRINGS, &write_strings(&numbers.string_order));
    if format >= since::PROPERTIES {
        file.section(section::PROPERTIES, &properties);
    }
    Ok(file.bytes)
}

/// Ranges in files are newer than the first artifacts; the start of a range is
/// written instead.
fn adapt_locations(module: &mut Module, target: Version) {
    const RANGES: Version = Version {
        major: 1,
        minor: 8,
        patch: 4,
    };
    module.attributes.change(|attribute| {
        if let Attribute::Location(Location::FileLineColRange { file, start, end }) = attribute
            && (target < RANGES || start == end)
        {
            *attribute = Attribute::Location(Location::FileLineCol {
                file: *file,
                line: start.0,
                column: start.1,
            });
        }
    });
}

/// The attributes and types of a file, in the order of their first use.
struct Used<'a> {
    module: &'a Module,
    target: Version,
    attributes: Vec<AttributeId>,
    types: Vec<TypeId>,
    seen: std::collections::HashSet<Seen>,
}

#[derive(PartialEq, Eq, Hash)]
enum Seen {
    Attribute(AttributeId),
    Type(TypeId),
}

impl<'a> Used<'a> {
    fn new(module: &'a Module, target: Version) -> Self {
        Self {
            module,
            target,
            attributes: Vec::new(),
            types: Vec::new(),
            seen: std::collections::HashSet::new(),
        }
    }

    fn operation(&mut self, root: &Operation, format: u64) -> Result<(), Error> {
        let mut stack = vec![root];
        while let Some(operation) = stack.pop() {
            if let Some((what, since)) = legality::newer_feature(self.module, operation)
                && self.target.of_dialect() < since
            {
                return Err(self.too_new(operation, what, since));
            }
            let values = operation.results.iter();
            let arguments = operation.regions.iter().flat_map(|region| &region.blocks);
            let arguments = arguments.flat_map(|block| &block.arguments);
            for (_, location) in arguments.clone() {
                self.reach(Reference::Attribute(*location), operation)?;
            }
            for value in values.chain(arguments.map(|(value, _)| value)) {
                let ty = self.module.type_of(*value);
                self.reach(Reference::Type(ty), operation)?;
            }
            self.reach(Reference::Attribute(operation.location), operation)?;
            for id in encode::attributes_of(self.module, operation, format) {
                self.reach(Reference::Attribute(id), operation)?;
            }
            let blocks = operation.regions.iter().flat_map(|region| &region.blocks);
            let inner: Vec<_> = blocks.flat_map(|block| &block.operations).collect();
            stack.extend(inner.into_iter().rev());
        }
        Ok(())
    }

    /// Adds an item with everything that it refers to.
    fn reach(&mut self, root: Reference, operation: &Operation) -> Result<(), Error> {
        let mut stack = vec![root];
        while let Some(reference) = stack.pop() {
            let module = self.module;
            match reference {
                Reference::Attribute(id) => {
                    if !self.seen.insert(Seen::Attribute(id)) {
                        continue;
                    }
                    let attribute = module.attributes.get(id);
                    let since = legality::attribute_since(attribute);
                    if self.target.of_dialect() < since {
                        let what = legality::attribute_name(module, id);
                        return Err(self.too_new(operation, &what, since));
                    }
                    self.attributes.push(id);
                    attribute.visit(|reference| stack.push(reference));
                }
                Reference::Type(id) => {
                    if !self.seen.insert(Seen::Type(id)) {
                        continue;
                    }
                    let ty = module.types.get(id);
                    let since = legality::type_since(ty);
                    if self.target.of_dialect() < since {
                        let what = legality::type_name(module, id);
                        return Err(self.too_new(operation, &what, since));
                    }
                    self.types.push(id);
                    ty.visit(|reference| stack.push(reference));
                }
            }
        }
        Ok(())
    }

    fn too_new(&self, operation: &Operation, what: &str, since: Version) -> Error {
        let name = match operation.kind {
            OpKind::Vhlo(definition) => format!("op 'vhlo.{}'", definition.name),
            _ => "the module".to_owned(),
        };
        Error::Target {
            what: name,
            target: self.target,
            why: format!("it has {what}, new in {since}"),
            location: Some(operation.location),
        }
    }
}

/// Writes entries and their lengths.
fn write_entries<'m, T>(
    items: &[(usize, T)],
    offsets: &mut Emitter,
    content: &mut Emitter,
    mut write: impl FnMut(&mut Emitter, &T) -> (bool, &'m [u8]),
) {
    for group in items.chunk_by(|(a, _), (b, _)| a == b) {
        let dialect = group.first().map_or(0, |(dialect, _)| *dialect);
        offsets.number(dialect as u64);
        offsets.number(group.len() as u64);
        for (_, item) in group {
            let mut entry = Emitter::default();
            let (custom, text) = write(&mut entry, item);
            if !custom {
                entry.bytes.clear();
                entry.raw(text);
                entry.byte(0);
            }
            offsets.flagged(entry.bytes.len() as u64, custom);
            content.raw(&entry.bytes);
        }
    }
}

fn write_strings(strings: &[Bytes]) -> Emitter {
    let mut emitter = Emitter::default();
    emitter.number(strings.len() as u64);
    for string in strings.iter().rev() {
        emitter.number(string.len() as u64 + 1);
    }
    for string in strings {
        emitter.raw(string);
        emitter.byte(0);
    }
    emitter
}
