//! Documents that the client opens, changes and closes, and their diagnostics.

use super::Server;
use crate::{
    document::{Document, Language},
    hlo, transport, withheld,
};
use halo::hlo_text::is_hlo_text;
use lsp_types::{Diagnostic, Range};
use serde_json::{Value, json};

impl Server {
    pub(super) fn notification(&mut self, method: &str, params: &Value) {
        // Ignore malformed notifications: they cannot be answered.
        let _ = match method {
            "textDocument/didOpen" => self.opened(params),
            "textDocument/didChange" => self.changed(params),
            "textDocument/didClose" => self.closed(params),
            _ => None,
        };
    }

    fn opened(&mut self, params: &Value) -> Option<()> {
        let document = params.get("textDocument")?;
        let uri = document.get("uri")?.as_str()?.to_owned();
        let text = document.get("text")?.as_str()?.to_owned();
        let version = document.get("version").and_then(Value::as_i64);
        let is_hlo = document.get("languageId").and_then(Value::as_str) == Some("hlo")
            || uri.ends_with(".hlo")
            || is_hlo_text(text.as_bytes());
        let language = if is_hlo {
            Language::Hlo
        } else {
            Language::Mlir
        };
        self.forget(&uri);
        let document = Document::new(language, version.unwrap_or_default(), text);
        self.documents.open(&uri, document);
        self.text_changed(&uri, true);
        Some(())
    }

    fn changed(&mut self, params: &Value) -> Option<()> {
        let document = params.get("textDocument")?;
        let uri = document.get("uri")?.as_str()?.to_owned();
        let version = document.get("version").and_then(Value::as_i64);
        let changes = params.get("contentChanges")?.as_array()?;
        let encoding = self.documents.encoding;
        let document = self.documents.get_mut(&uri)?;
        for change in changes {
            let range: Option<Range> =
                change.get("range").and_then(|range| serde_json::from_value(range.clone()).ok());
            let text = change.get("text").and_then(Value::as_str);
            document.change(range, text.unwrap_or_default(), encoding);
        }
        document.version = version.unwrap_or(document.version + 1);
        self.text_changed(&uri, false);
        Some(())
    }

    fn closed(&mut self, params: &Value) -> Option<()> {
        let uri = params.pointer("/textDocument/uri")?.as_str()?.to_owned();
        self.forget(&uri);
        let empty = json!({ "uri": uri, "diagnostics": [] });
        self.notify("textDocument/publishDiagnostics", empty);
        Some(())
    }

    /// Closes a document here and upstream.
    fn forget(&mut self, uri: &str) {
        if let (Some(name), Some(upstream)) = (self.documents.upstream_uri(uri), &self.upstream) {
            upstream.send(transport::notification(
                "textDocument/didClose",
                json!({ "textDocument": { "uri": name } }),
            ));
        }
        self.documents.close(uri);
        self.modules.remove(uri);
        self.withheld.remove(uri);
        self.in_flight.retain(|(other, _)| other != uri);
    }

    fn text_changed(&mut self, uri: &str, is_new: bool) {
        let Some(document) = self.documents.get(uri) else {
            return;
        };
        if document.language == Language::Hlo {
            let (diagnostics, parts) = hlo::check(document);
            if let Some(parts) = parts {
                self.modules.insert(uri.to_owned(), parts);
            }
            self.publish(uri, json!(diagnostics));
            return;
        }
        match withheld::reason(document) {
            Some(diagnostic) => self.withheld.insert(uri.to_owned(), diagnostic),
            None => self.withheld.remove(uri),
        };
        // While upstream processes an older text, intermediate texts are skipped.
        if is_new || !self.in_flight.iter().any(|(other, _)| other == uri) {
            self.give_text(uri, is_new);
        }
    }

    /// Sends a document to upstream.
    pub(super) fn give_text(&mut self, uri: &str, is_new: bool) {
        let (Some(document), Some(name)) =
            (self.documents.get(uri), self.documents.upstream_uri(uri))
        else {
            return;
        };
        let version = document.version;
        let text = if self.withheld.contains_key(uri) {
            ""
        } else {
            document.text()
        };
        let message = if is_new {
            transport::notification(
                "textDocument/didOpen",
                json!({ "textDocument": {
                    "uri": name, "languageId": "mlir", "version": version, "text": text,
                } }),
            )
        } else {
            transport::notification(
                "textDocument/didChange",
                json!({
                    "textDocument": { "uri": name, "version": version },
                    "contentChanges": [{ "text": text }],
                }),
            )
        };
        match &self.upstream {
            Some(upstream) => {
                upstream.send(message);
                self.in_flight.push_back((uri.to_owned(), version));
            }
            // Upstream publishes no diagnostics for it.
            None => self.publish_withheld(uri),
        }
    }

    /// Publishes diagnostics in positions of bytes.
    pub(super) fn publish(&mut self, uri: &str, diagnostics: Value) {
        let version = self.documents.get(uri).map(|document| document.version);
        let params = json!({ "uri": uri, "version": version, "diagnostics": diagnostics });
        let params = self.documents.to_client(uri, params);
        self.notify("textDocument/publishDiagnostics", params);
    }

    pub(super) fn publish_withheld(&mut self, uri: &str) {
        let diagnostics: Vec<&Diagnostic> = self.withheld.get(uri).into_iter().collect();
        let diagnostics = json!(diagnostics);
        self.publish(uri, diagnostics);
    }
}
