//! The ODS record of an op, and the trait of typed ops.

use crate::handles::Operation;

/// The number of values of a group of operands or results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Always one.
    One,
    /// One or none.
    Optional,
    /// Any number.
    Variadic,
}

/// The inference of group sizes from the number of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizing {
    /// At most one group has no fixed size, and gets the remaining values.
    Rest,
    /// All groups without a fixed size have the same.
    Same,
    /// An attribute holds the sizes.
    Segments,
}

/// A group of operands or results.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The name in ODS.
    pub name: &'static str,
    /// The number of its values.
    pub arity: Arity,
}

/// The operands or the results of an op.
#[derive(Clone, Copy, Debug)]
pub struct Groups {
    /// The groups in order.
    pub groups: &'static [Group],
    /// The inference of their sizes.
    pub sizing: Sizing,
}

impl Groups {
    /// Groups whose sizes an attribute holds if they do not follow from the number of
    /// values.
    pub const fn new(groups: &'static [Group]) -> Self {
        let mut of_any_number = 0;
        let mut index = 0;
        while index < groups.len() {
            if !matches!(groups[index].arity, Arity::One) {
                of_any_number += 1;
            }
            index += 1;
        }
        let sizing = match of_any_number {
            0 | 1 => Sizing::Rest,
            _ => Sizing::Segments,
        };
        Self { groups, sizing }
    }
}

/// The ODS record of an op.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// The name with the dialect.
    pub name: &'static str,
    /// The operands.
    pub operands: Groups,
    /// The results.
    pub results: Groups,
    /// The required attributes of the op.
    pub required: &'static [&'static str],
}

/// An op of a known type: a copyable handle, with the methods of ops of any type.
pub trait Op<'c>: Copy + std::ops::Deref<Target = Operation<'c>> {
    /// The ODS record of the op.
    const INFO: &'static OpInfo;
    /// The name with the dialect, such as `arith.addf`.
    const NAME: &'static str = Self::INFO.name;
    /// The same op type with handles of another lifetime, for closures that take ops of any.
    type At<'a>: Op<'a>;

    /// Casts an op without a check. An op of another type is safe, but accessors return parts of
    /// other names.
    fn from_unchecked(operation: Operation<'c>) -> Self;

    /// The op.
    fn operation(self) -> Operation<'c>;
}

/// The attribute of ops with several groups of operands of any number: the size of
/// each group.
pub const OPERAND_SEGMENT_SIZES: &str = "operandSegmentSizes";
