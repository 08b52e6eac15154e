//! The attribute that aliases an argument of a function with a result.

use halo_ir::prelude::*;

/// The index of the result, as exported by JAX.
pub const ALIASING_OUTPUT: &str = "tf.aliasing_output";

/// The result index in the attributes of an argument.
pub fn named_result(attributes: Attribute) -> Option<usize> {
    let number = attributes
        .dictionary_entry(ALIASING_OUTPUT)
        .and_then(Attribute::integer_value)?;
    Some(usize::try_from(number).unwrap_or(usize::MAX))
}

/// For each argument of a function with attributes, the index of the result that shares its memory.
pub fn shared_results(function: Operation) -> Vec<Option<usize>> {
    let attributes = function.attribute("arg_attrs").map(Attribute::array_elements);
    attributes.unwrap_or_default().into_iter().map(named_result).collect()
}

/// Returns true if an argument of a function shares its memory with a result.
pub fn is_shared(function: Operation, argument: usize) -> bool {
    let attributes = function.attribute("arg_attrs").map(Attribute::array_elements);
    attributes
        .unwrap_or_default()
        .get(argument)
        .is_some_and(|own| named_result(*own).is_some())
}
