//! Options of the linker for the shared library, and the path where executables find it.

use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=exports.txt");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return;
    }
    // The library's calls of its functions are bound at link time and not when it is loaded:
    // starting a tool takes as long as if all of it were in the executable.
    println!("cargo::rustc-link-arg=-Wl,-Bsymbolic");
    // As `halo_link::fold_equal_functions`, which crates of `src` do not depend on.
    if env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo::rustc-link-arg=-Wl,--icf=all");
    }
    // Rust exports its own symbols by a version script. lld takes several.
    let folder = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo::rustc-link-arg=-Wl,--version-script={folder}/exports.txt");
    // The folder of the executable, `deps` below it, where cargo puts libraries, `../lib`, and the
    // folder of Rust's shared standard library.
    let mut path = "$ORIGIN:$ORIGIN/deps:$ORIGIN/../lib".to_owned();
    match standard_library() {
        Ok(folder) => path.extend([":", &folder]),
        Err(error) => println!("cargo::warning=cannot ask rustc for its libraries: {error}"),
    }
    println!("cargo::metadata=RPATH={path}");
}

/// The folder of Rust's shared standard library for the target.
fn standard_library() -> Result<String, String> {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(compiler);
    command.args(["--print", "target-libdir"]);
    if let Some(target) = env::var_os("TARGET") {
        command.arg("--target").arg(target);
    }
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    let folder = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    Ok(folder.trim().to_owned())
}
