//! A client of the Language Server Protocol.

use lsp_types::{Diagnostic, Position};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

/// The time limit for a message on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    pub process: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Messages that arrived while waiting for another one.
    kept: Vec<Value>,
    next_request: i64,
}

impl Client {
    /// Starts a server without sending a message.
    pub fn start(arguments: &[String]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_halo-lsp-server"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut stdout) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self {
            input: process.stdin.take(),
            process,
            messages,
            kept: Vec::new(),
            next_request: 0,
        }
    }

    /// A server after initialization, with positions in UTF-16.
    pub fn ready(arguments: &[String]) -> Self {
        let mut client = Self::start(arguments);
        let result = client.request("initialize", json!({ "capabilities": {} }));
        assert_eq!(result["serverInfo"]["name"], "halo-lsp-server");
        assert_eq!(result["capabilities"]["positionEncoding"], "utf-16");
        client.notify("initialized", json!({}));
        client
    }

    /// Writes raw bytes.
    pub fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub fn send(&mut self, message: &Value) {
        let content = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{content}", content.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The answer to a request, with its result or its error.
    pub fn answer(&mut self, method: &str, params: Value) -> Value {
        self.next_request += 1;
        let id = self.next_request;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait_for(|message| message["id"] == id && message.get("method").is_none())
    }

    /// The result of a request.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Waits for the next message of a kind; keeps the messages before it.
    pub fn wait_for(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(position) = self.kept.iter().position(&is_wanted) {
            return self.kept.remove(position);
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE);
            let message = message.unwrap_or_else(|_| {
                let state = self.process.try_wait();
                panic!(
                    "no answer; the server: {state:?}; other messages: {:?}",
                    self.kept
                )
            });
            if is_wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    /// Opens a document, and returns its diagnostics.
    pub fn open(&mut self, uri: &str, text: &str) -> Vec<Diagnostic> {
        let document = json!({ "uri": uri, "languageId": "", "version": 0, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        self.diagnostics(uri, 0)
    }

    /// Replaces the text of a document, and returns its diagnostics.
    pub fn change(&mut self, uri: &str, version: i64, text: &str) -> Vec<Diagnostic> {
        self.change_by(uri, version, json!([{ "text": text }]));
        self.diagnostics(uri, version)
    }

    pub fn change_by(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    /// The diagnostics of a version of a document.
    pub fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Diagnostic> {
        let message = self.wait_for(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        });
        serde_json::from_value(message["params"]["diagnostics"].clone()).unwrap()
    }

    /// Sends a request about a position of a document.
    pub fn at(&mut self, method: &str, uri: &str, position: Position) -> Value {
        let params = json!({
            "textDocument": { "uri": uri },
            "position": position,
            "context": { "includeDeclaration": true },
        });
        self.request(&format!("textDocument/{method}"), params)
    }

    /// The text of a hover.
    pub fn hover(&mut self, uri: &str, position: Position) -> String {
        let hover = self.at("hover", uri, position);
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    /// The labels of completion items.
    pub fn labels(&mut self, uri: &str, position: Position) -> Vec<String> {
        let completion = self.at("completion", uri, position);
        let items = completion["items"].as_array().unwrap().iter();
        items.map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    }

    /// Closes the input and waits for the end.
    pub fn close(&mut self) -> ExitStatus {
        self.input = None;
        self.process.wait().unwrap()
    }

    /// Shuts down as the protocol requires.
    pub fn leave(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        assert_eq!(self.process.wait().unwrap().code(), Some(0));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A failed test leaves no process.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn read(stream: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.parse().unwrap();
        }
    }
    let mut content = vec![0; length];
    stream.read_exact(&mut content).ok()?;
    Some(serde_json::from_slice(&content).unwrap())
}

/// The position of a text in another, plus some characters; both are ASCII.
pub fn position_in(text: &str, part: &str, plus: u32) -> Position {
    let offset = text.find(part).unwrap_or_else(|| panic!("{part:?} is not there"));
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    Position::new(
        u32::try_from(line).unwrap(),
        u32::try_from(offset - start).unwrap() + plus,
    )
}

/// The plug-in of `examples/out-of-tree/lowerings`, with the dialect `vendor`.
pub fn plugin() -> PathBuf {
    let tool = PathBuf::from(env!("CARGO_BIN_EXE_halo-lsp-server"));
    let path = tool.with_file_name("deps").join("liblowerings.so");
    assert!(
        path.is_file(),
        "{} is missing: run `cargo build --workspace --bins` first",
        path.display()
    );
    path
}
