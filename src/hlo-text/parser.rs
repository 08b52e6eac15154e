//! From text to the syntax tree.
//!
//! `grammar.pest` describes the items of the language; [`Parser`] parses one after the other.
//! Properties that the grammar cannot express are checked on reading: that operands stand before
//! their users and have the types that are written, that names are unique, that constants fit their
//! types.

mod attributes;
mod cursor;
mod expectation;
mod infer;
mod instruction;
mod literal;
mod module;
mod number;
mod parallelism;
mod parts;
mod shape;
mod text;
mod tree;
mod values;

use std::collections::HashMap;

use crate::{HloModule, ParseError, Shape, proto};
use cursor::Cursor;

pub(crate) use cursor::blank;
pub(crate) use instruction::is_compatible;
pub use parts::{parse_shape, parse_value};
pub(crate) use text::unescape;

#[derive(pest_derive::Parser)]
#[grammar = "grammar.pest"]
struct HloGrammar;

/// The state of parsing one module.
struct Parser<'a> {
    cursor: Cursor<'a>,
    /// The types of the results of the computations read so far.
    results: HashMap<String, Shape>,
    /// Names of called computations, with their offsets.
    calls: Vec<(usize, String)>,
    /// Names of instructions in attributes of an instruction, with their offsets.
    references: Vec<(usize, String)>,
    /// The nesting of inline computations.
    depth: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let mut cursor = Cursor::new(text);
        // `# RUN: ...`, a comment in protocol buffers.
        cursor.advance(crate::split::blank(text).saturating_sub(cursor.at));
        Self {
            cursor,
            results: HashMap::new(),
            calls: Vec::new(),
            references: Vec::new(),
            depth: 0,
        }
    }
}

/// Reads a module, written as HLO text or as `HloProto` in the text format of
/// protocol buffers.
///
/// # Errors
/// Returns an error if the text is neither, at the first place that is wrong.
pub fn parse(text: &str) -> Result<HloModule, ParseError> {
    let blank = crate::split::blank(text);
    if proto::is_proto(text.get(blank..).unwrap_or_default()) {
        return proto::parse(text);
    }
    Parser::new(text).module()
}

/// Returns true if a text begins with a computation that contains an instruction.
pub(crate) fn begins_with_computation(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.check_nesting().is_ok()
        && cursor.take(Rule::computation_head).is_ok()
        && cursor.check_nesting_behind(b'=').is_ok()
        && cursor.take(Rule::instruction_head).is_ok()
}

/// The length of the braces that a text begins with, with their contents.
pub(crate) fn braces_length(text: &str) -> Option<usize> {
    cursor::braces(text)
}

/// The bits of an element that is not complex.
pub(crate) fn element_bits(
    element_type: halo_core::ElementType,
    text: &str,
) -> Result<u64, String> {
    number::bits(element_type, text.as_bytes())
}
