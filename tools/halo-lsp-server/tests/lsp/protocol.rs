//! The protocol, including invalid messages of the client.

use crate::client::Client;
use serde_json::{Value, json};
use std::process::{Command, Output};

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn requests_stand_in_their_order() {
    let mut client = Client::start(&[]);
    let hover = json!({ "textDocument": { "uri": "a.mlir" }, "position": {} });
    assert_eq!(code(&client.answer("textDocument/hover", hover)), -32002);
    client.request("initialize", json!({ "capabilities": {} }));
    assert_eq!(code(&client.answer("initialize", json!({}))), -32600);
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
    assert_eq!(code(&client.answer("shutdown", Value::Null)), -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.close().code(), Some(0));
}

#[test]
fn an_end_that_was_not_announced_is_an_error() {
    let mut client = Client::ready(&[]);
    client.notify("exit", Value::Null);
    assert_eq!(client.close().code(), Some(1));
    assert_eq!(Client::ready(&[]).close().code(), Some(1));
}

#[test]
fn messages_that_are_wrong_are_answered() {
    let mut client = Client::ready(&[]);
    client.write(b"Content-Length: 3\r\n\r\n{]}");
    assert_eq!(
        code(&client.wait_for(|message| message["id"].is_null())),
        -32700
    );
    for message in [
        json!([1]),
        json!(3),
        json!({}),
        json!({ "id": 7 }),
        json!({ "method": 3 }),
    ] {
        client.send(&message);
        let answer = client.wait_for(|message| message.get("error").is_some());
        assert_eq!(code(&answer), -32600, "{message}");
    }
    assert_eq!(
        code(&client.answer("textDocument/rename", json!({}))),
        -32601
    );
    for params in [
        json!(null),
        json!([]),
        json!({ "textDocument": {} }),
        json!({ "textDocument": { "uri": "file:///not/open.mlir" }, "position": {} }),
    ] {
        assert_eq!(code(&client.answer("textDocument/hover", params)), -32602);
    }
    client.open("file:///a.mlir", "");
    for position in [
        json!(null),
        json!({ "line": -1, "character": 0 }),
        json!({ "line": "0" }),
    ] {
        let params = json!({ "textDocument": { "uri": "file:///a.mlir" }, "position": position });
        assert_eq!(code(&client.answer("textDocument/hover", params)), -32602);
    }
    // Notifications that cannot be handled are ignored.
    for (method, params) in [
        (
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": 3 } }),
        ),
        ("textDocument/didChange", json!({ "contentChanges": 1 })),
        (
            "textDocument/didChange",
            json!({ "textDocument": { "uri": "file:///a.mlir" } }),
        ),
        (
            "textDocument/didClose",
            json!({ "textDocument": { "uri": "file:///never.mlir" } }),
        ),
        ("$/cancelRequest", json!({ "id": 99 })),
        ("workspace/unknown", json!(null)),
    ] {
        client.notify(method, params);
    }
    client.send(&json!({ "id": 99, "result": null }));
    let uri = "file:///a.mlir";
    client.change_by(
        uri,
        9,
        json!([{ "range": { "start": 1 } }, 3, { "text": "module {}" }]),
    );
    assert_eq!(client.diagnostics(uri, 9), []);
    client.leave();
}

#[test]
fn closed_documents_have_no_diagnostics() {
    let mut client = Client::ready(&[]);
    for uri in ["file:///a.mlir", "file:///a.hlo"] {
        assert_ne!(client.open(uri, "wrong"), []);
        client.notify(
            "textDocument/didClose",
            json!({ "textDocument": { "uri": uri } }),
        );
        let message = client.wait_for(|message| {
            message["params"]["uri"] == uri && message["params"].get("version").is_none()
        });
        assert_eq!(message["params"]["diagnostics"], json!([]));
        // A new document with the same name.
        assert_ne!(client.open(uri, "wrong again"), []);
    }
    client.leave();
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_halo-lsp-server"));
    command.args(arguments).output().unwrap()
}

#[test]
fn the_command_line_is_checked() {
    let output = run(&["--help"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && text.contains("--load-plugin <FILE>"),
        "{text}"
    );
    let output = run(&["--version"]);
    assert!(
        output.stdout.starts_with(b"halo-lsp-server 0."),
        "{output:?}"
    );
    for (arguments, message) in [
        (
            &["--load-plugin=none.so"][..],
            "cannot load plug-in 'none.so': No such file",
        ),
        (&["--stdoi"], "unexpected argument '--stdoi' found"),
        (&["--upstream", "x"], "unexpected argument 'x'"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.starts_with("halo-lsp-server: error: "), "{text}");
        assert!(
            text.contains(message) && text.lines().count() == 1,
            "{text}"
        );
    }
}

#[test]
fn a_header_that_is_none_ends_the_server() {
    let mut client = Client::ready(&[]);
    client.write(b"GET / HTTP/1.1\r\n\r\n");
    assert_eq!(client.close().code(), Some(1));
}
