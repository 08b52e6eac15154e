//! Computations under construction.

use super::module_attributes::Argument;
use super::types::{shape_of_type, shape_of_types};
use super::{attributes, exporter::Exporter, failure::failure};
use halo_hlo_text::{
    Arguments, Attributes, Constant, HloInstruction, Opcode, Position, Shape,
    Value as AttributeValue,
};
use halo_ir::prelude::*;
use halo_runtime::Error;

use std::collections::{HashMap, HashSet};
use std::iter;

/// The call of an `async-start`, until its end.
pub struct Started<'c> {
    /// The name of its last instruction: the start or an update.
    pub name: String,
    pub shape: Shape,
    pub updates: usize,
    /// The results and the operands of the updates.
    pub passed: Vec<(Value<'c>, Value<'c>)>,
}

/// Builds the instructions of a computation one after the other.
pub struct ComputationBuilder<'e, 'c> {
    pub exporter: &'e mut Exporter<'c>,
    pub instructions: Vec<HloInstruction>,
    /// The instruction of each value.
    values: HashMap<usize, String>,
    /// The new name of each instruction in the text that a program was imported from.
    imported: HashMap<&'c str, String>,
    /// The asynchronous starts without an end, by their ops.
    pub started: HashMap<usize, Started<'c>>,
    /// The location of new instructions.
    pub origin: Option<Operation<'c>>,
}

impl<'e, 'c> ComputationBuilder<'e, 'c> {
    pub fn new(exporter: &'e mut Exporter<'c>) -> Self {
        Self {
            exporter,
            instructions: Vec::new(),
            values: HashMap::new(),
            imported: HashMap::new(),
            started: HashMap::new(),
            origin: None,
        }
    }

    /// Adds the parameters of a function or region, one for each argument of its block, with its
    /// attributes.
    pub fn parameters(
        &mut self,
        owner: Operation<'c>,
        block: Block<'c>,
        said: &[Argument],
    ) -> Result<(), Error> {
        for (number, argument) in block.arguments().into_iter().enumerate() {
            let shape = shape_of_type(argument.ty());
            let shape = shape.map_err(|message| failure(owner, message))?;
            let location = attributes::location_of_argument(argument);
            let name = location.as_ref().map(attributes::Origin::instruction_name);
            let name = name.filter(|name| !name.is_empty());
            let mut instruction = HloInstruction {
                name: name.unwrap_or_else(|| format!("Arg_{number}")),
                arguments: Arguments::Parameter(number),
                ..instruction(Opcode::Parameter, shape)
            };
            if let Some(own) = said.get(number) {
                instruction.attributes = own.attributes.clone();
                if let Some(shape) = &own.shape {
                    instruction.shape = shape.clone();
                }
            }
            if let Some(location) = location {
                let name = instruction.name.clone();
                location.add_metadata(
                    &name,
                    &mut instruction,
                    &mut self.exporter.stack_frames,
                    self.exporter.file.as_deref(),
                );
            }
            let name = self.push(instruction);
            self.bind(argument, name);
        }
        Ok(())
    }

    /// Binds a value to an instruction.
    pub fn bind(&mut self, value: Value<'c>, name: String) {
        self.values.insert(value.key(), name);
    }

    /// The instruction that a value is.
    pub fn name_of(&self, user: Operation<'c>, value: Value<'c>) -> Result<String, Error> {
        let name = self.values.get(&value.key()).cloned();
        name.ok_or_else(|| {
            failure(
                user,
                "uses a value of the code around it, which a computation of HLO cannot",
            )
        })
    }

    /// The instructions that the operands are.
    pub fn operands(&self, op: Operation<'c>) -> Result<Vec<String>, Error> {
        let operands = op.operands().into_iter();
        operands.map(|value| self.name_of(op, value)).collect()
    }

