//! Completion of MLIR: additions to upstream's items, and attributes of ops, which upstream does
//! not complete.

use crate::{
    document::Document,
    hover::{describe, is_part},
    transport,
    upstream::Upstream,
};
use halo::ir::op_documentation;
use lsp_types::{Position, Range};
use serde_json::{Value, json};

/// The document that upstream completes in.
const URI: &str = "file:///completion.mlir";

/// The start of the partial name before the cursor, after the name of a dialect.
fn begin(document: &Document, position: Position) -> Position {
    let word = document.word_at(position, is_part);
    let typed = document.slice(Range::new(word.start, position));
    let dialect = typed.rfind('.').map_or(0, |dot| dot + 1);
    let dialect = u32::try_from(dialect).unwrap_or_default();
    Position::new(position.line, word.start.character.saturating_add(dialect))
}

/// Requests completions at a position from upstream. Upstream does not handle partial names, so it
/// gets a text without the name.
pub fn ask(upstream: &Upstream, request: i64, document: &Document, position: Position) {
    let begin = begin(document, position);
    let end = document.word_at(position, is_part).end;
    let (before, _) = document.text().split_at(document.offset(begin));
    let (_, behind) = document.text().split_at(document.offset(end));
    let text = format!("{before}{behind}");
    let named = json!({ "uri": URI });
    upstream.send(transport::notification(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": URI, "languageId": "mlir", "version": 0, "text": text } }),
    ));
    upstream.send(transport::request(
        request,
        "textDocument/completion",
        json!({ "textDocument": named, "position": begin, "context": { "triggerKind": 1 } }),
    ));
    upstream.send(transport::notification(
        "textDocument/didClose",
        json!({ "textDocument": named }),
    ));
}

/// Upstream's completion items, with the documentation of ops; the attributes of the op if there
/// are no items.
pub fn completion(document: &Document, position: Position, mut answer: Value) -> Value {
    let before = Range::new(Position::new(position.line, 0), begin(document, position));
    let before = document.slice(before);
    let dialect = &before[before.trim_end_matches(is_part).len()..];
    let items = answer.get_mut("items").and_then(Value::as_array_mut);
    let Some(items) = items else {
        return answer;
    };
    for item in items.iter_mut() {
        let label = item.get("label").and_then(Value::as_str);
        let name = format!("{dialect}{}", label.unwrap_or_default());
        if let (Some(op), Some(item)) = (op_documentation(&name), item.as_object_mut()) {
            let text = json!({ "kind": "markdown", "value": describe(op) });
            item.insert("documentation".to_owned(), text);
        }
    }
    if items.is_empty() {
        items.extend(attributes(before));
    }
    answer
}

/// The attributes of the op on a line that ends within its attribute dictionary.
fn attributes(line: &str) -> Vec<Value> {
    let Some(open) = open_brace(line) else {
        return Vec::new();
    };
    let (before, inside) = line.split_at(open);
    // A value follows `name =`.
    let last = inside.rsplit([',', '{', '<']).next().unwrap_or_default();
    if last.contains('=') {
        return Vec::new();
    }
    let op = before
        .split(|c| !is_part(c))
        .find_map(|word| op_documentation(word).filter(|_| word.contains('.')));
    let attributes = op.map_or(&[][..], |op| op.attributes).iter();
    attributes
        .filter(|(name, _)| !inside.contains(name))
        .map(|(name, about)| {
            json!({
                "label": name,
                "insertText": format!("{name} = "),
                "kind": 10,
                "detail": about,
            })
        })
        .collect()
}

/// The last unclosed brace of a line, ignoring strings.
fn open_brace(line: &str) -> Option<usize> {
    let mut open = Vec::new();
    let mut is_string = false;
    for (offset, c) in line.char_indices() {
        match c {
            '"' => is_string = !is_string,
            '{' if !is_string => open.push(offset),
            '}' if !is_string => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Language;

    fn labels(line: &str) -> Vec<String> {
        let labels = attributes(line).into_iter();
        labels.filter_map(|item| Some(item["label"].as_str()?.to_owned())).collect()
    }

    #[test]
    fn attributes_of_ops_are_proposed_in_their_dictionary() {
        assert_eq!(labels("  %0 = \"stablehlo.iota\"() <{"), ["iota_dimension"]);
        assert_eq!(
            labels("  %0 = \"stablehlo.iota\"() <{iota_dimension = "),
            [""; 0]
        );
        assert_eq!(
            labels("  %0 = \"stablehlo.iota\"() <{iota_dimension = 1 : i64, "),
            [""; 0]
        );
        assert_eq!(
            labels("  %0 = \"stablehlo.iota\"() <{}> {\"}"),
            ["iota_dimension"]
        );
        assert_eq!(labels("  %0 = stablehlo.iota dim = 0"), [""; 0]);
    }

    #[test]
    fn names_begin_behind_their_dialect() {
        let text = "  %0 = stablehlo.do";
        let document = Document::new(Language::Mlir, 1, text.to_owned());
        for (character, expected) in [(19, 17), (17, 17), (12, 7), (4, 3), (7, 7)] {
            let position = Position::new(0, character);
            assert_eq!(begin(&document, position), Position::new(0, expected));
        }
    }
}
