//! Sets the path of the shared library, if the plug-in is linked with it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(path) = std::env::var("DEP_HALO_RPATH") {
        // As packages for Python, the two are next to each other.
        println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN/../halo_mlir/lib:{path}");
    }
}
