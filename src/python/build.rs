//! Sets the path of the shared library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(path) = std::env::var("DEP_HALO_RPATH") {
        // In the package, which has executables too, it is in another folder.
        println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN/lib:{path}");
    }
}
