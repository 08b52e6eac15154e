//! The numbers of attributes, types, strings, dialects and names of ops in a file.

use super::emitter::Emitter;
use crate::{AttributeId, Module, Type, TypeId, attribute::Bytes};
use std::collections::HashMap;

/// The numbers that attributes, types, strings and names of ops have in a file.
pub(super) struct Numbers<'a> {
    pub module: &'a Module,
    pub attributes: HashMap<AttributeId, u64>,
    pub types: HashMap<TypeId, u64>,
    pub strings: HashMap<Bytes, u64>,
    pub string_order: Vec<Bytes>,
}

impl Numbers<'_> {
    /// The number of an attribute. Every written attribute has one.
    pub fn attribute(&self, id: AttributeId) -> u64 {
        self.attributes.get(&id).copied().unwrap_or_default()
    }

    pub fn ty(&self, id: TypeId) -> u64 {
        self.types.get(&id).copied().unwrap_or_default()
    }

    pub fn type_at(&self, id: TypeId) -> &Type {
        self.module.types.get(id)
    }

    pub fn string(&mut self, bytes: &Bytes) -> u64 {
        if let Some(number) = self.strings.get(bytes) {
            return *number;
        }
        let number = self.string_order.len() as u64;
        self.string_order.push(bytes.clone());
        self.strings.insert(bytes.clone(), number);
        number
    }

    pub fn write_attributes(&self, emitter: &mut Emitter, ids: &[AttributeId]) {
        emitter.number(ids.len() as u64);
        for id in ids {
            emitter.number(self.attribute(*id));
        }
    }

    pub fn write_types(&self, emitter: &mut Emitter, ids: &[TypeId]) {
        emitter.number(ids.len() as u64);
        for id in ids {
            emitter.number(self.ty(*id));
        }
    }

    pub fn write_entries(&self, emitter: &mut Emitter, entries: &[(AttributeId, AttributeId)]) {
        emitter.number(entries.len() as u64);
        for (name, value) in entries {
            emitter.number(self.attribute(*name));
            emitter.number(self.attribute(*value));
        }
    }
}

/// The dialects of a file.
#[derive(Default)]
pub(super) struct Dialects {
    pub names: Vec<Bytes>,
}

impl Dialects {
    pub fn number(&mut self, name: &[u8]) -> usize {
        if let Some(number) = self.names.iter().position(|known| **known == *name) {
            return number;
        }
        self.names.push(name.into());
        self.names.len() - 1
    }

    /// Things with the numbers of their dialects, dialect by dialect.
    pub fn grouped<'m, T>(
        &mut self,
        items: Vec<T>,
        dialect: impl Fn(&T) -> &'m [u8],
    ) -> Vec<(usize, T)> {
        let mut grouped: Vec<(usize, T)> =
            items.into_iter().map(|item| (self.number(dialect(&item)), item)).collect();
        grouped.sort_by_key(|(dialect, _)| *dialect);
        grouped
    }
}
