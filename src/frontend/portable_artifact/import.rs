//! A tree of VHLO as a module of `func` and `stablehlo`.

use halo_core::{Diagnostic, Position};
use halo_ir::{Location, prelude::*};
use halo_vhlo::{
    AttributeId, Block, Module as Tree, OpKind, Operation, Region, ShardyOp, TypeId, ValueId,
    attribute::{self, Reference},
};
use melior::ir::{BlockLike, RegionLike};
use melior::{
    Context,
    ir::{
        Block as MlirBlock, BlockRef, Identifier, Module, OperationRef, operation::OperationBuilder,
    },
};

/// The reason for which a part of an op cannot be imported.
pub(super) struct Failure(pub String);

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self(message)
    }
}

pub(super) fn fail<T>(message: &str) -> Result<T, Failure> {
    Err(message.into())
}

/// Converts a tree whose ops have their newest versions to a module, which is not verified.
pub(super) fn import<'c>(context: &'c Context, tree: &Tree) -> Result<Module<'c>, Diagnostic> {
    let unknown = Location::unknown(context);
    let mut importer = Importer {
        context,
        tree,
        location: unknown,
        attributes: vec![None; tree.attributes.len()],
        types: vec![None; tree.types.len()],
        values: vec![None; tree.values.len()],
        meshes: Vec::new(),
    };
    let root = &tree.root;
    let error =
        |failure: Failure, at: AttributeId| Diagnostic::new(position_of(tree, at), failure.0);
    importer.enter(root).map_err(|failure| error(failure, root.location))?;
    let module = Module::new(importer.location);
    // SAFETY: The op lives as long as the module, and no handle outlives this
    // function.
    let module_op: halo_ir::Operation =
        unsafe { OperationRef::from_raw(module.as_operation().to_raw()) };
    let [Region { blocks }] = &root.regions[..] else {
        return Err(error("a module has one region".into(), root.location));
    };
    let [block] = &blocks[..] else {
        return Err(error("a module has one block".into(), root.location));
    };
    let body = module_op.body(0);
    let body = body.ok_or_else(|| error("a module has a body".into(), root.location))?;
    // Blocks that are still to be filled.
    let mut open = vec![(body, block, OpKind::Module)];
    while let Some((block, source, parent)) = open.pop() {
        // The ops of a manual computation are inlined in its place.
        let mut sources = vec![(source.operations.iter(), None)];
        while let Some((operations, _)) = sources.last_mut() {
            let Some(operation) = operations.next() else {
                sources.pop();
                continue;
            };
            let at = |failure| error(failure, operation.location);
            importer.enter(operation).map_err(at)?;
            match operation.kind {
                OpKind::Vhlo(definition) => {
                    let family = definition.family();
                    let made = importer.operation(operation, family, parent, block).map_err(at)?;
                    for (index, region) in operation.regions.iter().enumerate() {
                        let filled = importer.region(made, index, region).map_err(at)?;
                        open.extend(filled.map(|(block, source)| (block, source, operation.kind)));
                    }
                }
                OpKind::Module => return Err(at("a module inside of a module".into())),
                OpKind::Cast => importer.pass_on(operation).map_err(at)?,
                OpKind::Shardy(ShardyOp::ManualComputation) => {
                    let source = importer.enter_manual(operation, block).map_err(at)?;
                    sources.push((source.operations.iter(), Some(operation)));
                }
                OpKind::Shardy(ShardyOp::Return) => {
                    let Some((_, Some(computation))) = sources.pop() else {
                        return Err(at("'sdy.return' outside of a manual computation".into()));
                    };
                    importer.leave_manual(operation, computation, block).map_err(at)?;
                }
                OpKind::Shardy(op) => importer.shardy(operation, op, block).map_err(at)?,
            }
        }
    }
    importer
        .module_attributes(root, module_op)
        .map_err(|failure| error(failure, root.location))?;
    Ok(module)
}

/// The position of a location in a tree.
pub(super) fn position_of(tree: &Tree, location: AttributeId) -> Option<Position> {
    let mut open = vec![location];
    while let Some(id) = open.pop() {
        let halo_vhlo::Attribute::Location(location) = tree.attributes.get(id) else {
            continue;
        };
        let (file, line, column) = match location {
            attribute::Location::FileLineCol { file, line, column } => (file, line, column),
            attribute::Location::FileLineColRange { file, start, .. } => (file, &start.0, &start.1),
            attribute::Location::Name { child, .. } => {
                open.push(*child);
                continue;
            }
            attribute::Location::CallSite { callee, .. } => {
                open.push(*callee);
                continue;
            }
            attribute::Location::Fused { locations, .. } => {
                open.extend(locations.first());
                continue;
            }
            attribute::Location::Unknown => continue,
        };
        let file = tree.attributes.string(*file)?;
        let file = String::from_utf8_lossy(file);
        return Some(Position::new(file, *line as usize, *column as usize));
    }
    None
}

