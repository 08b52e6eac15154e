//! Modules as protocol buffers: `HloModuleProto`, `HloProto` and `HloSnapshot` of
//! XLA (`xla/service/hlo.proto`), in binary and in text format.
//!
//! Both forms are read into messages whose fields have names, which one mapping
//! then makes the syntax tree of. What is written goes straight to bytes.

mod attributes;
mod binary;
mod mesh;
mod message;
mod schema;
mod structure;
mod text;
mod value;
mod write;

use std::collections::HashMap;

use crate::{
    Arguments, Attributes, Constant, FileLocation, HloComputation, HloInstruction, HloModule,
    Opcode, ParseError, Shape, StackFrame, StackFrames, Value, validity,
};
use attributes::References;
use message::Message;

/// Whether a text begins with a field of `HloProto` or `HloModuleProto`.
pub(crate) fn is_proto(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let rest = rest.trim_start();
    match word {
        "hlo_module" => rest.starts_with('{') || rest.starts_with(':'),
        "computations" | "host_program_shape" => rest.starts_with('{'),
        "name" | "id" | "entry_computation_name" | "entry_computation_id" => rest.starts_with(':'),
        _ => false,
    }
}

/// Reads a module.
pub(crate) fn parse(text: &str) -> std::result::Result<HloModule, ParseError> {
    let root = text::read(text)?;
    let message = root.message("hlo_module").unwrap_or(&root);
    module(message)
}

/// A module with values that it was run on, as `--xla_dump_hlo_snapshots` writes
/// them.
#[derive(Clone, Debug, PartialEq)]
pub struct HloSnapshot {
    pub module: HloModule,
    pub arguments: Vec<Constant>,
    pub result: Option<Constant>,
}

/// Whether a file is `HloModuleProto`, `HloProto` or `HloSnapshot` in binary.
pub fn is_hlo_proto(bytes: &[u8]) -> bool {
    binary::is_binary(bytes)
}

/// Reads a module, whichever of the messages it is in.
///
/// # Errors
/// At the first byte that is wrong.
pub fn parse_proto(bytes: &[u8]) -> Result<HloModule, ParseError> {
    let (kind, root) = binary::read(bytes)?;
    module(module_of(kind, &root)?)
}

/// Reads a module with the values that it was run on; none of a message that
/// holds only the module.
///
/// # Errors
/// At the first byte that is wrong.
pub fn parse_snapshot(bytes: &[u8]) -> Result<Option<HloSnapshot>, ParseError> {
    let (kind, root) = binary::read(bytes)?;
    if kind != binary::MessageKind::Snapshot {
        return Ok(None);
    }
    let arguments = root.messages("arguments").map(value::literal);
    Ok(Some(HloSnapshot {
        module: module(module_of(kind, &root)?)?,
        arguments: arguments.collect::<Result<_, ParseError>>()?,
        result: root.message("result").map(value::literal).transpose()?,
    }))
}

impl HloModule {
    /// The module as an `HloProto` in binary.
    ///
    /// # Errors
    /// Where the message has no place for something that the tree says.
    pub fn to_proto(&self) -> std::result::Result<Vec<u8>, String> {
        write::proto(self)
    }
}

fn module_of<'m, 'a>(
    kind: binary::MessageKind,
    root: &'m Message<'a>,
) -> Result<&'m Message<'a>, ParseError> {
    let proto = match kind {
        binary::MessageKind::Module => return Ok(root),
        binary::MessageKind::Proto => Some(root),
        binary::MessageKind::Snapshot => root.message("hlo"),
    };
    let module = proto.and_then(|proto| proto.message("hlo_module"));
    module.ok_or_else(|| root.error("the message contains no module"))
}

fn module(message: &Message) -> Result<HloModule, ParseError> {
    let mut module = HloModule {
        name: name(message)?,
        attributes: module_attributes(message)?,
        stack_frames: match message.message("stack_frame_index") {
            Some(tables) => stack_frames(tables)?,
            None => StackFrames::default(),
        },
        ..HloModule::default()
    };
    let mut names = HashMap::new();
    for computation in message.messages("computations") {
        let name = name(computation)?;
        let id = computation.number("id")?;
        if names.insert(id, name.clone()).is_some() {
            return Err(computation.error(format!("there is another computation of id {id}")));
        }
        if module.computations.iter().any(|other| other.name == name) {
            return Err(computation.error(format!("there is another computation '{name}'")));
        }
        module.computations.push(HloComputation {
            name,
            ..HloComputation::default()
        });
    }
    let messages = message.messages("computations");
    for (target, message) in module.computations.iter_mut().zip(messages) {
        let name = std::mem::take(&mut target.name);
        *target = computation(message, name, &names)?;
    }
    let entry = match message.integer("entry_computation_id")? {
        Some(id) => names.get(&id).cloned(),
        None => message.string("entry_computation_name")?,
    };
    let entry = entry.and_then(|name| {
        module
            .computations
            .iter()
            .position(|other| other.name == name)
    });
    match entry {
        Some(entry) => module.entry = entry,
        None => return Err(message.error("the module has no entry computation")),
    }
    Ok(module)
}

