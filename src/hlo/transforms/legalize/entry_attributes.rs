//! Attributes of an entry's arguments and results that are invalid after a change of types.

use crate::donated_arguments::{ALIASING_OUTPUT, named_result};
use halo_ir::{dictionary_attribute, prelude::*};

/// Drops processed attributes, and aliases between arguments and results whose types differ now.
pub fn update<'c>(
    entry: Operation<'c>,
    arguments: &[Type<'c>],
    results: &[Type<'c>],
    done: &[&str],
) {
    let context = entry.context();
    edit(entry, "arg_attrs", |number, own| {
        let result = named_result(own).and_then(|result| results.get(result));
        let is_shared = result.is_none_or(|result| arguments.get(number) == Some(result));
        without(context, own, |name| {
            done.contains(&name) || name == ALIASING_OUTPUT && !is_shared
        })
    });
    edit(entry, "res_attrs", |_, own| {
        without(context, own, |name| done.contains(&name))
    });
}

fn edit<'c>(
    entry: Operation<'c>,
    name: &str,
    edited: impl Fn(usize, Attribute<'c>) -> Attribute<'c>,
) {
    if let Some(all) = entry.attribute(name).map(Attribute::array_elements) {
        let all = all.into_iter().enumerate();
        let all: Vec<Attribute> = all.map(|(number, own)| edited(number, own)).collect();
        entry.set_attribute(name, array_attribute(entry.context(), &all));
    }
}

/// A dictionary without some entries.
fn without<'c>(
    context: &'c Context,
    dictionary: Attribute<'c>,
    dropped: impl Fn(&str) -> bool,
) -> Attribute<'c> {
    let mut entries = dictionary.dictionary_entries();
    entries.retain(|(name, _)| !dropped(name));
    dictionary_attribute(context, &entries)
}
