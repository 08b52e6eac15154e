//! Starting, receiving from and restarting upstream's server.

use super::Server;
use crate::{
    document::Language,
    transport::{self, Failure},
    upstream::Upstream,
    withheld,
};
use serde_json::{Value, json};

impl Server {
    pub(super) fn upstream_message(&mut self, message: Value) {
        match message.get("method").and_then(Value::as_str) {
            Some("textDocument/publishDiagnostics") => {
                let params = message.get("params").cloned().unwrap_or_default();
                let _ = self.upstream_diagnostics(&params);
            }
            Some(_) => {}
            None => self.upstream_response(message),
        }
    }

    fn upstream_diagnostics(&mut self, params: &Value) -> Option<()> {
        let uri = params.get("uri")?.as_str()?;
        let uri = self.documents.client_uri(uri)?.to_owned();
        let version = params.get("version")?.as_i64()?;
        let position = self
            .in_flight
            .iter()
            .position(|(other, sent)| *other == uri && *sent == version)?;
        self.in_flight.remove(position);
        if self.documents.get(&uri)?.version != version {
            if !self.in_flight.iter().any(|(other, _)| *other == uri) {
                self.give_text(&uri, false);
            }
        } else if self.withheld.contains_key(&uri) {
            self.publish_withheld(&uri);
        } else {
            self.publish(&uri, params.get("diagnostics")?.clone());
        }
        Some(())
    }

    pub(super) fn is_current(&self, generation: u64) -> bool {
        let upstream = self.upstream.as_ref();
        upstream.is_some_and(|upstream| upstream.generation == generation)
    }

    pub(super) fn start_upstream(&mut self, generation: u64) {
        self.has_answered = false;
        match Upstream::start(&self.arguments, generation, &self.events) {
            Ok(upstream) => {
                let id = self.next_request();
                upstream.send(transport::request(
                    id,
                    "initialize",
                    json!({ "capabilities": { "textDocument": { "documentSymbol": {
                        "hierarchicalDocumentSymbolSupport": true,
                    } } } }),
                ));
                upstream.send(transport::notification("initialized", json!({})));
                self.upstream = Some(upstream);
            }
            Err(error) => {
                self.upstream = None;
                self.complain(&format!("cannot start the server for MLIR: {error}"));
            }
        }
    }

    /// Restarts upstream's server after it has ended, without the text that it ended at.
    pub(super) fn upstream_ended(&mut self, generation: u64) {
        self.upstream = None;
        for (_, pending) in std::mem::take(&mut self.pending) {
            let message = "the server for MLIR has ended at this request";
            let failure = Failure::new(Failure::INTERNAL_ERROR, message);
            self.send(&transport::response(pending.id, Err(failure)));
        }
        let suspect = self.in_flight.pop_front();
        self.in_flight.clear();
        if !self.has_answered {
            self.complain("the server for MLIR ends when it starts");
            return;
        }
        if let Some((uri, _)) = suspect {
            self.withheld.insert(uri, withheld::crash());
        }
        self.start_upstream(generation + 1);
        let open = self.documents.iter();
        let open = open.filter(|(_, document)| document.language == Language::Mlir);
        let open: Vec<String> = open.map(|(uri, _)| uri.clone()).collect();
        for uri in open {
            self.give_text(&uri, true);
        }
    }

    /// Shows an error to the user.
    fn complain(&mut self, message: &str) {
        let params = json!({ "type": 1, "message": format!("{}: {message}", crate::NAME) });
        self.notify("window/showMessage", params);
    }
}
