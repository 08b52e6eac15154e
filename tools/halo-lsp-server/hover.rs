//! Hovers: the documentation of ops, followed by upstream's hover.

use crate::document::Document;
use halo::ir::{OpDocumentation, op_documentation};
use lsp_types::{Position, Range};
use serde_json::{Value, json};

/// The specification of StableHLO, where each op has a section.
const SPECIFICATION: &str = "https://openxla.org/stablehlo/spec#";

/// Returns true if a character may be part of the name of an op.
pub fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// The documentation of the op at a position, with the range of its name.
fn op_at(document: &Document, position: Position) -> Option<(OpDocumentation, Range)> {
    let range = document.word_at(position, is_part);
    let name = document.slice(range);
    // Ops of `func` are written without the dialect prefix.
    let found = op_documentation(name).or_else(|| {
        let is_word = !name.is_empty() && !name.contains('.');
        is_word.then(|| op_documentation(&format!("func.{name}"))).flatten()
    });
    Some((found?, range))
}

/// Upstream's hover, preceded by the documentation of the op at the position. Upstream has none if
/// the program is invalid.
pub fn hover(document: &Document, position: Position, upstream: Value) -> Value {
    let Some((op, range)) = op_at(document, position) else {
        return upstream;
    };
    let found = upstream.pointer("/contents/value").and_then(Value::as_str);
    let mut text = describe(op);
    if let Some(found) = found {
        // The first line is the name of the op.
        let rest = found.split_once("\n\n").map_or(found, |(_, rest)| rest);
        if let Some(types) = types(rest) {
            text.push_str(&format!("\n\nTypes: `{types}`"));
        }
        text.push_str(&format!("\n\n{}", rest.trim_end()));
    }
    json!({ "contents": { "kind": "markdown", "value": text }, "range": range })
}

/// The documentation of an op as Markdown.
pub fn describe(op: OpDocumentation) -> String {
    let mut text = format!("**`{}`**", op.name);
    if !op.summary.is_empty() {
        text.push_str(&format!(": {}", op.summary));
    }
    let mut description = String::new();
    let mut section = None;
    for line in dedented(op.description) {
        match line.trim().strip_prefix("Specification: `") {
            Some(name) if op.name.starts_with("stablehlo.") => {
                section = name.split('`').next();
            }
            _ => {
                description.push_str(line);
                description.push('\n');
            }
        }
    }
    if let Some(section) = section {
        let anchor = section.to_lowercase();
        text.push_str(&format!(
            "\n\n[StableHLO specification, `{section}`]({SPECIFICATION}{anchor})"
        ));
    }
    let description = description.trim();
    if !description.is_empty() {
        text.push_str(&format!("\n\n{description}"));
    }
    text
}

/// The lines of a text without their common indentation.
fn dedented(text: &str) -> impl Iterator<Item = &str> {
    let margin_of = |line: &str| line.len() - line.trim_start().len();
    // The first line follows the opening bracket of the text.
    let lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let margin = lines.map(margin_of).min().unwrap_or_default();
    text.lines()
        .map(move |line| line.get(margin.min(margin_of(line))..).unwrap_or_default())
}

/// The types of operands and results, at the end of the generic form of an op.
fn types(generic: &str) -> Option<&str> {
    let code = generic.split_once("```mlir\n")?.1.split_once("\n```")?.0;
    let last = code.lines().last()?;
    Some(last.get(last.rfind(" : (")? + 3..)?.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_stand_behind_the_generic_form() {
        let form =
            "Generic Form:\n\n```mlir\n%0 = \"a.b\"(%1) ({\n}) {c = (1)} : (f32) -> f32\n```\n";
        assert_eq!(types(form), Some("(f32) -> f32"));
        assert_eq!(types("nothing"), None);
    }

    #[test]
    fn descriptions_name_the_section() {
        let op = OpDocumentation {
            name: "stablehlo.add",
            summary: "Addition",
            description: "\n    Adds\n      this.\n    Specification: `add`.\n  ",
            attributes: &[],
        };
        assert_eq!(
            describe(op),
            "**`stablehlo.add`**: Addition\n\n[StableHLO specification, `add`]\
             (https://openxla.org/stablehlo/spec#add)\n\nAdds\n  this."
        );
    }
}
