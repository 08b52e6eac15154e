//! Writes the ops of a file.

use super::{
    emitter::Emitter,
    format::{MAX_REGION_NESTING, mask, section, since},
    numbers::{Dialects, Numbers},
};
use crate::{
    Attribute, AttributeId, Block, Error, Module, OpKind, Operation, Region, ValueId,
    attribute::{Builtin, Bytes, Location},
    steps::visit,
};
use std::collections::HashMap;

/// Splits the attributes of an op into properties, if the format has them, and the dictionary.
fn split(
    operation: &Operation,
    format: u64,
) -> (&'static [&'static str], Vec<(Bytes, AttributeId)>) {
    let own: &[&str] = match operation.kind {
        _ if format < since::PROPERTIES => &[],
        OpKind::Vhlo(definition) => definition.attributes,
        OpKind::Module => &["sym_name", "sym_visibility"],
        OpKind::Cast => &[],
        OpKind::Shardy(op) => op.attributes().0,
    };
    let mut rest: Vec<_> = operation
        .attributes
        .iter()
        .filter(|(name, _)| !own.iter().any(|own| own.as_bytes() == &**name))
        .cloned()
        .collect();
    rest.sort();
    (own, rest)
}

/// Interns the dictionaries that hold the attributes of ops.
pub(super) fn make_dictionaries(module: &mut Module, format: u64) {
    let attributes = &mut module.attributes;
    attributes.intern(Attribute::Location(Location::Unknown));
    visit(&mut module.root, |operation| {
        let (_, rest) = split(operation, format);
        if !rest.is_empty() {
            let entries = rest.into_iter().map(|(name, value)| {
                (
                    attributes.intern(Attribute::Builtin(Builtin::String(name))),
                    value,
                )
            });
            let entries = entries.collect();
            attributes.intern(Attribute::Builtin(Builtin::Dictionary(entries)));
        }
        Ok::<_, std::convert::Infallible>(())
    })
    .unwrap_or_else(|never| match never {});
}

/// The attribute dictionary of an op, which exists already.
fn dictionary_of(module: &Module, operation: &Operation, format: u64) -> Option<AttributeId> {
    let (_, rest) = split(operation, format);
    if rest.is_empty() {
        return None;
    }
    let entries: Option<Vec<_>> = rest
        .into_iter()
        .map(|(name, value)| {
            let name = Attribute::Builtin(Builtin::String(name));
            Some((module.attributes.find(&name)?, value))
        })
        .collect();
    let dictionary = Attribute::Builtin(Builtin::Dictionary(entries?));
    module.attributes.find(&dictionary)
}

/// The attributes of an op in the table.
pub(super) fn attributes_of(
    module: &Module,
    operation: &Operation,
    format: u64,
) -> Vec<AttributeId> {
    let (own, _) = split(operation, format);
    let own = own.iter().filter_map(|name| operation.attribute(name));
    own.chain(dictionary_of(module, operation, format)).collect()
}

/// The names of ops, by their numbers.
pub(super) struct OpNames {
    /// Dialect and name, dialect by dialect.
    names: Vec<(usize, Bytes)>,
    numbers: HashMap<Bytes, u64>,
}

impl OpNames {
    pub fn collect(module: &Module, dialects: &mut Dialects) -> Self {
        let mut names: Vec<(usize, Bytes)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut stack = vec![&module.root];
        while let Some(operation) = stack.pop() {
            let (dialect, name) = name_of(operation.kind);
            if seen.insert((dialect, name)) {
                names.push((dialects.number(dialect.as_bytes()), name.as_bytes().into()));
            }
            let blocks = operation.regions.iter().flat_map(|region| &region.blocks);
            stack.extend(blocks.flat_map(|block| &block.operations));
        }
        names.sort();
        let numbers = (0..)
            .zip(&names)
            .map(|(number, (dialect, name))| {
                let dialect = dialects.names.get(*dialect).map_or(&b""[..], |name| name);
                (full_name(dialect, name), number)
            })
            .collect();
        Self { names, numbers }
    }