/// The imported parts of a tree.
pub(super) struct Importer<'c, 't> {
    pub context: &'c Context,
    pub tree: &'t Tree,
    /// The location of the op that is being built.
    pub location: Location<'c>,
    attributes: Vec<Option<Attribute<'c>>>,
    types: Vec<Option<Type<'c>>>,
    values: Vec<Option<Value<'c>>>,
    /// The meshes by name.
    pub meshes: Vec<(String, Attribute<'c>)>,
}

impl<'c, 't> Importer<'c, 't> {
    /// Makes all that an op refers to.
    fn enter(&mut self, operation: &Operation) -> Result<(), Failure> {
        self.make(Reference::Attribute(operation.location))?;
        self.location = self.location_at(operation.location)?;
        // Attributes of a mesh other than the mesh itself are not kept.
        let own = |name: &[u8]| match operation.kind {
            OpKind::Shardy(ShardyOp::Mesh) => name == b"mesh" || name == b"sym_name",
            OpKind::Shardy(ShardyOp::ShardingGroup) => name == b"group_id",
            _ => true,
        };
        for (name, attribute) in &operation.attributes {
            if own(name) {
                self.make(Reference::Attribute(*attribute))?;
            }
        }
        for value in &operation.results {
            self.make(Reference::Type(self.tree.type_of(*value)))?;
        }
        for block in operation.regions.iter().flat_map(|region| &region.blocks) {
            for (value, location) in &block.arguments {
                self.make(Reference::Type(self.tree.type_of(*value)))?;
                self.make(Reference::Attribute(*location))?;
            }
        }
        Ok(())
    }

    /// Makes an attribute or a type, after the ones that it refers to.
    fn make(&mut self, root: Reference) -> Result<(), Failure> {
        let mut open = vec![root];
        while let Some(reference) = open.last().copied() {
            if self.is_made(reference) {
                open.pop();
                continue;
            }
            let before = open.len();
            let add = |part| {
                if !self.is_made(part) {
                    open.push(part);
                }
            };
            match reference {
                Reference::Attribute(id) => self.tree.attributes.get(id).visit(add),
                Reference::Type(id) => self.tree.types.get(id).visit(add),
            }
            if open.len() > before {
                continue;
            }
            match reference {
                Reference::Attribute(id) => {
                    let made = self.make_attribute(self.tree.attributes.get(id))?;
                    if let Some(slot) = self.attributes.get_mut(id.0 as usize) {
                        *slot = Some(made);
                    }
                }
                Reference::Type(id) => {
                    let made = self.make_type(self.tree.types.get(id))?;
                    if let Some(slot) = self.types.get_mut(id.0 as usize) {
                        *slot = Some(made);
                    }
                }
            }
            open.pop();
        }
        Ok(())
    }

    /// Returns true if an attribute or a type has been imported, or is absent.
    fn is_made(&self, reference: Reference) -> bool {
        match reference {
            Reference::Attribute(AttributeId(id)) => {
                self.attributes.get(id as usize).is_none_or(Option::is_some)
            }
            Reference::Type(TypeId(id)) => self.types.get(id as usize).is_none_or(Option::is_some),
        }
    }

    /// An imported attribute.
    pub fn attribute(&self, id: AttributeId) -> Result<Attribute<'c>, Failure> {
        let made = self.attributes.get(id.0 as usize).copied().flatten();
        made.ok_or_else(|| "an attribute that is not there".into())
    }