    /// An instruction with the shape of an op's results, on its operands.
    pub fn instruction(&self, op: Operation<'c>, opcode: Opcode) -> Result<Instruction, Error> {
        let shape = shape_of_types(&op.result_types());
        let shape = shape.map_err(|message| failure(op, message))?;
        self.single(op, opcode, shape)
    }

    /// An instruction of this shape on an op's operands.
    pub fn single(
        &self,
        op: Operation<'c>,
        opcode: Opcode,
        shape: Shape,
    ) -> Result<Instruction, Error> {
        Ok(Instruction(instruction(opcode, shape)).on(self.operands(op)?))
    }

    /// Adds an instruction and returns its name. The default name is derived from the current op or
    /// the opcode.
    pub fn add(&mut self, instruction: Instruction) -> String {
        let Instruction(mut instruction) = instruction;
        let location = self.origin.map(attributes::location_of);
        if instruction.name.is_empty() {
            let name = location.as_ref().map(attributes::Origin::instruction_name);
            instruction.name = match name {
                Some(name) if !name.is_empty() => name,
                _ => instruction.opcode.name().to_owned(),
            };
        }
        let name = self.exporter.names.unique(&instruction.name);
        if let Some(location) = location {
            location.add_metadata(
                &name,
                &mut instruction,
                &mut self.exporter.stack_frames,
                self.exporter.file.as_deref(),
            );
        }
        attributes::fit_sharding(&mut instruction);
        attributes::order(&mut instruction.attributes);
        instruction.name = name.clone();
        self.instructions.push(instruction);
        name
    }

    pub fn push(&mut self, mut instruction: HloInstruction) -> String {
        instruction.name = self.exporter.names.unique(&instruction.name);
        let name = instruction.name.clone();
        self.instructions.push(instruction);
        name
    }

    /// Adds an instruction that an op becomes, with the op's location and
    /// attributes.
    pub fn add_of(&mut self, op: Operation<'c>, instruction: Instruction) -> Result<String, Error> {
        let Instruction(mut instruction) = instruction;
        attributes::add_discardable(op, &mut instruction)?;
        self.find_predecessors(&mut instruction.attributes);
        let name = self.add(Instruction(instruction));
        self.note_imported(op, &name);
        Ok(name)
    }

    /// Records the instruction of an op, for control dependencies on it.
    pub fn note_imported(&mut self, op: Operation<'c>, name: &str) {
        if let Some(imported) = op.attribute("mhlo.name").and_then(Attribute::string_value) {
            self.imported.insert(imported, name.to_owned());
        }
    }

    /// Replaces the names of control predecessors by their new names. Names of instructions that no
    /// longer exist are dropped.
    fn find_predecessors(&self, attributes: &mut Attributes) {
        const NAME: &str = "control-predecessors";
        let names = match attributes.get(NAME) {
            Some(AttributeValue::Words(names) | AttributeValue::Instructions(names)) => names,
            _ => return,
        };
        let found = names.iter().filter_map(|name| {
            let here = || self.instructions.iter().any(|it| it.name == *name);
            let imported = self.imported.get(&name[..]).cloned();
            imported.or_else(|| here().then(|| name.clone()))
        });
        let found: Vec<String> = found.collect();
        attributes.0.retain(|attribute| attribute.name != NAME);
        if !found.is_empty() {
            attributes.push(NAME, AttributeValue::Instructions(found));
        }
    }

    /// Like [`Self::add_of`], and binds the results: several results to the elements of the tuple.
    pub fn define(&mut self, op: Operation<'c>, instruction: Instruction) -> Result<(), Error> {
        let shape = instruction.0.shape.clone();
        let name = self.add_of(op, instruction)?;
        self.bind_results(op, &name, &shape)
    }

