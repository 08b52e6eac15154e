//! Computes the id of this build of Halo, since only the same build can load a plug-in, and
//! collects the documentation of passes.

use std::{
    env,
    ffi::OsStr,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
    process::Command,
};

/// The sources that Halo is compiled from, relative to this folder.
const SOURCES: [&str; 2] = ["../../Cargo.lock", "../../src"];

/// Variables that differ between builds of the same sources.
const VARIABLES: [&str; 5] = [
    "OPT_LEVEL",
    "DEBUG",
    "CARGO_FEATURE_CLI",
    "CARGO_FEATURE_GPU_EMULATOR",
    "CARGO_FEATURE_MPI",
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    for source in SOURCES {
        // A crate from a registry does not have the other folders.
        if Path::new(source).exists() {
            collect(Path::new(source), &mut files)?;
        }
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    let mut documentation = String::new();
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        file.hash(&mut hasher);
        let content = fs::read(&file)?;
        content.hash(&mut hasher);
        if let Some(text) = documentation_of_pass(&file, &content) {
            let name = file.strip_prefix("../../src").unwrap_or(&file);
            documentation.push_str(&format!(
                "    ({:?}, {text:?}),\n",
                name.display().to_string()
            ));
        }
    }
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(
        out.join("pass_documentation.rs"),
        format!("&[\n{documentation}]"),
    )?;
    for variable in VARIABLES {
        env::var(variable).ok().hash(&mut hasher);
    }
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let compiler = compiler()?;
    let sources = hasher.finish();
    println!("cargo::rustc-env=HALO_BUILD={version} ({compiler}, build {sources:016x})");
    Ok(())
}

/// The documentation at the head of a file that declares a pass.
fn documentation_of_pass(file: &Path, content: &[u8]) -> Option<String> {
    if file.extension()? != "rs" {
        return None;
    }
    let code = std::str::from_utf8(content).ok()?;
    let (head, rest) = code.split_at(code.find("\n\n").unwrap_or(code.len()));
    if !rest.contains(": PassDeclaration =") {
        return None;
    }
    let lines = head.lines().map_while(|line| line.strip_prefix("//!"));
    let lines = lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line)));
    Some(lines.collect())
}

/// The version of the compiler, with its commit.
fn compiler() -> io::Result<String> {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The files of a folder that the library is compiled of.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let is_test = name == "tests" || name.ends_with("tests.rs");
        if !is_test {
            collect(&path, files)?;
        }
    }
    Ok(())
}
