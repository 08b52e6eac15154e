//! Changes to the signatures of functions, and new functions.

use halo_ir::{add_argument, prelude::*, type_attribute};
use melior::ir::{Attribute as RawAttribute, attribute::TypeAttribute, r#type::FunctionType};

/// The type of a function.
pub fn function_type<'c>(function: Operation<'c>) -> Option<FunctionType<'c>> {
    let attribute =
        halo_ir::attribute_as::<TypeAttribute>(attribute_of(function, "function_type")?)?;
    halo_ir::type_as::<FunctionType>(attribute.value())
}

/// The types of the arguments and of the results of a function.
pub fn signature<'c>(function: Operation<'c>) -> Option<(Vec<Type<'c>>, Vec<Type<'c>>)> {
    let r#type = function_type(function)?;
    let inputs = (0..r#type.input_count()).filter_map(|index| r#type.input(index).ok()).collect();
    let results = (0..r#type.result_count())
        .filter_map(|index| r#type.result(index).ok())
        .collect();
    Some((inputs, results))
}

/// `{}`
pub fn empty_dictionary(context: &melior::Context) -> Option<Attribute<'_>> {
    RawAttribute::parse(context, "{}")
}

/// Adds a last argument to a function with a body.
pub fn append_argument<'c>(function: Operation<'c>, r#type: Type<'c>) -> Option<Value<'c>> {
    let context = context_of(function);
    let block = body_of(function, 0)?;
    let (mut inputs, results) = signature(function)?;
    inputs.push(r#type);
    let signature = FunctionType::new(context, &inputs, &results);
    set_attribute(function, "function_type", type_attribute(signature.into()));
    if let Some(attributes) = attribute_of(function, "arg_attrs") {
        let mut attributes = attribute_list(attributes);
        attributes.push(empty_dictionary(context)?);
        set_attribute(function, "arg_attrs", array_attribute(context, &attributes));
    }
    Some(add_argument(block, r#type, function.location()))
}