    /// Binds an op's results to an instruction of a shape: several results to the elements of its
    /// tuple.
    pub fn bind_results(
        &mut self,
        op: Operation<'c>,
        name: &str,
        shape: &Shape,
    ) -> Result<(), Error> {
        let results = op.results();
        match (results.as_slice(), shape) {
            ([only], _) => self.bind(*only, name.to_owned()),
            (several, Shape::Tuple(shapes)) if several.len() == shapes.len() => {
                for (position, (result, shape)) in several.iter().zip(shapes).enumerate() {
                    let element = self.element(name, position, shape.clone());
                    self.bind(*result, element);
                }
            }
            _ => return Err(failure(op, "has other results than its instruction")),
        }
        Ok(())
    }

    /// Takes an element of a tuple.
    pub fn element(&mut self, tuple: &str, position: usize, shape: Shape) -> String {
        self.add(
            Instruction::new(Opcode::GetTupleElement, shape)
                .on(vec![tuple.to_owned()])
                .with("index", AttributeValue::Integer(position as i64)),
        )
    }

    /// Joins values to a tuple.
    pub fn tuple(&mut self, elements: Vec<(String, Shape)>) -> String {
        let (names, shapes) = elements.into_iter().unzip();
        self.add(Instruction::new(Opcode::Tuple, Shape::Tuple(shapes)).on(names))
    }

    /// The shape of a value.
    pub fn shape_of(&self, user: Operation<'c>, value: Value<'c>) -> Result<Shape, Error> {
        self.shape_of_type(user, value.ty())
    }

    /// The shape of the values of a type.
    pub fn shape_of_type(&self, user: Operation<'c>, ty: Type<'c>) -> Result<Shape, Error> {
        shape_of_type(ty).map_err(|message| failure(user, message))
    }
}

/// The captured values of a region, in the order of their uses.
pub fn captures<'c>(op: Operation<'c>, region: usize) -> Vec<Value<'c>> {
    let Some(block) = op.body(region) else {
        return Vec::new();
    };
    let mut inside: Vec<usize> = Vec::new();
    let mut used = Vec::new();
    for top in block.operations() {
        for inner in iter::once(top).chain(top.collect_nested(|_| true)) {
            used.extend(inner.operands());
            inside.extend(inner.results().into_iter().map(Value::key));
            for number in 0..inner.region_count() {
                let arguments = inner.body(number).map(Block::arguments);
                inside.extend(arguments.unwrap_or_default().into_iter().map(Value::key));
            }
        }
    }
    inside.extend(block.arguments().into_iter().map(Value::key));
    let mut known: HashSet<usize> = inside.into_iter().collect();
    used.retain(|value| known.insert(value.key()));
    used
}

/// An instruction without a name, operands and attributes.
pub fn instruction(opcode: Opcode, shape: Shape) -> HloInstruction {
    HloInstruction {
        name: String::new(),
        shape,
        opcode,
        wrapped_opcode: None,
        arguments: Arguments::Operands(Vec::new()),
        attributes: Attributes::default(),
        position: Position::default(),
    }
}

/// An instruction to be added.
#[derive(Debug)]
pub struct Instruction(pub HloInstruction);

impl Instruction {
    pub fn new(opcode: Opcode, shape: Shape) -> Self {
        Self(instruction(opcode, shape))
    }

    /// With these operands.
    pub fn on(mut self, operands: Vec<String>) -> Self {
        self.0.arguments = Arguments::Operands(operands);
        self
    }

    /// With the value of a constant.
    pub fn constant(mut self, constant: Constant) -> Self {
        self.0.arguments = Arguments::Constant(constant);
        self
    }

    /// With another shape.
    pub fn shaped(mut self, shape: Shape) -> Self {
        self.0.shape = shape;
        self
    }

    /// With an attribute.
    pub fn with(mut self, name: &str, value: AttributeValue) -> Self {
        self.0.attributes.push(name, value);
        self
    }

    /// An attribute, mutable.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut AttributeValue> {
        let mut attributes = self.0.attributes.0.iter_mut();
        let found = attributes.find(|attribute| attribute.name == name);
        found.map(|attribute| &mut attribute.value)
    }

    /// Adds an attribute if it has a value.
    pub fn with_some(self, name: &str, value: Option<AttributeValue>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
}
