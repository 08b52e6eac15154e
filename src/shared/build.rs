//! Options of the linker for the shared library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=exports.txt");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return;
    }
    // The library's calls of its functions are bound at link time and not when it is loaded:
    // starting a tool takes as long as if all of it were in the executable.
    println!("cargo::rustc-link-arg=-Wl,-Bsymbolic");
    // As `halo_link::fold_equal_functions`, which crates of `src` do not depend on.
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo::rustc-link-arg=-Wl,--icf=all");
    }
    // Rust exports its own symbols by a version script. lld takes several.
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo::rustc-link-arg=-Wl,--version-script={folder}/exports.txt");
}
