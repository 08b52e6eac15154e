//! The attributes of custom calls that the runtime needs, read from
//! `halo.custom_call`.

use halo_core::Shape;
use halo_hlo::custom_calls;
use halo_ir::{diagnostics::file_line_column, ops::halo::CustomCallOp, prelude::*};
use halo_runtime::{CustomCallSite, Error, Result};
use melior::ir::attribute::TypeAttribute;

/// The site of a call.
///
/// # Errors
/// Returns an internal error for types that the runtime does not support.
pub fn of_op(call: CustomCallOp) -> Result<CustomCallSite> {
    let location = file_line_column(call.operation().location()).unwrap_or_default();
    site(&call.operation().attributes(), &location)
}

/// The site for an element of `halo.call_sites`.
///
/// # Errors
/// Like [`of_op`].
pub fn of_attribute(attribute: Attribute) -> Result<CustomCallSite> {
    let entries = attribute.dictionary_entries();
    let location = entry(&entries, "location").and_then(Attribute::string_value);
    site(&entries, location.unwrap_or_default())
}

fn entry<'c>(entries: &[(&str, Attribute<'c>)], name: &str) -> Option<Attribute<'c>> {
    let found = entries.iter().find(|(own, _)| *own == name);
    found.map(|(_, value)| *value)
}

fn site(entries: &[(&str, Attribute)], location: &str) -> Result<CustomCallSite> {
    let find = |name: &str| entry(entries, name);
    let text = |name: &str| find(name).and_then(Attribute::string_value).unwrap_or_default();
    let shapes = |name: &str| {
        let types = find(name).map(Attribute::array_elements).unwrap_or_default();
        let types = types.into_iter().filter_map(Attribute::cast::<TypeAttribute>);
        types
            .map(|attribute| attribute.value().to_string().parse())
            .collect::<Result<Vec<Shape>, _>>()
    };
    let (operands, results) = (shapes("operand_types")?, shapes("result_types")?);
    let layouts = |name: &str, shapes: &[Shape]| {
        custom_calls::layouts(find(name), shapes.iter().map(Shape::rank)).map_err(Error::internal)
    };
    let dictionary = find("dictionary").map(Attribute::dictionary_entries);
    Ok(CustomCallSite {
        operand_layouts: layouts("operand_layouts", &operands)?,
        result_layouts: layouts("result_layouts", &results)?,
        backend_config: text("backend_config").to_owned(),
        attributes: custom_calls::plain_attributes(dictionary.unwrap_or_default()),
        location: location.to_owned(),
        ..CustomCallSite::new(text("target"), operands, results)
    })
}
