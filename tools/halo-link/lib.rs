//! For build scripts of packages that link with `halo-shared`.
//!
//! An executable that is linked with shared libraries needs their path. Cargo sets it for processes
//! that it starts itself; [`find_shared_library`] writes it into the executable, so that it starts
//! from anywhere. The build script of the package is
//!
//! ```no_run
//! halo_link::find_shared_library();
//! ```

use std::env;

/// Sets the search path of `libhalo_shared.so` and Rust's standard library in the executables and
/// plug-ins of this package, which depends on `halo-shared`. The build script of `halo-shared`
/// determines the path.
pub fn find_shared_library() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(path) = env::var("DEP_HALO_RPATH") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{path}");
    }
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
