//! Attributes that no op defines, and dictionaries.
//!
//! Frameworks attach attributes to ops (`mhlo.sharding`,
//! `mhlo.frontend_attributes`). A rewrite copies them to the op that replaces
//! the original.

use super::{Attribute, Operation, validity};
use crate::{AttributeExt, OperationExt};
use melior::{
    Context, StringRef,
    ir::{AttributeLike, Identifier},
};

/// `{name = attribute, ...}`
///
/// # Panics
/// Where an attribute is of another context.
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

/// Adds the discardable attributes of an op to those of another. Where both
/// have one, the first op's stands, entry by entry for frontend attributes.
pub fn merge_discardable<'c>(context: &'c Context, from: Operation<'c>, to: Operation<'c>) {
    const FRONTEND: &str = "mhlo.frontend_attributes";
    // The identity of an op that stays is its own.
    const PAYLOAD: &str = "xla_metadata_payload";
    let present = to.discardable_attributes();
    for (name, attribute) in from.discardable_attributes() {
        let old = present.iter().find(|(other, _)| name == FRONTEND && *other == name);
        let merged = match old {
            Some((_, old)) => {
                let mut entries = old.dictionary_entries();
                for (key, value) in attribute.dictionary_entries() {
                    match entries.iter_mut().find(|(other, _)| *other == key) {
                        Some(_) if key == PAYLOAD => {}
                        Some(entry) => entry.1 = value,
                        None => entries.push((key, value)),
                    }
                }
                dictionary_attribute(context, &entries)
            }
            None => attribute,
        };
        to.set_attribute(name, merged);
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
