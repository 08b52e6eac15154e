//! Tiered compilation, tested by runs of the tool.
#![cfg(feature = "compiler")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A product whose baseline code differs.
const PROGRAM: &str = "\
func.func @main(%x: tensor<?x64xf32>, %y: tensor<64x96xf32>) -> tensor<?x96xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x96xf32>) -> tensor<?x96xf32>
  return %0 : tensor<?x96xf32>
}
";

const X: &str = "--input=dense<0.5> : tensor<40x64xf32>";
const Y: &str = "--input=dense<0.25> : tensor<64x96xf32>";
const EXPECTED: &str = "--expect=dense<8.0> : tensor<40x96xf32>";

fn run(directory: &Path, options: &[&str]) -> Output {
    let program = directory.join("a.mlir");
    fs::write(&program, PROGRAM).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_halo-run"))
        .args([X, Y, EXPECTED])
        .args(options)
        .arg(program)
        .env_remove("HALO_CACHE_DIR")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn tiers_give_the_same_results() {
    let directory = tempfile::tempdir().unwrap();
    let tiered = run(directory.path(), &[]);
    let untiered = run(directory.path(), &["--no-tiered-compilation"]);
    assert_eq!(text(&tiered.stdout), text(&untiered.stdout));
    assert!(text(&tiered.stdout).contains("8.000000e+00"));
}

#[test]
fn a_benchmark_runs_in_both_tiers() {
    let directory = tempfile::tempdir().unwrap();
    for options in [
        &["--bench=2"][..],
        &["--bench=2", "--no-tiered-compilation"],
    ] {
        let output = run(directory.path(), options);
        assert!(text(&output.stdout).contains("(2 runs, cpu"), "{output:?}");
    }
}

/// The report of the compilation that the user waits for.
#[test]
fn nothing_is_told_of_the_background() {
    let directory = tempfile::tempdir().unwrap();
    for options in [&["--timing", "--bench=2"][..], &["--timing"]] {
        let messages = text(&run(directory.path(), options).stderr);
        let phases = messages.lines().filter(|line| line.ends_with("  machine-code"));
        assert_eq!(phases.count(), 1, "{messages}");
    }
}

/// All files of a directory with their contents.
fn files(directory: &Path) -> BTreeMap<String, String> {
    let files = fs::read_dir(directory).unwrap().map(|file| {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        (name, fs::read_to_string(file.path()).unwrap())
    });
    files.collect()
}

#[test]
fn dumps_are_of_optimized_code() {
    let directory = tempfile::tempdir().unwrap();
    let dumps = ["tiered", "untiered"].map(|name| directory.path().join(name));
    let option = |path: &Path| format!("--dump-dir={}", path.display());
    run(directory.path(), &[&option(&dumps[0])]);
    run(
        directory.path(),
        &[&option(&dumps[1]), "--no-tiered-compilation"],
    );
    let [tiered, untiered] = dumps.map(|dump| files(&dump));
    assert!(tiered.len() > 5);
    assert_eq!(tiered, untiered);
}