    fn number(&self, kind: OpKind) -> u64 {
        let (dialect, name) = name_of(kind);
        let full = full_name(dialect.as_bytes(), name.as_bytes());
        self.numbers.get(&full).copied().unwrap_or_default()
    }

    /// Writes the section of dialects.
    pub fn write(&self, dialects: &Dialects, format: u64, numbers: &mut Numbers) -> Emitter {
        let mut emitter = Emitter::default();
        emitter.number(dialects.names.len() as u64);
        for name in &dialects.names {
            let name = numbers.string(name);
            match format {
                since::DIALECT_VERSIONS.. => emitter.flagged(name, false),
                _ => emitter.number(name),
            }
        }
        if format >= since::ELIDED_LOCATIONS {
            emitter.number(self.names.len() as u64);
        }
        for group in self.names.chunk_by(|(a, _), (b, _)| a == b) {
            let dialect = group.first().map_or(0, |(dialect, _)| *dialect);
            emitter.number(dialect as u64);
            emitter.number(group.len() as u64);
            for (_, name) in group {
                let name = numbers.string(name);
                match format {
                    since::PROPERTIES.. => emitter.flagged(name, true),
                    _ => emitter.number(name),
                }
            }
        }
        emitter
    }
}

fn name_of(kind: OpKind) -> (&'static str, &'static str) {
    match kind {
        OpKind::Vhlo(definition) => ("vhlo", definition.name),
        OpKind::Module => ("builtin", "module"),
        OpKind::Cast => ("builtin", "unrealized_conversion_cast"),
        OpKind::Shardy(op) => ("sdy", op.name()),
    }
}

fn full_name(dialect: &[u8], name: &[u8]) -> Bytes {
    [dialect, b".", name].concat().into()
}

/// Writes ops.
pub(super) struct Encoder<'a> {
    module: &'a Module,
    format: u64,
    numbers: &'a Numbers<'a>,
    names: &'a OpNames,
    /// The number of each value among the values visible to its ops.
    values: Vec<u64>,
    properties: Vec<Vec<u8>>,
    property_numbers: HashMap<Vec<u8>, u64>,
}

impl<'a> Encoder<'a> {
    pub fn new(
        module: &'a Module,
        format: u64,
        numbers: &'a Numbers<'a>,
        names: &'a OpNames,
    ) -> Self {
        Self {
            module,
            format,
            numbers,
            names,
            values: vec![0; module.values.len()],
            properties: Vec::new(),
            property_numbers: HashMap::new(),
        }
    }

    /// Writes the block that holds the module.
    pub fn root(&mut self) -> Result<Emitter, Error> {
        let mut emitter = Emitter::default();
        emitter.flagged(1, false);
        self.operation(&mut emitter, &self.module.root, 0, 0)?;
        Ok(emitter)
    }

    /// Writes the section of properties.
    pub fn properties(self) -> Emitter {
        let mut emitter = Emitter::default();
        emitter.number(self.properties.len() as u64);
        for properties in &self.properties {
            emitter.blob(properties);
        }
        emitter
    }

