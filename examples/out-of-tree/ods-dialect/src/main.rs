//! `signal-run`: `halo-run` with the dialect `signal`.

mod evaluate;
mod signal;
mod signal_to_linalg;

use halo::{Plugin, compiler::pipelines::Edits};
use halo_shared as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let edits = Edits::new().replace("stablehlo-legalize-to-linalg", &signal_to_linalg::PASS);
    let plugin = Plugin::new("signal", env!("CARGO_PKG_VERSION"))
        .dialect(&signal::SIGNAL)
        .evaluation("signal.gain", evaluate::gain)
        .evaluation("signal.mix", evaluate::mix)
        .evaluation("signal.taps", evaluate::taps)
        .evaluation("signal.fir", evaluate::fir)
        .evaluation("signal.cascade", evaluate::cascade)
        .edit("cpu", edits);
    halo::run::main("signal-run", plugin)
}
