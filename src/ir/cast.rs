//! Casts of attributes and types to their kinds.
//!
//! melior's conversions print an attribute or a type of another kind, for an error message that is
//! never shown: all numbers of a constant, and for a type the aliases that all dialects have for
//! types. Its accessors by position (`Operation::region(n)`) print an op that has fewer, which
//! numbers all values of the function around it. The casts here return `None` after a cheap test.

use crate::{
    attributes::AttributeExt,
    handles::{Attribute, Type},
    types::TypeExt,
};
use melior::ir::{
    TypeLike,
    attribute::{
        ArrayAttribute, AttributeLike, BoolAttribute, DenseElementsAttribute,
        DenseI32ArrayAttribute, DenseI64ArrayAttribute, FloatAttribute, IntegerAttribute,
        TypeAttribute,
    },
    r#type::{FunctionType, IntegerType, MemRefType, RankedTensorType, TupleType},
};

/// A kind of attribute that can be tested without printing.
pub trait AttributeKind<'c>: TryFrom<Attribute<'c>> {
    /// Whether an attribute is of this kind.
    fn is(attribute: Attribute<'c>) -> bool;
}

macro_rules! attribute_kinds {
    ($($kind:ident: $is:ident),* $(,)?) => {
        $(impl<'c> AttributeKind<'c> for $kind<'c> {
            fn is(attribute: Attribute<'c>) -> bool {
                attribute.$is()
            }
        })*
    };
}

attribute_kinds! {
    ArrayAttribute: is_array,
    BoolAttribute: is_bool,
    DenseElementsAttribute: is_dense_elements,
    DenseI32ArrayAttribute: is_dense_i32_array,
    DenseI64ArrayAttribute: is_dense_i64_array,
    FloatAttribute: is_float,
    IntegerAttribute: is_integer,
    TypeAttribute: is_type,
}

/// A kind of type that can be tested without printing.
pub trait TypeKind<'c>: TryFrom<Type<'c>> {
    /// Whether a type is of this kind.
    fn is(ty: Type<'c>) -> bool;
}

macro_rules! type_kinds {
    ($($kind:ident: $is:ident),* $(,)?) => {
        $(impl<'c> TypeKind<'c> for $kind<'c> {
            fn is(ty: Type<'c>) -> bool {
                ty.$is()
            }
        })*
    };
}

type_kinds! {
    FunctionType: is_function,
    IntegerType: is_integer,
    MemRefType: is_mem_ref,
    RankedTensorType: is_ranked_tensor,
    TupleType: is_tuple,
}
