//! Checks the constraints of a declaration.

use super::declaration::{
    AttributeConstraint, AttributeSyntax, Parameter, ParameterKind, TypeConstraint,
    VerifyParameters,
};
use crate::{
    attributes::AttributeExt,
    handles::{Attribute, Type},
    ops::{
        Enumeration,
        codec::{self, Codec},
    },
    semantics::VerifyError,
    types::TypeExt,
};
use melior::{
    Context,
    ir::{AttributeLike, attribute::TypeAttribute},
};
use std::fmt;

impl TypeConstraint {
    /// Returns true if a type satisfies the constraint.
    pub fn holds(&self, ty: Type) -> bool {
        match self {
            Self::Any => true,
            Self::AnyInteger => ty.is_integer(),
            Self::Integer(width) => {
                ty.is_integer() && ty.is_signless() && ty.integer_width() == Some(*width)
            }
            Self::AnyFloat => ty.is_float(),
            Self::F32 => ty == Type::float32(ty.context()),
            Self::F64 => ty == Type::float64(ty.context()),
            Self::Index => ty.is_index(),
            Self::Tensor => ty.is_tensor(),
            Self::TensorOf(element) => ty.is_tensor() && element.holds(ty.element_type()),
            Self::MemRef => ty.is_memref(),
            Self::MemRefOf(element) => ty.is_memref() && element.holds(ty.element_type()),
            Self::Exactly(text) => ty.to_string() == *text,
            Self::Of(declaration) => declaration.is(ty),
            Self::AnyOf(several) => several.iter().any(|one| one.holds(ty)),
            Self::Where(_, holds) => holds(ty),
        }
    }

    /// The text of the only type that satisfies the constraint, if there is one. It need not be
    /// written in an assembly format.
    pub(super) fn only_type(&self) -> Option<String> {
        match self {
            Self::Integer(width) => Some(format!("i{width}")),
            Self::F32 => Some("f32".to_owned()),
            Self::F64 => Some("f64".to_owned()),
            Self::Index => Some("index".to_owned()),
            Self::Exactly(text) => Some((*text).to_owned()),
            _ => None,
        }
    }
}

impl fmt::Display for TypeConstraint {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Any => formatter.write_str("any type"),
            Self::AnyInteger => formatter.write_str("integer"),
            Self::Integer(width) => write!(formatter, "i{width}"),
            Self::AnyFloat => formatter.write_str("float"),
            Self::F32 => formatter.write_str("f32"),
            Self::F64 => formatter.write_str("f64"),
            Self::Index => formatter.write_str("index"),
            Self::Tensor => formatter.write_str("tensor"),
            Self::TensorOf(element) => write!(formatter, "tensor of {element}"),
            Self::MemRef => formatter.write_str("memref"),
            Self::MemRefOf(element) => write!(formatter, "memref of {element}"),
            Self::Exactly(text) => formatter.write_str(text),
            Self::Of(declaration) => write!(formatter, "!{}", declaration.name),
            Self::AnyOf(several) => {
                for (index, one) in several.iter().enumerate() {
                    let separator = if index == 0 { "" } else { " or " };
                    write!(formatter, "{separator}{one}")?;
                }
                Ok(())
            }
            Self::Where(name, _) => formatter.write_str(name),
        }
    }
}

/// A [`Codec`] for the attributes of declared ops.
///
/// Implement it to read and write another Rust type; it is implemented for the types of [`codec`].
pub trait DeclaredCodec: Codec {
    /// The name of the attributes for messages.
    const DESCRIPTION: &'static str;
    /// Their syntax in an assembly format.
    const SYNTAX: AttributeSyntax = AttributeSyntax::Full;
    /// The attributes that the codec reads.
    const CONSTRAINT: AttributeConstraint = AttributeConstraint {
        description: Self::DESCRIPTION,
        holds: reads::<Self>,
        syntax: Self::SYNTAX,
    };
}

/// Returns true if a codec reads an attribute.
fn reads<C: Codec + ?Sized>(attribute: Attribute) -> bool {
    C::read(attribute).is_some()
}

macro_rules! declared {
    ($($codec:ty: $description:literal, $syntax:expr;)+) => {$(
        impl DeclaredCodec for $codec {
            const DESCRIPTION: &'static str = $description;
            const SYNTAX: AttributeSyntax = $syntax;
        }
    )+};
}

