//! `--tools` with fake tools: which outcomes are failures, and cleanup. The real tools are tested
//! in `lit-tests/tools`.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn fuzz() -> Command {
    Command::new(env!("CARGO_BIN_EXE_halo-fuzz"))
}

/// Replaces each tool by a shell script.
fn plant(folder: &Path, script: &str) {
    for name in ["halo-opt", "halo-run", "halo-compile", "halo-translate"] {
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// Runs a few cases on fake tools.
fn run(script: &str, cases: usize) -> (Output, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    plant(folder.path(), script);
    let output = fuzz()
        .args(["--tools", "--corpus", "nowhere", "--seconds", "600"])
        .args(["--count", &cases.to_string(), "--jobs", "2"])
        .arg("--tools-dir")
        .arg(folder.path())
        .arg("--out")
        .arg(folder.path().join("out"))
        .output()
        .unwrap();
    (output, folder)
}

#[track_caller]
fn fails(script: &str, message: &str) {
    let (output, folder) = run(script, 3);
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(1), "{out}{err}");
    assert_eq!(out, "3 cases, 3 failures\n");
    assert_eq!(err.matches(message).count(), 3, "{err}");
    // The files and the command line are stored.
    let script = fs::read_to_string(folder.path().join("out/case-0/run.sh")).unwrap();
    assert!(script.contains("halo-"), "{script}");
    assert!(folder.path().join("out/case-0").read_dir().unwrap().count() > 1);
}

#[test]
fn crashes_and_faults_are_failures() {
    fails("kill -ABRT $$", "signal: 6");
    fails("exit 101", "exit status: 101");
    fails(
        "echo 'halo: error: internal error: no entry' >&2; exit 1",
        "internal error: no entry",
    );
    fails("exit 1", "fails without an error");
    fails("echo 'thread main panicked' >&2", "panicked");
}

#[test]
fn errors_and_results_are_none() {
    for script in ["echo 'case.mlir:1:1: error: no' >&2; exit 1", "exit 0"] {
        let (output, folder) = run(script, 12);
        let out = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{out}");
        assert_eq!(out, "12 cases, 0 failures\n");
        let left = folder.path().join("out").read_dir().unwrap();
        assert_eq!(left.count(), 0, "files of cases are left");
    }
}

/// Returns true if a process exists.
fn is_alive(process: &str) -> bool {
    let found = Command::new("kill").args(["-0", process]).output().unwrap();
    found.status.success()
}

fn until(mut done: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        if done() {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn an_interrupt_ends_what_runs() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = folder.path().join("process");
    plant(
        folder.path(),
        &format!("echo $$ > '{}'; exec sleep 1000", numbers.display()),
    );
    let mut child = fuzz()
        .args(["--tools", "--corpus", "nowhere", "--tools-dir"])
        .arg(folder.path())
        .arg("--out")
        .arg(folder.path().join("out"))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let process = || fs::read_to_string(&numbers).unwrap_or_default().trim().to_owned();
    assert!(until(|| !process().is_empty()), "no tool was started");
    let process = process();
    let kill = |signal: &str| {
        let child = child.id().to_string();
        Command::new("kill").args([signal, &child]).status()
    };
    assert!(kill("-INT").unwrap().success());
    // A shell makes background tests ignore SIGINT.
    thread::sleep(Duration::from_secs(1));
    let _ = kill("-TERM");
    child.wait().unwrap();
    assert!(until(|| !is_alive(&process)), "the tool is still there");
}

#[test]
fn a_reader_may_have_seen_enough() {
    let mut child = fuzz()
        .args(["--print", "--valid", "--count", "100000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    assert_eq!(line, "// case 0\n");
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Every case of `--tools --bytecode` gets a file of bytecode; a tool that fails only on bytecode
/// fails in each.
#[test]
fn bytecode_alone_is_edited() {
    let folder = tempfile::tempdir().unwrap();
    plant(
        folder.path(),
        "test -f case.mlirbc && test $(ls | grep -c case) = 1 && exit 0; exit 7",
    );
    let output = fuzz()
        .args(["--tools", "--bytecode", "--corpus", "nowhere"])
        .args(["--seconds", "600", "--count", "40", "--tools-dir"])
        .arg(folder.path())
        .arg("--out")
        .arg(folder.path().join("out"))
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(out, "40 cases, 0 failures\n");
}
