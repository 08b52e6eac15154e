//! Requests of the client, and upstream's answers to forwarded ones.

use super::{Phase, Server};
use crate::{
    completion,
    document::{Document, Language},
    documents::position_of,
    hlo::{self, names},
    hover,
    transport::{self, Failure},
};
use lsp_types::{Position, Range};
use serde_json::{Value, json};

/// A request that was forwarded to upstream.
pub struct Pending {
    /// The client's request id.
    pub id: Value,
    method: String,
    uri: String,
    /// In bytes.
    position: Option<Position>,
}

const CODE_ACTION: &str = "textDocument/codeAction";
const COMPLETION: &str = "textDocument/completion";
const DOCUMENT_SYMBOL: &str = "textDocument/documentSymbol";

/// The requests about documents.
const METHODS: [&str; 6] = [
    CODE_ACTION,
    COMPLETION,
    DOCUMENT_SYMBOL,
    "textDocument/definition",
    "textDocument/hover",
    "textDocument/references",
];

/// The completion trigger characters of upstream's server.
const TRIGGERS: [&str; 13] = [
    ".", "%", "^", "!", "#", "(", ",", "<", ":", "[", " ", "\"", "/",
];

impl Server {
    pub(super) fn request(&mut self, id: Value, method: &str, params: Value) {
        let result = match (method, self.phase) {
            ("initialize", Phase::Starting) => {
                self.phase = Phase::Running;
                let encoding = self.set_encoding(&params);
                Ok(capabilities(encoding))
            }
            (_, Phase::Starting) => Err(Failure::new(
                Failure::NOT_INITIALIZED,
                "the first request is 'initialize'",
            )),
            (_, Phase::ShutDown) => Err(Failure::new(
                Failure::INVALID_REQUEST,
                "the server is shut down",
            )),
            ("initialize", Phase::Running) => Err(Failure::new(
                Failure::INVALID_REQUEST,
                "the server is initialized already",
            )),
            ("shutdown", Phase::Running) => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (method, Phase::Running) if METHODS.contains(&method) => {
                match self.document_request(&id, method, params) {
                    Ok(Some(answer)) => Ok(answer),
                    // Upstream answers later.
                    Ok(None) => return,
                    Err(failure) => Err(failure),
                }
            }
            _ => {
                let message = format!("there is no method '{method}'");
                Err(Failure::new(Failure::METHOD_NOT_FOUND, message))
            }
        };
        self.send(&transport::response(id, result));
    }

    pub(super) fn next_request(&mut self) -> i64 {
        self.next_request += 1;
        self.next_request
    }

    /// Answers a request about a document, or forwards it to upstream.
    fn document_request(
        &mut self,
        id: &Value,
        method: &str,
        params: Value,
    ) -> Result<Option<Value>, Failure> {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let uri = uri.ok_or_else(|| Failure::invalid_params("a document has a 'uri'"))?;
        let uri = uri.to_owned();
        let Some(document) = self.documents.get(&uri) else {
            return Err(Failure::invalid_params(format!("'{uri}' is not open")));
        };
        let position = params.get("position").and_then(Value::as_object);
        let position = position.and_then(position_of);
        let has_position = !matches!(method, DOCUMENT_SYMBOL | CODE_ACTION);
        if has_position && position.is_none() {
            return Err(Failure::invalid_params("the 'position' is missing"));
        }
        let position = position.map(|position| self.documents.client_to_bytes(&uri, position));
        if document.language == Language::Hlo {
            let answer = self.hlo_answer(&uri, document, method, position.unwrap_or_default());
            return Ok(Some(self.documents.to_client(&uri, answer)));
        }
        if self.upstream.is_none() {
            let message = "the server for MLIR does not run";
            return Err(Failure::new(Failure::INTERNAL_ERROR, message));
        }
        // The request refers to the newest text.
        let version = document.version;
        let last = self.in_flight.iter().rev().find(|(other, _)| *other == uri);
        if last.is_some_and(|(_, sent)| *sent != version) {
            self.give_text(&uri, false);
        }
        let number = self.next_request();
        let message = self.documents.to_upstream(&uri, params);
        let document = self.documents.get(&uri);
        let document = document.filter(|_| !self.withheld.contains_key(&uri));
        if let Some(upstream) = &self.upstream {
            match (method, position, document) {
                (COMPLETION, Some(position), Some(document)) => {
                    completion::ask(upstream, number, document, position);
                }
                _ => upstream.send(transport::request(number, method, message)),
            }
        }
        let pending = Pending {
            id: id.clone(),
            method: method.to_owned(),
            uri,
            position,
        };
        self.pending.insert(number, pending);
        Ok(None)
    }

    fn hlo_answer(&self, uri: &str, document: &Document, method: &str, at: Position) -> Value {
        let parts = self.modules.get(uri).map_or(&[][..], Vec::as_slice);
        let location = |range: Range| json!({ "uri": uri, "range": range });
        match method {
            DOCUMENT_SYMBOL => json!(hlo::symbols(document, parts)),
            "textDocument/definition" => {
                let found = names::definition(document, parts, at);
                json!(found.map(location))
            }
            "textDocument/references" => {
                let found = names::references(document, parts, at).into_iter();
                json!(found.map(location).collect::<Vec<_>>())
            }
            "textDocument/hover" => {
                names::hover(document, parts, at).map_or(Value::Null, |(text, range)| {
                    json!({
                        "contents": { "kind": "markdown", "value": text },
                        "range": range,
                    })
                })
            }
            COMPLETION => json!({
                "isIncomplete": false,
                "items": names::completion(document, parts, at),
            }),
            _ => json!([]),
        }
    }

    /// Passes on an answer of upstream.
    pub(super) fn upstream_response(&mut self, message: Value) {
        self.has_answered = true;
        let id = message.get("id").and_then(Value::as_i64);
        let Some(pending) = id.and_then(|id| self.pending.remove(&id)) else {
            return;
        };
        let uri = pending.uri.as_str();
        let result = match (message.get("error"), self.documents.get(uri)) {
            (Some(error), _) => Err(failure_of(error)),
            // It was closed meanwhile.
            (None, None) => Ok(Value::Null),
            (None, Some(document)) => {
                let answer = message.get("result").cloned().unwrap_or_default();
                let answer = match (pending.method.as_str(), pending.position) {
                    ("textDocument/hover", Some(at)) => hover::hover(document, at, answer),
                    (COMPLETION, Some(at)) => completion::completion(document, at, answer),
                    _ => answer,
                };
                Ok(self.documents.to_client(uri, answer))
            }
        };
        self.send(&transport::response(pending.id, result));
    }
}

fn failure_of(error: &Value) -> Failure {
    let code = error.get("code").and_then(Value::as_i64);
    let message = error.get("message").and_then(Value::as_str);
    Failure::new(
        code.unwrap_or(Failure::INTERNAL_ERROR),
        message.unwrap_or("the server for MLIR failed"),
    )
}

fn capabilities(encoding: &str) -> Value {
    json!({
        "capabilities": {
            "positionEncoding": encoding,
            "textDocumentSync": { "openClose": true, "change": 2, "save": false },
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "documentSymbolProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "completionProvider": { "triggerCharacters": TRIGGERS },
        },
        "serverInfo": { "name": crate::NAME, "version": env!("CARGO_PKG_VERSION") },
    })
}
