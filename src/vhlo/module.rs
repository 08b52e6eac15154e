//! A module of VHLO as a tree of ops.

use crate::{
    Attribute, AttributeId, Type, TypeId, Version,
    attribute::{Builtin, Bytes, Location},
    ops::OpDefinition,
};
use std::{collections::HashMap, hash::Hash};

/// The number of a value of a module: a result of an op or an argument of a
/// block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub u32);

/// A program in the ops of VHLO.
#[derive(Clone, Debug)]
pub struct Module {
    /// The version that the module was read as.
    pub version: Version,
    pub attributes: Arena<Attribute>,
    pub types: Arena<Type>,
    /// The types of all values.
    pub values: Vec<TypeId>,
    /// `builtin.module`
    pub root: Operation,
}

/// The kind of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpKind {
    Vhlo(&'static OpDefinition),
    /// `builtin.module`
    Module,
    /// `builtin.unrealized_conversion_cast`, between a type of VHLO and the
    /// type that it represents, around ops of Shardy.
    Cast,
    Shardy(ShardyOp),
}

/// The ops of Shardy that artifacts carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardyOp {
    DataFlowEdge,
    ManualComputation,
    Mesh,
    PropagationBarrier,
    Reshard,
    Return,
    ShardingConstraint,
    ShardingGroup,
}

/// An op.
#[derive(Clone, Debug)]
pub struct Operation {
    pub kind: OpKind,
    pub location: AttributeId,
    /// The attributes of the op's definition, and discardable ones, by name.
    pub attributes: Vec<(Bytes, AttributeId)>,
    pub operands: Vec<ValueId>,
    pub results: Vec<ValueId>,
    pub regions: Vec<Region>,
}

#[derive(Clone, Debug, Default)]
pub struct Region {
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The arguments and their locations.
    pub arguments: Vec<(ValueId, AttributeId)>,
    pub operations: Vec<Operation>,
}

impl Operation {
    /// The attribute of a name.
    pub fn attribute(&self, name: &str) -> Option<AttributeId> {
        let entry = self.attributes.iter().find(|(key, _)| **key == *name.as_bytes());
        entry.map(|(_, attribute)| *attribute)
    }

    /// Gives the attribute of a name another value.
    pub fn set_attribute(&mut self, name: &str, value: AttributeId) {
        match self.attributes.iter_mut().find(|(key, _)| **key == *name.as_bytes()) {
            Some((_, attribute)) => *attribute = value,
            None => self.attributes.push((name.as_bytes().into(), value)),
        }
    }

    /// Takes the attribute of a name away.
    pub fn remove_attribute(&mut self, name: &str) {
        self.attributes.retain(|(key, _)| **key != *name.as_bytes());
    }
}

/// Things by number.
#[derive(Clone, Debug)]
pub struct Arena<T> {
    items: Vec<T>,
    interned: HashMap<T, u32>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            interned: HashMap::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> Arena<T> {
    pub(crate) fn from_items(items: Vec<T>) -> Self {
        Self {
            items,
            interned: HashMap::new(),
        }
    }

    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// Changes items, which keep their numbers.
    pub(crate) fn change(&mut self, function: impl FnMut(&mut T)) {
        self.items.iter_mut().for_each(function);
        self.interned.clear();
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    fn intern_item(&mut self, item: T) -> u32 {
        if let Some(number) = self.interned.get(&item) {
            return *number;
        }
        // Numbers index items in memory, each larger than one byte.
        let number = self.items.len() as u32;
        self.items.push(item.clone());
        self.interned.insert(item, number);
        number
    }

    fn item(&self, number: u32) -> Option<&T> {
        self.items.get(number as usize)
    }
}

impl Arena<Attribute> {
    pub fn intern(&mut self, attribute: Attribute) -> AttributeId {
        AttributeId(self.intern_item(attribute))
    }

    /// The number of an attribute that was interned.
    pub(crate) fn find(&self, attribute: &Attribute) -> Option<AttributeId> {
        self.interned.get(attribute).copied().map(AttributeId)
    }

    /// The attribute with a number; an unknown location if out of range.
    pub fn get(&self, id: AttributeId) -> &Attribute {
        const NOTHING: &Attribute = &Attribute::Location(Location::Unknown);
        self.item(id.0).unwrap_or(NOTHING)
    }

    /// The bytes of a string, of VHLO or of MLIR.
    pub fn string(&self, id: AttributeId) -> Option<&Bytes> {
        match self.get(id) {
            Attribute::String(bytes) | Attribute::Builtin(Builtin::String(bytes)) => Some(bytes),
            _ => None,
        }
    }
}

impl Arena<Type> {
    pub fn intern(&mut self, ty: Type) -> TypeId {
        TypeId(self.intern_item(ty))
    }

    /// The type with a number; the none type if out of range.
    pub fn get(&self, id: TypeId) -> &Type {
        self.item(id.0).unwrap_or(&Type::None)
    }
}

impl Module {
    /// The type of a value.
    pub fn type_of(&self, value: ValueId) -> TypeId {
        self.values.get(value.0 as usize).copied().unwrap_or(TypeId(u32::MAX))
    }
}
