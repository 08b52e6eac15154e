//! Modules and computations.

use crate::ParseError;
use std::collections::HashMap;

use super::{
    cursor::{DEEPEST, Item, blank},
    grammar::Rule,
    instruction::{Scope, is_compatible},
    shape,
    state::Parser,
    text,
};
use crate::{
    FileLocation, HloComputation, HloModule, ProgramShape, Shape, StackFrame, StackFrames,
};

impl Parser<'_> {
    /// Parses a whole text.
    pub(super) fn module(mut self) -> Result<HloModule, ParseError> {
        let mut module = HloModule::default();
        let has_header = self.next_word() == "HloModule";
        if has_header {
            let head = self.cursor.take(Rule::module_head)?;
            for name in head.children().filter(|part| part.rule() == Rule::name) {
                module.name = name.name();
            }
            module.attributes = self.attributes(None)?;
        } else if self.is_instruction() {
            return self.bare_instructions();
        }
        if self.next_word() == "FileNames" && !self.is_computation() {
            module.stack_frames = self.stack_frames()?;
        }
        let mut entry = None;
        let mut names: HashMap<String, usize> = HashMap::new();
        loop {
            let start = self.cursor.at;
            let (computation, offset, is_entry) = self.computation()?;
            let position = module.computations.len();
            if is_entry && entry.replace(position).is_some() {
                let message = "the module has another ENTRY";
                return Err(self.cursor.error_at(start, message));
            }
            if names.insert(computation.name.clone(), position).is_some() {
                let message = format!("there is another computation '{}'", computation.name);
                return Err(self.cursor.error_at(offset, message));
            }
            if let Some(root) = computation.root() {
                let result = root.shape.clone();
                self.results.insert(computation.name.clone(), result);
            }
            module.computations.push(computation);
            if self.cursor.is_at_end() {
                break;
            }
        }
        for (offset, name) in &self.calls {
            if !names.contains_key(name) {
                let message = format!("there is no computation '{name}'");
                return Err(self.cursor.error_at(*offset, message));
            }
        }
        module.entry = entry.unwrap_or(module.computations.len().saturating_sub(1));
        if !has_header && let Some(entry) = module.entry() {
            module.name = format!("module_{}", entry.name);
        }
        Ok(module)
    }

    /// The next word, empty if there is none.
    fn next_word(&self) -> &str {
        let rest = self.cursor.rest();
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_.-%".contains(c);
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    /// The text after the next word.
    fn behind_word(&self) -> &str {
        let rest = self.cursor.rest().get(self.next_word().len()..);
        let rest = rest.unwrap_or_default();
        rest.get(blank(rest)..).unwrap_or_default()
    }

    fn is_computation(&self) -> bool {
        self.behind_word().starts_with(['{', '('])
    }

    /// Returns true if the next item is an instruction, not a computation.
    fn is_instruction(&self) -> bool {
        let word = self.next_word();
        let rest = self.behind_word();
        match word {
            "ROOT" => !self.is_computation(),
            // The type of an instruction without a name.
            _ => {
                rest.starts_with('=')
                    || rest.starts_with('[')
                    || word.is_empty() && rest.starts_with('(')
            }
        }
    }

    /// Parses bare instructions. Undefined operands with a type are parameters.
    fn bare_instructions(mut self) -> Result<HloModule, ParseError> {
        let mut scope = Scope {
            makes_parameters: true,
            ..Scope::default()
        };
        let start = self.cursor.at;
        while !self.cursor.is_at_end() {
            if self.next_word() == "ROOT" || self.is_named_instruction() {
                self.instruction(&mut scope)?;
            } else {
                self.bare_instruction(&mut scope)?;
            }
        }
        if let Some((offset, name)) = self.calls.first() {
            let message = format!("there is no computation '{name}'");
            return Err(self.cursor.error_at(*offset, message));
        }
        let computation = self.finish(scope, "main".to_owned(), None, start)?;
        Ok(HloModule {
            name: "module_main".to_owned(),
            computations: vec![computation],
            ..HloModule::default()
        })
    }

    fn is_named_instruction(&self) -> bool {
        !self.next_word().is_empty() && self.behind_word().starts_with('=')
    }

    /// Parses a computation; returns it with the offset of its name, and whether it is marked
    /// `ENTRY`.
    fn computation(&mut self) -> Result<(HloComputation, usize, bool), ParseError> {
        self.cursor.check_nesting()?;
        let head = self.cursor.take(Rule::computation_head)?;
        let mut name = String::new();
        let mut offset = head.offset();
        let mut signature = None;
        let mut is_entry = false;
        for part in head.children() {
            match part.rule() {
                Rule::entry => is_entry = true,
                Rule::name => {
                    name = part.name();
                    offset = part.offset();
                }
                Rule::signature => signature = Some(self.signature(&part)?),
                _ => {}
            }
        }
        let scope = self.instructions()?;
        let mut computation = self.finish(scope, name, signature, offset)?;
        computation.attributes = self.attributes(None)?;
        Ok((computation, offset, is_entry))
    }

    /// Reads `{ ... }` as the value of an attribute.
    pub(super) fn inline_computation(&mut self) -> Result<HloComputation, ParseError> {
        let offset = self.cursor.at;
        self.depth += 1;
        if self.depth > DEEPEST / 2 {
            return Err(self.cursor.error("computations are nested too deep"));
        }
        let references = std::mem::take(&mut self.references);
        self.cursor.take(Rule::open_brace)?;
        let scope = self.instructions()?;
        self.references = references;
        self.depth -= 1;
        self.finish(scope, String::new(), None, offset)
    }

    /// Reads instructions up to the brace that ends a computation.
    fn instructions(&mut self) -> Result<Scope, ParseError> {
        let mut scope = Scope::default();
        loop {
            self.instruction(&mut scope)?;
            if self.cursor.eat(b'}') {
                return Ok(scope);
            }
        }
    }

    /// A computation of the instructions of a scope.
    fn finish(
        &self,
        scope: Scope,
        name: String,
        signature: Option<(Vec<String>, ProgramShape, usize)>,
        offset: usize,
    ) -> Result<HloComputation, ParseError> {
        let count = scope.parameters.len();
        for (number, offset) in &scope.parameters {
            if *number >= count {
                let message = format!("there is a parameter {number}, but only {count} of them");
                return Err(self.cursor.error_at(*offset, message));
            }
        }
        let last = scope.instructions.len().saturating_sub(1);
        let computation = HloComputation {
            name,
            root: scope.root.unwrap_or(last),
            instructions: scope.instructions,
            position: self.cursor.position(offset),
            ..HloComputation::default()
        };
        let Some((names, shape, offset)) = signature else {
            return Ok(computation);
        };
        let root = computation.root().map(|root| &root.shape);
        if root.is_some_and(|root| !is_compatible(root, &shape.result)) {
            let message = "the ROOT has another type than the computation";
            return Err(self.cursor.error_at(offset, message));
        }
        Ok(HloComputation {
            signature: Some((names, shape)),
            ..computation
        })
    }

    /// Names and types, and the offset of the result's type.
    fn signature(&self, item: &Item) -> Result<(Vec<String>, ProgramShape, usize), ParseError> {
        let mut names = Vec::new();
        let mut parameters = Vec::new();
        let mut result = Shape::default();
        let mut offset = item.offset();
        for part in item.children() {
            if part.rule() == Rule::shape {
                offset = part.offset();
                result = shape::of(&self.cursor, &part)?;
                continue;
            }
            for inner in part.children() {
                match inner.rule() {
                    Rule::name => names.push(inner.name()),
                    _ => parameters.push(shape::of(&self.cursor, &inner)?),
                }
            }
        }
        Ok((names, ProgramShape { parameters, result }, offset))
    }

    /// Reads `FileNames ... StackFrames ...`.
    fn stack_frames(&mut self) -> Result<StackFrames, ParseError> {
        let item = self.cursor.take(Rule::stack_frames)?;
        let mut tables = StackFrames::default();
        let mut in_functions = false;
        for part in item.children() {
            match part.rule() {
                Rule::numbered_string => {
                    let names = if in_functions {
                        &mut tables.function_names
                    } else {
                        &mut tables.file_names
                    };
                    let strings = part.children();
                    for string in strings.filter(|inner| inner.rule() == Rule::string) {
                        names.push(text::of(&self.cursor, &string)?);
                    }
                }
                Rule::numbered_fields => {
                    let location = self.file_location(&part)?;
                    tables.file_locations.push(location);
                }
                Rule::frame_fields => {
                    let frame = self.stack_frame(&part)?;
                    tables.frames.push(frame);
                }
                Rule::function_names => in_functions = true,
                _ => {}
            }
        }
        Ok(tables)
    }

    fn file_location(&self, item: &Item) -> Result<FileLocation, ParseError> {
        let mut location = FileLocation::default();
        self.fields(item, |name, value| {
            let field = match name {
                "file_name_id" => &mut location.file_name_id,
                "function_name_id" => &mut location.function_name_id,
                "line" => &mut location.line,
                "end_line" => &mut location.end_line,
                "column" => &mut location.column,
                "end_column" => &mut location.end_column,
                _ => return false,
            };
            *field = value;
            true
        })?;
        Ok(location)
    }

    fn stack_frame(&self, item: &Item) -> Result<StackFrame, ParseError> {
        let mut frame = StackFrame::default();
        self.fields(item, |name, value| {
            let field = match name {
                "file_location_id" => &mut frame.file_location_id,
                "parent_frame_id" => &mut frame.parent_frame_id,
                _ => return false,
            };
            *field = value;
            true
        })?;
        Ok(frame)
    }

    /// Passes each `name=number` to a function; fails at a name that it rejects.
    fn fields(
        &self,
        item: &Item,
        mut field: impl FnMut(&str, i64) -> bool,
    ) -> Result<(), ParseError> {
        let fields = item.children().filter(|part| part.rule() == Rule::fields);
        for part in fields.flat_map(|fields| fields.children()) {
            let mut parts = part.children();
            let (Some(name), Some(value)) = (parts.next(), parts.next()) else {
                continue;
            };
            if !field(name.text(), value.integer(&self.cursor)?) {
                let message = format!("there is no field '{}' here", name.text());
                return Err(self.cursor.error_at(name.offset(), message));
            }
        }
        Ok(())
    }
}
