//! Runs a few random programs on the CPU and on the interpreter. Use the command line for longer
//! runs.

use std::process::Command;

#[test]
fn the_cpu_agrees_with_the_interpreter() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_halo-fuzz"))
        .args([
            "--valid",
            "--backend",
            "cpu",
            "--first",
            "1",
            "--count",
            "120",
        ])
        .args(["--seconds", "600", "--out"])
        .arg(folder.path())
        .output()
        .unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{out}{err}");
    assert_eq!(out, "120 cases, 0 failures\n");
}

/// Programs of dynamic shape, whose one code runs for three sizes each.
#[test]
fn code_for_all_shapes_agrees_with_the_interpreter() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_halo-fuzz"))
        .args(["--all-shapes", "--count", "12", "--out"])
        .arg(folder.path())
        .output()
        .unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{out}{err}");
    assert_eq!(out, "12 cases, 0 failures\n");
}

/// Programs whose tensors are sharded over 2 to 8 partitions, which are threads.
#[test]
fn divided_programs_agree_with_undivided_ones() {
    for (backend, count) in [("interpreter", "150"), ("cpu", "40")] {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_halo-fuzz"))
            .args(["--divided", "--backend", backend, "--count", count])
            .args(["--seconds", "600", "--out"])
            .arg(folder.path())
            .output()
            .unwrap();
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert!(output.status.success(), "{out}{err}");
        assert_eq!(out, format!("{count} cases, 0 failures\n"));
    }
}
