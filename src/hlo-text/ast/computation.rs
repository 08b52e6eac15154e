use super::{Attributes, Constant, Opcode, ProgramShape, Shape};

/// `%name (x: f32[]) -> f32[] { ... }`, with the attributes after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HloComputation {
    pub name: String,
    /// The names and types of the parameters and the type of the result, if they are written; they
    /// also follow from the instructions.
    pub signature: Option<(Vec<String>, ProgramShape)>,
    /// In the order of the text: operands stand before their users.
    pub instructions: Vec<HloInstruction>,
    /// The index in `instructions` of the one marked `ROOT`, or else of the last one.
    pub root: usize,
    /// The attributes after the closing brace: `execution_thread="..."`.
    pub attributes: Attributes,
    pub position: Position,
}

impl HloComputation {
    /// The instruction whose value is the computation's.
    pub fn root(&self) -> Option<&HloInstruction> {
        self.instructions.get(self.root)
    }
}

/// `%name = f32[2] opcode(%operand, ...), attribute=value, ...`
#[derive(Clone, Debug, PartialEq)]
pub struct HloInstruction {
    pub name: String,
    pub shape: Shape,
    pub opcode: Opcode,
    /// For `async-start`, `async-update` and `async-done` that are written as `<opcode>-start` and
    /// so on: the opcode of the only instruction that they run, whose attributes are this
    /// instruction's.
    pub wrapped_opcode: Option<Opcode>,
    pub arguments: Arguments,
    pub attributes: Attributes,
    pub position: Position,
}

/// The contents of an instruction's parentheses.
#[derive(Clone, Debug, PartialEq)]
pub enum Arguments {
    /// The names of instructions of the same computation.
    Operands(Vec<String>),
    /// `parameter(0)`
    Parameter(usize),
    /// `constant({1, 2})`
    Constant(Constant),
}

impl HloInstruction {
    /// The names of the operands.
    pub fn operands(&self) -> &[String] {
        match &self.arguments {
            Arguments::Operands(names) => names,
            Arguments::Parameter(_) | Arguments::Constant(_) => &[],
        }
    }
}

/// A position in the text, counted from 1. Comparisons ignore positions: a tree that was printed
/// and parsed again is equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl PartialEq for Position {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Position {}
