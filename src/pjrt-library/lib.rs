//! `libhalo_pjrt.so`: Halo's backends as a PJRT plug-in.

halo_pjrt::plugin! {
    platform: "halo",
    backends: |registry| {
        halo::compiler::backends::register(registry);
        Ok(())
    },
}
