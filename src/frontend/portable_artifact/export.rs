//! A module of `func` and `stablehlo` as a tree of VHLO.

use super::{attribute_names::MESHES, export_attributes::utf8};
use melior::ir::RegionLike;

use halo_core::Diagnostic;
use halo_ir::{diagnostics, prelude::*};
use halo_vhlo::{
    Arena, Attribute as Vhlo, AttributeId, Block, Module as Tree, OpKind, Operation, Region,
    ShardyOp, Type as VhloType, TypeId, ValueId, Version,
    attribute::{Builtin, Bytes},
    ops,
    stablehlo::structures,
};
use melior::ir::Module;
use std::collections::HashMap;

/// The maximum nesting of regions, equal to the limit of reading artifacts.
const MAX_NESTING: usize = 500;

/// Converts a module to a tree, with ops in their newest versions.
pub(super) fn export(module: &Module) -> Result<Tree, Diagnostic> {
    let root = halo_ir::root_of(module);
    let mut exporter = Exporter {
        context: std::marker::PhantomData,
        attributes: Arena::default(),
        types: Arena::default(),
        values: Vec::new(),
        value_ids: HashMap::new(),
        attribute_ids: HashMap::new(),
        type_ids: HashMap::new(),
    };
    let root = exporter.module(root)?;
    Ok(Tree {
        version: Version::CURRENT,
        attributes: exporter.attributes,
        types: exporter.types,
        values: exporter.values,
        root,
    })
}

/// The exported parts of a module.
pub(super) struct Exporter<'c> {
    context: std::marker::PhantomData<&'c ()>,
    pub attributes: Arena<Vhlo>,
    pub types: Arena<VhloType>,
    values: Vec<TypeId>,
    /// The numbers of values.
    value_ids: HashMap<usize, ValueId>,
    /// The exported attributes, to avoid duplicates.
    pub attribute_ids: HashMap<usize, AttributeId>,
    pub type_ids: HashMap<usize, TypeId>,
}

/// An op whose regions are being exported.
struct Level<'c> {
    source: halo_ir::Operation<'c>,
    made: Operation,
    /// The remaining blocks of each region; the last first.
    regions: Vec<Vec<halo_ir::Block<'c>>>,
    /// The remaining ops of the current block.
    operations: Option<std::vec::IntoIter<halo_ir::Operation<'c>>>,
    block: Block,
    region: Region,
}

fn error_at(source: halo_ir::Operation, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(diagnostics::position_of(source.location()), message)
}

impl<'c> Exporter<'c> {
    fn module(&mut self, root: halo_ir::Operation<'c>) -> Result<Operation, Diagnostic> {
        let location = self.location(root.location());
        let mut attributes = Vec::new();
        let mut meshes = Vec::new();
        for (name, value) in root.attributes() {
            if name == MESHES {
                meshes = value.dictionary_entries();
                continue;
            }
            let value = self.builtin_attribute(value).map_err(|why| error_at(root, why))?;
            attributes.push((name.as_bytes().into(), value));
        }
        let mut block = Block::default();
        for (name, mesh) in meshes {
            let symbol = Builtin::String(name.as_bytes().into());
            let symbol = self.attributes.intern(Vhlo::Builtin(symbol));
            let mesh = self.text_attribute(mesh).map_err(|why| error_at(root, why))?;
            block.operations.push(Operation {
                kind: OpKind::Shardy(ShardyOp::Mesh),
                location,
                attributes: vec![(b"mesh"[..].into(), mesh), (b"sym_name"[..].into(), symbol)],
                operands: Vec::new(),
                results: Vec::new(),
                regions: Vec::new(),
            });
        }
        let made = Operation {
            kind: OpKind::Module,
            location,
            attributes,
            operands: Vec::new(),
            results: Vec::new(),
            regions: Vec::new(),
        };
        let mut level = Level::new(root, made);
        level.block = block;
        let mut levels = vec![level];
        loop {
            let depth = levels.len();
            let Some(level) = levels.last_mut() else {
                return Err(error_at(root, "a module without ops"));
            };
            if let Some(operations) = &mut level.operations {
                if let Some(source) = operations.next() {
                    if depth >= MAX_NESTING {
                        return Err(error_at(
                            source,
                            format!("nested more than {MAX_NESTING} levels deep"),
                        ));
                    }
                    let made = self.operation(source)?;
                    levels.push(Level::new(source, made));
                    continue;
                }
                level.operations = None;
                level.region.blocks.push(std::mem::take(&mut level.block));
            }
            if let Some(blocks) = level.regions.last_mut() {
                match blocks.pop() {
                    Some(block) => {
                        level.operations = Some(block.operations().into_iter());
                        for argument in block.arguments() {
                            let source = level.source;
                            let id = self.value(argument).map_err(|why| error_at(source, why))?;
                            let location = self.argument_location(argument);
                            level.block.arguments.push((id, location));
                        }
                    }
                    None => {
                        level.regions.pop();
                        level.made.regions.push(std::mem::take(&mut level.region));
                    }
                }
                continue;
            }
            let Some(level) = levels.pop() else { continue };
            match levels.last_mut() {
                Some(parent) => parent.block.operations.push(level.made),
                None => return Ok(level.made),
            }
        }
    }

