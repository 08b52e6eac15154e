//! All backends of this build.

#[cfg(feature = "gpu-emulator")]
use super::emulator;
#[cfg(feature = "rocm")]
use super::rocm;
use super::{c, cpu, cuda, interpreter};
use halo_runtime::{Backend, Registry};

/// Adds the backends; the first one is the default. Those of the same names that are
/// there are replaced.
pub fn register(registry: &mut Registry) {
    let backends: &[fn() -> Backend] = &[
        cpu::backend,
        interpreter::backend,
        cuda::backend,
        c::backend,
        #[cfg(feature = "rocm")]
        rocm::backend,
        #[cfg(feature = "gpu-emulator")]
        emulator::backend,
    ];
    for backend in backends {
        let replaced = registry.replace(backend());
        debug_assert!(replaced.is_ok(), "{replaced:?}");
    }
}
