//! Documents of MLIR.

use crate::client::{Client, plugin, position_in};
use lsp_types::{DocumentSymbol, Location, Position, Range};
use serde_json::json;
use std::{fs, process::Command, thread, time::Duration};

const URI: &str = "file:///programs/a.mlir";

const PROGRAM: &str = "\
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %product = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %sum = stablehlo.add %product, %product : tensor<2x4xf32>
  return %sum : tensor<2x4xf32>
}
";

/// Types a text at the end of a document, one character at a time, like editors. Returns the first
/// diagnostic of each step.
fn type_text(client: &mut Client, uri: &str, version: &mut i64, text: &str) -> Vec<Option<String>> {
    let end = Position::new(u32::MAX, 0);
    let steps = text.chars().map(|c| {
        *version += 1;
        let range = Range::new(end, end);
        client.change_by(
            uri,
            *version,
            json!([{ "range": range, "text": c.to_string() }]),
        );
        let found = client.diagnostics(uri, *version).into_iter().next();
        found.map(|found| found.message)
    });
    steps.collect()
}

#[test]
fn a_wrong_program_is_typed_letter_by_letter() {
    let mut client = Client::ready(&[]);
    assert_eq!(client.open(URI, ""), []);
    // A sum of two types, strings and attributes cut at every position, and a second function.
    let wrong = "module @\"a\\\"b\" attributes {x.y = dense<[1, 2]> : tensor<2xi32>} {\n  \
        func.func public @main(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {\n    \
        %c = stablehlo.constant dense<\"0x0000803F\"> : tensor<f32> loc(\"a.py\":1:2)\n    \
        %0:2 = \"stablehlo.reduce\"(%x, %c) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): \
        stablehlo.return %a : tensor<f32> }) {dimensions = array<i64: 0>} : () -> ()\n    \
        %1 = stablehlo.add %x, %y : tensor<2xf32>\n    return %1 : tensor<2xf32>\n  }\n}\n// é\n";
    let mut version = 0;
    let told = type_text(&mut client, URI, &mut version, wrong);
    // Nearly all prefixes are invalid: only the empty text and comments are valid.
    assert!(told.iter().filter(|told| told.is_some()).count() > 400);
    assert!(told.last().unwrap().is_some());

    // They are cleared when the text is valid, and come from the verifier otherwise.
    assert_eq!(client.change(URI, 10_000, PROGRAM), []);
    let transposed = PROGRAM.replace("[1] x [0]", "[0] x [0]");
    let found = client.change(URI, 10_001, &transposed);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].message.contains("stablehlo.dot_general"),
        "{found:?}"
    );
    assert_eq!(
        found[0].range.start,
        position_in(PROGRAM, "stablehlo.dot_general", 0)
    );
    assert_eq!(client.change(URI, 10_002, PROGRAM), []);
    client.leave();
}

#[test]
fn names_are_explained_and_found() {
    let mut client = Client::ready(&[]);
    assert_eq!(client.open(URI, PROGRAM), []);
    let at = |part, plus| position_in(PROGRAM, part, plus);

    let hover = client.hover(URI, at("stablehlo.dot_general", 3));
    for part in [
        "**`stablehlo.dot_general`**: ",
        "(https://openxla.org/stablehlo/spec#dot_general)",
        "Types: `(tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>`",
        "lhs_contracting_dimensions = [1]",
    ] {
        assert!(hover.contains(part), "{hover}");
    }
    assert!(client.hover(URI, at("return", 0)).contains("**`func.return`**"));
    assert!(client.hover(URI, at("%sum :", 2)).contains("Type: `tensor<2x4xf32>`"));

    let found: Vec<Location> =
        serde_json::from_value(client.at("definition", URI, at("%product,", 2))).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].uri.as_str(), URI);
    assert_eq!(found[0].range.start, at("%product =", 0));
    let found: Vec<Location> =
        serde_json::from_value(client.at("references", URI, at("%product =", 2))).unwrap();
    assert_eq!(found.len(), 3);

    let symbols = client.request(
        "textDocument/documentSymbol",
        json!({ "textDocument": { "uri": URI } }),
    );
    let symbols: Vec<DocumentSymbol> = serde_json::from_value(symbols).unwrap();
    assert_eq!(symbols[0].name, "main");
    client.leave();
}

#[test]
fn names_are_completed() {
    let mut client = Client::ready(&[]);
    let head = "func.func @main(%x: tensor<2xf32>) {\n";
    assert_ne!(client.open(URI, head), []);
    let mut version = 0;
    let mut labels = |line: &str| {
        version += 1;
        let text = format!("{head}{line}");
        client.change(URI, version, &text);
        client.labels(
            URI,
            position_in(&text, line, u32::try_from(line.len()).unwrap()),
        )
    };
    for (line, expected) in [
        ("  %0 = ", "stablehlo"),
        ("  %0 = stablehlo.", "dot_general"),
        ("  %0 = stablehlo.dot_g", "dot_general"),
        ("  %0 = stablehlo.abs %", "%x"),
        ("  %0 = stablehlo.dot_general %x, %x, ", "contracting_dims"),
        ("  %0 = \"stablehlo.iota\"() <{", "iota_dimension"),
        ("  %0 = \"stablehlo.iota\"() <{iota", "iota_dimension"),
        ("  %0 = stablehlo.constant #stablehlo.", "precision"),
    ] {
        let found = labels(line);
        assert!(
            found.iter().any(|label| label == expected),
            "{line:?}: {found:?}"
        );
    }
    let found = client.at("completion", URI, Position::new(1, 0));
    assert!(found["items"].is_array());
    let half = format!("{head}  %0 = stablehlo.dot_g");
    client.change(URI, 100, &half);
    let found = client.at("completion", URI, position_in(&half, "dot_g", 5));
    let items = found["items"].as_array().unwrap();
    let item = items.iter().find(|item| item["label"] == "dot_general").unwrap();
    let text = item["documentation"]["value"].as_str().unwrap();
    assert!(
        text.contains("https://openxla.org/stablehlo/spec#dot_general"),
        "{text}"
    );
    client.leave();
}

