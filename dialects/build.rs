//! Compiles the dialects' C++.

use std::{env, path::PathBuf};

fn main() {
    let prefix = PathBuf::from(env::var("MLIR_SYS_220_PREFIX").expect("MLIR_SYS_220_PREFIX"));
    println!("cargo:rerun-if-changed=cpp");
    cc::Build::new()
        .cpp(true)
        .compiler(prefix.join("bin/clang++"))
        .std("c++17")
        .opt_level(1)
        .debug(false)
        .flags(["-fno-rtti", "-fno-exceptions", "-Wno-unused-parameter"])
        .include(prefix.join("include"))
        .include("cpp")
        .files(["cpp/Opt.cpp", "cpp/Pass.cpp", "cpp/Registration.cpp"])
        .compile("halo_dialects");
}
