//! Changes to the signatures of functions, and new functions.

use halo_ir::{prelude::*, type_attribute};
use melior::ir::{Attribute as RawAttribute, attribute::TypeAttribute, r#type::FunctionType};

/// The type of a function.
pub fn function_type<'c>(function: Operation<'c>) -> Option<FunctionType<'c>> {
    let attribute = function.attribute("function_type")?.cast::<TypeAttribute>()?;
    attribute.value().cast::<FunctionType>()
}

/// The types of the arguments and of the results of a function.
pub fn signature<'c>(function: Operation<'c>) -> Option<(Vec<Type<'c>>, Vec<Type<'c>>)> {
    let ty = function_type(function)?;
    let inputs = (0..ty.input_count()).filter_map(|index| ty.input(index).ok()).collect();
    let results = (0..ty.result_count()).filter_map(|index| ty.result(index).ok()).collect();
    Some((inputs, results))
}

/// `{}`
pub fn empty_dictionary(context: &melior::Context) -> Option<Attribute<'_>> {
    RawAttribute::parse(context, "{}")
}

/// Adds a last argument to a function with a body.
pub fn append_argument<'c>(function: Operation<'c>, ty: Type<'c>) -> Option<Value<'c>> {
    let context = function.context();
    let block = function.body(0)?;
    let (mut inputs, results) = signature(function)?;
    inputs.push(ty);
    let signature = FunctionType::new(context, &inputs, &results);
    function.set_attribute("function_type", type_attribute(signature.into()));
    if let Some(attributes) = function.attribute("arg_attrs") {
        let mut attributes = attributes.array_elements();
        attributes.push(empty_dictionary(context)?);
        function.set_attribute("arg_attrs", array_attribute(context, &attributes));
    }
    Some(block.add_argument(ty, function.location()))
}
