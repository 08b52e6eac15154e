//! Compiles the program to a static library and a Rust module.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let target = env::var("TARGET").expect("cargo sets TARGET");
    let compiler = env::var_os("HALO_COMPILE").unwrap_or_else(|| "halo-compile".into());
    let program = "../../mlp/mlp.mlir";
    let done = Command::new(&compiler)
        .args([program, "--emit=static", "--name=mlp"])
        .arg(format!("--target={target}"))
        .arg("--input-names=images,hidden_weights,hidden_bias,output_weights,output_bias")
        .arg("--output-names=probabilities")
        .arg(format!("--rust={}", out.join("mlp.rs").display()))
        .arg("-o")
        .arg(out.join("libmlp.a"))
        .status();
    match done {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("halo-compile: {status}"),
        Err(error) => panic!("{}: {error}: set HALO_COMPILE", compiler.display()),
    }
    println!("cargo:rerun-if-changed={program}");
    println!("cargo:rerun-if-env-changed=HALO_COMPILE");
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=mlp");
}
