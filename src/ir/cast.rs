//! Casts of attributes to their kinds.
//!
//! melior's conversions print an attribute that is of another kind, for an error that
//! nobody reads: all numbers of a constant. Its accessors by position
//! (`Operation::region(n)`) print an op that has fewer, which numbers all values of
//! the function around it. Here, what does not fit is `None` at the cost of a test.

use crate::Attribute;
use melior::ir::attribute::{
    ArrayAttribute, AttributeLike, BoolAttribute, DenseElementsAttribute, DenseI32ArrayAttribute,
    DenseI64ArrayAttribute, FloatAttribute, IntegerAttribute, TypeAttribute,
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

/// An attribute as one of a kind; `None` where it is of another.
pub fn attribute_as<'c, A: AttributeKind<'c>>(attribute: Attribute<'c>) -> Option<A> {
    A::is(attribute).then(|| A::try_from(attribute).ok())?
}
