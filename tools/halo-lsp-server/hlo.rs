//! Documents of HLO text: diagnostics and symbols. Positions are in bytes.

pub mod names;

use crate::document::Document;
use halo::{
    core::panics,
    hlo_text::{HloComputation, HloInstruction, HloModule, parse, split},
    runtime::Error,
};
use lsp_types::{Diagnostic, DiagnosticSeverity, DocumentSymbol, Position, Range, SymbolKind};

/// The file name in diagnostics; the name of a document may contain colons.
const FILE: &str = "document.hlo";

/// A module of a document, and the number of lines before it.
#[derive(Debug)]
pub struct Part {
    first_line: u32,
    module: HloModule,
}

/// A computation and the byte range of its text.
struct Place<'a> {
    part: &'a Part,
    computation: &'a HloComputation,
    start: usize,
    end: usize,
}

/// The diagnostics of a document, and its modules if all can be parsed.
pub fn check(document: &Document) -> (Vec<Diagnostic>, Option<Vec<Part>>) {
    let mut diagnostics = Vec::new();
    let mut parts = Vec::new();
    for (lines, text) in split(document.text()) {
        let first_line = u32::try_from(lines).unwrap_or(u32::MAX);
        match panics::catch(|| parse(text)) {
            Ok(Ok(module)) => parts.push(Part { first_line, module }),
            Ok(Err(error)) => {
                let error = error.shifted(lines);
                let message = error.message.clone();
                diagnostics.push(diagnostic(document, error.line, error.column, message));
            }
            Err(panic) => {
                let message = format!("internal error: {panic}");
                diagnostics.push(diagnostic(document, first_line + 1, 1, message));
            }
        }
    }
    if !diagnostics.is_empty() {
        return (diagnostics, None);
    }
    (check_meaning(document), Some(parts))
}

/// The diagnostics of the import to StableHLO.
fn check_meaning(document: &Document) -> Vec<Diagnostic> {
    let import = || halo::frontend::to_mlir(FILE, document.text().as_bytes());
    let error = match panics::catch(import) {
        Ok(Ok(_)) => return Vec::new(),
        Ok(Err(error)) => error,
        Err(panic) => Error::internal(panic.to_string()),
    };
    let found = match &error {
        Error::InvalidInput { diagnostics, .. } => {
            diagnostics.iter().filter_map(|error| located(document, error)).collect()
        }
        _ => Vec::new(),
    };
    if found.is_empty() {
        vec![diagnostic(document, 1, 1, error.to_string())]
    } else {
        found
    }
}

/// The diagnostic of an error in the document.
fn located(document: &Document, error: &halo::core::Diagnostic) -> Option<Diagnostic> {
    let position = error.position.as_ref().filter(|position| position.file == FILE)?;
    let (line, column) = position.line_column?;
    let (line, column) = (u32::try_from(line).ok()?, u32::try_from(column).ok()?);
    Some(diagnostic(document, line, column, error.message.clone()))
}

/// An error at a line and a column, up to the end of the word.
fn diagnostic(document: &Document, line: u32, column: u32, message: String) -> Diagnostic {
    let start = document.of_column(line, column);
    let mut end = document.word_at(start, names::is_part).end;
    if end <= start {
        end = Position::new(start.line, start.character.saturating_add(1));
    }
    Diagnostic {
        range: Range::new(start, end),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("halo".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

/// The computations of a document with their texts, each up to the next one.
fn places<'a>(document: &Document, parts: &'a [Part]) -> Vec<Place<'a>> {
    let mut places: Vec<Place> = Vec::new();
    for part in parts {
        for computation in &part.module.computations {
            let line = computation.position.line.saturating_add(part.first_line);
            let start = document.offset(document.of_column(line, 1));
            places.push(Place {
                part,
                computation,
                start,
                end: document.text().len(),
            });
        }
    }
    for index in 1..places.len() {
        places[index - 1].end = places[index].start;
    }
    for place in &mut places {
        let text = document.text().get(place.start..place.end);
        place.end = place.start + text.unwrap_or_default().trim_end().len();
    }
    places
}

/// The outline of a document: computations with their instructions.
pub fn symbols(document: &Document, parts: &[Part]) -> Vec<DocumentSymbol> {
    let places = places(document, parts);
    places
        .iter()
        .map(|place| {
            let children = place.computation.instructions.iter();
            let children = children.map(|instruction| {
                let position = position_of(document, place.part, instruction);
                let name = document.word_at(position, names::is_part);
                let end = Position::new(name.end.line, length(document.line(name.end.line)));
                let detail = format!("{} {}", instruction.shape, instruction.opcode);
                symbol(&instruction.name, detail, SymbolKind::VARIABLE, name, end)
            });
            let range = Range::new(document.position(place.start), document.position(place.end));
            let position = place.computation.position;
            let line = position.line.saturating_add(place.part.first_line);
            let start = document.of_column(line, position.column);
            let name = names::find(document, start, &place.computation.name);
            let mut found = symbol(
                &place.computation.name,
                String::new(),
                SymbolKind::FUNCTION,
                name,
                range.end,
            );
            found.range.start = range.start.min(name.start);
            found.children = Some(children.collect());
            found
        })
        .collect()
}

fn length(line: &str) -> u32 {
    u32::try_from(line.len()).unwrap_or(u32::MAX)
}

fn position_of(document: &Document, part: &Part, instruction: &HloInstruction) -> Position {
    let position = instruction.position;
    let line = position.line.saturating_add(part.first_line);
    let start = document.of_column(line, position.column);
    names::find(document, start, &instruction.name).start
}

/// A symbol from its name to its end.
fn symbol(
    name: &str,
    detail: String,
    kind: SymbolKind,
    selection_range: Range,
    end: Position,
) -> DocumentSymbol {
    // The field is deprecated, but the type has no default.
    #[allow(deprecated)]
    DocumentSymbol {
        name: match name {
            "" => "(unnamed)".to_owned(),
            name => name.to_owned(),
        },
        detail: Some(detail).filter(|detail| !detail.is_empty()),
        kind,
        tags: None,
        deprecated: None,
        range: Range::new(selection_range.start, end.max(selection_range.end)),
        selection_range,
        children: None,
    }
}
