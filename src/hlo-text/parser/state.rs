//! The state of parsing one module.

use super::cursor::Cursor;
use crate::Shape;
use std::collections::HashMap;

/// The state of parsing one module.
pub(super) struct Parser<'a> {
    pub(super) cursor: Cursor<'a>,
    /// The types of the results of the computations read so far.
    pub(super) results: HashMap<String, Shape>,
    /// Names of called computations, with their offsets.
    pub(super) calls: Vec<(usize, String)>,
    /// Names of instructions in attributes of an instruction, with their offsets.
    pub(super) references: Vec<(usize, String)>,
    /// The nesting of inline computations.
    pub(super) depth: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
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
