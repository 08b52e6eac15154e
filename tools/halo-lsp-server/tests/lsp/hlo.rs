//! Documents of HLO text.

use crate::client::{Client, position_in};
use lsp_types::{DocumentSymbol, Location};
use serde_json::json;

const URI: &str = "file:///programs/a.hlo";

const PROGRAM: &str = "\
HloModule sum

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}

ENTRY %main (x: f32[4]) -> f32[] {
  %x = f32[4]{0} parameter(0)
  %zero = f32[] constant(0)
  ROOT %reduce = f32[] reduce(%x, %zero), dimensions={0}, to_apply=%add
}
";

#[test]
fn diagnostics_come_and_go() {
    let mut client = Client::ready(&[]);
    assert_eq!(client.open(URI, PROGRAM), []);
    let wrong = PROGRAM.replace("add(%a, %b)", "add(%a, %c)");
    let found = client.change(URI, 1, &wrong);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].message.contains('c'), "{found:?}");
    assert_eq!(found[0].range.start.line, 5);
    // Every prefix of a program gets an answer.
    for (version, (end, _)) in (2..).zip(PROGRAM.char_indices()) {
        client.change(URI, version, &PROGRAM[..end]);
    }
    assert_eq!(client.change(URI, 10_000, PROGRAM), []);
    // Several modules, one of them wrong.
    let two = format!("{PROGRAM}// -----\n{wrong}");
    let found = client.change(URI, 10_001, &two);
    assert_eq!(found.len(), 1, "{found:?}");
    let lines = u32::try_from(PROGRAM.lines().count()).unwrap();
    assert_eq!(found[0].range.start.line, lines + 1 + 5);
    client.leave();
}

#[test]
fn programs_that_mean_nothing_are_told() {
    let mut client = Client::ready(&[]);
    let wrong = PROGRAM.replace("dimensions={0}", "dimensions={3}");
    let found = client.open(URI, &wrong);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].range.start.line, 11, "{found:?}");
    client.leave();
}

#[test]
fn names_are_found() {
    let mut client = Client::ready(&[]);
    client.open(URI, PROGRAM);
    let at = |part, plus| position_in(PROGRAM, part, plus);
    let symbols = client.request(
        "textDocument/documentSymbol",
        json!({ "textDocument": { "uri": URI } }),
    );
    let symbols: Vec<DocumentSymbol> = serde_json::from_value(symbols).unwrap();
    let names: Vec<&str> = symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["add", "main"]);
    let main = symbols[1].children.as_ref().unwrap();
    assert_eq!(main[2].name, "reduce");
    assert_eq!(main[2].detail.as_deref(), Some("f32[] reduce"));
    assert_eq!(main[2].selection_range.start, at("reduce =", 0));

    // `%a` of the computation, and the computation.
    for (used, defined, count) in [
        (at("%a, %b", 1), at("a = f32", 0), 2),
        (at("to_apply=%add", 12), at("add (a", 0), 2),
        (at("%zero)", 2), at("zero =", 0), 2),
    ] {
        let found: Location = serde_json::from_value(client.at("definition", URI, used)).unwrap();
        assert_eq!((found.uri.as_str(), found.range.start), (URI, defined));
        let found: Vec<Location> =
            serde_json::from_value(client.at("references", URI, used)).unwrap();
        assert!(found.len() >= count, "{found:?}");
        assert!(
            found.iter().any(|found| found.range.start == defined),
            "{found:?}"
        );
    }
    let hover = client.hover(URI, at("%zero)", 2));
    assert_eq!(hover, "```hlo\n%zero = f32[] constant(0)\n```");
    let labels = client.labels(URI, at("%zero)", 1));
    assert_eq!(labels, ["add", "x", "zero", "reduce", "main"]);
    client.leave();
}
