//! The example of the README: the build script of a crate with a dialect.

use halo_ods::build_script::{self, Dialect};
use std::process::ExitCode;

fn main() -> ExitCode {
    build_script::main(&[Dialect::new("src/signal.td")])
}
