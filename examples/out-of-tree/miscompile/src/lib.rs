//! A pass that is wrong, as a plug-in, to look for with `halo-reduce`; `docs/reducing.md` does.

mod miscompile;

use halo::Plugin;

/// The plug-in with the pass.
pub fn plugin() -> Plugin {
    Plugin::new("miscompile", env!("CARGO_PKG_VERSION")).pass(&miscompile::PASS)
}

halo_shared::plugin!(plugin);
