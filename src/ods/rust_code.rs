//! Writes the generated Rust.

mod enums;
mod op;

use crate::{
    Output,
    model::{Enums, Op},
};
use std::{collections::BTreeMap, fmt::Write};

/// The text of all modules.
pub fn output(ops: &BTreeMap<String, Vec<Op>>, enums: &Enums) -> Output {
    let mut modules: BTreeMap<String, String> = BTreeMap::new();
    for (module, ops) in ops {
        let text = modules.entry(module.clone()).or_default();
        for op in ops {
            op::write(text, op);
        }
        names(text, ops);
    }
    for ((module, _), found) in &enums.enums {
        enums::write(modules.entry(module.clone()).or_default(), found);
    }
    for codec in &enums.codecs {
        push(
            modules.entry(codec.module.clone()).or_default(),
            format_args!(
                "\n/// The codec of the attribute.\npub type {} = codec::EnumAttribute<{}, {}>;\n",
                codec.name, codec.path, codec.ordinal
            ),
        );
    }
    let mut enum_attributes = String::new();
    for attribute in &enums.attributes {
        push(
            &mut enum_attributes,
            format_args!(
                "HALO_ENUM_ATTRIBUTE({}, {}, {})\n",
                attribute.dialect, attribute.attribute_class, attribute.enum_class
            ),
        );
    }
    Output {
        modules,
        enum_attributes,
    }
}

/// The list of the ops of a module.
fn names(text: &mut String, ops: &[Op]) {
    text.push_str("\n/// What ODS says of each op of this module.\n");
    text.push_str("pub static ALL: &[&OpInfo] = &[");
    for op in ops {
        push(text, format_args!("{}::INFO, ", op.class));
    }
    text.push_str("];\n");
}

/// Appends formatted text.
fn push(text: &mut String, arguments: std::fmt::Arguments) {
    // Writing to a string does not fail.
    let _ = text.write_fmt(arguments);
}