    /// An op without its regions.
    fn operation(&mut self, source: halo_ir::Operation<'c>) -> Result<Operation, Diagnostic> {
        let name = source.name();
        let family = match name {
            func::FuncOp::NAME => "func",
            func::CallOp::NAME => "call",
            func::ReturnOp::NAME | stablehlo::ReturnOp::NAME => "return",
            _ => name.strip_prefix("stablehlo.").unwrap_or_default(),
        };
        let Some(definition) = ops::newest(family) else {
            return Err(error_at(
                source,
                format!("op '{name}' has no equivalent in VHLO"),
            ));
        };
        let fail = |why: String| error_at(source, format!("op '{name}' {why}"));
        let attributes = self.op_attributes(source, family).map_err(fail)?;
        for needed in definition.attributes {
            if !attributes.iter().any(|(name, _)| **name == *needed.as_bytes()) {
                return Err(fail(format!("needs the attribute '{needed}'")));
            }
        }
        let mut operands = Vec::new();
        for operand in source.operands() {
            let id = self.value_ids.get(&operand.key());
            let id = id.ok_or_else(|| fail("uses a value before it is defined".into()))?;
            operands.push(*id);
        }
        let mut results = Vec::new();
        for result in source.results() {
            results.push(self.value(result).map_err(fail)?);
        }
        Ok(Operation {
            kind: OpKind::Vhlo(definition),
            location: self.location(source.location()),
            attributes,
            operands,
            results,
            regions: Vec::new(),
        })
    }

    /// Gives a value a number.
    fn value(&mut self, value: halo_ir::Value<'c>) -> Result<ValueId, String> {
        let ty = self.ty(value.ty())?;
        let id = ValueId(self.values.len() as u32);
        self.values.push(ty);
        self.value_ids.insert(value.key(), id);
        Ok(id)
    }

    /// All attributes of an op, including omitted ones.
    fn op_attributes(
        &mut self,
        source: halo_ir::Operation<'c>,
        family: &str,
    ) -> Result<Vec<(Bytes, AttributeId)>, String> {
        let mut made: Vec<(Bytes, AttributeId)> = Vec::new();
        let structures = structures(family);
        for (name, value) in source.attributes() {
            match structures.iter().find(|(own, _)| *own == name) {
                Some((_, structure)) => {
                    let parts = self.structure(value, *structure);
                    let parts = parts.ok_or_else(|| format!("has no sound '{name}'"))?;
                    made.extend(parts);
                }
                None => {
                    let value = self.encoded(value, family, name);
                    let value = value.map_err(|why| format!("has '{name}': {why}"))?;
                    made.push((utf8(name), value));
                }
            }
        }
        self.add_defaults(source, family, &mut made)?;
        Ok(made)
    }
}

impl<'c> Level<'c> {
    fn new(source: halo_ir::Operation<'c>, made: Operation) -> Self {
        let mut regions: Vec<Vec<halo_ir::Block<'c>>> = Vec::new();
        for index in 0..source.region_count() {
            if let Some(region) = source.region(index) {
                // SAFETY: The region belongs to the op, which lives as long as
                // the module.
                let region = unsafe { melior::ir::RegionRef::from_raw(region.to_raw()) };
                let mut blocks = region.blocks();
                blocks.reverse();
                regions.push(blocks);
            }
        }
        regions.reverse();
        Self {
            source,
            made,
            regions,
            operations: None,
            block: Block::default(),
            region: Region::default(),
        }
    }
}
