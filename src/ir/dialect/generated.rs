//! The names that a dialect generated from ODS uses (`halo_ods::build_script`).

pub use crate::{
    attributes::AttributeExt,
    build_error::BuildError,
    builder::Builder,
    dialect::{
        Canonicalizer, DeclaredCodec, Folder, InferTypeOpInterface, SymbolName, Verifier,
        declaration::{
            AttributeConstraint, AttributeDeclaration, AttributeSyntax, BlockCount,
            DialectDeclaration, OpAttribute, OpDeclaration, OpRegion, OpTrait, Parameter,
            ParameterKind, Part, TypeConstraint, TypeDeclaration,
        },
    },
    handles::{Attribute, Block, Operation, Type, Value},
    operation::OperationExt,
    ops::{
        Build, Codec, Enumeration, access, codec,
        definition::{Arity, Group, Groups, Op, OpInfo, Sizing},
    },
    region::Region,
    semantics::VerifyError,
    types::TypeExt,
    value::ValueExt,
};
pub use melior::{
    Context,
    ir::{AffineMap, RegionRef},
};

/// Translations of the predicates of type constraints.
pub mod predicates {
    use crate::{handles::Type, types::TypeExt};
    use melior::ir::TypeLike;

    /// Methods of types, as functions.
    macro_rules! methods {
        ($($name:ident)+) => {
            $(pub fn $name(ty: Type) -> bool {
                TypeExt::$name(ty)
            })+
        };
    }
    methods! { is_complex is_float is_index is_integer is_memref is_tensor is_vector }

    pub fn static_shape_of(ty: Type) -> Option<Vec<i64>> {
        ty.static_shape()
    }

    pub fn is_ranked_tensor(ty: Type) -> bool {
        ty.is_tensor() && ty.shape().is_some()
    }

    pub fn is_shaped(ty: Type) -> bool {
        ty.is_tensor() || ty.is_memref() || is_vector(ty)
    }

    pub fn is_none(ty: Type) -> bool {
        ty.is_none()
    }

    pub fn is_tuple(ty: Type) -> bool {
        ty.is_tuple()
    }

    pub fn is_function(ty: Type) -> bool {
        ty.is_function()
    }

    /// Returns true if a type has this text.
    pub fn is(ty: Type, text: &str) -> bool {
        ty.to_string() == text
    }

    pub fn is_signless_integer(ty: Type) -> bool {
        ty.is_integer() && ty.is_signless()
    }

    pub fn is_unsigned_integer(ty: Type) -> bool {
        ty.is_integer() && ty.is_unsigned()
    }

    pub fn is_signed_integer(ty: Type) -> bool {
        ty.is_integer() && !ty.is_signless() && !ty.is_unsigned()
    }

    pub fn has_width(ty: Type, width: u32) -> bool {
        ty.integer_width() == Some(width)
    }

    /// Tests the element type of a tensor, a memref or a vector.
    pub fn element_holds(ty: Type, holds: impl FnOnce(Type) -> bool) -> bool {
        is_shaped(ty) && holds(ty.element_type())
    }

    /// Tests the component type of complex numbers.
    pub fn complex_element_holds(ty: Type, holds: impl FnOnce(Type) -> bool) -> bool {
        ty.complex_element().is_some_and(holds)
    }

    /// The number of dimensions; `None` if unranked.
    pub fn rank(ty: Type) -> Option<usize> {
        Some(ty.shape()?.len())
    }
}

/// Translations of the constraints of attributes.
pub mod attributes {
    use crate::{
        attributes::AttributeExt,
        handles::Attribute,
        ops::codec::{self, Codec},
    };

    pub fn is_dense(attribute: Attribute) -> bool {
        AttributeExt::is_dense(attribute)
    }

    pub fn is_dictionary(attribute: Attribute) -> bool {
        attribute.is_dictionary()
    }

    pub fn is_symbol(attribute: Attribute) -> bool {
        attribute.symbol_path().is_some()
    }

    /// Tests the number of an attribute.
    pub fn number_holds(attribute: Attribute, holds: impl FnOnce(i64) -> bool) -> bool {
        attribute.integer_value().is_some_and(holds)
    }

    /// Tests the length of an array.
    pub fn length_holds(attribute: Attribute, holds: impl FnOnce(i64) -> bool) -> bool {
        let length = codec::List::<codec::Any>::read(attribute)
            .map(|all| all.len())
            .or_else(|| codec::I64s::read(attribute).map(|all| all.len()))
            .or_else(|| codec::I32s::read(attribute).map(|all| all.len()))
            .or_else(|| codec::Bools::read(attribute).map(|all| all.len()));
        length.is_some_and(|length| holds(length as i64))
    }
}

/// Parameters of types and attributes, as they are written and read.
pub mod parameters {
    use crate::{
        attributes::{AttributeExt, integer_attribute, string_attribute, type_attribute},
        handles::{Attribute, Type},
        ops::Enumeration,
        types::integer_type,
    };
    use melior::{Context, ir::attribute::TypeAttribute};

    pub fn from_integer(context: &Context, value: i64) -> Attribute<'_> {
        integer_attribute(integer_type(context, 64), value)
    }

    pub fn from_text<'c>(context: &'c Context, value: &str) -> Attribute<'c> {
        string_attribute(context, value)
    }

    pub fn from_type<'c>(_: &'c Context, value: Type<'c>) -> Attribute<'c> {
        type_attribute(value)
    }

    pub fn from_attribute<'c>(_: &'c Context, value: Attribute<'c>) -> Attribute<'c> {
        value
    }

    pub fn from_case<E: Enumeration>(context: &Context, value: E) -> Attribute<'_> {
        from_integer(context, value.number() as i64)
    }

    pub fn integer(attribute: Attribute) -> Option<i64> {
        attribute.integer_value()
    }

    pub fn text(attribute: Attribute<'_>) -> Option<&str> {
        attribute.string_value()
    }

    pub fn ty(attribute: Attribute<'_>) -> Option<Type<'_>> {
        Some(attribute.cast::<TypeAttribute>()?.value())
    }

    pub fn attribute(attribute: Attribute<'_>) -> Option<Attribute<'_>> {
        Some(attribute)
    }

    pub fn case<E: Enumeration>(attribute: Attribute) -> Option<E> {
        E::from_number(integer(attribute)? as u64)
    }

    /// A parameter by its number, of a verified type or attribute.
    pub fn at<'c, T>(
        all: Option<Vec<Attribute<'c>>>,
        number: usize,
        read: impl FnOnce(Attribute<'c>) -> Option<T>,
    ) -> T {
        let parameter = all.and_then(|all| all.get(number).copied()).and_then(read);
        match parameter {
            Some(value) => value,
            None => panic!("parameter {number} is not of its kind"),
        }
    }
}