    /// An imported type.
    pub fn ty(&self, id: TypeId) -> Result<Type<'c>, Failure> {
        let made = self.types.get(id.0 as usize).copied().flatten();
        made.ok_or_else(|| "a type that is not there".into())
    }

    /// An imported location; unknown if absent.
    pub fn location_at(&self, id: AttributeId) -> Result<Location<'c>, Failure> {
        match self.tree.attributes.get(id) {
            halo_vhlo::Attribute::Location(_) => {
                let made = self.attributes.get(id.0 as usize).copied().flatten();
                Ok(made.map_or(Location::unknown(self.context), Location::from_attribute))
            }
            _ => fail("a location that is not a location attribute"),
        }
    }

    pub fn value(&self, value: ValueId) -> Result<Value<'c>, Failure> {
        let made = self.values.get(value.0 as usize).copied().flatten();
        made.ok_or_else(|| "a value that is used before it is defined".into())
    }

    pub fn set_value(&mut self, id: ValueId, value: Value<'c>) {
        if let Some(slot) = self.values.get_mut(id.0 as usize) {
            *slot = Some(value);
        }
    }

    fn operands(&self, operation: &Operation) -> Result<Vec<Value<'c>>, Failure> {
        operation.operands.iter().map(|value| self.value(*value)).collect()
    }

    pub fn value_types(&self, values: &[ValueId]) -> Result<Vec<Type<'c>>, Failure> {
        values.iter().map(|value| self.ty(self.tree.type_of(*value))).collect()
    }

    /// Creates an op of StableHLO or a function, with empty regions.
    fn operation(
        &mut self,
        operation: &Operation,
        family: &str,
        parent: OpKind,
        block: halo_ir::Block<'c>,
    ) -> Result<halo_ir::Operation<'c>, Failure> {
        let in_function =
            matches!(parent, OpKind::Vhlo(definition) if definition.family() == "func");
        let name = match family {
            "func" => func::FuncOp::NAME.to_owned(),
            "call" => func::CallOp::NAME.to_owned(),
            "return" if in_function => func::ReturnOp::NAME.to_owned(),
            _ => format!("stablehlo.{family}"),
        };
        let attributes = self.op_attributes(operation, family)?;
        let results = self.value_types(&operation.results)?;
        let operands = self.operands(operation)?;
        self.build(
            &name,
            &attributes,
            &operands,
            &results,
            operation.regions.len(),
            block,
        )
        .inspect(|made| {
            for (id, value) in operation.results.iter().zip(made.results()) {
                self.set_value(*id, value);
            }
        })
    }

    /// Makes an op at the end of a block.
    pub fn build(
        &self,
        name: &str,
        attributes: &[(&str, Attribute<'c>)],
        operands: &[Value<'c>],
        results: &[Type<'c>],
        regions: usize,
        block: halo_ir::Block<'c>,
    ) -> Result<halo_ir::Operation<'c>, Failure> {
        let named: Vec<_> = attributes
            .iter()
            .map(|(name, value)| (Identifier::new(self.context, name), *value))
            .collect();
        let made = OperationBuilder::new(name, self.location)
            .add_attributes(&named)
            .add_operands(operands)
            .add_results(results)
            .add_regions_vec((0..regions).map(|_| melior::ir::Region::new()).collect())
            .build()
            .map_err(|_| format!("op '{name}' cannot be made"))?;
        let made = block.append_operation(made);
        // SAFETY: The op belongs to the block, which lives as long as the
        // module that is being made.
        let made: halo_ir::Operation<'c> = unsafe { OperationRef::from_raw(made.to_raw()) };
        // An attribute of the wrong kind would be dropped.
        for (attribute, _) in attributes {
            if !made.has_attribute(attribute) {
                return Err(format!("op '{name}' cannot have '{attribute}' of this kind").into());
            }
        }
        Ok(made)
    }

    /// Creates the block of a region with its arguments; `None` if the region is empty.
    fn region(
        &mut self,
        operation: halo_ir::Operation<'c>,
        index: usize,
        region: &'t Region,
    ) -> Result<Option<(halo_ir::Block<'c>, &'t Block)>, Failure> {
        let source = match &region.blocks[..] {
            [] => return Ok(None),
            [block] => block,
            _ => return fail("a region of more than one block"),
        };
        let mut arguments = Vec::with_capacity(source.arguments.len());
        for (value, location) in &source.arguments {
            let ty = self.ty(self.tree.type_of(*value))?;
            arguments.push((ty, self.location_at(*location)?));
        }
        let target = operation.region(index).ok_or("a region that is not there")?;
        let block = target.append_block(MlirBlock::new(&arguments));
        // SAFETY: The block belongs to the op, which belongs to the module that
        // is being made.
        let block: halo_ir::Block<'c> = unsafe { BlockRef::from_raw(block.to_raw()) };
        for ((id, _), value) in source.arguments.iter().zip(block.arguments()) {
            self.set_value(*id, value);
        }
        Ok(Some((block, source)))
    }
}
