//! Passes that are wrong, as a plug-in, to look for with `halo-reduce` (`docs/reducing.md`) and
//! `halo-run --bisect` (`docs/miscompiles.md`).

mod faults;
mod miscompile;

use halo::Plugin;

/// The plug-in with the passes.
pub fn plugin() -> Plugin {
    Plugin::new("miscompile", env!("CARGO_PKG_VERSION"))
        .pass(&miscompile::PASS)
        .pass(&faults::WRONG_FOLD)
        .pass(&faults::WRONG_FUSION)
        .pass(&faults::LOST_WRITE)
        .pass(&faults::SWAPPED_OPERAND)
        .pass(&faults::WRONG_BOUND)
}

halo_shared::plugin!(plugin);
