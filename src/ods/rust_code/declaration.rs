//! The Rust code of a declared dialect: its ops, in the same form as the ops of a dialect in C++,
//! with its registration.

use super::{
    documentation, enums, op,
    parametric::{case_attribute, codec, parametric},
    push,
};
use crate::{
    declaration::{DeclaredOp, Dialect},
    model::Enums,
    names::upper,
};

/// The text of the module. `root` is the Rust path of `halo_ir`.
pub fn dialect(dialect: &Dialect, enums: &Enums, root: &str) -> String {
    let mut text = format!(
        "// The dialect `{}`, generated from ODS by halo-ods.\n\
         #[allow(warnings, clippy::all, rustdoc::all)]\n\
         mod ods {{\n\
         use {root}::dialect::generated::*;\n\n",
        dialect.name
    );
    documentation(&mut text, &dialect.summary, &dialect.description);
    let (name, summary) = (&dialect.name, &dialect.summary);
    push(
        &mut text,
        format_args!(
            "pub static {}: DialectDeclaration = DialectDeclaration::new({name:?}, {summary:?})\n",
            upper(name)
        ),
    );
    let of = |classes: Vec<&String>| {
        let all: Vec<String> =
            classes.into_iter().map(|class| format!("{class}::DECLARATION")).collect();
        all.join(", ")
    };
    let ops = of(dialect.ops.iter().map(|one| &one.op.class).collect());
    let types = of(dialect.types.iter().map(|one| &one.class).collect());
    let attributes = of(dialect.attributes.iter().map(|one| &one.class).collect());
    push(
        &mut text,
        format_args!(
            "    .ops(&[{ops}])\n    .types(&[{types}])\n    .attributes(&[{attributes}])\n    \
             .dependent_dialects(&{:?})",
            dialect.dependent_dialects
        ),
    );
    if let Some(class) = &dialect.constant {
        push(
            &mut text,
            format_args!("\n    .constant({class}::DECLARATION)"),
        );
    }
    text.push_str(";\n");
    for one in &dialect.ops {
        op::write(&mut text, &one.op, op::Home::Other);
        declaration(&mut text, one);
    }
    for one in &dialect.types {
        parametric(&mut text, one, "Type");
    }
    for one in &dialect.attributes {
        match &one.case {
            Some(path) => case_attribute(&mut text, one, path),
            None => {
                parametric(&mut text, one, "Attribute");
                codec(&mut text, one);
            }
        }
    }
    for found in enums.enums.values() {
        enums::write(&mut text, found);
    }
    text.push_str("}\npub use ods::*;\n");
    text
}

/// The registration of the op.
fn declaration(text: &mut String, one: &DeclaredOp) {
    let DeclaredOp { op, .. } = one;
    let class = &op.class;
    push(
        text,
        format_args!(
            "impl {class}<'_> {{\n    \
             /// The declaration of the op in the dialect.\n    \
             pub const DECLARATION: &'static OpDeclaration = {{\n"
        ),
    );
    let mut calls = String::new();
    let mut list = |name: &str, constant: &str, of: &str, items: &[String]| {
        push(
            text,
            format_args!(
                "        const {constant}: &[{of}] = &[{}];\n",
                items.join(", ")
            ),
        );
        push(
            &mut calls,
            format_args!("            .{name}({constant})\n"),
        );
    };
    list("operands", "OPERANDS", "TypeConstraint", &one.operands);
    list("results", "RESULTS", "TypeConstraint", &one.results);
    list("attributes", "ATTRIBUTES", "OpAttribute", &one.attributes);
    let regions = op.regions.iter().zip(&one.regions).map(|(region, blocks)| {
        format!(
            "OpRegion {{ name: {:?}, arity: Arity::{:?}, blocks: {blocks} }}",
            region.ods, region.arity
        )
    });
    list(
        "regions",
        "REGIONS",
        "OpRegion",
        &regions.collect::<Vec<_>>(),
    );
    let successors = op.successors.iter().map(|one| {
        format!(
            "Part {{ name: {:?}, arity: Arity::{:?} }}",
            one.ods, one.arity
        )
    });
    list(
        "successors",
        "SUCCESSORS",
        "Part",
        &successors.collect::<Vec<_>>(),
    );
    let traits = one.traits.iter().map(|name| format!("OpTrait::{name}"));
    list("traits", "TRAITS", "OpTrait", &traits.collect::<Vec<_>>());
    let parents = one.parents.iter().map(|name| format!("{name:?}"));
    list("parents", "PARENTS", "&str", &parents.collect::<Vec<_>>());
    let sets = one.all_types_match.iter().map(|names| format!("&{names:?}"));
    list(
        "all_types_match",
        "ALL_TYPES_MATCH",
        "&[&str]",
        &sets.collect::<Vec<_>>(),
    );
    if let Some(name) = &one.implicit_terminator {
        push(
            &mut calls,
            format_args!("            .implicit_terminator({name:?})\n"),
        );
    }
    if let Some(format) = &one.assembly {
        push(
            &mut calls,
            format_args!("            .assembly({format:?})\n"),
        );
    }
    let hooks = [
        (
            one.verifies,
            format!(".verify(|op| Verifier::verify({class}::from_unchecked(op)))"),
        ),
        (
            one.folds,
            format!(".fold(|op, constants| Folder::fold({class}::from_unchecked(op), constants))"),
        ),
        (
            one.canonicalizes,
            format!(
                ".canonicalize(|b, op| Canonicalizer::canonicalize({class}::from_unchecked(op), b))"
            ),
        ),
        (
            one.infers,
            format!(".infer(|parts| <{class} as InferTypeOpInterface>::infer_return_types(parts))"),
        ),
    ];
    for (_, hook) in hooks.iter().filter(|(is_there, _)| *is_there) {
        push(&mut calls, format_args!("            {hook}\n"));
    }
    push(
        text,
        format_args!(
            "        &OpDeclaration::new(Self::INFO, {:?})\n{calls}    }};\n}}\n",
            op.summary
        ),
    );
}