#[test]
fn characters_are_counted_as_the_client_does() {
    // `𝛼` is two units of UTF-16 and four bytes.
    let text = "func.func @\"𝛼é\"(%x: f32) -> f32 { %0 = arith.addf %x, %x : f32 return %1 : f32 }";
    for (encodings, before) in [(json!(["utf-16"]), 3), (json!(["utf-8", "utf-16"]), 6)] {
        let mut client = Client::start(&[]);
        let general = json!({ "positionEncodings": encodings });
        client.request(
            "initialize",
            json!({ "capabilities": { "general": general } }),
        );
        let found = client.open("untitled:Untitled-1", text);
        let ascii = text.replace("𝛼é", "");
        let expected = position_in(&ascii, "%1", before);
        assert_eq!(found[0].range.start, expected, "{found:?}");
        let hover = client.hover("untitled:Untitled-1", position_in(&ascii, "arith", before));
        assert!(hover.contains("**`arith.addf`**"), "{hover}");
        client.leave();
    }
}

#[test]
fn texts_that_would_crash_the_parser_are_not_shown_to_it() {
    let mut client = Client::ready(&[]);
    let found = client.open(URI, &"(".repeat(100_000));
    assert_eq!(found[0].message, "nested more than 1000 levels deep");
    assert_eq!(found[0].range.start, Position::new(0, 1000));
    assert_eq!(client.change(URI, 1, PROGRAM), []);
    client.leave();
}

/// The process of upstream's server.
fn upstream_of(client: &Client) -> String {
    let tasks = fs::read_dir(format!("/proc/{}/task", client.process.id())).unwrap();
    let children = tasks.map(|task| fs::read_to_string(task.unwrap().path().join("children")));
    let children = children.map(Result::unwrap_or_default).collect::<String>();
    // A killed process stays in the list until its end is read.
    let is_alive = |process: &&str| {
        let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        !state.contains(") Z ")
    };
    children.split_whitespace().find(is_alive).unwrap().to_owned()
}

fn signal(process: &str, signal: &str) {
    // A minimal machine has no `kill` except the shell's.
    let command = format!("kill {signal} {process}");
    let status = Command::new("sh").args(["-c", &command]).status();
    assert!(status.unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn the_server_outlives_the_parser() {
    let mut client = Client::ready(&[]);
    assert_eq!(client.open(URI, PROGRAM), []);
    // It is killed while idle.
    signal(&upstream_of(&client), "-KILL");
    let mut hover = client.answer(
        "textDocument/hover",
        json!({ "textDocument": { "uri": URI }, "position": position_in(PROGRAM, "stablehlo", 0) }),
    );
    // The request may have been sent to the killed process.
    if hover.get("error").is_some() {
        thread::sleep(Duration::from_millis(10));
        hover = json!({ "result": client.at("hover", URI, position_in(PROGRAM, "stablehlo", 0)) });
    }
    assert!(hover["result"]["contents"]["value"].is_string(), "{hover}");

    // It is killed while it processes a text, which the next one does not get.
    let upstream = upstream_of(&client);
    signal(&upstream, "-STOP");
    // A signal is sent before it is delivered.
    let state = || fs::read_to_string(format!("/proc/{upstream}/stat")).unwrap_or_default();
    while !state().contains(") T ") {
        thread::sleep(Duration::from_millis(1));
    }
    client.change_by(URI, 1, json!([{ "text": "the end" }]));
    thread::sleep(Duration::from_millis(200));
    signal(&upstream, "-KILL");
    let found = client.diagnostics(URI, 1);
    assert!(
        found[0].message.starts_with("internal error: the parser of MLIR"),
        "{found:?}"
    );
    assert_eq!(client.change(URI, 2, PROGRAM), []);
    client.leave();
}

#[test]
fn dialects_of_plug_ins_are_known() {
    let program = "func.func @f(%x: tensor<2xi64>) -> tensor<2xi64> {\n  \
                   %0 = vendor.saturating_add %x, %x : tensor<2xi64>\n  \
                   return %0 : tensor<2xi64>\n}\n";
    let option = format!("--load-plugin={}", plugin().display());
    let mut client = Client::ready(&[option]);
    let found = client.open(URI, program);
    assert!(
        found[0].message.contains("adds elements of type i32"),
        "{found:?}"
    );
    assert_eq!(client.change(URI, 1, &program.replace("i64", "i32")), []);
    let at = position_in(program, "vendor", 3);
    let hover = client.hover(URI, at);
    assert!(hover.contains("saturating_add"), "{hover}");
    assert!(
        hover.contains("Adds integers; a sum that the type cannot hold"),
        "{hover}"
    );
    let dialect = position_in(program, "saturating_add", 0);
    assert_eq!(client.labels(URI, dialect), ["saturating_add"]);
    client.leave();
}
