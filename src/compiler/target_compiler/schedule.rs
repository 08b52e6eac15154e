//! The fusion decisions as a schedule: text that `--schedule=` reads.
//!
//! A group is a sequence on its last op, which is identified by its line. If several ops have the
//! same line, a sequence on the function selects the op by its index.

use halo_codegen::fusion::apply_schedule::named_by;
use halo_ir::{diagnostics::file_line_column, ops::halo::TILE_SIZES, prelude::*};

use std::fmt::Write;

/// The name by which tools request it.
pub(super) const NAME: &str = "schedule";

/// The schedule of a module with planned groups.
pub(super) fn text(module: Operation) -> String {
    let planned = module.collect_nested(|op| op.has_attribute(TILE_SIZES));
    let mut text = String::from("module attributes {transform.with_named_sequence} {\n");
    let (by_line, others): (Vec<_>, Vec<_>) = planned
        .into_iter()
        .enumerate()
        .map(|(number, root)| (number, root, line_of(module, root)))
        .partition(|(.., line)| line.is_some());
    for function in module.collect_nested(|op| op.isa::<func::FuncOp>()) {
        let is_inside = |op: Operation| {
            op.enclosing::<func::FuncOp>()
                .is_some_and(|around| around.operation() == function)
        };
        let roots = others.iter().map(|(_, root, _)| *root);
        let roots: Vec<Operation> = roots.filter(|root| is_inside(*root)).collect();
        if !roots.is_empty() {
            of_function(&mut text, function, &roots);
        }
    }
    for (number, root, line) in by_line {
        let line = line.unwrap_or_default();
        let name = format!("group_{number}");
        begin(&mut text, &name, "%root", &line);
        fuse(&mut text, "%root", 0, root);
        text.push_str("    transform.yield\n  }\n");
    }
    text.push_str("}\n");
    text
}

/// The line that identifies an op uniquely.
fn line_of(module: Operation, root: Operation) -> Option<String> {
    let line = file_line_column(root.location())?;
    let line = line.rsplit('/').next()?.to_owned();
    (named_by(module, &line) == Some(root)).then_some(line)
}

fn begin(text: &mut String, name: &str, argument: &str, applies_to: &str) {
    let _ = writeln!(
        text,
        "  transform.named_sequence @{name}({argument}: !transform.any_op)\n      \
         attributes {{halo.applies_to = \"{applies_to}\"}} {{"
    );
}

fn fuse(text: &mut String, handle: &str, number: usize, root: Operation) {
    let sizes = root.attribute(TILE_SIZES).and_then(Attribute::i64_array_value);
    let sizes: Vec<String> = sizes.unwrap_or_default().iter().map(ToString::to_string).collect();
    let _ = writeln!(
        text,
        "    %tiled_{number}, %loop_{number} = transform.structured.fuse {handle} tile_sizes [{}]\n        \
         {{apply_cleanup, use_forall}}\n        \
         : (!transform.any_op) -> (!transform.any_op, !transform.any_op)",
        sizes.join(", ")
    );
}

/// A sequence that selects ops of a function by their indices.
fn of_function(text: &mut String, function: Operation, roots: &[Operation]) {
    let name = function.attribute("sym_name").and_then(Attribute::string_value);
    let name = name.unwrap_or_default();
    let all = function.collect_nested(|op| op.isa::<linalg::GenericOp>());
    begin(
        text,
        &format!("groups_of_{name}"),
        "%function",
        &format!("@{name}"),
    );
    let types = vec!["!transform.any_op"; all.len()].join(", ");
    let _ = writeln!(
        text,
        "    %all = transform.structured.match ops{{[\"linalg.generic\"]}} in %function\n        \
         : (!transform.any_op) -> !transform.any_op\n    \
         %ops:{} = transform.split_handle %all : (!transform.any_op) -> ({types})",
        all.len()
    );
    for (number, root) in roots.iter().enumerate() {
        let position = all.iter().position(|op| op == root).unwrap_or(0);
        fuse(text, &format!("%ops#{position}"), number, *root);
    }
    text.push_str("    transform.yield\n  }\n");
}
