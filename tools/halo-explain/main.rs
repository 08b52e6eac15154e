//! `halo-explain`: compiles a program and writes a report of the compilation, one page of HTML
//! without scripts.

#[cfg(feature = "shared")]
use halo_shared as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    halo_allocator::replace_malloc();
    halo::explain::main("halo-explain", halo::Plugin::default(), halo_explain::main)
}
