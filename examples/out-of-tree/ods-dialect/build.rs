//! Generates the dialect of `src/signal.td`.

use halo_ods::build_script::{self, Dialect};

fn main() -> std::process::ExitCode {
    halo_link::find_shared_library();
    build_script::main(&[Dialect::new("src/signal.td")])
}
