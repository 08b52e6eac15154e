//! Instructions.

use std::collections::HashMap;

use super::{attributes, value};
use crate::proto::schema::{
    DotDimensionNumbers, HloInstructionProto, TriangularSolveOptions, enumerations::*,
};
use crate::{Arguments, Constant, HloInstruction, Opcode, Value};

/// The numbers of the instructions and computations that an instruction refers to.
pub(super) struct Names<'a> {
    pub(super) instructions: &'a HashMap<&'a str, i64>,
    pub(super) computations: &'a HashMap<&'a str, i64>,
}

impl Names<'_> {
    fn instructions(&self, names: &[String]) -> Result<Vec<i64>, String> {
        let number = |name: &String| {
            let found = self.instructions.get(name.as_str()).copied();
            found.ok_or_else(|| format!("there is no instruction '{name}' before this one"))
        };
        names.iter().map(number).collect()
    }

    fn computations(&self, names: Vec<&str>) -> Result<Vec<i64>, String> {
        let number = |name: &str| {
            let found = self.computations.get(name).copied();
            found.ok_or_else(|| format!("there is no computation '{name}'"))
        };
        names.into_iter().map(number).collect()
    }
}

/// The message of an instruction.
pub(super) fn instruction(
    instruction: &HloInstruction,
    id: i64,
    names: &Names,
) -> Result<HloInstructionProto, String> {
    let mut proto = HloInstructionProto {
        name: instruction.name.clone(),
        opcode: instruction.opcode.name().to_owned(),
        id,
        shape: Some(value::shape(&instruction.shape)?),
        called_computation_ids: names.computations(called(instruction))?,
        ..HloInstructionProto::default()
    };
    if instruction.wrapped_opcode.is_some() {
        let wrong = "asynchronous instructions are written as those of a computation";
        return Err(wrong.to_owned());
    }
    match &instruction.arguments {
        Arguments::Parameter(number) => proto.parameter_number = *number as i64,
        Arguments::Constant(Constant::Elided) => {}
        Arguments::Constant(constant) => {
            let literal = value::literal(constant, Some(&instruction.shape))?;
            proto.literal = Some(Box::new(literal));
        }
        Arguments::Operands(operands) => proto.operand_ids = names.instructions(operands)?,
    }
    write_required(&mut proto, instruction.opcode)?;
    for (name, value) in instruction.attributes.iter() {
        match (name, value) {
            ("control-predecessors", Value::Instructions(predecessors)) => {
                proto.control_predecessor_ids = names.instructions(predecessors)?;
            }
            _ => attributes::write(&mut proto, instruction.opcode, name, value)?,
        }
    }
    Ok(proto)
}

/// Writes the messages that readers require even if they are empty.
fn write_required(proto: &mut HloInstructionProto, opcode: Opcode) -> Result<(), String> {
    match opcode {
        Opcode::Dot | Opcode::ScaledDot => proto.dot_dimension_numbers = Some(Box::default()),
        Opcode::RaggedDot => {
            let numbers = proto.ragged_dot_dimension_numbers.get_or_insert_default();
            numbers.dot_dimension_numbers = Some(DotDimensionNumbers::default());
        }
        Opcode::Gather => proto.gather_dimension_numbers = Some(Box::default()),
        Opcode::Scatter => proto.scatter_dimension_numbers = Some(Box::default()),
        Opcode::Cholesky => proto.cholesky_options = Some(Box::default()),
        Opcode::TriangularSolve => {
            let transpose_a = TRANSPOSE.number("NO_TRANSPOSE")?;
            proto.triangular_solve_options = Some(Box::new(TriangularSolveOptions {
                transpose_a,
                ..TriangularSolveOptions::default()
            }));
        }
        Opcode::CustomCall => {
            let version = CUSTOM_CALL_API_VERSION.number("API_VERSION_ORIGINAL")?;
            proto.custom_call_api_version = version;
        }
        Opcode::Convolution | Opcode::ReduceWindow | Opcode::SelectAndScatter => {
            proto.window = Some(Box::default());
        }
        _ => {}
    }
    Ok(())
}

/// The computations that an instruction calls, in the order of the message.
pub(super) fn called(instruction: &HloInstruction) -> Vec<&str> {
    let named = |name: &str| match instruction.attributes.get(name) {
        Some(Value::Computation(name)) => vec![name.as_str()],
        Some(Value::Computations(names)) => names.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let names: &[&str] = match instruction.opcode {
        Opcode::While => &["body", "condition"],
        Opcode::SelectAndScatter => &["select", "scatter"],
        Opcode::Conditional => &[
            "true_computation",
            "false_computation",
            "branch_computations",
        ],
        _ => &[
            "to_apply",
            "calls",
            "called_computation",
            "called_computations",
        ],
    };
    names.iter().flat_map(|name| named(name)).collect()
}
