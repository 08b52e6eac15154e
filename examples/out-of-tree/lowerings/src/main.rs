//! `vendor-run`: `halo-run` with a vendor's dialect, library and lowerings. Halo's own tools
//! have them by `--load-plugin=liblowerings.so`.

use std::process::ExitCode;

fn main() -> ExitCode {
    halo::run::main("vendor-run", lowerings::plugin())
}
