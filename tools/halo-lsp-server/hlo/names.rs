//! The names of instructions and computations in HLO text: where they are defined and used.

use super::{Part, Place, places, position_of};
use crate::document::Document;
use halo::hlo_text::Opcode;
use lsp_types::{CompletionItem, CompletionItemKind, Position, Range};

/// Returns true if a character may be part of a name.
pub fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '-')
}

/// The entity that a name refers to.
enum Named<'a> {
    Instruction(&'a Place<'a>, Position),
    Computation(&'a Place<'a>),
}

/// The first occurrence of a name on the line from a position on; the position if there is none.
pub fn find(document: &Document, position: Position, name: &str) -> Range {
    let line = document.line(position.line);
    let from = line.get(position.character as usize..).unwrap_or_default();
    let skipped = from.find(name).unwrap_or_default();
    let start = position.character as usize + skipped;
    let at = |byte| Position::new(position.line, u32::try_from(byte).unwrap_or(u32::MAX));
    Range::new(at(start), at(start + name.len()))
}

/// The range of the definition of the name at a position.
pub fn definition(document: &Document, parts: &[Part], position: Position) -> Option<Range> {
    let places = places(document, parts);
    let name = document.slice(document.word_at(position, is_part));
    let found = match resolve(document, &places, position, name)? {
        Named::Instruction(_, position) => position,
        Named::Computation(place) => definition_of(document, place),
    };
    Some(find(document, found, name))
}

/// All ranges of the name at a position, including its definition.
pub fn references(document: &Document, parts: &[Part], position: Position) -> Vec<Range> {
    let places = places(document, parts);
    let name = document.slice(document.word_at(position, is_part));
    let (start, end) = match resolve(document, &places, position, name) {
        Some(Named::Instruction(place, _)) => (place.start, place.end),
        Some(Named::Computation(_)) => (0, document.text().len()),
        None => return Vec::new(),
    };
    let text = document.text().get(start..end).unwrap_or_default();
    let uses = words(text).into_iter().filter(|(_, word)| *word == name);
    uses.filter(|(offset, _)| is_use(text, *offset, name.len()))
        .map(|(offset, _)| {
            let at = |offset| document.position(start + offset);
            Range::new(at(offset), at(offset + name.len()))
        })
        .collect()
}

/// The line that defines the name at a position, with the range of the name.
pub fn hover(document: &Document, parts: &[Part], position: Position) -> Option<(String, Range)> {
    let definition = definition(document, parts, position)?;
    let line = document.line(definition.start.line).trim();
    let text = format!("```hlo\n{line}\n```");
    Some((text, document.word_at(position, is_part)))
}

/// The names that are valid at a position, and the opcodes.
pub fn completion(document: &Document, parts: &[Part], position: Position) -> Vec<CompletionItem> {
    let places = places(document, parts);
    let offset = document.offset(position);
    let item = |label: &str, detail: Option<String>, kind| CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        detail,
        ..CompletionItem::default()
    };
    let mut items = Vec::new();
    for place in &places {
        if (place.start..=place.end).contains(&offset) {
            items.extend(place.computation.instructions.iter().map(|instruction| {
                let detail = format!("{} {}", instruction.shape, instruction.opcode);
                let kind = CompletionItemKind::VARIABLE;
                item(&instruction.name, Some(detail), kind)
            }));
        }
        let kind = CompletionItemKind::FUNCTION;
        items.push(item(&place.computation.name, None, kind));
    }
    let range = document.word_at(position, is_part);
    let before = document.line(position.line);
    let before = before.get(..range.start.character as usize);
    if !before.is_some_and(|before| before.ends_with('%')) {
        let opcodes = Opcode::ALL.iter();
        items.extend(opcodes.map(|opcode| item(opcode.name(), None, CompletionItemKind::KEYWORD)));
    }
    items
}

/// Resolves the name at a position: an instruction of the enclosing computation, or else a
/// computation.
fn resolve<'a>(
    document: &Document,
    places: &'a [Place<'a>],
    position: Position,
    name: &str,
) -> Option<Named<'a>> {
    let offset = document.offset(position);
    let around = places.iter().find(|place| (place.start..=place.end).contains(&offset))?;
    let mut instructions = around.computation.instructions.iter();
    if let Some(found) = instructions.find(|instruction| instruction.name == name) {
        let position = position_of(document, around.part, found);
        return Some(Named::Instruction(around, position));
    }
    let found = places
        .iter()
        .find(|place| place.computation.name == name && std::ptr::eq(place.part, around.part));
    found.map(Named::Computation)
}

fn definition_of(document: &Document, place: &Place) -> Position {
    let position = place.computation.position;
    let line = position.line.saturating_add(place.part.first_line);
    document.of_column(line, position.column)
}

/// Returns true if a word is a name, not an opcode or the name of an attribute.
fn is_use(text: &str, offset: usize, length: usize) -> bool {
    let (before, after) = (&text[..offset], &text[offset + length..]);
    before.ends_with('%') || before.is_empty() || !after.starts_with(['(', '='])
}

/// The words of a text, ignoring strings and comments, each with its byte offset.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with('"') {
            string_length(rest)
        } else {
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            if end > 0 {
                found.push((at, &rest[..end]));
                end
            } else {
                rest.chars().next().map_or(1, char::len_utf8)
            }
        };
        at += length;
    }
    found
}

/// The length of the string at the beginning of a text.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (offset, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return offset + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_not_in_strings_or_comments() {
        let text = "%a.1 = f32[] add(%b-c) /* %d */ \"e \\\" f\" // g\nh";
        let words: Vec<&str> = words(text).into_iter().map(|(_, word)| word).collect();
        assert_eq!(words, ["a.1", "f32", "add", "b-c", "h"]);
    }

    #[test]
    fn names_are_told_from_opcodes_and_attributes() {
        let text = "add = f32[] add(x), add={1}, to_apply=add";
        let uses = words(text).into_iter().filter(|(_, word)| *word == "add");
        let uses = uses.filter(|(offset, _)| is_use(text, *offset, 3));
        assert_eq!(uses.map(|(offset, _)| offset).collect::<Vec<_>>(), [0, 38]);
    }
}
