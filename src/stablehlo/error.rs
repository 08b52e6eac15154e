//! The errors of the builder.

use crate::types::Type;
use std::panic::Location;

/// The first error of a program: the op, the reason, and the call that made it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{caller}: '{op}' {kind}")]
pub struct Error {
    /// The op, such as `stablehlo.add`, or the method of the builder.
    pub op: String,
    pub kind: ErrorKind,
    /// The place in the program that uses the builder.
    pub caller: &'static Location<'static>,
}

/// The reason of an error.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Operands, attributes or regions violate a constraint of StableHLO's specification; the text
    /// has what was expected and found.
    #[error("{0}")]
    Constraint(String),
    /// An operand is of a kind that the op does not have.
    #[error("expected operand {operand} to be {expected}, found {found}")]
    OperandType {
        operand: usize,
        expected: String,
        found: Type,
    },
    #[error("expected result {result} to be {expected}, found {found}")]
    ResultType {
        result: usize,
        expected: String,
        found: Type,
    },
    #[error("expected {expected} operands, found {found}")]
    OperandCount { expected: String, found: usize },
    /// All operands and results of the op have the same element type.
    #[error("expected operands and results of one element type, found {0} and {1}")]
    ElementTypes(Type, Type),
    /// The types of the results do not follow from the operands.
    #[error("has results whose types do not follow from its operands")]
    UnknownResultType,
    /// An operand is defined in a region that has ended, or in another function.
    #[error("operand {operand} is not defined in this region or one around it")]
    OutOfScope { operand: usize },
    /// An operand is a value of another builder.
    #[error("operand {operand} is a value of another builder")]
    OtherBuilder { operand: usize },
    /// Parameters are declared outside of all regions and functions.
    #[error("is inside of a region")]
    InRegion,
    #[error("is the name of another function: {0}")]
    DuplicateFunction(String),
    /// An attribute is not one of the op's.
    #[error("expected {name} to be {expected}, found {found}")]
    Attribute {
        name: &'static str,
        expected: &'static str,
        found: String,
    },
    /// Data do not fill the shape of a constant.
    #[error("expected {expected} elements, found {found}")]
    ElementCount { expected: i64, found: usize },
    /// A number is not one of the type.
    #[error("{number} is not a value of {ty}")]
    NotRepresentable { number: String, ty: Type },
}
