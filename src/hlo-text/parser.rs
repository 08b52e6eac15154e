//! From text to the syntax tree.
//!
//! `grammar.pest` describes the items of the language; [`Parser`] parses one after the other.
//! Properties that the grammar cannot express are checked on reading: that operands stand before
//! their users and have the types that are written, that names are unique, that constants fit their
//! types.

mod attributes;
mod cursor;
mod expectation;
mod grammar;
mod infer;
mod instruction;
mod literal;
mod module;
mod number;
mod parallelism;
mod parts;
mod shape;
mod state;
mod text;
mod tree;
mod values;

use crate::{HloModule, ParseError, proto};
use cursor::Cursor;
use grammar::Rule;
use state::Parser;

pub(crate) use cursor::{blank, braces};
pub(crate) use instruction::is_compatible;
pub(crate) use number::element_bits;
pub use parts::{parse_shape, parse_value};
pub(crate) use text::unescape;

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
