//! The encodings of the attributes and types of dialects, as lists of members.
//!
//! An entry begins with a code, the index in its dialect's list. Builtin ones are read in
//! `attributes` and `types`, since they have additional rules.

/// A part of an attribute or a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Member {
    /// A number without a sign.
    Number,
    /// A number below a limit: a case of an enumeration that the reader does not check.
    Below(u64),
    /// A number with a flag for its presence.
    OptionalNumber,
    /// A list of numbers after a presence byte.
    OptionalNumbers,
    Signed,
    SignedList,
    /// A byte that is 0 or 1.
    Flag,
    /// The bits of an f64.
    Double,
    Doubles,
    /// The number of a string.
    Text,
    Attribute,
    /// The number of an attribute with a flag for its presence.
    OptionalAttribute,
    /// An attribute after a presence byte.
    FlaggedAttribute,
    Attributes,
    /// A list of optional attributes after a presence byte.
    OptionalAttributes,
    /// The same, with all attributes present.
    PresentAttributes,
    Type,
    Types,
}

use Member::{
    Attribute as A, Attributes, Below, Double, Flag, FlaggedAttribute, Number as N,
    OptionalAttribute as O, OptionalAttributes, OptionalNumber, OptionalNumbers, PresentAttributes,
    Signed as S, SignedList as L, Text, Type as T, Types,
};

/// The members of the entry of a code; `None` for unknown codes.
type Encoding = &'static [Member];

/// The attributes of a dialect, by their codes.
pub fn attributes(dialect: &[u8]) -> &'static [Option<Encoding>] {
    match dialect {
        b"stablehlo" => &STABLEHLO_ATTRIBUTES,
        b"chlo" => &[Some(&[N]), Some(&[N])],
        b"llvm" => &LLVM_ATTRIBUTES,
        _ => &[],
    }
}

/// The types of a dialect, by their codes.
pub fn types(dialect: &[u8]) -> &'static [Option<Encoding>] {
    match dialect {
        b"stablehlo" => &[Some(&[]), Some(&[Types])],
        b"quant" => &QUANT_TYPES,
        _ => &[],
    }
}

/// `dialects/stablehlo/Bytecode.td`.
static STABLEHLO_ATTRIBUTES: [Option<Encoding>; 23] = [
    None,
    Some(&[S, S]),
    Some(&[N]),
    Some(&[N]),
    Some(&[S, S, L, S, S, L, S, S, L]),
    Some(&[L, L, L, L]),
    Some(&[N]),
    Some(&[L, L, L, L, L, S]),
    Some(&[N]),
    Some(&[N]),
    Some(&[N]),
    Some(&[L, L, L, L, L, S]),
    Some(&[N]),
    Some(&[L]),
    Some(&[L, S, L]),
    Some(&[T, T, T, S, S, S, Flag]),
    Some(&[N]),
    Some(&[Double, Double, S, A]),
    Some(&[A, Attributes]),
    Some(&[S, S]),
    Some(&[Text, FlaggedAttribute]),
    Some(&[Text, S]),
    Some(&[A, FlaggedAttribute]),
];

/// MLIR's `QuantDialectBytecode.td`.
static QUANT_TYPES: [Option<Encoding>; 7] = [
    None,
    Some(&[N, T, S, S]),
    Some(&[N, T, T, S, S]),
    Some(&[T, Double, Double]),
    Some(&[N, T, T, Double, S, S, S]),
    Some(&[N, T, T, N, S, S, Member::Doubles, L]),
    Some(&[N, T, T, S, S, L, L, A, A]),
];

/// MLIR's `LLVMDialectBytecode.td`.
static LLVM_ATTRIBUTES: [Option<Encoding>; 19] = [
    Some(&[N, Text, N, N]),
    Some(&[A, N, A, O, Flag, Below(4), Below(4)]),
    Some(&[
        O,
        Flag,
        N,
        O,
        O,
        N,
        O,
        O,
        N,
        N,
        N,
        O,
        O,
        O,
        O,
        PresentAttributes,
    ]),
    Some(&[N, O, O, N, N, N, OptionalNumber, O]),
    Some(&[N, OptionalNumbers]),
    Some(&[PresentAttributes]),
    Some(&[Text, Text]),
    Some(&[O, O, O, A, N, A, Flag, Flag, N]),
    Some(&[A, O]),
    Some(&[N, A, A, O, N, O, PresentAttributes]),
    Some(&[A, O, O, N]),
    Some(&[A, O, N, N]),
    Some(&[A, O, N]),
    Some(&[A, O, O, N, N, N, O, N]),
    Some(&[O, O, Flag]),
    Some(&[
        O,
        Flag,
        O,
        O,
        O,
        O,
        O,
        O,
        N,
        N,
        N,
        O,
        PresentAttributes,
        PresentAttributes,
    ]),
    Some(&[O, O, O, O]),
    Some(&[N, OptionalAttributes]),
    Some(&[O, O, O, O, O, O, O, O, O, O, O, O, O, O, PresentAttributes]),
];
