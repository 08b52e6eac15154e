//! `tools/conformance`, with a script instead of halo-run.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Passes files that are marked so, and fails others in different ways.
const HALO_RUN: &str = r#"#!/bin/sh
for file; do :; done
case $(cat "$file") in
pass) echo "dense<1> : tensor<i32>" ;;
place) echo "$file:1:2: error: no such op" >&2; exit 1 ;;
plain) echo "halo-run: error: no memory" >&2; exit 1 ;;
silent) exit 3 ;;
signal) kill -ABRT $$ ;;
slow) sleep 20 ;;
unfolded) case " $* " in *" --no-constant-folding "*) ;; *) exit 4 ;; esac ;;
esac
"#;

fn conformance(folder: &Path, halo_run: &Path) -> Output {
    conformance_with(&[], folder, halo_run)
}

fn conformance_with(options: &[&str], folder: &Path, halo_run: &Path) -> Output {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../conformance");
    Command::new(script)
        .args(options)
        .args(["-t", "1", "-r"])
        .args([halo_run, folder])
        .output()
        .expect("the script runs")
}

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
}

/// An empty folder for programs, and the script.
fn set_up(directory: &Path) -> (PathBuf, PathBuf) {
    let halo_run = directory.join("halo-run");
    fs::write(&halo_run, HALO_RUN).unwrap();
    fs::set_permissions(&halo_run, fs::Permissions::from_mode(0o755)).unwrap();
    let folder = directory.join("a folder");
    fs::create_dir(&folder).unwrap();
    (folder, halo_run)
}

#[test]
fn failures_are_listed_and_all_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    let (folder, halo_run) = set_up(directory.path());

    write(&folder, &[("a.mlir", "pass"), ("ignored.txt", "plain")]);
    write(&folder, &[("b.mlir", "// RUN-DISABLED(#1): x\nplain")]);
    let output = conformance(&folder, &halo_run);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "1 passed, 0 failed, 1 skipped\n"
    );
    assert!(output.status.success());

    let bad = ["place", "plain", "silent", "signal", "slow"];
    for way in bad {
        write(&folder, &[(&format!("{way}.mlir"), way)]);
    }
    let output = conformance(&folder, &halo_run);
    let prefix = format!("{}/", folder.display());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).replace(&prefix, ""),
        "place.mlir:1:2: error: no such op\n\
         plain.mlir: halo-run: error: no memory\n\
         signal.mlir: killed by signal 6\n\
         silent.mlir: exit code 3 without an error\n\
         slow.mlir: no end after 1 s\n\
         1 passed, 5 failed, 1 skipped\n"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn folding_can_be_switched_off() {
    let directory = tempfile::tempdir().unwrap();
    let (folder, halo_run) = set_up(directory.path());
    write(&folder, &[("a.mlir", "unfolded")]);
    assert!(!conformance(&folder, &halo_run).status.success());
    let output = conformance_with(&["-n"], &folder, &halo_run);
    assert!(output.status.success());
}

#[test]
fn a_missing_folder_is_an_error() {
    let output = conformance(Path::new("/no/such/folder"), Path::new("/bin/true"));
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        text.ends_with("error: /no/such/folder is not a folder\n"),
        "{text}"
    );
}

/// Prints its entry and inputs, and fails if the program has a line `bad`, at that line.
const ENTRIES: &str = r#"#!/bin/sh
for file; do :; done
echo "$@" | sed "s| [^ ]*$||; s|.*--threads=1 *||" >>"${0%/*}/calls"
line=$(grep -n bad "$file" | cut -d : -f 1)
[ -z "$line" ] || { echo "$file:$line:1: error: bad" >&2; exit 1; }
"#;

#[test]
fn parts_of_a_file_and_functions_of_a_part_are_programs() {
    let directory = tempfile::tempdir().unwrap();
    let (folder, halo_run) = set_up(directory.path());
    fs::write(&halo_run, ENTRIES).unwrap();
    let parts = "func.func @a() {\nfunc.func @helper(%x: i32) {\n// -----\n// nothing\n// -----\n\
                 func.func public @b() -> i32 {\n\nbad\n";
    write(&folder, &[("parts.mlir", parts)]);
    let arguments = "// RUN: run %s --interpret --args=\"[dense<1> : t, dense<2> : t]\"\n\
                     func.func @main(%a: t, %b: t) {\n";
    write(&folder, &[("arguments.mlir", arguments)]);
    let output = conformance(&folder, &halo_run);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).replace(&format!("{}/", folder.display()), ""),
        "parts.mlir:8:1: error: bad\n1 passed, 1 failed, 0 skipped\n"
    );
    let mut calls: Vec<String> = fs::read_to_string(directory.path().join("calls"))
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    calls.sort();
    let with_inputs = "arguments.mlir --input=dense<1> : t --input=dense<2> :";
    let with_inputs = format!("{}/{with_inputs}", folder.display());
    assert_eq!(calls, ["--entry=a", "--entry=b", &with_inputs]);
}
