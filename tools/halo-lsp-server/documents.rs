//! The open documents, and translation of messages about them between the client and upstream's
//! server.
//!
//! Upstream's server accepts only file URIs, counts bytes in lines, and normalizes URIs. So it gets
//! numbered file URIs, which need not exist.

use crate::document::{Document, Encoding};
use lsp_types::Position;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

const PREFIX: &str = "file:///document/";
const SUFFIX: &str = ".mlir";

/// The open documents by their URIs.
pub struct Documents {
    open: HashMap<String, (u64, Document)>,
    uris: HashMap<u64, String>,
    next: u64,
    pub encoding: Encoding,
}

impl Documents {
    pub fn new() -> Self {
        Self {
            open: HashMap::new(),
            uris: HashMap::new(),
            next: 0,
            encoding: Encoding::Utf16,
        }
    }

    /// Opens a document; replaces one with the same URI.
    pub fn open(&mut self, uri: &str, document: Document) {
        self.close(uri);
        self.next += 1;
        self.uris.insert(self.next, uri.to_owned());
        self.open.insert(uri.to_owned(), (self.next, document));
    }

    pub fn close(&mut self, uri: &str) -> Option<Document> {
        let (number, document) = self.open.remove(uri)?;
        self.uris.remove(&number);
        Some(document)
    }

    pub fn get(&self, uri: &str) -> Option<&Document> {
        self.open.get(uri).map(|(_, document)| document)
    }

    pub fn get_mut(&mut self, uri: &str) -> Option<&mut Document> {
        self.open.get_mut(uri).map(|(_, document)| document)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&String, &Document)> {
        self.open.iter().map(|(uri, (_, document))| (uri, document))
    }

    /// Upstream's URI of a document.
    pub fn upstream_uri(&self, uri: &str) -> Option<String> {
        let (number, _) = self.open.get(uri)?;
        Some(format!("{PREFIX}{number}{SUFFIX}"))
    }

    /// The client's URI for an upstream URI.
    pub fn client_uri(&self, upstream: &str) -> Option<&str> {
        let number = upstream.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
        Some(self.uris.get(&number.parse().ok()?)?)
    }

    /// Converts a position of the client to bytes.
    pub fn client_to_bytes(&self, uri: &str, position: Position) -> Position {
        let document = self.get(uri);
        document.map_or(position, |document| {
            document.client_to_bytes(position, self.encoding)
        })
    }

    /// Translates the client's message about a document for upstream.
    pub fn to_upstream(&self, uri: &str, mut message: Value) -> Value {
        let name = |uri: &str| Some((self.upstream_uri(uri)?, uri.to_owned()));
        let position = |uri: &str, position| self.client_to_bytes(uri, position);
        walk(&mut message, uri, &name, &position);
        message
    }

    /// Translates a message of upstream, or of this server in bytes, for the client.
    pub fn to_client(&self, uri: &str, mut message: Value) -> Value {
        let name = |name: &str| {
            let uri = self.client_uri(name)?;
            Some((uri.to_owned(), uri.to_owned()))
        };
        let position = |uri: &str, position| {
            let document = self.get(uri);
            document.map_or(position, |document| {
                document.to_client(position, self.encoding)
            })
        };
        walk(&mut message, uri, &name, &position);
        message
    }
}

/// Translates a URI, and identifies its document.
type Name<'a> = &'a dyn Fn(&str) -> Option<(String, String)>;
type Translate<'a> = &'a dyn Fn(&str, Position) -> Position;

/// Translates all URIs and positions in a message. Positions refer to the document whose URI is
/// next to or around them.
fn walk(message: &mut Value, uri: &str, name: Name, position: Translate) {
    match message {
        Value::Array(elements) => {
            for element in elements {
                walk(element, uri, name, position);
            }
        }
        Value::Object(fields) => walk_fields(fields, uri, name, position),
        _ => {}
    }
}

fn walk_fields(fields: &mut Map<String, Value>, uri: &str, name: Name, position: Translate) {
    if let Some(found) = position_of(fields) {
        let translated = position(uri, found);
        fields.insert("line".to_owned(), json!(translated.line));
        fields.insert("character".to_owned(), json!(translated.character));
        return;
    }
    let mut uri = uri.to_owned();
    if let Some(Value::String(text)) = fields.get_mut("uri")
        && let Some((translated, of)) = name(text)
    {
        *text = translated;
        uri = of;
    }
    for (field, value) in fields.iter_mut() {
        // Edits, keyed by the URI of their document.
        if field == "changes"
            && let Value::Object(changes) = value
        {
            for (document, mut edits) in std::mem::take(changes) {
                let (translated, of) = name(&document).unwrap_or((document, uri.clone()));
                walk(&mut edits, &of, name, position);
                changes.insert(translated, edits);
            }
        } else {
            walk(value, &uri, name, position);
        }
    }
}

/// The position in an object.
pub fn position_of(fields: &Map<String, Value>) -> Option<Position> {
    let number = |field: &str| u32::try_from(fields.get(field)?.as_u64()?).ok();
    Some(Position::new(number("line")?, number("character")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Language;

    #[test]
    fn messages_are_translated_there_and_back() {
        let mut documents = Documents::new();
        for (uri, text) in [("untitled:a", "éx"), ("file:///b.mlir", "𝛼y")] {
            documents.open(uri, Document::new(Language::Mlir, 1, text.to_owned()));
        }
        let client = json!([
            { "textDocument": { "uri": "untitled:a" }, "position": { "line": 0, "character": 1 } },
            { "uri": "file:///b.mlir", "range": { "start": { "line": 0, "character": 2 } } },
            { "changes": { "file:///b.mlir": [{ "end": { "line": 0, "character": 3 } }] } },
            { "uri": "file:///other.mlir" },
        ]);
        let upstream = documents.to_upstream("untitled:a", client.clone());
        assert_eq!(
            upstream,
            json!([
                {
                    "textDocument": { "uri": "file:///document/1.mlir" },
                    "position": { "line": 0, "character": 2 },
                },
                {
                    "uri": "file:///document/2.mlir",
                    "range": { "start": { "line": 0, "character": 4 } },
                },
                {
                    "changes": {
                        "file:///document/2.mlir": [{ "end": { "line": 0, "character": 5 } }],
                    },
                },
                { "uri": "file:///other.mlir" },
            ])
        );
        assert_eq!(documents.to_client("untitled:a", upstream), client);
        documents.close("untitled:a");
        assert_eq!(documents.client_uri("file:///document/1.mlir"), None);
        assert_eq!(documents.upstream_uri("untitled:a"), None);
    }
}
