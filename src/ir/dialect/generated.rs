//! The names that a dialect generated from ODS uses; see `halo_ods::build_script`.

pub use crate::{
    Attribute, Block, BuildError, Builder, Operation, Region, Type, Value,
    dialect::{
        AttributeConstraint, AttributeDeclaration, AttributeSyntax, BlockCount, Canonicalizer,
        DeclaredCodec, DialectDeclaration, Folder, InferTypeOpInterface, OpAttribute,
        OpDeclaration, OpRegion, OpTrait, Parameter, ParameterKind, Part, SymbolName,
        TypeConstraint, TypeDeclaration, Verifier,
    },
    ops::{Arity, Build, Codec, Enumeration, Group, Groups, Op, OpInfo, Sizing, access, codec},
    semantics::VerifyError,
};
pub use melior::{
    Context,
    ir::{AffineMap, RegionRef, ValueLike},
};

/// What the predicates of type constraints are translated to.
pub mod predicates {
    use crate::{
        Type, complex_element, element_type, integer_width, is_signless, is_unsigned, shape_of,
    };
    pub use crate::{
        is_complex, is_float, is_index, is_integer, is_memref, is_tensor, static_shape_of,
    };
    use melior::ir::TypeLike;

    pub fn is_ranked_tensor(r#type: Type) -> bool {
        is_tensor(r#type) && shape_of(r#type).is_some()
    }

    pub fn is_vector(r#type: Type) -> bool {
        r#type.is_vector()
    }

    pub fn is_shaped(r#type: Type) -> bool {
        is_tensor(r#type) || is_memref(r#type) || is_vector(r#type)
    }

    pub fn is_none(r#type: Type) -> bool {
        r#type.is_none()
    }

    pub fn is_tuple(r#type: Type) -> bool {
        r#type.is_tuple()
    }

    pub fn is_function(r#type: Type) -> bool {
        r#type.is_function()
    }

    /// Whether a type is the only one with this text.
    pub fn is(r#type: Type, text: &str) -> bool {
        r#type.to_string() == text
    }

    pub fn is_signless_integer(r#type: Type) -> bool {
        is_integer(r#type) && is_signless(r#type)
    }

    pub fn is_unsigned_integer(r#type: Type) -> bool {
        is_integer(r#type) && is_unsigned(r#type)
    }

    pub fn is_signed_integer(r#type: Type) -> bool {
        is_integer(r#type) && !is_signless(r#type) && !is_unsigned(r#type)
    }

    pub fn has_width(r#type: Type, width: u32) -> bool {
        integer_width(r#type) == Some(width)
    }

    /// Whether the elements of a tensor, a memref or a vector are of a kind.
    pub fn element_holds(r#type: Type, holds: impl FnOnce(Type) -> bool) -> bool {
        is_shaped(r#type) && holds(element_type(r#type))
    }

    /// Whether the parts of complex numbers are of a kind.
    pub fn complex_element_holds(r#type: Type, holds: impl FnOnce(Type) -> bool) -> bool {
        complex_element(r#type).is_some_and(holds)
    }

    /// The number of dimensions; `None` where it is not known.
    pub fn rank(r#type: Type) -> Option<usize> {
        Some(shape_of(r#type)?.len())
    }
}

/// What the constraints of attributes are translated to.
pub mod attributes {
    pub use crate::is_dense;
    use crate::{
        Attribute, integer_attribute_value,
        ops::codec::{self, Codec},
        symbol_path,
    };
    use melior::ir::AttributeLike;

    pub fn is_dictionary(attribute: Attribute) -> bool {
        attribute.is_dictionary()
    }

    pub fn is_symbol(attribute: Attribute) -> bool {
        symbol_path(attribute).is_some()
    }

    /// Whether the number of an attribute is in a range.
    pub fn number_holds(attribute: Attribute, holds: impl FnOnce(i64) -> bool) -> bool {
        integer_attribute_value(attribute).is_some_and(holds)
    }

    /// Whether the length of an array is in a range.
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
        Attribute, Type, integer_attribute, integer_attribute_value, integer_type,
        ops::Enumeration, string_attribute, string_value, type_attribute,
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
        integer_attribute_value(attribute)
    }

    pub fn text(attribute: Attribute<'_>) -> Option<&str> {
        string_value(attribute)
    }

    pub fn r#type(attribute: Attribute<'_>) -> Option<Type<'_>> {
        Some(crate::attribute_as::<TypeAttribute>(attribute)?.value())
    }

    pub fn attribute(attribute: Attribute<'_>) -> Option<Attribute<'_>> {
        Some(attribute)
    }

    pub fn case<E: Enumeration>(attribute: Attribute) -> Option<E> {
        E::from_number(integer(attribute)? as u64)
    }

    /// A parameter by its number, of a type or an attribute that was verified.
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
