//! `tile-run`: `halo-run` with the accelerator.

use halo::Plugin;
use halo_shared as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let plugin = Plugin::new("accelerator", env!("CARGO_PKG_VERSION"));
    halo::run::main("tile-run", plugin.backend(accelerator::backend()))
}
