//! Instructions and their operands.

use std::collections::HashMap;

use super::{
    cursor::{Cursor, Item, blank},
    grammar::Rule,
    infer, literal, shape,
    state::Parser,
    tree::integer,
};
use crate::{Arguments, Attributes, HloInstruction, Opcode, ParseError, Shape};

/// The instructions of a computation that were read so far.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) instructions: Vec<HloInstruction>,
    /// The index of the instruction marked `ROOT`.
    pub(super) root: Option<usize>,
    pub(super) by_name: HashMap<String, usize>,
    /// The offsets of the parameters, by their numbers.
    pub(super) parameters: HashMap<usize, usize>,
    /// The number of unnamed instructions that were written as operands.
    pub(super) anonymous: usize,
    /// Whether undefined operands are parameters, as in texts of bare instructions.
    pub(super) makes_parameters: bool,
}

impl Scope {
    fn find(&self, name: &str) -> Option<&HloInstruction> {
        let position = self.by_name.get(name)?;
        self.instructions.get(*position)
    }
}

/// An instruction's opcode, and the wrapped opcode of an asynchronous one.
struct Operation {
    opcode: Opcode,
    wrapped: Option<Opcode>,
}

impl Parser<'_> {
    /// Reads an instruction.
    pub(super) fn instruction(&mut self, scope: &mut Scope) -> Result<(), ParseError> {
        self.cursor.check_nesting_behind(b'=')?;
        let item = self.cursor.take(Rule::instruction_head)?;
        let mut is_root = false;
        let mut name = String::new();
        let mut offset = item.offset();
        for part in item.children() {
            match part.rule() {
                Rule::root if scope.root.is_some() => {
                    let message = "the computation has another ROOT";
                    return Err(self.cursor.error_at(part.offset(), message));
                }
                Rule::root => is_root = true,
                Rule::name => {
                    name = part.name();
                    offset = part.offset();
                    break;
                }
                _ => {}
            }
        }
        self.right_hand_side(scope, &item, name, offset)?;
        if is_root {
            // Operands that are nested instructions stand before it.
            scope.root = scope.instructions.len().checked_sub(1);
        }
        Ok(())
    }

    /// Reads an instruction without a name.
    pub(super) fn bare_instruction(&mut self, scope: &mut Scope) -> Result<(), ParseError> {
        self.cursor.check_nesting()?;
        let item = self.cursor.take(Rule::bare_operation)?;
        let name = format!("result.{}", scope.instructions.len());
        self.right_hand_side(scope, &item, name, item.offset())
    }

    /// Reads on after the head of an instruction.
    fn right_hand_side(
        &mut self,
        scope: &mut Scope,
        item: &Item,
        name: String,
        offset: usize,
    ) -> Result<(), ParseError> {
        let mut shape = None;
        let mut operation = None;
        let mut operands = None;
        for part in item.children() {
            match part.rule() {
                Rule::shape => shape = Some(shape::of(&self.cursor, &part)?),
                Rule::opcode | Rule::constant => {
                    operation = Some(operation_of(&self.cursor, &part)?);
                }
                Rule::plain_operands => operands = Some(part),
                _ => {}
            }
        }
        let Some(operation) = operation else {
            return Err(self.cursor.error_at(item.offset(), "expected an opcode"));
        };
        let opcode = operation.opcode;
        let mut start = self.cursor.at;
        let is_typed = shape.is_some();
        let arguments = match (opcode, &shape, operands) {
            (Opcode::Constant, Some(shape), _) => {
                let constant = self.literal(shape)?;
                self.close_paren()?;
                Arguments::Constant(constant)
            }
            (Opcode::Parameter, Some(_), None) => {
                let item = self.cursor.take(Rule::integer)?;
                self.close_paren()?;
                self.parameter(scope, item.integer(&self.cursor)?, item.offset())?
            }
            (Opcode::Constant | Opcode::Parameter, None, _) => {
                return Err(self.cursor.expected_at(item.offset(), "a type"));
            }
            (Opcode::Parameter, _, Some(operands)) => {
                return Err(self.cursor.expected_at(operands.offset(), "an integer"));
            }
            (_, _, Some(operands)) => {
                start = operands.offset();
                Arguments::Operands(self.plain_operands(scope, &operands)?)
            }
            _ => {
                let operands = self.cursor.take(Rule::operands)?;
                Arguments::Operands(self.operands(scope, &operands)?)
            }
        };
        self.check_operand_count(&operation, &arguments, start)?;
        let attributes = self.attributes(Some(operation.wrapped.unwrap_or(opcode)))?;
        for (offset, name) in std::mem::take(&mut self.references) {
            if scope.find(&name).is_none() {
                return Err(self.missing_operand(offset, &name));
            }
        }
        let instruction = HloInstruction {
            name,
            shape: shape.unwrap_or_default(),
            opcode,
            wrapped_opcode: operation.wrapped,
            arguments,
            attributes,
            position: self.cursor.position(offset),
        };
        self.add(scope, instruction, is_typed, offset)
    }

    /// Adds an instruction to the computation; its type is inferred from its operands if it is not
    /// written.
    fn add(
        &mut self,
        scope: &mut Scope,
        mut instruction: HloInstruction,
        is_typed: bool,
        offset: usize,
    ) -> Result<(), ParseError> {
        if !is_typed {
            let operands = instruction.operands().iter();
            let operands: Vec<&Shape> = operands
                .filter_map(|name| scope.find(name))
                .map(|operand| &operand.shape)
                .collect();
            let inferred = infer::shape(&instruction, &operands, &self.results);
            match inferred {
                Some(shape) => instruction.shape = shape,
                None => {
                    let message = format!("expected the type of '{}'", instruction.opcode);
                    return Err(self.cursor.error_at(offset, message));
                }
            }
        }
        let position = scope.instructions.len();
        if scope.by_name.contains_key(&instruction.name) {
            let message = format!("there is another instruction '{}'", instruction.name);
            return Err(self.cursor.error_at(offset, message));
        }
        scope.by_name.insert(instruction.name.clone(), position);
        scope.instructions.push(instruction);
        Ok(())
    }

    fn close_paren(&mut self) -> Result<(), ParseError> {
        if self.cursor.eat(b')') {
            return Ok(());
        }
        Err(self.cursor.expected("')'"))
    }

    fn parameter(
        &self,
        scope: &mut Scope,
        number: i64,
        offset: usize,
    ) -> Result<Arguments, ParseError> {
        let Ok(number) = usize::try_from(number) else {
            let message = "the number of a parameter is negative";
            return Err(self.cursor.error_at(offset, message));
        };
        if scope.parameters.insert(number, offset).is_some() {
            let message = format!("there is another parameter {number}");
            return Err(self.cursor.error_at(offset, message));
        }
        Ok(Arguments::Parameter(number))
    }

    fn check_operand_count(
        &self,
        operation: &Operation,
        arguments: &Arguments,
        offset: usize,
    ) -> Result<(), ParseError> {
        let Arguments::Operands(operands) = arguments else {
            return Ok(());
        };
        match operation.opcode.operand_count() {
            Some(expected) if expected != operands.len() => {
                let noun = if expected == 1 { "operand" } else { "operands" };
                let message = format!(
                    "'{}' takes {expected} {noun}, found {}",
                    operation.opcode,
                    operands.len()
                );
                Err(self.cursor.error_at(offset, message))
            }
            _ => Ok(()),
        }
    }

    /// The names in `%a, %b`.
    fn plain_operands(&self, scope: &Scope, item: &Item) -> Result<Vec<String>, ParseError> {
        let text = item.text();
        let mut names = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let rest = text.get(at..).unwrap_or_default();
            let is_name = |c: char| c.is_ascii_alphanumeric() || "%_.-".contains(c);
            let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            let written = rest.get(..length).unwrap_or_default();
            let name = written.strip_prefix('%').unwrap_or(written);
            if scope.find(name).is_none() {
                return Err(self.missing_operand(item.offset() + at, name));
            }
            names.push(name.to_owned());
            at += length;
            at += blank(text.get(at..).unwrap_or_default());
            // The comma.
            at += 1;
            at += blank(text.get(at..).unwrap_or_default());
        }
        Ok(names)
    }

    fn missing_operand(&self, offset: usize, name: &str) -> ParseError {
        let message = format!("there is no instruction '{name}' before this one");
        self.cursor.error_at(offset, message)
    }

    /// The names of operands; nested instructions are added to the computation.
    fn operands(&mut self, scope: &mut Scope, item: &Item) -> Result<Vec<String>, ParseError> {
        let mut names = Vec::new();
        for operand in item.children() {
            names.push(self.operand(scope, &operand)?);
        }
        Ok(names)
    }

    fn operand(&mut self, scope: &mut Scope, item: &Item) -> Result<String, ParseError> {
        let mut shape = None;
        let mut name = None;
        let mut nested = None;
        for part in item.children() {
            match part.rule() {
                Rule::shape => shape = Some(shape::of(&self.cursor, &part)?),
                Rule::name => name = Some(part),
                _ => nested = Some(part),
            }
        }
        if let (Some(opcode), Some(arguments)) = (&name, nested) {
            return self.nested_instruction(scope, shape, opcode, &arguments);
        }
        let Some(name) = name else {
            if let (Some(shape), true) = (shape, scope.makes_parameters) {
                let name = format!("_{}", scope.parameters.len());
                return self.implicit_parameter(scope, name, shape, item.offset());
            }
            return Err(self.cursor.error_at(item.offset(), "expected the name of an operand"));
        };
        let offset = name.offset();
        let text = name.text();
        let text = text.strip_prefix('%').unwrap_or(text);
        match (scope.find(text), shape) {
            (Some(definition), Some(shape)) if !is_compatible(&definition.shape, &shape) => {
                let message = format!("'{text}' has another type where it is defined");
                Err(self.cursor.error_at(item.offset(), message))
            }
            (Some(_), _) => Ok(text.to_owned()),
            (None, Some(shape)) if scope.makes_parameters => {
                self.implicit_parameter(scope, text.to_owned(), shape, offset)
            }
            (None, _) => Err(self.missing_operand(offset, text)),
        }
    }

    fn implicit_parameter(
        &mut self,
        scope: &mut Scope,
        name: String,
        shape: Shape,
        offset: usize,
    ) -> Result<String, ParseError> {
        let number = scope.parameters.len();
        scope.parameters.insert(number, offset);
        let parameter = HloInstruction {
            name: name.clone(),
            shape,
            opcode: Opcode::Parameter,
            wrapped_opcode: None,
            arguments: Arguments::Parameter(number),
            attributes: Attributes::default(),
            position: self.cursor.position(offset),
        };
        self.add(scope, parameter, true, offset)?;
        Ok(name)
    }

    /// `multiply(x, y)` as an operand.
    fn nested_instruction(
        &mut self,
        scope: &mut Scope,
        shape: Option<Shape>,
        name: &Item,
        item: &Item,
    ) -> Result<String, ParseError> {
        let operation = operation_of(&self.cursor, name)?;
        let opcode = operation.opcode;
        let inner = item.text();
        let inner = inner.get(1..inner.len().saturating_sub(1)).unwrap_or_default();
        let arguments = match (opcode, &shape) {
            (Opcode::Constant, Some(shape)) => {
                let start = item.offset().saturating_add(1);
                match literal::read(inner, shape) {
                    Ok((constant, length)) => {
                        let rest = inner.get(length..).unwrap_or_default();
                        if blank(rest) != rest.len() {
                            return Err(self.cursor.expected_at(start + length, "')'"));
                        }
                        Arguments::Constant(constant)
                    }
                    Err((at, message)) => return Err(self.cursor.error_at(start + at, message)),
                }
            }
            (Opcode::Parameter, Some(_)) => {
                let start = item.offset().saturating_add(1);
                let number = integer(&self.cursor, start, inner.trim())?;
                self.parameter(scope, number, start)?
            }
            (Opcode::Constant | Opcode::Parameter, None) => {
                return Err(self.cursor.expected_at(name.offset(), "a type"));
            }
            _ => {
                let operands = item.only_child(&self.cursor)?;
                if operands.rule() != Rule::operands {
                    return Err(self.cursor.expected_at(operands.offset(), "an operand"));
                }
                Arguments::Operands(self.operands(scope, &operands)?)
            }
        };
        self.check_operand_count(&operation, &arguments, name.offset())?;
        let mut unique = format!("{opcode}.anon");
        while scope.by_name.contains_key(&unique) {
            scope.anonymous += 1;
            unique = format!("{opcode}.anon.{}", scope.anonymous);
        }
        let is_typed = shape.is_some();
        let instruction = HloInstruction {
            name: unique.clone(),
            shape: shape.unwrap_or_default(),
            opcode,
            wrapped_opcode: operation.wrapped,
            arguments,
            attributes: Attributes::default(),
            position: self.cursor.position(name.offset()),
        };
        self.add(scope, instruction, is_typed, name.offset())?;
        Ok(unique)
    }
}

