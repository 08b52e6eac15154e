//! Attributes that no op defines, and dictionaries.
//!
//! Frameworks attach attributes to ops (`mhlo.sharding`,
//! `mhlo.frontend_attributes`). A rewrite copies them to the op that replaces
//! the original.

use super::{Attribute, Operation, set_attribute, validity};
use melior::{
    Context, StringRef,
    ir::{AttributeLike, Identifier},
};

/// The entries of a dictionary, in order; empty where it is none.
pub fn dictionary_entries<'c>(attribute: Attribute<'c>) -> Vec<(&'c str, Attribute<'c>)> {
    let raw = attribute.to_raw();
    // SAFETY: The attribute is asked for entries only where it is a dictionary,
    // and for as many as it has.
    unsafe {
        if !mlir_sys::mlirAttributeIsADictionary(raw) {
            return Vec::new();
        }
        (0..mlir_sys::mlirDictionaryAttrGetNumElements(raw))
            .map(|index| named(mlir_sys::mlirDictionaryAttrGetElement(raw, index)))
            .collect()
    }
}

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

/// All attributes of an op, inherent ones first.
pub fn attributes_of<'c>(operation: Operation<'c>) -> Vec<(&'c str, Attribute<'c>)> {
    // SAFETY: The op is valid and has as many attributes.
    unsafe {
        (0..mlir_sys::mlirOperationGetNumAttributes(operation.to_raw()))
            .map(|index| {
                named(mlir_sys::mlirOperationGetAttribute(
                    operation.to_raw(),
                    index,
                ))
            })
            .collect()
    }
}

/// The attributes of an op that its definition does not name.
pub fn discardable_attributes<'c>(operation: Operation<'c>) -> Vec<(&'c str, Attribute<'c>)> {
    // SAFETY: The op is valid and has as many attributes.
    unsafe {
        (0..mlir_sys::mlirOperationGetNumDiscardableAttributes(operation.to_raw()))
            .map(|index| {
                named(mlir_sys::mlirOperationGetDiscardableAttribute(
                    operation.to_raw(),
                    index,
                ))
            })
            .collect()
    }
}

/// Adds the discardable attributes of an op to those of another. Where both
/// have one, the first op's stands, entry by entry for frontend attributes.
pub fn merge_discardable<'c>(context: &'c Context, from: Operation<'c>, to: Operation<'c>) {
    const FRONTEND: &str = "mhlo.frontend_attributes";
    // The identity of an op that stays is its own.
    const PAYLOAD: &str = "xla_metadata_payload";
    let present = discardable_attributes(to);
    for (name, attribute) in discardable_attributes(from) {
        let old = present.iter().find(|(other, _)| name == FRONTEND && *other == name);
        let merged = match old {
            Some((_, old)) => {
                let mut entries = dictionary_entries(*old);
                for (key, value) in dictionary_entries(attribute) {
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
        set_attribute(to, name, merged);
    }
}

/// # Safety
///
/// The entry must belong to a live attribute or op of the context.
unsafe fn named<'c>(entry: mlir_sys::MlirNamedAttribute) -> (&'c str, Attribute<'c>) {
    // SAFETY: Identifiers and attributes live as long as the context.
    unsafe {
        let name = StringRef::from_raw(mlir_sys::mlirIdentifierStr(entry.name));
        (
            std::mem::transmute::<&str, &'c str>(name.as_str().unwrap_or_default()),
            Attribute::from_raw(entry.attribute),
        )
    }
}
