//! Reduces programs of 100 to 540 ops with a planted bug to at most five ops.

mod programs;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::Instant,
};
use tempfile::TempDir;

/// The plug-in with the bug, next to the tests.
fn plugin() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let name = format!("libmiscompile{}", std::env::consts::DLL_SUFFIX);
    program.parent().unwrap().join(name)
}

fn reduce(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_halo-reduce"))
        .arg(format!("--load-plugin={}", plugin().display()))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The lines of a program that are ops with results.
fn ops(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| line.starts_with('%') && line.contains(" = ")).collect()
}

/// Reduces a program with a bug, given by the options of the pass and of the tool; returns the
/// result.
#[track_caller]
fn reduced(program: &str, fault: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.mlir"), program).unwrap();
    let before = ops(program).len();
    let insert = format!("--insert-passes=hlo:miscompile{{{fault}}}");
    let start = Instant::now();
    let mut all = vec!["a.mlir", insert.as_str()];
    all.extend(arguments);
    let output = reduce(folder.path(), &all);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    let text = fs::read_to_string(folder.path().join("a.reduced.mlir")).unwrap();
    println!("{:.1} s: {err}{text}", start.elapsed().as_secs_f64());
    assert!(before >= 100, "{before} ops");
    assert!(ops(&text).len() <= 5, "{err}{text}");
    text
}

const DIFFERS: &[&str] = &["--differs=cpu,interpreter"];

#[test]
fn one_op_of_a_chain() {
    let text = reduced(&programs::chain(500, "4x8"), "", DIFFERS);
    assert_eq!(ops(&text).len(), 1, "{text}");
    assert!(text.contains("stablehlo.subtract"), "{text}");
    // Sizes are reduced, too.
    assert!(text.contains("tensor<1x1xf32>"), "{text}");
}

#[test]
fn two_neighbours_of_a_chain() {
    let fault = "after=stablehlo.tanh";
    let text = reduced(&programs::chain(120, "4x8"), fault, DIFFERS);
    assert_eq!(ops(&text).len(), 2, "{text}");
}

#[test]
fn a_layer_of_products() {
    let fault = "after=stablehlo.maximum";
    let text = reduced(&programs::layers(60), fault, DIFFERS);
    assert_eq!(ops(&text).len(), 2, "{text}");
}

#[test]
fn a_wrong_constant() {
    let fault = "op=stablehlo.constant before=stablehlo.reduce fault=constant";
    reduced(&programs::layers(15), fault, DIFFERS);
}

#[test]
fn a_body_of_a_reduction() {
    let fault = "op=stablehlo.add inside=stablehlo.reduce fault=negate";
    reduced(&programs::layers(15), fault, DIFFERS);
}

#[test]
fn one_function_of_several() {
    let text = reduced(&programs::calls(6, 20), "", DIFFERS);
    assert_eq!(ops(&text).len(), 1, "{text}");
}

#[test]
fn loops_and_conditionals() {
    let text = reduced(&programs::regions(240), "", DIFFERS);
    assert_eq!(ops(&text).len(), 1, "{text}");
}

#[test]
fn a_fault_in_loops_alone() {
    let fault = "op=stablehlo.tanh inside=stablehlo.while fault=negate";
    let text = reduced(&programs::regions(120), fault, DIFFERS);
    assert!(text.contains("stablehlo.while"), "{text}");
}

#[test]
fn many_results() {
    let text = reduced(&programs::many_results(120), "", DIFFERS);
    assert_eq!(ops(&text).len(), 1, "{text}");
}

#[test]
fn large_tensors() {
    let text = reduced(&programs::chain(120, "128x256"), "", DIFFERS);
    assert_eq!(ops(&text).len(), 1, "{text}");
}

#[test]
fn dynamic_shapes() {
    reduced(&programs::dynamic(120), "after=stablehlo.tanh", DIFFERS);
}

#[test]
fn tuples_and_tokens() {
    reduced(&programs::tuples(120), "", DIFFERS);
}

#[test]
fn crashes() {
    for fault in ["panic", "abort", "invalid"] {
        let fault = format!("fault={fault} after=stablehlo.tanh");
        let text = reduced(&programs::chain(120, "4x8"), &fault, &["--crashes"]);
        assert_eq!(ops(&text).len(), 2, "{text}");
    }
}

/// The result does not depend on the number of workers.
#[test]
fn one_worker_finds_the_same() {
    let program = programs::layers(15);
    let fault = "after=stablehlo.maximum";
    let one = reduced(&program, fault, &["--differs=cpu,interpreter", "--jobs=1"]);
    let three = reduced(&program, fault, &["--differs=cpu,interpreter", "--jobs=3"]);
    assert_eq!(one, three);
}

/// A folder with a program.
fn with_program(name: &str, text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    folder
}

#[track_caller]
fn refuses(folder: &Path, arguments: &[&str], message: &str) {
    let output = reduce(folder, arguments);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains(message), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
}

