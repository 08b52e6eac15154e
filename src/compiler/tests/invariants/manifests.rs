//! Invariants of manifests: dependencies between crates, and their features.

use super::{dependencies, dependencies_in, folder_of, relative, root};
use std::{collections::BTreeSet, fs, process::Command};

/// Applications and other repositories use crates of `src/` without the tools.
#[test]
fn crates_of_src_depend_on_no_tool() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let tools: Vec<&str> = workspace
        .lines()
        .filter(|line| line.contains("path = \"tools/"))
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(tools.contains(&"halo-lit"), "{tools:?}");
    let mut seen = 0;
    for entry in fs::read_dir(root().join("src")).unwrap() {
        let path = entry.unwrap().path().join("Cargo.toml");
        let manifest = fs::read_to_string(&path).unwrap();
        let path = relative(&path);
        assert!(!manifest.contains("/tools/"), "{path} has a path in tools/");
        for dependency in dependencies_in(&manifest, |_| true) {
            assert!(
                !tools.contains(&dependency),
                "{path} depends on {dependency}"
            );
        }
        seen += 1;
    }
    assert!(seen > 10, "{seen} crates");
}

/// Tools in one folder share one library. If a tool that is built alone requested one with fewer
/// features, the others would lack symbols. A build with `rocm` is in a separate folder.
#[test]
fn the_shared_library_has_all_features_but_rocm() {
    let read = |name: &str| fs::read_to_string(folder_of(name).join("Cargo.toml")).unwrap();
    let facade = read("halo");
    let (_, features) = facade.split_once("\n[features]\n").unwrap();
    let features = features.split("\n[").next().unwrap().lines();
    let names = features.filter(|line| !line.starts_with('#'));
    let names: Vec<&str> =
        names.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name).collect();
    assert!(names.contains(&"gpu-emulator"), "{names:?}");
    let shared = read("shared");
    for name in names.into_iter().filter(|name| *name != "default") {
        let is_asked_for = shared.contains(&format!("\"{name}\""));
        assert_eq!(is_asked_for, name != "rocm", "{name}");
    }
    let unasked = features_of(&["--workspace"]);
    assert!(unasked.iter().all(|line| !line.contains("rocm")));
}

/// The crates of a selection of packages, each with its features.
fn features_of(selection: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--locked",
            "--prefix=none",
            "--edges=normal,build",
        ])
        .args(["--format={p} {f}"])
        .args(selection)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines.lines().map(|line| line.trim_end_matches(" (*)"));
    lines.map(str::to_string).collect()
}

/// A tool that is built alone uses the shared library, and the crates in it, of a build of all
/// tools. With other features they would be rebuilt, and the library would be incompatible with the
/// other tools.
#[test]
fn single_tools_have_the_crates_of_the_workspace() {
    let all = features_of(&["--workspace"]);
    let name = |line: &str| line.split(' ').next().unwrap_or_default().to_string();
    let of_library: BTreeSet<String> =
        features_of(&["--package=halo-shared"]).iter().map(|line| name(line)).collect();
    let tools: Vec<String> = (fs::read_dir(root().join("tools")).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|folder| {
            let manifest = fs::read_to_string(folder.join("Cargo.toml"));
            manifest.is_ok_and(|manifest| dependencies(&manifest).contains(&"halo-shared"))
        })
        .map(|folder| folder.file_name().unwrap().to_str().unwrap().to_string())
        .collect();
    assert!(tools.contains(&"halo-run".to_string()), "{tools:?}");
    for tool in tools {
        for line in features_of(&[&format!("--package={tool}")]) {
            assert!(
                !of_library.contains(&name(&line)) || all.contains(&line),
                "{tool} alone has {line}: add what it lacks to src/shared/Cargo.toml"
            );
        }
    }
}

/// The crates of a selection of packages.
fn names(selection: &[&str]) -> BTreeSet<String> {
    let crates = features_of(selection);
    let names = crates.iter().map(|line| line.split(' ').next().unwrap());
    names.map(str::to_string).collect()
}

/// An application that links the runtime to run programs on CPUs links no library for GPUs
/// or factorizations.
#[test]
fn the_runtime_alone_has_no_crates_of_features() {
    let alone = names(&["--package=halo-runtime"]);
    let with_all = names(&["--package=halo-runtime", "--all-features"]);
    for name in ["cudarc", "faer"] {
        assert!(!alone.contains(name), "halo-runtime depends on {name}");
        assert!(with_all.contains(name), "no feature has {name}");
    }
}

/// An application that compiles programs itself links no command-line or network library.
#[test]
fn the_compiler_alone_has_no_crates_of_tools() {
    let alone = names(&["--package=halo", "--no-default-features"]);
    for (feature, name) in [
        ("cli", "clap"),
        ("cli", "halo-drivers"),
        ("cli", "indicatif"),
        ("cli", "tracing-subscriber"),
        ("mpi", "halo-distributed"),
    ] {
        let features = format!("--features={feature}");
        let with_feature = names(&["--package=halo", "--no-default-features", &features]);
        assert!(!alone.contains(name), "halo depends on {name}");
        assert!(with_feature.contains(name), "{feature} lacks {name}");
    }
}
