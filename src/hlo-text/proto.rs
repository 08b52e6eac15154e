//! Modules as protocol buffers: `HloModuleProto`, `HloProto` and `HloSnapshot` of
//! XLA (`xla/service/hlo.proto`), in binary and in text format.
//!
//! Both formats are parsed into the messages of [`schema`], which one mapping converts to the
//! syntax tree; `write` is its inverse.

mod attributes;
mod binary;
mod computation;
mod mesh;
mod module;
mod names;
mod schema;
mod structure;
mod text;
mod value;
mod write;

use crate::{Constant, HloModule, ParseError};
use module::Failure;
use schema::HloModuleProto;
use text::{FieldText, ReadText};

/// Returns true if a text begins with a field of `HloProto` or `HloModuleProto`.
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

/// Reads a module in text format.
pub(crate) fn parse(text: &str) -> Result<HloModule, ParseError> {
    let root = text::read(text)?;
    let field = root.fields("hlo_module").next().unwrap_or(&root);
    let mut proto = HloModuleProto::default();
    proto.read_text(field)?;
    let module = module::read(proto);
    let mut module = module.map_err(|failure| place(field, &failure).error(failure.message))?;
    set_positions(text, field, &mut module);
    Ok(module)
}

/// The field that an error is about.
fn place<'f, 'a>(module: &'f FieldText<'a>, failure: &Failure) -> &'f FieldText<'a> {
    let nth = |field: &'f FieldText<'a>, name: &str, part: &Option<(usize, String)>| {
        let position = part.as_ref().map(|(position, _)| *position);
        let found = position.and_then(|position| field.fields(name).nth(position));
        found.unwrap_or(field)
    };
    let computation = nth(module, "computations", &failure.computation);
    nth(computation, "instructions", &failure.instruction)
}

/// Sets the positions of computations and instructions.
fn set_positions(text: &str, field: &FieldText, module: &mut HloModule) {
    let mut lines = text::Lines::default();
    let computations = module.computations.iter_mut();
    for (field, computation) in field.fields("computations").zip(computations) {
        computation.position = lines.position(text, field.at);
        let instructions = computation.instructions.iter_mut();
        for (field, instruction) in field.fields("instructions").zip(instructions) {
            instruction.position = lines.position(text, field.at);
        }
    }
}

/// A module with the values of a run, as `--xla_dump_hlo_snapshots` writes them.
#[derive(Clone, Debug, PartialEq)]
pub struct HloSnapshot {
    pub module: HloModule,
    pub arguments: Vec<Constant>,
    pub result: Option<Constant>,
}

/// Returns true if a file is a binary `HloModuleProto`, `HloProto` or `HloSnapshot`.
pub fn is_hlo_proto(bytes: &[u8]) -> bool {
    binary::is_binary(bytes)
}

/// Parses a module from any of the messages.
///
/// # Errors
/// Returns an error if the bytes are not one of the messages, or the message contains no valid
/// module.
pub fn parse_proto(bytes: &[u8]) -> Result<HloModule, ParseError> {
    binary::module(binary::read(bytes)?.hlo)
}

/// Parses a module with the values of a run; `None` if the message has only a module.
///
/// # Errors
/// Returns an error if the bytes are not one of the messages, or the message contains no valid
/// module.
pub fn parse_snapshot(bytes: &[u8]) -> Result<Option<HloSnapshot>, ParseError> {
    if !binary::is_snapshot(bytes) {
        return Ok(None);
    }
    let snapshot = binary::read(bytes)?;
    let literal = |proto| {
        let literal = value::literal(proto).map(|(literal, _)| literal);
        literal.map_err(ParseError::in_binary)
    };
    Ok(Some(HloSnapshot {
        module: binary::module(snapshot.hlo)?,
        arguments: snapshot.arguments.into_iter().map(literal).collect::<Result<_, _>>()?,
        result: snapshot.result.map(literal).transpose()?,
    }))
}

impl HloModule {
    /// The module as an `HloProto` in binary.
    ///
    /// # Errors
    /// Returns an error if the message cannot represent the tree.
    pub fn to_proto(&self) -> std::result::Result<Vec<u8>, String> {
        write::proto(self)
    }
}