#[test]
fn a_program_that_does_not_fail_is_not_reduced() {
    let folder = with_program("a.mlir", &programs::chain(20, "4x8"));
    let refuses = |arguments: &[&str], message: &str| {
        let all = [&["a.mlir"], arguments].concat();
        refuses(folder.path(), &all, message);
        assert!(!folder.path().join("a.reduced.mlir").exists());
    };
    refuses(
        DIFFERS,
        "nothing to reduce: cpu and interpreter give the same results",
    );
    refuses(
        &["--crashes"],
        "nothing to reduce: the program does not crash",
    );
    refuses(
        &["--error=no such"],
        "nothing to reduce: no error has 'no such' in it",
    );
    refuses(&["--differs=cpu,tpu"], "unknown backend 'tpu'");
    refuses(&[], "what fails?");
    refuses(&["--crashes", "--insert-passes=nowhere:cse"], "nowhere");
    refuses(&["--test=none.sh"], "none.sh");
}

#[test]
fn hlo_text_stays_hlo_text() {
    let program = "HloModule m\n\nENTRY main {\n  a = f32[4,8]{1,0} parameter(0)\n  \
                   b = f32[4,8]{1,0} parameter(1)\n  t = f32[4,8]{1,0} tanh(a)\n  \
                   s = f32[4,8]{1,0} subtract(t, b)\n  c = f32[4,8]{1,0} sine(s)\n  \
                   ROOT d = f32[4,8]{1,0} add(c, t)\n}\n";
    let folder = with_program("a.hlo", program);
    let arguments = ["a.hlo", DIFFERS[0], "--insert-passes=hlo:miscompile"];
    let output = reduce(folder.path(), &arguments);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    let text = fs::read_to_string(folder.path().join("a.reduced.hlo")).unwrap();
    assert!(
        text.contains("ENTRY") && text.contains("subtract("),
        "{text}"
    );
    assert!(!text.contains("tanh"), "{text}");
    // The reduced program fails.
    let arguments = ["a.reduced.hlo", "--check", DIFFERS[0], arguments[2]];
    assert!(reduce(folder.path(), &arguments).status.success());
}

#[cfg(unix)]
fn script(folder: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("test.sh");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn scripts_mean_what_they_mean_for_the_original() {
    for test in ["grep -q subtract \"$1\"", "! grep -q subtract \"$1\""] {
        let folder = with_program("a.mlir", &programs::chain(60, "4x8"));
        script(folder.path(), test);
        let output = reduce(folder.path(), &["a.mlir", "--test=test.sh"]);
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{err}");
        let text = fs::read_to_string(folder.path().join("a.reduced.mlir")).unwrap();
        assert_eq!(ops(&text).len(), 1, "{text}");
    }
    let folder = with_program("a.mlir", &programs::chain(60, "4x8"));
    script(folder.path(), "exit 3");
    let message = "the script exits with 3 for the program, and for one without ops too";
    refuses(folder.path(), &["a.mlir", "--test=test.sh"], message);
}

#[cfg(unix)]
#[test]
fn a_failure_that_comes_and_goes_is_told() {
    let folder = with_program("a.mlir", &programs::chain(20, "4x8"));
    // The failure occurs while the program is large, and at first.
    script(
        folder.path(),
        "grep -q subtract \"$1\" || exit 1\necho >>count\n[ $(wc -l <count) -lt 6 ]",
    );
    let output = reduce(folder.path(), &["a.mlir", "--test=test.sh"]);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("the failure does not come each time"), "{err}");
    assert!(folder.path().join("a.reduced.mlir").exists());
}

#[test]
fn limits_leave_the_best_behind() {
    let folder = with_program("a.mlir", &programs::chain(120, "4x8"));
    let arguments = [
        "a.mlir",
        DIFFERS[0],
        "--insert-passes=hlo:miscompile",
        "--max-tests=7",
        "-o",
        "best.mlir",
    ];
    let output = reduce(folder.path(), &arguments);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    assert!(
        err.contains("which is where it was to end: best.mlir"),
        "{err}"
    );
    let text = fs::read_to_string(folder.path().join("best.mlir")).unwrap();
    let left = ops(&text).len();
    assert!(left < 120, "{left} ops");
}

#[test]
fn reproducers_bring_their_passes() {
    let program = programs::chain(100, "4x8");
    let passes = "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: \
                  \"builtin.module(cse,miscompile{fault=abort after=stablehlo.tanh})\"\n    \
                  }\n  }\n#-}\n";
    let folder = with_program("a.mlir", &(program + passes));
    let output = reduce(folder.path(), &["a.mlir"]);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    let text = fs::read_to_string(folder.path().join("a.reduced.mlir")).unwrap();
    assert_eq!(ops(&text).len(), 2, "{text}");
    assert!(text.contains("halo-opt a.reduced.mlir"), "{text}");
}
