//! Tests of the plug-in through its C interface.

mod client;
mod common;
mod ffi;
mod interface;
mod memory_layouts;
mod processes;
mod profiler;
mod rare_functions;
mod separate_memory;

halo_pjrt::plugin! {
    platform: "halo",
    backends: |registry| {
        halo::compiler::backends::register(registry);
        registry.register(crate::separate_memory::backend())
    },
}
