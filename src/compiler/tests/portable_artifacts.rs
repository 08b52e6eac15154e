//! Portable artifacts: deserialization and serialization.
//!
//! jaxlib wrote the artifacts; the texts next to them were printed by jaxlib or, with shardings, by
//! Halo.

use halo_backend::Program;
use halo_compiler::context;
use halo_frontend::{
    parse,
    portable_artifact::{deserialize, serialize},
};
use halo_vhlo::ops;
use melior::Context;
use std::{fs, path::PathBuf};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vhlo/artifacts")
}

fn file(name: &str) -> Vec<u8> {
    fs::read(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The names of the files with an extension, without it.
fn files(extension: &str) -> Vec<String> {
    let mut found: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            name.strip_suffix(extension).map(str::to_owned)
        })
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

fn printed(context: &Context, name: &str, code: Vec<u8>) -> String {
    let program = Program {
        name: name.to_owned(),
        code,
    };
    let module = parse(context, &program).unwrap_or_else(|error| panic!("{error}"));
    module.as_operation().to_string()
}

/// The printed text of one of the programs. It may have shardings.
fn text(context: &Context, name: &str) -> String {
    printed(context, name, file(&format!("{name}.mlir")))
}

#[test]
fn artifacts_are_the_programs_that_they_were_made_of() {
    let context = context();
    for artifact in files(".bc") {
        let program = artifact.split('.').next().unwrap();
        let found = printed(&context, &artifact, file(&format!("{artifact}.bc")));
        assert_eq!(found, text(&context, program), "{artifact}");
    }
}

#[test]
fn programs_survive_every_version_that_has_their_ops() {
    let context = context();
    for (name, versions) in [
        (
            "scalars",
            &[
                "0.9.0", "0.11.0", "0.13.0", "0.14.0", "1.0.0", "1.10.0", "1.21.0",
            ][..],
        ),
        (
            "structures",
            &["1.3.0", "1.10.0", "1.17.0", "1.18.0", "1.21.0"],
        ),
        ("newest", &["1.16.0", "1.17.0", "1.21.0"]),
        ("sharding", &["1.0.0", "1.15.0", "1.21.0"]),
        ("manual_computation", &["1.0.0", "1.15.0", "1.21.0"]),
        ("manual_token", &["1.0.0", "1.17.0", "1.21.0"]),
    ] {
        let program = Program {
            name: name.to_owned(),
            code: file(&format!("{name}.mlir")),
        };
        let module = parse(&context, &program).unwrap();
        let expected = module.as_operation().to_string();
        for version in versions {
            let artifact = serialize(&module, version.parse().unwrap());
            let artifact = artifact.unwrap_or_else(|error| panic!("{name}, {version}: {error}"));
            let again = deserialize(&context, &artifact, name);
            let again = again.unwrap_or_else(|error| panic!("{name}, {version}: {error}"));
            assert_eq!(
                again.as_operation().to_string(),
                expected,
                "{name}, {version}"
            );
        }
    }
}

#[test]
fn what_a_version_lacks_is_told_with_its_place() {
    let context = context();
    let error = |code: &str, version: &str| {
        let program = Program {
            name: "example.mlir".into(),
            code: code.into(),
        };
        let module = parse(&context, &program).unwrap();
        serialize(&module, version.parse().unwrap()).unwrap_err().to_string()
    };
    let tangent = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  \
                   %y = stablehlo.tan %x : tensor<f32>\n  return %y : tensor<f32>\n}";
    assert_eq!(
        error(tangent, "1.0.0"),
        "example.mlir:2:8: error: op 'vhlo.tan_v1' cannot be written for version 1.0.0: it is new \
         in 1.4.0"
    );
    let narrow = "func.func @main(%x: tensor<2xf8E4M3>) -> tensor<2xf8E4M3> {\n  \
                  return %x : tensor<2xf8E4M3>\n}";
    let found = error(narrow, "1.6.0");
    assert!(found.contains("F8E4M3, new in 1.7.0"), "{found}");
    let foreign = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  \
                   %y = math.sin %x : tensor<f32>\n  return %y : tensor<f32>\n}";
    assert_eq!(
        error(foreign, "1.0.0"),
        "example.mlir:2:8: error: op 'math.sin' has no equivalent in VHLO"
    );
    assert!(error(tangent, "2.0.0").contains("is not between 0.9.0 and 1.21.0"));
}

