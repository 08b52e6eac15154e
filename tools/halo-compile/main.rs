//! `halo-compile`: compiles a program ahead of time, to a plan that `halo-run`
//! and applications run without a compiler, or to the text of any phase.

use halo::Plugin;
#[cfg(feature = "shared")]
use halo_shared as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    halo_allocator::replace_malloc();
    halo::compile::main("halo-compile", Plugin::default())
}
