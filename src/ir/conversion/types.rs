//! Conversions of types, and of values between types.

use super::Lowered;
use crate::{
    attributes::AttributeExt,
    builder::Builder,
    handles::{Attribute, Type, Value},
    rewrite::RewriteError,
    types::TypeExt,
    validity,
};
use melior::{
    Context,
    ir::{attribute::TypeAttribute, r#type::FunctionType},
};

type OneToOne = Box<dyn for<'c> Fn(&'c Context, Type<'c>) -> Type<'c>>;
type OneToMany = Box<dyn for<'c> Fn(&'c Context, Type<'c>) -> Option<Vec<Type<'c>>>>;
type SourceMaterialization =
    Box<dyn for<'c> Fn(&Builder<'c>, Type<'c>, &[Value<'c>]) -> Result<Value<'c>, RewriteError>>;
type TargetMaterialization =
    Box<dyn for<'c> Fn(&Builder<'c>, Value<'c>, &[Type<'c>]) -> Lowered<'c>>;

/// The type conversions of an author.
#[derive(Default)]
pub(super) struct TypeConverter {
    pub one_to_one: Option<OneToOne>,
    pub one_to_many: Option<OneToMany>,
    pub source: Option<SourceMaterialization>,
    pub target: Option<TargetMaterialization>,
}

impl TypeConverter {
    /// The types that a type becomes.
    ///
    /// # Panics
    /// Panics if one of them is of another context.
    pub(super) fn convert<'c>(&self, context: &'c Context, ty: Type<'c>) -> Vec<Type<'c>> {
        let several = self.one_to_many.as_ref();
        let types = several.and_then(|convert| convert(context, ty)).unwrap_or_else(|| match &self
            .one_to_one
        {
            Some(convert) => vec![convert(context, ty)],
            None => vec![ty],
        });
        for ty in &types {
            validity::same_context(context, validity::context_of_type(*ty));
        }
        types
    }

    /// Returns true if legal ops keep their types.
    pub(super) fn materializes(&self) -> bool {
        self.source.is_some() || self.target.is_some()
    }

    /// An attribute with converted types of values: only function types have some.
    pub(super) fn convert_attribute<'c>(
        &self,
        context: &'c Context,
        attribute: Attribute<'c>,
    ) -> Attribute<'c> {
        match function_type(attribute) {
            Some(function) => {
                let convert = |types: Vec<Type<'c>>| -> Vec<Type<'c>> {
                    let types = types.into_iter();
                    types.flat_map(|one| self.convert(context, one)).collect()
                };
                let inputs = convert(inputs_of(function));
                let results = convert(results_of(function));
                crate::attributes::type_attribute(
                    FunctionType::new(context, &inputs, &results).into(),
                )
            }
            None => attribute,
        }
    }
}

/// The function type in an attribute.
pub(super) fn function_type(attribute: Attribute<'_>) -> Option<FunctionType<'_>> {
    let attribute = attribute.cast::<TypeAttribute>()?;
    attribute.value().cast::<FunctionType>()
}

pub(super) fn inputs_of(function: FunctionType<'_>) -> Vec<Type<'_>> {
    (0..function.input_count())
        .filter_map(|index| function.input(index).ok())
        .collect()
}

pub(super) fn results_of(function: FunctionType<'_>) -> Vec<Type<'_>> {
    (0..function.result_count())
        .filter_map(|index| function.result(index).ok())
        .collect()
}