/// The name of a module, a computation or an instruction.
fn name(message: &Message) -> Result<String, ParseError> {
    let name = message.string("name")?.unwrap_or_default();
    if !validity::is_name(&name) {
        return Err(message.error(format!("'{}' is not a name", name.escape_debug())));
    }
    Ok(name)
}

fn module_attributes(message: &Message) -> Result<Attributes, ParseError> {
    let mut attributes = Attributes::default();
    if message.message("schedule").is_some() {
        attributes.push("is_scheduled", Value::Bool(true));
    }
    if let Some(aliases) = message.message("input_output_alias") {
        let aliases = aliases.messages("entries").map(structure::module_alias);
        let aliases: Vec<_> = aliases.collect::<Result<_, ParseError>>()?;
        if !aliases.is_empty() {
            attributes.push("input_output_alias", Value::Aliases(aliases));
        }
    }
    if let Some(donors) = message.message("buffer_donor") {
        let donors = donors.messages("entries").map(|entry| {
            Ok((
                entry.number("parameter_number")?,
                entry.integers("parameter_shape_index")?,
            ))
        });
        let donors: Vec<_> = donors.collect::<Result<_, ParseError>>()?;
        if !donors.is_empty() {
            attributes.push("buffer_donor", Value::BufferDonors(donors));
        }
    }
    if let Some(shape) = message.message("host_program_shape") {
        let shape = value::program_shape(shape)?;
        attributes.push("entry_computation_layout", Value::ProgramShape(shape));
    }
    if let Some(frontend) = message.message("frontend_attributes") {
        let frontend = structure::frontend_attributes(frontend)?;
        if !frontend.is_empty() {
            attributes.push("frontend_attributes", Value::FrontendAttributes(frontend));
        }
    }
    // No version of XLA prints the following.
    for name in ["is_dynamic", "use_auto_spmd_partitioning"] {
        if message.is_true(name) {
            attributes.push(name, Value::Bool(true));
        }
    }
    if let Some(sharding) = message.message("spmd_output_sharding") {
        let sharding = structure::sharding(sharding)?;
        attributes.push("spmd_output_sharding", Value::Sharding(sharding));
    }
    let shardings = message
        .messages("spmd_parameters_shardings")
        .map(structure::sharding);
    let shardings: Vec<_> = shardings.collect::<Result<_, ParseError>>()?;
    if !shardings.is_empty() {
        let shardings = Value::Sharding(crate::Sharding::Tuple(shardings));
        attributes.push("spmd_parameters_shardings", shardings);
    }
    let prefetches = message
        .messages("cross_program_prefetches")
        .map(|prefetch| {
            let mut numbers = vec![prefetch.number("parameter")?, prefetch.number("offset")?];
            numbers.extend(prefetch.integers("index")?);
            Ok(numbers)
        });
    let prefetches: Vec<Vec<i64>> = prefetches.collect::<Result<_, ParseError>>()?;
    if !prefetches.is_empty() {
        // The parameter, the offset, and the position in the parameter's tuple.
        attributes.push("cross_program_prefetches", Value::IntegerLists(prefetches));
    }
    Ok(attributes)
}

fn stack_frames(message: &Message) -> Result<StackFrames, ParseError> {
    let locations = message.messages("file_locations").map(|location| {
        Ok(FileLocation {
            file_name_id: location.number("file_name_id")?,
            function_name_id: location.number("function_name_id")?,
            line: location.number("line")?,
            end_line: location.number("end_line")?,
            column: location.number("column")?,
            end_column: location.number("end_column")?,
        })
    });
    let frames = message.messages("stack_frames").map(|frame| {
        Ok(StackFrame {
            file_location_id: frame.number("file_location_id")?,
            // HLO text has the number of the parent more 1.
            parent_frame_id: frame.number("parent_frame_id")?.saturating_add(1),
        })
    });
    Ok(StackFrames {
        file_names: message.strings("file_names")?,
        function_names: message.strings("function_names")?,
        file_locations: locations.collect::<Result<_, ParseError>>()?,
        frames: frames.collect::<Result<_, ParseError>>()?,
    })
}

