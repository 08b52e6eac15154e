//! Discardable attributes, and dictionaries.
//!
//! Frameworks attach attributes to ops (`mhlo.sharding`,
//! `mhlo.frontend_attributes`). A rewrite copies them to the op that replaces
//! the original.

use crate::{handles::Attribute, validity};
use melior::{
    Context, StringRef,
    ir::{AttributeLike, Identifier},
};

/// `{name = attribute, ...}`
///
/// # Panics
/// Panics if an attribute is of another context.
#[track_caller]
pub fn dictionary_attribute<'c>(
    context: &'c Context,
    entries: &[(&str, Attribute<'c>)],
) -> Attribute<'c> {
    for (_, attribute) in entries {
        validity::part_of(context, *attribute);
    }
    let entries: Vec<_> = entries
        .iter()
        .map(|(name, attribute)| mlir_sys::MlirNamedAttribute {
            name: Identifier::new(context, name).to_raw(),
            attribute: attribute.to_raw(),
        })
        .collect();
    // SAFETY: The context is valid, and the callee copies the entries.
    unsafe {
        Attribute::from_raw(mlir_sys::mlirDictionaryAttrGet(
            context.to_raw(),
            entries.len() as isize,
            entries.as_ptr(),
        ))
    }
}

/// # Safety
///
/// The entry must belong to a live attribute or op of the context.
pub(crate) unsafe fn named<'c>(entry: mlir_sys::MlirNamedAttribute) -> (&'c str, Attribute<'c>) {
    // SAFETY: Identifiers and attributes live as long as the context.
    unsafe {
        let name = StringRef::from_raw(mlir_sys::mlirIdentifierStr(entry.name));
        (
            std::mem::transmute::<&str, &'c str>(name.as_str().unwrap_or_default()),
            Attribute::from_raw(entry.attribute),
        )
    }
}
