//! MLIR bytecode of StableHLO and CHLO, as upstream and Halo write it.
//!
//! `dialects.mlirbc` is what jaxlib makes of `dialects.mlir`; `textual.mlirbc`
//! what Halo made of it before its dialects had an encoding of their own, with
//! all attributes and types as text. `variable_update.mlirbc` is what TensorFlow
//! exports of `v.assign_add(x)`.

use halo_compiler::frontend::{bytecode_of, context, load, parse, text_of};
use halo_dialects::diagnostics::with_diagnostics;
use halo_runtime::{CompileOptions, Program};
use melior::Context;
use std::{fs, path::Path};

fn file(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bytecode");
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn program(name: &str, code: Vec<u8>) -> Program {
    Program {
        name: name.to_owned(),
        code,
    }
}

fn printed(context: &Context, name: &str, code: Vec<u8>) -> String {
    let module = parse(context, &program(name, code));
    text_of(&module.unwrap_or_else(|error| panic!("{error}")))
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

#[test]
fn bytecode_is_the_program_that_it_was_made_of() {
    let context = context();
    let text = printed(&context, "dialects.mlir", file("dialects.mlir"));
    for name in ["dialects.mlirbc", "textual.mlirbc"] {
        assert_eq!(printed(&context, name, file(name)), text, "{name}");
    }
}

/// Results of TensorFlow that are variables are copies, in the mhlo dialect.
#[test]
fn copies_of_tensorflow_are_read() {
    let context = context();
    let name = "variable_update.mlirbc";
    assert!(contains(&file(name), "mhlo") && contains(&file(name), "copy"));
    let loaded = load(
        &context,
        &program(name, file(name)),
        &CompileOptions::default(),
    );
    let (module, _) = loaded.unwrap_or_else(|error| panic!("{error}"));
    let text = text_of(&module);
    assert!(
        text.contains("stablehlo.add") && !text.contains("mhlo.copy"),
        "{text}"
    );
}

/// Upstream writes some attributes of CHLO as text, and nothing else.
#[test]
fn bytecode_has_the_codes_of_upstream() {
    let context = context();
    let source = program("dialects.mlir", file("dialects.mlir"));
    let module = parse(&context, &source).unwrap_or_else(|error| panic!("{error}"));
    let written = bytecode_of(&module);
    for (text, textual) in [
        ("#stablehlo", false),
        ("!stablehlo", false),
        ("comparison_direction", false),
        ("comparison_type", false),
        ("#chlo.ragged_dot", true),
        ("#chlo<precision", true),
    ] {
        assert_eq!(contains(&file("dialects.mlirbc"), text), textual, "{text}");
        assert_eq!(contains(&written, text), textual, "{text}");
    }
    let again = printed(&context, "written", written);
    assert_eq!(again, text_of(&module));
}

/// Whatever a byte becomes, there is a program or an error.
#[test]
fn damaged_bytecode_is_refused_or_read() {
    let context = context();
    let original = file("dialects.mlirbc");
    // The entries of attributes lie in the first half.
    for at in (20..original.len() / 2).step_by(9) {
        for byte in [0, 0xff] {
            let mut code = original.clone();
            code[at] = byte;
            let (read, _) = with_diagnostics(&context, || {
                parse(&context, &program("damaged", code)).map(|module| text_of(&module))
            });
            _ = read;
        }
    }
}