/// The operation of a word: `add`, `all-gather-start`, `custom-call-start`.
fn operation_of(cursor: &Cursor, item: &Item) -> Result<Operation, ParseError> {
    let name = item.text();
    let offset = item.offset();
    if let Ok(opcode) = name.parse() {
        return Ok(Operation {
            opcode,
            wrapped: None,
        });
    }
    let halves = [
        ("-start", Opcode::AsyncStart),
        ("-update", Opcode::AsyncUpdate),
        ("-done", Opcode::AsyncDone),
    ];
    for (suffix, opcode) in halves {
        if let Some(wrapped) = name.strip_suffix(suffix)
            && let Ok(wrapped) = wrapped.parse()
        {
            return Ok(Operation {
                opcode,
                wrapped: Some(wrapped),
            });
        }
    }
    Err(cursor.error_at(offset, format!("there is no opcode '{name}'")))
}

/// Returns true if two types differ only in layouts and dynamic sizes.
pub(crate) fn is_compatible(one: &Shape, other: &Shape) -> bool {
    match (one, other) {
        (Shape::Array(one), Shape::Array(other)) | (Shape::Buffer(one), Shape::Buffer(other)) => {
            use crate::Dimension::{Bounded, Static};
            let mut pairs = one.dimensions.iter().zip(&other.dimensions);
            one.element_type == other.element_type
                && one.dimensions.len() == other.dimensions.len()
                && pairs.all(|(one, other)| match (one, other) {
                    (Static(one) | Bounded(one), Static(other) | Bounded(other)) => one == other,
                    (one, other) => one == other,
                })
        }
        (Shape::Tuple(ones), Shape::Tuple(others)) => {
            let mut pairs = ones.iter().zip(others);
            ones.len() == others.len() && pairs.all(|(one, other)| is_compatible(one, other))
        }
        (one, other) => one == other,
    }
}