fn computation(
    message: &Message,
    name: String,
    computations: &HashMap<i64, String>,
) -> Result<HloComputation, ParseError> {
    let mut computation = HloComputation {
        name,
        position: message.position,
        ..HloComputation::default()
    };
    if let Some(shape) = message.message("program_shape") {
        let names = shape.strings("parameter_names")?;
        let shape = value::program_shape(shape)?;
        let are_names = names.iter().all(|name| validity::is_name(name));
        if are_names && names.len() == shape.parameters.len() {
            computation.signature = Some((names, shape));
        }
    }
    if let Some(thread) = message.string("execution_thread")?
        && thread != "main"
    {
        let thread = Value::String(thread);
        computation.attributes.push("execution_thread", thread);
    }
    let root = message.number("root_id")?;
    let mut has_root = false;
    // Position by id.
    let mut by_id: HashMap<i64, usize> = HashMap::new();
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut parameters = vec![false; message.messages("instructions").count()];
    for (position, message) in message.messages("instructions").enumerate() {
        let id = message.number("id")?;
        if by_id.contains_key(&id) {
            return Err(message.error(format!("there is another instruction of id {id}")));
        }
        let instruction = instruction(message, &computation.instructions, &by_id, computations)?;
        if names.insert(instruction.name.clone(), position).is_some() {
            let wrong = format!("there is another instruction '{}'", instruction.name);
            return Err(message.error(wrong));
        }
        if let Arguments::Parameter(number) = instruction.arguments {
            match parameters.get_mut(number) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(message.error(format!("parameter {number} is out of order"))),
            }
        }
        by_id.insert(id, position);
        if id == root {
            computation.root = position;
            has_root = true;
        }
        computation.instructions.push(instruction);
    }
    let count = parameters.iter().filter(|seen| **seen).count();
    if parameters.iter().take(count).any(|seen| !seen) {
        return Err(message.error("a parameter is missing"));
    }
    if !has_root {
        return Err(message.error("there is no instruction of the root's id"));
    }
    if let (Some((_, shape)), Some(root)) = (&computation.signature, computation.root())
        && !crate::parser::is_compatible(&root.shape, &shape.result)
    {
        return Err(message.error("the root has another type than the computation"));
    }
    Ok(computation)
}

fn instruction(
    message: &Message,
    instructions: &[HloInstruction],
    by_id: &HashMap<i64, usize>,
    computations: &HashMap<i64, String>,
) -> Result<HloInstruction, ParseError> {
    let opcode = message.string("opcode")?.unwrap_or_default();
    let opcode: Opcode = opcode
        .parse()
        .map_err(|unknown: crate::UnknownOpcode| message.error(unknown.to_string()))?;
    let Some(shape) = message.message("shape") else {
        return Err(message.error("the instruction has no 'shape'"));
    };
    let shape = value::shape(shape)?;
    let find = |id: i64| {
        let instruction = by_id
            .get(&id)
            .and_then(|position| instructions.get(*position));
        instruction.ok_or_else(|| {
            message.error(format!(
                "there is no instruction of id {id} before this one"
            ))
        })
    };
    let operands = message.integers("operand_ids")?.into_iter().map(find);
    let operands: Vec<&HloInstruction> = operands.collect::<Result<_, ParseError>>()?;
    let predecessors = message
        .integers("control_predecessor_ids")?
        .into_iter()
        .map(find);
    let predecessors = predecessors.map(|found| found.map(|one| one.name.clone()));
    let called = message
        .integers("called_computation_ids")?
        .into_iter()
        .map(|id| {
            let name = computations.get(&id).cloned();
            name.ok_or_else(|| message.error(format!("there is no computation of id {id}")))
        });
    let references = References {
        called: called.collect::<Result<_, ParseError>>()?,
        predecessors: predecessors.collect::<Result<_, ParseError>>()?,
        operands: operands
            .iter()
            .map(|operand| operand.shape.clone())
            .collect(),
    };
    let arguments = match opcode {
        Opcode::Parameter => {
            let number = usize::try_from(message.number("parameter_number")?);
            Arguments::Parameter(
                number.map_err(|_| message.error("the number of a parameter is negative"))?,
            )
        }
        Opcode::Constant => match message.message("literal") {
            Some(literal) => Arguments::Constant(constant(literal, &shape)?),
            None => Arguments::Constant(Constant::Elided),
        },
        _ => {
            let names = operands.iter().map(|operand| operand.name.clone());
            Arguments::Operands(names.collect())
        }
    };
    if let (Some(expected), Arguments::Operands(_)) = (opcode.operand_count(), &arguments)
        && expected != operands.len()
    {
        let found = operands.len();
        return Err(message.error(format!(
            "'{opcode}' takes {expected} operands, found {found}"
        )));
    }
    Ok(HloInstruction {
        name: name(message)?,
        shape,
        opcode,
        wrapped_opcode: None,
        arguments,
        attributes: attributes::of(message, opcode, references)?,
        position: message.position,
    })
}

/// A literal of the type of its instruction.
fn constant(message: &Message, shape: &Shape) -> Result<Constant, ParseError> {
    let literal = value::literal(message)?;
    let written = message.message("shape").map(value::shape).transpose()?;
    match written {
        Some(written) if crate::parser::is_compatible(&written, shape) => Ok(literal),
        _ => Err(message.error("the literal has another type than its instruction")),
    }
}
