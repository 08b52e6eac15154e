//! Texts that are withheld from upstream's server, with reasons.

use crate::document::Document;
use halo::ir::limits;
use lsp_types::{Diagnostic, DiagnosticSeverity, Position, Range};

/// The error in a text that must not be parsed.
pub fn reason(document: &Document) -> Option<Diagnostic> {
    let excess = limits::check(document.text().as_bytes()).err()?;
    let number = |count: usize| u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
    let at = Position::new(number(excess.line), number(excess.column));
    Some(error_at(at, excess.to_string()))
}

/// The diagnostic for a text on which upstream's server ended.
pub fn crash() -> Diagnostic {
    let message = "internal error: the parser of MLIR crashes at this text; it is not checked \
                   until it changes";
    error_at(Position::default(), message.to_owned())
}

fn error_at(start: Position, message: String) -> Diagnostic {
    let end = Position::new(start.line, start.character.saturating_add(1));
    Diagnostic {
        range: Range::new(start, end),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("halo".to_owned()),
        message,
        ..Diagnostic::default()
    }
}
