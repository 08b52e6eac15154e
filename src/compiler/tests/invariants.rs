//! The invariants of ARCHITECTURE.md that can be read off the sources.

use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder with one of the extensions.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with(".git") {
                found.extend(files(&path, extensions));
            }
        } else if path
            .extension()
            .is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted))
        {
            found.push(path);
        }
    }
    found
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

#[test]
fn cpp_and_tablegen_are_in_dialects_alone() {
    for path in files(&root(), &["cpp", "cc", "h", "td"]) {
        let path = relative(&path);
        let place = if path.ends_with(".td") {
            "dialects/"
        } else {
            "dialects/cpp/"
        };
        assert!(path.starts_with(place), "{path} is not in {place}");
    }
}

#[test]
fn core_and_runtime_know_no_compiler() {
    for name in ["core", "hlo-text", "numerics", "runtime", "vhlo"] {
        let manifest =
            fs::read_to_string(root().join("src").join(name).join("Cargo.toml")).unwrap();
        for foreign in [
            "melior",
            "mlir-sys",
            "inkwell",
            "llvm-sys",
            "halo-ir",
            "halo-compiler",
        ] {
            assert!(
                !manifest.contains(foreign),
                "halo-{name} depends on {foreign}"
            );
        }
    }
}

/// Nothing outside a backend names it but the registry.
#[test]
fn backends_are_reached_through_the_registry() {
    let backends = root().join("src/compiler/backends");
    for path in files(&root().join("src/compiler"), &["rs"]) {
        if path.starts_with(&backends) || path.ends_with("tests/invariants.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for backend in ["cpu", "cuda", "emulator", "interpreter"] {
            assert!(
                !text.contains(&format!("backends::{backend}")),
                "{} names a backend",
                relative(&path)
            );
        }
    }
}

/// `unsafe` is said beforehand: in the crate that faces C++, or in a module
/// whose documentation or line of code gives the reason.
#[test]
fn every_unsafe_block_has_a_reason() {
    for path in files(&root(), &["rs"]) {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if !code.contains("unsafe {") || code.contains("\"unsafe") {
                continue;
            }
            let before = &lines[number.saturating_sub(8)..=number];
            assert!(
                before.iter().any(|line| line.contains("SAFETY")),
                "{}:{}: an unsafe block without a SAFETY comment",
                relative(&path),
                number + 1
            );
        }
    }
}

#[test]
fn files_are_short_enough_to_read() {
    for path in files(&root(), &["rs", "cpp", "td"]) {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 800, "{} has {lines} lines", relative(&path));
    }
}

/// Each row of the first table of docs/hlo.md names the lit file that tests it, which
/// names the row.
#[test]
fn differences_of_hlo_have_their_tests() {
    const MARK: &str = "// docs/hlo.md: ";
    let text = fs::read_to_string(root().join("docs/hlo.md")).unwrap();
    let differences = text.split("\n## ").next().unwrap_or_default();
    let rows = differences.lines().filter(|line| line.starts_with("| "));
    let mut named = Vec::new();
    for row in rows.skip(1) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [what, .., test] = cells[..] else {
            panic!("no row: {row}");
        };
        named.push((what.to_owned(), test.trim_matches('`').to_owned()));
    }
    assert!(named.len() > 10, "{named:?}");
    let mut tested = Vec::new();
    for path in files(&root().join("lit-tests/frontend/hlo_text"), &["hlo"]) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for line in fs::read_to_string(&path).unwrap().lines() {
            if let Some(what) = line.trim_start().strip_prefix(MARK) {
                tested.push((what.to_owned(), name.clone()));
            }
        }
    }
    named.sort();
    tested.sort();
    assert_eq!(named, tested);
}
