//! The server that editors start.
//!
//! It keeps the documents. MLIR documents are forwarded to upstream's server, whose answers are
//! passed on with additions; requests about HLO text are answered here.

mod parser;
mod requests;
mod texts;

use crate::{
    Event,
    document::Encoding,
    documents::Documents,
    hlo,
    transport::{self, Failure, ReadError},
    upstream::Upstream,
};
use lsp_types::Diagnostic;
use requests::Pending;
use serde_json::Value;
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    ffi::OsString,
    io::{BufWriter, Stdout, stdout},
    sync::mpsc::{Receiver, Sender},
};

/// The state of the connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Starting,
    Running,
    ShutDown,
}

pub struct Server {
    out: BufWriter<Stdout>,
    phase: Phase,
    documents: Documents,
    /// The modules of HLO text documents at their last successful parse.
    modules: HashMap<String, Vec<hlo::Part>>,
    /// The diagnostic for each document that is withheld from upstream.
    withheld: HashMap<String, Diagnostic>,
    upstream: Option<Upstream>,
    /// Set if the running server has answered.
    has_answered: bool,
    /// The arguments of upstream's server process.
    arguments: Vec<OsString>,
    events: Sender<Event>,
    /// The texts that upstream is processing, by document and version, in order.
    in_flight: VecDeque<(String, i64)>,
    /// The requests that upstream has not answered, by upstream's request id.
    pending: BTreeMap<i64, Pending>,
    next_request: i64,
}

/// Serves a client until it exits, and returns the exit code: 0 after a shutdown request.
pub fn serve(arguments: Vec<OsString>, events: &Receiver<Event>, sender: Sender<Event>) -> u8 {
    let mut server = Server {
        out: BufWriter::new(stdout()),
        phase: Phase::Starting,
        documents: Documents::new(),
        modules: HashMap::new(),
        withheld: HashMap::new(),
        upstream: None,
        has_answered: false,
        arguments,
        events: sender,
        in_flight: VecDeque::new(),
        pending: BTreeMap::new(),
        next_request: 0,
    };
    server.start_upstream(1);
    while let Ok(event) = events.recv() {
        match event {
            Event::Client(Ok(Some(message))) => {
                if let Some(code) = server.client_message(message) {
                    return code;
                }
            }
            Event::Client(Ok(None)) => return 1,
            Event::Client(Err(ReadError::Content(message))) => {
                let failure = Failure::new(Failure::PARSE_ERROR, message);
                server.send(&transport::response(Value::Null, Err(failure)));
            }
            Event::Client(Err(ReadError::Stream(message))) => {
                eprintln!("{}: error: {message}", crate::NAME);
                return 1;
            }
            Event::Upstream(generation, message) => {
                if server.is_current(generation) {
                    server.upstream_message(message);
                }
            }
            Event::UpstreamEnded(generation) => {
                if server.is_current(generation) {
                    server.upstream_ended(generation);
                }
            }
        }
    }
    1
}

impl Server {
    fn send(&mut self, message: &Value) {
        // If the client is gone, its input ends, too.
        let _ = transport::write(&mut self.out, message);
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&transport::notification(method, params));
    }

    /// Handles a message of the client; returns the exit code if it is the last one.
    fn client_message(&mut self, message: Value) -> Option<u8> {
        let id = message.get("id").cloned();
        let method = message.get("method").and_then(Value::as_str);
        let params = message.get("params").cloned().unwrap_or_default();
        match (id, method) {
            (Some(id), Some(method)) => self.request(id, method, params),
            (None, Some("exit")) => return Some(u8::from(self.phase != Phase::ShutDown)),
            (None, Some(method)) if self.phase == Phase::Running => {
                self.notification(method, &params);
            }
            (None, Some(_)) => {}
            // A response; this server sends no requests.
            (Some(_), None) if message.get("result").or(message.get("error")).is_some() => {}
            _ => {
                let failure = Failure::new(Failure::INVALID_REQUEST, "not a request");
                self.send(&transport::response(Value::Null, Err(failure)));
            }
        }
        None
    }

    fn set_encoding(&mut self, params: &Value) -> &'static str {
        let known = params.pointer("/capabilities/general/positionEncodings");
        let knows_bytes = known
            .and_then(Value::as_array)
            .is_some_and(|known| known.iter().any(|encoding| encoding == "utf-8"));
        self.documents.encoding = if knows_bytes {
            Encoding::Utf8
        } else {
            Encoding::Utf16
        };
        if knows_bytes { "utf-8" } else { "utf-16" }
    }
}
