//! The allocator of the tools.

#![cfg(target_os = "linux")]

use std::process::Command;

/// mimalloc's report shows that it is in use.
#[test]
fn mimalloc_takes_the_place_of_malloc() {
    let output = Command::new(env!("CARGO_BIN_EXE_halo-run"))
        .arg("--version")
        .env("MIMALLOC_SHOW_STATS", "1")
        .output()
        .unwrap();
    assert!(output.status.success());
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(report.contains("pages"), "{report}");
}
