//! MLIR bytecode of StableHLO and CHLO, as upstream and Halo write it.
//!
//! jaxlib wrote `dialects.mlirbc` from `dialects.mlir`; Halo wrote `textual.mlirbc` from it before
//! its dialects had a bytecode encoding, with all attributes and types as text. jaxlib of StableHLO
//! 1.17 wrote `older.mlirbc` from the program in its test, and `spoilt.mlirbc` is an edited copy of
//! it that makes MLIR's reader write out of bounds. `variable_update.mlirbc` is TensorFlow's export
//! of `v.assign_add(x)`. jaxlib 0.12.0.1 wrote `shardings.mlirbc` from `shardings.mlir`, and
//! `result_tilings.mlirbc`; jaxlib 0.10.2 wrote `older_top_k.mlirbc`.

use halo_backend::{CompileOptions, Program};
use halo_compiler::context;
use halo_frontend::{load, parse};
use halo_ir::diagnostics::bytecode_of;
use halo_ir::diagnostics::with_diagnostics;
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
    let module = module.unwrap_or_else(|error| panic!("{error}"));
    module.as_operation().to_string()
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
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
    let text = module.as_operation().to_string();
    assert!(
        text.contains("stablehlo.add") && !text.contains("mhlo.copy"),
        "{text}"
    );
}

/// Upstream encodes some attributes of CHLO as text; Halo encodes the same ones as text.
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
    assert_eq!(again, module.as_operation().to_string());
}

/// StableHLO 1.20 added `has_dynamic_root`. Bytecode stores attributes without their names.
#[test]
fn ops_of_older_versions_lack_attributes() {
    const TEXT: &str = r#"
        module @older attributes {mhlo.num_replicas = 2 : i32} {
          func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
            %0 = "stablehlo.collective_broadcast"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
            %1 = "stablehlo.collective_broadcast"(%0) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
            return %0, %1 : tensor<4xf32>, tensor<4xf32>
          }
        }"#;
    let context = context();
    let text = printed(&context, "older.mlir", TEXT.into());
    assert_eq!(
        printed(&context, "older.mlirbc", file("older.mlirbc")),
        text
    );
    // Halo writes the current version, and reads it as such.
    let source = program("older.mlirbc", file("older.mlirbc"));
    let module = parse(&context, &source).unwrap_or_else(|error| panic!("{error}"));
    let written = bytecode_of(&module);
    assert_ne!(written, file("older.mlirbc"));
    assert_eq!(printed(&context, "written", written), text);
    let rooted = r#"
        func.func @main(%x: tensor<4xf32>, %root: tensor<1xi32>) -> tensor<4xf32> {
          %0 = "stablehlo.collective_broadcast"(%x, %root) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }"#;
    let module = parse(&context, &program("rooted", rooted.into()));
    let module = module.unwrap_or_else(|error| panic!("{error}"));
    let again = printed(&context, "rooted", bytecode_of(&module));
    assert_eq!(again, module.as_operation().to_string());
}

/// Attributes of Shardy, whose encoding is its own.
#[test]
fn shardings_are_read() {
    let context = context();
    let text = printed(&context, "shardings.mlir", file("shardings.mlir"));
    assert!(text.contains(r#"unreduced=max{"y"}"#) && text.contains("#sdy.op_sharding_rule<"));
    assert!(!contains(&file("shardings.mlirbc"), "#sdy"));
    let read = printed(&context, "shardings.mlirbc", file("shardings.mlirbc"));
    assert_eq!(read, text);
}

/// `is_stable` is newer.
#[test]
fn older_forms_of_top_k_are_read() {
    let context = context();
    let name = "older_top_k.mlirbc";
    let text = printed(&context, name, file(name));
    assert!(text.contains("chlo.top_k(%arg0, k = 1) :"), "{text}");
    let source = text.replace("k = 1", "k = 1, is_stable = false");
    let module = parse(&context, &program("new", source.clone().into()));
    let module = module.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(printed(&context, "written", bytecode_of(&module)), source);
}

/// An attribute at the end of a custom call that the current form lacks.
#[test]
fn tilings_of_results_are_refused() {
    let name = "result_tilings.mlirbc";
    let context = context();
    let read = parse(&context, &program(name, file(name)));
    let error = read.map(|_| ()).unwrap_err().to_string();
    let expected = "attribute 'result_tilings' of a custom call is not supported";
    assert!(error.contains(expected), "{error}");
}

/// Validation detects damage that MLIR's reader does not.
#[test]
fn bytecode_that_spoils_memory_is_refused() {
    let context = context();
    let (read, _) = with_diagnostics(&context, || {
        parse(&context, &program("spoilt", file("spoilt.mlirbc")))
            .map(|module| module.as_operation().to_string())
    });
    let error = read.unwrap_err().to_string();
    let prefix = "spoilt: error: invalid bytecode: byte 41: ";
    assert!(error.starts_with(prefix), "{error}");
}

/// Sections are aligned to the constants in them, and so is the file in memory.
#[test]
fn constants_in_resources_are_read() {
    const TEXT: &str = r#"
        func.func @main() -> tensor<2xf32> {
          %0 = stablehlo.constant dense_resource<values> : tensor<2xf32>
          return %0 : tensor<2xf32>
        }
        {-# dialect_resources: { builtin: { values: "0x400000000000803F00000040" } } #-}"#;
    let context = context();
    let module = parse(&context, &program("resources.mlir", TEXT.into()));
    let module = module.unwrap_or_else(|error| panic!("{error}"));
    let text = module.as_operation().to_string();
    assert!(
        text.contains("dense<[1.000000e+00, 2.000000e+00]>"),
        "{text}"
    );
    // Written by jaxlib, which aligns bytecode to 64 bytes.
    let again = printed(&context, "resources.mlirbc", file("resources.mlirbc"));
    assert_eq!(again, text);
}

#[test]
fn older_and_damaged_bytecode_is_refused_or_read() {
    let context = context();
    let original = file("older.mlirbc");
    for at in (20..original.len()).step_by(7) {
        for byte in [0, 0xff] {
            let mut code = original.clone();
            code[at] = byte;
            let (read, _) = with_diagnostics(&context, || {
                parse(&context, &program("damaged", code))
                    .map(|module| module.as_operation().to_string())
            });
            _ = read;
        }
    }
}

/// Any change of a byte results in a program or an error.
#[test]
fn damaged_bytecode_is_refused_or_read() {
    let context = context();
    let original = file("dialects.mlirbc");
    // The entries of attributes are in the first half.
    for at in (20..original.len() / 2).step_by(9) {
        for byte in [0, 0xff] {
            let mut code = original.clone();
            code[at] = byte;
            let (read, _) = with_diagnostics(&context, || {
                parse(&context, &program("damaged", code))
                    .map(|module| module.as_operation().to_string())
            });
            _ = read;
        }
    }
}
