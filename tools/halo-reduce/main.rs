//! `halo-reduce`: reduces programs that fail.

#[cfg(feature = "shared")]
use halo_shared as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    halo_allocator::replace_malloc();
    halo_reduce::main("halo-reduce", halo::Plugin::default())
}
