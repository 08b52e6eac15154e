//! Lets the tool and the plug-in find Halo's shared library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let path = std::env::var("DEP_HALO_RPATH").unwrap();
    println!("cargo::rustc-link-arg=-Wl,-rpath,{path}");
}
