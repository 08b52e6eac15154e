//! `libhalo_pjrt.so`: Halo's backends as a PJRT plug-in.

#[cfg(feature = "shared")]
use halo_shared as _;

halo_pjrt::plugin! {
    platform: "halo",
    backends: |registry| {
        halo::compiler::backends::register(registry);
        Ok(())
    },
}