#[test]
fn damaged_artifacts_are_refused_with_a_message() {
    let context = context();
    let original = file("structures.1.17.0.bc");
    for at in (0..original.len()).step_by(3) {
        let mut bytes = original.clone();
        bytes[at] = bytes[at].wrapping_add(2);
        match deserialize(&context, &bytes, "damaged") {
            Ok(module) => assert!(!module.as_operation().to_string().is_empty()),
            Err(error) => assert!(error.to_string().contains("error: "), "{error}"),
        }
    }
    for length in 0..original.len() {
        let error = deserialize(&context, &original[..length], "damaged").unwrap_err().to_string();
        assert!(
            error.starts_with("damaged: error: byte "),
            "{length}: {error}"
        );
    }
}

/// MLIR's getters abort if an attribute is invalid.
#[test]
fn an_algorithm_that_no_op_has_is_refused() {
    let context = context();
    let mut tree = halo_vhlo::read(&file("newest.1.17.0.bc")).unwrap();
    let blocks = &mut tree.root.regions[0].blocks[0].operations[0].regions[0].blocks;
    let dot = blocks[0]
        .operations
        .iter_mut()
        .find(|op| op.attribute("lhs_component_count").is_some())
        .unwrap();
    let ty = tree.types.intern(halo_vhlo::Type::Integer {
        width: 64,
        unsigned: false,
    });
    let bits = -7_i64 as u64;
    let count = halo_vhlo::Attribute::Integer { ty, bits };
    dot.set_attribute("lhs_component_count", tree.attributes.intern(count));
    let artifact = halo_vhlo::write(&tree, halo_vhlo::Version::new(1, 17)).unwrap();
    let error = deserialize(&context, &artifact, "example").unwrap_err().to_string();
    assert!(error.contains("an algorithm that is not valid"), "{error}");
}

/// The attributes of a module are set on an existing op.
#[test]
fn attributes_of_a_module_are_of_their_kind() {
    let context = context();
    let bytes = file("newest.1.17.0.bc");
    for (name, kind) in [
        ("sym_name", true),
        ("sym_visibility", true),
        ("test.other", false),
    ] {
        let mut tree = halo_vhlo::read(&bytes).unwrap();
        let value = tree.attributes.intern(halo_vhlo::Attribute::Boolean(true));
        tree.root.set_attribute(name, value);
        let artifact = halo_vhlo::write(&tree, halo_vhlo::Version::new(1, 17)).unwrap();
        let read = deserialize(&context, &artifact, "example").map(|_| ());
        let message = format!(
            "error: attribute '{name}' of 'builtin.module' op is not of the kind that its \
             definition asks for"
        );
        match read {
            Ok(()) => assert!(!kind, "{name}"),
            Err(error) => assert!(kind && error.to_string().ends_with(&message), "{error}"),
        }
    }
}

/// Every op of StableHLO has a counterpart in VHLO, and vice versa.
#[test]
fn all_ops_have_a_portable_version() {
    let table = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/ops.md");
    let table = fs::read_to_string(table).unwrap();
    let names: Vec<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| [`stablehlo.")?.split('`').next())
        .collect();
    assert!(names.len() > 100);
    for name in &names {
        assert!(ops::newest(name).is_some(), "stablehlo.{name}");
    }
    for op in ops::all() {
        let family = op.family();
        assert!(
            ["call", "func", "return"].contains(&family) || names.contains(&family),
            "vhlo.{}",
            op.name
        );
    }
}
