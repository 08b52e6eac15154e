//! Writes the generated Rust.

mod declaration;
mod enums;
mod op;
mod parametric;

pub use declaration::dialect;

use crate::{
    model::{Enums, Op},
    source::Output,
};
use std::{collections::BTreeMap, fmt::Write};

/// The text of all modules.
pub fn output(ops: &BTreeMap<String, Vec<Op>>, enums: &Enums) -> Output {
    let mut modules: BTreeMap<String, String> = BTreeMap::new();
    for (module, ops) in ops {
        let text = modules.entry(module.clone()).or_default();
        for op in ops {
            op::write(text, op, op::Home::Ir);
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
    text.push_str("\n/// The ODS definition of each op of this module.\n");
    text.push_str("pub static ALL: &[&OpInfo] = &[");
    for op in ops {
        push(text, format_args!("{}::INFO, ", op.class));
    }
    text.push_str("];\n");
}

/// Appends a summary and a description as documentation. Its code is not marked as Rust.
fn documentation(text: &mut String, summary: &str, description: &str) {
    push(text, format_args!("#[doc = {summary:?}]\n"));
    let lines: Vec<&str> = description.trim_end().lines().collect();
    let margin_of = |line: &str| line.len() - line.trim_start().len();
    // The first line follows the bracket that opens the description.
    let others = lines.iter().skip(1).filter(|line| !line.trim().is_empty());
    let margin = others.map(|line| margin_of(line)).min().unwrap_or(0);
    let mut is_code = false;
    let is_empty = lines.iter().all(|line| line.trim().is_empty());
    if !is_empty {
        text.push_str("#[doc = \"\"]\n");
    }
    for (number, line) in lines.iter().enumerate() {
        let margin = match number {
            0 => margin_of(line),
            _ => margin.min(margin_of(line)),
        };
        let mut line = line[margin..].trim_end().to_owned();
        if line.trim_start().starts_with("```") {
            if !is_code && line.trim() == "```" {
                line.push_str("text");
            }
            is_code = !is_code;
        }
        if number > 0 || !line.is_empty() {
            push(text, format_args!("#[doc = {line:?}]\n"));
        }
    }
}

/// Appends formatted text.
fn push(text: &mut String, arguments: std::fmt::Arguments) {
    // Writing to a string does not fail.
    let _ = text.write_fmt(arguments);
}
