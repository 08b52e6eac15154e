//! The commands of `docs/reducing.md`, on the program of its first block.
#![cfg(unix)]

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

/// The code blocks of a language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let start = format!("```{language}\n");
    let parts = text.split(start.as_str()).skip(1);
    parts.filter_map(|part| part.split("```").next()).collect()
}

#[test]
fn the_commands_do_what_the_guide_says() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reducing.md");
    let guide = fs::read_to_string(guide).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = blocks(&guide, "mlir")[0];
    fs::write(folder.path().join("network.mlir"), program).unwrap();
    let tests = env::current_exe().unwrap();
    let plugin = format!("libmiscompile{}", env::consts::DLL_SUFFIX);
    let beside = tests.parent().unwrap().join(&plugin);
    symlink(beside, folder.path().join("libmiscompile.so")).unwrap();
    let tools = PathBuf::from(env!("CARGO_BIN_EXE_halo-reduce"));
    let path = format!(
        "{}:{}",
        tools.parent().unwrap().display(),
        env::var("PATH").unwrap()
    );
    let commands = blocks(&guide, "sh").join("");
    assert!(commands.lines().count() >= 7, "{commands}");
    for command in commands.lines() {
        let output = Command::new("bash")
            .args(["-c", command])
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        let fails = command.ends_with("# fails");
        assert_eq!(
            output.status.code(),
            Some(i32::from(fails)),
            "{command}: {err}"
        );
    }
    // The result equals the one in the guide, except for the difference.
    let reduced = fs::read_to_string(folder.path().join("network.reduced.mlir")).unwrap();
    let body = |text: &str| text[text.find("module {").unwrap()..].to_owned();
    assert_eq!(body(&reduced), body(blocks(&guide, "mlir")[1]));
    // The commands above it reproduce the difference.
    let commands: Vec<&str> =
        reduced.lines().filter_map(|line| line.strip_prefix("// halo-run")).collect();
    let [first, second] = commands[..] else {
        panic!("{reduced}");
    };
    for (command, code) in [(first, 0), (second, 1)] {
        let status = Command::new("bash")
            .args(["-c", &format!("halo-run {command}")])
            .current_dir(folder.path())
            .env("PATH", &path)
            .output();
        let output = status.unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{command}: {err}");
    }
}
