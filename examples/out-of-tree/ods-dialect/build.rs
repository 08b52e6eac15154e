//! Generates the dialect of `src/signal.td`.

use halo_ods::build_script::{self, Dialect};

fn main() -> std::process::ExitCode {
    build_script::main(&[Dialect::new("src/signal.td")])
}
