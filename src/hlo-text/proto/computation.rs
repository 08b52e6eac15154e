//! Computations of protocol buffers, and their instructions.

use std::collections::HashMap;
use std::mem::take;

use super::attributes::{self, References};
use super::module::Failure;
use super::schema::{HloComputationProto, HloInstructionProto, LiteralProto};
use super::{
    names::{name, some_text},
    value,
};
use crate::{
    Arguments, Constant, HloComputation, HloInstruction, Opcode, Position, Shape, UnknownOpcode,
    Value, validity,
};

/// Parses a computation, with the names of all by their numbers.
pub(super) fn read(
    mut proto: HloComputationProto,
    computations: &HashMap<i64, String>,
) -> Result<HloComputation, Failure> {
    let mut computation = HloComputation {
        name: take(&mut proto.name),
        ..HloComputation::default()
    };
    if let Some(mut shape) = proto.program_shape {
        let names = take(&mut shape.parameter_names);
        let shape = value::program_shape(shape)?;
        let are_names = names.iter().all(|name| validity::is_name(name));
        if are_names && names.len() == shape.parameters.len() {
            computation.signature = Some((names, shape));
        }
    }
    if let Some(thread) = some_text(proto.execution_thread)
        && thread != "main"
    {
        let thread = Value::String(thread);
        computation.attributes.push("execution_thread", thread);
    }
    let parameters = vec![false; proto.instructions.len()];
    let mut reader = Reader {
        computations,
        positions: HashMap::new(),
        names: HashMap::new(),
        parameters,
        instructions: Vec::with_capacity(proto.instructions.len()),
    };
    for (position, instruction) in proto.instructions.into_iter().enumerate() {
        let name = instruction.name.clone();
        reader.add(instruction).map_err(|message| Failure {
            instruction: Some((position, name)),
            ..Failure::from(message)
        })?;
    }
    let count = reader.parameters.iter().filter(|seen| **seen).count();
    if reader.parameters.iter().take(count).any(|seen| !seen) {
        return Err("a parameter is missing".into());
    }
    let root = reader.positions.get(&proto.root_id).copied();
    computation.root = root.ok_or("there is no instruction of the root's id")?;
    computation.instructions = reader.instructions;
    if let (Some((_, shape)), Some(root)) = (&computation.signature, computation.root())
        && !crate::parser::is_compatible(&root.shape, &shape.result)
    {
        return Err("the root has another type than the computation".into());
    }
    Ok(computation)
}

/// The instructions of a computation that are read.
struct Reader<'a> {
    computations: &'a HashMap<i64, String>,
    /// By the numbers of the message.
    positions: HashMap<i64, usize>,
    names: HashMap<String, usize>,
    /// Whether each parameter has an instruction.
    parameters: Vec<bool>,
    instructions: Vec<HloInstruction>,
}

impl Reader<'_> {
    fn add(&mut self, proto: HloInstructionProto) -> Result<(), String> {
        let (id, position) = (proto.id, self.instructions.len());
        if self.positions.contains_key(&id) {
            return Err(format!("there is another instruction of id {id}"));
        }
        let instruction = self.instruction(proto)?;
        let name = &instruction.name;
        if self.names.insert(name.clone(), position).is_some() {
            return Err(format!("there is another instruction '{name}'"));
        }
        if let Arguments::Parameter(number) = instruction.arguments {
            match self.parameters.get_mut(number) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(format!("parameter {number} is out of order")),
            }
        }
        self.positions.insert(id, position);
        self.instructions.push(instruction);
        Ok(())
    }

    fn find(&self, id: i64) -> Result<&HloInstruction, String> {
        let position = self.positions.get(&id);
        let found = position.and_then(|position| self.instructions.get(*position));
        found.ok_or_else(|| format!("there is no instruction of id {id} before this one"))
    }

    fn instruction(&self, mut proto: HloInstructionProto) -> Result<HloInstruction, String> {
        let opcode: Result<Opcode, UnknownOpcode> = proto.opcode.parse();
        let opcode = opcode.map_err(|unknown| unknown.to_string())?;
        let shape = proto.shape.take().ok_or("the instruction has no 'shape'")?;
        let shape = value::shape(shape)?;
        let operands = proto.operand_ids.iter().map(|id| self.find(*id));
        let operands: Vec<&HloInstruction> = operands.collect::<Result<_, String>>()?;
        let arguments = arguments(&mut proto, opcode, &shape, &operands)?;
        let predecessors = proto
            .control_predecessor_ids
            .iter()
            .map(|id| self.find(*id).map(|found| found.name.clone()));
        let called = proto.called_computation_ids.iter().map(|id| {
            let name = self.computations.get(id).cloned();
            name.ok_or_else(|| format!("there is no computation of id {id}"))
        });
        let references = References {
            called: called.collect::<Result<_, String>>()?,
            predecessors: predecessors.collect::<Result<_, String>>()?,
            operands: (operands.iter().map(|operand| operand.shape.clone())).collect(),
        };
        Ok(HloInstruction {
            name: name(take(&mut proto.name))?,
            shape,
            opcode,
            wrapped_opcode: None,
            arguments,
            attributes: attributes::of(proto, opcode, references)?,
            position: Position::default(),
        })
    }
}

fn arguments(
    proto: &mut HloInstructionProto,
    opcode: Opcode,
    shape: &Shape,
    operands: &[&HloInstruction],
) -> Result<Arguments, String> {
    match opcode {
        Opcode::Parameter => {
            let number = usize::try_from(proto.parameter_number);
            let number = number.map_err(|_| "the number of a parameter is negative")?;
            Ok(Arguments::Parameter(number))
        }
        Opcode::Constant => Ok(Arguments::Constant(match proto.literal.take() {
            Some(literal) => constant(*literal, shape)?,
            None => Constant::Elided,
        })),
        _ => {
            let found = operands.len();
            if let Some(expected) = opcode.operand_count().filter(|count| *count != found) {
                return Err(format!(
                    "'{opcode}' takes {expected} operands, found {found}"
                ));
            }
            let names = operands.iter().map(|operand| operand.name.clone());
            Ok(Arguments::Operands(names.collect()))
        }
    }
}

/// A literal of the type of its instruction.
fn constant(proto: LiteralProto, shape: &Shape) -> Result<Constant, String> {
    let (literal, own) = value::literal(proto)?;
    if crate::parser::is_compatible(&own, shape) {
        Ok(literal)
    } else {
        Err("the literal has another type than its instruction".to_owned())
    }
}