    /// Writes an op. `first` is the first free value number for its regions.
    fn operation(
        &mut self,
        emitter: &mut Emitter,
        operation: &Operation,
        first: u64,
        depth: usize,
    ) -> Result<(), Error> {
        if depth > MAX_REGION_NESTING {
            return Err(Error::malformed(
                0,
                format!("regions nested more than {MAX_REGION_NESTING} levels deep"),
            ));
        }
        emitter.number(self.names.number(operation.kind));
        let dictionary = dictionary_of(self.module, operation, self.format);
        let (own, _) = split(operation, self.format);
        let bit = |present: bool, bit: u8| if present { bit } else { 0 };
        emitter.byte(
            bit(dictionary.is_some(), mask::ATTRIBUTES)
                | bit(!own.is_empty(), mask::PROPERTIES)
                | bit(!operation.results.is_empty(), mask::RESULTS)
                | bit(!operation.operands.is_empty(), mask::OPERANDS)
                | bit(!operation.regions.is_empty(), mask::REGIONS),
        );
        emitter.number(self.numbers.attribute(operation.location));
        if let Some(dictionary) = dictionary {
            emitter.number(self.numbers.attribute(dictionary));
        }
        if !own.is_empty() {
            let number = self.property_number(operation, own);
            emitter.number(number);
        }
        if !operation.results.is_empty() {
            let types: Vec<_> =
                operation.results.iter().map(|value| self.module.type_of(*value)).collect();
            self.numbers.write_types(emitter, &types);
        }
        if !operation.operands.is_empty() {
            emitter.number(operation.operands.len() as u64);
            for operand in &operation.operands {
                emitter.number(self.value(*operand));
            }
        }
        if operation.regions.is_empty() {
            return Ok(());
        }
        let isolated = operation.kind == OpKind::Module;
        let first = if isolated { 0 } else { first };
        emitter.flagged(operation.regions.len() as u64, isolated);
        let sectioned = isolated && self.format >= since::LAZY_LOADING;
        let mut inner = Emitter::default();
        for region in &operation.regions {
            let target = if sectioned { &mut inner } else { &mut *emitter };
            self.region(target, region, first, depth + 1)?;
        }
        if sectioned {
            emitter.section(section::IR, &inner);
        }
        Ok(())
    }

    fn region(
        &mut self,
        emitter: &mut Emitter,
        region: &Region,
        first: u64,
        depth: usize,
    ) -> Result<(), Error> {
        emitter.number(region.blocks.len() as u64);
        if region.blocks.is_empty() {
            return Ok(());
        }
        let mut next = first;
        for value in region.blocks.iter().flat_map(values_of) {
            if let Some(number) = self.values.get_mut(value.0 as usize) {
                *number = next;
            }
            next += 1;
        }
        emitter.number(next - first);
        for block in &region.blocks {
            emitter.flagged(block.operations.len() as u64, !block.arguments.is_empty());
            if !block.arguments.is_empty() {
                self.arguments(emitter, block);
            }
            for operation in &block.operations {
                self.operation(emitter, operation, next, depth)?;
            }
        }
        Ok(())
    }

    fn arguments(&self, emitter: &mut Emitter, block: &Block) {
        emitter.number(block.arguments.len() as u64);
        for (value, location) in &block.arguments {
            let ty = self.numbers.ty(self.module.type_of(*value));
            let unknown =
                *self.module.attributes.get(*location) == Attribute::Location(Location::Unknown);
            if self.format < since::ELIDED_LOCATIONS {
                emitter.number(ty);
                emitter.number(self.numbers.attribute(*location));
            } else {
                emitter.flagged(ty, !unknown);
                if !unknown {
                    emitter.number(self.numbers.attribute(*location));
                }
            }
        }
        if self.format >= since::USE_LIST_ORDER {
            emitter.byte(0);
        }
    }

    fn value(&self, value: ValueId) -> u64 {
        self.values.get(value.0 as usize).copied().unwrap_or_default()
    }

    fn property_number(&mut self, operation: &Operation, own: &[&str]) -> u64 {
        let optional = matches!(operation.kind, OpKind::Module);
        let mut emitter = Emitter::default();
        for name in own {
            let attribute = operation.attribute(name);
            let number = attribute.map(|id| self.numbers.attribute(id));
            if optional {
                emitter.flagged(number.unwrap_or_default(), number.is_some());
            } else {
                emitter.number(number.unwrap_or_default());
            }
        }
        if let Some(number) = self.property_numbers.get(&emitter.bytes) {
            return *number;
        }
        let number = self.properties.len() as u64;
        self.properties.push(emitter.bytes.clone());
        self.property_numbers.insert(emitter.bytes, number);
        number
    }
}

/// The values that a block defines, without inner regions, in order.
fn values_of(block: &Block) -> impl Iterator<Item = ValueId> {
    let arguments = block.arguments.iter().map(|(value, _)| *value);
    arguments.chain(block.operations.iter().flat_map(|operation| operation.results.iter().copied()))
}