declared! {
    codec::Any: "any attribute", AttributeSyntax::Full;
    codec::Bool: "bool", AttributeSyntax::Full;
    codec::Bools: "array of bool", AttributeSyntax::Full;
    codec::Index: "index", AttributeSyntax::WithoutType("index");
    codec::Float<32>: "f32", AttributeSyntax::WithoutType("f32");
    codec::Float<64>: "f64", AttributeSyntax::WithoutType("f64");
    codec::Signless<8>: "8-bit integer", AttributeSyntax::WithoutType("i8");
    codec::Signless<16>: "16-bit integer", AttributeSyntax::WithoutType("i16");
    codec::Signless<32>: "32-bit integer", AttributeSyntax::WithoutType("i32");
    codec::Signless<64>: "64-bit integer", AttributeSyntax::WithoutType("i64");
    codec::Signed<8>: "8-bit signed integer", AttributeSyntax::WithoutType("si8");
    codec::Signed<16>: "16-bit signed integer", AttributeSyntax::WithoutType("si16");
    codec::Signed<32>: "32-bit signed integer", AttributeSyntax::WithoutType("si32");
    codec::Signed<64>: "64-bit signed integer", AttributeSyntax::WithoutType("si64");
    codec::Unsigned<8>: "8-bit unsigned integer", AttributeSyntax::WithoutType("ui8");
    codec::Unsigned<16>: "16-bit unsigned integer", AttributeSyntax::WithoutType("ui16");
    codec::Unsigned<32>: "32-bit unsigned integer", AttributeSyntax::WithoutType("ui32");
    codec::Unsigned<64>: "64-bit unsigned integer", AttributeSyntax::WithoutType("ui64");
    codec::I32s: "array of 32-bit integers", AttributeSyntax::Full;
    codec::I64s: "array of 64-bit integers", AttributeSyntax::Full;
    codec::Map: "affine map", AttributeSyntax::Full;
    codec::OfType: "type", AttributeSyntax::Type;
    codec::Symbol: "symbol", AttributeSyntax::Full;
    codec::Text: "string", AttributeSyntax::Untyped;
    codec::Unit: "unit", AttributeSyntax::Presence;
    SymbolName: "name of a symbol", AttributeSyntax::SymbolName;
}

impl<C: DeclaredCodec> DeclaredCodec for codec::List<C> {
    const DESCRIPTION: &'static str = "array";
    const CONSTRAINT: AttributeConstraint = AttributeConstraint {
        description: Self::DESCRIPTION,
        holds: |attribute| {
            let elements = codec::List::<codec::Any>::read(attribute);
            elements.is_some_and(|all| all.iter().all(|one| C::CONSTRAINT.is_met_by(*one)))
                && reads::<Self>(attribute)
        },
        syntax: Self::SYNTAX,
    };
}

impl<E: Enumeration, const W: u32> DeclaredCodec for codec::EnumInteger<E, W> {
    const DESCRIPTION: &'static str = "case of an enum";
    const SYNTAX: AttributeSyntax = AttributeSyntax::Case(
        match W {
            8 => "i8",
            16 => "i16",
            32 => "i32",
            _ => "i64",
        },
        E::CASES,
    );
}

/// The codec of `sym_name`: a string that an assembly format writes as `@name`.
pub struct SymbolName;

impl Codec for SymbolName {
    type Read<'c> = &'c str;
    type Write<'a, 'c: 'a> = &'a str;

    fn read(attribute: Attribute<'_>) -> Option<&str> {
        codec::Text::read(attribute)
    }

    fn write<'a, 'c: 'a>(context: &'c Context, value: &'a str) -> Option<Attribute<'c>> {
        codec::Text::write(context, value)
    }
}

impl AttributeConstraint {
    /// Attributes for which a function holds.
    pub const fn of(description: &'static str, holds: for<'c> fn(Attribute<'c>) -> bool) -> Self {
        Self {
            description,
            holds,
            syntax: AttributeSyntax::Full,
        }
    }

    /// Returns true if an attribute satisfies the constraint.
    pub fn is_met_by(&self, attribute: Attribute) -> bool {
        (self.holds)(attribute)
            && match self.syntax {
                // The type is not printed, so it must be this one.
                AttributeSyntax::WithoutType(ty) | AttributeSyntax::Case(ty, _) => {
                    attribute.ty().to_string() == ty
                }
                _ => true,
            }
    }
}

/// Checks that parameters are of the declared kinds, and runs the declaration's verifier.
pub(super) fn verify_parameters(
    declared: &[Parameter],
    verify: Option<VerifyParameters>,
    given: &[Attribute],
) -> Result<(), VerifyError> {
    if declared.len() != given.len() {
        let (expected, found) = (declared.len(), given.len());
        return Err(format!("expects {expected} parameters, but has {found}").into());
    }
    for (Parameter { name, kind }, attribute) in declared.iter().zip(given) {
        let holds = !attribute.to_raw().ptr.is_null()
            && match kind {
                ParameterKind::Integer => attribute.integer_value().is_some(),
                ParameterKind::String => attribute.string_value().is_some(),
                ParameterKind::Type => attribute.cast::<TypeAttribute>().is_some(),
                ParameterKind::Attribute => true,
                ParameterKind::Case(cases) => attribute
                    .integer_value()
                    .is_some_and(|number| cases.iter().any(|(_, one)| *one as i64 == number)),
            };
        if !holds {
            let kind = match kind {
                ParameterKind::Integer => "an integer",
                ParameterKind::String => "a string",
                ParameterKind::Type => "a type",
                ParameterKind::Attribute => "an attribute",
                ParameterKind::Case(_) => "a case of an enum",
            };
            return Err(format!("expects parameter '{name}' to be {kind}").into());
        }
    }
    verify.map_or(Ok(()), |verify| verify(given))
}
