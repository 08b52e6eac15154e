//! For build scripts of packages that link with `halo-shared`.
//!
//! An executable that is linked with shared libraries needs their path. Cargo sets it for processes
//! that it starts itself; [`find_shared_library`] writes it into the executable, so that it starts
//! from anywhere. The build script of the package is
//!
//! ```no_run
//! halo_link::find_shared_library();
//! ```

use std::{env, path::PathBuf, process::Command};

/// Sets the search path of `libhalo_shared.so` and Rust's standard library in the executables and
/// plug-ins of this package: their folder, `deps` below it, where cargo puts libraries, `../lib`,
/// and the folder of this Rust compiler.
pub fn find_shared_library() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return;
    }
    let mut path = "$ORIGIN:$ORIGIN/deps:$ORIGIN/../lib".to_owned();
    match standard_library() {
        Ok(folder) => path.extend([":", &folder.to_string_lossy()]),
        Err(error) => println!("cargo::warning=cannot ask rustc for its libraries: {error}"),
    }
    println!("cargo::rustc-link-arg=-Wl,-rpath,{path}");
}

/// Enables identical code folding for a package that links all of Halo into its executable. It
/// removes a fifth of upstream's ops and containers, but makes backtraces of debug builds
/// imprecise.
pub fn fold_equal_functions() {
    let is = |name, value| env::var(name).as_deref() == Ok(value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg=-Wl,--icf=all");
    }
}

/// The folder of Rust's shared standard library for the target.
fn standard_library() -> Result<PathBuf, String> {
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
    Ok(folder.trim().into())
}
