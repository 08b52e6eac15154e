//! The example of the README: `tests/lit.rs` of a crate.

fn main() -> std::process::ExitCode {
    halo_lit::main(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lit"))
}
